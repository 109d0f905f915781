// Bodies that fly behind others: the pairs that odemeshSpaceCollide reports are those that may come about.
#include <algorithm>
#include <array>
#include <tuple>
#include <vector>

#include "falling_cube.hpp"
#include "ode/vec3.hpp"

namespace odemesh::test {
namespace {

constexpr auto kStep = dReal(1.0 / 60);

/// Cubes of 0.2 m that fall at 1 or 20 m/s, 2 mm above each other, from a height.
class FollowersTest : public SpeculativeTest {
 protected:
  FollowersTest() {
    dSpaceSetCleanup(space_.get(), 0);
    addColumn({}, 3);
  }

  void addColumn(const Vec3& at, int count) {
    for (int i = 0; i < count; ++i) {
      Geom& geom = geoms_.emplace_back(geomOf(cube_data_));
      dBodyID body = bodies_.emplace_back(dBodyCreate(world_.get())).get();
      dGeomSetBody(geom.get(), body);
      dBodySetPosition(body, dReal(at.x), dReal(at.y), dReal(at.z + 0.202 * i));
      dSpaceAdd(space_.get(), geom.get());
    }
    setSpeed(1);
  }

  void setSpeed(double speed) {
    for (const odemesh::test::Body& body : bodies_) dBodySetLinearVel(body.get(), 0, 0, dReal(-speed));
  }

  /// How many pairs of cubes are reported.
  int pairsOfCubes() {
    std::vector<Pair> pairs;
    EXPECT_EQ(odemeshSpaceCollide(space_.get(), kStep, &pairs, collectPair, &apart_), ODEMESH_OK);
    return int(std::ranges::count_if(pairs, [](const Pair& pair) {
      return dGeomGetBody(pair.first) != nullptr && dGeomGetBody(pair.second) != nullptr;
    }));
  }

  [[nodiscard]] dBodyID body(std::size_t i) const { return bodies_[i].get(); }

  const Space space_{dSimpleSpaceCreate(nullptr)};
  std::vector<odemesh::test::Body> bodies_;
  std::vector<Geom> geoms_;
  int apart_ = 0;
};

TEST_F(FollowersTest, AreLeftOutWhereNothingStopsThem) {
  for (const double speed : {1, 20}) {
    setSpeed(speed);
    EXPECT_EQ(pairsOfCubes(), 0) << speed;
    EXPECT_GE(apart_, 2) << speed;
  }
}

TEST_F(FollowersTest, RunIntoWhatAMeshStops) {
  dSpaceAdd(space_.get(), plate_.get());
  // The last of three may run into the first one if they are fast.
  for (const auto& [speed, near, pairs] : {std::tuple(1.0, -0.001, 2), std::tuple(20.0, 0.3, 3)}) {
    setSpeed(speed);
    dGeomSetPosition(plate_.get(), 0, 0, dReal(-0.11 - near));
    EXPECT_EQ(pairsOfCubes(), pairs) << speed;
    dGeomSetPosition(plate_.get(), 0, 0, dReal(-0.11 - near - 0.5));
    EXPECT_EQ(pairsOfCubes(), 0) << speed << ", not in this step";
  }
  dSpaceRemove(space_.get(), plate_.get());
}

// ODE reports one that is askew with everything.
TEST_F(FollowersTest, RunIntoWhatAPlaneStops) {
  const Geom plane(dCreatePlane(space_.get(), dReal(0.6), 0, dReal(0.8), dReal(-0.139)));
  EXPECT_EQ(pairsOfCubes(), 2);
  dGeomPlaneSetParams(plane.get(), dReal(0.6), 0, dReal(0.8), dReal(-0.25));
  EXPECT_EQ(pairsOfCubes(), 0);
  dSpaceRemove(space_.get(), plane.get());
}

TEST_F(FollowersTest, RunIntoWhatAPrimitiveStops) {
  const Geom ball(dCreateSphere(space_.get(), dReal(0.5)));
  dGeomSetPosition(ball.get(), 0, 0, dReal(-0.59));
  EXPECT_EQ(pairsOfCubes(), 2);
  dSpaceRemove(space_.get(), ball.get());
}

TEST_F(FollowersTest, RunIntoWhatAJointStops) {
  dJointAttach(dJointCreateSlider(world_.get(), nullptr), body(1), nullptr);
  EXPECT_EQ(pairsOfCubes(), 1) << "what is in front of it flies on";
}

TEST_F(FollowersTest, RunIntoWhatABodyStops) {
  addColumn({0, 0, -0.5}, 1);
  dBodySetLinearVel(body(3), 0, 0, 20);
  EXPECT_EQ(pairsOfCubes(), 3);
}

TEST_F(FollowersTest, OfOneColumnAreNoneOfAnother) {
  addColumn({1, 0, 0}, 3);
  const Geom ball(dCreateSphere(space_.get(), dReal(0.1)));
  dGeomSetPosition(ball.get(), 1, 0, dReal(-0.19));
  EXPECT_EQ(pairsOfCubes(), 2);
  dSpaceRemove(space_.get(), ball.get());
}

// The parts of a body stop each other.
TEST_F(FollowersTest, RunIntoWhatIsStoppedElsewhere) {
  const Geom side = geomOf(cube_data_), ball(dCreateSphere(space_.get(), dReal(0.1)));
  dGeomSetBody(side.get(), body(0));
  dGeomSetOffsetPosition(side.get(), 1, 0, 0);
  dGeomSetPosition(ball.get(), 1, 0, dReal(-0.19));
  dSpaceAdd(space_.get(), side.get());
  EXPECT_EQ(pairsOfCubes(), 2);
  for (dGeomID geom : {side.get(), ball.get()}) dSpaceRemove(space_.get(), geom);
}

// A bin around them, whose walls and floor are far, has a box that they are in.
TEST_F(FollowersTest, AreLeftOutInsideWhatIsHollow) {
  Soup shell = boxSoup({4, 4, 4});
  Soup inner = boxSoup({3.8, 3.8, 3.8});
  for (std::size_t i = 0; i < inner.indices.size(); i += 3) std::swap(inner.indices[i], inner.indices[i + 1]);
  shell.add(inner);
  const Triangles hollow = trianglesOf(shell);
  const MeshData data = dataOf(hollow);
  const Geom bin = geomOf(data);
  dSpaceAdd(space_.get(), bin.get());
  EXPECT_EQ(pairsOfCubes(), 0);
  dGeomSetPosition(bin.get(), 0, 0, dReal(1.801));  // they are 1 mm in its floor
  EXPECT_EQ(pairsOfCubes(), 2);
  dSpaceRemove(space_.get(), bin.get());
}

// dCollide sends out what is wholly inside a solid.
TEST_F(FollowersTest, RunIntoWhatIsInsideASolid) {
  const Triangles block = trianglesOf(boxSoup({4, 4, 4}));
  const MeshData data = dataOf(block);
  const Geom geom = geomOf(data);
  dSpaceAdd(space_.get(), geom.get());
  EXPECT_EQ(pairsOfCubes(), 2);
  dSpaceRemove(space_.get(), geom.get());
}

// What a program does with a subspace is not known.
TEST_F(FollowersTest, AreReportedFromSubspaces) {
  const Space inner(dSimpleSpaceCreate(space_.get()));
  dSpaceSetCleanup(inner.get(), 0);
  dSpaceRemove(space_.get(), geoms_[0].get());
  dSpaceAdd(inner.get(), geoms_[0].get());
  EXPECT_GE(pairsOfCubes(), 1) << "of those outside";
  dSpaceRemove(inner.get(), geoms_[0].get());
}

// A column that lands: none comes deeper into another than contacts let it.
TEST_F(FollowersTest, StandOnceTheyHaveLanded) {
  dSpaceAdd(space_.get(), plate_.get());
  dGeomSetPosition(plate_.get(), 0, 0, dReal(-0.5));
  dWorldSetGravity(world_.get(), 0, 0, dReal(-9.81));
  setSpeed(10);
  double least = 1;
  const JointGroup joints(dJointGroupCreate(0));
  struct Scene {
    dWorldID world;
    dJointGroupID joints;
  } scene{world_.get(), joints.get()};
  const auto attach = [](void* data, dGeomID a, dGeomID b) {
    const auto& s = *static_cast<Scene*>(data);
    dSurfaceParameters surface{};
    surface.mode = dContactApprox1;
    surface.mu = dReal(0.5);
    std::array<dContact, 16> contacts;
    const int count = odemeshCollideSpeculative(a, b, kStep, int(contacts.size()), &surface, contacts.data(),
                                                sizeof(dContact));
    for (int i = 0; i < count; ++i)
      dJointAttach(dJointCreateContact(s.world, s.joints, &contacts[std::size_t(i)]), dGeomGetBody(a),
                   dGeomGetBody(b));
  };
  for (int step = 0; step < 60; ++step) {
    odemeshSpaceCollide(space_.get(), kStep, &scene, attach, nullptr);
    dWorldQuickStep(world_.get(), kStep);
    dJointGroupEmpty(joints.get());
    for (std::size_t i = 0; i < 2; ++i)
      least = std::min(least, double(dBodyGetPosition(body(i + 1))[2] - dBodyGetPosition(body(i))[2]));
  }
  EXPECT_GT(least, 0.2 - 0.01);
  dSpaceRemove(space_.get(), plate_.get());
}

}  // namespace
}  // namespace odemesh::test
