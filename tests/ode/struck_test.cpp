// What is struck within a step strikes others in the same step: the pairs that odemeshSpaceCollide and
// odemeshSpaceCollideStruck report again, and what odemeshCollideSpeculative gives for them.
#include <algorithm>
#include <array>
#include <cmath>
#include <span>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "falling_cube.hpp"
#include "ode/vec3.hpp"

namespace odemesh::test {
namespace {

constexpr auto kStep = dReal(1.0 / 60);
constexpr double kRadius = 0.0285, kMass = 0.17;
/// As deep as contacts ahead let anything go on, a quarter of what counts as the thickness of a ball.
constexpr double kMostOverlap = 0.25 * kRadius;

/// How a program collides its space.
enum class Way {
  kAtOnce,   ///< odemeshSpaceCollide, whose callback asks for contacts
  kLater,    ///< pairs are collected and collided, then odemeshSpaceCollideStruck
  kSwapped,  ///< the same, and asks for the geoms in the other order
  kAlone     ///< without looking at what is struck
};

/// Balls without gravity.
class StruckTest : public OdeTest {
 protected:
  StruckTest() {
    EXPECT_EQ(odemeshInstall(), ODEMESH_OK);
    dSpaceSetCleanup(space_.get(), 0);
    dWorldSetCFM(world_.get(), dReal(1e-10));
    dWorldSetQuickStepNumIterations(world_.get(), 50);
    dRandSetSeed(0);
    surface_.mode = dContactApprox1 | dContactBounce;
    surface_.mu = dReal(0.1);
    surface_.bounce = dReal(0.5);
  }

  dBodyID addBall(const Vec3& at, const Vec3& velocity = {}) {
    Geom& geom = geoms_.emplace_back(geomOf(ball_data_));
    Body& body = bodies_.emplace_back(dBodyCreate(world_.get()));
    dMass mass;
    dMassSetSphereTotal(&mass, dReal(kMass), dReal(kRadius));
    dBodySetMass(body.get(), &mass);
    dGeomSetBody(geom.get(), body.get());
    dBodySetPosition(body.get(), dReal(at.x), dReal(at.y), dReal(at.z));
    dBodySetLinearVel(body.get(), dReal(velocity.x), dReal(velocity.y), dReal(velocity.z));
    dSpaceAdd(space_.get(), geom.get());
    return body.get();
  }

  /// The first of four balls flies at the others, which stand in a row along x with gaps between them.
  void addRow(double speed, double gap) {
    addBall({}, {speed, 0, 0});
    for (int i = 0; i < 3; ++i) addBall({0.3 + 2 * kRadius + i * (2 * kRadius + gap), 0, 0});
  }

  void collide(Way way) {
    calls_.clear();
    found_.clear();
    is_swapped_ = way == Way::kSwapped;
    if (way == Way::kAtOnce) {
      ASSERT_EQ(odemeshSpaceCollide(space_.get(), kStep, this, onNear, nullptr), ODEMESH_OK);
      return;
    }
    std::vector<Pair> pairs;
    odemeshSpaceCollide(space_.get(), kStep, &pairs, collectPair, nullptr);
    for (const Pair& pair : pairs) onNear(this, pair.first, pair.second);
    if (way == Way::kAlone) return;
    const std::vector<dContact> contacts = found_;
    ASSERT_EQ(odemeshSpaceCollideStruck(space_.get(), kStep, contacts.data(), int(contacts.size()),
                                        sizeof(dContact), this, onNear),
              ODEMESH_OK);
  }

  void step(Way way = Way::kAtOnce) {
    collide(way);
    dWorldQuickStep(world_.get(), kStep);
    dJointGroupEmpty(joints_.get());
  }

  static void onNear(void* data, dGeomID a, dGeomID b) {
    auto& self = *static_cast<StruckTest*>(data);
    self.calls_.emplace_back(std::min(a, b), std::max(a, b));
    if (self.is_swapped_) std::swap(a, b);
    std::array<dContact, 32> contacts;
    const int count = odemeshCollideSpeculative(a, b, kStep, int(contacts.size()), &self.surface_,
                                                contacts.data(), sizeof(dContact));
    for (const dContact& c : std::span(contacts).first(std::size_t(count))) {
      EXPECT_EQ(c.geom.g1, a);
      EXPECT_EQ(c.geom.g2, b);
      self.found_.push_back(c);
      dJointAttach(dJointCreateContact(self.world_.get(), self.joints_.get(), &c), dGeomGetBody(a),
                   dGeomGetBody(b));
    }
  }

  /// How far neighbours in the row overlap at most in 20 steps, by more than a diameter if one has passed.
  double greatestOverlap(Way way) {
    double out = 0;
    for (int i = 0; i < 20; ++i) {
      step(way);
      for (std::size_t k = 0; k + 1 < bodies_.size(); ++k) out = std::max(out, 2 * kRadius - separation(k));
    }
    return out;
  }

  [[nodiscard]] double x(std::size_t ball) const { return double(dBodyGetPosition(bodies_[ball].get())[0]); }
  /// Of the centres of a ball and the next one; negative if they are not in order.
  [[nodiscard]] double separation(std::size_t ball) const {
    const Vec3 between = ode::vec3(dBodyGetPosition(bodies_[ball + 1].get())) -
                         ode::vec3(dBodyGetPosition(bodies_[ball].get()));
    return std::copysign(length(between), between.x);
  }
  [[nodiscard]] std::vector<double> places() const {
    std::vector<double> out;
    for (const Body& body : bodies_)
      for (int axis = 0; axis < 3; ++axis) out.push_back(double(dBodyGetPosition(body.get())[axis]));
    return out;
  }
  [[nodiscard]] int callsOf(dGeomID a, dGeomID b) const {
    return int(std::ranges::count(calls_, Pair(std::min(a, b), std::max(a, b))));
  }

  const Triangles ball_ = trianglesOf(sphereSoup(kRadius, 24, 12));
  const MeshData ball_data_ = dataOf(ball_);
  const World world_{dWorldCreate()};
  const Space space_{dSimpleSpaceCreate(nullptr)};
  const JointGroup joints_{dJointGroupCreate(0)};
  std::vector<Body> bodies_;
  std::vector<Geom> geoms_;
  dSurfaceParameters surface_{};
  std::vector<Pair> calls_;  ///< of the callback in this step, the lower address first
  std::vector<dContact> found_;
  bool is_swapped_ = false;
};

// Without it, one flies through the next, or through all.
TEST_F(StruckTest, BallsInARowStayInOrder) {
  for (const double gap : {0.001, 0.01, 0.05})
    for (const double speed : {5.0, 20.0, 50.0}) {
      bodies_.clear();
      geoms_.clear();
      addRow(speed, gap);
      EXPECT_LT(greatestOverlap(Way::kAtOnce), kMostOverlap) << gap << " " << speed;
      double momentum = 0;
      for (const Body& body : bodies_) momentum += double(dBodyGetLinearVel(body.get())[0]);
      EXPECT_NEAR(momentum, speed, 1e-5 * speed);
    }
}

TEST_F(StruckTest, WithoutItOneFliesThroughTheNext) {
  addRow(20, 0.001);
  EXPECT_GT(greatestOverlap(Way::kAlone), 2 * kRadius);
}

TEST_F(StruckTest, ProgramsThatCollideLaterGetTheSame) {
  std::vector<std::vector<double>> places;
  for (const Way way : {Way::kAtOnce, Way::kLater}) {
    bodies_.clear();
    geoms_.clear();
    dRandSetSeed(0);
    addRow(20, 0.01);
    for (int i = 0; i < 5; ++i) step(way);
    places.push_back(this->places());
  }
  EXPECT_EQ(places[0], places[1]);
}

TEST_F(StruckTest, TheOrderInWhichAProgramAsksDoesNotMatter) {
  addRow(20, 0.01);
  EXPECT_LT(greatestOverlap(Way::kSwapped), kMostOverlap);
}

// Of a ball that strikes one of three, the callback hears of its own pair once.
TEST_F(StruckTest, OnlyWhatIsStruckIsReportedAgain) {
  addBall({}, {5, 0, 0});
  addBall({0.1, 0, 0});
  addBall({0.1 + 2 * kRadius + 0.01, 0, 0});
  addBall({0.1, 2 * kRadius + 0.005, 0});
  collide(Way::kAtOnce);
  EXPECT_EQ(callsOf(geoms_[0].get(), geoms_[1].get()), 1);
  EXPECT_GE(callsOf(geoms_[1].get(), geoms_[2].get()), 1);
  EXPECT_LE(callsOf(geoms_[1].get(), geoms_[2].get()), 3);
  const std::vector<double> before = places();
  for (int i = 0; i < 5; ++i) step();
  const std::vector<double> after = places();
  EXPECT_TRUE(std::equal(before.begin() + 9, before.end(), after.begin() + 9)) << "the one beside moved";
}

TEST_F(StruckTest, NothingIsReportedAgainWhereNothingIsFast) {
  addBall({}, {0.3, 0, 0});
  addBall({2 * kRadius - 0.0005, 0, 0});
  addBall({4 * kRadius, 0, 0});
  collide(Way::kAtOnce);
  for (std::size_t i = 0; i < 2; ++i) EXPECT_LE(callsOf(geoms_[i].get(), geoms_[i + 1].get()), 1);
  const std::size_t calls = calls_.size();
  collide(Way::kAlone);
  EXPECT_EQ(calls_.size(), calls);
}

/// A slab with a wall across it at x = 0.5, 4 mm thick: one mesh, as a table with its cushion is.
Soup tableSoup() {
  Soup out = boxSoup({2, 2, 0.1});
  Soup wall = boxSoup({0.004, 2, 0.2});
  wall.transform({Mat3{}, {0.5, 0, 0.1}});
  out.add(wall);
  return out;
}

// It touches the slab all the while. The table is where its geom is placed, which has no body.
TEST_F(StruckTest, ABallOnATableDoesNotPassItsCushion) {
  const Triangles table = trianglesOf(tableSoup());
  const MeshData table_data = dataOf(table);
  const Geom table_geom = geomOf(table_data);
  dSpaceAdd(space_.get(), table_geom.get());
  dWorldSetGravity(world_.get(), 0, 0, dReal(-9.81));
  const double height = 0.05 + kRadius - 1e-5;
  for (const Vec3& at : {Vec3{}, Vec3{3, -2, 4}}) {
    bodies_.clear();
    geoms_.clear();
    dGeomSetPosition(table_geom.get(), dReal(at.x), dReal(at.y), dReal(at.z));
    addBall(at + Vec3{0.1, 0, height}, {20, 0, 0});  // not as far as the cushion
    addBall(at + Vec3{0.4, 0, height});
    for (int i = 0; i < 10; ++i) step();
    EXPECT_LT(x(1) - at.x, 0.5 - 0.8 * kRadius);
    EXPECT_LT(x(0), x(1));
  }
  dSpaceRemove(space_.get(), table_geom.get());
}

// Without it, it comes 0.2 m deep, and dCollide would have to bring it back.
TEST_F(StruckTest, ABallIsNotDrivenIntoAPlane) {
  const Geom plane(dCreatePlane(space_.get(), -1, 0, 0, -1));  // what is beyond x = 1 is in it
  addBall({0.6, 0, 0}, {20, 0, 0});
  addBall({0.9, 0, 0});
  for (int i = 0; i < 10; ++i) {
    step();
    EXPECT_LT(x(1), 1 - 0.8 * kRadius);
  }
  dSpaceRemove(space_.get(), plane.get());
}

TEST_F(StruckTest, HoldsTheLimitOfContactsAPair) {
  setContactLimit(4);
  addRow(20, 0.01);
  EXPECT_LT(greatestOverlap(Way::kAtOnce), kRadius);
  for (std::size_t i = 0; i < 3; ++i) {
    const auto is_of = [&](const dContact& c) {
      return c.geom.g1 == geoms_[i].get() && c.geom.g2 == geoms_[i + 1].get();
    };
    EXPECT_LE(std::ranges::count_if(found_, is_of), 4);
  }
}

TEST_F(StruckTest, BadArgumentsAreErrors) {
  const dContact contact{};
  const auto collide = [&](dSpaceID space, double dt, const dContact* contacts, int count, int stride,
                           dNearCallback* callback) {
    return odemeshSpaceCollideStruck(space, dReal(dt), contacts, count, stride, this, callback);
  };
  const int size = sizeof(dContact);
  EXPECT_EQ(collide(space_.get(), 0.01, nullptr, 0, 0, onNear), ODEMESH_OK);
  EXPECT_EQ(collide(nullptr, 0.01, &contact, 1, size, onNear), ODEMESH_ERROR_ARGUMENT);
  EXPECT_NE(std::string(odemeshLastError()).find("odemeshSpaceCollideStruck"), std::string::npos);
  EXPECT_EQ(collide(space_.get(), 0, &contact, 1, size, onNear), ODEMESH_ERROR_ARGUMENT);
  EXPECT_EQ(collide(space_.get(), NAN, &contact, 1, size, onNear), ODEMESH_ERROR_ARGUMENT);
  EXPECT_EQ(collide(space_.get(), 0.01, nullptr, 1, size, onNear), ODEMESH_ERROR_ARGUMENT);
  EXPECT_EQ(collide(space_.get(), 0.01, &contact, -1, size, onNear), ODEMESH_ERROR_ARGUMENT);
  EXPECT_EQ(collide(space_.get(), 0.01, &contact, 1, size - 1, onNear), ODEMESH_ERROR_ARGUMENT);
  EXPECT_EQ(collide(space_.get(), 0.01, &contact, 1, size, nullptr), ODEMESH_ERROR_ARGUMENT);
}

// Both are ODE's to take in a contact joint.
TEST_F(StruckTest, ContactsMayBeTheOtherWayRoundOrHaveNoGeoms) {
  std::vector<std::vector<double>> found;
  for (const bool is_mixed : {false, true}) {
    bodies_.clear();
    geoms_.clear();
    addRow(20, 0.01);
    collide(Way::kAlone);
    std::vector<dContact> contacts = found_;
    contacts.insert(contacts.begin(), contacts[0])->surface.motionN = -1000;  // does not act
    if (is_mixed) {
      for (dContact& contact : std::span(contacts).subspan(1)) {
        dContactGeom& c = contact.geom;
        std::swap(c.g1, c.g2);
        for (int axis = 0; axis < 3; ++axis) c.normal[axis] = -c.normal[axis];
      }
      contacts.emplace_back();
    }
    found_.clear();
    EXPECT_EQ(odemeshSpaceCollideStruck(space_.get(), kStep, contacts.data(), int(contacts.size()),
                                        sizeof(dContact), this, onNear),
              ODEMESH_OK);
    std::vector<double>& speeds = found.emplace_back();
    for (const dContact& c : found_) speeds.push_back(double(c.surface.motionN));
    dJointGroupEmpty(joints_.get());
  }
  EXPECT_FALSE(found[0].empty());
  EXPECT_EQ(found[0], found[1]);
}

TEST_F(StruckTest, AnExceptionOfTheCallbackEndsThePass) {
  addRow(20, 0.01);
  collide(Way::kAlone);
  dJointGroupEmpty(joints_.get());
  const auto refuse = [](void*, dGeomID, dGeomID) { throw std::runtime_error("no"); };
  EXPECT_EQ(odemeshSpaceCollideStruck(space_.get(), kStep, found_.data(), int(found_.size()),
                                      sizeof(dContact), nullptr, refuse),
            ODEMESH_ERROR_CALLBACK);
  EXPECT_LT(greatestOverlap(Way::kAtOnce), kMostOverlap) << "the next pass";
}

}  // namespace
}  // namespace odemesh::test
