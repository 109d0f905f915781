#include "motion/face_glide.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "constants.hpp"
#include "motion/sweep.hpp"

namespace odemesh {

namespace {

/// Directions of faces that count as one differ by less (a sine), and so does what is rounded.
constexpr double kSameNormal = 1e-6;

/// The ball around the point that a mesh turns about, in the frame of the solid. That point moves straight.
struct MovingBall {
  std::array<Vec3, 2> centre;  ///< at the begin and at the end
  double radius;
  double turn;  ///< in radians

  explicit MovingBall(const Glide& g)
      : radius(length(g.motion.pose.apply(g.moving.sphereCentre()) - g.motion.centre) +
               g.moving.sphereRadius()),
        turn(length(g.motion.spin) * g.step.duration) {
    const Vec3 local = g.motion.pose.inverse().apply(g.motion.centre);
    centre = {g.begin().apply(local), g.end().apply(local)};
  }
  /// How far off a straight way points of the mesh are in the frame of the solid, and points of the solid
  /// near the ball in the frame of the mesh: an eighth of the acceleration, with those of Coriolis and
  /// centrifugal, and some more for points that are as near only by that.
  [[nodiscard]] double bend() const {
    const double way = length(centre[1] - centre[0]);
    return 1.5 / 8 * turn * (2 * way + turn * (radius + way));
  }
};

/// A box around what the mesh sweeps over in the frame of the solid: what that of its ball and that of its
/// box share.
[[nodiscard]] Aabb sweptBounds(const Glide& g, const MovingBall& ball, double hair) {
  const double slack = ball.bend() + 4 * hair;
  const Vec3 reach = Vec3{1, 1, 1} * (ball.radius + slack);
  Aabb round;
  for (const Vec3& centre : ball.centre) {
    round.grow(centre - reach);
    round.grow(centre + reach);
  }
  return shared(round,
                sweptBox(g.moving.sphereCentre(), g.moving.boxHalfExtent(), g.begin(), g.end(), slack));
}

/// Faces of one direction.
struct Ground {
  Vec3 normal;
  double lowest = std::numeric_limits<double>::infinity();  ///< along the normal
  double highest = -lowest;
  bool has_others = false;

  [[nodiscard]] bool isEmpty() const { return highest < lowest; }
  void add(const Mesh& mesh, std::uint32_t t) {
    const Vec3 n = mesh.normal(t);
    if (isEmpty()) normal = n;
    has_others = has_others || dot(n, normal) < kFlatCosine;
    for (int corner = 0; corner < 3; ++corner) {
      const double height = dot(normal, mesh.vertex(t, corner));
      lowest = std::min(lowest, height);
      highest = std::max(highest, height);
    }
  }
};

[[nodiscard]] Aabb boxOf(const Mesh& mesh, std::uint32_t t) {
  Aabb box;
  for (int corner = 0; corner < 3; ++corner) box.grow(mesh.vertex(t, corner));
  return box;
}

/// The faces of the solid that the bounds meet; not all of them if there are some of another direction.
[[nodiscard]] Ground groundIn(const Mesh& solid, const Aabb& bounds) {
  Ground ground;
  const WideTree& tree = solid.wideTree();
  const Aabb local = inTree(tree, bounds);
  walkLeaves(
      tree,
      [&](const WideBox& b) {
        return local.meets({b.low(), b.high()});
      },
      [&](WideChild leaf) {
        forEachTriangle(tree, leaf, [&](std::uint32_t t) {
          if (bounds.meets(boxOf(solid, t))) ground.add(solid, t);
        });
        return ground.has_others;
      });
  return ground;
}

/// A number that grows linearly along the mesh.
struct Linear {
  Vec3 slope;
  double offset;

  [[nodiscard]] double at(const Vec3& p) const { return dot(slope, p) + offset; }
  /// The most and the least in a box.
  ///@{
  [[nodiscard]] double most(const Vec3& centre, const Vec3& half) const { return at(centre) + reach(half); }
  [[nodiscard]] double least(const Vec3& centre, const Vec3& half) const { return at(centre) - reach(half); }
  ///@}

 private:
  [[nodiscard]] double reach(const Vec3& half) const {
    return std::abs(slope.x) * half.x + std::abs(slope.y) * half.y + std::abs(slope.z) * half.z;
  }
};

/// Points of the mesh on their way down to the ground.
class Descent {
 public:
  Descent(const Glide& g, const MovingBall& ball, const Ground& ground, double least, double hair)
      : begin_(heightOf(g.begin(), ground.normal)),
        end_(heightOf(g.end(), ground.normal)),
        drop_{begin_.slope - end_.slope, begin_.offset - end_.offset},
        low_(ground.lowest - 2 * hair),
        high_(ground.highest + 2 * hair),
        least_(least - 0.5 * ball.turn * ball.turn * ball.radius - kSameNormal * ball.radius),
        turn_(ball.turn) {}

  /// May a point of the box come down to the ground, and by so much that it counts?
  [[nodiscard]] bool mayCross(const Vec3& centre, const Vec3& half) const {
    return begin_.most(centre, half) >= low_ && end_.least(centre, half) <= high_ &&
           drop_.most(centre, half) >= least_;
  }
  /// May a vertex arrive there in front of its neighbours?
  [[nodiscard]] bool mayLead(const Mesh& mesh, std::uint32_t v) const {
    const Vec3& at = mesh.vertices()[v];
    const double drop = drop_.at(at), height = begin_.at(at);
    if (!(drop > 0)) return true;
    const double share = std::clamp((height - 0.5 * (low_ + high_)) / drop, 0.0, 1.0);
    const Vec3 normal = begin_.slope + (end_.slope - begin_.slope) * share;
    const double slack = kBulgeSlack + kSameNormal + turn_ * (turn_ / 8 + 0.5 * (high_ - low_) / drop);
    const auto neighbours = mesh.neighboursAt(v);
    const auto isBefore = [&](std::uint32_t other) {
      const Vec3 arm = mesh.vertices()[other] - at;
      const double along = dot(arm, normal);
      return along < 0 && along * along > slack * slack * lengthSq(arm);
    };
    return std::ranges::none_of(neighbours.lower, isBefore) &&
           std::ranges::none_of(neighbours.higher, isBefore);
  }

 private:
  [[nodiscard]] static Linear heightOf(const Pose& pose, const Vec3& normal) {
    return {pose.rotation.transposed() * normal, dot(normal, pose.translation)};
  }

  Linear begin_, end_;  ///< heights
  Linear drop_;
  double low_, high_;  ///< of the ground
  double least_;       ///< of a drop: a point that arrives is not quite where its vertex is on its bent way
  double turn_;
};

/// Does no vertex arrive in front of its neighbours?
[[nodiscard]] bool noneLeads(const Mesh& mesh, const Descent& descent, Stamps& seen) {
  const WideTree& tree = mesh.wideTree();
  seen.reset(mesh.vertexCount());
  const auto enters = [&](const WideBox& box) {
    return descent.mayCross(tree.origin() + box.centre * tree.scale(), box.half * tree.scale());
  };
  const auto hasLeader = [&](WideChild leaf) {
    bool found = false;
    forEachTriangle(tree, leaf, [&](std::uint32_t t) {
      for (int corner = 0; corner < 3; ++corner) {
        const std::uint32_t v = mesh.corners(t)[corner];
        if (!found && seen.insert(v) && !mesh.isFlat(v) && descent.mayCross(mesh.vertices()[v], {}))
          found = descent.mayLead(mesh, v);
      }
    });
    return found;
  };
  return !walkLeaves(tree, enters, hasLeader);
}

}  // namespace

bool glidesAlongFaces(const Glide& glide, double least, double hair, Stamps& seen) {
  if (!glide.still.isSolid()) return false;
  const MovingBall ball(glide);
  const Ground ground = groundIn(glide.still, sweptBounds(glide, ball, hair));
  if (ground.isEmpty() || ground.has_others) return ground.isEmpty();
  return noneLeads(glide.moving, Descent(glide, ball, ground, least, hair), seen);
}

}  // namespace odemesh
