// What bounces and parts already may come back, by contacts of odemeshCollideSpeculative.
#include <cmath>
#include <limits>

#include "falling_cube.hpp"
#include "ode_tolerance.hpp"

namespace odemesh::test {
namespace {

constexpr double kBounce = 0.5, kSpeed = 0.4;

/// The cube, of half an edge of 0.1, in the plate or in a plane, whose upper faces are at height 0.
class PartingTest : public SpeculativeTest {
 protected:
  PartingTest() {
    dGeomSetPosition(plate_.get(), 0, 0, dReal(-0.01));
    dBodySetPosition(body_.get(), dReal(0.3), dReal(0.2), dReal(0.1 - 2e-4));
    rise(kSpeed);
    surface_.mode = dContactBounce;
    surface_.bounce = dReal(kBounce);
  }

  void rise(double speed) { dBodySetLinearVel(body_.get(), 0, 0, dReal(speed)); }

  /// Of the four contacts with the plate and with the plane, in either order.
  template <typename Expect>
  void forEachSurface(const Expect& expect) {
    for (dGeomID other : {plate_.get(), plane_.get()})
      for (const bool is_turned : {false, true}) {
        dGeomID first = is_turned ? other : cube_.get(), second = is_turned ? cube_.get() : other;
        ASSERT_EQ(odemeshCollideSpeculative(first, second, dReal(1.0 / 60), 16, &surface_, contacts_.data(),
                                            sizeof(dContact)),
                  4);
        for (std::size_t i = 0; i < 4; ++i) expect(contacts_[i].surface);
      }
  }

  const Geom plane_{dCreatePlane(nullptr, 0, 0, 1, 0)};
  dSurfaceParameters surface_{};
};

TEST_F(PartingTest, AsFastAsTheyBounce) {
  forEachSurface([](const dSurfaceParameters& s) {
    EXPECT_NE(s.mode & dContactMotionN, 0);
    EXPECT_NEAR(double(s.motionN), -kBounce * kSpeed, odeTolerance(1e-9));
  });
}

TEST_F(PartingTest, NoFasterThanContactsCopeWith) {
  rise(50);
  forEachSurface([](const dSurfaceParameters& s) {
    EXPECT_LT(double(s.motionN), -kBounce * kSpeed);
    // A quarter of the cube's thickness in the step.
    EXPECT_GE(double(s.motionN), -0.2501 * 0.1 * 60);
  });
}

TEST_F(PartingTest, NotThoseThatApproach) {
  rise(-0.01);
  forEachSurface([](const dSurfaceParameters& s) { EXPECT_EQ(s.mode, dContactBounce); });
}

TEST_F(PartingTest, NotOfWhatHardlyMovesOrDoesNotBounce) {
  surface_.bounce_vel = dReal(2 * kSpeed);
  forEachSurface([](const dSurfaceParameters& s) { EXPECT_EQ(s.mode, dContactBounce); });
  surface_ = {};
  forEachSurface([](const dSurfaceParameters& s) { EXPECT_EQ(s.mode, 0); });
}

// Of a spin that has gone out of range, points have no speed.
TEST_F(PartingTest, ByNothingWhereTheSpeedIsNoNumber) {
  dGeomSetOffsetPosition(cube_.get(), 20, 0, 20);
  dBodySetPosition(body_.get(), dReal(0.3 - 20), dReal(0.2), dReal(0.1 - 2e-4 - 20));
  dBodySetAngularVel(body_.get(), 0, std::numeric_limits<dReal>::max(), 0);
  for (dGeomID other : {plate_.get(), plane_.get()}) {
    const int count = odemeshCollideSpeculative(cube_.get(), other, dReal(1.0 / 60), 16, &surface_,
                                                contacts_.data(), sizeof(dContact));
    EXPECT_GE(count, 4);
    for (std::size_t i = 0; i < std::size_t(count); ++i) {
      const dSurfaceParameters& s = contacts_[i].surface;
      EXPECT_TRUE((s.mode & dContactMotionN) == 0 || std::isfinite(s.motionN));
    }
  }
}

// What the program asks for is added.
TEST_F(PartingTest, BesideAMotionOfTheProgram) {
  surface_.mode |= dContactMotionN;
  surface_.motionN = dReal(0.3);
  forEachSurface([](const dSurfaceParameters& s) {
    EXPECT_NEAR(double(s.motionN), 0.3 - kBounce * kSpeed, odeTolerance(1e-6));
  });
}

}  // namespace
}  // namespace odemesh::test
