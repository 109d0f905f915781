#include "mesh/orientation.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "mesh/triangle_normal.hpp"

namespace odemesh {

namespace {

using Index = std::uint32_t;

/// If this share of the area is wound in one sense, that is the one that was meant.
constexpr double kClearMajority = 2.0 / 3;

class OrientationFinder {
 public:
  explicit OrientationFinder(const Mesh& mesh)
      : mesh_(mesh), edges_(mesh.edges()), uses_(edges_.size(), 0), seen_(mesh.triangleCount(), false) {
    out_.turned.assign(mesh.triangleCount(), false);
    for (Index t = 0; t < mesh.triangleCount(); ++t)
      for (int i = 0; i < 3; ++i)
        uses_[mesh.edgeOf(t, i)] = std::min<std::uint8_t>(3, uses_[mesh.edgeOf(t, i)] + 1);
  }

  Orientation run() {
    for (Index t = 0; t < mesh_.triangleCount(); ++t)
      if (!seen_[t]) orientPiece(t);
    return std::move(out_);
  }

 private:
  void orientPiece(Index seed) {
    piece_.assign(1, seed);
    seen_[seed] = true;
    bool has_two_sides = true;
    for (std::size_t visited = 0; visited < piece_.size();)  // it grows meanwhile
      if (!visitNeighbours(piece_[visited++])) has_two_sides = false;
    if (!has_two_sides) {
      out_.is_one_sided = true;
      for (const Index t : piece_) out_.turned[t] = false;
    } else if (std::any_of(piece_.begin(), piece_.end(), [&](Index t) { return out_.turned[t]; })) {
      chooseOutside();
    }
  }

  /// Winds the neighbours of `t` as `t`. False if one is wound otherwise already.
  bool visitNeighbours(Index t) {
    bool agree = true;
    for (int i = 0; i < 3; ++i) {
      const Index e = mesh_.edgeOf(t, i);
      if (uses_[e] != 2) continue;
      const MeshEdge edge = edges_[e];
      const Index other = edge.triangle[edge.triangle[0] == t ? 1 : 0];
      const bool turned = out_.turned[t] != (runsUp(t, e) == runsUp(other, e));
      if (!seen_[other]) {
        seen_[other] = true;
        out_.turned[other] = turned;
        piece_.push_back(other);
      } else if (out_.turned[other] != turned) {
        agree = false;
      }
    }
    return agree;
  }

  [[nodiscard]] bool runsUp(Index t, Index e) const {
    for (int i = 0; i < 3; ++i)
      if (mesh_.edgeOf(t, i) == e) return mesh_.corners(t)[i] == edges_[e].v[0];
    return false;
  }

  /// The piece is wound in one sense now; turns it over if that is the wrong one.
  void chooseOutside() {
    Vec3 centre;
    for (const Index t : piece_) centre += mesh_.vertex(t, 0);
    centre *= 1.0 / double(piece_.size());
    double volume = 0, area = 0, turned_area = 0, radius = 0;
    for (const Index t : piece_) {
      const Vec3 a = mesh_.vertex(t, 0) - centre, b = mesh_.vertex(t, 1) - centre,
                 c = mesh_.vertex(t, 2) - centre;
      const double triangle_area = triangleArea(a, b, c);
      area += triangle_area;
      if (out_.turned[t]) turned_area += triangle_area;
      volume += dot(a, cross(b, c)) * (out_.turned[t] ? -1 : 1) / 6;
      for (const Vec3& p : {a, b, c}) radius = std::max(radius, length(p));
    }
    const double turned_share = turned_area / area;
    const bool is_clear = std::abs(turned_share - 0.5) > kClearMajority - 0.5;
    const bool is_wrong = is_clear || !wrapsVolume(volume, area, radius) ? turned_share > 0.5 : volume < 0;
    if (!is_wrong) return;
    for (const Index t : piece_) out_.turned[t] = !out_.turned[t];
  }

  const Mesh& mesh_;
  const Mesh::Edges edges_;
  std::vector<std::uint8_t> uses_;  ///< triangles at each edge: 1, 2, or 3 for all that is more
  std::vector<bool> seen_;
  std::vector<Index> piece_;
  Orientation out_;
};

}  // namespace

Orientation findOrientation(const Mesh& mesh) {
  return OrientationFinder(mesh).run();
}

}  // namespace odemesh
