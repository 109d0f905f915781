#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <odemesh/distance.hpp>

#include "collider/distance_oracle.hpp"
#include "collider/test_meshes.hpp"
#include "narrow_phase/segment_triangle.hpp"
#include "separation/triangle_triangle.hpp"

namespace odemesh {
namespace {

using namespace test;

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr double kInfinity = std::numeric_limits<double>::infinity();

/// The triangle that had index `input` in the input of the mesh.
Triangle placed(const Mesh& mesh, const Pose& pose, std::size_t input) {
  std::size_t t = 0;
  while (mesh.inputTriangle(t) != input) ++t;
  return {{pose.apply(mesh.vertex(t, 0)), pose.apply(mesh.vertex(t, 1)), pose.apply(mesh.vertex(t, 2))}};
}

double bruteForceDistance(const Mesh& mesh1, const Pose& pose1, const Mesh& mesh2, const Pose& pose2) {
  double least = kInfinity;
  for (std::size_t t1 = 0; t1 < mesh1.triangleCount(); ++t1)
    for (std::size_t t2 = 0; t2 < mesh2.triangleCount(); ++t2)
      least =
          std::min(least, triangleSeparation(placed(mesh1, pose1, t1), placed(mesh2, pose2, t2)).distance);
  return least;
}

double distanceFrom(const Triangle& triangle, const Vec3& p) {
  return std::sqrt(static_cast<double>(pointTriangleSq(p, triangle)));
}

void expectWitnesses(const SurfaceDistance& d, const Mesh& mesh1, const Pose& pose1, const Mesh& mesh2,
                     const Pose& pose2, double scale) {
  EXPECT_NEAR(length(d.witness1 - d.witness2), d.distance, 1e-13 * scale);
  EXPECT_NEAR(distanceFrom(placed(mesh1, pose1, d.triangle1), d.witness1), 0, 1e-13 * scale);
  EXPECT_NEAR(distanceFrom(placed(mesh2, pose2, d.triangle2), d.witness2), 0, 1e-13 * scale);
}

TEST(MeshDistance, AgreesWithBruteForce) {
  std::mt19937_64 random(1);
  int apart = 0;
  for (int trial = 0; trial < 40; ++trial) {
    const double scale = std::pow(10, trial % 7 - 3);
    Soup a = randomSoup(random, 20 + trial), b = sphereSoup(0.5, 8 + trial % 5, 6);
    a.transform({}, scale);
    b.transform({}, scale);
    const MeshPtr mesh1 = a.build(), mesh2 = b.build();
    const Pose pose1 = randomPose(random, 5 * scale), pose2 = randomPose(random, 5 * scale);
    const double expected = bruteForceDistance(*mesh1, pose1, *mesh2, pose2);
    const auto found = meshDistance(*mesh1, pose1, *mesh2, pose2);
    ASSERT_TRUE(found);
    EXPECT_NEAR(found->distance, expected, 1e-12 * scale);
    expectWitnesses(*found, *mesh1, pose1, *mesh2, pose2, 10 * scale);
    apart += expected > 0;
  }
  EXPECT_GT(apart, 20);
}

TEST(MeshDistance, BeyondTheRangeOfDoublesIsNone) {
  const MeshPtr box = boxSoup({1, 1, 1}).build();
  constexpr double kFar = std::numeric_limits<double>::max();
  EXPECT_FALSE(meshDistance(*box, {{}, {0, kFar, kFar}}, *box, {}));
  const auto found = meshDistance(*box, {{}, {0, kFar / 4, kFar / 4}}, *box, {});
  ASSERT_TRUE(found);
  EXPECT_NEAR(found->distance / kFar, std::sqrt(0.125), 1e-12);
}

TEST(MeshDistance, OfBoxesIsKnown) {
  const MeshPtr box = boxSoup({1, 1, 1}, 4).build();
  const struct {
    Vec3 offset;
    double distance;
  } cases[] = {{{3, 0, 0}, 2},
               {{1, 0.2, 0}, 0},
               {{2, 2, 0}, std::sqrt(2.0)},
               {{0, 0, -1.5}, 0.5},
               {{2, 2, 2}, std::sqrt(3.0)},
               {{1 + 1e-9, 0, 0}, 1e-9}};
  for (const auto& c : cases) {
    const auto found = meshDistance(*box, {}, *box, {{}, c.offset});
    ASSERT_TRUE(found);
    EXPECT_NEAR(found->distance, c.distance, 1e-15 + 1e-15 * c.distance);
    EXPECT_NEAR(length(found->witness1 - found->witness2), c.distance, 1e-15);
  }
}

TEST(MeshDistance, VectorRunsFromMesh2ToMesh1) {
  const MeshPtr box = boxSoup({1, 1, 1}).build();
  const auto found = meshDistance(*box, {}, *box, {{}, {3, 0, 0}});
  ASSERT_TRUE(found);
  EXPECT_DOUBLE_EQ((found->witness1 - found->witness2).x, -2);
}

TEST(MeshDistance, FarFromTheOriginLosesNothing) {
  const MeshPtr box = boxSoup({1, 1, 1}, 2).build();
  const Vec3 far{1e6, 2e6, -3e6};  // sums with thousandths of 2^-10 are exact here
  const auto found = meshDistance(*box, {{}, far}, *box, {{}, far + Vec3{1.0009765625, 0.25, 0}});
  ASSERT_TRUE(found);
  EXPECT_NEAR(found->distance, 0.0009765625, 1e-15);
}

TEST(MeshDistance, NothingWhereAPointWouldNotBeFinite) {
  const MeshPtr box = boxSoup({1, 1, 1}).build();
  const double greatest = std::numeric_limits<double>::max();
  for (const Vec3& there : {Vec3{greatest, 0, 0}, Vec3{-greatest, greatest, greatest}}) {
    const auto found = meshDistance(*box, {{}, there}, *box, {{}, -there});
    EXPECT_TRUE(!found || (isFinite(found->witness1) && isFinite(found->witness2)));
  }
}

TEST(MeshDistance, UpperBoundCutsTheSearchShort) {
  const MeshPtr ball = sphereSoup(1, 30, 20).build();
  const Pose away{{}, {5, 0, 0}};
  QueryStats full, cut;
  ASSERT_TRUE(meshDistance(*ball, {}, *ball, away, {}, &full));
  DistanceOptions options;
  options.upper_bound = 2;
  EXPECT_FALSE(meshDistance(*ball, {}, *ball, away, options, &cut));
  EXPECT_LT(cut.box_tests, full.box_tests / 10);
  EXPECT_EQ(cut.triangle_tests, 0U);
  options.upper_bound = 3.5;
  EXPECT_TRUE(meshDistance(*ball, {}, *ball, away, options));
  options.upper_bound = 0;
  EXPECT_TRUE(meshDistance(*ball, {}, *ball, {{}, {1, 0, 0}}, options)) << "meshes that meet are at 0";
}

// There, all pairs that are near are measured.
TEST(MeshDistance, ABoundNearTheTruthChangesNothing) {
  std::mt19937_64 random(3);
  for (int trial = 0; trial < 60; ++trial) {
    const double scale = std::pow(10, trial % 7 - 3);
    Soup a = sphereSoup(1, 30, 20), b = trial % 2 == 0 ? sphereSoup(0.5, 9, 7) : boxSoup({0.4, 0.3, 0.5});
    a.transform({}, scale);
    b.transform({}, scale);
    const MeshPtr mesh1 = a.build(), mesh2 = b.build();
    const Vec3 direction = normalised(randomPose(random, 1).translation);
    Pose pose{randomRotation(random), 3 * scale * direction};
    const double gap = std::pow(10, -2.5 - trial % 4) * scale;
    pose.translation = (3 * scale - meshDistance(*mesh1, {}, *mesh2, pose)->distance + gap) * direction;

    const auto expected = meshDistance(*mesh1, {}, *mesh2, pose);
    ASSERT_TRUE(expected);
    DistanceOptions options;
    for (const double factor : {1 + 1e-6, 1.2}) {
      options.upper_bound = factor * expected->distance;
      const auto found = meshDistance(*mesh1, {}, *mesh2, pose, options);
      ASSERT_TRUE(found) << trial;
      EXPECT_NEAR(found->distance, expected->distance, 1e-15 * scale);
      EXPECT_NEAR(length(found->witness1 - found->witness2), found->distance, 1e-13 * scale);
    }
    options.upper_bound = (1 - 1e-6) * expected->distance;
    EXPECT_FALSE(meshDistance(*mesh1, {}, *mesh2, pose, options)) << trial;
  }
}

TEST(MeshDistance, StopsWhenCloseEnough) {
  std::mt19937_64 random(2);
  const MeshPtr ball = sphereSoup(1, 30, 20).build();
  const Pose away{randomRotation(random), {3, 0, 0}};
  QueryStats full, early;
  const double exact = meshDistance(*ball, {}, *ball, away, {}, &full)->distance;
  DistanceOptions options;
  options.stop_at = 1.5;
  const auto found = meshDistance(*ball, {}, *ball, away, options, &early);
  ASSERT_TRUE(found);
  EXPECT_LE(found->distance, 1.5);
  EXPECT_GE(found->distance, exact);
  EXPECT_LT(early.triangle_tests, full.triangle_tests);
}

TEST(MeshDistance, ToleranceIsKept) {
  std::mt19937_64 random(3);
  std::size_t exact_tests = 0, rough_tests = 0;
  for (int trial = 0; trial < 30; ++trial) {
    const MeshPtr a = sphereSoup(1, 24, 16).build(), b = randomSoup(random, 100).build();
    const Pose pose = {randomRotation(random), {3, 0, 0}};
    QueryStats stats;
    const double exact = meshDistance(*a, {}, *b, pose, {}, &stats)->distance;
    exact_tests += stats.box_tests;
    DistanceOptions options;
    options.relative_tolerance = 0.1;
    const double rough = meshDistance(*a, {}, *b, pose, options, &stats)->distance;
    rough_tests += stats.box_tests;
    EXPECT_GE(rough, exact);
    EXPECT_LE(rough, 1.1 * exact);
  }
  EXPECT_LT(rough_tests, exact_tests);
}

TEST(MeshDistance, BadInputFindsNothing) {
  const MeshPtr box = boxSoup({1, 1, 1}).build();
  for (const double bad : {kNan, kInfinity}) {
    EXPECT_FALSE(meshDistance(*box, Pose{{}, {bad, 0, 0}}, *box, {}));
    EXPECT_FALSE(closestPoint(*box, {}, {0, bad, 0}));
    EXPECT_FALSE(castRay(*box, {}, {0, 0, 5}, {0, 0, bad}));
    EXPECT_FALSE(castSegment(*box, {}, {0, 0, bad}, {0, 0, 0}));
  }
  EXPECT_FALSE(closestPoint(*box, {}, {5, 0, 0}, kNan));
  EXPECT_FALSE(castRay(*box, {}, {0, 0, 5}, {}));
  DistanceOptions options;
  options.upper_bound = kNan;
  options.relative_tolerance = -1;
  options.stop_at = kNan;
  EXPECT_DOUBLE_EQ(meshDistance(*box, {}, *box, {{}, {3, 0, 0}}, options)->distance, 2);
  std::vector<SurfaceDistance> pairs;
  closePairs(*box, {}, *box, {}, -1, pairs);
  closePairs(*box, {}, *box, {}, kNan, pairs);
  EXPECT_TRUE(pairs.empty());
}

TEST(MeshDistance, ClosePairsAgreeWithBruteForce) {
  std::mt19937_64 random(4);
  std::size_t total = 0;
  for (int trial = 0; trial < 12; ++trial) {
    const MeshPtr mesh1 = randomSoup(random, 60).build(), mesh2 = boxSoup({1, 1, 1}, 2).build();
    const Pose pose1 = randomPose(random, 2), pose2 = randomPose(random, 2);
    const double limit = 0.05 * trial;
    std::vector<std::pair<std::uint32_t, std::uint32_t>> expected, got;
    for (std::uint32_t t1 = 0; t1 < mesh1->triangleCount(); ++t1)
      for (std::uint32_t t2 = 0; t2 < mesh2->triangleCount(); ++t2)
        if (triangleSeparation(placed(*mesh1, pose1, t1), placed(*mesh2, pose2, t2)).distance <= limit)
          expected.emplace_back(t1, t2);
    std::vector<SurfaceDistance> found;
    closePairs(*mesh1, pose1, *mesh2, pose2, limit, found);
    for (const SurfaceDistance& d : found) {
      got.emplace_back(d.triangle1, d.triangle2);
      expectWitnesses(d, *mesh1, pose1, *mesh2, pose2, 1e4);  // slivers meet at uncertain points
    }
    EXPECT_EQ(got, expected);
    total += got.size();
  }
  EXPECT_GT(total, 200U);
}

TEST(ClosestPoint, AgreesWithBruteForce) {
  std::mt19937_64 random(5);
  const MeshPtr mesh = randomSoup(random, 200).build();
  for (int trial = 0; trial < 200; ++trial) {
    const Pose pose = randomPose(random, 2);
    const Vec3 p = randomPose(random, 3).translation;
    double expected = kInfinity;
    for (std::size_t t = 0; t < mesh->triangleCount(); ++t)
      expected = std::min(expected, distanceFrom(placed(*mesh, pose, t), p));
    const auto found = closestPoint(*mesh, pose, p);
    ASSERT_TRUE(found);
    EXPECT_NEAR(found->distance, expected, 1e-13);
    EXPECT_NEAR(length(found->point - p), expected, 1e-13);
    EXPECT_NEAR(distanceFrom(placed(*mesh, pose, found->triangle), found->point), 0, 1e-13);
    EXPECT_FALSE(closestPoint(*mesh, pose, p, 0.99 * expected));
    EXPECT_TRUE(closestPoint(*mesh, pose, p, 1.01 * expected));
  }
}

// A fixed bug: at a sharp edge the nearest point is one of both faces, and the one that looks away told that
// the point was inside.
TEST(ClosestPoint, TellsTheSideOfTheSurfaceAtSharpEdges) {
  const MeshPtr wedge = wedgeSoup(0.05, 1, 1).build();
  std::mt19937_64 random(9);
  std::uniform_real_distribution<double> along(-0.45, 0.45), off(-1, 1);
  for (int trial = 0; trial < 1000; ++trial) {
    const Pose pose = randomPose(random, 2);
    const Vec3 p{0.1 * off(random), along(random), -0.01 - 0.1 * std::abs(off(random))};
    const auto found = closestPoint(*wedge, pose, pose.apply(p));
    ASSERT_TRUE(found);
    EXPECT_GT(dot(found->normal, pose.apply(p) - found->point), 0) << trial;
  }
}

/// Signs of volumes: a rule that shares nothing with Moller and Trumbore's.
bool crosses(const Triangle& t, const Vec3& p, const Vec3& q) {
  const auto volume = [](const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d) {
    return dot(cross(b - a, c - a), d - a);
  };
  const double at_p = volume(t.v[0], t.v[1], t.v[2], p), at_q = volume(t.v[0], t.v[1], t.v[2], q);
  if (at_p * at_q > 0) return false;
  const double s0 = volume(p, q, t.v[0], t.v[1]), s1 = volume(p, q, t.v[1], t.v[2]),
               s2 = volume(p, q, t.v[2], t.v[0]);
  return (s0 >= 0 && s1 >= 0 && s2 >= 0) || (s0 <= 0 && s1 <= 0 && s2 <= 0);
}

TEST(Cast, SegmentsAgreeWithBruteForce) {
  std::mt19937_64 random(6);
  const MeshPtr mesh = randomSoup(random, 300).build();
  std::size_t hits = 0;
  for (int trial = 0; trial < 300; ++trial) {
    const Pose pose = randomPose(random, 2);
    const Vec3 p = randomPose(random, 3).translation, q = randomPose(random, 3).translation;
    std::vector<std::uint32_t> expected, got;
    for (std::uint32_t t = 0; t < mesh->triangleCount(); ++t)
      if (crosses(placed(*mesh, pose, t), p, q)) expected.push_back(t);
    std::vector<CastHit> found;
    castSegmentAll(*mesh, pose, p, q, found);
    for (const CastHit& hit : found) {
      got.push_back(hit.triangle);
      EXPECT_NEAR(length(p + hit.t * (q - p) - hit.point), 0, 1e-13);
      EXPECT_NEAR(distanceFrom(placed(*mesh, pose, hit.triangle), hit.point), 0, 1e-13);
    }
    EXPECT_TRUE(std::is_sorted(found.begin(), found.end(),
                               [](const CastHit& a, const CastHit& b) { return a.t < b.t; }));
    const auto first = castSegment(*mesh, pose, p, q);
    ASSERT_EQ(first.has_value(), !found.empty());
    if (first) {
      EXPECT_EQ(first->t, found.front().t);
    }
    std::sort(got.begin(), got.end());
    EXPECT_EQ(got, expected);
    hits += got.size();
  }
  EXPECT_GT(hits, 300U);
}

TEST(Cast, RayThroughASphereEntersAndLeaves) {
  const MeshPtr ball = sphereSoup(1, 33, 17).build();
  std::mt19937_64 random(7);
  for (int trial = 0; trial < 50; ++trial) {
    const Pose pose = randomPose(random, 4);
    const Vec3 outside = pose.apply(randomRotation(random) * Vec3{3, 0, 0});
    const Vec3 through = pose.apply(randomPose(random, 0.5).translation);
    std::vector<CastHit> hits;
    castRayAll(*ball, pose, outside, through - outside, hits);
    ASSERT_EQ(hits.size(), 2U);
    EXPECT_LT(dot(hits[0].normal, through - outside), 0);
    EXPECT_GT(dot(hits[1].normal, through - outside), 0);
    const auto first = castRay(*ball, pose, outside, 10 * (through - outside));
    ASSERT_TRUE(first);
    EXPECT_NEAR(first->t * 10, hits[0].t, 1e-13);
    EXPECT_FALSE(castRay(*ball, pose, outside, outside - through));
    EXPECT_FALSE(castSegment(*ball, pose, outside, outside + 0.5 * hits[0].t * (through - outside)));
  }
}

/// Every triangle by itself, in the same arithmetic.
std::vector<std::uint32_t> rayHits(const Mesh& mesh, const Vec3& origin, const Vec3& direction) {
  std::vector<std::uint32_t> out;
  for (std::uint32_t t = 0; t < mesh.triangleCount(); ++t)
    if (intersectRay(origin, direction, {{mesh.vertex(t, 0), mesh.vertex(t, 1), mesh.vertex(t, 2)}}))
      out.push_back(mesh.inputTriangle(t));
  std::sort(out.begin(), out.end());
  return out;
}

TEST(Cast, LosesNoHitAtAnyScaleAndFromAnyDistance) {
  std::mt19937_64 random(8);
  std::uniform_real_distribution<double> unit(-1, 1);
  std::size_t hits = 0;
  for (const double scale : {1e-6, 1.0, 1e6}) {
    Soup soup = sphereSoup(scale, 33, 17);
    for (Vec3& v : soup.vertices) v += Vec3{3, -2, 5} * scale;
    const MeshPtr mesh = soup.build();
    for (int trial = 0; trial < 600; ++trial) {
      const Vec3 target = trial % 3 == 0
                              ? mesh->vertices()[std::size_t(trial) % mesh->vertices().size()]
                              : Vec3{3 + unit(random), -2 + unit(random), 5 + unit(random)} * scale;
      Vec3 direction{unit(random), unit(random), unit(random)};
      if (trial % 5 == 0) direction = {0, 0, trial % 2 == 0 ? 1.0 : -1.0};
      direction *= std::pow(10.0, trial % 7 - 3);
      const double back = std::pow(10.0, trial % 8 - 1) * scale / length(direction);
      const Vec3 origin = target - direction * back;
      std::vector<CastHit> found;
      castRayAll(*mesh, {}, origin, direction, found);
      std::vector<std::uint32_t> got;
      for (const CastHit& hit : found) got.push_back(hit.triangle);
      std::sort(got.begin(), got.end());
      ASSERT_EQ(got, rayHits(*mesh, origin, direction)) << "scale " << scale << ", trial " << trial;
      ASSERT_EQ(castRay(*mesh, {}, origin, direction).has_value(), !found.empty());
      hits += got.size();
    }
  }
  EXPECT_GT(hits, 2000U);
}

TEST(Cast, NothingSlipsThroughEdgesAndVertices) {
  const MeshPtr box = boxSoup({1, 1, 1}, 4).build();
  for (int i = 0; i <= 8; ++i) {
    for (int j = 0; j <= 8; ++j) {
      const Vec3 at{0.125 * i - 0.5, 0.125 * j - 0.5, 2};
      const auto hit = castRay(*box, {}, at, {0, 0, -1});
      ASSERT_TRUE(hit) << i << " " << j;
      EXPECT_DOUBLE_EQ(hit->t, 1.5);
    }
  }
}

TEST(Cast, FarFromTheOriginAndAtAnyScale) {
  for (const double scale : {1e-50, 1e-3, 1.0, 1e6, 1e50}) {
    Soup soup = boxSoup({1, 1, 1}, 2);
    soup.transform({}, scale);
    const MeshPtr box = soup.build();
    const Vec3 far = Vec3{1e6, -2e6, 4e6} * scale;
    const auto hit = castSegment(*box, {{}, far}, far + Vec3{0, 0, 2} * scale, far);
    ASSERT_TRUE(hit);
    EXPECT_NEAR(hit->t, 0.75, 1e-9);
  }
}

}  // namespace
}  // namespace odemesh
