// Run with libodemesh-preload.so preloaded, switched off, and not at all; ODEMESH_EXPECT says which collider
// each of these is to show. The program is linked to libode alone.
#include <dlfcn.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <memory>
#include <random>
#include <stdexcept>

#include "scene.hpp"

namespace odemesh::test {
namespace {

/// A geom and its data, on the buffers of a box that outlives both.
class MeshBox {
 public:
  explicit MeshBox(const Box& box, dSpaceID space = nullptr) : data_(dGeomTriMeshDataCreate()) {
    box.build(data_);
    geom_ = dCreateTriMesh(space, data_, nullptr, nullptr, nullptr);
  }
  ~MeshBox() {
    dGeomDestroy(geom_);
    dGeomTriMeshDataDestroy(data_);
  }
  MeshBox(const MeshBox&) = delete;
  MeshBox& operator=(const MeshBox&) = delete;

  [[nodiscard]] dGeomID geom() const { return geom_; }
  [[nodiscard]] dTriMeshDataID data() const { return data_; }

 private:
  dTriMeshDataID data_;
  dGeomID geom_;
};

[[nodiscard]] std::vector<dContactGeom> contactsOf(dGeomID g1, dGeomID g2) {
  std::vector<dContactGeom> contacts(64);
  contacts.resize(static_cast<std::size_t>(dCollide(g1, g2, 64, contacts.data(), sizeof(dContactGeom))));
  return contacts;
}

/// Does every contact push straight up or down, with the depth that two boxes overlap by? ODE's own collider
/// gives depths near the boxes' size, and sideways normals.
[[nodiscard]] bool isExact(const std::vector<dContactGeom>& contacts, double depth) {
  return !contacts.empty() && std::ranges::all_of(contacts, [&](const dContactGeom& c) {
    return std::abs(c.depth - depth) < 1e-4 && std::abs(std::abs(c.normal[2]) - 1) < 1e-4;
  });
}

class PreloadTest : public testing::Test {
 protected:
  PreloadTest() {
    dInitODE2(0);
    dSetMessageHandler([](int, const char*, va_list) {});
  }
  ~PreloadTest() override { dCloseODE(); }

  /// Of two unit boxes, one 0.05 deep in the other.
  [[nodiscard]] static bool odemeshCollides() {
    const Box box(0.5F, 0.5F, 0.5F);
    const MeshBox low(box);
    const MeshBox high(box);
    dGeomSetPosition(high.geom(), 0.25, 0.125, dReal(0.95));
    return isExact(contactsOf(low.geom(), high.geom()), 0.05);
  }
};

TEST_F(PreloadTest, TheExpectedColliderIsInUse) {
  EXPECT_EQ(odemeshCollides(), expectsOdemesh());
}

TEST_F(PreloadTest, StaysThroughCloseAndAnotherInit) {
  for (int round = 0; round < 5; ++round) {
    dCloseODE();
    ASSERT_NE(dInitODE2(0), 0);
    ASSERT_EQ(odemeshCollides(), expectsOdemesh()) << "round " << round;
  }
}

TEST_F(PreloadTest, MeshesMeetPlanes) {
  const Box box(0.5F, 0.5F, 0.5F);
  const MeshBox mesh(box);
  const dGeomID plane = dCreatePlane(nullptr, 0, 0, 1, 0);
  dGeomSetPosition(mesh.geom(), 0, 0, dReal(0.45));
  EXPECT_TRUE(isExact(contactsOf(mesh.geom(), plane), 0.05));
  EXPECT_TRUE(isExact(contactsOf(plane, mesh.geom()), 0.05));
  dGeomDestroy(plane);
}

/// ODE's own collider gives a contact for each vertex that is behind a plane. It moves what is on a
/// heightfield for a while, and leaves it there on an exception: that is another mesh.
TEST_F(PreloadTest, PlanesStayOdemeshsThoughAHeightThrows) {
  const Box box(0.5F, 0.5F, 0.5F);
  const MeshBox mesh(box);
  const MeshBox on_field(box);
  const dGeomID plane = dCreatePlane(nullptr, 0, 0, 1, dReal(0.75));
  const dHeightfieldDataID heights = dGeomHeightfieldDataCreate();
  dGeomHeightfieldDataBuildCallback(
      heights, nullptr, [](void*, int, int) -> dReal { throw std::runtime_error("no height"); }, 4, 4, 9, 9,
      1, 0, 0, 0);
  const dGeomID field = dCreateHeightfield(nullptr, heights, 1);
  const std::size_t count = contactsOf(mesh.geom(), plane).size();
  EXPECT_EQ(count < 8, expectsOdemesh()) << count;
  EXPECT_THROW(static_cast<void>(contactsOf(on_field.geom(), field)), std::runtime_error);
  EXPECT_EQ(contactsOf(mesh.geom(), plane).size(), count);
  dGeomDestroy(field);
  dGeomHeightfieldDataDestroy(heights);
  dGeomDestroy(plane);
}

/// The normal has to point into g1 in either order.
TEST_F(PreloadTest, NormalsPointIntoTheFirst) {
  if (!expectsOdemesh()) GTEST_SKIP() << "ODE's own collider gives sideways normals here";
  const Box box(0.5F, 0.5F, 0.5F);
  const MeshBox low(box);
  const MeshBox high(box);
  dGeomSetPosition(high.geom(), 0.25, 0.125, dReal(0.95));
  for (const dContactGeom& c : contactsOf(low.geom(), high.geom())) {
    EXPECT_LT(c.normal[2], 0);
    EXPECT_EQ(c.g1, low.geom());
  }
  for (const dContactGeom& c : contactsOf(high.geom(), low.geom())) {
    EXPECT_GT(c.normal[2], 0);
    EXPECT_EQ(c.g1, high.geom());
  }
}

TEST_F(PreloadTest, RebuiltAndRecreatedMeshesAreNotStale) {
  if (!expectsOdemesh()) GTEST_SKIP() << "about odemesh's cache";
  const Box gauge_box(1, 1, 1);
  const MeshBox gauge(gauge_box);
  dGeomSetPosition(gauge.geom(), 0, 0, dReal(1.25));
  for (int round = 0; round < 50; ++round) {
    const float height = 0.375F + 0.0625F * static_cast<float>(round % 7);
    const Box low(2, 2, height);
    const MeshBox created(low);
    ASSERT_TRUE(isExact(contactsOf(created.geom(), gauge.geom()), height - 0.25)) << "round " << round;
    const Box lower(2, 2, height - 0.0625F);
    lower.build(created.data());
    ASSERT_TRUE(isExact(contactsOf(created.geom(), gauge.geom()), height - 0.3125)) << "round " << round;
  }
}

/// How far the boxes of a stack of five on a mesh slab have moved after 2.5 s.
[[nodiscard]] double driftOfStack() {
  const dWorldID world = dWorldCreate();
  const dSpaceID space = dHashSpaceCreate(nullptr);
  static dWorldID current_world;
  static dJointGroupID group;
  current_world = world;
  group = dJointGroupCreate(0);
  dWorldSetGravity(world, 0, 0, dReal(-9.81));
  const Box slab_box(5, 5, 0.5F);
  const Box box(0.5F, 0.5F, 0.5F);
  double drift = 0;
  {
    const MeshBox slab(slab_box, space);
    dGeomSetPosition(slab.geom(), 0, 0, dReal(-0.5));
    std::vector<std::unique_ptr<MeshBox>> boxes;
    for (int i = 0; i < 5; ++i) {
      boxes.push_back(std::make_unique<MeshBox>(box, space));
      const dBodyID body = dBodyCreate(world);
      dMass mass;
      dMassSetBoxTotal(&mass, 1, 1, 1, 1);
      dBodySetMass(body, &mass);
      dGeomSetBody(boxes.back()->geom(), body);
      dBodySetPosition(body, 0, 0, dReal(0.5 + i));
    }
    for (int step = 0; step < 600; ++step) {
      dSpaceCollide(space, nullptr, [](void*, dGeomID a, dGeomID b) {
        dContact contacts[16];
        const int count = dCollide(a, b, 16, &contacts[0].geom, sizeof(dContact));
        for (int i = 0; i < count; ++i) {
          contacts[i].surface = {};
          contacts[i].surface.mu = dReal(0.8);
          dJointAttach(dJointCreateContact(current_world, group, &contacts[i]), dGeomGetBody(a),
                       dGeomGetBody(b));
        }
      });
      dWorldQuickStep(world, dReal(1.0 / 240));
      dJointGroupEmpty(group);
    }
    for (std::size_t i = 0; i < boxes.size(); ++i) {
      const dReal* p = dGeomGetPosition(boxes[i]->geom());
      drift = std::max(drift, std::hypot(double(p[0]), double(p[1]), double(p[2]) - 0.5 - double(i)));
      dBodyDestroy(dGeomGetBody(boxes[i]->geom()));
    }
  }
  dJointGroupDestroy(group);
  dSpaceDestroy(space);
  dWorldDestroy(world);
  return drift;
}

TEST_F(PreloadTest, StackStandsWithOdemeshAlone) {
  const double drift = driftOfStack();
  RecordProperty("drift_m", std::to_string(drift));
  std::printf("drift of five mesh boxes in 2.5 s: %.4f m\n", drift);
  if (expectsOdemesh())
    EXPECT_LT(drift, 0.01);
  else
    EXPECT_GT(drift, 1);
}

[[nodiscard]] dColliderFn* colliderInLibode() {
  void* const libode = dlopen(ODE_LIBRARY_FILE, RTLD_NOW | RTLD_NOLOAD);
  EXPECT_NE(libode, nullptr) << dlerror();
  return reinterpret_cast<dColliderFn*>(dlsym(libode, "_Z11dCollideTTLP6dxGeomS0_iP12dContactGeomi"));
}

[[nodiscard]] bool isSame(const dContactGeom& a, const dContactGeom& b) {
  return std::memcmp(a.pos, b.pos, 3 * sizeof(dReal)) == 0 &&
         std::memcmp(a.normal, b.normal, 3 * sizeof(dReal)) == 0 && a.depth == b.depth && a.g1 == b.g1 &&
         a.g2 == b.g2 && a.side1 == b.side1 && a.side2 == b.side2;
}

/// Switched off, a preloaded library changes no bit of what ODE's own collider gives.
TEST_F(PreloadTest, SwitchedOffIsODEsOwnToTheLastBit) {
  if (expectsOdemesh()) GTEST_SKIP() << "it is not switched off";
  dColliderFn* const stock = colliderInLibode();
  ASSERT_NE(stock, nullptr);
  const Box box(0.5F, 0.75F, 1);
  const MeshBox a(box);
  const MeshBox b(box);
  std::mt19937 random(7);
  const auto draw = [&] { return static_cast<dReal>(double(random()) / 2147483648.0 - 1); };
  int colliding = 0;
  for (int pose = 0; pose < 1000; ++pose) {
    dQuaternion q{draw(), draw(), draw(), draw()};
    dNormalize4(q);
    dGeomSetQuaternion(b.geom(), q);
    dGeomSetPosition(b.geom(), draw(), draw(), draw());
    const std::vector<dContactGeom> contacts = contactsOf(a.geom(), b.geom());
    std::vector<dContactGeom> own(64);
    own.resize(static_cast<std::size_t>(stock(a.geom(), b.geom(), 64, own.data(), sizeof(dContactGeom))));
    ASSERT_TRUE(std::ranges::equal(contacts, own, isSame)) << "pose " << pose;
    colliding += contacts.empty() ? 0 : 1;
  }
  EXPECT_GT(colliding, 500);
}

}  // namespace
}  // namespace odemesh::test
