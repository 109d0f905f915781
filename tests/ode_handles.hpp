// Owners of ODE's objects, for tests: each object is destroyed by the function that ODE has for it.
#pragma once

#include <ode/ode.h>

#include <memory>

namespace odemesh::test {

template <auto kDestroy>
struct Destroy {
  template <typename T>
  void operator()(T* object) const noexcept {
    kDestroy(object);
  }
};
using Geom = std::unique_ptr<dxGeom, Destroy<&dGeomDestroy>>;
using MeshData = std::unique_ptr<dxTriMeshData, Destroy<&dGeomTriMeshDataDestroy>>;

}  // namespace odemesh::test
