// The geoms of a space, whatever its kind.
#pragma once

#include <odemesh/odemesh.h>

#include <cmath>
#include <vector>

namespace odemesh::ode {

/// Can a pass over `space` be made with these? ODE ends the process where a geom is given for a space.
[[nodiscard]] inline bool canPassOver(dSpaceID space, dReal dt, dNearCallback* callback) {
  return space != nullptr && dGeomIsSpace(reinterpret_cast<dGeomID>(space)) != 0 && callback != nullptr &&
         dt > 0 && std::isfinite(dt);
}

/// The enabled geoms of a quadtree space that collide with anything. ODE does not tell them one by one:
/// dSpaceGetGeom ends the process there.
[[nodiscard]] std::vector<dGeomID> geomsOfQuadTree(dSpaceID space);

/// Calls `take` for each enabled geom of `space`, not for those within its subspaces.
template <typename Take>
void forEachGeom(dSpaceID space, const Take& take) {
  if (dSpaceGetClass(space) == dQuadTreeSpaceClass) {
    for (const dGeomID geom : geomsOfQuadTree(space)) take(geom);
    return;
  }
  const int count = dSpaceGetNumGeoms(space);
  for (int i = 0; i < count; ++i)
    if (const dGeomID geom = dSpaceGetGeom(space, i); dGeomIsEnabled(geom) != 0) take(geom);
}

}  // namespace odemesh::ode
