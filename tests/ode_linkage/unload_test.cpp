// A plugin that installed odemesh may be closed before the program ends, and before ODE is.
#include <dlfcn.h>
#include <unistd.h>

#include <filesystem>
#include <string>

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

/// A copy of the library, with functions of its own.
class Copy {
 public:
  explicit Copy(const char* file) : library_(dlopen(file, RTLD_NOW | RTLD_LOCAL)) {
    EXPECT_NE(library_, nullptr) << dlerror();
  }
  [[nodiscard]] int install() const { return call<int>("odemeshInstall"); }
  void uninstall() const { call<void>("odemeshUninstall"); }
  [[nodiscard]] bool isInstalled() const { return call<int>("odemeshIsInstalled") != 0; }

 private:
  template <typename Result>
  Result call(const char* function) const {
    return reinterpret_cast<Result (*)()>(dlsym(library_, function))();
  }
  void* library_;
};

TEST(TwoCopies, OneAtATimeIsInstalled) {
  ASSERT_NE(dInitODE2(0), 0);
  {
    const std::string second_file =
        testing::TempDir() + "second_copy_of_odemesh_" + std::to_string(getpid()) + ".so";
    std::filesystem::copy_file(ODEMESH_LIBRARY_FILE, second_file,
                               std::filesystem::copy_options::overwrite_existing);
    const Copy first(ODEMESH_LIBRARY_FILE), second(second_file.c_str());
    std::filesystem::remove(second_file);
    const Triangles box = boxTriangles(1, 1, 1);
    const MeshData data = dataOf(box);
    const Geom a = geomOf(data), b = geomOf(data);
    dGeomSetPosition(b.get(), 0.25, 0.125, 1.5);
    const auto depth = [&] { return contactsOf(a.get(), b.get())[0].depth; };
    const Copy* pair[2] = {&first, &second};
    for (int round = 0; round < 4; ++round) {
      const Copy &one = *pair[round % 2], &other = *pair[1 - round % 2];
      ASSERT_EQ(one.install(), ODEMESH_OK);
      ASSERT_EQ(one.install(), ODEMESH_OK) << "it knows itself";
      EXPECT_EQ(other.install(), ODEMESH_ERROR_OTHER_COPY);
      EXPECT_FALSE(other.isInstalled());
      EXPECT_NEAR(depth(), 0.5, 1e-6) << "the first one goes on";
      other.uninstall();
      EXPECT_NEAR(depth(), 0.5, 1e-6) << "what is not installed has nothing to take out";
      one.uninstall();
    }
  }
  dCloseODE();
}

INSTANTIATE_TEST_SUITE_P(WithAndWithoutUninstall, UnloadTest, testing::Bool());

}  // namespace
}  // namespace odemesh::test
