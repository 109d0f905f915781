// Opens libode late and privately, takes every function from the handle, as a binding of a script language
// does, closes it and does so again. No call passes through the preloaded library but ODE's to its collider.
#include <dlfcn.h>

#include <cmath>
#include <cstdio>

#include "scene.hpp"

namespace {

void* libode = nullptr;

// Told by its type alone: an address would have to be linked in where nothing is optimised away.
template <typename Function>
[[nodiscard]] Function* find(const char* name) {
  return reinterpret_cast<Function*>(dlsym(libode, name));
}
#define FIND(function) find<decltype(function)>(#function)

[[nodiscard]] dTriMeshDataID buildBox(const odemesh::test::Box& box) {
  const dTriMeshDataID data = FIND(dGeomTriMeshDataCreate)();
  FIND(dGeomTriMeshDataBuildSingle)
  (data, box.xyz.data(), 12, 8, box.indices.data(), 36, 3 * sizeof(dTriIndex));
  return data;
}

/// The depth of a box of side 1 in one of this half height, 0.05 overlap; another mesh at each call, mostly
/// at the address of the last.
[[nodiscard]] double depthOfOverlap(float half_height) {
  const odemesh::test::Box low_box(0.5F, 0.5F, half_height);
  const odemesh::test::Box high_box(0.5F, 0.5F, 0.5F);
  const dTriMeshDataID low_data = buildBox(low_box);
  const dTriMeshDataID high_data = buildBox(high_box);
  const dGeomID low = FIND(dCreateTriMesh)(nullptr, low_data, nullptr, nullptr, nullptr);
  const dGeomID high = FIND(dCreateTriMesh)(nullptr, high_data, nullptr, nullptr, nullptr);
  FIND(dGeomSetPosition)(high, 0.25, 0.125, static_cast<dReal>(half_height + 0.45F));
  dContactGeom contact;
  contact.depth = 0;
  FIND(dCollide)(low, high, 1, &contact, sizeof contact);
  FIND(dGeomDestroy)(low);
  FIND(dGeomDestroy)(high);
  FIND(dGeomTriMeshDataDestroy)(low_data);
  FIND(dGeomTriMeshDataDestroy)(high_data);
  return double(contact.depth);
}

}  // namespace

int main() {
  for (int round = 0; round < 4; ++round) {
    libode = dlopen(ODE_LIBRARY_FILE, RTLD_NOW | RTLD_LOCAL);
    if (libode == nullptr) {
      std::fprintf(stderr, "%s\n", dlerror());
      return 1;
    }
    FIND(dInitODE2)(0);
    for (int mesh = 0; mesh < 8; ++mesh) {
      const double depth = depthOfOverlap(0.5F + 0.125F * static_cast<float>(mesh));
      const bool exact = std::abs(depth - 0.05) < 1e-4;
      if (exact != odemesh::test::expectsOdemesh()) {
        std::fprintf(stderr, "round %d, mesh %d: depth %g\n", round, mesh, depth);
        return 1;
      }
    }
    FIND(dCloseODE)();
    dlclose(libode);
  }
  std::puts("passed");
  return 0;
}
