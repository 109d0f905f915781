#include "ode/data_watch.hpp"

#include <odemesh/odemesh.h>

#include <atomic>
#include <cstdlib>

#include "ode/errors.hpp"
#include "ode/mesh_cache.hpp"
#include "ode/ode_symbol.hpp"

#if defined(__ELF__)

namespace odemesh::ode {

namespace {

// Constant-initialised: a program's static constructors may call ODE before those of this file have run.
constinit OdeFunction<decltype(dGeomTriMeshDataCreate)> ode_create("dGeomTriMeshDataCreate");
constinit OdeFunction<decltype(dGeomTriMeshDataDestroy)> ode_destroy("dGeomTriMeshDataDestroy");
constinit OdeFunction<decltype(dGeomTriMeshDataUpdate)> ode_update("dGeomTriMeshDataUpdate");
constinit OdeFunction<decltype(dGeomTriMeshDataBuildSingle)> ode_single("dGeomTriMeshDataBuildSingle");
constinit OdeFunction<decltype(dGeomTriMeshDataBuildSingle1)> ode_single1("dGeomTriMeshDataBuildSingle1");
constinit OdeFunction<decltype(dGeomTriMeshDataBuildDouble)> ode_double("dGeomTriMeshDataBuildDouble");
constinit OdeFunction<decltype(dGeomTriMeshDataBuildDouble1)> ode_double1("dGeomTriMeshDataBuildDouble1");
constinit OdeFunction<decltype(dGeomTriMeshDataBuildSimple)> ode_simple("dGeomTriMeshDataBuildSimple");
constinit OdeFunction<decltype(dGeomTriMeshDataBuildSimple1)> ode_simple1("dGeomTriMeshDataBuildSimple1");

/// Drops the preprocessed mesh of `data`, then does what the program asked for.
template <typename... Arguments>
void forgetAndPass(OdeFunction<void(dTriMeshDataID, Arguments...)>& function, dTriMeshDataID data,
                   Arguments... arguments) {
  meshCache().forget(data);
  if (auto* const pass = function.get())
    pass(data, arguments...);
  else
    warn("a dGeomTriMeshData call was left out: there is no libode in this process; link it");
}

}  // namespace

}  // namespace odemesh::ode

using namespace odemesh::ode;

// Weak, so that a program that links both libraries statically keeps ODE's definitions.
#define ODEMESH_WATCH __attribute__((visibility("default"), weak))

extern "C" {

ODEMESH_WATCH dTriMeshDataID dGeomTriMeshDataCreate(void) {
  auto* const create = ode_create.get();
  const dTriMeshDataID data = create != nullptr ? create() : nullptr;
  if (data != nullptr) meshCache().watch(data);
  return data;
}

ODEMESH_WATCH void dGeomTriMeshDataDestroy(dTriMeshDataID g) {
  meshCache().erase(g);
  if (auto* const destroy = ode_destroy.get()) destroy(g);
}

ODEMESH_WATCH void dGeomTriMeshDataUpdate(dTriMeshDataID g) {
  forgetAndPass(ode_update, g);
}

ODEMESH_WATCH void dGeomTriMeshDataBuildSingle(dTriMeshDataID g, const void* vertices, int vertex_stride,
                                               int vertex_count, const void* indices, int index_count,
                                               int triangle_stride) {
  forgetAndPass(ode_single, g, vertices, vertex_stride, vertex_count, indices, index_count, triangle_stride);
}

ODEMESH_WATCH void dGeomTriMeshDataBuildSingle1(dTriMeshDataID g, const void* vertices, int vertex_stride,
                                                int vertex_count, const void* indices, int index_count,
                                                int triangle_stride, const void* normals) {
  forgetAndPass(ode_single1, g, vertices, vertex_stride, vertex_count, indices, index_count, triangle_stride,
                normals);
}

ODEMESH_WATCH void dGeomTriMeshDataBuildDouble(dTriMeshDataID g, const void* vertices, int vertex_stride,
                                               int vertex_count, const void* indices, int index_count,
                                               int triangle_stride) {
  forgetAndPass(ode_double, g, vertices, vertex_stride, vertex_count, indices, index_count, triangle_stride);
}

ODEMESH_WATCH void dGeomTriMeshDataBuildDouble1(dTriMeshDataID g, const void* vertices, int vertex_stride,
                                                int vertex_count, const void* indices, int index_count,
                                                int triangle_stride, const void* normals) {
  forgetAndPass(ode_double1, g, vertices, vertex_stride, vertex_count, indices, index_count, triangle_stride,
                normals);
}

ODEMESH_WATCH void dGeomTriMeshDataBuildSimple(dTriMeshDataID g, const dReal* vertices, int vertex_count,
                                               const dTriIndex* indices, int index_count) {
  forgetAndPass(ode_simple, g, vertices, vertex_count, indices, index_count);
}

ODEMESH_WATCH void dGeomTriMeshDataBuildSimple1(dTriMeshDataID g, const dReal* vertices, int vertex_count,
                                                const dTriIndex* indices, int index_count,
                                                const int* normals) {
  forgetAndPass(ode_simple1, g, vertices, vertex_count, indices, index_count, normals);
}

}  // extern "C"

#undef ODEMESH_WATCH

#endif  // __ELF__

namespace odemesh::ode {

namespace {

dFreeFunction* chained_handler = nullptr;
std::atomic<unsigned> frees_seen{0};

void freeAndForget(void* block, size_t size) {
  frees_seen.fetch_add(1, std::memory_order_relaxed);
  meshCache().erase(block);
  if (chained_handler != nullptr)
    chained_handler(block, size);
  else
    std::free(block);
}

[[nodiscard]] bool freesAreSeen() {
  const unsigned before = frees_seen;
  dGeomTriMeshDataDestroy(dGeomTriMeshDataCreate());
  return frees_seen != before;
}

}  // namespace

void chainFreeHandler() {
  // Chaining twice would make a loop of handlers if the program has put its own in between.
  if (freesAreSeen()) return;
  chained_handler = dGetFreeHandler();
  dSetFreeHandler(freeAndForget);
}

void unchainFreeHandler() {
  if (dGetFreeHandler() == freeAndForget) dSetFreeHandler(chained_handler);
}

}  // namespace odemesh::ode
