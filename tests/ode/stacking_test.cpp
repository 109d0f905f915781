// What the library is for: meshes that rest on meshes, in a world that the program steps as ever.
#include <algorithm>
#include <cmath>

#include "ode_scene.hpp"

namespace odemesh::test {
namespace {

constexpr double kStep = 0.01;

/// A ground and bodies that fall on it, all of them trimeshes; stepped as in ODE's own demos.
class Stage {
 public:
  Stage() { dWorldSetGravity(world_.get(), 0, 0, -9.81); }
  ~Stage() { dSpaceSetCleanup(space_.get(), 0); }
  Stage(const Stage&) = delete;
  Stage& operator=(const Stage&) = delete;

  void addGround(const MeshData& data, double z) {
    geoms_.push_back(geomOf(data, space_.get()));
    dGeomSetPosition(geoms_.back().get(), 0, 0, dReal(z));
  }
  dBodyID addBox(const MeshData& data, double x, double y, double z) {
    bodies_.emplace_back(dBodyCreate(world_.get()));
    dMass mass;
    dMassSetBoxTotal(&mass, 1, 1, 1, 1);
    dBodySetMass(bodies_.back().get(), &mass);
    geoms_.push_back(geomOf(data, space_.get()));
    dGeomSetBody(geoms_.back().get(), bodies_.back().get());
    dBodySetPosition(bodies_.back().get(), dReal(x), dReal(y), dReal(z));
    return bodies_.back().get();
  }
  void run(double seconds) {
    for (int step = 0; step < std::lround(seconds / kStep); ++step) {
      dSpaceCollide(space_.get(), this,
                    [](void* stage, dGeomID a, dGeomID b) { static_cast<Stage*>(stage)->addContacts(a, b); });
      dWorldQuickStep(world_.get(), kStep);
      dJointGroupEmpty(contacts_.get());
    }
  }

 private:
  void addContacts(dGeomID a, dGeomID b) {
    dContact contacts[16];
    const int count = dCollide(a, b, 16, &contacts[0].geom, sizeof contacts[0]);
    for (int i = 0; i < count; ++i) {
      contacts[i].surface.mode = dContactApprox1;
      contacts[i].surface.mu = 0.8;
      dJointAttach(dJointCreateContact(world_.get(), contacts_.get(), &contacts[i]), dGeomGetBody(a),
                   dGeomGetBody(b));
    }
  }

  World world_{dWorldCreate()};
  Space space_{dHashSpaceCreate(nullptr)};
  JointGroup contacts_{dJointGroupCreate(0)};
  std::vector<Body> bodies_;
  std::vector<Geom> geoms_;
};

[[nodiscard]] double distanceFrom(dBodyID body, const Vec3& p) {
  const dReal* q = dBodyGetPosition(body);
  return length(Vec3{q[0], q[1], q[2]} - p);
}

/// Degrees between a body's z axis and the vertical.
[[nodiscard]] double tiltOf(dBodyID body) {
  return std::acos(std::clamp(double(dBodyGetRotation(body)[10]), -1.0, 1.0)) * 180 / std::numbers::pi;
}

class StackingTest : public OdeTest {
 protected:
  static void SetUpTestSuite() { dRandSetSeed(1); }

  const Triangles cube_ = boxTriangles(0.5F, 0.5F, 0.5F);
  const Triangles slab_ = boxTriangles(5, 5, 0.5F);
  const Triangles sheet_{{-5, -5, 0, 5, -5, 0, 5, 5, 0, -5, 5, 0}, {0, 1, 2, 0, 2, 3}};
  const MeshData cube_data_ = dataOf(cube_);
  const MeshData slab_data_ = dataOf(slab_);
  const MeshData sheet_data_ = dataOf(sheet_);
};

TEST_F(StackingTest, ABoxRestsOnASlab) {
  ASSERT_EQ(odemeshInstall(), ODEMESH_OK);
  Stage stage;
  stage.addGround(slab_data_, -0.5);
  const dBodyID box = stage.addBox(cube_data_, 0.25, 0.125, 0.6);
  stage.run(10);
  const double drift = distanceFrom(box, {0.25, 0.125, 0.5});
  RecordProperty("drift_mm", std::to_string(drift * 1000));
  EXPECT_LT(drift, 0.005);
  EXPECT_LT(tiltOf(box), 0.1);
}

TEST_F(StackingTest, ABoxRestsOnASheet) {
  ASSERT_EQ(odemeshInstall(), ODEMESH_OK);
  Stage stage;
  stage.addGround(sheet_data_, 0);
  const dBodyID box = stage.addBox(cube_data_, 0.25, 0.125, 0.6);
  stage.run(10);
  const double drift = distanceFrom(box, {0.25, 0.125, 0.5});
  RecordProperty("drift_mm", std::to_string(drift * 1000));
  EXPECT_LT(drift, 0.005);
  EXPECT_LT(tiltOf(box), 0.1);
}

/// Two unit boxes of 12 triangles each, one on the other, set down touching; the greater drift of the two.
[[nodiscard]] double driftOfStack(const MeshData& cube, const MeshData& ground, double ground_z,
                                  double seconds) {
  Stage stage;
  stage.addGround(ground, ground_z);
  const dBodyID lower = stage.addBox(cube, 0.25, 0.125, 0.5);
  const dBodyID upper = stage.addBox(cube, 0.25, 0.125, 1.5);
  stage.run(seconds);
  return std::max(distanceFrom(lower, {0.25, 0.125, 0.5}), distanceFrom(upper, {0.25, 0.125, 1.5}));
}

TEST_F(StackingTest, TwoBoxesRestOnEachOtherForTenSeconds) {
  ASSERT_EQ(odemeshInstall(), ODEMESH_OK);
  const double on_slab = driftOfStack(cube_data_, slab_data_, -0.5, 10);
  const double on_sheet = driftOfStack(cube_data_, sheet_data_, 0, 10);
  RecordProperty("drift_on_slab_mm", std::to_string(on_slab * 1000));
  RecordProperty("drift_on_sheet_mm", std::to_string(on_sheet * 1000));
  EXPECT_LT(on_slab, 0.01);
  EXPECT_LT(on_sheet, 0.01);
}

// The same scene on ODE's own collider, to show that the scene is one it gets wrong, and that uninstalling
// brings it back.
TEST_F(StackingTest, ODEsOwnColliderThrowsThemApart) {
  dSetMessageHandler([](int, const char*, va_list) {});
  ASSERT_EQ(odemeshInstall(), ODEMESH_OK);
  odemeshUninstall();
  const double drift = driftOfStack(cube_data_, slab_data_, -0.5, 2.5);
  dSetMessageHandler(nullptr);
  RecordProperty("drift_m", std::to_string(drift));
  EXPECT_GT(drift, 1);
}

}  // namespace
}  // namespace odemesh::test
