// The library's definitions of ODE's data calls, reached through its handle while libode comes first in the
// order of lookup: there is no "next" definition then, and ODE's has to be found in the loaded libode.
#include <dlfcn.h>

#include "ode/ode_scene.hpp"

namespace odemesh::test {
namespace {

TEST(OwnCalls, FindODEWhereverItStands) {
  ASSERT_NE(dInitODE2(0), 0);
  void* const library = dlopen(ODEMESH_LIBRARY_FILE, RTLD_NOW | RTLD_LOCAL);
  ASSERT_NE(library, nullptr) << dlerror();
  const auto find = [&]<typename Function>(const char* name, Function*) {
    return reinterpret_cast<Function*>(dlsym(library, name));
  };
  auto* const create = find("dGeomTriMeshDataCreate", &dGeomTriMeshDataCreate);
  auto* const build = find("dGeomTriMeshDataBuildSingle", &dGeomTriMeshDataBuildSingle);
  auto* const update = find("dGeomTriMeshDataUpdate", &dGeomTriMeshDataUpdate);
  auto* const destroy = find("dGeomTriMeshDataDestroy", &dGeomTriMeshDataDestroy);
  ASSERT_NE(create, dlsym(RTLD_DEFAULT, "dGeomTriMeshDataCreate")) << "not the library's own";

  const Triangles box = boxTriangles(1, 1, 1);
  const dTriMeshDataID data = create();
  ASSERT_NE(data, nullptr);
  build(data, box.xyz.data(), 12, box.vertexCount(), box.indices.data(), box.indexCount(),
        3 * sizeof(dTriIndex));
  const dGeomID geom = dCreateTriMesh(nullptr, data, nullptr, nullptr, nullptr);
  EXPECT_EQ(dGeomTriMeshGetTriangleCount(geom), 12);
  update(data);
  dGeomDestroy(geom);
  destroy(data);
  dCloseODE();
}

}  // namespace
}  // namespace odemesh::test
