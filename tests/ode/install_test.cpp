// odemeshInstall and odemeshUninstall in every order, and before and after ODE's own init and close.
#include <cstdlib>

#include "ode_scene.hpp"

namespace odemesh::test {
namespace {

class InstallTest : public OdeTest {
 protected:
  /// Two cubes of side 2 whose overlap is 0.5 deep along x. ODE's own collider does not find that depth.
  const Triangles cube_ = boxTriangles(1, 1, 1);
  const MeshData data_ = dataOf(cube_);
  const Geom a_ = geomOf(data_);
  const Geom b_ = geomOf(data_);

  [[nodiscard]] bool odemeshCollides() const {
    dGeomSetPosition(a_.get(), 0, 0, 0);
    dGeomSetPosition(b_.get(), 1.5, 0.25, 0.125);
    const odemeshCounters before = counters();
    contactsOf(a_.get(), b_.get());
    return counters().pairs == before.pairs + 1;
  }
};

TEST_F(InstallTest, IsIdempotent) {
  EXPECT_EQ(odemeshIsInstalled(), 0);
  EXPECT_FALSE(odemeshCollides());
  EXPECT_EQ(odemeshInstall(), ODEMESH_OK);
  EXPECT_EQ(odemeshInstall(), ODEMESH_OK);
  EXPECT_EQ(odemeshIsInstalled(), 1);
  EXPECT_TRUE(odemeshCollides());
  odemeshUninstall();
  EXPECT_EQ(odemeshIsInstalled(), 0);
  EXPECT_FALSE(odemeshCollides());
  odemeshUninstall();
  EXPECT_FALSE(odemeshCollides());
}

TEST_F(InstallTest, UninstallWithoutInstallDoesNothing) {
  odemeshUninstall();
  EXPECT_FALSE(odemeshCollides());
  EXPECT_FALSE(contactsOf(a_.get(), b_.get()).empty());
}

TEST_F(InstallTest, CanBeRepeatedAfterUninstall) {
  for (int round = 0; round < 5; ++round) {
    ASSERT_EQ(odemeshInstall(), ODEMESH_OK);
    ASSERT_TRUE(odemeshCollides());
    odemeshUninstall();
    ASSERT_FALSE(odemeshCollides());
  }
}

TEST_F(InstallTest, SuspensionKeepsThePreparedMeshes) {
  odemeshSuspend();  // nothing to suspend
  ASSERT_EQ(odemeshInstall(), ODEMESH_OK);
  ASSERT_TRUE(odemeshCollides());
  const unsigned long long built = counters().meshes_built;
  for (int round = 0; round < 3; ++round) {
    odemeshSuspend();
    EXPECT_EQ(odemeshIsInstalled(), 0);
    EXPECT_FALSE(odemeshCollides());
    ASSERT_EQ(odemeshInstall(), ODEMESH_OK);
    EXPECT_TRUE(odemeshCollides());
  }
  EXPECT_EQ(counters().meshes_built, built);
  odemeshSuspend();
  odemeshUninstall();  // frees them
  EXPECT_FALSE(odemeshCollides());
  ASSERT_EQ(odemeshInstall(), ODEMESH_OK);
  EXPECT_TRUE(odemeshCollides());
  EXPECT_EQ(counters().meshes_built, built + 1);
}

TEST_F(InstallTest, DataThatIsDestroyedWhileSuspendedIsForgotten) {
  ASSERT_EQ(odemeshInstall(), ODEMESH_OK);
  ASSERT_TRUE(odemeshCollides());
  odemeshSuspend();
  const Triangles small = boxTriangles(0.1F, 0.1F, 0.1F);
  for (int round = 0; round < 20; ++round) {  // some of them at the address of the one before
    const MeshData data = dataOf(round % 2 == 0 ? cube_ : small);
    const Geom geom = geomOf(data);
    dGeomSetPosition(b_.get(), 0, 0, 0);
    dGeomSetPosition(geom.get(), 1.5, 0.25, 0.125);
    ASSERT_EQ(odemeshInstall(), ODEMESH_OK);
    EXPECT_EQ(contactsOf(geom.get(), b_.get()).empty(), round % 2 == 1) << round;
    odemeshSuspend();
  }
}

TEST_F(InstallTest, HasToFollowANewInit) {
  ASSERT_EQ(odemeshInstall(), ODEMESH_OK);
  dCloseODE();
  EXPECT_EQ(odemeshInstall(), ODEMESH_ERROR_NOT_INITIALISED);
  ASSERT_NE(dInitODE2(0), 0);
  EXPECT_FALSE(odemeshCollides()) << "a new init registers ODE's own collider";
  ASSERT_EQ(odemeshInstall(), ODEMESH_OK);
  EXPECT_TRUE(odemeshCollides());
}

TEST_F(InstallTest, MayBeUndoneAfterODEIsClosed) {
  ASSERT_EQ(odemeshInstall(), ODEMESH_OK);
  dCloseODE();
  odemeshUninstall();
  EXPECT_EQ(odemeshIsInstalled(), 0);
  ASSERT_NE(dInitODE2(0), 0);
  EXPECT_FALSE(odemeshCollides());
}

TEST_F(InstallTest, LeavesTheProgramsHandlersAlone) {
  static unsigned freed;
  freed = 0;
  const auto count_and_free = [](void* block, size_t) {
    ++freed;
    std::free(block);
  };
  dFreeFunction* const handler = count_and_free;
  dMessageFunction* const debug = dGetDebugHandler();
  dSetFreeHandler(handler);
  ASSERT_EQ(odemeshInstall(), ODEMESH_OK);
  freed = 0;
  dGeomDestroy(dCreateSphere(nullptr, 1));
  EXPECT_GT(freed, 0U) << "the program's handler is still called";
  odemeshUninstall();
  EXPECT_EQ(dGetFreeHandler(), handler);
  EXPECT_EQ(dGetDebugHandler(), debug);
  dSetFreeHandler(nullptr);
}

// A program may put its handler on top of odemesh's. Then odemesh can't take its own out, and a second
// installation must not close the chain to a loop.
TEST_F(InstallTest, SurvivesAHandlerThatTheProgramChainedOnTop) {
  static dFreeFunction* below;
  ASSERT_EQ(odemeshInstall(), ODEMESH_OK);
  below = dGetFreeHandler();
  dSetFreeHandler([](void* block, size_t size) { below(block, size); });
  odemeshUninstall();
  dGeomDestroy(dCreateSphere(nullptr, 1));
  ASSERT_EQ(odemeshInstall(), ODEMESH_OK);
  dGeomDestroy(dCreateSphere(nullptr, 1));
  EXPECT_TRUE(odemeshCollides());
  dSetFreeHandler(below);
}

/// Ends the process with the code that odemeshInstall returned, and without the destructors of gtest.
[[noreturn]] void installAndLeave() {
  std::_Exit(odemeshInstall());
}

// A "threadsafe" death test runs in a new process, in which ODE has never been initialised. The expression
// is matched against all that the process writes to stderr: it has to be nothing.
TEST(InstallDeathTest, BeforeInitIsAnErrorAndNoAbort) {
  testing::FLAGS_gtest_death_test_style = "threadsafe";
  EXPECT_EXIT(installAndLeave(), testing::ExitedWithCode(ODEMESH_ERROR_NOT_INITIALISED), "^$");
}

TEST(InstallDeathTest, UninstallBeforeInitDoesNothing) {
  testing::FLAGS_gtest_death_test_style = "threadsafe";
  EXPECT_EXIT(
      {
        odemeshUninstall();
        std::_Exit(odemeshIsInstalled());
      },
      testing::ExitedWithCode(0), "^$");
}

TEST(InstallDeathTest, WorksAfterAFailedAttempt) {
  testing::FLAGS_gtest_death_test_style = "threadsafe";
  EXPECT_EXIT(
      {
        const int before = odemeshInstall();
        dInitODE2(0);
        std::_Exit(before == ODEMESH_ERROR_NOT_INITIALISED ? odemeshInstall() : 99);
      },
      testing::ExitedWithCode(ODEMESH_OK), "^$");
}

// Static objects of a program are destroyed after main, when the caches of a library may be gone already.
TEST(InstallDeathTest, StaticDestructorsMayStillFreeMeshes) {
  testing::FLAGS_gtest_death_test_style = "threadsafe";
  EXPECT_EXIT(
      {
        static const Triangles cube = boxTriangles(1, 1, 1);
        dInitODE2(0);
        static const MeshData data = dataOf(cube);
        static const Geom a = geomOf(data);
        static const Geom b = geomOf(data);
        if (odemeshInstall() != ODEMESH_OK || contactsOf(a.get(), b.get()).empty()) std::_Exit(1);
        std::exit(0);
      },
      testing::ExitedWithCode(0), "^$");
}

struct Record {
  std::vector<dContactGeom> contacts;
  std::vector<dContactGeom> swapped;
};

// The promise of odemeshUninstall: what ODE's collider gave before the first installation, it gives again.
// The meshes differ in size and shape; contacts are limited in part of the poses, where order decides which
// are kept.
TEST_F(OdeTest, UninstallIsFaithfulToTheLastBit) {
  const std::vector<Triangles> shapes{boxTriangles(1, 1, 1), ellipsoidTriangles(1, 0.75F, 0.5F, 16, 8),
                                      boxTriangles(0.25F, 2, 0.5F), ellipsoidTriangles(1, 1, 1, 32, 16)};
  std::vector<MeshData> data;
  std::vector<Geom> first;
  std::vector<Geom> second;
  for (const Triangles& t : shapes) {
    data.push_back(dataOf(t));
    first.push_back(geomOf(data.back()));
    second.push_back(geomOf(data.back()));
  }
  dSetMessageHandler([](int, const char*, va_list) {});  // ODE's collider complains of full buckets
  constexpr int kPoses = 6000;
  const auto run = [&] {
    Random random(7);
    std::vector<Record> records;
    for (int i = 0; i < kPoses; ++i) {
      const dGeomID a = first[static_cast<std::size_t>(i) % shapes.size()].get();
      const dGeomID b = second[static_cast<std::size_t>(i / 3) % shapes.size()].get();
      placeAtRandom(a, random, 0.75);
      placeAtRandom(b, random, 0.75);
      const int limit = i % 5 == 0 ? 4 : 128;
      records.push_back({contactsOf(a, b, limit), contactsOf(b, a, limit)});
    }
    return records;
  };
  const std::vector<Record> stock = run();
  ASSERT_EQ(odemeshInstall(), ODEMESH_OK);
  contactsOf(first[0].get(), second[1].get());
  odemeshUninstall();
  const std::vector<Record> after = run();
  dSetMessageHandler(nullptr);
  int colliding = 0;
  for (std::size_t i = 0; i < stock.size(); ++i) {
    ASSERT_TRUE(areSame(stock[i].contacts, after[i].contacts)) << "pose " << i;
    ASSERT_TRUE(areSame(stock[i].swapped, after[i].swapped)) << "pose " << i << ", swapped";
    colliding += stock[i].contacts.empty() ? 0 : 1;
  }
  EXPECT_GE(colliding, 4000) << "too few poses collide for this to say much";
  RecordProperty("colliding_poses", colliding);
}

}  // namespace
}  // namespace odemesh::test
