#include "contact/way_out/convex_exit.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "contact/projection.hpp"
#include "contact/way_out/farthest_vertex.hpp"
#include "separation/mesh_cast.hpp"

namespace odemesh {

namespace {

constexpr int kMostSteps = 64;

/// The ray is known to this, in units of the smaller mesh's radius.
constexpr double kExact = 1e-9;

/// The vertex that lies farthest along `direction`.
[[nodiscard]] Vec3 farthestPoint(const PlacedMesh& placed, const Vec3& direction) {
  return placed.vertex(farthestVertex(placed.mesh(), placed.pose().rotation.transposed() * direction));
}

/// The point of the Minkowski difference that lies farthest along `direction`.
[[nodiscard]] Vec3 farthestPoint(const MeshPair& pair, const Vec3& direction) {
  return farthestPoint(pair[1], direction) - farthestPoint(pair[0], -direction);
}

/// Three points of the Minkowski difference, seen along the ray counter-clockwise around it.
class Portal {
 public:
  Portal(const MeshPair& pair, const Vec3& direction)
      : pair_(pair),
        onto_(Projection::along(direction)),
        least_(kExact * pair.size()),
        corner_{farthest(onto_.w)},
        apart_(dot(onto_.w, corner_[0].point)) {}

  [[nodiscard]] std::optional<RayExit> exit(double blown_up) {
    return isFound() ? std::optional(refined(blown_up)) : std::nullopt;
  }

  /// Is the ray outside at this length? Planes that touch, and the corners, tell sooner than where it leaves.
  /// None where rounding closes the portal before that is known.
  [[nodiscard]] std::optional<bool> isOutAt(double length) {
    if (apart_ <= length) return true;
    if (!isFound()) return std::nullopt;
    for (int step = 0; step < kMostSteps; ++step) {
      const auto [normal, upwards, level] = planeOfCorners();
      if (level > length * upwards) return false;
      const Corner beyond = farthest(normal);
      const double height = dot(normal, beyond.point);
      if (height <= length * upwards) return true;
      if ((height - level) / upwards <= least_) return false;
      if (!replaceBy(beyond)) break;
    }
    return std::nullopt;
  }

 private:
  struct Corner {
    Vec3 point;
    ShadowPoint at;  ///< as it is seen along the ray
  };
  static constexpr ShadowPoint kRay{0, 0};

  [[nodiscard]] Corner farthest(const Vec3& towards) const {
    const Vec3 point = farthestPoint(pair_, towards);
    return {point, onto_.of(point)};
  }

  [[nodiscard]] bool isAround() const {
    return turn(corner_[0].at, corner_[1].at, corner_[2].at) > least_ * least_;
  }

  /// Across the side from corner `i` to the next one, away from the third.
  [[nodiscard]] Vec3 outwards(int i) const {
    const ShadowPoint &p = corner_[i].at, &q = corner_[nextCorner(i)].at;
    return onto_.lift({q.v - p.v, p.u - q.u}, 0);
  }

  struct Plane {
    Vec3 normal;     ///< not of unit length
    double upwards;  ///< its component along the ray
    double level;    ///< of the corners, along it
  };
  [[nodiscard]] Plane planeOfCorners() const {
    const Vec3& first = corner_[0].point;
    const Vec3 normal = cross(corner_[1].point - first, corner_[2].point - first);
    return {normal, dot(normal, onto_.w), dot(normal, first)};
  }

  /// Corners around the ray, from the highest point, the first of them, on.
  [[nodiscard]] bool isFound() {
    const auto [u, v] = corner_[0].at;
    const double off = std::hypot(u, v);
    corner_[1] = farthest(off > least_ ? onto_.lift({-u / off, -v / off}, 0) : onto_.u);
    if (turn(corner_[0].at, corner_[1].at, kRay) < 0) std::swap(corner_[0], corner_[1]);
    corner_[2] = farthest(-outwards(0));
    for (int step = 0; step < kMostSteps && isAround(); ++step) {
      const int side = sideBefore();
      if (side < 0) return true;
      const Vec3 away = outwards(side);
      corner_[previousCorner(side)] = farthest(away);
      if (!(dot(away, corner_[previousCorner(side)].point) > 0)) return false;
      std::swap(corner_[side], corner_[nextCorner(side)]);
    }
    return false;
  }

  [[nodiscard]] static int previousCorner(int i) { return nextCorner(nextCorner(i)); }

  /// The first side that the ray passes outside of; -1 for none.
  [[nodiscard]] int sideBefore() const {
    for (int i = 0; i < 3; ++i)
      if (turn(corner_[i].at, corner_[nextCorner(i)].at, kRay) < 0) return i;
    return -1;
  }

  /// Where the ray meets the difference's surface: the plane of the corners is moved out until it touches.
  /// Every plane that touches bounds the way. Where the ray meets an edge, rounding may close the portal
  /// before it is there; then the plane across the ray often bounds it best.
  [[nodiscard]] RayExit refined(double blown_up) {
    RayExit exit{kEndless, kEndless};
    for (int step = 0; step < kMostSteps; ++step) {
      const auto [normal, upwards, level] = planeOfCorners();
      const Corner beyond = farthest(normal);
      const double height = dot(normal, beyond.point);
      exit.depth = std::min(exit.depth, height / upwards);
      exit.blown_up = std::min(exit.blown_up, (height + blown_up * length(normal)) / upwards);
      if ((height - level) / upwards <= least_) return exit;
      if (!replaceBy(beyond)) break;
    }
    return {std::min(exit.depth, apart_), std::min(exit.blown_up, apart_ + blown_up)};
  }

  /// Of the triangles between a point and the sides, that around the ray. False if it is next to none.
  [[nodiscard]] bool replaceBy(const Corner& other) {
    for (int i = 0; i < 3; ++i) {
      if (turn(corner_[nextCorner(i)].at, other.at, kRay) < 0 || turn(other.at, corner_[i].at, kRay) < 0)
        continue;
      corner_[previousCorner(i)] = other;
      return isAround();
    }
    return false;
  }

  const MeshPair& pair_;
  Projection onto_;
  double least_;
  std::array<Corner, 3> corner_;
  double apart_;  ///< how far until a plane across the ray parts the bodies, as by `planeExit`
};

}  // namespace

double planeExit(const MeshPair& pair, const Vec3& direction) {
  return dot(direction, farthestPoint(pair, direction));
}

std::optional<RayExit> rayExit(const MeshPair& pair, const Vec3& direction, double blown_up) {
  return Portal(pair, direction).exit(blown_up);
}

std::optional<bool> isFreeAt(const MeshPair& pair, const Vec3& direction, double length) {
  return Portal(pair, direction).isOutAt(length);
}

}  // namespace odemesh
