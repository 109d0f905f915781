// Whether the bounds of two meshes meet, against what the queries that they spare would find.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <limits>
#include <odemesh/collide.hpp>
#include <odemesh/distance.hpp>
#include <random>

#include "test_meshes.hpp"

namespace odemesh {
namespace {

using test::boxSoup;

class BoundsTest : public ::testing::Test {
 protected:
  double uniform(double low, double high) {
    return std::uniform_real_distribution<double>(low, high)(random_);
  }
  Vec3 vector(double reach) {
    return {uniform(-reach, reach), uniform(-reach, reach), uniform(-reach, reach)};
  }

  /// Often with axes along those of the world; off from a rotation by up to `drift`.
  Pose pose(double drift) {
    const Vec3 x = normalised(vector(1), {1, 0, 0}), y = normalised(cross(x, vector(1)), {0, 1, 0});
    Pose out{{{x, y, cross(x, y)}}, vector(1.6)};
    if (uniform(0, 1) < 0.3) out.rotation = {};
    for (Vec3& row : out.rotation.row) row += vector(drift);
    return out;
  }

  std::size_t contactCount(const Pose& pose2, double margin = 0) {
    std::array<Contact, 8> out;
    return collide(*box1_, {}, *box2_, pose2, out, nullptr, margin);
  }

  std::mt19937_64 random_{7};
  const test::MeshPtr box1_ = boxSoup({1, 2, 0.5}).build(), box2_ = boxSoup({1.5, 0.3, 0.7}).build();
};

TEST_F(BoundsTest, OfBoxesMeetWhereTheBoxesDo) {
  int apart = 0, meeting = 0;
  for (int i = 0; i < 2000; ++i) {
    const Pose pose2 = pose(0);
    const bool may = mayCollide(*box1_, {}, *box2_, pose2);
    if (contactCount(pose2) > 0) {
      EXPECT_TRUE(may);
      ++meeting;
    } else if (meshDistance(*box1_, {}, *box2_, pose2)->distance > 1e-3) {
      EXPECT_FALSE(may);
      ++apart;
    }
  }
  EXPECT_GT(std::min(apart, meeting), 400);
}

TEST_F(BoundsTest, AreWiderByTheMargin) {
  for (int i = 0; i < 2000; ++i) {
    const Pose pose2 = pose(0);
    if (meshDistance(*box1_, {}, *box2_, pose2)->distance < 0.2) {
      EXPECT_TRUE(mayCollide(*box1_, {}, *box2_, pose2, 0.2));
    }
  }
}

TEST_F(BoundsTest, AllowForRotationsThatHaveDrifted) {
  for (int i = 0; i < 4000; ++i) {
    const Pose pose2 = pose(1e-3);
    if (meshDistance(*box1_, {}, *box2_, pose2)->distance == 0) {
      EXPECT_TRUE(mayCollide(*box1_, {}, *box2_, pose2));
    }
  }
}

// A plate that lies askew in its frame is told apart by its slab, as either of the two.
TEST_F(BoundsTest, OfThinMeshesMeetWhereTheirSlabsDo) {
  const Pose askew = pose(0);
  test::Soup soup = boxSoup({20, 0.02, 20});
  soup.transform(test::randomPose(random_, 0));
  const test::MeshPtr plate = soup.build();
  ASSERT_GT(plate->thinReach(), 0);
  int apart = 0, meeting = 0;
  for (int i = 0; i < 1000; ++i) {
    const bool has_drifted = i % 2 == 0;
    const Pose at = pose(has_drifted ? 1e-3 : 0);
    const bool may = mayCollide(*plate, askew, *box1_, at);
    const bool do_meet = meshDistance(*plate, askew, *box1_, at)->distance == 0;
    if (!has_drifted) {
      EXPECT_EQ(may, do_meet);
      EXPECT_EQ(mayCollide(*box1_, at, *plate, askew), do_meet);
    } else if (do_meet) {
      EXPECT_TRUE(may);
    }
    (may ? meeting : apart) += 1;
  }
  EXPECT_GT(std::min(apart, meeting), 100);
}

TEST_F(BoundsTest, MeetAPlaneBelowTheirLowestCorner) {
  std::array<Contact, 8> out;
  int above = 0;
  for (int i = 0; i < 1000; ++i) {
    const Pose at = pose(0);
    const Vec3 normal = normalised(vector(1), {0, 0, 1});
    const double offset = uniform(-1.5, 1.5);
    double lowest = 10;
    for (const Vec3& v : box1_->vertices()) lowest = std::min(lowest, dot(normal, at.apply(v)) - offset);
    const bool may = mayCollidePlane(*box1_, at, normal, offset);
    if (collidePlane(*box1_, at, normal, offset, out) > 0) {
      EXPECT_TRUE(may);
    }
    if (lowest > 1e-3) {
      EXPECT_FALSE(may);
    }
    above += lowest > 1e-3 ? 1 : 0;
    if (lowest < 0.1) {
      EXPECT_TRUE(mayCollidePlane(*box1_, at, normal, offset, 0.1));
    }
    if (lowest > 0.101) {
      EXPECT_FALSE(mayCollidePlane(*box1_, at, normal, offset, 0.1));
    }
  }
  EXPECT_GT(above, 100);
}

TEST_F(BoundsTest, OfAPoseThatIsNotFiniteMeetNothing) {
  const Pose nowhere{{}, {std::numeric_limits<double>::quiet_NaN(), 0, 0}};
  EXPECT_FALSE(mayCollide(*box1_, nowhere, *box2_, {}));
  EXPECT_FALSE(mayCollide(*box1_, {}, *box2_, nowhere));
  EXPECT_FALSE(mayCollidePlane(*box1_, nowhere, {0, 0, 1}, 0));
  EXPECT_FALSE(mayCollidePlane(*box1_, {}, nowhere.translation, 0));
}

}  // namespace
}  // namespace odemesh
