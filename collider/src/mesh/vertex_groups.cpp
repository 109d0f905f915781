#include "mesh/vertex_groups.hpp"

#include <algorithm>
#include <array>
#include <odemesh/mesh.hpp>

namespace odemesh {

VertexGroups::VertexGroups(const Mesh& mesh) {
  const auto count = static_cast<std::uint32_t>(mesh.vertexCount());
  first_group_.reserve((count + kRow - 1) / kRow);
  for (std::uint32_t begin = 0; begin < count; begin += kRow) {
    first_group_.push_back(static_cast<std::uint32_t>(groups_.size()));
    addRow(mesh, begin, std::min(begin + kRow, count));
  }
  groups_.push_back({count, 0, 0, 0});
  groups_.shrink_to_fit();
  findNeighbours(mesh);
  neighbour_.shrink_to_fit();
}

/// Parts the vertices of a row into groups.
void VertexGroups::addRow(const Mesh& mesh, std::uint32_t begin, std::uint32_t end) {
  std::array<std::uint32_t, kRow> joined{};  // to each vertex, a bit for each
  for (std::uint32_t v = begin; v < end; ++v)
    for (const std::uint32_t low : mesh.neighboursAt(v).lower) {
      if (low < begin) continue;
      joined[v - begin] |= 1U << (low - begin);
      joined[low - begin] |= 1U << (v - begin);
    }
  std::uint32_t left = end - begin == kRow ? ~0U : (1U << (end - begin)) - 1;
  while (left != 0) {
    std::uint32_t members = 0;
    for (std::uint32_t rim = left & -left; rim != 0;) {
      members |= rim;
      std::uint32_t reached = 0;
      for (; rim != 0; rim &= rim - 1) reached |= joined[static_cast<std::size_t>(std::countr_zero(rim))];
      rim = reached & ~members;
    }
    groups_.push_back({begin, members, 0, 0});
    left &= ~members;
  }
  std::stable_sort(groups_.begin() + first_group_.back(), groups_.end(), [](const Group& a, const Group& b) {
    return std::popcount(a.members) > std::popcount(b.members);
  });
}

void VertexGroups::findNeighbours(const Mesh& mesh) {
  std::vector<std::uint32_t> seen_from(size(), Mesh::kNone);
  for (std::uint32_t group = 0; group < size(); ++group) {
    groups_[group].first_neighbour = static_cast<std::uint32_t>(neighbour_.size());
    forEachVertex(group, [&](std::uint32_t from) {
      mesh.forEachNeighbour(from, [&](std::uint32_t v) {
        if (holds(group, v)) return;
        groups_[group].border |= 1U << (from % kRow);
        const std::uint32_t other = groupOf(v);
        if (seen_from[other] != group) neighbour_.push_back(other);
        seen_from[other] = group;
      });
    });
  }
  groups_.back().first_neighbour = static_cast<std::uint32_t>(neighbour_.size());
}

std::size_t VertexGroups::memoryBytes() const {
  return sizeof(VertexGroups) + first_group_.capacity() * sizeof(std::uint32_t) +
         groups_.capacity() * sizeof(Group) + neighbour_.capacity() * sizeof(std::uint32_t);
}

}  // namespace odemesh
