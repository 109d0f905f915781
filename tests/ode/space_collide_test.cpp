// odemeshSpaceCollide and odemeshSpaceCollideSwept: the pairs that a near callback is called for.
#include <algorithm>
#include <array>
#include <functional>
#include <iterator>
#include <new>
#include <random>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "falling_cube.hpp"

namespace odemesh::test {
namespace {

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

  /// By a joint, which may stop it at any time.
  void hold(dBodyID body) { dJointAttach(dJointCreateBall(world_.get(), nullptr), body, nullptr); }

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

// Of what is held by joints, some pairs could not meet if either were stopped.
TEST_F(SpaceCollideTest, ReportsWhatIsOnTheWay) {
  for (const odemesh::test::Body& body : bodies_) {
    dBodySetLinearVel(body.get(), 0, 0, -30);
    hold(body.get());
  }
  dGeomDisable(geoms_[40].get());  // the plane, which odemeshSpaceCollideSwept leaves to dSpaceCollide
  constexpr auto kStep = dReal(1.0 / 60);
  std::vector<Pair> expected = pairsOfOde(), pairs;
  const std::size_t meeting = expected.size();
  odemeshSpaceCollideSwept(space_.get(), kStep, &expected, collectPair);
  ASSERT_GT(expected.size(), meeting + 10);
  odemeshSpaceCollide(space_.get(), kStep, &pairs, collectPair, nullptr);
  std::vector<Pair> left_out;
  const auto is_reported = [&](const Pair& pair) { return std::ranges::find(pairs, pair) != pairs.end(); };
  std::ranges::remove_copy_if(expected, std::back_inserter(left_out), is_reported);
  std::erase_if(expected, std::not_fn(is_reported));
  EXPECT_EQ(pairs, expected) << "in the same order";
  EXPECT_GT(pairs.size(), meeting);
  EXPECT_TRUE(contactsOf(left_out, kStep).empty());
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
  hold(bodies_[0].get());
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

// A fixed fault: ODE ended the process.
TEST_F(SpaceCollideTest, AGeomIsNoSpace) {
  const auto geom = reinterpret_cast<dSpaceID>(geoms_[0].get());
  std::vector<Pair> pairs;
  EXPECT_EQ(odemeshSpaceCollide(geom, 1, &pairs, collectPair, nullptr), ODEMESH_ERROR_ARGUMENT);
  EXPECT_EQ(odemeshSpaceCollideSwept(geom, 1, &pairs, collectPair), ODEMESH_ERROR_ARGUMENT);
  EXPECT_EQ(odemeshSpaceCollideStruck(geom, 1, nullptr, 0, 0, &pairs, collectPair), ODEMESH_ERROR_ARGUMENT);
  EXPECT_TRUE(pairs.empty());
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
