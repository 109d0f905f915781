#include "contact/way_out/convex_exit.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "contact/projection.hpp"

namespace odemesh {

namespace {

constexpr int kMostSteps = 64;

/// The ray is known to this, in units of the smaller mesh's radius.
constexpr double kExact = 1e-9;

/// The vertex that lies farthest along `direction`.
[[nodiscard]] Vec3 farthestVertex(const PlacedMesh& placed, const Vec3& direction) {
  const Vec3 local = placed.pose().rotation.transposed() * direction;
  const auto vertices = placed.mesh().vertices();
  return placed.pose().apply(
      *std::ranges::max_element(vertices, {}, [&](const Vec3& v) { return dot(local, v); }));
}

/// The point of the Minkowski difference that lies farthest along `direction`.
[[nodiscard]] Vec3 farthestPoint(const MeshPair& pair, const Vec3& direction) {
  return farthestVertex(pair[1], direction) - farthestVertex(pair[0], -direction);
}

/// Three points of the Minkowski difference, seen along the ray counter-clockwise around it.
class Portal {
 public:
  Portal(const MeshPair& pair, const Vec3& direction)
      : pair_(pair), onto_(Projection::along(direction)), least_(kExact * pair.size()) {}

  [[nodiscard]] std::optional<double> exit(double blown_up) {
    return isFound() ? std::optional(refined(blown_up)) : std::nullopt;
  }

 private:
  static constexpr ShadowPoint kRay{0, 0};

  void set(int i, const Vec3& towards) {
    corner_[i] = farthestPoint(pair_, towards);
    at_[i] = onto_.of(corner_[i]);
  }

  [[nodiscard]] bool isAround() const { return turn(at_[0], at_[1], at_[2]) > least_ * least_; }

  /// Across the side from corner `i` to the next one, away from the third.
  [[nodiscard]] Vec3 outwards(int i) const {
    const ShadowPoint &p = at_[i], &q = at_[nextCorner(i)];
    return onto_.lift({q.v - p.v, p.u - q.u}, 0);
  }

  /// Corners around the ray, from the highest point on.
  [[nodiscard]] bool isFound() {
    set(0, onto_.w);
    const double off = std::hypot(at_[0].u, at_[0].v);
    const Vec3 towards = off > least_ ? onto_.lift({-at_[0].u / off, -at_[0].v / off}, 0) : onto_.u;
    set(1, towards);
    if (turn(at_[0], at_[1], kRay) < 0) swapFirst();
    set(2, -outwards(0));
    for (int step = 0; step < kMostSteps && isAround(); ++step) {
      const int side = sideBefore();
      if (side < 0) return true;
      const Vec3 away = outwards(side);
      set(previousCorner(side), away);
      if (!(dot(away, corner_[previousCorner(side)]) > 0)) return false;
      std::swap(corner_[side], corner_[nextCorner(side)]);
      std::swap(at_[side], at_[nextCorner(side)]);
    }
    return false;
  }

  void swapFirst() {
    std::swap(corner_[0], corner_[1]);
    std::swap(at_[0], at_[1]);
  }
  [[nodiscard]] static int previousCorner(int i) { return nextCorner(nextCorner(i)); }

  /// The first side that the ray passes outside of; -1 for none.
  [[nodiscard]] int sideBefore() const {
    for (int i = 0; i < 3; ++i)
      if (turn(at_[i], at_[nextCorner(i)], kRay) < 0) return i;
    return -1;
  }

  /// Where the ray meets the difference's surface: the plane of the corners is moved out until it touches.
  [[nodiscard]] double refined(double blown_up) {
    double height = 0;
    for (int step = 0; step < kMostSteps; ++step) {
      const Vec3 normal = cross(corner_[1] - corner_[0], corner_[2] - corner_[0]);
      const double upwards = dot(normal, onto_.w);
      const Vec3 farthest = farthestPoint(pair_, normal);
      height = (dot(normal, farthest) + blown_up * length(normal)) / upwards;
      if (dot(normal, farthest - corner_[0]) / upwards <= least_ || !replaceBy(farthest)) break;
    }
    return height;
  }

  /// Of the triangles between a point and the sides, that around the ray. False if it is next to none.
  [[nodiscard]] bool replaceBy(const Vec3& point) {
    const ShadowPoint at = onto_.of(point);
    for (int i = 0; i < 3; ++i) {
      const int next = nextCorner(i);
      if (turn(at_[next], at, kRay) < 0 || turn(at, at_[i], kRay) < 0) continue;
      corner_[previousCorner(i)] = point;
      at_[previousCorner(i)] = at;
      return isAround();
    }
    return false;
  }

  const MeshPair& pair_;
  Projection onto_;
  double least_;
  std::array<Vec3, 3> corner_;
  std::array<ShadowPoint, 3> at_;
};

}  // namespace

double planeExit(const MeshPair& pair, const Vec3& direction) {
  return dot(direction, farthestPoint(pair, direction));
}

std::optional<double> rayExit(const MeshPair& pair, const Vec3& direction, double blown_up) {
  return Portal(pair, direction).exit(blown_up);
}

}  // namespace odemesh
