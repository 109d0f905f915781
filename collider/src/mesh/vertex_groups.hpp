// Vertices that hang together, a few dozen at a time: what spreads over a surface goes from group to group.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace odemesh {

class Mesh;

/// Of every 32 vertices in a row, which lie near each other in space, those that edges among them join are a
/// group; so each vertex is in one, and a group has 14 to 18 on the average.
class VertexGroups {
 public:
  /// Of smaller meshes the vertices are looked at one by one.
  static constexpr std::size_t kFewVertices = 1000;

  /// Of a mesh whose edges are known. O(n) in the number of vertices.
  explicit VertexGroups(const Mesh& mesh);

  [[nodiscard]] std::size_t size() const { return groups_.size() - 1; }
  /// The group of vertex `v`.
  [[nodiscard]] std::uint32_t groupOf(std::uint32_t v) const {
    std::uint32_t group = first_group_[v / kRow];
    while ((groups_[group].members >> (v % kRow) & 1) == 0) ++group;
    return group;
  }
  /// Is vertex `v` in group `group`?
  [[nodiscard]] bool holds(std::uint32_t group, std::uint32_t v) const {
    const std::uint32_t place = v - groups_[group].first_vertex;
    return place < kRow && (groups_[group].members >> place & 1) != 0;
  }
  /// How many vertices are in group `group`.
  [[nodiscard]] std::size_t vertexCount(std::uint32_t group) const {
    return static_cast<std::size_t>(std::popcount(groups_[group].members));
  }
  /// Calls `on_vertex(v)` for the vertices of group `group`, in ascending order.
  template <typename OnVertex>
  void forEachVertex(std::uint32_t group, OnVertex&& on_vertex) const {
    forEachBit(group, groups_[group].members, on_vertex);
  }
  /// The same for those that an edge joins to another group.
  template <typename OnVertex>
  void forEachBorderVertex(std::uint32_t group, OnVertex&& on_vertex) const {
    forEachBit(group, groups_[group].border, on_vertex);
  }
  /// The groups that an edge joins to group `group`, each once.
  [[nodiscard]] std::span<const std::uint32_t> neighboursOf(std::uint32_t group) const {
    return {neighbour_.data() + groups_[group].first_neighbour,
            neighbour_.data() + groups_[group + 1].first_neighbour};
  }
  [[nodiscard]] std::size_t memoryBytes() const;

 private:
  static constexpr std::uint32_t kRow = 32;

  struct Group {
    std::uint32_t first_vertex;     ///< of its row
    std::uint32_t members;          ///< a bit for each vertex of the row
    std::uint32_t border;           ///< those that an edge joins to another group
    std::uint32_t first_neighbour;  ///< in `neighbour_`; they end where those of the next group begin
  };

  template <typename OnVertex>
  void forEachBit(std::uint32_t group, std::uint32_t bits, OnVertex&& on_vertex) const {
    for (; bits != 0; bits &= bits - 1)
      on_vertex(groups_[group].first_vertex + static_cast<std::uint32_t>(std::countr_zero(bits)));
  }
  void addRow(const Mesh& mesh, std::uint32_t begin, std::uint32_t end);
  void findNeighbours(const Mesh& mesh);

  std::vector<std::uint32_t> first_group_;  ///< of each row
  std::vector<Group> groups_;               ///< and one more, at which the last one's neighbours end
  std::vector<std::uint32_t> neighbour_;
};

}  // namespace odemesh
