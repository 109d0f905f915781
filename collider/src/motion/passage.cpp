#include "motion/passage.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "bvh/wide_walk.hpp"
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

  explicit MovingBall(const Passage& p)
      : radius(length(p.motion.pose.apply(p.moving.sphereCentre()) - p.motion.centre) +
               p.moving.sphereRadius()),
        turn(length(p.motion.spin) * p.part.duration) {
    const Vec3 local = p.motion.pose.inverse().apply(p.motion.centre);
    centre = {p.begin().apply(local), p.end().apply(local)};
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
[[nodiscard]] Aabb sweptBounds(const Passage& p, const MovingBall& ball, double hair) {
  const double slack = ball.bend() + 4 * hair;
  const Vec3 reach = Vec3{1, 1, 1} * (ball.radius + slack);
  Aabb round;
  for (const Vec3& centre : ball.centre) {
    round.grow(centre - reach);
    round.grow(centre + reach);
  }
  return shared(round,
                sweptBox(p.moving.sphereCentre(), p.moving.boxHalfExtent(), p.begin(), p.end(), slack));
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

/// Calls `on_triangle(t)` for the triangles whose bounds meet others, until it returns true. Did it?
template <typename OnTriangle>
bool anyIn(const Mesh& mesh, const Aabb& bounds, OnTriangle&& on_triangle) {
  const WideTree& tree = mesh.wideTree();
  const Aabb local = inTree(tree, bounds);
  const auto enters = [&](const WideBox& b) { return b.meets(local); };
  return walkLeaves(tree, enters, [&](WideChild leaf) {
    bool found = false;
    forEachTriangle(tree, leaf, [&](std::uint32_t t) {
      found = found || (bounds.meets(boxOf(mesh, t)) && on_triangle(t));
    });
    return found;
  });
}

/// The faces of the solid that the bounds meet; not all of them if there are some of another direction.
[[nodiscard]] Ground groundIn(const Mesh& solid, const Aabb& bounds) {
  Ground ground;
  anyIn(solid, bounds, [&](std::uint32_t t) {
    ground.add(solid, t);
    return ground.has_others;
  });
  return ground;
}

/// Do the bounds meet an edge between faces of two directions?
[[nodiscard]] bool meetsRidge(const Mesh& solid, const Aabb& bounds) {
  return anyIn(solid, bounds, [&](std::uint32_t t) {
    for (int i = 0; i < 3; ++i) {
      Aabb box;
      box.grow(solid.vertex(t, i));
      box.grow(solid.vertex(t, (i + 1) % 3));
      if (bounds.meets(box) && EdgeNormals(solid, solid.edges()[solid.edgeOf(t, i)]).isRidge()) return true;
    }
    return false;
  });
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
  Descent(const Passage& p, const MovingBall& ball, const Ground& ground, double least, double hair)
      : begin_(heightOf(p.begin(), ground.normal)),
        end_(heightOf(p.end(), ground.normal)),
        drop_{begin_.slope - end_.slope, begin_.offset - end_.offset},
        low_(ground.lowest - 2 * hair),
        high_(ground.highest + 2 * hair),
        least_(least - 0.5 * ball.turn * ball.turn * ball.radius - kSameNormal * ball.radius),
        turn_(ball.turn) {}

  /// May a point of the box come down to the ground, and by so much that it counts?
  [[nodiscard]] bool mayCross(const Vec3& centre, const Vec3& half) const {
    return end_.least(centre, half) <= high_ && begin_.most(centre, half) >= low_ &&
           drop_.most(centre, half) >= least_;
  }
  /// May a vertex?
  [[nodiscard]] bool mayCross(const Vec3& vertex) const {
    return end_.at(vertex) <= high_ && begin_.at(vertex) >= low_ && drop_.at(vertex) >= least_;
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

/// Does a vertex come down to the ground and count?
[[nodiscard]] bool anyCounts(const Mesh& mesh, const Descent& descent, bool only_leaders, Stamps& seen) {
  const WideTree& tree = mesh.wideTree();
  seen.reset(mesh.vertexCount());
  const auto enters = [&](const WideBox& box) {
    return descent.mayCross(tree.origin() + box.centre * tree.scale(), box.half * tree.scale());
  };
  const auto hasOne = [&](WideChild leaf) {
    bool found = false;
    forEachTriangle(tree, leaf, [&](std::uint32_t t) {
      for (int corner = 0; corner < 3; ++corner) {
        const std::uint32_t v = mesh.corners(t)[corner];
        if (!found && seen.insert(v) && !mesh.isFlat(v) && descent.mayCross(mesh.vertices()[v]))
          found = !only_leaders || descent.mayLead(mesh, v);
      }
    });
    return found;
  };
  return walkLeaves(tree, enters, hasOne);
}

}  // namespace

Met metOnWay(const Passage& passage, double least, double hair, Stamps& seen) {
  if (!passage.still.isSolid()) return Met::kMore;
  const MovingBall ball(passage);
  const Aabb bounds = sweptBounds(passage, ball, hair);
  const Ground ground = groundIn(passage.still, bounds);
  if (ground.isEmpty()) return Met::kNothing;
  if (ground.has_others) return meetsRidge(passage.still, bounds) ? Met::kMore : Met::kFaces;
  const double least_drop = passage.is_whole_step ? least : -std::numeric_limits<double>::infinity();
  const bool only_leaders = passage.is_whole_step && passage.front.empty();
  const Descent descent(passage, ball, ground, least_drop, hair);
  return anyCounts(passage.moving, descent, only_leaders, seen) ? Met::kFaces : Met::kNothing;
}

}  // namespace odemesh
