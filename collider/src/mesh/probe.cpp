#include "mesh/probe.hpp"

#include <algorithm>
#include <limits>
#include <odemesh/distance.hpp>
#include <odemesh/mesh.hpp>
#include <optional>
#include <vector>

#include "bvh/aabb.hpp"
#include "bvh/wide_tree.hpp"
#include "contact/placed_mesh.hpp"
#include "contact/region/point_in_solid.hpp"
#include "separation/mesh_cast.hpp"

namespace odemesh {

namespace {

/// Points are the farthest from each other of so many vertices.
constexpr std::size_t kVertices = 256;

/// Balls are looked for below so many triangles.
constexpr std::size_t kStarts = 64;

/// A ball is that much smaller than one that touches the surface: not to look for where that is, which takes
/// long in the middle of what is round.
constexpr double kClear = 0.9;

/// A ball may shrink so often before it is given up.
constexpr int kMostTries = 3;

/// Balls whose centres are closer than this share of the larger radius are like each other.
constexpr double kLike = 0.6;

/// Of what floats do to a ball.
constexpr double kSpare = 0.999;

struct Ball {
  Vec3 centre;
  double radius;
};

/// The piece of the surface with the most vertices.
[[nodiscard]] std::uint32_t largestPiece(const Mesh& mesh) {
  std::vector<std::size_t> count(mesh.componentVertices().size());
  if (count.size() < 2) return 0;
  for (std::size_t v = 0; v < mesh.vertexCount(); ++v) ++count[mesh.componentOf(v)];
  return static_cast<std::uint32_t>(std::max_element(count.begin(), count.end()) - count.begin());
}

/// Triangle `i` of `count` that lie evenly in the order of the tree, and so all over the surface.
[[nodiscard]] std::size_t spread(const Mesh& mesh, std::size_t i, std::size_t count) {
  return i * mesh.triangleCount() / count;
}

[[nodiscard]] bool isLikeOneOf(const std::vector<Ball>& balls, const Ball& ball) {
  return std::any_of(balls.begin(), balls.end(), [&](const Ball& other) {
    const double near = kLike * std::max(ball.radius, other.radius);
    return lengthSq(ball.centre - other.centre) < near * near;
  });
}

/// A ball below the middle of triangle `t`: as wide as the solid is there, or shrunk until nothing but that
/// triangle touches it.
[[nodiscard]] std::optional<Ball> ballBelow(const Mesh& mesh, std::size_t t, const std::vector<Ball>& balls) {
  const Vec3 normal = mesh.normal(t);
  const Vec3 start = (mesh.vertex(t, 0) + mesh.vertex(t, 1) + mesh.vertex(t, 2)) / 3.0;
  const Vec3 below = start - normal * (1e-6 * mesh.sphereRadius());
  const auto opposite = firstFaceOnRay(mesh, {}, below, -normal);
  if (!opposite) return std::nullopt;
  Ball ball{{}, 0.5 * opposite->t};
  for (int i = 0; i < kMostTries; ++i) {
    ball.centre = start - normal * ball.radius;
    if (isLikeOneOf(balls, ball)) return std::nullopt;
    const auto touched = closestPoint(mesh, {}, ball.centre, kClear * ball.radius);
    if (!touched) return Ball{ball.centre, kClear * ball.radius};
    // The ball that touches the plane of the triangle in the same place, and that point.
    const Vec3 away = start - touched->point;
    const double radius = lengthSq(away) / (2 * dot(away, normal));
    if (!(radius > 0 && radius < ball.radius)) return std::nullopt;
    ball.radius = radius;
  }
  return std::nullopt;
}

}  // namespace

Probe::Probe(const Mesh& mesh) {
  const WideTree& tree = mesh.wideTree();
  for (int axis = 0; axis < 3; ++axis) {
    const double middle = (mesh.sphereCentre()[axis] - tree.origin()[axis]) / tree.scale();
    const double half = mesh.boxHalfExtent()[axis] / tree.scale();
    low[axis] = floatBelow(middle - half);
    high[axis] = floatAbove(middle + half);
  }
  findPoints(mesh);
  if (mesh.isSolid()) findBalls(mesh);
}

/// Each point is the one farthest from those before it (Gonzalez 1985).
void Probe::findPoints(const Mesh& mesh) {
  const WideTree& tree = mesh.wideTree();
  const std::uint32_t piece = largestPiece(mesh);
  std::vector<Vec3> vertices;
  const std::size_t count = std::max(mesh.triangleCount() / kVertices, std::size_t{1});
  for (std::size_t t = 0; t < mesh.triangleCount(); t += count)
    if (mesh.componentOf(mesh.corners(t)[0]) == piece) vertices.push_back(mesh.vertex(t, 0));
  if (vertices.empty()) vertices.push_back(mesh.vertices()[mesh.componentVertices()[piece]]);
  std::vector<double> distance_sq(vertices.size());
  for (std::size_t i = 0; i < vertices.size(); ++i)
    distance_sq[i] = lengthSq(vertices[i] - mesh.sphereCentre());
  for (std::size_t k = 0; k < kPoints; ++k) {
    const auto farthest = std::max_element(distance_sq.begin(), distance_sq.end());
    const Vec3 at = vertices[static_cast<std::size_t>(farthest - distance_sq.begin())];
    for (int axis = 0; axis < 3; ++axis)
      point[axis][k] = static_cast<float>((at[axis] - tree.origin()[axis]) / tree.scale());
    for (std::size_t i = 0; i < vertices.size(); ++i) {
      const double here = lengthSq(vertices[i] - at);
      distance_sq[i] = k == 0 ? here : std::min(distance_sq[i], here);
    }
  }
}

void Probe::findBalls(const Mesh& mesh) {
  const WideTree& tree = mesh.wideTree();
  const PointInSolid solid(PlacedMesh(mesh, {}));
  std::vector<Ball> balls;
  for (std::size_t i = 0; i < kStarts; ++i)
    if (const auto ball = ballBelow(mesh, spread(mesh, i, kStarts), balls))
      if (solid.contains(ball->centre)) balls.push_back(*ball);
  std::stable_sort(balls.begin(), balls.end(),
                   [](const Ball& a, const Ball& b) { return a.radius > b.radius; });
  std::fill_n(balls_low, 3, std::numeric_limits<float>::infinity());
  std::fill_n(balls_high, 3, -std::numeric_limits<float>::infinity());
  for (std::size_t i = 0; i < std::min(balls.size(), kBalls); ++i) {
    radius[i] = static_cast<float>(kSpare * balls[i].radius / tree.scale());
    for (int axis = 0; axis < 3; ++axis) {
      const auto at = static_cast<float>((balls[i].centre[axis] - tree.origin()[axis]) / tree.scale());
      centre[axis][i] = at;
      balls_low[axis] = std::min(balls_low[axis], at - radius[i]);
      balls_high[axis] = std::max(balls_high[axis], at + radius[i]);
    }
  }
}

}  // namespace odemesh
