// The impacts of a mesh with a plane: its vertices that come down to it, the first of what rolls.
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <odemesh/motion.hpp>
#include <span>
#include <vector>

#include "constants.hpp"
#include "half_space.hpp"
#include "motion/impact_choice.hpp"
#include "motion/impact_search.hpp"
#include "motion/impacts_behind.hpp"
#include "motion/sweep.hpp"

namespace odemesh {

namespace {

/// When a vertex comes to a plane is found by so many halvings of the step.
constexpr int kPlaneHalvings = 8;

/// Does a vertex that comes below a plane within the step get there before its neighbours? As it turns, its
/// way is no straight one.
[[nodiscard]] bool leads(const Mesh& mesh, std::uint32_t v, const Motion& motion, double dt,
                         const HalfSpace& plane) {
  double above = 0, below = dt;
  for (int i = 0; i < kPlaneHalvings; ++i) {
    const double middle = 0.5 * (above + below);
    const Vec3 point = motion.at(middle).apply(mesh.vertices()[v]);
    (plane.heightOf(point) >= 0 ? above : below) = middle;
  }
  return bulges(mesh, v, motion.at(above), plane.normal);
}

/// The vertices of what rolls on a plane, or lands as it rolls: on their way down, they turn up again.
class Rolling {
 public:
  Rolling(const Motion& motion, double dt, const HalfSpace& plane)
      : motion_(carried(motion)),
        dt_(dt),
        plane_(plane),
        middle_drop_(-dot(plane.normal, motion.velocity) * dt),
        carried_(std::max(-dot(plane.normal, motion.velocity - motion_.velocity) * dt, 0.0)) {}

  /// Is it nothing to a vertex that comes below the plane within the step? It sinks in by no more than the
  /// forces bring, which the plane takes up, or neither it nor the middle by `least` within another step.
  [[nodiscard]] bool turnsUp(const Vec3& vertex, double height, double end_height, double least) const {
    const double drop = height - end_height;
    if (drop > 2 * middle_drop_ && end_height + carried_ >= 0) return true;
    return middle_drop_ - carried_ < least && sinksBy(vertex, dt_ * height / drop) < least;
  }

 private:
  /// How deep a vertex comes below the plane within a step from `time` on.
  [[nodiscard]] double sinksBy(const Vec3& vertex, double time) const {
    return greatestDepthFrom(time, dt_,
                             [&](double t) { return plane_.depthOf(motion_.at(t).apply(vertex)); });
  }

  /// Without what forces bring, unless it falls.
  [[nodiscard]] static Motion carried(Motion motion) {
    if (!fallsBy(motion.velocity, motion.gain)) motion.velocity -= motion.gain;
    return motion;
  }

  Motion motion_;
  double dt_;
  HalfSpace plane_;
  double middle_drop_;
  double carried_;  ///< what of it forces bring, unless it falls
};

/// How deep the deepest of what has stopped a mesh is.
[[nodiscard]] double depthOf(Front front) {
  double sunk = 0;
  for (const Stop& s : front) sunk = std::max(sunk, s.depth);
  return sunk;
}

/// Does the bounding sphere come to the plane within the step?
[[nodiscard]] bool mayMeet(const Mesh& mesh, const Motion& motion, const HalfSpace& plane, double dt) {
  const double reach = mesh.sphereRadius() + greatestMotion(mesh, motion, dt);
  return plane.heightOf(motion.pose.apply(mesh.sphereCentre())) <= reach;  // not so what overflows
}

/// The height of a point over a plane, in a mesh's frame: but for rounding, by half of the products.
struct LocalHeight {
  LocalHeight(const HalfSpace& plane, const Pose& pose)
      : normal(pose.rotation.transposed() * plane.normal), offset(plane.heightOf(pose.translation)) {}

  [[nodiscard]] double of(const Vec3& point) const { return dot(normal, point) + offset; }

  Vec3 normal;
  double offset;
};

/// Goes through the vertices that come below a plane within a step.
class PlaneSearch {
 public:
  PlaneSearch(Front front, const Mesh& mesh, const Motion& motion, const HalfSpace& plane, double dt)
      : mesh_(mesh),
        motion_(motion),
        plane_(plane),
        dt_(dt),
        end_(motion.at(dt)),
        rolling_(motion, dt, plane),
        is_stopped_(!front.empty()),
        sunk_(depthOf(front)) {}

  /// Appends their impacts to `found`.
  void run(std::vector<Impact>& found) {
    const LocalHeight begin(plane_, motion_.pose), end(plane_, end_);
    const double slack =
        kBoxSlack * (mesh_.sphereRadius() + length(mesh_.sphereCentre()) + std::abs(plane_.offset) +
                     length(motion_.pose.translation) + length(end_.translation));
    for (std::uint32_t v = 0; v < mesh_.vertexCount(); ++v) {
      const Vec3& vertex = mesh_.vertices()[v];
      if (end.of(vertex) > slack || begin.of(vertex) < -slack) continue;
      if (!mesh_.isFlat(v) && mesh_.edgesAt(v).size() != 0) look(v, found);
    }
    // What rolls along the plane strikes nothing: others follow a vertex that is below it already.
    if (!is_stopped_) std::erase_if(found, [&](const Impact& i) { return i.time < first_leader_; });
  }

 private:
  void look(std::uint32_t v, std::vector<Impact>& found) {
    const Vec3& vertex = mesh_.vertices()[v];
    const double least_motion = kSlowApproach * mesh_.thickness();
    const Vec3 from = motion_.pose.apply(vertex);
    const double height = plane_.heightOf(from), end_height = plane_.heightOf(end_.apply(vertex));
    if (height < 0 || end_height >= 0 || height - end_height < least_motion) return;
    if (rolling_.turnsUp(vertex, height, end_height, least_motion + sunk_)) return;
    const double time = dt_ * height / (height - end_height);
    const std::uint32_t t = mesh_.inputTriangleAt(mesh_.triangleAt(v), vertex);
    found.push_back({time, from, plane_.normal, height + sunk_, t, 0});
    if (!is_stopped_ && time < first_leader_ && leads(mesh_, v, motion_, dt_, plane_)) first_leader_ = time;
  }

  const Mesh& mesh_;
  const Motion& motion_;
  HalfSpace plane_;
  double dt_;
  Pose end_;
  Rolling rolling_;
  bool is_stopped_;  ///< contacts stop a part of the mesh already
  double sunk_;      ///< the depth of those
  double first_leader_ = std::numeric_limits<double>::infinity();
};

}  // namespace

std::size_t findImpactsWithPlane(const Mesh& mesh, const Motion& motion, const Vec3& plane_normal,
                                 double plane_offset, double dt, std::span<Impact> out) {
  if (!isUsable(motion) || !isUsable(dt) || !isFast(mesh, motion, dt)) return 0;
  return findImpactsWithPlaneBehind({}, mesh, motion, plane_normal, plane_offset, dt, out);
}

std::size_t findImpactsWithPlaneBehind(Front front, const Mesh& mesh, const Motion& motion,
                                       const Vec3& plane_normal, double plane_offset, double dt,
                                       std::span<Impact> out) {
  if (!isUsable(motion) || !isUsable(dt) || !isFinite(plane_normal) || !std::isfinite(plane_offset)) return 0;
  const HalfSpace plane{plane_normal, plane_offset};
  if (out.empty() || !mayMeet(mesh, motion, plane, dt)) return 0;
  std::vector<Impact>& found = motionScratch().found;
  found.clear();
  PlaneSearch(front, mesh, motion, plane, dt).run(found);
  return chooseImpacts(found, mesh.sphereRadius(), out);
}

}  // namespace odemesh
