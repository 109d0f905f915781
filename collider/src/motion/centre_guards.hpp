// What keeps the centres of two meshes on their sides of each other's surface.
#pragma once

#include <array>
#include <cstddef>
#include <odemesh/motion.hpp>
#include <span>

namespace odemesh {

/// The impact that keeps the centre of mesh `side` of a pair from passing the surface of the other one.
struct CentreGuard {
  Impact impact;
  Vec3 centre;  ///< in the world
  int side = 0;
};

struct CentreGuards {
  std::array<CentreGuard, 2> list;
  std::size_t count = 0;

  [[nodiscard]] std::span<const CentreGuard> all() const { return std::span(list).first(count); }
};

/// As findCentreGuards(): that of mesh 1 comes first.
[[nodiscard]] CentreGuards guardCentres(const Mesh& mesh1, const Motion& motion1, const Mesh& mesh2,
                                        const Motion& motion2);

}  // namespace odemesh
