// Spreads what lies inside over a surface, from the ends of the edges that cross the other one.
#pragma once

#include "contact/placed_mesh.hpp"
#include "contact/scratch.hpp"

namespace odemesh {

/// Of one mesh, that of `side`. Behind a sheet, where there is no volume to fill, only a closed contour cuts
/// this surface in two. Once many vertices are inside, those that are far from all of them and from the
/// contour follow by groups.
class Flood {
 public:
  Flood(const PlacedMesh& placed, int side, bool fills, ContactScratch& scratch);

  /// An end of an edge that is crossed at `crossing`.
  void addEnd(std::uint32_t vertex, std::uint32_t crossing) {
    inside_.vertices.add(vertex, nodeOf(crossing), sets_);
  }
  void add(std::uint32_t vertex, std::uint32_t node);
  /// Before the first `run`, of a solid in an open shell: nothing is in that as a whole that reaches up to a
  /// contour which does not cut this surface in two. It would spread past the border of the shell, over all
  /// that is beyond. O(n) in the number of vertices that are in the shell.
  void stopAtBorder();
  /// Spreads, over the edges that are not crossed, what was added since the last time. O(n) in the number of
  /// vertices near the contour, and of groups elsewhere.
  void run();

 private:
  /// Where there is volume to fill, equal nodes need not be joined.
  [[nodiscard]] std::uint32_t nodeOf(std::uint32_t origin) { return fills_ ? sets_.root(origin) : origin; }
  [[nodiscard]] bool divides(std::uint32_t crossing) const;
  [[nodiscard]] bool reachesLeak(std::uint32_t from);
  void beginGroups();
  template <typename OnVertex>
  void forEachUncrossed(std::uint32_t from, OnVertex&& on_vertex) const;
  void spreadFrom(std::uint32_t from, std::uint32_t node);
  void spreadFromGroup(std::uint32_t from, std::uint32_t node);
  void spreadToSplit(std::uint32_t group, std::uint32_t of_group, std::uint32_t node);

  const Mesh& mesh_;
  const int side_;
  const bool fills_;
  ContactScratch& scratch_;
  InsideSet& inside_;
  DisjointSets& sets_;
  const Stamps& on_rim_;
  const Stamps& edge_crossed_;
  Stamps& leaks_;   ///< vertices that are connected with what is past a border
  Stamps& walked_;  ///< those of which it is known whether they are
  bool has_leaks_ = false;
  Stamps& split_;                                 ///< the groups whose vertices are looked at one by one
  const VertexGroups* groups_ = nullptr;          ///< once they are used
  std::size_t most_vertices_;                     ///< until then
  std::size_t next_vertex_ = 0, next_group_ = 0;  ///< from which nothing has spread
};

}  // namespace odemesh
