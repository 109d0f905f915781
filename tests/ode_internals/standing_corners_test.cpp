// Which pairs need not be searched for corners that hover.
#include "ode/standing_corners.hpp"

#include <algorithm>
#include <cstddef>
#include <random>
#include <vector>

#include "collider/test_meshes.hpp"
#include "ode/ode_scene.hpp"

namespace odemesh::test {
namespace {

constexpr double kMargin = 1e-3;

/// A box with contacts below its lower corners, at a pose.
class StandingCornersTest : public OdeTest {
 protected:
  explicit StandingCornersTest(const Vec3& size = {1, 1, 1}) : mesh_(boxSoup(size).build()) {
    for (const Vec3& corner : mesh_->vertices())
      if (corner.z < 0) add(corner + Vec3{0, 0, 1e-4});
  }

  void add(const Vec3& at) {
    dContactGeom c{};
    const Vec3 place = pose_.apply(at), normal = pose_.rotate({0, 0, 1});
    for (int i = 0; i < 3; ++i) {
      c.pos[i] = dReal(place[i]);
      c.normal[i] = dReal(normal[i]);
    }
    contacts_.push_back(c);
  }

  [[nodiscard]] bool doAllStand(double margin = kMargin) {
    const bool as_first = ode::doAllCornersStand({contacts_.data(), sizeof(dContactGeom)},
                                                 int(contacts_.size()), 0, *mesh_, pose_, margin);
    for (dContactGeom& c : contacts_)
      for (int i = 0; i < 3; ++i) c.normal[i] = -c.normal[i];
    const bool as_second = ode::doAllCornersStand({contacts_.data(), sizeof(dContactGeom)},
                                                  int(contacts_.size()), 1, *mesh_, pose_, margin);
    EXPECT_EQ(as_first, as_second);
    return as_first;
  }

  std::mt19937_64 random_{3};
  const Pose pose_ = randomPose(random_, 10);
  const MeshPtr mesh_;
  std::vector<dContactGeom> contacts_;
};

TEST_F(StandingCornersTest, OnAllOfThem) {
  ASSERT_EQ(contacts_.size(), 4u);
  EXPECT_TRUE(doAllStand());
}

TEST_F(StandingCornersTest, NotWithoutOne) {
  contacts_.pop_back();
  EXPECT_FALSE(doAllStand());
}

TEST_F(StandingCornersTest, NotBesideThem) {
  contacts_.back().pos[0] += dReal(0.02);
  EXPECT_FALSE(doAllStand());
}

TEST_F(StandingCornersTest, NotOfWhatOthersMayReachThatStandHigher) {
  EXPECT_FALSE(doAllStand(1));
}

class StandingPlateTest : public StandingCornersTest {
 protected:
  StandingPlateTest() : StandingCornersTest({1, 1, 0.02}) {}
};

// A bump in the ground that looks almost the same way may reach its upper corners.
TEST_F(StandingPlateTest, NotOfAThinOne) {
  EXPECT_FALSE(doAllStand());
}

}  // namespace
}  // namespace odemesh::test
