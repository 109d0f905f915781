// The vertices of one mesh that lie inside the other: by themselves near the contour, and by groups
// elsewhere.
#pragma once

#include <cstddef>
#include <cstdint>
#include <odemesh/mesh.hpp>
#include <vector>

#include "contact/region_index.hpp"
#include "contact/stamps.hpp"
#include "mesh/disjoint_sets.hpp"
#include "mesh/vertex_groups.hpp"

namespace odemesh {

/// What lies inside, vertices or groups, each once and with a node: an element of `DisjointSets`, which tell
/// in the end to which region it belongs. Where an element is added again with another node, both are joined.
class InsideList {
 public:
  struct Element {
    std::uint32_t index;
    std::uint32_t region;  ///< its node, until `number` is called
  };

  /// Empties the list, for elements below `bound`.
  void reset(std::size_t bound) {
    elements_.clear();
    nodes_.reset(bound);
  }
  void add(std::uint32_t index, std::uint32_t node, DisjointSets& sets) {
    bool is_new = false;
    const std::uint32_t known = nodes_.findOrInsert(index, node, is_new);
    if (is_new)
      elements_.push_back({index, node});
    else if (known != node)
      sets.join(known, node);
  }
  /// Puts regions, `number[node]`, in the place of nodes, and lists the elements of each of them.
  void number(const std::vector<std::uint32_t>& number, std::uint32_t regions) {
    for (Element& e : elements_) e.region = number[e.region];
    of_.build(elements_.size(), regions, [&](std::size_t i) { return elements_[i].region; });
  }

  [[nodiscard]] bool contains(std::uint32_t index) const { return nodes_.contains(index); }
  /// Was it added with this node?
  [[nodiscard]] bool holds(std::uint32_t index, std::uint32_t node) const {
    return nodes_.holds(index, node);
  }
  [[nodiscard]] std::size_t size() const { return elements_.size(); }
  [[nodiscard]] const Element& operator[](std::size_t i) const { return elements_[i]; }
  /// Places in this list.
  [[nodiscard]] std::span<const std::uint32_t> of(std::uint32_t region) const { return of_.of(region); }

 private:
  std::vector<Element> elements_;
  StampedMap nodes_;
  RegionIndex of_;
};

struct InsideSet {
  InsideList vertices;  ///< those that are in none of the groups
  InsideList groups;    ///< of large meshes

  void reset(const Mesh& mesh) {
    vertices.reset(mesh.vertexCount());
    groups.reset(mesh.vertexGroups() != nullptr ? mesh.vertexGroups()->size() : 0);
  }

  /// Is vertex `v` of `mesh`, the one of the last reset, inside?
  [[nodiscard]] bool contains(const Mesh& mesh, std::uint32_t v) const {
    return vertices.contains(v) ||
           (mesh.vertexGroups() != nullptr && groups.contains(mesh.vertexGroups()->groupOf(v)));
  }
  /// How many vertices of `mesh` lie inside in region `region`.
  [[nodiscard]] std::size_t countOf(const Mesh& mesh, std::uint32_t region) const {
    std::size_t count = vertices.of(region).size();
    for (const std::uint32_t i : groups.of(region))
      count += mesh.vertexGroups()->vertexCount(groups[i].index);
    return count;
  }
  /// Calls `on_vertex(v)` for each of them.
  template <typename OnVertex>
  void forEachOf(const Mesh& mesh, std::uint32_t region, OnVertex&& on_vertex) const {
    for (const std::uint32_t i : vertices.of(region)) on_vertex(vertices[i].index);
    for (const std::uint32_t i : groups.of(region))
      mesh.vertexGroups()->forEachVertex(groups[i].index, on_vertex);
  }
};

}  // namespace odemesh
