#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <odemesh/methods.hpp>

#include "collider/test_meshes.hpp"
#include "contact/placed_mesh.hpp"
#include "eigenvectors.hpp"
#include "mid_phase/methods/obb_tree.hpp"
#include "mid_phase/methods/octree.hpp"
#include "mid_phase/methods/sphere_tree.hpp"
#include "mid_phase/methods/tree_search.hpp"
#include "mid_phase/methods/uniform_grid.hpp"
#include "narrow_phase/intersect_exact.hpp"

namespace odemesh {
namespace {

using namespace test;

/// Every pair through the exact test, in the frame that the collider uses.
std::vector<TrianglePair> bruteForce(const Mesh& mesh1, const Pose& pose1, const Mesh& mesh2,
                                     const Pose& pose2) {
  const MeshPair pair(mesh1, pose1, mesh2, pose2);
  const auto placed = [&](int side, std::uint32_t t) {
    return Triangle{{pair[side].corner(t, 0), pair[side].corner(t, 1), pair[side].corner(t, 2)}};
  };
  std::vector<TrianglePair> out;
  for (std::uint32_t t1 = 0; t1 < mesh1.triangleCount(); ++t1)
    for (std::uint32_t t2 = 0; t2 < mesh2.triangleCount(); ++t2)
      if (trianglesIntersect(placed(0, t1), placed(1, t2)))
        out.push_back({mesh1.inputTriangle(t1), mesh2.inputTriangle(t2)});
  std::sort(out.begin(), out.end());
  return out;
}

class Method : public ::testing::TestWithParam<MidPhase> {
 protected:
  /// Returns the number of pairs that meet.
  std::size_t expectSameAsBruteForce(const MeshPtr& mesh1, const Pose& pose1, const MeshPtr& mesh2,
                                     const Pose& pose2) {
    const PairFinder finder(GetParam(), mesh1, mesh2);
    return expectSameAsBruteForce(finder, *mesh1, pose1, *mesh2, pose2);
  }
  std::size_t expectSameAsBruteForce(const PairFinder& finder, const Mesh& mesh1, const Pose& pose1,
                                     const Mesh& mesh2, const Pose& pose2) {
    const std::vector<TrianglePair> expected = bruteForce(mesh1, pose1, mesh2, pose2);
    std::vector<TrianglePair> found;
    QueryStats stats;
    finder.findAll(pose1, pose2, found, &stats);
    EXPECT_EQ(found, expected);
    EXPECT_EQ(stats.intersecting_pairs, expected.size());
    EXPECT_LE(stats.triangle_tests, mesh1.triangleCount() * mesh2.triangleCount()) << "tested a pair twice";
    const std::optional<TrianglePair> any = finder.findAny(pose1, pose2, &stats);
    EXPECT_EQ(any.has_value(), !expected.empty());
    if (any) {
      EXPECT_TRUE(std::binary_search(expected.begin(), expected.end(), *any));
    }
    EXPECT_LE(stats.intersecting_pairs, 1U);
    return expected.size();
  }
};

TEST_P(Method, AgreesWithBruteForceOnRandomSoups) {
  std::mt19937_64 random(1);
  std::size_t meetings = 0, empty = 0;
  for (int trial = 0; trial < 12; ++trial) {
    const MeshPtr mesh1 = randomSoup(random, 20 + 10 * trial).build();
    const MeshPtr mesh2 = randomSoup(random, 130 - 10 * trial).build();
    const PairFinder finder(GetParam(), mesh1, mesh2);
    for (int k = 0; k < 6; ++k) {
      const std::size_t met =
          expectSameAsBruteForce(finder, *mesh1, randomPose(random, 2), *mesh2, randomPose(random, 2));
      meetings += met;
      empty += met == 0;
    }
  }
  EXPECT_GT(meetings, 100U);
  EXPECT_GT(empty, 3U);
}

TEST_P(Method, AgreesWithBruteForceAtAnyScale) {
  for (const double scale : {1e-60, 1e-3, 1e3, 1e60}) {
    std::mt19937_64 random(2);
    Soup a = randomSoup(random, 60), b = sphereSoup(0.4, 10, 6);
    a.transform({}, scale);
    b.transform({}, scale);
    const MeshPtr mesh1 = a.build(), mesh2 = b.build();
    for (int k = 0; k < 4; ++k)
      EXPECT_GT(expectSameAsBruteForce(mesh1, randomPose(random, 0.3 * scale), mesh2,
                                       randomPose(random, 0.3 * scale)),
                0U);
  }
}

TEST_P(Method, AgreesWithBruteForceBetweenVeryDifferentSizes) {
  std::mt19937_64 random(3);
  const MeshPtr large = sphereSoup(1000, 24, 12).build();
  const MeshPtr small = randomSoup(random, 50).build();
  for (int k = 0; k < 8; ++k) {
    const Pose at{randomRotation(random), large->vertices()[std::size_t(7 * k)]};
    expectSameAsBruteForce(large, {}, small, at);
    expectSameAsBruteForce(small, at, large, {});
  }
}

TEST_P(Method, AgreesWithBruteForceOnTouchingBoxes) {
  const MeshPtr box = boxSoup({1, 1, 1}, 3).build();
  for (const Vec3& offset : {Vec3{1, 0, 0}, Vec3{1, 1, 0}, Vec3{1, 1, 1}, Vec3{1, 0.25, 0}, Vec3{0, 0, 0},
                             Vec3{1 + 1e-15, 0, 0}, Vec3{1 + 1e-9, 0, 0}, Vec3{0, 0, 1.0 / 3}}) {
    const std::size_t met = expectSameAsBruteForce(box, {}, box, {{}, offset});
    EXPECT_EQ(met == 0, offset.x > 1) << offset.x << " " << offset.y << " " << offset.z;
  }
}

TEST_P(Method, AgreesWithBruteForceFarFromTheOrigin) {
  std::mt19937_64 random(4);
  const Vec3 far{1e8, -3e7, 2e8};
  const MeshPtr mesh1 = boxSoup({1, 1, 1}, 3).build(), mesh2 = randomSoup(random, 60).build();
  for (int k = 0; k < 6; ++k) {
    Pose pose1 = randomPose(random, 0.5), pose2 = randomPose(random, 0.5);
    pose1.translation += far;
    pose2.translation += far;
    EXPECT_GT(expectSameAsBruteForce(mesh1, pose1, mesh2, pose2), 0U);
  }
}

TEST_P(Method, AgreesWithBruteForceFarFromTheMeshesOwnOrigins) {
  std::mt19937_64 random(5);
  Soup a = boxSoup({1, 1, 1}, 3), b = randomSoup(random, 60);
  const Vec3 far_a{1e7, -3e6, 2e7}, far_b{-4e6, 1e7, 5e6};
  a.transform({{}, far_a});
  b.transform({{}, far_b});
  const MeshPtr mesh1 = a.build(), mesh2 = b.build();
  for (int k = 0; k < 6; ++k) {
    const Pose turn = randomPose(random, 0.5);
    EXPECT_GT(expectSameAsBruteForce(mesh1, Pose{{}, -far_a}, mesh2, turn * Pose{{}, -far_b}), 0U);
  }
}

TEST_P(Method, AgreesWithBruteForceOnFlatAndCoincidentTriangles) {
  Soup flat;
  for (int i = 0; i < 10; ++i) {
    const double x = i;
    flat.addTriangle({x, 0, 0}, {x + 1, 0, 0}, {x, 1, 0});
    flat.addTriangle({x + 1, 0, 0}, {x + 1, 1, 0}, {x, 1, 0});
  }
  Soup coincident;
  for (int i = 0; i < 40; ++i) coincident.addTriangle({0, 0, 0}, {1, 0, 0}, {0, 1, 0});
  const MeshPtr mesh1 = flat.build(), mesh2 = coincident.build();
  EXPECT_GT(expectSameAsBruteForce(mesh1, {}, mesh1, {{}, {0.5, 0, 0}}), 0U);
  EXPECT_GT(expectSameAsBruteForce(mesh1, {}, mesh2, {{}, {3, 0, 0}}), 0U);
  EXPECT_EQ(expectSameAsBruteForce(mesh2, {}, mesh1, {{}, {0, 0, 1e-9}}), 0U);
}

TEST_P(Method, GivesTheIndicesOfTheInput) {
  Soup soup;
  soup.addTriangle({0, 0, 0}, {0, 0, 0}, {1, 0, 0});  // no area: left out
  soup.addTriangle({0, 0, 0}, {1, 0, 0}, {0, 1, 0});
  const MeshPtr mesh = soup.build();
  std::vector<TrianglePair> found;
  PairFinder(GetParam(), mesh, mesh).findAll({}, {}, found);
  EXPECT_EQ(found, (std::vector<TrianglePair>{{1, 1}}));
}

TEST_P(Method, FindsNothingWithBadInput) {
  const MeshPtr box = boxSoup({1, 1, 1}).build();
  std::vector<TrianglePair> found;
  PairFinder(GetParam(), nullptr, box).findAll({}, {}, found);
  EXPECT_FALSE(PairFinder(GetParam(), box, nullptr).findAny({}, {}));
  EXPECT_EQ(PairFinder(GetParam(), nullptr, nullptr).memoryBytes(), 0U);
  const PairFinder finder(GetParam(), box, box);
  for (const double bad :
       {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()}) {
    EXPECT_FALSE(finder.findAny({{}, {bad, 0, 0}}, {}));
    Pose turned;
    turned.rotation.row[1].y = bad;
    finder.findAll({}, turned, found);
  }
  EXPECT_TRUE(found.empty());
}

INSTANTIATE_TEST_SUITE_P(MidPhase, Method, ::testing::ValuesIn(kMidPhases), [](const auto& method) {
  std::string text(name(method.param));
  std::replace(text.begin(), text.end(), ' ', '_');
  return text;
});

TEST(MidPhase, TreesTestFewerPairsThanAllPairs) {
  const MeshPtr ball = sphereSoup(1, 40, 20).build();
  const std::size_t all = ball->triangleCount() * ball->triangleCount();
  for (const MidPhase method : kMidPhases) {
    QueryStats stats;
    std::vector<TrianglePair> found;
    PairFinder(method, ball, ball).findAll({}, {{}, {1.8, 0.1, 0.2}}, found, &stats);
    EXPECT_FALSE(found.empty());
    if (method == MidPhase::kAllPairs)
      EXPECT_EQ(stats.triangle_tests, all);
    else
      EXPECT_LT(stats.triangle_tests, all / 50) << name(method);
  }
}

// Erratum: the printed key, distance minus the squared sum of radii, mixes units.
TEST(MidPhase, GreedyKeyKeepsItsOrderInAnyUnit) {
  struct Candidate {
    double distance, radius_a, radius_b;
  };
  const Candidate deep{1.0, 0.8, 0.8}, shallow{3.0, 1.6, 1.5};  // overlap by 0.6 and by 0.1
  const auto printed = [](const Candidate& c, double unit) {
    const double r = unit * (c.radius_a + c.radius_b);
    return unit * c.distance - r * r;
  };
  const auto key = [](const Candidate& c, double unit) {
    return overlapKey(unit * c.distance, unit * c.radius_a, unit * c.radius_b);
  };
  for (const double unit : {1e-3, 1.0, 1e3}) EXPECT_LT(key(deep, unit), key(shallow, unit)) << unit;
  EXPECT_LT(printed(deep, 1e-3), printed(shallow, 1e-3));
  EXPECT_GT(printed(deep, 1.0), printed(shallow, 1.0)) << "the printed key is wrong here";
}

TEST(MidPhase, GreedySearchCostsTheSameInAnyUnit) {
  std::size_t tests = 0;
  for (const double unit : {1.0, 1.0 / 1024, 1024.0}) {
    Soup soup = sphereSoup(1, 30, 20);
    soup.transform({}, unit);
    const MeshPtr ball = soup.build();
    QueryStats stats;
    EXPECT_TRUE(
        PairFinder(MidPhase::kSphereTree, ball, ball).findAny({}, {{}, Vec3{1.9, 0.1, 0.2} * unit}, &stats));
    if (tests == 0) tests = stats.box_tests;
    EXPECT_EQ(stats.box_tests, tests);
  }
}

// Erratum: the circumsphere of this sliver has a radius of 125000.
TEST(MidPhase, LeafSpheresStayAsSmallAsTheirTriangles) {
  Soup soup;
  soup.addTriangle({0, 0, 0}, {1, 0, 0}, {0.5, 1e-6, 0});
  soup.addTriangle({2, 0, 0}, {3, 0, 0}, {2, 1, 0});
  const SphereTree tree = buildSphereTree(*soup.build());
  for (std::uint32_t i = 0; i < tree.nodeCount(); ++i) {
    if (tree.isLeaf(i)) {
      EXPECT_LT(tree.radius(i), 1.0);
    }
  }
}

TEST(MidPhase, TreesEncloseTheirTriangles) {
  std::mt19937_64 random(6);
  const MeshPtr mesh = randomSoup(random, 300).build();
  const double slack = 1e-12;
  const auto corner = [&](std::uint32_t t, int i) { return mesh->vertex(t, i) - mesh->sphereCentre(); };
  const auto checkBelow = [&](const auto& tree, std::uint32_t top, const auto& holds) {
    std::vector<std::uint32_t> stack{top};
    while (!stack.empty()) {
      const std::uint32_t i = stack.back();
      stack.pop_back();
      for (std::uint32_t c = 0; c < tree.childCount(i); ++c) stack.push_back(tree.firstChild(i) + c);
      if (!tree.isLeaf(i)) continue;
      for (const std::uint32_t t : tree.items(i))
        for (int k = 0; k < 3; ++k) ASSERT_TRUE(holds(tree.volume(top), corner(t, k)));
    }
  };
  const auto checkAll = [&](const auto& tree, const auto& holds) {
    for (std::uint32_t i = 0; i < tree.nodeCount(); ++i) checkBelow(tree, i, holds);
  };
  checkAll(buildSphereTree(*mesh),
           [&](const BoundingSphere& s, const Vec3& p) { return length(p - s.centre) <= s.r + slack; });
  checkAll(buildObbTree(*mesh), [&](const OrientedBox& b, const Vec3& p) {
    const Vec3 d = b.axes * (p - b.centre);
    return std::abs(d.x) <= b.half.x + slack && std::abs(d.y) <= b.half.y + slack &&
           std::abs(d.z) <= b.half.z + slack;
  });
  checkAll(buildOctree(*mesh), [&](const LooseCube& c, const Vec3& p) {
    const Vec3 d = p - c.centre;
    return std::max({std::abs(d.x), std::abs(d.y), std::abs(d.z)}) <= c.half + slack;
  });
}

TEST(MidPhase, EnclosingSphereIsTheSmallest) {
  const BoundingSphere both = enclose({{-1, 0, 0}, 1}, {{2, 0, 0}, 2});
  EXPECT_DOUBLE_EQ(both.r, 3);
  EXPECT_DOUBLE_EQ(both.centre.x, 1);
  EXPECT_DOUBLE_EQ(enclose({{}, 3}, {{1, 0, 0}, 1}).r, 3);
  EXPECT_DOUBLE_EQ(enclose({{1, 0, 0}, 1}, {{}, 3}).r, 3);
}

TEST(MidPhase, BoxesFollowTheAxesOfCovariance) {
  // A long thin bar, turned: its box has to be as thin as the bar.
  std::mt19937_64 random(7);
  Soup bar = boxSoup({10, 1, 0.1}, 4);
  bar.transform({randomRotation(random), {}});
  const ObbTree tree = buildObbTree(*bar.build());
  const Vec3& h = tree.volume(0).half;
  std::array<double, 3> half{h.x, h.y, h.z};
  std::sort(half.begin(), half.end());
  // Not exactly so: a corner counts as often as it occurs, which depends on the diagonals of the faces.
  EXPECT_NEAR(half[0], 0.05, 0.002);
  EXPECT_NEAR(half[1], 0.5, 0.01);
  EXPECT_NEAR(half[2], 5, 0.01);
}

TEST(MidPhase, EigenvectorsDiagonalise) {
  std::mt19937_64 random(8);
  std::uniform_real_distribution<double> uniform(-1, 1);
  for (int trial = 0; trial < 100; ++trial) {
    Mat3 m;
    const double xy = uniform(random), xz = uniform(random), yz = trial % 3 == 0 ? 0 : uniform(random);
    m = {{{uniform(random), xy, xz}, {xy, uniform(random), yz}, {xz, yz, uniform(random)}}};
    const Mat3 v = eigenvectors(m);
    const Mat3 d = v * m * v.transposed();
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) {
        if (i != j) {
          EXPECT_NEAR(d.row[i][j], 0, 1e-14);
        }
        EXPECT_NEAR(dot(v.row[i], v.row[j]), i == j ? 1 : 0, 1e-14);
      }
  }
}

// Erratum: two triangles that share many cells are one test.
TEST(MidPhase, GridTestsAPairOnce) {
  Soup soup;
  soup.addTriangle({0, 0, 0}, {10, 0, 0}, {0, 10, 0});
  for (int i = 0; i < 200; ++i) {  // small ones, so that cells are small
    const double x = 0.05 * i;
    soup.addTriangle({x, 10, 5}, {x + 0.05, 10, 5}, {x, 10.05, 5.05});
  }
  Soup other;
  other.addTriangle({0, 0, -0.01}, {10, 0, -0.01}, {0, 10, 0.02});
  const MeshPtr mesh1 = soup.build();
  QueryStats stats;
  std::vector<TrianglePair> found;
  PairFinder(MidPhase::kUniformGrid, mesh1, other.build()).findAll({}, {}, found, &stats);
  EXPECT_EQ(found.size(), 1U);
  EXPECT_GT(stats.box_tests, 50U) << "the triangles ought to share many cells";
  EXPECT_LE(stats.triangle_tests, mesh1->triangleCount());
}

TEST(MidPhase, GridCellsAreMeanTriangles) {
  std::vector<Aabb> boxes;
  for (int i = 0; i < 100; ++i) {
    const double x = i, size = i % 2 == 0 ? 0.5 : 1.5;
    boxes.push_back({{x, 0, 0}, {x + size, 2 * size, 3 * size}});
  }
  const UniformGrid grid(boxes);
  EXPECT_NEAR(grid.cellSize().x, 1, 1e-12);
  EXPECT_NEAR(grid.cellSize().y, 2, 1e-12);
  EXPECT_NEAR(grid.cellSize().z, 3, 1e-12);
}

TEST(MidPhase, GridMemoryIsBoundedForTrianglesOfVeryDifferentSizes) {
  std::vector<Aabb> boxes(2000);
  for (std::size_t i = 0; i < boxes.size(); ++i) {
    const double x = 1e-4 * double(i % 1000);
    boxes[i] = i < 1000 ? Aabb{{x, 0, 0}, {x + 1e-7, 1e-7, 1e-7}} : Aabb{{0, 0, 0}, {1, 1, 1}};
    if (i < 1000) boxes[i].grow(Vec3{x, 1e-7, 0});
  }
  boxes.push_back({{0, 0, 0}, {1e6, 1e6, 1e6}});
  const UniformGrid grid(boxes);
  EXPECT_LT(grid.memoryBytes(), boxes.size() * 400);
}

}  // namespace
}  // namespace odemesh
