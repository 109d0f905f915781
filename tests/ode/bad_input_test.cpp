// Meshes and poses that no program should pass, and some do: no crash, no assertion of ODE, no contact that
// is not sound, and the counters and the last error say what was wrong.
//
// ODE itself has to be got past first. Its Build functions assert that there are vertices and indices, its
// dGeomTriMeshDataUpdate crashes on a mesh of one triangle, its spaces refuse geoms whose bounding box is not
// finite (an assertion, in release builds too) and crash on trimesh geoms without data, and it reads outside
// the vertex array if an index is out of range; so there are no tests of these.
#include <array>
#include <limits>

#include "ode_scene.hpp"

namespace odemesh::test {
namespace {

constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
constexpr float kInf = std::numeric_limits<float>::infinity();

class BadInputTest : public OdeTest {
 protected:
  BadInputTest() { EXPECT_EQ(odemeshInstall(), ODEMESH_OK); }

  /// Collides `geom` with a good box in both orders and checks that all contacts are sound.
  std::size_t collideWithBox(dGeomID geom) {
    std::size_t count = 0;
    for (const auto& [a, b] : {std::pair(geom, box_.get()), std::pair(box_.get(), geom)}) {
      const std::vector<dContactGeom> contacts = contactsOf(a, b);
      expectContract(contacts, a, b);
      count += contacts.size();
    }
    return count;
  }
  std::size_t collideWithBox(const Triangles& t) {
    const MeshData data = dataOf(t);
    const Geom geom = geomOf(data);
    dGeomSetPosition(geom.get(), 0.25, 0.125, 1.5);
    return collideWithBox(geom.get());
  }

  /// The last error has to name every one of `words`.
  static void expectErrorNames(std::initializer_list<const char*> words) {
    const std::string error = odemeshLastError();
    for (const char* word : words) EXPECT_NE(error.find(word), std::string::npos) << error;
  }

  const Triangles box_triangles_ = boxTriangles(1, 1, 1);
  const MeshData box_data_ = dataOf(box_triangles_);
  const Geom box_ = geomOf(box_data_);
};

TEST_F(BadInputTest, ATriangleThatIsNotFiniteIsLeftOut) {
  for (const float bad : {kNan, kInf, -kInf}) {
    odemeshResetCounters();
    Triangles t = boxTriangles(1, 1, 1);
    t.xyz[1] = bad;  // the corner at the lower left front; three triangles meet there
    EXPECT_GT(collideWithBox(t), 0U) << "the other triangles still collide";
    EXPECT_EQ(counters().bad_triangles, 3U);
    EXPECT_EQ(counters().errors, 0U);
    expectErrorNames({"mesh data", "triangle", "finite"});
  }
}

TEST_F(BadInputTest, AMeshOfNothingElseGivesAnError) {
  Triangles t = boxTriangles(1, 1, 1);
  for (float& c : t.xyz) c = kNan;
  EXPECT_EQ(collideWithBox(t), 0U);
  EXPECT_EQ(counters().bad_triangles, 12U);
  EXPECT_EQ(counters().errors, 2U) << "one for each call";
  expectErrorNames({"trimesh geom", "usable"});
}

TEST_F(BadInputTest, DoublesBeyondFloatsAreInfinite) {
  const Triangles t = boxTriangles(1, 1, 1);
  std::vector<double> vertices(t.xyz.begin(), t.xyz.end());
  for (double& c : vertices) c *= 1e39;
  const MeshData data(dGeomTriMeshDataCreate());
  dGeomTriMeshDataBuildDouble(data.get(), vertices.data(), 24, t.vertexCount(), t.indices.data(),
                              t.indexCount(), 3 * sizeof(dTriIndex));
  EXPECT_EQ(collideWithBox(geomOf(data).get()), 0U);
  EXPECT_EQ(counters().errors, 2U);
}

TEST_F(BadInputTest, ZeroAreaTrianglesAreLeftOut) {
  Triangles t = boxTriangles(1, 1, 1);
  t.indices.insert(t.indices.end(), {0, 0, 1, 3, 3, 3, 0, 1, 8});  // the last three on one line
  t.xyz.insert(t.xyz.end(), {0, -1, -1});
  const std::size_t with_good_box = collideWithBox(boxTriangles(1, 1, 1));
  odemeshResetCounters();
  EXPECT_EQ(collideWithBox(t), with_good_box);
  EXPECT_EQ(counters().bad_triangles, 3U);
  EXPECT_EQ(counters().errors, 0U);
}

TEST_F(BadInputTest, NothingButZeroAreaGivesAnError) {
  const Triangles t{{0, 0, 0, 1, 0, 0, 2, 0, 0}, {0, 1, 2}};
  EXPECT_EQ(collideWithBox(t), 0U);
  EXPECT_EQ(counters().errors, 2U);
  EXPECT_EQ(counters().bad_triangles, 1U);
}

// A fixed fault: of a mesh of bad triangles alone, nothing told what was wrong with them.
TEST_F(BadInputTest, OfNothingButBadTrianglesTheFirstIsNamed) {
  const Triangles t{{0, 0, 0, 1, 0, 0, 2, 0, 0}, {0, 1, 2, 0, 2, 1}};
  const MeshData data = dataOf(t);
  const Geom geom = geomOf(data);
  odemeshMeshInfo info{};
  info.size = sizeof info;
  for (int i = 0; i < 2; ++i) {  // when it is built, and when it is known
    EXPECT_EQ(odemeshPrepare(data.get()), ODEMESH_ERROR_MESH);
    expectErrorNames({"mesh data", "triangle 0 has no area"});
    EXPECT_EQ(odemeshGetMeshInfo(data.get(), &info), ODEMESH_ERROR_MESH);
    expectErrorNames({"mesh data", "triangle 0 has no area"});
    EXPECT_EQ(collideWithBox(geom.get()), 0U);
    expectErrorNames({"trimesh geom", "triangle 0 has no area"});
  }
}

TEST_F(BadInputTest, DataThatWasNeverBuiltGivesAnError) {
  const MeshData never_built(dGeomTriMeshDataCreate());
  const Geom geom = geomOf(never_built);
  EXPECT_EQ(collideWithBox(geom.get()), 0U);
  EXPECT_EQ(counters().errors, 2U);
  expectErrorNames({"trimesh geom", "no triangles"});
  EXPECT_EQ(odemeshPrepare(never_built.get()), ODEMESH_ERROR_MESH);
  expectErrorNames({"mesh data", "no triangles", "dGeomTriMeshDataBuild"});
}

TEST_F(BadInputTest, AGeomWithoutDataGivesAnError) {
  const Geom geom = geomOf(box_data_);
  dGeomTriMeshSetData(geom.get(), nullptr);
  contactsOf(geom.get(), box_.get());
  contactsOf(box_.get(), geom.get());
  EXPECT_EQ(counters().errors, 2U);
  expectErrorNames({"trimesh geom", "dGeomTriMeshSetData"});
  dGeomTriMeshSetData(geom.get(), box_data_.get());
  dGeomSetPosition(geom.get(), 0.25, 0.125, 1.5);
  EXPECT_GT(collideWithBox(geom.get()), 0U);
}

// ODE's own collider never lets a mesh of one triangle collide.
TEST_F(BadInputTest, ASingleTriangleCollides) {
  const Triangles t{{-0.5F, -0.5F, 0, 0.5F, -0.5F, 0, 0, 0.5F, 0}, {0, 1, 2}};
  const MeshData data = dataOf(t);
  const Geom triangle = geomOf(data);
  const Geom other = geomOf(data);
  dGeomSetPosition(triangle.get(), 0, 0, 0.875);
  EXPECT_GT(collideWithBox(triangle.get()), 0U);
  dGeomSetPosition(triangle.get(), 0, 0, 0);
  dMatrix3 upright;
  dRFromAxisAndAngle(upright, 1, 0, 0, 1.5);
  dGeomSetRotation(other.get(), upright);
  expectContract(contactsOf(triangle.get(), other.get()), triangle.get(), other.get());
  EXPECT_EQ(counters().errors, 0U);
}

TEST_F(BadInputTest, HugeAndTinyMeshes) {
  for (const float size : {1e38F, 1e30F, 1e18F, 1e-18F, 1e-30F, 1e-37F}) {
    const Triangles t = boxTriangles(size, size, size);
    const MeshData data = dataOf(t);
    const Geom a = geomOf(data);
    const Geom b = geomOf(data);
    dGeomSetPosition(b.get(), 0.25 * size, 0.125 * size, 1.75 * size);
    const std::vector<dContactGeom> contacts = contactsOf(a.get(), b.get());
    expectContract(contacts, a.get(), b.get());
    ASSERT_FALSE(contacts.empty()) << size;
    EXPECT_NEAR(contacts[0].depth / size, 0.25, 1e-6) << size;
    collideWithBox(a.get());
  }
}

TEST_F(BadInputTest, PosesThatAreNotFinite) {
  constexpr double kRealNan = std::numeric_limits<double>::quiet_NaN();
  constexpr double kRealInf = std::numeric_limits<double>::infinity();
  const Geom geom = geomOf(box_data_);
  for (const double bad : {kRealNan, kRealInf, -kRealInf}) {
    odemeshResetCounters();
    dGeomSetPosition(geom.get(), dReal(bad), 0, 0);
    EXPECT_EQ(collideWithBox(geom.get()), 0U);
    EXPECT_EQ(counters().errors, 2U);
    expectErrorNames({"trimesh geom", "position"});
  }
  dGeomSetPosition(geom.get(), 0, 0, 1.5);
  dMatrix3 rotation;
  dRSetIdentity(rotation);
  rotation[5] = dReal(kRealNan);
  dGeomSetRotation(geom.get(), rotation);
  EXPECT_EQ(collideWithBox(geom.get()), 0U);
}

TEST_F(BadInputTest, MatricesThatAreNoRotations) {
  const Geom geom = geomOf(box_data_);
  dGeomSetPosition(geom.get(), 0.25, 0.125, 1.5);
  for (const double scale : {0.0, -1.0, 2.0, 1e300}) {
    odemeshResetCounters();
    dMatrix3 rotation{};
    for (const int diagonal : {0, 5, 10}) rotation[diagonal] = dReal(scale);
    dGeomSetRotation(geom.get(), rotation);
    EXPECT_EQ(collideWithBox(geom.get()), 0U);
    EXPECT_EQ(counters().errors, 2U) << scale;
    expectErrorNames({"trimesh geom", "rotation"});
  }
}

// A rotation that has drifted as far as single precision lets it in a long run.
TEST_F(BadInputTest, SlightlyDriftedRotationsAreTaken) {
  const Geom geom = geomOf(box_data_);
  dGeomSetPosition(geom.get(), 0.25, 0.125, 1.5);
  dMatrix3 rotation;
  dRSetIdentity(rotation);
  rotation[0] = dReal(1 + 1e-5);
  rotation[1] = dReal(1e-5);
  dGeomSetRotation(geom.get(), rotation);
  EXPECT_GT(collideWithBox(geom.get()), 0U);
  EXPECT_EQ(counters().errors, 0U);
}

// A fixed bug: such rotations were taken, and the contacts were dropped since their normals had no unit
// length.
TEST_F(BadInputTest, RotationsTypedWithThreeDigitsAreAsGoodAsExactOnes) {
  const Geom geom = geomOf(box_data_);
  const auto turned = [&](dReal sine) {
    const dMatrix3 rotation{sine, -sine, 0, 0, sine, sine, 0, 0, 0, 0, 1, 0};
    dGeomSetRotation(geom.get(), rotation);
    dGeomSetPosition(geom.get(), 0.25, 0.125, dReal(1.999));
    return contactsOf(geom.get(), box_.get(), 16);
  };
  const auto typed = turned(dReal(0.707)), exact = turned(dReal(std::numbers::sqrt2 / 2));
  EXPECT_EQ(counters().errors, 0U);
  ASSERT_FALSE(exact.empty());
  ASSERT_EQ(typed.size(), exact.size());
  for (std::size_t i = 0; i < typed.size(); ++i) {
    for (int axis = 0; axis < 3; ++axis) {
      EXPECT_NEAR(typed[i].pos[axis], exact[i].pos[axis], 1e-6);
      EXPECT_NEAR(typed[i].normal[axis], exact[i].normal[axis], 1e-6);
    }
    EXPECT_NEAR(typed[i].depth, exact[i].depth, 1e-6);
  }
}

TEST_F(BadInputTest, FarFromTheOrigin) {
  const Geom geom = geomOf(box_data_);
  for (const double far : {1e6, 1e12, 1e30, 1e100, 1e300}) {
    if (far > double(std::numeric_limits<dReal>::max())) continue;
    dGeomSetPosition(geom.get(), dReal(far), 0, dReal(far));
    EXPECT_EQ(collideWithBox(geom.get()), 0U) << far;
  }
  EXPECT_EQ(counters().errors, 0U);
}

TEST_F(BadInputTest, DuplicateInvertedAndNonManifoldMeshes) {
  Triangles twice = boxTriangles(1, 1, 1);
  const std::vector<dTriIndex> once = twice.indices;
  twice.indices.insert(twice.indices.end(), once.begin(), once.end());
  collideWithBox(twice);
  Triangles inverted = boxTriangles(1, 1, 1);
  for (std::size_t i = 0; i < inverted.indices.size(); i += 3)
    std::swap(inverted.indices[i], inverted.indices[i + 1]);
  collideWithBox(inverted);
  Triangles fan{{0, 0, -1, 0, 0, 1, 1, 0, 0, -1, 1, 0, -1, -1, 0, 1, 1, 1},
                {0, 1, 2, 0, 1, 3, 0, 1, 4, 1, 0, 5}};
  collideWithBox(fan);
  EXPECT_EQ(counters().errors, 0U);
}

// Triangle soups with all that floats can hold. Enough to catch what is common; fuzzing goes further.
TEST_F(BadInputTest, RandomSoupsWithSpecialValues) {
  const std::array specials{0.0F, -0.0F, 1.0F, -1.0F, 1e-40F, 1e-20F, 1e20F, 3e38F, kNan, kInf, 0.5F, 1.0F};
  Random random(3);
  const auto soup = [&] {
    Triangles t;
    for (int i = 0; i < 36; ++i) {
      const bool special = random.in(0, 1) < 0.2;
      t.xyz.push_back(special ? specials[static_cast<std::size_t>(random.in(0, specials.size()))]
                              : static_cast<float>(random.in(-2, 2)));
    }
    for (int i = 0; i < 30; ++i) t.indices.push_back(static_cast<dTriIndex>(random.in(0, 12)));
    return t;
  };
  for (int round = 0; round < 3000; ++round) {
    const Triangles t1 = soup();
    const Triangles t2 = soup();
    const MeshData data1 = dataOf(t1);
    const MeshData data2 = dataOf(t2);
    const Geom a = geomOf(data1);
    const Geom b = geomOf(data2);
    placeAtRandom(a.get(), random, 1);
    placeAtRandom(b.get(), random, 1);
    expectContract(contactsOf(a.get(), b.get()), a.get(), b.get());
    collideWithBox(a.get());
    ASSERT_FALSE(HasFatalFailure()) << "round " << round;
  }
}

}  // namespace
}  // namespace odemesh::test
