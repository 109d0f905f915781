// Everything that a program may do with trimesh geoms without knowing of odemesh: each case is compared with
// odemesh::collide on the same meshes at the poses that the case stands for.
#include <array>
#include <bit>
#include <functional>

#include "ode_scene.hpp"

namespace odemesh::test {
namespace {

class GeomsTest : public OdeTest {
 protected:
  GeomsTest() { EXPECT_EQ(odemeshInstall(), ODEMESH_OK); }

  const Triangles shape_ = ellipsoidTriangles(1, 0.75F, 0.5F, 16, 8);
  const Triangles box_ = boxTriangles(0.5F, 1, 0.75F);
  const std::shared_ptr<const Mesh> shape_mesh_ = shape_.mesh();
  const std::shared_ptr<const Mesh> box_mesh_ = box_.mesh();
  const MeshData shape_data_ = dataOf(shape_);
  const MeshData box_data_ = dataOf(box_);

  /// The contacts of (g1, g2), which are to be those of the two meshes at the given poses, for geoms named
  /// `name1` and `name2`.
  static void expectCollides(dGeomID g1, const Mesh& mesh1, const Pose& pose1, dGeomID g2, const Mesh& mesh2,
                             const Pose& pose2, dGeomID name1 = nullptr, dGeomID name2 = nullptr) {
    const std::vector<dContactGeom> expected = expectedContacts(name1 != nullptr ? name1 : g1, mesh1, pose1,
                                                                name2 != nullptr ? name2 : g2, mesh2, pose2);
    EXPECT_FALSE(expected.empty()) << "the case shows nothing";
    EXPECT_TRUE(areSame(contactsOf(g1, g2), expected));
  }

  void expectShapeMeetsBox(dGeomID shape, dGeomID box) const {
    expectCollides(shape, *shape_mesh_, poseOf(shape), box, *box_mesh_, poseOf(box));
    expectCollides(box, *box_mesh_, poseOf(box), shape, *shape_mesh_, poseOf(shape));
  }
};

TEST_F(GeomsTest, MadeBeforeAndAfterInstallation) {
  odemeshUninstall();
  const Geom shape = geomOf(shape_data_);
  dGeomSetPosition(shape.get(), 0.75, 0.5, 0.25);
  ASSERT_EQ(odemeshInstall(), ODEMESH_OK);
  const Geom box = geomOf(box_data_);
  expectShapeMeetsBox(shape.get(), box.get());
  const MeshData late_data = dataOf(shape_);
  const Geom late = geomOf(late_data);
  dGeomSetPosition(late.get(), 0.75, 0.5, 0.25);
  expectShapeMeetsBox(late.get(), box.get());
}

/// `values` three a vertex, at `stride` bytes, with rubbish between.
template <typename Real>
std::vector<unsigned char> strided(const std::vector<float>& values, std::size_t stride) {
  std::vector<unsigned char> bytes(values.size() / 3 * stride, 0xfe);
  for (std::size_t i = 0; i < values.size(); ++i) {
    const Real value = values[i];
    std::memcpy(bytes.data() + i / 3 * stride + i % 3 * sizeof value, &value, sizeof value);
  }
  return bytes;
}

std::vector<unsigned char> stridedIndices(const std::vector<dTriIndex>& indices, std::size_t stride) {
  std::vector<unsigned char> bytes(indices.size() / 3 * stride, 0xfe);
  for (std::size_t i = 0; i < indices.size(); ++i)
    std::memcpy(bytes.data() + i / 3 * stride + i % 3 * sizeof(dTriIndex), &indices[i], sizeof(dTriIndex));
  return bytes;
}

TEST_F(GeomsTest, SingleVerticesAtAnyStride) {
  const Geom box = geomOf(box_data_);
  for (const std::size_t vertex_stride : {12U, 16U, 20U, 32U})
    for (const std::size_t triangle_stride : {12U, 16U, 28U}) {
      const auto vertices = strided<float>(shape_.xyz, vertex_stride);
      const auto indices = stridedIndices(shape_.indices, triangle_stride);
      const MeshData data(dGeomTriMeshDataCreate());
      dGeomTriMeshDataBuildSingle(data.get(), vertices.data(), int(vertex_stride), shape_.vertexCount(),
                                  indices.data(), shape_.indexCount(), int(triangle_stride));
      const Geom shape = geomOf(data);
      dGeomSetPosition(shape.get(), 0.75, 0.5, 0.25);
      expectShapeMeetsBox(shape.get(), box.get());
    }
}

TEST_F(GeomsTest, DoubleVerticesAtAnyStride) {
  const Geom box = geomOf(box_data_);
  for (const std::size_t vertex_stride : {24U, 32U, 40U})
    for (const std::size_t triangle_stride : {12U, 20U}) {
      const auto vertices = strided<double>(shape_.xyz, vertex_stride);
      const auto indices = stridedIndices(shape_.indices, triangle_stride);
      const MeshData data(dGeomTriMeshDataCreate());
      dGeomTriMeshDataBuildDouble(data.get(), vertices.data(), int(vertex_stride), shape_.vertexCount(),
                                  indices.data(), shape_.indexCount(), int(triangle_stride));
      const Geom shape = geomOf(data);
      dGeomSetPosition(shape.get(), 0.75, 0.5, 0.25);
      expectShapeMeetsBox(shape.get(), box.get());
    }
}

/// All the ways of building data, with and without normals.
TEST_F(GeomsTest, EveryBuildFunction) {
  const int vertices = shape_.vertexCount();
  const int indices = shape_.indexCount();
  constexpr int kStride = 3 * sizeof(dTriIndex);
  std::vector<dReal> simple;  // BuildSimple takes vectors of four
  for (int v = 0; v < vertices; ++v)
    simple.insert(simple.end(), {shape_.xyz[3 * v], shape_.xyz[3 * v + 1], shape_.xyz[3 * v + 2], 0});
  const std::vector<double> doubles(shape_.xyz.begin(), shape_.xyz.end());
  const std::vector<double> normals(shape_.indices.size(), 0.5);
  const std::array<std::function<void(dTriMeshDataID)>, 6> builds{
      [&](dTriMeshDataID d) {
        dGeomTriMeshDataBuildSingle(d, shape_.xyz.data(), 12, vertices, shape_.indices.data(), indices,
                                    kStride);
      },
      [&](dTriMeshDataID d) {
        dGeomTriMeshDataBuildSingle1(d, shape_.xyz.data(), 12, vertices, shape_.indices.data(), indices,
                                     kStride, normals.data());
      },
      [&](dTriMeshDataID d) {
        dGeomTriMeshDataBuildDouble(d, doubles.data(), 24, vertices, shape_.indices.data(), indices, kStride);
      },
      [&](dTriMeshDataID d) {
        dGeomTriMeshDataBuildDouble1(d, doubles.data(), 24, vertices, shape_.indices.data(), indices, kStride,
                                     normals.data());
      },
      [&](dTriMeshDataID d) {
        dGeomTriMeshDataBuildSimple(d, simple.data(), vertices, shape_.indices.data(), indices);
      },
      [&](dTriMeshDataID d) {
        dGeomTriMeshDataBuildSimple1(d, simple.data(), vertices, shape_.indices.data(), indices,
                                     std::bit_cast<const int*>(normals.data()));
      }};
  const Geom box = geomOf(box_data_);
  for (const auto& build : builds) {
    const MeshData data(dGeomTriMeshDataCreate());
    build(data.get());
    const Geom shape = geomOf(data);
    dGeomSetPosition(shape.get(), 0.75, 0.5, 0.25);
    expectShapeMeetsBox(shape.get(), box.get());
  }
}

TEST_F(GeomsTest, OnBodiesAndWithOffsets) {
  const World world(dWorldCreate());
  const Body body(dBodyCreate(world.get()));
  const Geom box = geomOf(box_data_);
  const Geom shape = geomOf(shape_data_);
  dGeomSetBody(shape.get(), body.get());
  dBodySetPosition(body.get(), 0.75, 0.25, 0.5);
  dMatrix3 turn;
  dRFromEulerAngles(turn, 0.3, -0.6, 1.1);
  dBodySetRotation(body.get(), turn);
  expectShapeMeetsBox(shape.get(), box.get());

  dGeomSetOffsetPosition(shape.get(), -0.25, 0.125, 0.0625);
  dMatrix3 offset;
  dRFromEulerAngles(offset, -0.4, 0.2, 0.9);
  dGeomSetOffsetRotation(shape.get(), offset);
  const Pose on_body{{{{offset[0], offset[1], offset[2]},
                       {offset[4], offset[5], offset[6]},
                       {offset[8], offset[9], offset[10]}}},
                     {-0.25, 0.125, 0.0625}};
  const dReal* r = dBodyGetRotation(body.get());
  const Pose of_body{{{{r[0], r[1], r[2]}, {r[4], r[5], r[6]}, {r[8], r[9], r[10]}}}, {0.75, 0.25, 0.5}};
  EXPECT_LT(length(poseOf(shape.get()).translation - (of_body * on_body).translation), odeTolerance(1e-12));
  expectShapeMeetsBox(shape.get(), box.get());
}

TEST_F(GeomsTest, OnTheSameBodyDoNotCollide) {
  const World world(dWorldCreate());
  const Body body(dBodyCreate(world.get()));
  const Geom box = geomOf(box_data_);
  const Geom shape = geomOf(shape_data_);
  dGeomSetBody(shape.get(), body.get());
  dGeomSetBody(box.get(), body.get());
  EXPECT_TRUE(contactsOf(shape.get(), box.get()).empty());
  EXPECT_EQ(counters().pairs, 0U);
}

// ODE calls dGeomTransform deprecated, and old programs use it.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"

TEST_F(GeomsTest, InsideATransformInBothOrders) {
  for (const int mode : {0, 1}) {
    const Geom transform(dCreateGeomTransform(nullptr));
    Geom inner = geomOf(shape_data_);
    dGeomSetPosition(inner.get(), 0.25, 0.125, 0);
    dMatrix3 turn;
    dRFromEulerAngles(turn, 0.3, -0.6, 1.1);
    dGeomSetRotation(inner.get(), turn);
    const Pose inner_pose = poseOf(inner.get());
    dGeomTransformSetGeom(transform.get(), inner.get());
    dGeomTransformSetInfo(transform.get(), mode);
    dGeomSetPosition(transform.get(), 0.5, 0.25, 0.25);
    dRFromEulerAngles(turn, -0.2, 0.7, 0.4);
    dGeomSetRotation(transform.get(), turn);

    // ODE composes the two in its own way; the poses agree with Pose's product to rounding only.
    const Pose pose = poseOf(transform.get()) * inner_pose;
    const Geom box = geomOf(box_data_);
    const dGeomID named = mode == 0 ? inner.get() : transform.get();
    for (const bool transform_first : {true, false}) {
      const auto [g1, g2] =
          transform_first ? std::pair(transform.get(), box.get()) : std::pair(box.get(), transform.get());
      const std::vector<dContactGeom> contacts = contactsOf(g1, g2);
      const std::vector<dContactGeom> expected =
          transform_first ? expectedContacts(named, *shape_mesh_, pose, g2, *box_mesh_, poseOf(g2))
                          : expectedContacts(g1, *box_mesh_, poseOf(g1), named, *shape_mesh_, pose);
      ASSERT_FALSE(expected.empty());
      ASSERT_EQ(contacts.size(), expected.size());
      EXPECT_NEAR(contacts[0].depth, expected[0].depth, odeTolerance(1e-9, 8));
      EXPECT_NEAR(dCalcVectorDot3(contacts[0].normal, expected[0].normal), 1, odeTolerance(1e-9, 8));
      for (const dContactGeom& c : contacts) {
        EXPECT_EQ(c.g1, expected[0].g1) << "info mode " << mode;
        EXPECT_EQ(c.g2, expected[0].g2) << "info mode " << mode;
      }
    }
    dGeomTransformSetGeom(transform.get(), nullptr);
  }
}

#pragma GCC diagnostic pop

struct Found {
  std::vector<dContactGeom> contacts;
  int near_calls = 0;
};

void nearCallback(void* data, dGeomID g1, dGeomID g2) {
  auto& found = *static_cast<Found*>(data);
  if (dGeomIsSpace(g1) != 0 || dGeomIsSpace(g2) != 0) {
    dSpaceCollide2(g1, g2, data, nearCallback);
    return;
  }
  ++found.near_calls;
  const std::vector<dContactGeom> contacts = contactsOf(g1, g2);
  expectContract(contacts, g1, g2);
  found.contacts.insert(found.contacts.end(), contacts.begin(), contacts.end());
}

TEST_F(GeomsTest, InNestedSpacesOfEveryKind) {
  const dVector3 centre{0, 0, 0, 0};
  const dVector3 extents{8, 8, 8, 0};
  const std::array<dSpaceID (*)(dSpaceID), 3> kinds{
      [](dSpaceID parent) { return dSimpleSpaceCreate(parent); },
      [](dSpaceID parent) { return dHashSpaceCreate(parent); },
      [](dSpaceID parent) { return dSweepAndPruneSpaceCreate(parent, dSAP_AXES_XYZ); }};
  const Space quad(dQuadTreeSpaceCreate(nullptr, centre, extents, 3));
  std::size_t contacts_in_first = 0;
  for (const auto create : kinds) {
    const Space outer(create(nullptr));
    dSpaceSetCleanup(outer.get(), 0);
    const Space inner(create(outer.get()));
    dSpaceSetCleanup(inner.get(), 0);
    const Geom shape = geomOf(shape_data_, inner.get());
    const Geom other = geomOf(shape_data_, inner.get());
    const Geom box = geomOf(box_data_, outer.get());
    dGeomSetPosition(shape.get(), 0.75, 0.5, 0.25);
    dGeomSetPosition(other.get(), 1.25, 0.5, 0.5);
    Found found;
    dSpaceCollide(outer.get(), &found, nearCallback);  // the box with each geom of the inner space
    EXPECT_EQ(found.near_calls, 2);
    Found among;
    dSpaceCollide(inner.get(), &among, nearCallback);
    EXPECT_EQ(among.near_calls, 1);
    EXPECT_FALSE(among.contacts.empty());
    if (contacts_in_first == 0) contacts_in_first = found.contacts.size();
    EXPECT_GT(found.contacts.size(), 0U);
    EXPECT_EQ(found.contacts.size(), contacts_in_first) << "whatever the space, the pairs are the same";
  }
  const Geom a = geomOf(shape_data_, quad.get());
  const Geom b = geomOf(box_data_, quad.get());
  dGeomSetPosition(a.get(), 0.75, 0.5, 0.25);
  Found found;
  dSpaceCollide(quad.get(), &found, nearCallback);
  EXPECT_FALSE(found.contacts.empty());
  dSpaceSetCleanup(quad.get(), 0);
}

TEST_F(GeomsTest, ManyGeomsShareOneMesh) {
  std::vector<Geom> geoms;
  for (int i = 0; i < 20; ++i) {
    geoms.push_back(geomOf(box_data_));
    dGeomSetPosition(geoms.back().get(), dReal(i) * 0.875, 0.125, 0.0625 * i);
  }
  for (std::size_t i = 0; i + 1 < geoms.size(); ++i)
    expectCollides(geoms[i].get(), *box_mesh_, poseOf(geoms[i].get()), geoms[i + 1].get(), *box_mesh_,
                   poseOf(geoms[i + 1].get()));
  EXPECT_EQ(counters().meshes_built, 1U);
}

TEST_F(GeomsTest, SetDataSwapsTheMesh) {
  for (const int freshness :
       {ODEMESH_FRESHNESS_AUTO, ODEMESH_FRESHNESS_COMPARE, ODEMESH_FRESHNESS_EXPLICIT}) {
    setFreshness(freshness);
    const Geom box = geomOf(box_data_);
    const Geom swapped = geomOf(shape_data_);
    dGeomSetPosition(swapped.get(), 0.75, 0.5, 0.25);
    for (int round = 0; round < 3; ++round) {
      dGeomTriMeshSetData(swapped.get(), shape_data_.get());
      expectShapeMeetsBox(swapped.get(), box.get());
      dGeomTriMeshSetData(swapped.get(), box_data_.get());
      expectCollides(swapped.get(), *box_mesh_, poseOf(swapped.get()), box.get(), *box_mesh_,
                     poseOf(box.get()));
    }
  }
}

// ODE keeps vertices as floats. A double that no float holds is rounded before anybody sees it.
TEST_F(GeomsTest, DoublesAreSeenAsODESeesThem) {
  std::vector<double> doubles(box_.xyz.begin(), box_.xyz.end());
  for (double& c : doubles) c *= 1.1;
  Triangles rounded = box_;
  for (std::size_t i = 0; i < doubles.size(); ++i) rounded.xyz[i] = static_cast<float>(doubles[i]);
  const MeshData data(dGeomTriMeshDataCreate());
  dGeomTriMeshDataBuildDouble(data.get(), doubles.data(), 24, box_.vertexCount(), box_.indices.data(),
                              box_.indexCount(), 3 * sizeof(dTriIndex));
  const Geom big = geomOf(data);
  const Geom shape = geomOf(shape_data_);
  dGeomSetPosition(shape.get(), 0.75, 0.5, 0.25);
  expectCollides(big.get(), *rounded.mesh(), poseOf(big.get()), shape.get(), *shape_mesh_,
                 poseOf(shape.get()));
}

// Other pairs with a trimesh still go to ODE.
TEST_F(GeomsTest, OtherShapesAreLeftToODE) {
  const Geom box = geomOf(box_data_);
  const Geom sphere(dCreateSphere(nullptr, 0.5));
  dGeomSetPosition(sphere.get(), 0, 0, 1.125);
  EXPECT_FALSE(contactsOf(sphere.get(), box.get()).empty());
  EXPECT_EQ(counters().pairs, 0U);
}

}  // namespace
}  // namespace odemesh::test
