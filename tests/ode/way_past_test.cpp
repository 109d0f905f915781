// Corners that overlap by a hair: the bodies' motion tells on which side they pass each other.
#include <cmath>
#include <utility>
#include <vector>

#include "ode_scene.hpp"

namespace odemesh::test {
namespace {

/// Along y from `-half_length` to `half_length`, with this outline in x and z: convex, and anticlockwise.
[[nodiscard]] Triangles prismTriangles(const std::vector<std::pair<float, float>>& outline,
                                       float half_length) {
  Triangles t;
  for (const float end : {-half_length, half_length})
    for (const auto& [x, z] : outline) t.xyz.insert(t.xyz.end(), {x, end, z});
  const auto corners = dTriIndex(outline.size());
  for (dTriIndex i = 0; i < corners; ++i) {
    const dTriIndex next = (i + 1) % corners;
    t.indices.insert(t.indices.end(), {i, i + corners, next, next, i + corners, next + corners});
    if (i > 0 && next > 0)
      t.indices.insert(t.indices.end(), {0, i, next, corners, next + corners, i + corners});
  }
  return t;
}

/// A bar along y, a ridge of 150 degrees on its top at z = 0.
[[nodiscard]] Triangles barTriangles(float scale) {
  const float x = 0.01F * scale, low = -0.02F * scale, eaves = -x * float(std::tan(std::numbers::pi / 12));
  return prismTriangles({{-x, low}, {x, low}, {x, eaves}, {0.F, 0.F}, {-x, eaves}}, 0.3F * scale);
}

/// A plate of 0.4 by 0.3 by 0.01, and another mesh at rest, both larger by `scale`, as gravity is.
class Passing {
 public:
  Passing(Triangles still, double scale, const Vec3& at = {})
      : scale_(scale),
        plate_triangles_(boxTriangles(float(0.2 * scale), float(0.15 * scale), float(0.005 * scale))),
        still_triangles_(std::move(still)) {
    dWorldSetGravity(world_.get(), 0, 0, dReal(-9.81 * scale));
    dGeomSetBody(plate_.get(), body_.get());
    dGeomSetPosition(still_.get(), dReal(at.x), dReal(at.y), dReal(at.z));
  }

  /// The contacts, normals into the plate, as its lower front edge is `beyond` x = 0 and `below` z = 0.
  [[nodiscard]] std::vector<dContactGeom> at(double beyond, double below, const Vec3& velocity) {
    dBodySetPosition(body_.get(), dReal((beyond - 0.2) * scale_), 0, dReal((0.005 - below) * scale_));
    dBodySetLinearVel(body_.get(), dReal(velocity.x * scale_), dReal(velocity.y * scale_),
                      dReal(velocity.z * scale_));
    return contactsOf(plate_.get(), still_.get());
  }

  void disable() { dBodyDisable(body_.get()); }

 private:
  double scale_;
  Triangles plate_triangles_, still_triangles_;
  MeshData plate_data_ = dataOf(plate_triangles_), still_data_ = dataOf(still_triangles_);
  World world_{dWorldCreate()};
  Body body_{dBodyCreate(world_.get())};
  Geom plate_ = geomOf(plate_data_), still_ = geomOf(still_data_);
};

/// With its top at z = 0, from x = 0 on.
[[nodiscard]] Passing plateAndSlab(double scale) {
  const auto half = float(scale);
  return {boxTriangles(half, half, 0.25F * half), scale, Vec3{1, 0, -0.25} * scale};
}

void expectNormals(const std::vector<dContactGeom>& contacts, const Vec3& normal, const char* what) {
  EXPECT_FALSE(contacts.empty()) << what;
  for (const dContactGeom& c : contacts) {
    const Vec3 own{c.normal[0], c.normal[1], c.normal[2]};
    EXPECT_GT(dot(own, normal), 0.9999) << what << ": " << own.x << ' ' << own.y << ' ' << own.z;
  }
}

constexpr Vec3 kUp{0, 0, 1}, kBack{-1, 0, 0};

class WayPastTest : public OdeTest {
 protected:
  WayPastTest() { EXPECT_EQ(odemeshInstall(), ODEMESH_OK); }
};

TEST_F(WayPastTest, WhatHasSunkInSlidesOnToTheNextSlab) {
  for (const double scale : {1e-3, 1.0, 100.0}) {
    Passing passing = plateAndSlab(scale);
    for (const double below : {2e-5, 1e-4, 5e-4})
      for (const double share : {0.1, 0.5, 0.9})
        for (const Vec3& velocity : {Vec3{2, 0, 0}, Vec3{2, 1, -0.05}})
          expectNormals(passing.at(share * below, below, velocity), kUp, "sliding");
  }
}

TEST_F(WayPastTest, WhatFallsBesideAWallSlidesDownIt) {
  Passing passing = plateAndSlab(1);
  for (const double share : {0.1, 0.5, 0.9})
    expectNormals(passing.at(1e-4, share * 1e-4, {0.05, 0, -2}), kBack, "falling");
}

TEST_F(WayPastTest, WithoutMotionTheShortestWayCounts) {
  Passing passing = plateAndSlab(1);
  expectNormals(passing.at(5e-5, 1e-4, {}), kBack, "at rest");
  expectNormals(passing.at(5e-5, 1e-4, {0.02, 0, 0}), kBack, "too slow to climb");
  passing.disable();
  expectNormals(passing.at(5e-5, 1e-4, {2, 0, 0}), kBack, "disabled");
}

TEST_F(WayPastTest, AStepStopsWhatRunsIntoIt) {
  Passing passing = plateAndSlab(1);
  for (const double step : {1e-3, 2e-3, 4e-3})
    expectNormals(passing.at(1e-4, step, {2, 0, 0}), kBack, "a step");
}

TEST_F(WayPastTest, WhatIsAboutToPassARidgeSlidesOverIt) {
  const double slope = std::tan(std::numbers::pi / 12), c = std::cos(std::numbers::pi / 12);
  for (const double scale : {1e-3, 1.0, 100.0}) {
    Passing passing(barTriangles(float(scale)), scale);
    for (const double below : {5e-5, 2e-4})
      for (const double share : {0.1, 0.5, 0.9})
        expectNormals(passing.at(-share * below / slope, below, {3, 0, 0}), kUp, "a ridge");
    const Vec3 up_the_slope{-slope * c, 0, c};
    expectNormals(passing.at(-5e-3, 5e-3 * slope + 1e-4, {3, 0, 0}), up_the_slope, "a slope");
  }
}

TEST_F(WayPastTest, ARampBehindALipStopsWhatRunsIntoIt) {
  Passing passing(prismTriangles({{0.F, -0.5F}, {1.F, -0.5F}, {1.F, 0.3F}, {0.F, 0.F}}, 1), 1);
  for (const double share : {0.1, 0.5})
    expectNormals(passing.at(share * 1e-4, 1e-4, {2, 0, 0}), kBack, "a ramp");
}

TEST_F(WayPastTest, WhatMovesAlongTheEdgeLeavesByTheShortestWay) {
  Passing passing = plateAndSlab(1);
  for (const double share : {0.1, 0.5}) {
    expectNormals(passing.at(share * 1e-4, 1e-4, {0, 2, 0}), kBack, "along the edge, beside the slab");
    expectNormals(passing.at(1e-4, share * 1e-4, {0, 2, 0}), kUp, "along the edge, on the slab");
  }
}

TEST_F(WayPastTest, WhatIsRememberedOfAPairDoesNotHideItsMotion) {
  Passing passing = plateAndSlab(1);
  for (int i = 0; i < 4; ++i) expectNormals(passing.at(5e-5, 1e-4, {}), kBack, "at rest");
  for (int i = 0; i < 4; ++i) expectNormals(passing.at(5e-5, 1e-4, {2, 0, 0}), kUp, "sliding");
}

}  // namespace
}  // namespace odemesh::test
