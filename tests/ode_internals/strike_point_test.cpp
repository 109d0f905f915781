// Where small patches strike: against closed forms of a body that falls flat.
#include "ode/strike_point.hpp"

#include <cstddef>
#include <limits>
#include <random>
#include <vector>

#include "ode/ode_scene.hpp"
#include "ode/vec3.hpp"

namespace odemesh::test {
namespace {

constexpr double kRadius = 1, kSpeed = 2, kDepth = 1e-3;

/// A body with its centre at the origin that falls on contacts below it.
class StrikePointTest : public OdeTest {
 protected:
  StrikePointTest() {
    dWorldSetGravity(world_.get(), 0, 0, dReal(-9.81));
    dMass mass;
    dMassSetBoxTotal(&mass, 1, 1, 1, 1);
    dBodySetMass(body_.get(), &mass);
    dGeomSetBody(falling_.get(), body_.get());
    fall(kSpeed);
  }

  void fall(double speed) { dBodySetLinearVel(body_.get(), 0, 0, dReal(-speed)); }

  void spin(double speed) { dBodySetAngularVel(body_.get(), 0, dReal(speed), 0); }

  void add(const Vec3& at, double depth = kDepth, const Vec3& normal = {0, 0, 1}) {
    dContactGeom c{};
    for (int i = 0; i < 3; ++i) {
      c.pos[i] = dReal(at[i]);
      c.normal[i] = dReal(normal[i]);
    }
    c.depth = dReal(depth);
    c.g1 = falling_.get();
    c.g2 = ground_.get();
    contacts_.push_back(c);
  }

  void strike() {
    const int count =
        ode::strikeInPoints({contacts_.data(), sizeof(dContactGeom)}, int(contacts_.size()), kRadius);
    contacts_.resize(std::size_t(count));
  }

  void expectNone() {
    const std::size_t before = contacts_.size();
    strike();
    EXPECT_EQ(contacts_.size(), before);
  }

  [[nodiscard]] Vec3 place() const { return ode::vec3(contacts_.at(0).pos); }

  const World world_{dWorldCreate()};
  const Body body_{dBodyCreate(world_.get())};
  const Geom falling_{dCreateSphere(nullptr, 1)}, ground_{dCreateSphere(nullptr, 1)};
  std::vector<dContactGeom> contacts_;
};

// Impulses that do not turn it act at its centre.
TEST_F(StrikePointTest, AroundTheCentreItIsBelowThat) {
  for (const double x : {-0.02, 0.05})
    for (const double y : {-0.04, 0.01}) add({x, y, -0.5});
  contacts_[2].depth = dReal(2 * kDepth);
  strike();
  ASSERT_EQ(contacts_.size(), 1u);
  EXPECT_LE(length(place() - Vec3{0, 0, -0.5}), 1e-3);
  EXPECT_EQ(contacts_[0].depth, dReal(2 * kDepth));
  EXPECT_EQ(contacts_[0].normal[2], 1);
}

// Rounded to ODE's numbers, a normal is no unit vector any more.
TEST_F(StrikePointTest, AlongAnyNormal) {
  std::mt19937_64 random(2);
  std::uniform_real_distribution<double> uniform(-1, 1);
  for (int i = 0; i < 100; ++i) {
    const Vec3 normal = normalised({uniform(random), uniform(random), uniform(random)});
    const Vec3 across = normalised(cross(normal, {0.3, 0.5, 0.7}));
    dBodySetLinearVel(body_.get(), dReal(-kSpeed * normal.x), dReal(-kSpeed * normal.y),
                      dReal(-kSpeed * normal.z));
    contacts_.clear();
    for (const double x : {-0.02, 0.02}) add(across * x - normal * 0.5, kDepth, normal);
    strike();
    EXPECT_EQ(contacts_.size(), 1u);
  }
}

// On one side, what is stopped at the nearest point parts from the others.
TEST_F(StrikePointTest, BesideTheCentreItIsTheNearestPoint) {
  for (const double x : {0.3, 0.2, 0.25}) add({x, 0, -0.5});
  strike();
  ASSERT_EQ(contacts_.size(), 1u);
  EXPECT_LE(length(place() - Vec3{0.2, 0, -0.5}), 1e-6);
}

TEST_F(StrikePointTest, EachPatchHasItsOwn) {
  for (const double x : {-0.4, 0.4})
    for (const double y : {-0.02, 0.02}) add({x, y, -0.5});
  strike();
  ASSERT_EQ(contacts_.size(), 2u);
  EXPECT_LE(length(place() - Vec3{-0.4, 0, -0.5}), 1e-3);
}

TEST_F(StrikePointTest, WhatRestsKeepsAll) {
  for (const double x : {-0.02, 0.02}) add({x, 0, -0.5});
  fall(0);
  expectNone();
  fall(-kSpeed);
  expectNone();
  fall(9.81 / 60);  // what gravity gives in a step
  expectNone();
}

TEST_F(StrikePointTest, SoDoesWhatIsDeepAlready) {
  for (const double x : {-0.02, 0.02}) add({x, 0, -0.5}, 0.1);
  expectNone();
}

TEST_F(StrikePointTest, WhatIsInfinitelyFastKeepsAll) {
  for (const double x : {-0.02, 0.02}) add({x, 0, -0.5});
  fall(std::numeric_limits<double>::infinity());
  expectNone();
}

TEST_F(StrikePointTest, WhatIsApartOrBentIsLeft) {
  add({-0.2, 0, -0.5});
  add({0.2, 0, -0.5});
  expectNone();
  contacts_.pop_back();
  add({-0.19, 0, -0.5}, kDepth, {0.6, 0, 0.8});
  expectNone();
}

// Held where they part, they would gain energy. A program that knows the step lets them come back instead.
TEST_F(StrikePointTest, ForDCollideWhatPartsBesideAStrikeIsLeftOut) {
  add({0.4, 0, -0.5});
  add({-0.4, 0, -0.5});
  fall(0);
  spin(1);
  expectNone();
  spin(5);
  const ode::GeomArray contacts{contacts_.data(), sizeof(dContactGeom)};
  EXPECT_EQ(ode::strikeInPoints(contacts, 2, kRadius, 1.0 / 60), 2);
  strike();
  ASSERT_EQ(contacts_.size(), 1u);
  EXPECT_EQ(place().x, double(dReal(0.4)));
}

TEST_F(StrikePointTest, OfBodiesThatTakeNoImpulseTheFirstIsLeft) {
  dBodySetKinematic(body_.get());
  for (const double x : {-0.02, 0.02}) add({x, 0, -0.5});
  strike();
  ASSERT_EQ(contacts_.size(), 1u);
  EXPECT_EQ(place().x, double(dReal(-0.02)));
}

}  // namespace
}  // namespace odemesh::test
