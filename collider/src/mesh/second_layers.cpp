#include "mesh/second_layers.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <tuple>

#include "mesh/disjoint_sets.hpp"
#include "mesh/edge_fan.hpp"
#include "mesh/flat_partition.hpp"
#include "mesh/triangle_normal.hpp"

namespace odemesh {

namespace {

using Index = std::uint32_t;

/// Where two layers end, the surface folds back: the normals on both sides have a lesser cosine.
constexpr double kFold = -0.99;

/// In ascending order: the same for both windings.
[[nodiscard]] std::array<Index, 3> sortedCorners(const Mesh& mesh, std::size_t t) {
  std::array<Index, 3> c{mesh.corners(t)[0], mesh.corners(t)[1], mesh.corners(t)[2]};
  std::ranges::sort(c);
  return c;
}

[[nodiscard]] bool hasFold(const Mesh& mesh, std::span<const Vec3> normals) {
  for (const MeshEdge& edge : mesh.edges())
    if (edge.triangle[1] != Mesh::kNone && dot(normals[edge.triangle[0]], normals[edge.triangle[1]]) < kFold)
      return true;
  return false;
}

class LayerFinder {
 public:
  LayerFinder(const Mesh& mesh, std::span<const Vec3> normals)
      : mesh_(mesh),
        normals_(normals),
        sides_(mesh),
        twin_(mesh.triangleCount(), Mesh::kNone),
        sets_(mesh.triangleCount()),
        pieces_(mesh.triangleCount()),
        is_known_(mesh.triangleCount(), false),
        is_second_(mesh.triangleCount(), false) {}

  std::vector<bool> run() {
    findTwins();
    joinPieces();
    lookAtTriangles();
    lookAtEdges();
    bool has_any = false;
    for (Index t = 0; t < mesh_.triangleCount(); ++t) {
      const Piece& piece = pieces_[sets_.root(t)];
      if (piece.isPairs()) {
        if (!is_known_[t]) keepLayer(mesh_.inputTriangle(t) < mesh_.inputTriangle(twin_[t]) ? t : twin_[t]);
      } else if (piece.isFlat()) {
        is_second_[t] = dot(normals_[t], normals_[piece.greatest]) < 0;
      } else {
        continue;
      }
      has_any = true;
    }
    return has_any ? std::move(is_second_) : std::vector<bool>{};
  }

 private:
  /// What is connected by edges.
  struct Piece {
    bool has_single = false, has_rim = false;  ///< triangles without a twin, edges of one pair
    bool has_depth = false, is_open = false;   ///< beside one plane; edges that not as many run up as down
    Index greatest = 0;                        ///< of its triangles, by area
    double greatest_area = 0;

    [[nodiscard]] bool isPairs() const { return has_rim && !has_single; }
    /// A closed surface in one plane covers each place of that from both sides alike.
    [[nodiscard]] bool isFlat() const { return !has_depth && !is_open; }
  };

  void findTwins() {
    std::vector<std::tuple<std::array<Index, 3>, Index>> entries;
    entries.reserve(mesh_.triangleCount());
    for (Index t = 0; t < mesh_.triangleCount(); ++t) entries.emplace_back(sortedCorners(mesh_, t), t);
    std::ranges::sort(entries);
    for (std::size_t i = 1; i < entries.size(); ++i) {
      const auto& [a, t] = entries[i - 1];
      const auto& [b, u] = entries[i];
      if (a != b) continue;
      twin_[t] = u;
      twin_[u] = t;
    }
  }

  void joinPieces() {
    for (std::size_t e = 0; e < sides_.edgeCount(); ++e)
      for (const Index s : sides_.at(e)) sets_.join(s / 3, sides_.at(e)[0] / 3);
  }

  void lookAtTriangles() {
    for (Index t = 0; t < mesh_.triangleCount(); ++t) {
      Piece& piece = pieces_[sets_.root(t)];
      const double area = triangleArea(mesh_.vertex(t, 0), mesh_.vertex(t, 1), mesh_.vertex(t, 2));
      if (twin_[t] == Mesh::kNone) piece.has_single = true;
      if (area <= piece.greatest_area) continue;
      piece.greatest = t;
      piece.greatest_area = area;
    }
    const double flatness = flatnessOf(mesh_);
    for (Index t = 0; t < mesh_.triangleCount(); ++t) {
      Piece& piece = pieces_[sets_.root(t)];
      for (int i = 0; i < 3; ++i) {
        const Vec3 off = mesh_.vertex(t, i) - mesh_.vertex(piece.greatest, 0);
        if (std::abs(dot(normals_[piece.greatest], off)) > flatness) piece.has_depth = true;
      }
    }
  }

  void lookAtEdges() {
    for (std::size_t e = 0; e < sides_.edgeCount(); ++e) {
      const std::span<const Index> sides = sides_.at(e);
      Piece& piece = pieces_[sets_.root(sides[0] / 3)];
      const auto up = std::ranges::count_if(sides, [&](Index s) { return sides_.runsUp(sides_.edge(e), s); });
      if (2 * up != std::ssize(sides)) piece.is_open = true;
      if (sides.size() == 2) piece.has_rim = true;
    }
  }

  /// That of triangle `first`, as far as it goes on over edges at which two pairs meet.
  void keepLayer(Index first) {
    layer_.clear();
    keep(first);
    for (std::size_t visited = 0; visited < layer_.size();) {  // it grows meanwhile
      const Index t = layer_[visited++];
      for (Index side = 3 * t; side < 3 * t + 3; ++side) keepBeyond(side);
    }
  }

  void keep(Index t) {
    is_known_[t] = is_known_[twin_[t]] = true;
    is_second_[twin_[t]] = true;
    layer_.push_back(t);
  }

  /// What is wound as the triangle of `side`.
  void keepBeyond(Index side) {
    const std::size_t e = mesh_.edgeOf(side / 3, static_cast<int>(side % 3));
    if (sides_.at(e).size() != 4) return;
    const MeshEdge edge = sides_.edge(e);
    for (const Index s : sides_.at(e))
      if (!is_known_[s / 3] && sides_.runsUp(edge, s) != sides_.runsUp(edge, side)) keep(s / 3);
  }

  const Mesh& mesh_;
  const std::span<const Vec3> normals_;
  const SidesAtEdges sides_;
  std::vector<Index> twin_;     ///< by triangle: the one with the same corners
  DisjointSets sets_;           ///< of triangles
  std::vector<Piece> pieces_;   ///< by root
  std::vector<bool> is_known_;  ///< by triangle: it or its twin has been chosen
  std::vector<bool> is_second_;
  std::vector<Index> layer_;  ///< triangles that were kept, for their neighbours
};

}  // namespace

std::vector<bool> findSecondLayers(const Mesh& mesh, std::span<const Vec3> normals) {
  return hasFold(mesh, normals) ? LayerFinder(mesh, normals).run() : std::vector<bool>{};
}

}  // namespace odemesh
