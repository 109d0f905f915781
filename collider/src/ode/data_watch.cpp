// Definitions of ODE's own data calls: each drops the preprocessed mesh and passes on to ODE.
//
// ELF resolves a symbol to the first library in lookup order that defines it, so these stand in front of
// ODE's where this library comes first. They are weak, so that a program that links both statically keeps
// ODE's. Where they are not reached, dataCallsAreWatched() says so and the content of meshes is compared
// instead.
#include "ode/data_watch.hpp"

#include <dlfcn.h>
#include <odemesh/odemesh.h>

#include <cstdlib>

#include "ode/mesh_cache.hpp"

namespace {

std::atomic<unsigned> destructions_seen{0};

/// ODE's own definition of a function that this file stands in front of.
template <typename Function>
[[nodiscard]] Function* original(const char* name) {
  return reinterpret_cast<Function*>(dlsym(RTLD_NEXT, name));
}

}  // namespace

#define ODEMESH_WATCH __attribute__((visibility("default"), weak))

extern "C" {

ODEMESH_WATCH void dGeomTriMeshDataDestroy(dTriMeshDataID g) {
  static auto* const next = original<decltype(dGeomTriMeshDataDestroy)>("dGeomTriMeshDataDestroy");
  destructions_seen.fetch_add(1, std::memory_order_relaxed);
  odemesh::ode::meshCache().forget(g);
  next(g);
}

ODEMESH_WATCH void dGeomTriMeshDataUpdate(dTriMeshDataID g) {
  static auto* const next = original<decltype(dGeomTriMeshDataUpdate)>("dGeomTriMeshDataUpdate");
  odemesh::ode::meshCache().forget(g);
  next(g);
}

ODEMESH_WATCH void dGeomTriMeshDataBuildSingle(dTriMeshDataID g, const void* vertices, int vertex_stride,
                                               int vertex_count, const void* indices, int index_count,
                                               int triangle_stride) {
  static auto* const next = original<decltype(dGeomTriMeshDataBuildSingle)>("dGeomTriMeshDataBuildSingle");
  odemesh::ode::meshCache().forget(g);
  next(g, vertices, vertex_stride, vertex_count, indices, index_count, triangle_stride);
}

ODEMESH_WATCH void dGeomTriMeshDataBuildSingle1(dTriMeshDataID g, const void* vertices, int vertex_stride,
                                                int vertex_count, const void* indices, int index_count,
                                                int triangle_stride, const void* normals) {
  static auto* const next = original<decltype(dGeomTriMeshDataBuildSingle1)>("dGeomTriMeshDataBuildSingle1");
  odemesh::ode::meshCache().forget(g);
  next(g, vertices, vertex_stride, vertex_count, indices, index_count, triangle_stride, normals);
}

ODEMESH_WATCH void dGeomTriMeshDataBuildDouble(dTriMeshDataID g, const void* vertices, int vertex_stride,
                                               int vertex_count, const void* indices, int index_count,
                                               int triangle_stride) {
  static auto* const next = original<decltype(dGeomTriMeshDataBuildDouble)>("dGeomTriMeshDataBuildDouble");
  odemesh::ode::meshCache().forget(g);
  next(g, vertices, vertex_stride, vertex_count, indices, index_count, triangle_stride);
}

ODEMESH_WATCH void dGeomTriMeshDataBuildDouble1(dTriMeshDataID g, const void* vertices, int vertex_stride,
                                                int vertex_count, const void* indices, int index_count,
                                                int triangle_stride, const void* normals) {
  static auto* const next = original<decltype(dGeomTriMeshDataBuildDouble1)>("dGeomTriMeshDataBuildDouble1");
  odemesh::ode::meshCache().forget(g);
  next(g, vertices, vertex_stride, vertex_count, indices, index_count, triangle_stride, normals);
}

ODEMESH_WATCH void dGeomTriMeshDataBuildSimple(dTriMeshDataID g, const dReal* vertices, int vertex_count,
                                               const dTriIndex* indices, int index_count) {
  static auto* const next = original<decltype(dGeomTriMeshDataBuildSimple)>("dGeomTriMeshDataBuildSimple");
  odemesh::ode::meshCache().forget(g);
  next(g, vertices, vertex_count, indices, index_count);
}

ODEMESH_WATCH void dGeomTriMeshDataBuildSimple1(dTriMeshDataID g, const dReal* vertices, int vertex_count,
                                                const dTriIndex* indices, int index_count,
                                                const int* normals) {
  static auto* const next = original<decltype(dGeomTriMeshDataBuildSimple1)>("dGeomTriMeshDataBuildSimple1");
  odemesh::ode::meshCache().forget(g);
  next(g, vertices, vertex_count, indices, index_count, normals);
}

}  // extern "C"

#undef ODEMESH_WATCH

namespace odemesh::ode {

namespace {

dFreeFunction* chained_handler = nullptr;

void freeAndForget(void* block, size_t size) {
  meshCache().forget(block);
  if (chained_handler != nullptr)
    chained_handler(block, size);
  else
    std::free(block);
}

}  // namespace

bool dataCallsAreWatched() {
  // Look the symbol up as the dynamic linker does for everybody else, and see whether the call arrives here.
  auto* destroy =
      reinterpret_cast<decltype(&dGeomTriMeshDataDestroy)>(dlsym(RTLD_DEFAULT, "dGeomTriMeshDataDestroy"));
  if (destroy == nullptr) destroy = &dGeomTriMeshDataDestroy;
  const unsigned before = destructions_seen;
  destroy(dGeomTriMeshDataCreate());
  return destructions_seen != before;
}

void chainFreeHandler() {
  if (dGetFreeHandler() == freeAndForget) return;
  chained_handler = dGetFreeHandler();
  dSetFreeHandler(freeAndForget);
}

void unchainFreeHandler() {
  if (dGetFreeHandler() == freeAndForget) dSetFreeHandler(chained_handler);
}

}  // namespace odemesh::ode
