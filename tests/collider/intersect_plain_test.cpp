// The documented plain tests against the exact one, and the errata of the documents that concern them: the
// printed version of each is written out here and shown to be wrong beside ours.
#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "collider/triangle_families.hpp"
#include "narrow_phase/coplanar.hpp"
#include "narrow_phase/intersect_edge_plane.hpp"
#include "narrow_phase/intersect_exact.hpp"
#include "narrow_phase/intersect_moller.hpp"

namespace odemesh {
namespace {

using test::Family;
using test::IntPair;
using test::IntPoint;

bool edgePlane(const Triangle& a, const Triangle& b, PointInTriangle form) {
  return trianglesIntersectEdgePlane(makeTriangleRecord(a), makeTriangleRecord(b), form);
}

void expectAll(const Triangle& a, const Triangle& b, bool expected, const std::string& where) {
  EXPECT_EQ(trianglesIntersect(a, b), expected) << where;
  EXPECT_EQ(trianglesIntersectMoller(a, b), expected) << where;
  EXPECT_EQ(edgePlane(a, b, PointInTriangle::kEdgeNormals), expected) << where;
  EXPECT_EQ(edgePlane(a, b, PointInTriangle::kBarycentric), expected) << where;
}

class RandomPoints {
 public:
  explicit RandomPoints(unsigned seed) : random_(seed) {}
  Vec3 point() { return {uniform_(random_), uniform_(random_), uniform_(random_)}; }
  Triangle triangle() { return {{point(), point(), point()}}; }

 private:
  std::mt19937_64 random_;
  std::uniform_real_distribution<double> uniform_{-1, 1};
};

Triangle moved(const Triangle& t, double scale, const Vec3& by) {
  return {{scale * t.v[0] + by, scale * t.v[1] + by, scale * t.v[2] + by}};
}

TEST(IntersectPlain, AgreesWithTheExactTestOnGenericPairs) {
  RandomPoints random(11);
  for (int trial = 0; trial < 20000; ++trial) {
    const Triangle a = random.triangle(), b = random.triangle();
    expectAll(a, b, trianglesIntersect(a, b), "trial " + std::to_string(trial));
  }
}

TEST(IntersectPlain, AgreesWithTheExactTestAtAnyScaleAndPlace) {
  RandomPoints random(12);
  for (int trial = 0; trial < 500; ++trial) {
    const Triangle a = random.triangle(), b = random.triangle();
    for (const double scale : {1e-60, 1e-9, 1e-3, 1.0, 100.0, 1e9, 1e60}) {
      const Triangle sa = moved(a, scale, 1000 * scale * Vec3{1, 2, 3});
      const Triangle sb = moved(b, scale, 1000 * scale * Vec3{1, 2, 3});
      expectAll(sa, sb, trianglesIntersect(sa, sb), "scale " + std::to_string(scale));
    }
  }
}

// On a grid nothing is nearer than the tolerances unless it touches. Slivers, needles and nearly coplanar
// pairs are left out: there the plain tests are allowed to be wrong.
TEST(IntersectPlain, AgreesWithTheOracleOnGridsTouchingIncluded) {
  for (const Family family : {Family::kMediumGrid, Family::kSharedVertex, Family::kSharedEdge,
                              Family::kVertexOnFace, Family::kEdgeThroughVertex, Family::kEdgeThroughEdge,
                              Family::kCoplanar, Family::kCoplanarTouching, Family::kStar}) {
    std::mt19937_64 random(13);
    for (int trial = 0; trial < 3000; ++trial) {
      const IntPair pair = drawPair(family, random);
      const Triangle a = toTriangle(pair.a), b = toTriangle(pair.b);
      if (!makeTriangleRecord(a).hasArea() || !makeTriangleRecord(b).hasArea()) continue;
      const bool expected = oracleMeets(pair.a, pair.b);
      expectAll(a, b, expected, familyName(family) + ", trial " + std::to_string(trial));
      if (HasFailure()) return;
    }
  }
}

TEST(TriangleRecord, HoldsWhatTheDocumentAsksFor) {
  const TriangleRecord r = makeTriangleRecord({{{1, 1, 2}, {4, 1, 2}, {1, 5, 2}}});
  EXPECT_EQ(r.edge[0], (Vec3{3, 0, 0}));
  EXPECT_EQ(r.edge[1], (Vec3{-3, 4, 0}));
  EXPECT_EQ(r.edge[2], (Vec3{0, -4, 0}));
  EXPECT_EQ(r.normal, (Vec3{0, 0, 1}));
  EXPECT_EQ(r.edge_normal[0], (Vec3{0, -1, 0}));  // outward
  EXPECT_NEAR(length(r.edge_normal[1] - Vec3{0.8, 0.6, 0}), 0, 1e-15);
  EXPECT_EQ(r.edge_normal[2], (Vec3{-1, 0, 0}));
  EXPECT_EQ(r.f0.x, 9);
  EXPECT_EQ(r.f0.y, 0);
  EXPECT_EQ(r.f2.y, 16);
  EXPECT_DOUBLE_EQ(r.inverse_determinant, 1.0 / 144);
  EXPECT_NEAR(length(r.centre - Vec3{2, 7.0 / 3, 2}), 0, 1e-15);
  EXPECT_NEAR(r.radius, std::hypot(1, 8.0 / 3), 1e-15);
}

TEST(TriangleRecord, BothPointInTriangleFormsAgree) {
  RandomPoints random(14);
  int inside = 0;
  for (int trial = 0; trial < 5000; ++trial) {
    const TriangleRecord r = makeTriangleRecord(random.triangle());
    const Vec3 any = random.point();
    const Vec3 p = any - dot(r.normal, any - r.v[0]) * r.normal;
    inside += insideByBarycentric(r, p, 0);
    ASSERT_EQ(insideByBarycentric(r, p, 1e-12), insideByEdgeNormals(r, p, 1e-12));
  }
  EXPECT_GT(inside, 100);
}

TEST(TriangleRecord, WithoutAreaMeetsNothing) {
  const TriangleRecord line = makeTriangleRecord({{{0, 0, -1}, {0, 0, 1}, {0, 0, 3}}});
  EXPECT_FALSE(line.hasArea());
  EXPECT_FALSE(trianglesIntersectEdgePlane(line, makeTriangleRecord({{{-1, -1, 0}, {1, -1, 0}, {0, 1, 0}}})));
}

// ---- Errata ----

// CS277, "leaf sphere": the circumsphere. For an obtuse triangle it is larger than needed, for a sliver
// absurd.
TEST(Errata, CircumsphereOfASliverExplodesTheCentroidSphereDoesNot) {
  const Triangle sliver{{{0, 0, 0}, {1, 0, 0}, {0.5, 1e-6, 0}}};
  const double ab = length(sliver.v[1] - sliver.v[0]), bc = length(sliver.v[2] - sliver.v[1]);
  const double ca = length(sliver.v[0] - sliver.v[2]);
  const Vec3 twice_area = cross(sliver.v[1] - sliver.v[0], sliver.v[2] - sliver.v[0]);
  const double circumradius = ab * bc * ca / (2 * length(twice_area));
  EXPECT_GT(circumradius, 1e5);
  EXPECT_LT(makeTriangleRecord(sliver).radius, 0.51);
}

// Nathan: coplanar pairs are skipped, because neighbours on a convex hull would catch them. Faces at rest
// have none that do.
TEST(Errata, CoplanarPairsAreNotSkipped) {
  const Triangle table{{{-5, -5, 0}, {5, -5, 0}, {0, 5, 0}}}, foot{{{-1, -1, 0}, {1, -1, 0}, {0, 1, 0}}};
  const auto printed = [](const Triangle& a, const Triangle& b) {
    const TriangleRecord r = makeTriangleRecord(b);
    for (int i = 0; i < 3; ++i) {
      const Vec3 edge = a.v[(i + 1) % 3] - a.v[i];
      const double s = dot(r.normal, r.v[0] - a.v[i]) / (dot(r.normal, edge) + 1e-9);
      if (s > -1e-9 && s < 1 + 1e-9 && insideByBarycentric(r, a.v[i] + s * edge, 1e-9)) return true;
    }
    return false;
  };
  EXPECT_FALSE(printed(table, foot)) << "the printed test, one way";
  expectAll(table, foot, true, "contained");
  expectAll(foot, table, true, "contained, the other way");
}

// Nathan: epsilons are absolute. A gap of 1e-8 is a touch at 1 m with eps = 1e-6; at 1 um it is a gap.
TEST(Errata, TolerancesFollowTheSizeOfTheData) {
  const Triangle a{{{0, 0, 0}, {1e-6, 0, 0}, {0, 1e-6, 0}}};
  const Triangle b{{{1e-7, 1e-7, 2e-7}, {2e-7, 1e-7, 9e-7}, {1e-7, 2e-7, 9e-7}}};  // 0.2 of the size above it
  const auto printed_in_plane = [&](const Vec3& p) {
    const TriangleRecord r = makeTriangleRecord(a);
    const double s = dot(r.normal, p - r.v[0]);
    return std::fabs(s) < 1e-6;
  };
  EXPECT_TRUE(printed_in_plane(b.v[0])) << "the printed epsilon takes all of b for coplanar";
  expectAll(a, b, false, "far apart for their size");
  expectAll(moved(a, 1e6, {}), moved(b, 1e6, {}), false, "the same at 1 m");
}

// CS277: the end of the interval, with the sign of the denominator flipped.
TEST(Errata, IntervalEndLiesBetweenThePoints) {
  const auto printed = [](double p0, double p1, double d0, double d1) {
    return p0 + (p1 - p0) * d0 / (d1 - d0);
  };
  EXPECT_DOUBLE_EQ(intervalEnd(2, 4, 1, -1), 3);  // halfway, for equal distances on both sides
  EXPECT_DOUBLE_EQ(intervalEnd(0, 4, 1, -3), 1);
  EXPECT_DOUBLE_EQ(printed(2, 4, 1, -1), 1) << "outside of [2, 4]";
}

// CS277: "t2 of 1 < t2 of 2" parts intervals that overlap.
TEST(Errata, IntervalsOverlapUnlessOneEndsBeforeTheOtherStarts) {
  const double a1 = 0, a2 = 2, b1 = 1, b2 = 3;
  const bool printed = !(a2 < b2 || b2 < a1);
  EXPECT_FALSE(printed) << "though they share [1, 2]";
  // Two triangles that cover those intervals of the x axis.
  expectAll({{{a1, 0, 0}, {a2, 0, 0}, {1, 0, 1}}}, {{{b1, 0, 0}, {b2, 0, 0}, {2, 1, 0}}}, true,
            "overlapping");
  expectAll({{{a1, 0, 0}, {a2, 0, 0}, {1, 0, 1}}}, {{{b1 + 2, 0, 0}, {b2 + 2, 0, 0}, {4, 1, 0}}}, false,
            "apart");
}

// Sinjur: coplanar triangles meet "if a vertex of one lies in the other". A star of two triangles has no such
// vertex.
TEST(Errata, StarOfTwoTrianglesMeets) {
  const Triangle up{{{-6, -3, 0}, {6, -3, 0}, {0, 7, 0}}}, down{{{-6, 4, 0}, {6, 4, 0}, {0, -6, 0}}};
  const auto printed = [](const Triangle& a, const Triangle& b) {
    for (int i = 0; i < 3; ++i) {
      if (contains2d(dropAxis(a, 2), dropAxis(b.v[i], 2), roundedOrient2d) ||
          contains2d(dropAxis(b, 2), dropAxis(a.v[i], 2), roundedOrient2d))
        return true;
    }
    return false;
  };
  EXPECT_FALSE(printed(up, down));
  expectAll(up, down, true, "star");
}

}  // namespace
}  // namespace odemesh
