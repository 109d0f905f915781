#include "mesh/one_sided.hpp"

#include <algorithm>
#include <cstdint>
#include <numeric>

#include "mesh/disjoint_sets.hpp"

namespace odemesh {

namespace {

using Index = std::uint32_t;

class SeamCutter {
 public:
  explicit SeamCutter(const Mesh& mesh)
      : mesh_(mesh),
        edges_(mesh.edges()),
        turned_(mesh.triangleCount(), false),
        seen_(mesh.triangleCount(), false),
        corner_sets_(3 * mesh.triangleCount()) {}

  PartedShells run() {
    for (Index t = 0; t < mesh_.triangleCount(); ++t)
      if (!seen_[t]) windFrom(t);
    for (std::size_t e = 0; e < edges_.size(); ++e)
      if (!isSeam(e)) joinAlong(e);
    return takeApart();
  }

 private:
  /// As the first triangle of a piece is wound, as far as that goes.
  void windFrom(Index seed) {
    std::vector<Index> piece{seed};
    seen_[seed] = true;
    for (std::size_t visited = 0; visited < piece.size();) {  // it grows meanwhile
      const Index t = piece[visited++];
      for (int i = 0; i < 3; ++i) {
        const std::size_t e = mesh_.edgeOf(t, i);
        const Index other = edges_[e].triangle[edges_[e].triangle[0] == t ? 1 : 0];
        if (seen_[other]) continue;
        seen_[other] = true;
        turned_[other] = turned_[t] != isFlipped(e);
        piece.push_back(other);
      }
    }
  }

  /// Do the two triangles of an edge run along it in the same sense?
  [[nodiscard]] bool isFlipped(std::size_t e) const { return runsUp(e, 0) == runsUp(e, 1); }
  [[nodiscard]] bool runsUp(std::size_t e, int side) const {
    const MeshEdge edge = edges_[e];
    return mesh_.corners(edge.triangle[side])[(cornerAt(edge.triangle[side], edge.v[0]) + 1) % 3] ==
           edge.v[1];
  }
  [[nodiscard]] Index cornerAt(Index t, Index v) const {
    return static_cast<Index>(std::find(mesh_.corners(t), mesh_.corners(t) + 3, v) - mesh_.corners(t));
  }

  /// Does the winding change across it all the same?
  [[nodiscard]] bool isSeam(std::size_t e) const {
    const MeshEdge edge = edges_[e];
    return isFlipped(e) != (turned_[edge.triangle[0]] != turned_[edge.triangle[1]]);
  }

  void joinAlong(std::size_t e) {
    const MeshEdge edge = edges_[e];
    for (const Index v : edge.v)
      corner_sets_.join(3 * edge.triangle[0] + cornerAt(edge.triangle[0], v),
                        3 * edge.triangle[1] + cornerAt(edge.triangle[1], v));
  }

  /// Corners that are not joined around a vertex get one of their own.
  [[nodiscard]] PartedShells takeApart() {
    PartedShells out{{mesh_.vertices().begin(), mesh_.vertices().end()}, {}, {}};
    std::vector<Index> root_at(mesh_.vertexCount(), Mesh::kNone), vertex_of(corner_sets_.size());
    for (Index corner = 0; corner < corner_sets_.size(); ++corner) {
      const Index root = corner_sets_.root(corner), v = mesh_.corners(corner / 3)[corner % 3];
      if (root == corner) vertex_of[root] = root_at[v] == Mesh::kNone ? v : addCopy(v, out);
      if (root_at[v] == Mesh::kNone) root_at[v] = root;
      out.corners.push_back(vertex_of[root]);
    }
    for (std::size_t t = 0; t < turned_.size(); ++t)
      if (turned_[t]) std::swap(out.corners[3 * t + 1], out.corners[3 * t + 2]);
    out.from.resize(turned_.size());
    std::iota(out.from.begin(), out.from.end(), 0U);
    return out;
  }

  static Index addCopy(Index v, PartedShells& out) {
    const Vec3 place = out.vertices[v];
    out.vertices.push_back(place);
    return static_cast<Index>(out.vertices.size() - 1);
  }

  const Mesh& mesh_;
  const Mesh::Edges edges_;
  std::vector<bool> turned_, seen_;  ///< by triangle
  DisjointSets corner_sets_;         ///< 3 * triangle + corner: those around a vertex that no seam parts
};

}  // namespace

PartedShells cutOneSided(const Mesh& mesh) {
  return SeamCutter(mesh).run();
}

}  // namespace odemesh
