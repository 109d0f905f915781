// odemeshCollideSpeculative and odemeshSpaceCollideSwept, called as a near callback would.
#include <array>
#include <cmath>
#include <limits>

#include "ode_scene.hpp"

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

TEST_F(SpeculativeTest, KeepsToTheRoomThatItIsGiven) {
  EXPECT_EQ(collide(nullptr, 2), 2);
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

TEST_F(SpeculativeTest, SweptPairsAreThoseThatTheSpaceLeavesOut) {
  const auto spaces = [] {
    std::vector<Space> out;
    out.emplace_back(dSimpleSpaceCreate(nullptr));
    out.emplace_back(dHashSpaceCreate(nullptr));
    out.emplace_back(dSweepAndPruneSpaceCreate(nullptr, dSAP_AXES_XYZ));
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

}  // namespace
}  // namespace odemesh::test
