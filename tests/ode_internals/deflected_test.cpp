// What the contacts of a pair leave of its motions, against closed forms of a ball on a floor.
#include "ode/deflected.hpp"

#include <algorithm>
#include <array>
#include <random>

#include "collider/test_meshes.hpp"
#include "motion/sweep.hpp"
#include "ode/geom_motion.hpp"
#include "ode/ode_scene.hpp"

namespace odemesh::test {
namespace {

constexpr double kStep = 1.0 / 60, kRounding = odeTolerance(1e-9, 1000);

/// A ball of radius 0.1 at the origin, and a contact below it with something that does not move.
class DeflectedTest : public OdeTest {
 protected:
  DeflectedTest() {
    dMass mass;
    dMassSetSphere(&mass, 1000, kRadius);
    dBodySetMass(body_.get(), &mass);
    dGeomSetBody(ball_.get(), body_.get());
    contact_.geom.g1 = ball_.get();
    contact_.geom.g2 = floor_.get();
    contact_.geom.normal[2] = 1;
    contact_.geom.pos[2] = -kRadius;
    contact_.surface.mode = dContactApprox1;
  }

  /// Of the ball.
  [[nodiscard]] Motion after(const Vec3& velocity, const Vec3& spin = {}) {
    dBodySetLinearVel(body_.get(), dReal(velocity.x), dReal(velocity.y), dReal(velocity.z));
    dBodySetAngularVel(body_.get(), dReal(spin.x), dReal(spin.y), dReal(spin.z));
    const std::array motions{ode::motionOf(ball_.get(), {}, kStep), ode::restOf(floor_.get(), {})};
    return ode::Deflected({&contact_, sizeof contact_}, 1, motions, kStep)[0];
  }

  static constexpr dReal kRadius = dReal(0.1);
  const World world_{dWorldCreate()};
  const Body body_{dBodyCreate(world_.get())};
  const Geom ball_{dCreateSphere(nullptr, kRadius)};
  const Geom floor_{dCreateSphere(nullptr, kRadius)};
  dContact contact_{};
};

TEST_F(DeflectedTest, WithoutFrictionOnlyTheApproachGoes) {
  const Motion left = after({3, 1, -5}, {1, 2, 3});
  EXPECT_LE(length(left.velocity - Vec3{3, 1, 0}), kRounding);
  EXPECT_LE(length(left.spin - Vec3{1, 2, 3}), kRounding);
}

// Sliding friction takes mu times the impulse of the approach.
TEST_F(DeflectedTest, AGrazingBallSlides) {
  contact_.surface.mu = dReal(0.2);
  const Motion left = after({5, 0, -2});
  EXPECT_LE(length(left.velocity - Vec3{5 - 0.2 * 2, 0, 0}), kRounding);
  EXPECT_LE(length(left.spin - Vec3{0, 0.2 * 2 / (0.4 * 0.1), 0}), kRounding);
}

// Where it grips, the ball rolls with five sevenths of its speed.
TEST_F(DeflectedTest, AGrippingBallRolls) {
  for (const dReal mu : {dReal(1), dInfinity}) {
    contact_.surface.mu = mu;
    const Motion left = after({2, 0, -3});
    EXPECT_NEAR(left.velocity.x, 2 * 5.0 / 7, 1e-3) << mu;
    EXPECT_NEAR(left.spin.y, 2 * 5.0 / 7 / 0.1, 1e-2) << mu;
  }
}

// Each direction by its own coefficient; without `dContactApprox1`, a force bounds it.
TEST_F(DeflectedTest, TakesTheSurfaceAsODEDoes) {
  contact_.surface.mode = dContactApprox1 | dContactFDir1 | dContactMu2;
  contact_.fdir1[1] = 1;
  contact_.surface.mu2 = dReal(0.1);
  const Motion across = after({4, 4, -2});
  EXPECT_LE(length(across.velocity - Vec3{4 - 0.1 * 2, 4, 0}), kRounding);

  dMass mass;
  dBodyGetMass(body_.get(), &mass);
  contact_.surface.mode = 0;
  contact_.surface.mu = dReal(0.5 * double(mass.mass) / kStep);
  EXPECT_NEAR(after({4, 0, -2}).velocity.x, 3.5, kRounding);
  EXPECT_NEAR(after({4, 0, 1}).velocity.x, 3.5, kRounding);
}

// Struck at one corner, with whatever friction: the bound by which most pairs are not looked at.
TEST_F(DeflectedTest, GivesNoPointManyTimesTheSpeedOfApproach) {
  std::mt19937_64 random(21);
  std::uniform_real_distribution<double> unit(-1, 1), size(0.02, 1);
  const auto any = [&](double most) { return Vec3{unit(random), unit(random), unit(random)} * most; };
  int turned = 0;
  for (int round = 0; round < 2000; ++round) {
    const Vec3 half{size(random) / 2, size(random) / 2, size(random) / 2};
    dMass mass;
    dMassSetBox(&mass, 1000, dReal(2 * half.x), dReal(2 * half.y), dReal(2 * half.z));
    dBodySetMass(body_.get(), &mass);
    contact_.geom.pos[0] = dReal(half.x);
    contact_.geom.pos[1] = dReal(half.y);
    contact_.geom.pos[2] = dReal(-half.z);
    contact_.surface.mu = round % 3 == 0 ? dReal(0) : round % 3 == 1 ? dReal(0.5) : dInfinity;
    const Motion left = after(any(5), any(5));
    const Motion before = ode::motionOf(ball_.get(), {}, kStep);
    double approach = 0, given = 0;
    for (int corner = 0; corner < 8; ++corner) {
      const Vec3 at{corner % 2 == 0 ? half.x : -half.x, corner / 2 % 2 == 0 ? half.y : -half.y,
                    corner / 4 == 0 ? half.z : -half.z};
      approach = std::max(approach, length(velocityAt(before, at)));
      given = std::max(given, length(velocityAt(left, at) - velocityAt(before, at)));
    }
    turned += given > 0 ? 1 : 0;
    ASSERT_TRUE(given == 0 || ode::mayTurnAside(approach, given * (1 - 1e-9))) << round;
  }
  EXPECT_GT(turned, 800);
}

TEST_F(DeflectedTest, BringsWhatMovesAsOneNoNearer) {
  const MeshPtr box = boxSoup({0.2, 0.2, 0.2}).build();
  Motion motion = ode::motionOf(ball_.get(), {}, kStep), beside = motion;
  motion.velocity = beside.velocity = {20, 0, -3};
  beside.pose.translation.z = -0.2;
  const ode::Deflection together({&contact_, sizeof contact_}, {motion, beside}, kStep);
  EXPECT_FALSE(together.mayBringNearer(*box, *box, 1e-9));
  beside.velocity.z += 3;
  const ode::Deflection apart({&contact_, sizeof contact_}, {motion, beside}, kStep);
  EXPECT_TRUE(apart.mayBringNearer(*box, *box, 3 * kStep));
}

// More contacts leave less.
TEST_F(DeflectedTest, FollowsTheNumberOfContacts) {
  dBodySetLinearVel(body_.get(), 0, 0, -5);
  ode::Deflection deflection({&contact_, sizeof contact_},
                             {ode::motionOf(ball_.get(), {}, kStep), ode::restOf(floor_.get(), {})}, kStep);
  EXPECT_EQ(deflection.by(0)[0].velocity.z, -5);
  EXPECT_NEAR(deflection.by(1)[0].velocity.z, 0, kRounding);
  EXPECT_NEAR(deflection.by(1)[0].velocity.z, 0, kRounding);
}

TEST_F(DeflectedTest, WhatPartsIsLeftAlone) {
  contact_.surface.mu = dInfinity;
  const Motion left = after({1, 2, 3}, {4, 5, 6});
  EXPECT_EQ(left.velocity, (Vec3{1, 2, 3}));
  EXPECT_EQ(left.spin, (Vec3{4, 5, 6}));
}

}  // namespace
}  // namespace odemesh::test
