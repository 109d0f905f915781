// What is deep and was not parted by the last step is given more often by odemeshCollideSpeculative.
#include <algorithm>
#include <array>
#include <cmath>

#include "ode_scene.hpp"
#include "ode_tolerance.hpp"

namespace odemesh::test {
namespace {

constexpr double kHalfEdge = 0.1;
const double kRadius = std::sqrt(3.0) * kHalfEdge;
constexpr double kStep = 1.0 / 60;
constexpr double kErp = 0.2;
constexpr double kGravity = 9.81;

/// A cube that stands on a corner, in a slab whose upper face, or in a plane which, is at height 0.
class ReinforceTest : public OdeTest {
 protected:
  ReinforceTest() {
    EXPECT_EQ(odemeshInstall(), ODEMESH_OK);
    dWorldSetERP(world_.get(), dReal(kErp));
    dWorldSetCFM(world_.get(), dReal(1e-10));  // that of ODE in single precision is softer
    dGeomSetBody(cube_.get(), body_.get());
    dGeomSetPosition(slab_.get(), 0, 0, -1);
    standOnACorner();
  }

  void standOnACorner() {
    dMatrix3 rotation;
    dRFromZAxis(rotation, 1, 1, 1);
    dMatrix3 down;  // its transpose turns the diagonal upwards
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) down[4 * i + j] = rotation[4 * j + i];
    dBodySetRotation(body_.get(), down);
  }

  /// How many contacts there are with the lowest point at `-depth` radii and a velocity of `rise`.
  int count(double depth, double rise, int room = 64) {
    dBodySetPosition(body_.get(), dReal(0.3), dReal(0.2), dReal((1 - depth) * kRadius));
    dBodySetLinearVel(body_.get(), 0, 0, dReal(rise));
    return collide(room);
  }

  int collide(int room = 64, const dSurfaceParameters* surface = nullptr) {
    return odemeshCollideSpeculative(cube_.get(), other_, dReal(kStep), room, surface, contacts_.data(),
                                     sizeof(dContact));
  }

  /// How deep the cube, upright on four corners, sinks into the slab in three seconds under so many times its
  /// weight.
  [[nodiscard]] double sinkUpright(const dSurfaceParameters& surface, double load) {
    dMatrix3 upright;
    dRSetIdentity(upright);
    dMass mass;
    dMassSetBoxTotal(&mass, 1, dReal(2 * kHalfEdge), dReal(2 * kHalfEdge), dReal(2 * kHalfEdge));
    dBodySetMass(body_.get(), &mass);
    dBodySetRotation(body_.get(), upright);
    dBodySetPosition(body_.get(), 0, 0, dReal(kHalfEdge));
    dBodySetLinearVel(body_.get(), 0, 0, 0);
    dBodySetAngularVel(body_.get(), 0, 0, 0);
    dWorldSetGravity(world_.get(), 0, 0, dReal(-kGravity));
    dRandSetSeed(0);
    for (int i = 0; i < 180; ++i) {
      dBodyAddForce(body_.get(), 0, 0, dReal((1 - load) * kGravity));
      const JointGroup joints(dJointGroupCreate(0));
      const int count = collide(64, &surface);
      for (int c = 0; c < count; ++c)
        dJointAttach(dJointCreateContact(world_.get(), joints.get(), &contacts_[std::size_t(c)]), body_.get(),
                     nullptr);
      dWorldQuickStep(world_.get(), dReal(kStep));
    }
    return kHalfEdge - double(dBodyGetPosition(body_.get())[2]);
  }

  [[nodiscard]] const dContactGeom& at(int i) const { return contacts_[std::size_t(i)].geom; }

  const Triangles slab_box_ = boxTriangles(10, 10, 1),
                  cube_box_ = boxTriangles(float(kHalfEdge), float(kHalfEdge), float(kHalfEdge));
  const MeshData slab_data_ = dataOf(slab_box_), cube_data_ = dataOf(cube_box_);
  const World world_{dWorldCreate()};
  const Body body_{dBodyCreate(world_.get())};
  const Geom slab_ = geomOf(slab_data_), cube_ = geomOf(cube_data_);
  const Geom plane_{dCreatePlane(nullptr, 0, 0, 1, 0)};
  dGeomID other_ = slab_.get();
  std::array<dContact, 64> contacts_{};
};

TEST_F(ReinforceTest, TheDeeperTheMoreOften) {
  for (dGeomID other : {slab_.get(), plane_.get()}) {
    other_ = other;
    EXPECT_EQ(count(0.001, -1e-4), 1);
    EXPECT_EQ(count(0.002, -1e-4), 5);
    EXPECT_EQ(count(0.0035, -1e-4), 7);
    EXPECT_EQ(count(0.02, -1e-4), 7);
  }
}

TEST_F(ReinforceTest, OnlyWhatAStepHasLeftUndone) {
  const double depth = 0.002, parting = kErp * depth * kRadius / kStep;
  EXPECT_EQ(count(depth, 0), 1) << "not stepped yet";
  EXPECT_EQ(count(depth, 1.01 * parting), 1) << "parts as it is to";
  EXPECT_EQ(count(depth, 0.9 * parting), 5);
  EXPECT_EQ(count(depth, -2.9 * parting), 5);
  EXPECT_EQ(count(depth, -3.1 * parting), 1) << "meets only now";
  dWorldSetContactMaxCorrectingVel(world_.get(), dReal(0.5 * parting));
  EXPECT_EQ(count(depth, 0.9 * parting), 1) << "may not part faster";
}

TEST_F(ReinforceTest, GoesByTheErpOfTheSurface) {
  const double depth = 0.002, parting = kErp * depth * kRadius / kStep;
  dSurfaceParameters surface{};
  surface.mode = dContactSoftERP;
  surface.soft_erp = dReal(0.1 * kErp);
  ASSERT_EQ(count(depth, 0.5 * parting), 5);
  EXPECT_EQ(odemeshCollideSpeculative(cube_.get(), other_, dReal(kStep), 64, &surface, contacts_.data(),
                                      sizeof(dContact)),
            1);
}

TEST_F(ReinforceTest, LeavesWhatIsToBounce) {
  const double depth = 0.002, parting = kErp * depth * kRadius / kStep;
  dSurfaceParameters surface{};
  surface.mode = dContactBounce;
  surface.bounce = dReal(0.6);
  const auto collideBouncing = [&](double fall) {
    dBodySetLinearVel(body_.get(), 0, 0, dReal(-fall));
    return odemeshCollideSpeculative(cube_.get(), other_, dReal(kStep), 64, &surface, contacts_.data(),
                                     sizeof(dContact));
  };
  ASSERT_EQ(count(depth, -2 * parting), 5);
  EXPECT_EQ(collideBouncing(2 * parting), 1);
  EXPECT_EQ(collideBouncing(1.5 * parting), 5) << "the overlap parts them faster than the bounce";
  surface.bounce_vel = dReal(3 * parting);
  EXPECT_EQ(collideBouncing(2 * parting), 5) << "too slow to bounce";
}

// A depth that is left as it is.
TEST_F(ReinforceTest, GoesByTheSurfaceLayer) {
  ASSERT_EQ(count(0.002, -1e-7), 5);
  dWorldSetContactSurfaceLayer(world_.get(), dReal(0.003 * kRadius));
  EXPECT_EQ(count(0.002, -1e-7), 1);
}

// A fixed bug: three springs in place of one are three times as stiff.
TEST_F(ReinforceTest, OnSoftGroundSinksInByOneContactsSoftness) {
  for (const double load : {1, 5}) {
    const double cfm = 0.01 / load, sink = cfm * kStep * load * kGravity / (4 * kErp);
    dSurfaceParameters surface{};
    surface.mode = dContactSoftCFM;
    surface.soft_cfm = dReal(cfm);
    EXPECT_NEAR(sinkUpright(surface, load), sink, 0.05 * sink) << load;
    EXPECT_EQ(collide(64, &surface) > 4, load > 1) << "nothing is added where the contact gives way by much";
    dWorldSetCFM(world_.get(), dReal(cfm));
    EXPECT_NEAR(sinkUpright({}, load), sink, 0.05 * sink) << load << ", softness of the world";
    dWorldSetCFM(world_.get(), 0);
  }
}

// In place of one, seven.
TEST_F(ReinforceTest, SharesOutWhatIsNotInProportionToTheLoad) {
  ASSERT_EQ(count(0.006, -1e-4), 7);
  dSurfaceParameters one{};
  one.mode = dContactSlip1 | dContactRolling;
  one.mu = one.rho = 7;
  one.slip1 = 2;
  ASSERT_EQ(collide(64, &one), 7);
  for (int i = 0; i < 7; ++i) {
    const dSurfaceParameters& s = contacts_[std::size_t(i)].surface;
    EXPECT_EQ(s.slip1, 14);
    EXPECT_EQ(s.mode & (dContactSoftCFM | dContactSlip2), 0);
    ASSERT_NE(s.mode & dContactAxisDep, 0);
    for (const dReal force : {s.mu, s.mu2, s.rho, s.rho2, s.rhoN}) EXPECT_EQ(force, 1);
  }
  one.mode |= dContactApprox1_1;
  ASSERT_EQ(collide(64, &one), 7);
  const dSurfaceParameters& s = contacts_[0].surface;
  for (const dReal coefficient : {s.mu, s.rho}) EXPECT_EQ(coefficient, 7);
  for (const dReal force : {s.mu2, s.rho2, s.rhoN}) EXPECT_EQ(force, 1);
}

TEST_F(ReinforceTest, LeavesSurfacesThatAreHardAlone) {
  ASSERT_EQ(count(0.006, -1e-4), 7);
  dSurfaceParameters one{};
  one.mode = dContactApprox1;
  one.mu = dReal(0.5);
  ASSERT_EQ(collide(64, &one), 7);
  for (int i = 0; i < 7; ++i) {
    EXPECT_EQ(contacts_[std::size_t(i)].surface.mode, one.mode);
    EXPECT_EQ(contacts_[std::size_t(i)].surface.mu, one.mu);
  }
}

TEST_F(ReinforceTest, WhatIsAddedLiesEvenlyBesideTheContact) {
  ASSERT_EQ(count(0.006, -1e-4), 7);
  double sum[3] = {};
  for (int i = 0; i < 7; ++i) {
    double offset[3];
    for (int axis = 0; axis < 3; ++axis) {
      offset[axis] = double(at(i).pos[axis]) - double(at(0).pos[axis]);
      sum[axis] += offset[axis];
      EXPECT_EQ(at(i).normal[axis], at(0).normal[axis]);
    }
    EXPECT_NEAR(offset[2], 0, odeTolerance(1e-12, 1));
    const double away = std::hypot(offset[0], offset[1]);
    EXPECT_LT(away, 0.0031 * kRadius);
    EXPECT_GT(away, i > 0 ? 0.0009 * kRadius : -1);
    EXPECT_EQ(at(i).depth, at(0).depth);
    EXPECT_EQ(at(i).side1, at(0).side1);
    EXPECT_EQ(at(i).side2, at(0).side2);
  }
  for (const double s : sum) EXPECT_NEAR(s, 0, odeTolerance(1e-12, 1));
}

// Fuzzing found rows that were the same.
TEST_F(ReinforceTest, LeavesWhatWouldLieAtTheSamePlace) {
  other_ = plane_.get();
  ASSERT_EQ(count(0.006, -1e-4), 7);
  const dReal* at = dBodyGetPosition(body_.get());
  dBodySetPosition(body_.get(), dReal(1e14), dReal(1e14), at[2]);
  EXPECT_EQ(collide(), 1);
}

TEST_F(ReinforceTest, KeepsToTheRoom) {
  EXPECT_EQ(count(0.006, -1e-4, 6), 5);
  EXPECT_EQ(count(0.006, -1e-4, 2), 1);
  EXPECT_EQ(count(0.006, -1e-4, 1), 1);
}

TEST_F(ReinforceTest, OfAFaceGivesFifteenAtMost) {
  dMatrix3 upright;
  dRSetIdentity(upright);
  dBodySetRotation(body_.get(), upright);
  dBodySetPosition(body_.get(), 0, 0, dReal(kHalfEdge - 0.006 * kRadius));
  dBodySetLinearVel(body_.get(), 0, 0, dReal(-1e-4));
  EXPECT_EQ(collide(), 14) << "four, eight, and two for the first";
}

TEST_F(ReinforceTest, SwappedGeomsAreReinforcedAtTheSamePlaces) {
  const int n = count(0.006, -1e-4);
  std::array<dContact, 64> swapped{};
  ASSERT_EQ(odemeshCollideSpeculative(other_, cube_.get(), dReal(kStep), 64, nullptr, swapped.data(),
                                      sizeof(dContact)),
            n);
  for (int i = 0; i < n; ++i)
    EXPECT_TRUE(std::ranges::any_of(std::span(swapped).first(std::size_t(n)), [&](const dContact& c) {
      return std::hypot(double(c.geom.pos[0] - at(i).pos[0]), double(c.geom.pos[1] - at(i).pos[1])) <
             odeTolerance(1e-9, 1);
    }));
}

// Links of a chain sink into each other as well in programs that know dCollide alone, which is not told how
// soft or rough the ground is.
TEST_F(ReinforceTest, DCollideGivesMoreBetweenFreeBodiesAlone) {
  ASSERT_EQ(count(0.006, -1e-4), 7);
  std::array<dContactGeom, 64> found{};
  const auto collidePlain = [&](int room = 64) {
    return dCollide(cube_.get(), other_, room, found.data(), sizeof(dContactGeom));
  };
  EXPECT_EQ(collidePlain(), 1) << "on the ground";
  const Body free(dBodyCreate(world_.get()));
  dBodySetPosition(free.get(), 0, 0, -1);
  dGeomSetBody(slab_.get(), free.get());
  ASSERT_EQ(collidePlain(), 7);
  for (int i = 1; i < 7; ++i) {
    const dContactGeom &one = found[0], &other = found[std::size_t(i)];
    EXPECT_EQ(other.depth, one.depth);
    EXPECT_EQ(other.normal[2], one.normal[2]);
    const double off = std::hypot(double(other.pos[0] - one.pos[0]), double(other.pos[1] - one.pos[1]));
    EXPECT_LT(off, 0.0031 * kRadius);
    EXPECT_GT(off, 0.0009 * kRadius);
  }
  EXPECT_EQ(collidePlain(4), 3) << "the caller's room";
  dBodySetKinematic(free.get());
  EXPECT_EQ(collidePlain(), 1) << "driven";
  dBodySetDynamic(free.get());
  EXPECT_EQ(collidePlain(), 7);
  dBodySetLinearVel(body_.get(), 0, 0, 0);
  EXPECT_EQ(collidePlain(), 1) << "not stepped yet";
}

}  // namespace
}  // namespace odemesh::test
