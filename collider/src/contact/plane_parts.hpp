// The parts of a surface that reach below a plane: each foot of a chair, each wheel on an axle.
#pragma once

#include <cstdint>
#include <odemesh/mesh.hpp>
#include <span>
#include <vector>

#include "bvh/aabb.hpp"
#include "contact/region_index.hpp"
#include "contact/stamps.hpp"
#include "half_space.hpp"

namespace odemesh {

/// Of one mesh, on one plane. Vertices below it that an edge joins are of one part.
class PlaneParts {
 public:
  /// Tells the parts in which vertices at a depth of at least `least_depth` below `plane`, which is in the
  /// mesh's frame, hang together, and which of them the `vertices`, each of at least that depth, belong to.
  /// Returns how many there are. Linear in the number of vertices below the plane.
  std::uint32_t find(const Mesh& mesh, const HalfSpace& plane, double least_depth,
                     std::span<const std::uint32_t> vertices);
  /// Of the vertices of a part.
  [[nodiscard]] const Aabb& boxOf(std::uint32_t part) const { return boxes_[part]; }
  /// The places of its vertices in the list that was looked for.
  [[nodiscard]] std::span<const std::uint32_t> of(std::uint32_t part) const { return places_.of(part); }
  /// Does a vertex belong to it?
  [[nodiscard]] bool holds(std::uint32_t part, std::uint32_t vertex) const {
    return parts_.holds(vertex, part);
  }

 private:
  void spreadFrom(const Mesh& mesh, const HalfSpace& plane, double least_depth, std::uint32_t part);

  StampedMap parts_;  ///< of vertices
  std::vector<std::uint32_t> reached_;
  std::vector<Aabb> boxes_;
  std::vector<std::uint32_t> part_of_;  ///< by place
  RegionIndex places_;
};

}  // namespace odemesh
