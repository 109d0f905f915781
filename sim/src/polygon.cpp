#include <cstddef>
#include <odemesh/sim/polygon.hpp>
#include <vector>

namespace odemesh::sim {
namespace {

constexpr std::size_t kMaxCornersForEars = 1000;

using Corners = std::vector<std::uint32_t>;

void appendFan(TriangleMesh& mesh, std::span<const std::uint32_t> polygon) {
  for (std::size_t i = 1; i + 1 < polygon.size(); ++i)
    mesh.triangles.push_back({polygon[0], polygon[i], polygon[i + 1]});
}

/// Twice the area vector. Relative to the first corner, so that it is accurate far from the origin.
Vec3 newellNormal(const std::vector<Vec3>& vertices, std::span<const std::uint32_t> polygon) {
  const Vec3& origin = vertices[polygon[0]];
  Vec3 sum;
  for (std::size_t i = 1; i + 1 < polygon.size(); ++i)
    sum += cross(vertices[polygon[i]] - origin, vertices[polygon[i + 1]] - origin);
  return sum;
}

/// A polygon seen along its normal.
class PlaneView {
 public:
  PlaneView(const std::vector<Vec3>& vertices, const Vec3& normal) : vertices_(vertices), normal_(normal) {}

  /// Twice the area of the triangle, positive if it turns to the left.
  [[nodiscard]] double turn(std::uint32_t a, std::uint32_t b, std::uint32_t c) const {
    return dot(normal_, cross(vertices_[b] - vertices_[a], vertices_[c] - vertices_[a]));
  }

  [[nodiscard]] bool isConvex(std::span<const std::uint32_t> polygon) const {
    const std::size_t n = polygon.size();
    for (std::size_t i = 0; i < n; ++i)
      if (turn(polygon[i], polygon[(i + 1) % n], polygon[(i + 2) % n]) < 0) return false;
    return true;
  }

  /// Does the corner turn left, with no other corner of the polygon in the triangle that cutting it off
  /// removes?
  [[nodiscard]] bool isEar(const Corners& rest, std::size_t corner) const {
    const std::size_t n = rest.size();
    const std::uint32_t a = rest[(corner + n - 1) % n], b = rest[corner], c = rest[(corner + 1) % n];
    if (turn(a, b, c) <= 0) return false;
    for (const std::uint32_t p : rest) {
      // Corners at the same place (a hole joined to the outline by a bridge) don't block each other.
      if (isAt(p, a) || isAt(p, b) || isAt(p, c)) continue;
      if (turn(a, b, p) >= 0 && turn(b, c, p) >= 0 && turn(c, a, p) >= 0) return false;
    }
    return true;
  }

 private:
  [[nodiscard]] bool isAt(std::uint32_t p, std::uint32_t q) const { return vertices_[p] == vertices_[q]; }

  const std::vector<Vec3>& vertices_;
  Vec3 normal_;
};

void cutEars(TriangleMesh& mesh, const PlaneView& view, Corners rest) {
  while (rest.size() > 3) {
    std::size_t ear = 0;
    while (ear < rest.size() && !view.isEar(rest, ear)) ++ear;
    if (ear == rest.size()) break;
    const std::size_t n = rest.size();
    mesh.triangles.push_back({rest[(ear + n - 1) % n], rest[ear], rest[(ear + 1) % n]});
    rest.erase(rest.begin() + static_cast<std::ptrdiff_t>(ear));
  }
  appendFan(mesh, rest);
}

}  // namespace

void appendPolygon(TriangleMesh& mesh, std::span<const std::uint32_t> polygon) {
  if (polygon.size() <= 3 || polygon.size() > kMaxCornersForEars) return appendFan(mesh, polygon);
  const PlaneView view(mesh.vertices, newellNormal(mesh.vertices, polygon));
  if (view.isConvex(polygon)) return appendFan(mesh, polygon);
  cutEars(mesh, view, Corners(polygon.begin(), polygon.end()));
}

}  // namespace odemesh::sim
