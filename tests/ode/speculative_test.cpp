// odemeshCollideSpeculative and odemeshSpaceCollideSwept, called as a near callback would.
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <new>
#include <numbers>
#include <random>
#include <stdexcept>
#include <string>

#include "ode_scene.hpp"
#include "ode_tolerance.hpp"

namespace odemesh::test {
namespace {

using Pair = std::pair<dGeomID, dGeomID>;

void collectPair(void* data, dGeomID a, dGeomID b) {
  static_cast<std::vector<Pair>*>(data)->emplace_back(a, b);
}

/// A plate of 20 mm around the origin and a cube of 0.2 m at a height of 0.61 m that falls at 50 m/s.
class SpeculativeTest : public OdeTest {
 protected:
  SpeculativeTest() {
    EXPECT_EQ(odemeshInstall(), ODEMESH_OK);
    dBodySetPosition(body_.get(), 0, 0, dReal(0.61));
    dBodySetLinearVel(body_.get(), 0, 0, -50);
    dGeomSetBody(cube_.get(), body_.get());
  }

  int collide(const dSurfaceParameters* surface = nullptr, int room = 16) {
    return odemeshCollideSpeculative(cube_.get(), plate_.get(), dReal(1.0 / 60), room, surface,
                                     contacts_.data(), sizeof(dContact));
  }

  const Triangles plate_box_ = boxTriangles(10, 10, 0.01F), cube_box_ = boxTriangles(0.1F, 0.1F, 0.1F);
  const MeshData plate_data_ = dataOf(plate_box_), cube_data_ = dataOf(cube_box_);
  const World world_{dWorldCreate()};
  const Body body_{dBodyCreate(world_.get())};
  const Geom plate_ = geomOf(plate_data_), cube_ = geomOf(cube_data_);
  std::array<dContact, 64> contacts_{};
};

TEST_F(SpeculativeTest, CountsPairsThatAreApart) {
  odemeshResetCounters();
  dBodySetLinearVel(body_.get(), 0, 0, 0);
  EXPECT_EQ(collide(), 0);
  dBodySetPosition(body_.get(), 0, 0, 50);
  EXPECT_EQ(collide(), 0);
  EXPECT_EQ(counters().pairs, 2U);
  odemeshUninstall();
  EXPECT_EQ(collide(), 0);
  EXPECT_EQ(counters().pairs, 2U) << "as dCollide would";
}

TEST_F(SpeculativeTest, LetsTheBodyComeAsNearAsItIs) {
  dSurfaceParameters surface{};
  surface.mode = dContactApprox1;
  surface.mu = 0.25;
  const int count = collide(&surface);
  ASSERT_GE(count, 4);
  // 0.5 m of way in a step of 1/60 s, of which three tenths are left.
  EXPECT_NEAR(contacts_[0].surface.motionN, -0.7 * 0.5 * 60, 1e-3);
  for (int i = 0; i < count; ++i) {
    const dContact& c = contacts_[std::size_t(i)];
    EXPECT_EQ(c.surface.mode, dContactApprox1 | dContactMotionN);
    // What holds the centre has no friction.
    EXPECT_TRUE(c.surface.mu == dReal(0.25) || c.surface.mu == 0);
    EXPECT_EQ(c.geom.depth, 0);
    EXPECT_NEAR(c.geom.normal[2], 1, 1e-6);
    EXPECT_EQ(c.geom.g1, cube_.get());
    // The upper corners have 0.7 m to go.
    EXPECT_GE(c.surface.motionN, -0.7 * 60);
  }
}

TEST_F(SpeculativeTest, SwappedGeomsGiveTurnedContacts) {
  const int count = collide();
  std::array<dContact, 16> swapped;
  ASSERT_EQ(odemeshCollideSpeculative(plate_.get(), cube_.get(), dReal(1.0 / 60), 16, nullptr, swapped.data(),
                                      sizeof(dContact)),
            count);
  for (int i = 0; i < count; ++i) EXPECT_NEAR(swapped[std::size_t(i)].geom.normal[2], -1, 1e-6);
}

// A fixed bug: the centre of one was kept in front of the other.
TEST_F(SpeculativeTest, TheGeomsOfABodyDoNotCollide) {
  dGeomSetBody(plate_.get(), body_.get());
  dGeomSetOffsetPosition(plate_.get(), 0, 0, dReal(-0.03));
  EXPECT_EQ(collide(), 0);
  EXPECT_EQ(odemeshCollideSpeculative(cube_.get(), cube_.get(), dReal(1.0 / 60), 16, nullptr,
                                      contacts_.data(), sizeof(dContact)),
            0);
}

TEST_F(SpeculativeTest, KeepsToTheRoomThatItIsGiven) {
  EXPECT_EQ(collide(nullptr, 2), 2);
}

TEST_F(SpeculativeTest, KeepsToTheContactsThatTheOptionsAllowAPair) {
  setContactLimit(2);
  EXPECT_EQ(collide(), 2);
  const Geom plane(dCreatePlane(nullptr, 0, 0, 1, 0));
  EXPECT_EQ(odemeshCollideSpeculative(cube_.get(), plane.get(), dReal(1.0 / 60), 16, nullptr,
                                      contacts_.data(), sizeof(dContact)),
            2);
}

TEST_F(SpeculativeTest, GivesTheOnlyPlaceToWhatKeepsTheCentre) {
  dBodySetPosition(body_.get(), 0, 0, dReal(0.1));
  ASSERT_EQ(collide(nullptr, 1), 1);
  EXPECT_NE(contacts_[0].surface.mode & dContactMotionN, 0);
  dBodySetLinearVel(body_.get(), 0, 0, 0);
  ASSERT_EQ(collide(nullptr, 1), 1);
  EXPECT_GT(contacts_[0].geom.depth, 0);
}

TEST_F(SpeculativeTest, GivesASlowBodyWhatDCollideFinds) {
  dBodySetLinearVel(body_.get(), 0, 0, -1);
  EXPECT_EQ(collide(), 0);
  dBodySetPosition(body_.get(), 0, 0, dReal(0.105));
  std::array<dContactGeom, 16> plain;
  const int count = dCollide(cube_.get(), plate_.get(), 16, plain.data(), sizeof(dContactGeom));
  ASSERT_GT(count, 0);
  ASSERT_EQ(collide(), count);
  for (int i = 0; i < count; ++i) {
    EXPECT_EQ(contacts_[std::size_t(i)].geom.depth, plain[std::size_t(i)].depth);
    EXPECT_EQ(contacts_[std::size_t(i)].surface.mode, 0);
  }
}

// The nearer wall of a crack guards the wedge's centre, and the other one's contacts, which push it towards
// that, were taken for those on the wrong side of a plate: wedges went through their cracks.
TEST_F(SpeculativeTest, BothWallsOfACrackHoldWhatIsSunkIntoThem) {
  const Triangles crack = trianglesOf(crackSoup(0.125, 0.625)), wedge = trianglesOf(wedgeSoup(0.1, 0.5, 1));
  const MeshData crack_data = dataOf(crack), wedge_data = dataOf(wedge);
  const Geom crack_geom = geomOf(crack_data), wedge_geom = geomOf(wedge_data);
  dGeomSetBody(wedge_geom.get(), body_.get());
  dBodySetLinearVel(body_.get(), 0, 0, 0);
  for (const double off : {-0.002, -0.0005, 0.0005, 0.002}) {
    dBodySetPosition(body_.get(), dReal(off), 0, dReal(-0.06));
    for (const auto& [first, second] :
         {Pair{wedge_geom.get(), crack_geom.get()}, Pair{crack_geom.get(), wedge_geom.get()}}) {
      const int count = odemeshCollideSpeculative(first, second, dReal(1.0 / 60), 64, nullptr,
                                                  contacts_.data(), sizeof(dContact));
      const auto holds = [&](double side) {
        return std::any_of(contacts_.begin(), contacts_.begin() + count, [&](const dContact& c) {
          return side * double(c.geom.normal[0]) > 0.9 && c.geom.depth > 0;
        });
      };
      EXPECT_TRUE(holds(1) && holds(-1)) << off;
      EXPECT_TRUE(std::any_of(contacts_.begin(), contacts_.begin() + count,
                              [](const dContact& c) { return (c.surface.mode & dContactMotionN) != 0; }))
          << "no guard at " << off;
    }
  }
}

TEST_F(SpeculativeTest, DisabledBodiesDoNotMove) {
  dBodyDisable(body_.get());
  EXPECT_EQ(collide(), 0);
}

TEST_F(SpeculativeTest, BadArgumentsAndVelocitiesGiveNothing) {
  const auto none = [&](dGeomID a, dGeomID b, double dt, int room, dContact* contacts, int stride) {
    return odemeshCollideSpeculative(a, b, dReal(dt), room, nullptr, contacts, stride) == 0;
  };
  const int size = sizeof(dContact);
  EXPECT_TRUE(none(nullptr, plate_.get(), 0.01, 8, contacts_.data(), size));
  EXPECT_TRUE(none(cube_.get(), nullptr, 0.01, 8, contacts_.data(), size));
  EXPECT_TRUE(none(cube_.get(), plate_.get(), 0, 8, contacts_.data(), size));
  EXPECT_TRUE(none(cube_.get(), plate_.get(), -1, 8, contacts_.data(), size));
  EXPECT_TRUE(none(cube_.get(), plate_.get(), std::nan(""), 8, contacts_.data(), size));
  EXPECT_TRUE(none(cube_.get(), plate_.get(), 0.01, 0, contacts_.data(), size));
  EXPECT_TRUE(none(cube_.get(), plate_.get(), 0.01, 8, nullptr, size));
  EXPECT_TRUE(none(cube_.get(), plate_.get(), 0.01, 8, contacts_.data(), 8));
  EXPECT_STRNE(odemeshLastError(), "");
  for (const double bad : {std::nan(""), std::numeric_limits<double>::infinity()}) {
    dBodySetLinearVel(body_.get(), 0, 0, dReal(bad));
    EXPECT_EQ(collide(), 0);
    dBodySetLinearVel(body_.get(), 0, 0, -50);
    dBodySetAngularVel(body_.get(), 0, dReal(bad), 0);
    EXPECT_EQ(collide(), 0);
    dBodySetAngularVel(body_.get(), 0, 0, 0);
  }
  std::vector<Pair> pairs;
  EXPECT_EQ(odemeshSpaceCollideSwept(nullptr, dReal(0.01), &pairs, collectPair), ODEMESH_ERROR_ARGUMENT);
}

/// One that is smaller than what the tests put into it.
dSpaceID quadTreeSpace() {
  const dVector3 centre{0, 0, 0, 0}, extents{dReal(0.4), dReal(0.4), dReal(0.4), 0};
  return dQuadTreeSpaceCreate(nullptr, centre, extents, 3);
}

TEST_F(SpeculativeTest, SweptPairsAreThoseThatTheSpaceLeavesOut) {
  const auto spaces = [] {
    std::vector<Space> out;
    out.emplace_back(dSimpleSpaceCreate(nullptr));
    out.emplace_back(dHashSpaceCreate(nullptr));
    out.emplace_back(dSweepAndPruneSpaceCreate(nullptr, dSAP_AXES_XYZ));
    out.emplace_back(quadTreeSpace());
    return out;
  }();
  for (const Space& space : spaces) {
    dSpaceSetCleanup(space.get(), 0);
    dSpaceAdd(space.get(), cube_.get());
    dSpaceAdd(space.get(), plate_.get());
    std::vector<Pair> pairs;
    EXPECT_EQ(odemeshSpaceCollideSwept(space.get(), dReal(1.0 / 60), &pairs, collectPair), ODEMESH_OK);
    ASSERT_EQ(pairs.size(), 1U);
    EXPECT_EQ(pairs[0], Pair(cube_.get(), plate_.get()));
    pairs.clear();
    odemeshSpaceCollideSwept(space.get(), dReal(1.0 / 600), &pairs, collectPair);
    EXPECT_TRUE(pairs.empty());
    // In reach of dSpaceCollide.
    dBodySetPosition(body_.get(), 0, 0, dReal(0.1));
    odemeshSpaceCollideSwept(space.get(), dReal(1.0 / 60), &pairs, collectPair);
    EXPECT_TRUE(pairs.empty());
    dBodySetPosition(body_.get(), 0, 0, dReal(0.61));
    dSpaceRemove(space.get(), cube_.get());
    dSpaceRemove(space.get(), plate_.get());
  }
}

TEST_F(SpeculativeTest, SweptPairsAreThoseOfWhatSwingsRoundToo) {
  const Space space(dSimpleSpaceCreate(nullptr));
  dSpaceSetCleanup(space.get(), 0);
  dSpaceAdd(space.get(), cube_.get());
  dSpaceAdd(space.get(), plate_.get());
  dGeomSetOffsetPosition(cube_.get(), 1, 0, 0);
  dBodySetPosition(body_.get(), 0, 0, dReal(0.5));
  dBodySetLinearVel(body_.get(), 0, 0, 0);
  dBodySetAngularVel(body_.get(), 0, 94, 0);  // a quarter of a turn in the step, from beside to below
  std::vector<Pair> pairs;
  EXPECT_EQ(odemeshSpaceCollideSwept(space.get(), dReal(1.0 / 60), &pairs, collectPair), ODEMESH_OK);
  EXPECT_EQ(pairs, std::vector{Pair(cube_.get(), plate_.get())});
  dSpaceRemove(space.get(), cube_.get());
  dSpaceRemove(space.get(), plate_.get());
}

/// A program's own near callback and steps.
struct PlainWorld {
  explicit PlainWorld(dWorldID world_id) : world(world_id) {
    dSpaceSetCleanup(space.get(), 0);
    dWorldSetGravity(world, 0, 0, dReal(-9.81));
    dRandSetSeed(0);
  }

  static void onNear(void* data, dGeomID a, dGeomID b) {
    auto& self = *static_cast<PlainWorld*>(data);
    std::array<dContact, 16> contacts;
    dSurfaceParameters surface{};
    surface.mode = dContactApprox1;
    surface.mu = dReal(0.3);
    const int count = odemeshCollideSpeculative(a, b, kStep, 16, &surface, contacts.data(), sizeof(dContact));
    for (int i = 0; i < count; ++i)
      dJointAttach(dJointCreateContact(self.world, self.joints.get(), &contacts[std::size_t(i)]),
                   dGeomGetBody(a), dGeomGetBody(b));
  }

  void step() {
    dSpaceCollide(space.get(), this, onNear);
    odemeshSpaceCollideSwept(space.get(), kStep, this, onNear);
    dWorldQuickStep(world, kStep);
    dJointGroupEmpty(joints.get());
  }

  static constexpr auto kStep = dReal(1.0 / 60);
  dWorldID world;
  Space space{dSimpleSpaceCreate(nullptr)};
  JointGroup joints{dJointGroupCreate(0)};
};

/// Five cubes on each other with 1 mm between them, as they fall on a plate and are stopped one by the other.
struct FallingStack : PlainWorld {
  FallingStack(dWorldID in, const MeshData& cube, const MeshData& plate, dReal drop)
      : PlainWorld(in), ground(geomOf(plate)) {
    dSpaceAdd(space.get(), ground.get());
    for (int i = 0; i < 5; ++i) {
      Geom& geom = geoms.emplace_back(geomOf(cube));
      bodies.emplace_back(dBodyCreate(in));
      dMass mass;
      dMassSetBox(&mass, 1000, dReal(0.2), dReal(0.2), dReal(0.2));
      dBodySetMass(bodies.back().get(), &mass);
      dGeomSetBody(geom.get(), bodies.back().get());
      dBodySetPosition(bodies.back().get(), 0, 0, dReal(0.11) + drop + dReal(0.201) * dReal(i));
      dSpaceAdd(space.get(), geom.get());
    }
  }

  /// Of neighbours, at its least so far in a run of two seconds.
  double leastDistance() {
    double least = 1;
    for (int i = 0; i < 120; ++i) {
      step();
      for (std::size_t k = 0; k + 1 < bodies.size(); ++k)
        least = std::min(least, double(dBodyGetPosition(bodies[k + 1].get())[2]) -
                                    double(dBodyGetPosition(bodies[k].get())[2]));
    }
    return least;
  }

  Geom ground;
  std::vector<Geom> geoms;
  std::vector<odemesh::test::Body> bodies;
};

// 52 and 104 mm a step: each would run as far into the one that has just been stopped.
TEST_F(SpeculativeTest, AStackThatLandsIsStoppedAsAWhole) {
  for (const dReal drop : {dReal(0.5), dReal(2)}) {
    dGeomSetBody(cube_.get(), nullptr);
    FallingStack stack(world_.get(), cube_data_, plate_data_, drop);
    EXPECT_GT(stack.leastDistance(), 0.2 - 0.05) << drop;
    const dReal* top = dBodyGetPosition(stack.bodies.back().get());
    EXPECT_NEAR(top[2], 0.91, 0.01) << drop;
  }
}

/// A smooth ball of 50 mm that flies at another one of which the closed form tells: with an elastic impact,
/// what it gives that goes along the line of the centres. Steps are of 1/60 s, without gravity.
struct CutShot {
  static constexpr double kRadius = 0.05;

  /// `share` is the way in a step, in radii, and `cut` the angle at the impact between way and line; `phase`
  /// is when in its step that is.
  CutShot(dWorldID world, const MeshData& ball, double share, double cut, double phase)
      : speed(share * kRadius * 60) {
    dWorldSetGravity(world, 0, 0, 0);
    dRandSetSeed(0);
    for (int i = 0; i < 2; ++i) {
      dMass mass;
      dMassSetSphere(&mass, 1000, dReal(kRadius));
      dBodySetMass(bodies.emplace_back(dBodyCreate(world)).get(), &mass);
      dGeomSetBody(geoms.emplace_back(geomOf(ball)).get(), bodies.back().get());
    }
    const double back = 2 * kRadius * std::cos(cut) + share * kRadius * (1 + phase);
    dBodySetPosition(bodies[0].get(), dReal(-back), dReal(2 * kRadius * std::sin(cut)), 0);
    dBodySetLinearVel(bodies[0].get(), dReal(speed), 0, 0);
  }

  void step(dWorldID world) {
    std::array<dContact, 64> contacts;
    dSurfaceParameters surface{};
    surface.mode = dContactBounce;
    surface.bounce = 1;
    surface.bounce_vel = dReal(0.01);
    const JointGroup joints(dJointGroupCreate(0));
    const int count =
        odemeshCollideSpeculative(geoms[0].get(), geoms[1].get(), PlainWorld::kStep, int(contacts.size()),
                                  &surface, contacts.data(), sizeof(dContact));
    for (int i = 0; i < count; ++i)
      dJointAttach(dJointCreateContact(world, joints.get(), &contacts[std::size_t(i)]), bodies[0].get(),
                   bodies[1].get());
    dWorldQuickStep(world, PlainWorld::kStep);
  }

  /// How the flying ball's velocity has changed, in units of what it was.
  [[nodiscard]] Vec3 change() const {
    const dReal* v = dBodyGetLinearVel(bodies[0].get());
    return Vec3{double(v[0]) - speed, double(v[1]), double(v[2])} / speed;
  }

  double speed;
  std::vector<Geom> geoms;
  std::vector<odemesh::test::Body> bodies;
};

/// In degrees, of the change's direction from that of the line of centres, over when the impact is in its
/// step.
[[nodiscard]] double worstCut(dWorldID world, double share, double degrees, bool is_fixed) {
  const Triangles ball =
      ellipsoidTriangles(float(CutShot::kRadius), float(CutShot::kRadius), float(CutShot::kRadius), 48, 24);
  const MeshData data = dataOf(ball);
  const double cut = degrees * std::numbers::pi / 180;
  double worst = 0;
  for (int eighth = 0; eighth < 8; ++eighth) {
    CutShot shot(world, data, share, cut, eighth / 8.0);
    if (is_fixed) dBodySetKinematic(shot.bodies[1].get());
    for (int i = 0; i < int(6 + 8 / share); ++i) shot.step(world);
    const Vec3 change = shot.change();
    worst = std::max(worst, std::abs(std::atan2(change.y, -change.x) - cut) * 180 / std::numbers::pi);
  }
  return worst;
}

// What a fast ball meets at its side is pushed along the line of the centres, at whatever time in the step.
TEST_F(SpeculativeTest, ABallTurnsABallAlongTheLineOfTheirCentres) {
  dGeomSetBody(cube_.get(), nullptr);
  for (const double degrees : {30.0, 45.0})
    for (const double share : {0.3, 0.6, 1.0}) {
      EXPECT_LT(worstCut(world_.get(), share, degrees, true), 5) << degrees << " " << share;
      EXPECT_LT(worstCut(world_.get(), share, degrees, false), share < 1 ? 10 : 15)
          << degrees << " " << share;
    }
}

/// A rod of 1 m along x above the plate. Its right end, 0.1 m up, comes down on it within the step; the left
/// end, 20 mm up, would not, but is brought down as the other one is stopped.
class SlappingRodTest : public SpeculativeTest {
 protected:
  SlappingRodTest() {
    const double right = 0.105 / kStep, left = 0.012 / kStep;
    dMass mass;
    dMassSetBox(&mass, 1000, 1, dReal(0.04), dReal(0.04));
    dBodySetMass(rod_body_.get(), &mass);
    dGeomSetBody(rod_.get(), rod_body_.get());
    dMatrix3 tilt;
    dRFromAxisAndAngle(tilt, 0, 1, 0, dReal(-0.08));
    dBodySetRotation(rod_body_.get(), tilt);
    dBodySetPosition(rod_body_.get(), 0, 0, dReal(0.01 + 0.06 + 0.02));
    dBodySetLinearVel(rod_body_.get(), 0, 0, dReal(-0.5 * (right + left)));
    dBodySetAngularVel(rod_body_.get(), 0, dReal(right - left), 0);
  }

  /// The rows that hold the left end.
  std::vector<dContact> onTheLeft(dGeomID first, dGeomID second, const dSurfaceParameters& surface = {}) {
    const int count = odemeshCollideSpeculative(first, second, dReal(kStep), 64, &surface, contacts_.data(),
                                                sizeof(dContact));
    std::vector<dContact> out;
    std::copy_if(contacts_.begin(), contacts_.begin() + count, std::back_inserter(out),
                 [](const dContact& c) { return c.geom.pos[0] < dReal(-0.4); });
    return out;
  }

  static constexpr double kStep = 1.0 / 60;
  const Triangles rod_box_ = boxTriangles(0.5F, 0.02F, 0.02F);
  const MeshData rod_data_ = dataOf(rod_box_);
  const Body rod_body_{dBodyCreate(world_.get())};
  const Geom rod_ = geomOf(rod_data_);
};

// A fixed bug: it went through.
TEST_F(SlappingRodTest, TheEndThatAnImpactBringsDownIsHeldToo) {
  const Geom plane(dCreatePlane(nullptr, 0, 0, 1, dReal(0.01)));
  for (const dGeomID ground : {plate_.get(), plane.get()})
    for (const bool is_first : {true, false}) {
      const auto rows = is_first ? onTheLeft(rod_.get(), ground) : onTheLeft(ground, rod_.get());
      ASSERT_FALSE(rows.empty());
      for (const dContact& c : rows) {
        EXPECT_NEAR(c.geom.normal[2], is_first ? 1 : -1, 1e-6);
        EXPECT_NEAR(c.surface.motionN, -0.7 * 0.02 / kStep, 0.1);
      }
    }
}

// ODE bounces what approaches before the step.
TEST_F(SlappingRodTest, WhatIsToBounceThereSinksInABit) {
  dSurfaceParameters surface{};
  surface.mode = dContactBounce;
  surface.bounce = dReal(1e-3);  // so little that the rod moves as without it
  const auto rows = onTheLeft(rod_.get(), plate_.get(), surface);
  ASSERT_FALSE(rows.empty());
  const double radius =
      3 * 0.04 * 0.04 / (2 * 0.04 * 0.04 + 4 * 0.04);  // of a sphere with its volume to area
  double motion = -std::numeric_limits<double>::infinity();
  for (const dContact& c : rows) {
    EXPECT_EQ(c.surface.mode & dContactBounce, 0);
    motion = std::max(motion, double(c.surface.motionN));
  }
  EXPECT_NEAR(motion, -(0.7 * 0.02 + 0.25 * radius) / kStep, 0.1);
}

TEST_F(SlappingRodTest, AnEndThatIsNotBroughtDownIsLeftAlone) {
  dBodySetAngularVel(rod_body_.get(), 0, dBodyGetAngularVel(rod_body_.get())[1] + 3, 0);
  EXPECT_TRUE(onTheLeft(rod_.get(), plate_.get()).empty());
}

// A cube at 20 to 100 m/s, past one that rests or slides, at 3 mm above it and at its side.
TEST_F(SpeculativeTest, LeavesAloneWhatIsPassedClosely) {
  const auto run = [&](dReal slide, dReal speed, bool is_above) {
    PlainWorld world(world_.get());
    const odemesh::test::Body slider(dBodyCreate(world_.get()));
    const Geom geom = geomOf(cube_data_);
    dGeomSetBody(geom.get(), slider.get());
    dBodySetPosition(slider.get(), -3, 0, dReal(0.11));
    dBodySetLinearVel(slider.get(), slide, 0, 0);
    dBodySetGravityMode(body_.get(), 0);
    for (dGeomID g : {plate_.get(), geom.get(), cube_.get()}) dSpaceAdd(world.space.get(), g);
    for (int i = 0; i < 48; ++i) {
      if (i % 8 == 0) {
        const dReal* at = dBodyGetPosition(slider.get());
        const dReal off = dReal(0.203), before = speed * (2 + dReal(i) / 48) / 60;
        dBodySetPosition(body_.get(), at[0] - before, is_above ? 0 : off, dReal(is_above ? 0.313 : 0.113));
        dBodySetLinearVel(body_.get(), speed, 0, 0);
      }
      world.step();
    }
    EXPECT_EQ(dBodyGetLinearVel(body_.get())[0], speed);
    std::array<dReal, 6> state;
    std::copy_n(dBodyGetPosition(slider.get()), 3, state.begin());
    std::copy_n(dBodyGetLinearVel(slider.get()), 3, state.begin() + 3);
    for (dGeomID g : {plate_.get(), geom.get(), cube_.get()}) dSpaceRemove(world.space.get(), g);
    return state;
  };
  for (const dReal slide : {dReal(0), dReal(3)}) {
    const auto alone = run(slide, 0, false);
    EXPECT_NEAR(alone[3], slide > 0 ? slide - 0.3 * 9.81 * 48 / 60 : 0, odeTolerance(1e-3, 48 * 1000));
    for (const dReal speed : {dReal(20), dReal(50), dReal(100)})
      for (const bool is_above : {true, false}) EXPECT_EQ(run(slide, speed, is_above), alone) << speed;
  }
}

TEST_F(SpeculativeTest, MeshesWithoutUsableTrianglesGiveNothing) {
  Triangles line = boxTriangles(0.1F, 0.1F, 0.1F);
  for (std::size_t i = 0; i < line.xyz.size(); ++i)
    if (i % 3 != 0) line.xyz[i] = 0;
  const MeshData data = dataOf(line);
  dGeomTriMeshSetData(cube_.get(), data.get());
  dBodySetPosition(body_.get(), 0, 0, 0);
  const Space space(dSimpleSpaceCreate(nullptr));
  dSpaceSetCleanup(space.get(), 0);
  for (const Geom* geom : {&cube_, &plate_}) dSpaceAdd(space.get(), geom->get());
  for (int i = 0; i < 4; ++i) {
    std::vector<Pair> pairs;
    odemeshSpaceCollide(space.get(), dReal(1.0 / 60), &pairs, collectPair, nullptr);
    EXPECT_EQ(pairs.size(), 1U) << "errors are counted at the pair";
    odemeshSpaceCollideSwept(space.get(), dReal(1.0 / 60), &pairs, collectPair);
    EXPECT_EQ(collide(), 0);
  }
  EXPECT_EQ(counters().errors, 4U);
}

/// Geoms at random, some of them in pairs that overlap, and a plane.
class SpaceCollideTest : public SpeculativeTest {
 protected:
  SpaceCollideTest() {
    dSpaceSetCleanup(space_.get(), 0);
    std::mt19937 random(3);
    std::uniform_real_distribution<double> place(-0.5, 0.5);
    for (int i = 0; i < 40; ++i) {
      Geom& geom = geoms_.emplace_back(geomOf(cube_data_));
      bodies_.emplace_back(dBodyCreate(world_.get()));
      dGeomSetBody(geom.get(), bodies_.back().get());
      dBodySetPosition(bodies_.back().get(), dReal(place(random)), dReal(place(random)),
                       dReal(place(random)));
      dMatrix3 turn;
      dRFromAxisAndAngle(turn, 1, dReal(place(random)), dReal(place(random)), dReal(6 * place(random)));
      dBodySetRotation(bodies_.back().get(), turn);
      dSpaceAdd(space_.get(), geom.get());
    }
    geoms_.emplace_back(dCreatePlane(nullptr, 0, 0, 1, 0));
    geoms_.emplace_back(dCreateSphere(nullptr, dReal(0.3)));
    for (std::size_t i = 40; i < geoms_.size(); ++i) dSpaceAdd(space_.get(), geoms_[i].get());
  }

  /// Those whose boxes meet: a sweep-and-prune space reports planes with all others.
  std::vector<Pair> pairsOfOde() {
    std::vector<Pair> out;
    dSpaceCollide(space_.get(), &out, collectPair);
    std::erase_if(out, [](const Pair& pair) {
      dReal a[6], b[6];
      dGeomGetAABB(pair.first, a);
      dGeomGetAABB(pair.second, b);
      return a[0] > b[1] || b[0] > a[1] || a[2] > b[3] || b[2] > a[3] || a[4] > b[5] || b[4] > a[5];
    });
    return out;
  }

  std::vector<dContactGeom> contactsOf(const std::vector<Pair>& pairs, dReal dt) {
    std::vector<dContactGeom> out;
    for (const auto& [a, b] : pairs) {
      const int count = odemeshCollideSpeculative(a, b, dt, 16, nullptr, contacts_.data(), sizeof(dContact));
      for (int i = 0; i < count; ++i) out.push_back(contacts_[std::size_t(i)].geom);
    }
    return out;
  }

  const Space space_{dSweepAndPruneSpaceCreate(nullptr, dSAP_AXES_XYZ)};
  std::vector<odemesh::test::Body> bodies_;
  std::vector<Geom> geoms_;
};

TEST_F(SpaceCollideTest, LeavesOutNothingThatHasContacts) {
  constexpr auto kStep = dReal(1e-3);
  const std::vector<Pair> all = pairsOfOde();
  std::vector<Pair> pairs;
  int apart = -1;
  odemeshSpaceCollide(space_.get(), kStep, &pairs, collectPair, &apart);  // the meshes get known
  for (int round = 0; round < 2; ++round) {
    contactsOf(pairs, kStep);
    pairs.clear();
    ASSERT_EQ(odemeshSpaceCollide(space_.get(), kStep, &pairs, collectPair, &apart), ODEMESH_OK);
  }
  EXPECT_GT(apart, 10);
  EXPECT_EQ(pairs.size() + std::size_t(apart), all.size());
  const auto found = contactsOf(pairs, kStep), expected = contactsOf(all, kStep);
  ASSERT_EQ(found.size(), expected.size());
  for (std::size_t i = 0; i < found.size(); ++i) {
    EXPECT_EQ(found[i].g1, expected[i].g1);
    EXPECT_EQ(found[i].g2, expected[i].g2);
    EXPECT_EQ(found[i].depth, expected[i].depth);
  }
}

// A quadtree space does not tell its geoms one by one.
TEST_F(SpaceCollideTest, FindsTheSameInAQuadTreeSpace) {
  dGeomDisable(geoms_[7].get());
  const auto pairsIn = [](dSpaceID space) {
    std::vector<Pair> out;
    EXPECT_EQ(odemeshSpaceCollide(space, dReal(1e-3), &out, collectPair, nullptr), ODEMESH_OK);
    for (Pair& pair : out)
      if (pair.second < pair.first) std::swap(pair.first, pair.second);
    std::ranges::sort(out);
    return out;
  };
  pairsIn(space_.get());  // the meshes get known
  const std::vector<Pair> expected = pairsIn(space_.get());
  EXPECT_GT(expected.size(), 40U);
  const Space quad(quadTreeSpace());
  dSpaceSetCleanup(quad.get(), 0);
  for (const Geom& geom : geoms_) {
    dSpaceRemove(space_.get(), geom.get());
    dSpaceAdd(quad.get(), geom.get());
  }
  EXPECT_EQ(pairsIn(quad.get()), expected);
}

// Crosses of two bars: their bounds mostly meet where they do not. What the memory of pairs knows of one step
// is left out of the next.
TEST_F(SpaceCollideTest, LeavesOutNoCrossThatComesToTouch) {
  Triangles cross = boxTriangles(0.3F, 0.02F, 0.02F);
  const Triangles other_bar = boxTriangles(0.02F, 0.3F, 0.02F);
  const auto first = static_cast<dTriIndex>(cross.vertexCount());
  cross.xyz.insert(cross.xyz.end(), other_bar.xyz.begin(), other_bar.xyz.end());
  for (const dTriIndex i : other_bar.indices) cross.indices.push_back(first + i);
  const MeshData data = dataOf(cross);
  for (std::size_t i = 0; i < 40; ++i) dGeomTriMeshSetData(geoms_[i].get(), data.get());
  std::mt19937 random(5);
  std::uniform_real_distribution<double> speed(-0.3, 0.3);
  for (const odemesh::test::Body& body : bodies_) {
    dBodySetGravityMode(body.get(), 0);
    dBodySetLinearVel(body.get(), dReal(speed(random)), dReal(speed(random)), dReal(speed(random)));
    dBodySetAngularVel(body.get(), dReal(speed(random)), dReal(speed(random)), dReal(speed(random)));
  }
  constexpr auto kStep = dReal(1e-3);
  std::size_t contacts = 0;
  int apart = 0;
  for (int step = 0; step < 150; ++step) {
    std::vector<Pair> pairs;
    odemeshSpaceCollide(space_.get(), kStep, &pairs, collectPair, &apart);
    const std::vector<dContactGeom> found = contactsOf(pairs, kStep);
    EXPECT_EQ(found.size(), contactsOf(pairsOfOde(), kStep).size()) << "step " << step;
    contacts += found.size();
    dWorldQuickStep(world_.get(), kStep);
  }
  EXPECT_GT(contacts, 1000U);
  // A new installation knows the meshes' bounds alone.
  odemeshUninstall();
  ASSERT_EQ(odemeshInstall(), ODEMESH_OK);
  std::vector<Pair> pairs;
  int apart_by_bounds = 0;
  odemeshSpaceCollide(space_.get(), kStep, &pairs, collectPair, &apart_by_bounds);
  EXPECT_GT(apart, apart_by_bounds + 40) << "known from the steps before";
}

TEST_F(SpaceCollideTest, ReportsWhatIsOnTheWay) {
  for (const odemesh::test::Body& body : bodies_) dBodySetLinearVel(body.get(), 0, 0, -30);
  dGeomDisable(geoms_[40].get());  // the plane, which odemeshSpaceCollideSwept leaves to dSpaceCollide
  constexpr auto kStep = dReal(1.0 / 60);
  std::vector<Pair> expected = pairsOfOde(), pairs;
  const std::size_t meeting = expected.size();
  odemeshSpaceCollideSwept(space_.get(), kStep, &expected, collectPair);
  ASSERT_GT(expected.size(), meeting + 10);
  odemeshSpaceCollide(space_.get(), kStep, &pairs, collectPair, nullptr);
  EXPECT_EQ(pairs, expected) << "no fast mesh is told apart by where it is";
}

// Neither is fast, and their boxes do not meet.
TEST_F(SpaceCollideTest, ReportsWhatFollowsClosely) {
  const Space space(dSimpleSpaceCreate(nullptr));
  dSpaceSetCleanup(space.get(), 0);
  const std::array<std::size_t, 3> column{0, 1, 2};
  for (const std::size_t i : column) {
    dBodySetRotation(bodies_[i].get(), std::array<dReal, 12>{1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0}.data());
    dBodySetPosition(bodies_[i].get(), 0, 0, dReal(0.202) * dReal(i));
    dBodySetLinearVel(bodies_[i].get(), 0, 0, -1);
    dSpaceRemove(space_.get(), geoms_[i].get());
    dSpaceAdd(space.get(), geoms_[i].get());
  }
  constexpr auto kStep = dReal(1.0 / 60);
  std::vector<Pair> pairs, swept;
  odemeshSpaceCollide(space.get(), kStep, &pairs, collectPair, nullptr);
  odemeshSpaceCollideSwept(space.get(), kStep, &swept, collectPair);
  EXPECT_EQ(pairs.size(), 2U);
  EXPECT_EQ(swept, pairs);
  EXPECT_GE(contactsOf(pairs, kStep).size(), 8U);
  for (const std::size_t i : column) dBodySetLinearVel(bodies_[i].get(), 0, 0, 0);
  pairs.clear();
  odemeshSpaceCollide(space.get(), dReal(1.0 / 240), &pairs, collectPair, nullptr);
  EXPECT_TRUE(pairs.empty()) << "they hardly move";
  for (const std::size_t i : column) dSpaceRemove(space.get(), geoms_[i].get());
}

TEST_F(SpaceCollideTest, CountsWhatItLeavesOut) {
  std::vector<Pair> pairs;
  for (int round = 0; round < 2; ++round) {
    odemeshSpaceCollide(space_.get(), dReal(1e-3), &pairs, collectPair, nullptr);
    contactsOf(pairs, dReal(1e-3));
  }
  odemeshResetCounters();
  int apart = 0;
  odemeshSpaceCollide(space_.get(), dReal(1e-3), &pairs, collectPair, &apart);
  EXPECT_EQ(counters().pairs, static_cast<unsigned long long>(apart));
  EXPECT_EQ(odemeshSpaceCollide(nullptr, 1, &pairs, collectPair, nullptr), ODEMESH_ERROR_ARGUMENT);
  EXPECT_EQ(odemeshSpaceCollide(space_.get(), 0, &pairs, collectPair, nullptr), ODEMESH_ERROR_ARGUMENT);
}

TEST_F(SpaceCollideTest, AnExceptionOfTheCallbackBecomesAnError) {
  constexpr auto kStep = dReal(1.0 / 60);
  for (const odemesh::test::Body& body : bodies_) dBodySetLinearVel(body.get(), 0, 0, -30);
  dNearCallback* const refuse = [](void*, dGeomID, dGeomID) { throw std::runtime_error("refused"); };
  dNearCallback* const run_out = [](void*, dGeomID, dGeomID) { throw std::bad_alloc(); };
  EXPECT_EQ(odemeshSpaceCollide(space_.get(), kStep, nullptr, refuse, nullptr), ODEMESH_ERROR_CALLBACK);
  EXPECT_NE(std::string(odemeshLastError()).find("odemeshSpaceCollide"), std::string::npos);
  EXPECT_EQ(odemeshSpaceCollideSwept(space_.get(), kStep, nullptr, refuse), ODEMESH_ERROR_CALLBACK);
  EXPECT_EQ(odemeshSpaceCollide(space_.get(), kStep, nullptr, run_out, nullptr), ODEMESH_ERROR_MEMORY);
}

TEST_F(SpaceCollideTest, ReportsPosesThatAreNotRigid) {
  std::vector<Pair> pairs;
  odemeshSpaceCollide(space_.get(), dReal(1e-3), &pairs, collectPair, nullptr);
  contactsOf(pairs, dReal(1e-3));
  const dReal twice[12] = {2, 0, 0, 0, 0, 2, 0, 0, 0, 0, 2, 0};
  for (std::size_t i = 0; i < 40; ++i) {
    dGeomSetBody(geoms_[i].get(), nullptr);
    dGeomSetRotation(geoms_[i].get(), twice);
  }
  int apart = -1;
  odemeshSpaceCollide(space_.get(), dReal(1e-3), &pairs, collectPair, &apart);
  EXPECT_EQ(apart, 0);
}

}  // namespace
}  // namespace odemesh::test
