#include "contact/way_out/farthest_vertex.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace odemesh {

namespace {

/// Of no more vertices, all are looked at.
constexpr std::size_t kFew = 32;

/// Vertices whose heights differ by no more than this, in units of the radius, may all be those of one face,
/// which is the highest or the lowest.
constexpr double kOneFace = 1e-4;

/// The highest vertex of those seen so far, and how far below the lowest is.
class Highest {
 public:
  /// Looks at each `stride`-th vertex. They are numbered along a Z-order curve, so that these are spread over
  /// the surface.
  Highest(const Mesh& mesh, const Vec3& direction, std::size_t stride)
      : mesh_(mesh), direction_(direction), height_(heightOf(0)), lowest_(height_) {
    for (std::size_t v = stride; v < mesh.vertexCount(); v += stride) see(std::uint32_t(v));
  }

  [[nodiscard]] std::uint32_t vertex() const { return vertex_; }
  [[nodiscard]] double spread() const { return height_ - lowest_; }

  void walkUp() {
    for (std::uint32_t from = Mesh::kNone; from != vertex_;) {
      from = vertex_;
      mesh_.forEachNeighbour(from, [&](std::uint32_t v) { see(v); });
    }
  }

 private:
  [[nodiscard]] double heightOf(std::uint32_t v) const { return dot(direction_, mesh_.vertices()[v]); }

  void see(std::uint32_t v) {
    const double height = heightOf(v);
    lowest_ = std::min(lowest_, height);
    if (!(height > height_)) return;
    height_ = height;
    vertex_ = v;
  }

  const Mesh& mesh_;
  Vec3 direction_;
  std::uint32_t vertex_ = 0;
  double height_, lowest_;
};

}  // namespace

std::uint32_t farthestVertex(const Mesh& mesh, const Vec3& direction) {
  const std::size_t count = mesh.vertexCount();
  if (count <= kFew || !mesh.isConvex()) return Highest(mesh, direction, 1).vertex();
  // About as many as the walk from the best of them takes.
  Highest highest(mesh, direction, static_cast<std::size_t>(std::sqrt(double(count))));
  if (highest.spread() <= kOneFace * mesh.sphereRadius() * length(direction))
    return Highest(mesh, direction, 1).vertex();
  highest.walkUp();
  return highest.vertex();
}

}  // namespace odemesh
