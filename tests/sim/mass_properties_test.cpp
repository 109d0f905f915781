#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <odemesh/sim/input_error.hpp>
#include <odemesh/sim/mass_properties.hpp>
#include <odemesh/sim/mesh_check.hpp>
#include <odemesh/sim/shapes.hpp>
#include <utility>

namespace odemesh::sim {
namespace {

const double kPi = std::acos(-1);

TriangleMesh tetrahedron() {
  return {"tetrahedron",
          {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}},
          {{0, 2, 1}, {0, 1, 3}, {0, 3, 2}, {1, 2, 3}}};
}

TriangleMesh moved(TriangleMesh mesh, const Pose& pose) {
  for (Vec3& vertex : mesh.vertices) vertex = pose.apply(vertex);
  return mesh;
}

TriangleMesh flipped(TriangleMesh mesh) {
  for (auto& triangle : mesh.triangles) std::swap(triangle[1], triangle[2]);
  return mesh;
}

TriangleMesh merged(TriangleMesh a, const TriangleMesh& b) {
  const auto offset = static_cast<std::uint32_t>(a.vertices.size());
  a.vertices.insert(a.vertices.end(), b.vertices.begin(), b.vertices.end());
  for (const auto& [v0, v1, v2] : b.triangles) a.triangles.push_back({v0 + offset, v1 + offset, v2 + offset});
  return a;
}

/// Every triangle with corners of its own, as an STL file has it.
TriangleMesh unwelded(const TriangleMesh& mesh) {
  TriangleMesh out;
  out.name = mesh.name;
  for (const auto& triangle : mesh.triangles) {
    const auto first = static_cast<std::uint32_t>(out.vertices.size());
    for (const std::uint32_t vertex : triangle) out.vertices.push_back(mesh.vertices[vertex]);
    out.triangles.push_back({first, first + 1, first + 2});
  }
  return out;
}

/// A rotation about (1, 2, 3), by Rodrigues' formula.
Mat3 someRotation(double angle = 0.7) {
  const Vec3 k = normalised({1, 2, 3});
  const double c = std::cos(angle), s = std::sin(angle), d = 1 - c;
  return {{{c + d * k.x * k.x, d * k.x * k.y - s * k.z, d * k.x * k.z + s * k.y},
           {d * k.x * k.y + s * k.z, c + d * k.y * k.y, d * k.y * k.z - s * k.x},
           {d * k.x * k.z - s * k.y, d * k.y * k.z + s * k.x, c + d * k.z * k.z}}};
}

void expectNear(const Vec3& actual, const Vec3& expected, double tolerance) {
  for (int i = 0; i < 3; ++i) EXPECT_NEAR(actual[i], expected[i], tolerance) << "axis " << i;
}

void expectNear(const Mat3& actual, const Mat3& expected, double tolerance) {
  for (int i = 0; i < 3; ++i) expectNear(actual.row[i], expected.row[i], tolerance);
}

Mat3 diagonal(double x, double y, double z) {
  return {{{x, 0, 0}, {0, y, 0}, {0, 0, z}}};
}

/// Sylvester's criterion, and symmetry, and finite numbers everywhere.
void expectPositiveDefinite(const MassProperties& p) {
  const Vec3* r = p.inertia.row;
  ASSERT_TRUE(std::isfinite(p.mass) && isFinite(p.centre) && isFinite(r[0]) && isFinite(r[1]) &&
              isFinite(r[2]));
  EXPECT_GT(p.mass, 0);
  EXPECT_EQ(r[0].y, r[1].x);
  EXPECT_EQ(r[1].z, r[2].y);
  EXPECT_EQ(r[2].x, r[0].z);
  EXPECT_GT(r[0].x, 0);
  EXPECT_GT(r[0].x * r[1].y - r[0].y * r[1].x, 0);
  EXPECT_GT(dot(r[0], cross(r[1], r[2])), 0);
}

TEST(MassProperties, BoxMatchesItsClosedForm) {
  const MassProperties p = massProperties(moved(makeBox({1, 2, 3}, 2), {{}, {4, -5, 6}}), 500);
  EXPECT_NEAR(p.volume, 6, 1e-12);
  EXPECT_NEAR(p.mass, 3000, 1e-9);
  expectNear(p.centre, {4, -5, 6}, 1e-12);
  expectNear(p.inertia, diagonal(3000 * 13 / 12.0, 3000 * 10 / 12.0, 3000 * 5 / 12.0), 1e-9);
  EXPECT_EQ(p.model, MassModel::kSolid);
  EXPECT_TRUE(p.warnings.empty());
}

TEST(MassProperties, TetrahedronMatchesItsClosedForm) {
  // With V = 1/6: the integral of x^2 is V/10 and of xy V/20; about the centroid (1/4, 1/4, 1/4) they are
  // 3V/80 and -V/80, so the moments are 6V/80 and the products of inertia +V/80.
  const MassProperties p = massProperties(tetrahedron(), 80 * 6);
  EXPECT_NEAR(p.volume, 1.0 / 6, 1e-15);
  expectNear(p.centre, {0.25, 0.25, 0.25}, 1e-15);
  expectNear(p.inertia, {{{6, 1, 1}, {1, 6, 1}, {1, 1, 6}}}, 1e-12);
}

TEST(MassProperties, CylinderIsThePrismThatItIs) {
  // A regular n-gon in a circle of radius R has the polar moment m R^2 (2 + cos(2 pi / n)) / 6.
  for (const int n : {3, 4, 16}) {
    const double area = n * 0.25 * std::sin(2 * kPi / n) / 2;
    const double mass = area * 3;
    const double axial = mass * 0.25 * (2 + std::cos(2 * kPi / n)) / 6;
    const double across = axial / 2 + mass * 9 / 12;
    const MassProperties p = massProperties(makeCylinder(0.5, 3, n), 1);
    EXPECT_NEAR(p.mass, mass, 1e-12);
    expectNear(p.centre, {0, 0, 0}, 1e-12);
    expectNear(p.inertia, diagonal(across, across, axial), 1e-12);
  }
}

TEST(MassProperties, FineSphereAndTorusApproachTheirClosedForms) {
  const double ball = 4 * kPi / 3 * 8;
  const MassProperties sphere = massProperties(makeIcosphere(2, 6), 1);
  EXPECT_NEAR(sphere.mass / ball, 1, 1e-3);
  expectNear(sphere.inertia, diagonal(0.4 * ball * 4, 0.4 * ball * 4, 0.4 * ball * 4), 2e-3 * ball);

  const double major = 2, minor = 0.5, ring = 2 * kPi * kPi * major * minor * minor;
  const double axial = ring * (major * major + 0.75 * minor * minor);
  const double across = ring * (4 * major * major + 5 * minor * minor) / 8;
  const MassProperties torus = massProperties(makeTorus(major, minor, 400, 200), 1);
  EXPECT_NEAR(torus.mass / ring, 1, 1e-3);
  expectNear(torus.inertia, diagonal(across, across, axial), 2e-3 * axial);
}

TEST(MassProperties, SphereErrorFallsFourfoldWithEachSubdivision) {
  const double ball = 4 * kPi / 3;
  double previous = 1 - massProperties(makeIcosphere(1, 2), 1).mass / ball;
  for (const int subdivisions : {3, 4, 5}) {
    const double error = 1 - massProperties(makeIcosphere(1, subdivisions), 1).mass / ball;
    EXPECT_NEAR(previous / error, 4, 0.1);
    previous = error;
  }
}

TEST(MassProperties, TurnAndMoveWithTheMesh) {
  const TriangleMesh mesh = merged(makeCone(0.5, 2), moved(makeBox({0.2, 0.4, 0.6}), {{}, {2, 1, 0}}));
  const MassProperties still = massProperties(mesh, 700);
  const Pose pose{someRotation(), {10, -20, 5}};
  const MassProperties turned = massProperties(moved(mesh, pose), 700);
  EXPECT_NEAR(turned.mass, still.mass, 1e-9);
  expectNear(turned.centre, pose.apply(still.centre), 1e-12);
  expectNear(turned.inertia, pose.rotation * still.inertia * pose.rotation.transposed(), 1e-9);
}

TEST(MassProperties, StayAccurateAMillionMetresFromTheOrigin) {
  // Lengths of the box are powers of two, so the moved vertices are exact.
  const MassProperties p = massProperties(moved(makeBox({0.5, 1, 2}), {{}, {1e6, -1e6, 1e6}}), 1);
  EXPECT_NEAR(p.mass, 1, 1e-12);
  expectNear(p.centre, {1e6, -1e6, 1e6}, 1e-9);
  expectNear(p.inertia, diagonal(5 / 12.0, 4.25 / 12, 1.25 / 12), 1e-12);
}

TEST(MassProperties, InsideOutIsReportedAndItsSignPutRight) {
  const MassProperties p = massProperties(flipped(makeBox({1, 2, 3})), 1);
  EXPECT_TRUE(p.inside_out);
  EXPECT_EQ(p.model, MassModel::kSolid);
  EXPECT_NEAR(p.mass, 6, 1e-12);
  expectNear(p.inertia, diagonal(6.5, 5, 2.5), 1e-12);
  ASSERT_EQ(p.warnings.size(), 1u);
  EXPECT_NE(p.warnings[0].find("box: is inside out"), std::string::npos);

  TriangleMesh mesh = flipped(makeBox({1, 2, 3}));
  EXPECT_TRUE(turnOutward(mesh));
  EXPECT_FALSE(turnOutward(mesh));
  EXPECT_NEAR(signedVolume(mesh), 6, 1e-12);
}

TEST(MassProperties, UnweldedTrianglesCountAsClosed) {
  const MassProperties p = massProperties(unwelded(makeSphere(1)), 1);
  EXPECT_EQ(p.model, MassModel::kSolid);
  EXPECT_NEAR(p.mass, massProperties(makeSphere(1), 1).mass, 1e-12);
}

TEST(MassProperties, CavityIsSubtracted) {
  const TriangleMesh hollow = merged(makeBox({2, 2, 2}), flipped(makeBox({1, 1, 1})));
  const MassProperties p = massProperties(hollow, 1);
  EXPECT_EQ(p.model, MassModel::kSolid);
  EXPECT_NEAR(p.mass, 7, 1e-12);
  const double moment = (8 * 8 - 1 * 2) / 12.0;
  expectNear(p.inertia, diagonal(moment, moment, moment), 1e-12);
}

TEST(MassProperties, BoxesThatTouchAlongAnEdgeAreClosed) {
  const TriangleMesh pair = welded(merged(makeBox({1, 1, 1}), moved(makeBox({1, 1, 1}), {{}, {1, 1, 0}})));
  EXPECT_EQ(pair.vertices.size(), 14u);
  const EdgeCensus census = countEdges(pair);
  EXPECT_TRUE(census.isClosed());
  EXPECT_FALSE(census.isWatertight());
  EXPECT_EQ(census.non_manifold, 1u);
  const MassProperties p = massProperties(pair, 1);
  EXPECT_EQ(p.model, MassModel::kSolid);
  EXPECT_NEAR(p.mass, 2, 1e-12);
}

TEST(MassProperties, OpenMeshBecomesAShellAndSaysSo) {
  TriangleMesh open = makeBox({1, 1, 1});
  open.triangles.pop_back();
  const MassProperties p = massProperties(open, 1000);
  EXPECT_EQ(p.model, MassModel::kShell);
  EXPECT_EQ(p.open_edges, 3u);
  EXPECT_NEAR(p.mass, 1000 * 5.5 * kShellThickness * std::sqrt(3), 1e-9);
  expectPositiveDefinite(p);
  ASSERT_EQ(p.warnings.size(), 1u);
  EXPECT_NE(p.warnings[0].find("box: is not watertight, 3 edges are open"), std::string::npos)
      << p.warnings[0];
}

TEST(MassProperties, SheetIsAThinRectangularPlate) {
  const MassProperties p = massProperties(moved(makePlaneGrid(3, 4, 5, 7), {{}, {1, 2, 3}}), 1);
  const double mass = 12 * kShellThickness * 5;
  EXPECT_EQ(p.model, MassModel::kShell);
  EXPECT_NEAR(p.mass, mass, 1e-12);
  expectNear(p.centre, {1, 2, 3}, 1e-12);
  expectNear(p.inertia, diagonal(mass * 16 / 12, mass * 9 / 12, mass * 25 / 12), 1e-12);
}

TEST(MassProperties, SphericalShellMatchesItsClosedForm) {
  TriangleMesh open = makeIcosphere(1, 6);
  open.triangles.pop_back();
  const MassProperties p = massProperties(open, 1);
  const double moment = p.mass * 2 / 3;
  expectNear(p.inertia, diagonal(moment, moment, moment), 1e-3 * moment);
}

TEST(MassProperties, OneReversedTriangleIsFound) {
  TriangleMesh mesh = makeBox({1, 1, 1});
  std::swap(mesh.triangles[3][0], mesh.triangles[3][1]);
  const MassProperties p = massProperties(mesh);
  EXPECT_EQ(p.open_edges, 3u);
  EXPECT_EQ(p.model, MassModel::kShell);
}

TEST(MassProperties, PartsWoundAgainstEachOtherBecomeAShell) {
  const TriangleMesh mesh =
      merged(makeBox({2, 2, 2}), moved(flipped(makeBox({1.9, 1.9, 1.9})), {{}, {5, 0, 0}}));
  const MassProperties p = massProperties(mesh);
  EXPECT_EQ(p.open_edges, 0u);
  EXPECT_EQ(p.model, MassModel::kShell);
  expectPositiveDefinite(p);
  ASSERT_EQ(p.warnings.size(), 1u);
  EXPECT_NE(p.warnings[0].find("wound against each other"), std::string::npos);
}

TEST(MassProperties, FlatAndDegenerateMeshesStayPositiveDefinite) {
  const TriangleMesh single{"single", {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}, {{0, 1, 2}}};
  const TriangleMesh both_sides{"both sides", single.vertices, {{0, 1, 2}, {0, 2, 1}}};
  const TriangleMesh line{"line", {{0, 0, 0}, {1, 1, 1}, {3, 3, 3}}, {{0, 1, 2}}};
  const TriangleMesh twice{"twice", {{0, 0, 0}, {0, 0, 2}}, {{0, 1, 1}}};
  const TriangleMesh needle = makeBox({1e-6, 1e-6, 1});
  const TriangleMesh foil = makeBox({1e-6, 1, 1});
  const TriangleMesh speck = makeBox({1e-6, 1e-6, 1e-6});
  for (const TriangleMesh& mesh : {single, both_sides, line, twice, needle, foil, speck})
    for (const Pose& pose : {Pose{}, Pose{someRotation(), {3, 2, 1}}}) {
      SCOPED_TRACE(mesh.name);
      expectPositiveDefinite(massProperties(moved(mesh, pose)));
    }
  EXPECT_EQ(massProperties(both_sides).model, MassModel::kShell);
  EXPECT_EQ(massProperties(line).model, MassModel::kBox);
  EXPECT_EQ(massProperties(twice).model, MassModel::kBox);
  EXPECT_EQ(massProperties(needle).model, MassModel::kSolid);
}

TEST(MassProperties, NeedleHasTheLeastMomentThatIsPromised) {
  const MassProperties p = massProperties(makeBox({1e-6, 1e-6, 1}), 1);
  EXPECT_NEAR(p.inertia.row[2].z / (p.mass * kMinThickness * kMinThickness / 6), 1, 1e-9);
}

TEST(MassProperties, WithMassScalesTheInertia) {
  const MassProperties p = massProperties(makeBox({1, 2, 3})).withMass(12);
  EXPECT_EQ(p.mass, 12);
  expectNear(p.inertia, diagonal(13, 10, 5), 1e-12);
  EXPECT_THROW((void)p.withMass(0), InputError);
  EXPECT_THROW((void)p.withMass(std::numeric_limits<double>::quiet_NaN()), InputError);
}

std::string refusal(const TriangleMesh& mesh, double density = 1000) {
  try {
    (void)massProperties(mesh, density);
  } catch (const InputError& error) {
    return error.what();
  }
  return "accepted";
}

TEST(MassProperties, UnusableMeshesAreRefusedByNameAndElement) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  TriangleMesh mesh = makeBox({1, 1, 1});
  mesh.triangles[4][1] = 8;
  EXPECT_EQ(refusal(mesh),
            "box: triangle 4: vertex 8 does not exist, there are 8; repair the mesh or export it again");
  mesh = makeBox({1, 1, 1});
  mesh.vertices[mesh.triangles[0][0]].y = nan;
  EXPECT_NE(refusal(mesh).find("box: triangle 0: vertex 0 has a NaN or infinite coordinate"),
            std::string::npos);
  mesh.vertices[mesh.triangles[0][0]].y = 1e30;
  EXPECT_NE(refusal(mesh).find("more than 1e9 m from the origin"), std::string::npos);
  EXPECT_NE(refusal({"nothing", {{0, 0, 0}}, {}}).find("nothing: has no triangles"), std::string::npos);
  EXPECT_NE(refusal({"", {{1, 1, 1}}, {{0, 0, 0}}}).find("mesh: is less than 1e-9 m across"),
            std::string::npos);
  EXPECT_NE(refusal(makeBox({1, 1, 1}), -1).find("box: density is -1"), std::string::npos);
  EXPECT_NE(refusal(makeBox({1, 1, 1}), nan).find("density is nan"), std::string::npos);
}

TEST(MassProperties, UnusedBadVerticesDoNotMatter) {
  TriangleMesh mesh = makeBox({1, 1, 1});
  mesh.vertices.push_back({std::numeric_limits<double>::quiet_NaN(), 0, 0});
  EXPECT_NEAR(massProperties(mesh, 1).mass, 1, 1e-12);
}

TEST(Welded, JoinsEqualPositionsAndDropsCollapsedTriangles) {
  const TriangleMesh mesh{"m",
                          {{9, 9, 9}, {0.0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {-0.0, 0, 0}, {1, 1, 0}},
                          {{1, 2, 3}, {1, 4, 2}, {4, 3, 5}}};
  const TriangleMesh out = welded(mesh);
  EXPECT_EQ(out.name, "m");
  EXPECT_EQ(out.vertices.size(), 4u);
  const std::vector<std::array<std::uint32_t, 3>> expected = {{0, 1, 2}, {0, 2, 3}};
  EXPECT_EQ(out.triangles, expected);
}

}  // namespace
}  // namespace odemesh::sim
