// A plugin that installed odemesh may be closed before the program ends, and before ODE is.
#include <dlfcn.h>

#include "ode/ode_scene.hpp"

namespace odemesh::test {
namespace {

class UnloadTest : public testing::TestWithParam<bool> {};

TEST_P(UnloadTest, ClosingTheLibraryLeavesAWorkingCollider) {
  const bool uninstalls = GetParam();
  ASSERT_NE(dInitODE2(0), 0);
  {
    const Triangles box = boxTriangles(1, 1, 1);
    const MeshData data = dataOf(box);
    const Geom a = geomOf(data);
    const Geom b = geomOf(data);
    dGeomSetPosition(b.get(), 0.25, 0.125, 1.5);
    void* const library = dlopen(ODEMESH_LIBRARY_FILE, RTLD_NOW | RTLD_LOCAL);
    ASSERT_NE(library, nullptr) << dlerror();
    ASSERT_EQ(reinterpret_cast<int (*)()>(dlsym(library, "odemeshInstall"))(), ODEMESH_OK);
    EXPECT_FALSE(contactsOf(a.get(), b.get()).empty());
    if (uninstalls) reinterpret_cast<void (*)()>(dlsym(library, "odemeshUninstall"))();
    EXPECT_EQ(dlclose(library), 0);
    EXPECT_FALSE(contactsOf(a.get(), b.get()).empty());
  }
  dCloseODE();
}

INSTANTIATE_TEST_SUITE_P(WithAndWithoutUninstall, UnloadTest, testing::Bool());

}  // namespace
}  // namespace odemesh::test
