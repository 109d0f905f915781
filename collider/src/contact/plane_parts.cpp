#include "contact/plane_parts.hpp"

namespace odemesh {

std::uint32_t PlaneParts::find(const Mesh& mesh, const HalfSpace& plane, double least_depth,
                               std::span<const std::uint32_t> vertices) {
  parts_.reset(mesh.vertexCount());
  part_of_.clear();
  boxes_.clear();
  std::uint32_t count = 0;
  for (const std::uint32_t v : vertices) {
    bool is_new = false;
    part_of_.push_back(parts_.findOrInsert(v, count, is_new));
    if (!is_new) continue;
    reached_.assign(1, v);
    spreadFrom(mesh, plane, least_depth, count++);
  }
  places_.build(vertices.size(), count, [&](std::size_t i) { return part_of_[i]; });
  return count;
}

void PlaneParts::spreadFrom(const Mesh& mesh, const HalfSpace& plane, double least_depth,
                            std::uint32_t part) {
  Aabb& box = boxes_.emplace_back();
  for (std::size_t next = 0; next < reached_.size(); ++next) {
    box.grow(mesh.vertices()[reached_[next]]);
    mesh.forEachNeighbour(reached_[next], [&](std::uint32_t v) {
      if (parts_.contains(v) || plane.depthOf(mesh.vertices()[v]) < least_depth) return;
      bool is_new = false;
      parts_.findOrInsert(v, part, is_new);
      reached_.push_back(v);
    });
  }
}

}  // namespace odemesh
