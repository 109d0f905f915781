// What is foreseen of a body's motion, against what ODE makes of it.
#include "ode/geom_motion.hpp"

#include "collider/test_meshes.hpp"
#include "ode/ode_scene.hpp"

namespace odemesh::test {
namespace {

constexpr double kStep = 1.0 / 60, kRounding = odeTolerance(1e-9, 1000);

/// A box three times as long as wide, turned, that spins about no axis of its own.
class GeomMotionTest : public OdeTest {
 protected:
  GeomMotionTest() {
    dMass mass;
    dMassSetBox(&mass, 1000, dReal(0.3), dReal(0.1), dReal(0.06));
    dBodySetMass(body_.get(), &mass);
    dGeomSetBody(geom_.get(), body_.get());
    dMatrix3 rotation;
    dRFromAxisAndAngle(rotation, 1, 2, 3, dReal(0.7));
    dBodySetRotation(body_.get(), rotation);
    dBodySetAngularVel(body_.get(), 20, dReal(-30), 25);
  }

  [[nodiscard]] Vec3 spin() const { return ode::vec3(dBodyGetAngularVel(body_.get())); }
  [[nodiscard]] Vec3 foreseenSpin() const { return ode::freeMotionOf(geom_.get(), *mesh_, {}, kStep).spin; }

  const Soup box_ = boxSoup({0.3, 0.1, 0.06});
  const MeshPtr mesh_ = Mesh::build(box_.vertices, box_.indices).mesh;
  const World world_{dWorldCreate()};
  const Body body_{dBodyCreate(world_.get())};
  const Geom geom_{dCreateBox(nullptr, dReal(0.3), dReal(0.1), dReal(0.06))};
};

TEST_F(GeomMotionTest, TheGyroscopicTorqueTurnsTheSpin) {
  for (const auto& step : {dWorldQuickStep, dWorldStep}) {
    const Vec3 before = spin(), foreseen = foreseenSpin();
    ASSERT_NE(step(world_.get(), dReal(kStep)), 0);
    EXPECT_LE(length(spin() - foreseen), kRounding * length(before));
    EXPECT_GT(length(foreseen - before), 2);
  }
}

TEST_F(GeomMotionTest, ASlowSpinIsTakenAsItIs) {
  dBodySetAngularVel(body_.get(), 1, dReal(-1.5), 1);
  EXPECT_EQ(foreseenSpin(), spin());
}

TEST_F(GeomMotionTest, WithoutTheGyroscopicTorqueTheSpinStays) {
  dBodySetGyroscopicMode(body_.get(), 0);
  const Vec3 before = spin();
  EXPECT_EQ(foreseenSpin(), before);
  ASSERT_NE(dWorldQuickStep(world_.get(), dReal(kStep)), 0);
  EXPECT_LE(length(spin() - before), kRounding * length(before));
}

}  // namespace
}  // namespace odemesh::test
