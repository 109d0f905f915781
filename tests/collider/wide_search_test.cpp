// The wide search finds exactly the pairs that brute force finds, on every instruction set, with the same
// bits.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <odemesh/collide.hpp>
#include <odemesh/distance.hpp>
#include <string>

#include "bvh/aabb.hpp"
#include "bvh/wide_tree.hpp"
#include "bvh/wide_walk.hpp"
#include "collider/test_meshes.hpp"
#include "contact/placed_mesh.hpp"
#include "mid_phase/pair_sort.hpp"
#include "mid_phase/wide_pairs.hpp"
#include "narrow_phase/intersect_exact.hpp"
#include "simd/simd_path.hpp"

namespace odemesh::test {
namespace {

/// Puts the machine's own path back at the end.
class WideSearch : public testing::Test {
 protected:
  ~WideSearch() override { setSimdPath(usual_); }

 private:
  SimdPath usual_ = simdPath();
};

struct BoxedTriangle {
  Triangle triangle;
  Aabb box;  ///< of the corners, which are not rounded: boxes that are apart settle a pair, and soon
};

[[nodiscard]] std::vector<BoxedTriangle> placedTriangles(const PlacedMesh& placed) {
  std::vector<BoxedTriangle> out;
  for (std::uint32_t t = 0; t < placed.mesh().triangleCount(); ++t) {
    out.push_back({{{placed.corner(t, 0), placed.corner(t, 1), placed.corner(t, 2)}}, {}});
    for (const std::uint32_t corner : {0, 1, 2}) out.back().box.grow(placed.corner(t, corner));
  }
  return out;
}

[[nodiscard]] std::vector<TrianglePair> bruteForce(const Mesh& a, const Pose& pose_a, const Mesh& b,
                                                   const Pose& pose_b) {
  const MeshPair pair(a, pose_a, b, pose_b);
  const std::vector<BoxedTriangle> first = placedTriangles(pair[0]), second = placedTriangles(pair[1]);
  std::vector<TrianglePair> out;
  for (std::uint32_t i = 0; i < first.size(); ++i)
    for (std::uint32_t j = 0; j < second.size(); ++j)
      if (first[i].box.meets(second[j].box) && trianglesIntersect(first[i].triangle, second[j].triangle))
        out.push_back({a.inputTriangle(i), b.inputTriangle(j)});
  std::sort(out.begin(), out.end());
  return out;
}

/// All paths against brute force; returns the number of pairs.
std::size_t expectExact(const Mesh& a, const Pose& pose_a, const Mesh& b, const Pose& pose_b,
                        const std::string& what) {
  const std::vector<TrianglePair> expected = bruteForce(a, pose_a, b, pose_b);
  for (const SimdPath path : kSimdPaths) {
    if (!isAvailable(path)) continue;
    setSimdPath(path);
    std::vector<TrianglePair> found;
    intersectingTriangles(a, pose_a, b, pose_b, found);
    EXPECT_TRUE(found == expected) << what << ", path " << int(path) << ": " << found.size() << " of "
                                   << expected.size();
    EXPECT_EQ(intersects(a, pose_a, b, pose_b), !expected.empty()) << what << ", path " << int(path);
  }
  return expected.size();
}

struct Emitted {
  std::uint32_t first, second;
  bool sure;
  friend bool operator==(const Emitted&, const Emitted&) = default;
};

[[nodiscard]] std::vector<Emitted> candidates(const Mesh& a, const Mesh& b, const Pose& pose, double margin,
                                              bool any) {
  std::vector<Emitted> out;
  searchTrianglePairs(a.wideTree(), b.wideTree(), pose, margin, any,
                      [&](std::uint32_t first, std::uint32_t second, bool sure) {
                        out.push_back({first, second, sure});
                        return false;
                      });
  return out;
}

[[nodiscard]] Pose moved(Pose pose, const Vec3& by) {
  pose.translation += by;
  return pose;
}

TEST_F(WideSearch, AgreesWithBruteForceOnSoups) {
  std::mt19937_64 random(1);
  std::size_t pairs = 0;
  for (int round = 0; round < 60; ++round) {
    const MeshPtr a = randomSoup(random, 1 + round * 3).build();
    const MeshPtr b = randomSoup(random, 150 - 2 * round).build();
    pairs +=
        expectExact(*a, randomPose(random, 1), *b, randomPose(random, 1), "soup " + std::to_string(round));
  }
  EXPECT_GT(pairs, 1000U);
}

TEST_F(WideSearch, AgreesWithBruteForceAtEveryScaleAndPlace) {
  std::mt19937_64 random(2);
  for (const double scale : {1e-30, 1e-3, 1.0, 1e3, 1e30})
    for (const double away : {0.0, 1e3, 1e8}) {
      Soup sphere = sphereSoup(scale, 16, 12), torus = randomSoup(random, 100);
      const Vec3 offset{away * scale, -away * scale, 2 * away * scale};
      sphere.transform({{}, offset});
      torus.transform({{}, offset}, 2 * scale);
      const MeshPtr a = sphere.build(), b = torus.build();
      ASSERT_TRUE(a && b);
      for (int i = 0; i < 4; ++i) {
        Pose pose = randomPose(random, scale);
        const Vec3 centre = pose.rotate(b->sphereCentre());
        pose.translation += a->sphereCentre() - centre;
        expectExact(*a, {}, *b, pose, "scale " + std::to_string(scale) + ", away " + std::to_string(away));
      }
    }
}

TEST_F(WideSearch, AgreesWithBruteForceOnFacesInOnePlane) {
  const MeshPtr a = boxSoup({1, 1, 1}, 4).build(), b = boxSoup({0.5, 2, 1}, 3).build();
  for (const double shift : {0.0, 1e-16, 1e-12, 1e-8, 1e-5, 0.125, 0.75}) {
    expectExact(*a, {}, *a, {{}, {shift, 0, 1}}, "equal boxes " + std::to_string(shift));
    expectExact(*a, {}, *a, {{}, {0, 0, 1 + shift}}, "resting boxes " + std::to_string(shift));
    expectExact(*a, {}, *b, {{}, {0.75 + shift, shift, 0}}, "two boxes " + std::to_string(shift));
    expectExact(*a, {{}, {1e6, 0, 0}}, *b, {{}, {1e6 + 0.75, shift, shift}}, "far " + std::to_string(shift));
  }
}

TEST_F(WideSearch, AgreesWithBruteForceOnVeryDifferentSizes) {
  std::mt19937_64 random(3);
  const MeshPtr large = boxSoup({1000, 1000, 1}, 6).build();
  for (const double size : {1.0, 1e-3, 1e-6, 1e-20}) {
    Soup small = sphereSoup(size, 9, 6);
    const MeshPtr b = small.build();
    for (int i = 0; i < 5; ++i) {
      Pose pose = randomPose(random, 100);
      pose.translation.z = 0.5 + 0.4 * size * (i - 2);
      expectExact(*large, {}, *b, pose, "size " + std::to_string(size));
      expectExact(*b, pose, *large, {}, "swapped, size " + std::to_string(size));
    }
  }
}

// What stays clear of the slabs of smooth parts is left out; what crosses them, or only just does, is not.
TEST_F(WideSearch, AgreesWithBruteForceOnFineMeshesBesideEachOther) {
  std::mt19937_64 random(9);
  std::uniform_real_distribution<double> uniform(-1, 1);
  const MeshPtr a = sphereSoup(1, 40, 30).build(), b = sphereSoup(0.7, 36, 30).build();
  std::size_t met = 0;
  for (int i = 0; i < 40; ++i) {
    const Vec3 towards = randomRotation(random) * Vec3{0, 0, 1};
    const Pose beside{randomRotation(random), towards * (1.7 + 5e-3 * (uniform(random) - 0.5))};
    const Pose both = randomPose(random, i % 2 == 0 ? 1 : 1e4);
    met += expectExact(*a, both, *b, both * beside, "beside " + std::to_string(i)) > 0 ? 1 : 0;
  }
  EXPECT_GT(met, 5U);
  EXPECT_LT(met, 35U);
}

// The triangles of a large leaf are looked at one by one: the walls of a room, seen from a corner.
TEST_F(WideSearch, AgreesWithBruteForceInCornersOfRooms) {
  std::mt19937_64 random(10);
  std::uniform_real_distribution<double> uniform(-1, 1);
  const MeshPtr room = boxSoup({5, 4, 3}, 1).build(), ball = sphereSoup(0.5, 24, 18).build();
  std::size_t met = 0;
  for (int i = 0; i < 40; ++i) {
    const auto beyond = [&] { return 4e-3 * uniform(random); };
    const Pose pose{randomRotation(random), {2 + beyond(), -1.5 + beyond(), 1 + beyond()}};
    const Pose both = randomPose(random, i % 2 == 0 ? 1 : 1e4);
    met += expectExact(*room, both, *ball, both * pose, "corner " + std::to_string(i)) > 0 ? 1 : 0;
    expectExact(*ball, both * pose, *room, both, "swapped " + std::to_string(i));
  }
  EXPECT_GT(met, 5U);
  EXPECT_LT(met, 40U);
}

// What lies beside a large leaf is left out; what crosses it, or only just does, is not.
TEST_F(WideSearch, AgreesWithBruteForceOnFineMeshesBesideCoarseOnes) {
  std::mt19937_64 random(7);
  std::uniform_real_distribution<double> uniform(-1, 1);
  const MeshPtr coarse = sphereSoup(10, 9, 7).build();
  const MeshPtr fine = sphereSoup(0.5, 40, 30).build();
  std::size_t met = 0;
  for (int i = 0; i < 40; ++i) {
    const std::size_t face = random() % coarse->triangleCount();
    const Vec3 middle = (coarse->vertex(face, 0) + coarse->vertex(face, 1) + coarse->vertex(face, 2)) / 3;
    Pose beside{randomRotation(random), middle + coarse->normal(face) * (0.5 + 1e-3 * uniform(random))};
    const Pose both = randomPose(random, i % 2 == 0 ? 1 : 1e4);
    met += expectExact(*coarse, both, *fine, both * beside, "beside " + std::to_string(i)) > 0 ? 1 : 0;
    expectExact(*fine, both * beside, *coarse, both, "swapped " + std::to_string(i));
  }
  EXPECT_GT(met, 5U);
  EXPECT_LT(met, 35U);
}

// A leaf of eight triangles is as large as its largest one, and so are its error bounds.
TEST_F(WideSearch, AgreesWithBruteForceOnASmallTriangleBesideALargeOne) {
  Soup lone, pair;
  lone.addTriangle({0, 0, 0}, {-1, -1, -2}, {0, -1, 0});
  pair.addTriangle({0, 0, -1}, {0.5, 0.875, 0}, {-0.5, 0.875, 0});
  pair.addTriangle({-96, -96, -96}, {-1, 0, 0}, {-0.5, 0.875, 0});
  const MeshPtr a = lone.build(), b = pair.build();
  expectExact(*a, {}, *b, {}, "beside a large one");
  EXPECT_FALSE(intersects(*a, {}, *b, {}));
  std::mt19937_64 random(6);
  for (int i = 0; i < 300; ++i) {
    Soup soup = randomSoup(random, 7);
    soup.addTriangle({-200, -100, -100}, {-1, 0, 0}, {0, 1, 0});
    expectExact(*randomSoup(random, 8).build(), randomPose(random, 0.5), *soup.build(), {},
                "random " + std::to_string(i));
  }
}

/// A corner, a point of an edge or one of the face.
[[nodiscard]] Vec3 pointOnFeature(std::mt19937_64& random, const PlacedMesh& placed) {
  std::uniform_real_distribution<double> uniform(0, 1);
  const auto t = static_cast<std::uint32_t>(random() % placed.mesh().triangleCount());
  const int i = int(random() % 3);
  const Vec3 a = placed.corner(t, i), b = placed.corner(t, (i + 1) % 3), c = placed.corner(t, (i + 2) % 3);
  const double along = uniform(random), across = uniform(random);
  const std::array<Vec3, 3> points{a, a + (b - a) * along,
                                   a + ((b - a) * along + (c - a) * (1 - along)) * across};
  return points[random() % points.size()];
}

/// Where features all but touch, the bounds of the filter decide: with bounds of the orientations of two
/// edges 30 times tighter, or heights over planes three times, some of these pairs come out wrong.
TEST_F(WideSearch, AgreesWithBruteForceWhereFeaturesAllButTouch) {
  std::mt19937_64 random(11);
  std::uniform_real_distribution<double> uniform(-1, 1);
  std::size_t pairs = 0;
  for (int round = 0; round < 20000; ++round) {
    Soup first = randomSoup(random, 1 + int(random() % 8)),
         second = randomSoup(random, 1 + int(random() % 8));
    second.transform({}, std::pow(10, 1.5 * uniform(random)));
    const MeshPtr a = first.build(), b = second.build();
    if (!a || !b) continue;
    Pose pose{randomRotation(random), {}};
    const Vec3 gap = pointOnFeature(random, {*a, {}}) - pointOnFeature(random, {*b, pose});
    const Vec3 off{uniform(random), uniform(random), uniform(random)};
    pose.translation = gap + off * std::pow(10, 2.5 * uniform(random) - 6.5);
    pairs += expectExact(*a, {}, *b, pose, "round " + std::to_string(round));
  }
  EXPECT_GT(pairs, 10000U);
}

/// Pairs that a swept search gives, in order.
[[nodiscard]] std::vector<TrianglePair> sweptPairs(const Mesh& a, const Mesh& b, const Pose& pose,
                                                   const Vec3& half_way, double margin) {
  std::vector<TrianglePair> out;
  searchSweptPairs(a.wideTree(), b.wideTree(), pose, half_way, margin,
                   [&](std::uint32_t first, std::uint32_t second, bool sure) {
                     EXPECT_FALSE(sure);
                     out.push_back({a.inputTriangle(first), b.inputTriangle(second)});
                     return false;
                   });
  std::sort(out.begin(), out.end());
  return out;
}

// What meets anywhere on the way is among the pairs, on every path; along the way alone, many pairs are left
// out that a margin of its length has.
TEST_F(WideSearch, GivesAllPairsThatMeetOnAWay) {
  std::mt19937_64 random(12);
  std::uniform_real_distribution<double> uniform(-1, 1);
  std::size_t met = 0, given = 0, within_margin = 0;
  for (int round = 0; round < 24; ++round) {
    const double size = round % 3 == 0 ? 1 : 0.2;
    const MeshPtr a = sphereSoup(1, 24, 18).build();
    const MeshPtr b = (round % 2 == 0 ? sphereSoup(size, 20, 15) : randomSoup(random, 60)).build();
    const Vec3 towards = randomRotation(random) * Vec3{0, 0, 1};
    const Pose pose{randomRotation(random), towards * (1.1 + size)};
    const Vec3 half_way{0.3 * uniform(random), 0.3 * uniform(random), 0.3 * uniform(random)};
    std::vector<TrianglePair> expected;
    for (int i = -10; i <= 10; ++i)
      intersectingTriangles(*a, {}, *b, moved(pose, half_way * (0.1 * i)), expected);
    met += expected.size();
    within_margin += candidates(*a, *b, pose, length(half_way), false).size();
    for (const SimdPath path : kSimdPaths) {
      if (!isAvailable(path)) continue;
      setSimdPath(path);
      const std::vector<TrianglePair> found = sweptPairs(*a, *b, pose, half_way, 0);
      if (path == SimdPath::kScalar) given += found.size();
      const auto isFound = [&](const TrianglePair& p) { return std::ranges::binary_search(found, p); };
      EXPECT_TRUE(std::ranges::all_of(expected, isFound)) << "round " << round << ", path " << int(path);
    }
  }
  EXPECT_GT(met, 5000U);
  EXPECT_LT(2 * given, within_margin);
}

// A margin adds to the way.
TEST_F(WideSearch, GivesAllPairsThatComeCloseOnAWay) {
  const MeshPtr box = boxSoup({1, 1, 1}, 1).build();
  const Vec3 half_way{0, 0, 0.25};
  for (const double away : {1e-3, 1.0, 1e4})
    for (const double gap : {0.249, 0.299, 0.301}) {
      const Pose pose{{}, {0.5, 0.3, 1 + gap}}, both{{}, {away, away, away}};
      const Pose relative = relativePose(both, both * pose);
      EXPECT_EQ(sweptPairs(*box, *box, relative, half_way, 0).empty(), gap > 0.25) << gap;
      EXPECT_EQ(sweptPairs(*box, *box, relative, half_way, 0.05).empty(), gap > 0.3) << gap;
      EXPECT_TRUE(sweptPairs(*box, *box, relative, {0.25, 0.25, 0}, 0.05).empty()) << gap;
    }
}

TEST_F(WideSearch, AgreesWithBruteForceUnderRotationsThatHaveDrifted) {
  std::mt19937_64 random(4);
  const MeshPtr a = sphereSoup(1, 20, 14).build(), b = randomSoup(random, 200).build();
  for (const double drift : {1e-3, 0.3}) {
    Pose pose = randomPose(random, 1);
    pose.rotation.row[0] *= 1 + drift;
    pose.rotation.row[1] += drift * pose.rotation.row[2];
    expectExact(*a, {}, *b, pose, "drift " + std::to_string(drift));
  }
  Pose flat = randomPose(random, 1);
  flat.rotation.row[2] = flat.rotation.row[1];
  expectExact(*a, {}, *b, flat, "a rotation that flattens");
}

// Of all pairs, fused products could leave in one that does not meet, or see less surely that one does: of
// these they do not. What comes first follows from them, and may not be fused.
TEST_F(WideSearch, EveryPathGivesTheSameBits) {
  std::mt19937_64 random(5);
  const MeshPtr a = sphereSoup(1, 40, 30).build(), b = boxSoup({1.2, 0.7, 0.9}, 12).build();
  for (int round = 0; round < 40; ++round) {
    const Pose pose = randomPose(random, 2);
    for (const double margin : {0.0, 1e-5}) {
      for (const bool any : {false, true}) {
        setSimdPath(SimdPath::kScalar);
        const std::vector<Emitted> expected = candidates(*a, *b, pose, margin, any);
        for (const SimdPath path : kSimdPaths) {
          if (!isAvailable(path)) continue;
          setSimdPath(path);
          EXPECT_TRUE(candidates(*a, *b, pose, margin, any) == expected) << round << ", " << int(path);
        }
      }
    }
  }
}

TEST_F(WideSearch, EveryPathGivesTheSameContacts) {
  std::mt19937_64 random(6);
  const MeshPtr a = sphereSoup(1, 30, 20).build(), b = boxSoup({1, 1, 1}, 6).build();
  for (int round = 0; round < 10; ++round) {
    const Pose pose = moved(randomPose(random, 0.5), {0, 0, 1.2});
    setSimdPath(SimdPath::kScalar);
    Contact expected[64], found[64];
    const std::size_t count = collide(*a, {}, *b, pose, expected);
    for (const SimdPath path : kSimdPaths) {
      if (!isAvailable(path)) continue;
      setSimdPath(path);
      ASSERT_EQ(collide(*a, {}, *b, pose, found), count);
      for (std::size_t i = 0; i < count; ++i) {
        EXPECT_TRUE(found[i].position == expected[i].position && found[i].normal == expected[i].normal);
        EXPECT_EQ(found[i].depth, expected[i].depth);
      }
    }
  }
}

TEST_F(WideSearch, EveryPathGivesTheSameDistance) {
  std::mt19937_64 random(9);
  const MeshPtr a = sphereSoup(1, 60, 40).build(), b = boxSoup({1.2, 0.7, 0.9}, 12).build();
  const MeshPtr small = sphereSoup(1e-6, 12, 9).build();
  for (int round = 0; round < 40; ++round) {
    const Pose pose = randomPose(random, 4);
    for (const auto& [first, second] : {std::pair(a, b), std::pair(b, a), std::pair(a, small)}) {
      setSimdPath(SimdPath::kScalar);
      const auto expected = meshDistance(*first, {}, *second, pose);
      ASSERT_TRUE(expected);
      const auto swapped = meshDistance(*second, pose, *first, {});
      EXPECT_NEAR(swapped->distance, expected->distance, 1e-14);
      for (const SimdPath path : kSimdPaths) {
        if (!isAvailable(path)) continue;
        setSimdPath(path);
        const auto found = meshDistance(*first, {}, *second, pose);
        EXPECT_EQ(found->distance, expected->distance);
        EXPECT_TRUE(found->witness1 == expected->witness1 && found->witness2 == expected->witness2);
      }
    }
  }
}

/// The filter has to leave little to exact arithmetic.
TEST_F(WideSearch, MostPairsAreSettledInFloats) {
  const MeshPtr a = sphereSoup(1, 60, 40).build(), b = sphereSoup(1, 50, 50).build();
  std::mt19937_64 random(7);
  const Pose pose{randomRotation(random), {0.9, 0.2, 0.1}};
  std::size_t sure = 0, met = bruteForce(*a, {}, *b, pose).size();
  const std::vector<Emitted> all = candidates(*a, *b, pose, 0, false);
  for (const Emitted& e : all) sure += e.sure;
  EXPECT_GT(met, 100U);
  EXPECT_GT(sure, met * 9 / 10);
  EXPECT_LT(all.size() - sure, met / 5);
}

TEST(SortPairs, AgreesWithComparing) {
  std::mt19937_64 random(10);
  for (const std::size_t count : {0, 1, 63, 64, 65, 1000, 5000})
    for (const std::uint32_t most : {0U, 1U, 255U, 70'000U, 0xffffffffU}) {
      std::uniform_int_distribution<std::uint32_t> first(0, most), second(0, most / 3);
      std::vector<TrianglePair> pairs;
      for (std::size_t i = 0; i < count; ++i) pairs.push_back({first(random), second(random)});
      std::vector<TrianglePair> expected = pairs;
      std::sort(expected.begin(), expected.end());
      sortPairs(pairs);
      EXPECT_TRUE(pairs == expected) << count << " pairs up to " << most;
    }
}

TEST_F(WideSearch, LeavesHoldTheirTriangles) {
  std::mt19937_64 random(8);
  const MeshPtr mesh = randomSoup(random, 300).build();
  const WideTree& tree = mesh->wideTree();
  std::vector<WideChild> stack{tree.nodes()[0].child[0]};
  std::size_t triangles = 0;
  while (!stack.empty()) {
    const WideChild child = stack.back();
    stack.pop_back();
    if (!child.isLeaf()) {
      const WideNode& node = tree.nodes()[child.index()];
      for (int lane = 0; lane < WideTree::kWidth; ++lane)
        if ((node.used >> lane & 1) != 0) stack.push_back(node.child[lane]);
      continue;
    }
    const WideLeaf& leaf = tree.leaves()[child.index()];
    for (unsigned lane = 0; (child.triangles() >> lane & 1) != 0; ++lane, ++triangles) {
      const std::uint32_t t = leaf.first + lane;
      for (int k = 0; k < 3; ++k)
        for (int axis = 0; axis < 3; ++axis) {
          const double exact = (mesh->vertex(t, k)[axis] - tree.origin()[axis]) / tree.scale();
          const double stored = double(leaf.lo[axis]) + double(leaf.step[axis]) * leaf.q[3 * k + axis][lane];
          EXPECT_LE(std::abs(exact - stored), double(leaf.error));
        }
    }
  }
  EXPECT_EQ(triangles, mesh->triangleCount());
}

/// Calls `on_triangle(t)` for all triangles under a box.
template <typename OnTriangle>
void forEachBelow(const WideTree& tree, WideChild child, OnTriangle&& on_triangle) {
  if (child.isLeaf()) return forEachTriangle(tree, child, on_triangle);
  forEachBox(tree, child,
             [&](std::uint32_t number) { forEachBelow(tree, boxOf(tree, number).child, on_triangle); });
}

TEST_F(WideSearch, SlabsHoldTheirTriangles) {
  const MeshPtr mesh = sphereSoup(3, 60, 40).build();
  const WideTree& tree = mesh->wideTree();
  std::size_t slabs = 0, beyond = 0;
  const auto look = [&](std::uint32_t number) {
    const WideNode& node = tree.nodes()[number / WideTree::kWidth];
    const std::uint32_t lane = number % WideTree::kWidth;
    if ((node.thin >> lane & 1) == 0) return;
    ++slabs;
    Vec3 direction;
    for (const auto& [component, codes] : {std::pair{&direction.x, &node.direction[0]},
                                           {&direction.y, &node.direction[1]},
                                           {&direction.z, &node.direction[2]}})
      *component = double((*codes)[lane]) / double(kSlabSteps) - 1;
    forEachBelow(tree, node.child[lane], [&](std::uint32_t t) {
      for (int k = 0; k < 3; ++k) {
        const Vec3 p = (mesh->vertex(t, k) - tree.origin()) / tree.scale();
        beyond += std::abs(dot(direction, p) - double(node.level[lane])) > double(node.thickness[lane]);
      }
    });
  };
  std::vector<std::uint32_t> open{0};
  while (!open.empty()) {
    const std::uint32_t number = open.back();
    open.pop_back();
    look(number);
    if (const WideChild child = boxOf(tree, number).child; !child.isLeaf())
      forEachBox(tree, child, [&](std::uint32_t below) { open.push_back(below); });
  }
  EXPECT_GT(slabs, mesh->triangleCount() / 16);
  EXPECT_EQ(beyond, 0U);
}

}  // namespace
}  // namespace odemesh::test
