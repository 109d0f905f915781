// What the tests of the ODE boundary share: a fixture, meshes as ODE takes them, and the same meshes in C++.
#pragma once

#include <gtest/gtest.h>
#include <odemesh/odemesh.h>

#include <algorithm>
#include <cstring>
#include <memory>
#include <numbers>
#include <odemesh/collide.hpp>
#include <random>
#include <span>
#include <vector>

#include "collider/test_meshes.hpp"
#include "ode/eased_depth.hpp"
#include "ode_handles.hpp"
#include "ode_tolerance.hpp"

namespace odemesh::test {

/// False under AddressSanitizer, which keeps freed memory back for a while.
#if defined(__SANITIZE_ADDRESS__)
inline constexpr bool kFreedMemoryIsReused = false;
#else
inline constexpr bool kFreedMemoryIsReused = true;
#endif

using Body = std::unique_ptr<dxBody, Destroy<&dBodyDestroy>>;
using Space = std::unique_ptr<dxSpace, Destroy<&dSpaceDestroy>>;
using World = std::unique_ptr<dxWorld, Destroy<&dWorldDestroy>>;
using JointGroup = std::unique_ptr<dxJointGroup, Destroy<&dJointGroupDestroy>>;

/// ODE initialised afresh, with its own collider, for each test; odemesh is taken out again at the end.
class OdeTest : public testing::Test {
 protected:
  OdeTest() { EXPECT_NE(dInitODE2(0), 0); }
  ~OdeTest() override {
    odemeshUninstall();
    odemeshOptions options;
    odemeshDefaultOptions(&options);
    EXPECT_EQ(odemeshSetOptions(&options), ODEMESH_OK);
    odemeshResetCounters();
    dCloseODE();
  }

  static odemeshCounters counters() {
    odemeshCounters c;
    c.size = sizeof c;
    EXPECT_EQ(odemeshGetCounters(&c), ODEMESH_OK);
    return c;
  }
  static void setContactLimit(int limit) {
    odemeshOptions options;
    odemeshDefaultOptions(&options);
    options.contact_limit = limit;
    ASSERT_EQ(odemeshSetOptions(&options), ODEMESH_OK);
  }
  static void setFreshness(int freshness) {
    odemeshOptions options;
    odemeshDefaultOptions(&options);
    options.freshness = freshness;
    ASSERT_EQ(odemeshSetOptions(&options), ODEMESH_OK);
  }
};

/// Vertices that a float holds exactly, so that ODE's rounding changes nothing.
struct Triangles {
  std::vector<float> xyz;
  std::vector<dTriIndex> indices;

  [[nodiscard]] int vertexCount() const { return static_cast<int>(xyz.size() / 3); }
  [[nodiscard]] int indexCount() const { return static_cast<int>(indices.size()); }
  [[nodiscard]] std::shared_ptr<const Mesh> mesh() const {
    std::vector<Vec3> vertices;
    for (std::size_t i = 0; i < xyz.size(); i += 3) vertices.push_back({xyz[i], xyz[i + 1], xyz[i + 2]});
    return Mesh::build(vertices, std::vector<std::uint32_t>(indices.begin(), indices.end())).mesh;
  }
};

[[nodiscard]] inline Triangles trianglesOf(const Soup& soup) {
  Triangles t;
  for (const Vec3& v : soup.vertices) t.xyz.insert(t.xyz.end(), {float(v.x), float(v.y), float(v.z)});
  t.indices.assign(soup.indices.begin(), soup.indices.end());
  return t;
}

/// A box of 12 triangles with the given half sides.
[[nodiscard]] inline Triangles boxTriangles(float x, float y, float z) {
  Triangles t;
  for (int corner = 0; corner < 8; ++corner)
    for (const float c : {(corner & 1) ? x : -x, (corner & 2) ? y : -y, (corner & 4) ? z : -z})
      t.xyz.push_back(c);
  t.indices = {0, 2, 1, 1, 2, 3, 4, 5, 6, 5, 7, 6, 0, 1, 4, 1, 5, 4,
               2, 6, 3, 3, 6, 7, 0, 4, 2, 2, 4, 6, 1, 3, 5, 3, 7, 5};
  return t;
}

/// A sphere by longitude and latitude, or an ellipsoid.
[[nodiscard]] inline Triangles ellipsoidTriangles(float x, float y, float z, unsigned around, unsigned rows) {
  Triangles t;
  t.xyz = {0, 0, -z, 0, 0, z};
  for (unsigned row = 1; row < rows; ++row)
    for (unsigned i = 0; i < around; ++i) {
      const double latitude = std::numbers::pi * row / rows;
      const double longitude = 2 * std::numbers::pi * i / around;
      t.xyz.push_back(static_cast<float>(x * std::sin(latitude) * std::cos(longitude)));
      t.xyz.push_back(static_cast<float>(y * std::sin(latitude) * std::sin(longitude)));
      t.xyz.push_back(static_cast<float>(-z * std::cos(latitude)));
    }
  const auto at = [&](unsigned row, unsigned i) { return 2 + (row - 1) * around + i % around; };
  const auto add = [&](dTriIndex a, dTriIndex b, dTriIndex c) {
    t.indices.insert(t.indices.end(), {a, b, c});
  };
  for (unsigned i = 0; i < around; ++i) {
    add(0, at(1, i + 1), at(1, i));
    add(1, at(rows - 1, i), at(rows - 1, i + 1));
    for (unsigned row = 1; row + 1 < rows; ++row) {
      add(at(row, i), at(row, i + 1), at(row + 1, i));
      add(at(row, i + 1), at(row + 1, i + 1), at(row + 1, i));
    }
  }
  return t;
}

/// ODE's data on the buffers of `t`, which have to outlive it.
[[nodiscard]] inline MeshData dataOf(const Triangles& t) {
  MeshData data(dGeomTriMeshDataCreate());
  dGeomTriMeshDataBuildSingle(data.get(), t.xyz.data(), 3 * sizeof(float), t.vertexCount(), t.indices.data(),
                              t.indexCount(), 3 * sizeof(dTriIndex));
  return data;
}

[[nodiscard]] inline Geom geomOf(const MeshData& data, dSpaceID space = nullptr) {
  return Geom(dCreateTriMesh(space, data.get(), nullptr, nullptr, nullptr));
}

/// Where ODE says a geom is, read independently of the library, but for what its rotation is off one.
[[nodiscard]] inline Pose poseOf(dGeomID geom) {
  const dReal* r = dGeomGetRotation(geom);
  const dReal* p = dGeomGetPosition(geom);
  const Mat3 rotation{{{r[0], r[1], r[2]}, {r[4], r[5], r[6]}, {r[8], r[9], r[10]}}};
  return {nearestRotation(rotation), {p[0], p[1], p[2]}};
}

/// Numbers that are the same on every platform, unlike those of std::uniform_real_distribution.
class Random {
 public:
  explicit Random(unsigned seed) : engine_(seed) {}
  [[nodiscard]] double in(double low, double high) {
    return low + (high - low) * double(engine_()) / 4294967296.0;
  }

 private:
  std::mt19937 engine_;
};

/// Puts a geom anywhere within `reach` of the origin, in any rotation.
inline void placeAtRandom(dGeomID geom, Random& random, double reach) {
  dQuaternion q;
  for (dReal& c : q) c = static_cast<dReal>(random.in(-1, 1));
  dNormalize4(q);
  dGeomSetQuaternion(geom, q);
  const double x = random.in(-reach, reach);
  const double y = random.in(-reach, reach);
  dGeomSetPosition(geom, dReal(x), dReal(y), dReal(random.in(-reach, reach)));
}

inline std::vector<dContactGeom> contactsOf(dGeomID g1, dGeomID g2, int flags = 64) {
  std::vector<dContactGeom> contacts(static_cast<std::size_t>(flags & 0xffff));
  const int count = dCollide(g1, g2, flags, contacts.data(), sizeof(dContactGeom));
  EXPECT_GE(count, 0);
  EXPECT_LE(count, flags & 0xffff);
  contacts.resize(static_cast<std::size_t>(count));
  return contacts;
}

/// Equal to the last bit, in all that ODE documents of a contact.
[[nodiscard]] inline bool isSame(const dContactGeom& a, const dContactGeom& b) {
  return std::memcmp(a.pos, b.pos, 3 * sizeof(dReal)) == 0 &&
         std::memcmp(a.normal, b.normal, 3 * sizeof(dReal)) == 0 &&
         std::memcmp(&a.depth, &b.depth, sizeof a.depth) == 0 && a.g1 == b.g1 && a.g2 == b.g2 &&
         a.side1 == b.side1 && a.side2 == b.side2;
}

[[nodiscard]] inline bool areSame(std::span<const dContactGeom> a, std::span<const dContactGeom> b) {
  return std::ranges::equal(a, b, isSame);
}

/// The contacts of (g1, g2) as ODE is to hand them to the program: odemesh::collide on the same meshes and
/// poses, called for (g2, g1) and turned round, because ODE calls an override with the geoms swapped, with
/// the least depths eased.
[[nodiscard]] inline std::vector<dContactGeom> expectedContacts(dGeomID g1, const Mesh& mesh1,
                                                                const Pose& pose1, dGeomID g2,
                                                                const Mesh& mesh2, const Pose& pose2,
                                                                std::size_t limit = 64, double margin = 0) {
  std::vector<Contact> found(limit);
  found.resize(collide(mesh2, pose2, mesh1, pose1, found, nullptr, margin));
  ode::easeDepths(found, std::min(mesh1.sphereRadius(), mesh2.sphereRadius()));
  std::vector<dContactGeom> out;
  for (const Contact& c : found) {
    dContactGeom& o = out.emplace_back();
    const Vec3 normal = sizeof(dReal) == sizeof(float) ? normalised(c.normal) : c.normal;
    for (int axis = 0; axis < 3; ++axis) {
      o.pos[axis] = dReal(c.position[axis]);
      o.normal[axis] = -dReal(normal[axis]);
    }
    o.depth = dReal(c.depth);
    o.g1 = g1;
    o.g2 = g2;
    o.side1 = static_cast<int>(c.triangle2);
    o.side2 = static_cast<int>(c.triangle1);
  }
  return out;
}

/// What ODE asks of the contacts of a collider, for any pair.
inline void expectContract(std::span<const dContactGeom> contacts, dGeomID g1, dGeomID g2) {
  dReal deepest = contacts.empty() ? 0 : contacts.front().depth;
  for (const dContactGeom& c : contacts) {
    ASSERT_EQ(c.g1, g1);
    ASSERT_EQ(c.g2, g2);
    ASSERT_GE(c.side1, 0);
    ASSERT_LT(c.side1, dGeomTriMeshGetTriangleCount(g1));
    ASSERT_GE(c.side2, 0);
    ASSERT_LT(c.side2, dGeomTriMeshGetTriangleCount(g2));
    for (int axis = 0; axis < 3; ++axis) ASSERT_TRUE(std::isfinite(c.pos[axis]));
    ASSERT_NEAR(dCalcVectorLengthSquare3(c.normal), 1, 1e-6);
    ASSERT_TRUE(std::isfinite(c.depth));
    ASSERT_GT(c.depth, 0);
    ASSERT_LE(c.depth, deepest) << "the deepest contact comes first";
  }
}

}  // namespace odemesh::test
