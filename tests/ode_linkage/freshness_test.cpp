// Never stale, however the program and the library are linked. The same tests run in several executables
// (CMakeLists.txt); the variable ODEMESH_EXPECT says how AUTO is to notice changes in each: "watched" or
// "compared". Only the C interface is used here.
#include <cstdlib>
#include <set>
#include <string>

#include "ode/ode_scene.hpp"

namespace odemesh::test {
namespace {

[[nodiscard]] bool autoCompares() {
  const char* expected = std::getenv("ODEMESH_EXPECT");
  if (expected == nullptr) ADD_FAILURE() << "set ODEMESH_EXPECT to watched or compared";
  return expected != nullptr && std::string(expected) == "compared";
}

/// Depths are reported a little short, by 1e-7 of the mesh's radius.
constexpr float kNear = 1e-5F;

/// A cube of half side 1, for measuring others with.
const Triangles kGauge = boxTriangles(1, 1, 1);

/// The tests run once for each way of noticing changes.
class FreshnessTest : public OdeTest, public testing::WithParamInterface<int> {
 protected:
  FreshnessTest() {
    EXPECT_EQ(odemeshInstall(), ODEMESH_OK);
    setFreshness(GetParam());
  }

  [[nodiscard]] static bool compares() {
    return GetParam() == ODEMESH_FRESHNESS_COMPARE ||
           (GetParam() == ODEMESH_FRESHNESS_AUTO && autoCompares());
  }

  /// Half the height of a box at the origin, as far as the collider knows it.
  [[nodiscard]] float heightSeen(dGeomID box) const {
    constexpr dReal kAbove = 1.25;
    dGeomSetPosition(gauge_.get(), 0, 0, kAbove);
    const std::vector<dContactGeom> contacts = contactsOf(box, gauge_.get());
    return contacts.empty() ? 0 : static_cast<float>(contacts[0].depth - 1 + kAbove);
  }
  [[nodiscard]] float heightSeen(const MeshData& data) const { return heightSeen(geomOf(data).get()); }

 private:
  const MeshData gauge_data_ = dataOf(kGauge);
  const Geom gauge_ = geomOf(gauge_data_);
};

/// What EXPLICIT does not promise to notice.
class UntoldFreshnessTest : public FreshnessTest {};

/// Heights that a box takes in turn; floats, exactly.
[[nodiscard]] float heightOf(int round) {
  return 0.375F + 0.0625F * static_cast<float>(round % 7);
}

TEST_P(FreshnessTest, UnchangedMeshesAreBuiltOnce) {
  const Triangles box = boxTriangles(2, 2, 0.5F);
  const MeshData data = dataOf(box);
  for (int i = 0; i < 10; ++i) ASSERT_NEAR(heightSeen(data), 0.5F, kNear);
  EXPECT_EQ(counters().meshes_built, 2U) << "the box and the gauge";
}

TEST_P(FreshnessTest, DestroyedAndAnotherMadeAtTheSameAddress) {
  std::set<void*> addresses;
  for (int round = 0; round < 100; ++round) {
    const Triangles box = boxTriangles(2, 2, heightOf(round));
    const MeshData data = dataOf(box);
    addresses.insert(data.get());
    ASSERT_NEAR(heightSeen(data), heightOf(round), kNear) << "round " << round;
  }
  EXPECT_TRUE(addresses.size() < 100 || !kFreedMemoryIsReused)
      << "no address was used twice, so the test shows nothing";
}

TEST_P(FreshnessTest, RecreatedUnderALivingGeom) {
  Triangles box = boxTriangles(2, 2, heightOf(0));
  MeshData data = dataOf(box);
  const Geom geom = geomOf(data);
  for (int round = 0; round < 20; ++round) {
    data.reset();
    box = boxTriangles(2, 2, heightOf(round));
    data = dataOf(box);
    dGeomTriMeshSetData(geom.get(), data.get());
    ASSERT_NEAR(heightSeen(geom.get()), heightOf(round), kNear) << "round " << round;
  }
}

/// `data` again, on the buffers of `t`.
void rebuild(const MeshData& data, const Triangles& t) {
  dGeomTriMeshDataBuildSingle(data.get(), t.xyz.data(), 12, t.vertexCount(), t.indices.data(), t.indexCount(),
                              3 * sizeof(dTriIndex));
}

TEST_P(UntoldFreshnessTest, RebuiltOnNewBuffers) {
  const MeshData data(dGeomTriMeshDataCreate());
  for (int round = 0; round < 20; ++round) {
    const Triangles box = boxTriangles(2, 2, heightOf(round));
    rebuild(data, box);
    ASSERT_NEAR(heightSeen(data), heightOf(round), kNear) << "round " << round;
  }
}

TEST_P(UntoldFreshnessTest, RebuiltOnTheSameBuffersEdited) {
  Triangles box = boxTriangles(2, 2, heightOf(0));
  const MeshData data = dataOf(box);
  const Geom geom = geomOf(data);
  for (int round = 0; round < 20; ++round) {
    std::ranges::copy(boxTriangles(2, 2, heightOf(round)).xyz, box.xyz.begin());
    rebuild(data, box);
    ASSERT_NEAR(heightSeen(geom.get()), heightOf(round), kNear) << "round " << round;
  }
}

TEST_P(UntoldFreshnessTest, OneVertexEditedAndUpdated) {
  // A pyramid whose apex is the vertex that moves.
  Triangles pyramid{{-2, -2, -1, 2, -2, -1, 2, 2, -1, -2, 2, -1, 0, 0, 0.5F},
                    {0, 2, 1, 0, 3, 2, 0, 1, 4, 1, 2, 4, 2, 3, 4, 3, 0, 4}};
  const MeshData data = dataOf(pyramid);
  for (int round = 0; round < 20; ++round) {
    pyramid.xyz[14] = heightOf(round);
    dGeomTriMeshDataUpdate(data.get());
    ASSERT_NEAR(heightSeen(data), heightOf(round), kNear) << "round " << round;
  }
}

TEST_P(FreshnessTest, EditedInPlaceAndTold) {
  Triangles box = boxTriangles(2, 2, heightOf(0));
  const MeshData data = dataOf(box);
  for (int round = 0; round < 20; ++round) {
    std::ranges::copy(boxTriangles(2, 2, heightOf(round)).xyz, box.xyz.begin());
    ASSERT_EQ(odemeshMeshChanged(data.get()), ODEMESH_OK);
    ASSERT_NEAR(heightSeen(data), heightOf(round), kNear) << "round " << round;
  }
}

// Nobody is told of such an edit. That it goes unnoticed where calls are watched shows that they are.
TEST_P(FreshnessTest, EditedInPlaceIsNoticedByComparingOnly) {
  Triangles box = boxTriangles(2, 2, 0.5F);
  const MeshData data = dataOf(box);
  ASSERT_NEAR(heightSeen(data), 0.5F, kNear);
  std::ranges::copy(boxTriangles(2, 2, 0.75F).xyz, box.xyz.begin());
  EXPECT_NEAR(heightSeen(data), compares() ? 0.75F : 0.5F, kNear);
}

TEST_P(FreshnessTest, SwappedBySetData) {
  const Triangles low = boxTriangles(2, 2, 0.5F);
  const Triangles high = boxTriangles(2, 2, 0.75F);
  const MeshData low_data = dataOf(low);
  const MeshData high_data = dataOf(high);
  const Geom geom = geomOf(low_data);
  for (int round = 0; round < 10; ++round) {
    dGeomTriMeshSetData(geom.get(), low_data.get());
    ASSERT_NEAR(heightSeen(geom.get()), 0.5F, kNear);
    dGeomTriMeshSetData(geom.get(), high_data.get());
    ASSERT_NEAR(heightSeen(geom.get()), 0.75F, kNear);
  }
}

TEST_P(FreshnessTest, MadeBeforeInstallation) {
  odemeshUninstall();
  Triangles box = boxTriangles(2, 2, 0.5F);
  const MeshData data = dataOf(box);
  ASSERT_EQ(odemeshInstall(), ODEMESH_OK);
  EXPECT_NEAR(heightSeen(data), 0.5F, kNear);
  odemeshUninstall();
  std::ranges::copy(boxTriangles(2, 2, 0.75F).xyz, box.xyz.begin());
  ASSERT_EQ(odemeshInstall(), ODEMESH_OK);
  EXPECT_NEAR(heightSeen(data), 0.75F, kNear) << "uninstalling drops all meshes";
}

TEST_P(UntoldFreshnessTest, BuiltOnlyAfterItHasBeenMet) {
  const MeshData data(dGeomTriMeshDataCreate());
  const Geom geom = geomOf(data);
  EXPECT_EQ(heightSeen(geom.get()), 0);
  EXPECT_EQ(counters().errors, 1U);
  const Triangles box = boxTriangles(2, 2, 0.5F);
  rebuild(data, box);
  EXPECT_NEAR(heightSeen(geom.get()), 0.5F, kNear);
}

// From one way of noticing to another, a mesh that was built under the first may be stale for the second.
TEST_P(FreshnessTest, ChangedUnderAnotherMode) {
  setFreshness(ODEMESH_FRESHNESS_EXPLICIT);
  Triangles box = boxTriangles(2, 2, 0.5F);
  const MeshData data = dataOf(box);
  ASSERT_NEAR(heightSeen(data), 0.5F, kNear);
  std::ranges::copy(boxTriangles(2, 2, 0.75F).xyz, box.xyz.begin());
  ASSERT_NEAR(heightSeen(data), 0.5F, kNear);
  setFreshness(GetParam());
  EXPECT_NEAR(heightSeen(data), compares() ? 0.75F : 0.5F, kNear);
}

[[nodiscard]] std::string nameOf(const testing::TestParamInfo<int>& mode) {
  if (mode.param == ODEMESH_FRESHNESS_AUTO) return "Auto";
  return mode.param == ODEMESH_FRESHNESS_COMPARE ? "Compare" : "Explicit";
}

INSTANTIATE_TEST_SUITE_P(Modes, FreshnessTest,
                         testing::Values(int(ODEMESH_FRESHNESS_AUTO), int(ODEMESH_FRESHNESS_COMPARE),
                                         int(ODEMESH_FRESHNESS_EXPLICIT)),
                         nameOf);
INSTANTIATE_TEST_SUITE_P(Modes, UntoldFreshnessTest,
                         testing::Values(int(ODEMESH_FRESHNESS_AUTO), int(ODEMESH_FRESHNESS_COMPARE)),
                         nameOf);

}  // namespace
}  // namespace odemesh::test
