// Errata of the documents that the tests of the single stages leave out. Each test evaluates the printed rule
// beside ours, on a case where the printed one is wrong. The others stand beside what they concern: search
// for "erratum" and for tests named Errata.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <odemesh/methods.hpp>
#include <set>

#include "collider/distance_oracle.hpp"
#include "collider/test_meshes.hpp"
#include "mid_phase/methods/sphere_tree.hpp"
#include "mid_phase/methods/tree_search.hpp"
#include "mid_phase/methods/uniform_grid.hpp"
#include "narrow_phase/intersect_edge_plane.hpp"
#include "narrow_phase/intersect_exact.hpp"
#include "narrow_phase/intersect_moller.hpp"
#include "separation/point_triangle.hpp"

namespace odemesh {
namespace {

constexpr double kPrintedEpsilon = 1e-6;  // Nathan gives no figure; the tests hold for any fixed one

Triangle moved(const Triangle& t, double scale, const Vec3& by = {}) {
  return {{scale * t.v[0] + by, scale * t.v[1] + by, scale * t.v[2] + by}};
}

void expectAll(const Triangle& a, const Triangle& b, bool expected, double scale) {
  const TriangleRecord ra = makeTriangleRecord(a), rb = makeTriangleRecord(b);
  EXPECT_EQ(trianglesIntersect(a, b), expected) << "exact, scale " << scale;
  EXPECT_EQ(trianglesIntersectMoller(a, b), expected) << "interval, scale " << scale;
  EXPECT_EQ(trianglesIntersectEdgePlane(ra, rb, PointInTriangle::kBarycentric), expected) << scale;
  EXPECT_EQ(trianglesIntersectEdgePlane(ra, rb, PointInTriangle::kEdgeNormals), expected) << scale;
}

/// Nathan's edge against triangle as printed: the epsilon in the denominator and around every bound.
bool printedEdgePierces(const Vec3& from, const Vec3& edge, const TriangleRecord& t, double in_denominator) {
  const double s = dot(t.normal, t.v[0] - from) / (dot(t.normal, edge) + in_denominator);
  if (!(s > -kPrintedEpsilon && s < 1 + kPrintedEpsilon)) return false;
  for (int i = 0; i < 3; ++i)
    if (dot(t.edge_normal[i], from + s * edge - t.v[i]) >= kPrintedEpsilon) return false;
  return true;
}

bool printedTest(const Triangle& a, const Triangle& b, double in_denominator) {
  const TriangleRecord ra = makeTriangleRecord(a), rb = makeTriangleRecord(b);
  for (int i = 0; i < 3; ++i) {
    if (printedEdgePierces(ra.v[i], ra.edge[i], rb, in_denominator)) return true;
    if (printedEdgePierces(rb.v[i], rb.edge[i], ra, in_denominator)) return true;
  }
  return false;
}

const Triangle kFloor{{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}};

// Nathan: an epsilon in the denominator. With a triangle a micrometre high, it moves the point on the edge.
TEST(Errata, EpsilonInTheDenominatorMovesThePointOnTheEdge) {
  // The edge goes from 1 um above the plane to 1 um below it; halfway, it is inside the floor.
  const Triangle b{{{-0.48, 0.5, 1e-6}, {0.7, 0.5, -1e-6}, {0.1, 3, 4}}};
  ASSERT_TRUE(trianglesIntersect(kFloor, b));
  const TriangleRecord floor = makeTriangleRecord(kFloor);
  const Vec3 edge = b.v[1] - b.v[0];
  EXPECT_TRUE(printedEdgePierces(b.v[0], edge, floor, 0));
  EXPECT_FALSE(printedEdgePierces(b.v[0], edge, floor, kPrintedEpsilon)) << "moved to the end";
  expectAll(kFloor, b, true, 1);
}

// Nathan: 0/0. An edge within the plane gets s = 0 / epsilon = 0: its first corner stands for all of it.
TEST(Errata, EdgeInThePlaneIsNotItsFirstCorner) {
  // The only common points: the edge from (-1, 0.2, 0) to (2, 0.2, 0) lies across the floor.
  const Triangle b{{{-1, 0.2, 0}, {2, 0.2, 0}, {0.5, 0.2, 1}}};
  const TriangleRecord floor = makeTriangleRecord(kFloor);
  EXPECT_FALSE(printedEdgePierces(b.v[0], b.v[1] - b.v[0], floor, kPrintedEpsilon));
  expectAll(kFloor, b, true, 1);
}

// Nathan: absolute epsilons. At 1 mm they join what is apart; at 100 m they are below the rounding and part
// what touches.
TEST(Errata, AbsoluteEpsilonsBreakAtOneMillimetre) {
  // A thousandth of the size beside the floor, and standing through its plane.
  const Triangle beside{{{-0.0005, 0.2, -0.5}, {-0.0005, 0.2, 0.5}, {-1, 0.2, 0}}};
  EXPECT_FALSE(printedTest(kFloor, beside, 0)) << "right at 1 m";
  EXPECT_TRUE(printedTest(moved(kFloor, 1e-3), moved(beside, 1e-3), 0)) << "wrong at 1 mm";
  for (const double scale : {1e-3, 1.0, 100.0})
    expectAll(moved(kFloor, scale), moved(beside, scale), false, scale);
}

TEST(Errata, AbsoluteEpsilonsBreakAtAHundredMetres) {
  // Slanted triangles of 100 m that share a corner, far enough from the origin that the point on the edge
  // rounds by more than a small epsilon: the printed test with one that suits 1 mm (1e-15 m) misses many.
  constexpr double kSuitsOneMillimetre = 1e-15;
  std::mt19937_64 random(51);
  std::uniform_real_distribution<double> uniform(-100, 100);
  const auto point = [&] { return Vec3{uniform(random), uniform(random), uniform(random)}; };
  int missed = 0;
  for (int trial = 0; trial < 1000; ++trial) {
    const Vec3 shared = point();
    const Triangle a{{shared, point(), point()}}, b{{shared, point(), point()}};
    const TriangleRecord rb = makeTriangleRecord(b);
    bool printed = false;
    for (int i = 0; i < 3; i += 2) {  // the two edges of a that end at the shared corner
      const Vec3 from = a.v[i], edge = a.v[(i + 1) % 3] - from;
      const double s = dot(rb.normal, rb.v[0] - from) / dot(rb.normal, edge);
      const Vec3 p = from + s * edge;
      bool inside = s > -kSuitsOneMillimetre && s < 1 + kSuitsOneMillimetre;
      for (int k = 0; k < 3; ++k) inside &= dot(rb.edge_normal[k], p - rb.v[k]) < kSuitsOneMillimetre;
      printed |= inside;
    }
    missed += !printed;
    ASSERT_TRUE(trianglesIntersect(a, b)) << "trial " << trial;
    ASSERT_TRUE(trianglesIntersectMoller(a, b)) << "trial " << trial;
  }
  EXPECT_GT(missed, 50) << "corners that the printed test does not see";
}

// CS277: the circumsphere at the leaves. An obtuse triangle fits into a sphere around its longest edge.
TEST(Errata, CircumsphereIsNotTheSmallestForAnObtuseTriangle) {
  const Triangle obtuse{{{0, 0, 0}, {10, 0, 0}, {5, 1, 0}}};
  const auto edge = [&](int i) { return length(obtuse.v[(i + 1) % 3] - obtuse.v[i]); };
  const double twice_area = length(cross(obtuse.v[1] - obtuse.v[0], obtuse.v[2] - obtuse.v[0]));
  const double circumradius = edge(0) * edge(1) * edge(2) / (2 * twice_area);
  EXPECT_DOUBLE_EQ(circumradius, 13);
  const Vec3 middle{5, 0, 0};  // of the longest edge
  for (const Vec3& corner : obtuse.v) EXPECT_LE(length(corner - middle), 5);
  test::Soup soup;
  soup.addTriangle(obtuse.v[0], obtuse.v[1], obtuse.v[2]);
  EXPECT_LT(buildSphereTree(*soup.build()).radius(0), 5.02);
}

// CS277: the search code treats (node, mesh) of both sides in four copies. One step does: exchanging the
// meshes exchanges the pairs, and opens as many nodes.
TEST(Errata, OneStepServesBothSides) {
  const test::MeshPtr large = test::sphereSoup(2, 24, 12).build(), small = test::sphereSoup(1, 16, 8).build();
  const Pose at{{}, {2.6, 0.3, 0.2}};
  for (const MidPhase method : kMidPhases) {
    std::vector<TrianglePair> found, exchanged;
    PairFinder(method, large, small).findAll({}, at, found);
    PairFinder(method, small, large).findAll(at, {}, exchanged);
    for (TrianglePair& pair : exchanged) std::swap(pair.triangle1, pair.triangle2);
    std::sort(exchanged.begin(), exchanged.end());
    EXPECT_FALSE(found.empty());
    EXPECT_EQ(found, exchanged) << name(method);
  }
}

// Sinjur: "all pairs of triangles in particular cells". A pair that shares cells is then tested in each.
TEST(Errata, PairIsTestedOnceHoweverManyCellsItShares) {
  const test::MeshPtr box = test::boxSoup({1, 1, 1}, 2).build();
  const Pose at{{}, {0.3, 0.2, 0.1}};
  std::vector<Aabb> boxes1(box->triangleCount()), boxes2(box->triangleCount());
  for (std::uint32_t t = 0; t < box->triangleCount(); ++t) {
    for (int i = 0; i < 3; ++i) {
      boxes1[t].grow(box->vertex(t, i));
      boxes2[t].grow(at.apply(box->vertex(t, i)));
    }
  }
  const UniformGrid grid(boxes1);
  std::size_t printed = 0;
  std::set<TrianglePair> pairs;
  for (std::uint32_t t2 = 0; t2 < boxes2.size(); ++t2) {
    const CellRange range = grid.cellsOf(boxes2[t2]);
    for (int z = range.lo[2]; z <= range.hi[2]; ++z)
      for (int y = range.lo[1]; y <= range.hi[1]; ++y)
        for (int x = range.lo[0]; x <= range.hi[0]; ++x)
          for (const std::uint32_t t1 : grid.items(x, y, z)) {
            ++printed;
            pairs.insert({t1, t2});
          }
  }
  EXPECT_GT(printed, pairs.size() * 5 / 4) << "tests by the printed rule";
  QueryStats stats;
  std::vector<TrianglePair> found;
  PairFinder(MidPhase::kUniformGrid, box, box).findAll({}, at, found, &stats);
  EXPECT_FALSE(found.empty());
  EXPECT_LE(stats.triangle_tests, pairs.size());
}

/// The numbers of Eberly's quadratic, under his names.
struct Eberly {
  double a, b, c, d, e;

  Eberly(const Vec3& p, const Triangle& t)
      : a(lengthSq(t.v[1] - t.v[0])),
        b(dot(t.v[1] - t.v[0], t.v[2] - t.v[0])),
        c(lengthSq(t.v[2] - t.v[0])),
        d(dot(t.v[1] - t.v[0], t.v[0] - p)),
        e(dot(t.v[2] - t.v[0], t.v[0] - p)) {}
};

double distanceAt(const Vec3& p, const Triangle& t, double s, double u) {
  return length(t.v[0] + s * (t.v[1] - t.v[0]) + u * (t.v[2] - t.v[0]) - p);
}

// Eberly: "blocks for regions 4 and 6 are similar". Region 2 with s and t exchanged, and nothing else, is not
// region 6: the corner is (1, 0), so that the gradient there is (a + d, b + e), not (b + d, c + e).
TEST(Errata, RegionSixIsNotRegionTwoRenamed) {
  const Triangle t{{{0, 0, 0}, {4, 0, 0}, {7, 4, 0}}};
  const Vec3 p{2.9, -1.6, 0};
  ASSERT_EQ(regionOf(p, t), 6);
  const Eberly q(p, t);
  const double tmp0 = q.b + q.d, tmp1 = q.c + q.e;
  double s = 0, u = 0;
  if (tmp1 > tmp0) {
    u = std::min(1.0, (tmp1 - tmp0) / (q.a - 2 * q.b + q.c));
    s = 1 - u;
  } else {
    s = tmp1 <= 0 ? 1 : q.e >= 0 ? 0 : -q.e / q.c;
  }
  EXPECT_DOUBLE_EQ(std::sqrt(closestOnTriangle(p, t).distance_sq), 1.6);
  EXPECT_GT(distanceAt(p, t, s, u), 1.1 * 1.6);
}

// The same for region 4: both of its edges start at (0, 0), where the gradient is (d, e), and s + t = 1 is
// not one of them.
TEST(Errata, RegionFourIsNotRegionTwoRenamed) {
  const Triangle t{{{0, 0, 0}, {4, 0, 0}, {-3, 4, 0}}};
  const Vec3 p{1, -1.5, 0};
  ASSERT_EQ(regionOf(p, t), 4);
  const Eberly q(p, t);
  const double tmp0 = q.b + q.d, tmp1 = q.c + q.e;
  ASSERT_GT(tmp1, tmp0) << "the renamed block takes the edge s + t = 1";
  const double s = std::min(1.0, (tmp1 - tmp0) / (q.a - 2 * q.b + q.c));
  EXPECT_DOUBLE_EQ(std::sqrt(closestOnTriangle(p, t).distance_sq), 1.5);
  EXPECT_GT(distanceAt(p, t, s, 1 - s), 1.1 * 1.5);
}

// Eberly: a triangle without area makes ac - b^2 zero, and the block for region 0 divides by it.
TEST(Errata, TriangleWithoutAreaIsNotDividedByItsDeterminant) {
  const Triangle line{{{0, 0, 0}, {1, 0, 0}, {3, 0, 0}}};
  const Vec3 p{2, 5, 0};
  const Eberly q(p, line);
  const double determinant = q.a * q.c - q.b * q.b;
  EXPECT_EQ(determinant, 0);
  const double s = (q.b * q.e - q.c * q.d) / determinant, u = (q.b * q.d - q.a * q.e) / determinant;
  EXPECT_FALSE(std::isfinite(distanceAt(p, line, s, u))) << "0/0, as printed";
  EXPECT_DOUBLE_EQ(std::sqrt(closestOnTriangle(p, line).distance_sq), 5);
}

}  // namespace
}  // namespace odemesh
