// Constant motions, and how far they take a mesh.
#include <cmath>

#include "bvh/wide_walk.hpp"
#include "constants.hpp"
#include "motion/sweep.hpp"

namespace odemesh {

namespace {

/// Does triangle `t` reach into a box, as far as its own box and its plane tell?
[[nodiscard]] bool reachesInto(const Mesh& mesh, std::uint32_t t, const Aabb& box) {
  if (!boxOf(mesh, t).meets(box)) return false;
  const Vec3 &a = mesh.vertex(t, 0), half = 0.5 * (box.hi - box.lo);
  const Vec3 n = cross(mesh.vertex(t, 1) - a, mesh.vertex(t, 2) - a);
  const double reach = std::abs(n.x) * half.x + std::abs(n.y) * half.y + std::abs(n.z) * half.z;
  return std::abs(dot(n, 0.5 * (box.lo + box.hi) - a)) <= reach;
}

}  // namespace

Mat3 rotationBy(const Vec3& turn) {
  const double angle = length(turn);
  if (!(angle > 0)) return {};
  const Vec3 u = turn / angle;
  const double c = std::cos(angle), s = std::sin(angle), k = 1 - c;
  return {{{c + u.x * u.x * k, u.x * u.y * k - u.z * s, u.x * u.z * k + u.y * s},
           {u.y * u.x * k + u.z * s, c + u.y * u.y * k, u.y * u.z * k - u.x * s},
           {u.z * u.x * k - u.y * s, u.z * u.y * k + u.x * s, c + u.z * u.z * k}}};
}

Pose Motion::at(double time) const {
  if (spin == Vec3{}) return {pose.rotation, centre + velocity * time + (pose.translation - centre)};
  const Mat3 turned = rotationBy(spin * time);
  return {turned * pose.rotation, centre + velocity * time + turned * (pose.translation - centre)};
}

double greatestMotion(const Mesh& mesh, const Motion& motion, double dt) {
  const double reach = length(motion.pose.apply(mesh.sphereCentre()) - motion.centre) + mesh.sphereRadius();
  return (length(motion.velocity) + length(motion.spin) * reach) * dt;
}

Approach approachWithin(const Mesh& mesh1, const Motion& motion1, const Mesh& mesh2, const Motion& motion2,
                        double dt) {
  const bool first_is_smaller = mesh1.sphereRadius() < mesh2.sphereRadius();
  const Mesh &smaller = first_is_smaller ? mesh1 : mesh2, &larger = first_is_smaller ? mesh2 : mesh1;
  const Motion &own = first_is_smaller ? motion1 : motion2, &other = first_is_smaller ? motion2 : motion1;
  const Vec3 centre = own.pose.apply(smaller.sphereCentre());
  const double way = greatestMotion(smaller, own, dt), other_way = greatestMotion(larger, other, dt);
  return {dt * (velocityAt(motion1, centre) - velocityAt(motion2, centre)),
          dt * (length(own.spin - other.spin) * (smaller.sphereRadius() + way) +
                length(other.spin) * (way + other_way))};
}

Aabb sweptBox(const Vec3& centre, const Vec3& half, const Pose& begin, const Pose& end, double slack) {
  Aabb out;
  for (const Pose* pose : {&begin, &end}) {
    const Vec3 c = pose->apply(centre);
    const Vec3* r = pose->rotation.row;
    const auto reach = [&](int i) {
      return std::abs(r[i].x) * half.x + std::abs(r[i].y) * half.y + std::abs(r[i].z) * half.z + slack;
    };
    const Vec3 extent{reach(0), reach(1), reach(2)};
    out.grow(c - extent);
    out.grow(c + extent);
  }
  return out;
}

bool isNear(const Mesh& mesh, const Aabb& box) {
  const WideTree& tree = mesh.wideTree();
  const Aabb local = inTree(tree, box);
  return walkLeaves(
      tree, [&](const WideBox& b) { return b.meets(local); },
      [&](WideChild leaf) {
        bool is_near = false;
        forEachTriangle(tree, leaf, [&](std::uint32_t t) { is_near = is_near || reachesInto(mesh, t, box); });
        return is_near;
      });
}

SweptBounds::SweptBounds(const Mesh& mesh, const Motion& motion, double dt) : bounds_(mesh) {
  const Pose end = motion.at(dt);
  to_box_ = {motion.pose.rotation.transposed(), end.rotation.transposed()};
  centre_ = {motion.pose.apply(mesh.sphereCentre()), end.apply(mesh.sphereCentre())};
  bend_ = lengthSq(motion.spin) * dt * dt * (length(centre_[0] - motion.centre) + bounds_.radius);
}

double SweptBounds::reach(int end, const Vec3& n) const {
  return bounds_.reach(to_box_[end] * n);
}

bool areParted(const SweptBounds& a, const SweptBounds& b, double slack) {
  const std::array between{a.centre(0) - b.centre(0), a.centre(1) - b.centre(1)};
  const auto partAlong = [&](const Vec3& axis) {
    const Vec3 n = dot(axis, between[0]) < 0 ? -axis : axis;
    const auto gap = [&](int end) {
      return dot(n, between[end]) - a.reach(end, n) - b.reach(end, n) - slack;
    };
    const double begin = gap(0);
    if (begin <= 0) return false;
    const double end = gap(1);
    if (end <= 0) return false;
    // (1 - s) begin + s end > s (1 - s) / 2 bend for all shares s of the step.
    return begin + end + 2 * std::sqrt(begin * end) > 0.5 * (a.bend() + b.bend());
  };
  for (int i = 0; i < 3; ++i)
    if (partAlong(a.axis(i)) || partAlong(b.axis(i))) return true;
  for (const SweptBounds* thin : {&a, &b})
    if (const std::optional<Vec3> axis = thin->thinAxis(); axis && partAlong(*axis)) return true;
  return partAlong(normalised(between[0]));
}

bool isFast(const Mesh& mesh, const Motion& motion, double dt) {
  const double arm_sq = lengthSq(motion.pose.apply(mesh.sphereCentre()) - motion.centre);
  const double most_sq = greatestMotionSq(mesh, lengthSq(motion.velocity), lengthSq(motion.spin), arm_sq, dt);
  return !isWithin(most_sq, kFastShare, mesh) &&
         greatestMotion(mesh, motion, dt) > kFastShare * mesh.thickness();
}

bool isBrisk(const Mesh& mesh, const Motion& motion, double dt) {
  return !motion.is_fixed && greatestMotion(mesh, motion, dt) > kBriskShare * mesh.thickness();
}

}  // namespace odemesh
