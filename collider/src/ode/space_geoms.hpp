// The geoms of a space, whatever its kind.
#pragma once

#include <odemesh/odemesh.h>

#include <vector>

namespace odemesh::ode {

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
