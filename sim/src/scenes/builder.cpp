#include "scenes/builder.hpp"

#include <cmath>
#include <odemesh/sim/random.hpp>
#include <odemesh/sim/shapes.hpp>
#include <utility>

namespace odemesh::sim {
namespace {

// Bodies that get this far from the scene, at unit scale, have failed.
constexpr double kWorldRadius = 900;

WorldSettings scaledSettings(const SceneOptions& options, WorldSettings s) {
  s.collider = options.collider;
  s.dt = options.dt;
  s.solver = options.solver;
  s.iterations = options.iterations;
  s.max_contacts = options.max_contacts;
  s.speculative = s.speculative && options.speculative;
  s.gravity *= options.scale;
  // ODE adds the CFM to inverse masses, which go with the inverse cube of the length.
  s.cfm /= options.scale * options.scale * options.scale;
  s.surface.bounce_threshold *= options.scale;
  s.surface_layer *= options.scale;
  s.max_correcting_speed *= options.scale;
  const double radius = kWorldRadius * options.scale;
  s.kill_min = options.offset - Vec3{radius, radius, radius};
  s.kill_max = options.offset + Vec3{radius, radius, radius};
  return s;
}

/// The same part of a mesh that is turned in its own frame.
void turnMesh(Part& part, const Mat3& turn) {
  const auto* geometry = std::get_if<MeshGeometry>(&part.geometry);
  if (geometry == nullptr) return;
  TriangleMesh mesh = geometry->mesh->mesh();
  for (Vec3& v : mesh.vertices) v = turn * (v + geometry->mesh->origin());
  part.geometry = MeshGeometry{CollisionMesh::make(mesh)};
  part.pose.rotation = part.pose.rotation * turn.transposed();
}

bool isInside(double coordinate, double half) {
  return std::abs(coordinate) < half * (1 - 1e-9);
}

}  // namespace

Mat3 rotationAbout(const Vec3& axis, double angle) {
  const Vec3 u = normalised(axis, {0, 0, 1});
  const double c = std::cos(angle), s = std::sin(angle), k = 1 - c;
  return {{{c + u.x * u.x * k, u.x * u.y * k - u.z * s, u.x * u.z * k + u.y * s},
           {u.y * u.x * k + u.z * s, c + u.y * u.y * k, u.y * u.z * k - u.x * s},
           {u.z * u.x * k - u.y * s, u.z * u.y * k + u.x * s, c + u.z * u.z * k}}};
}

double angleBetween(const Mat3& a, const Mat3& b) {
  const Mat3 d = a * b.transposed();
  const Vec3 twice_sine{d.row[2].y - d.row[1].z, d.row[0].z - d.row[2].x, d.row[1].x - d.row[0].y};
  return std::atan2(length(twice_sine), d.row[0].x + d.row[1].y + d.row[2].z - 1);
}

TriangleMesh irregularBox(const Vec3& size, int cells) {
  TriangleMesh mesh = makeBox(size, cells - 1);
  Random random(static_cast<std::uint64_t>(cells));
  const Vec3 cell = size / cells;
  for (Vec3& v : mesh.vertices) {
    // Each coordinate that is not held by a face may move.
    if (isInside(v.x, size.x / 2)) v.x += 0.2 * cell.x * random.uniform(-1, 1);
    if (isInside(v.y, size.y / 2)) v.y += 0.2 * cell.y * random.uniform(-1, 1);
    if (isInside(v.z, size.z / 2)) v.z += 0.2 * cell.z * random.uniform(-1, 1);
  }
  // makeBox lays each square down as two triangles (a, b, c) and (a, c, d).
  for (std::size_t i = 0; i + 1 < mesh.triangles.size(); i += 2) {
    if (random.uniform(-1, 1) < 0) continue;
    const auto [a, b, c] = mesh.triangles[i];
    const std::uint32_t d = mesh.triangles[i + 1][2];
    mesh.triangles[i] = {a, b, d};
    mesh.triangles[i + 1] = {b, c, d};
  }
  return mesh;
}

SceneBuilder::SceneBuilder(const SceneOptions& options, WorldSettings settings) : options_(options) {
  run_.world = std::make_unique<World>(scaledSettings(options, settings));
}

Geometry SceneBuilder::boxOf(const SceneOptions& options, const Vec3& size) {
  if (options.primitives) return BoxGeometry{size * options.scale};
  return meshOf(options,
                options.unaligned ? irregularBox(size, options.cells) : makeBox(size, options.cells - 1));
}

Geometry SceneBuilder::sphere(double radius, int subdivisions) const {
  if (options_.primitives) return SphereGeometry{radius * options_.scale};
  return mesh(makeIcosphere(radius, subdivisions));
}

Geometry SceneBuilder::cylinder(double radius, double length, int segments) const {
  if (options_.primitives) return CylinderGeometry{radius * options_.scale, length * options_.scale};
  return mesh(makeCylinder(radius, length, segments));
}

Geometry SceneBuilder::meshOf(const SceneOptions& options, TriangleMesh mesh) {
  for (Vec3& v : mesh.vertices) v *= options.scale;
  return MeshGeometry{CollisionMesh::make(mesh)};
}

Body& SceneBuilder::fixed(const std::string& name, const Geometry& geometry, const Vec3& position,
                          const Mat3& rotation) {
  BodySpec spec;
  spec.name = name;
  spec.parts = {{geometry}};
  spec.pose = {rotation, position};
  spec.is_static = true;
  return add(std::move(spec));
}

Body& SceneBuilder::moving(const std::string& name, const Geometry& geometry, const Vec3& position,
                           const Mat3& rotation, const Vec3& velocity, const Vec3& spin) {
  BodySpec spec;
  spec.name = name;
  spec.parts = {{geometry}};
  spec.pose = {rotation, position};
  spec.linear_velocity = velocity;
  spec.angular_velocity = spin;
  return add(std::move(spec));
}

void SceneBuilder::bowlWith(const std::string& name, const Geometry& geometry, const Shower& shower) {
  fixed("bowl", mesh(makeBowl(1, 0.15, 32, 8)));
  Random random(shower.seed);
  for (int i = 0; i < shower.count; ++i)
    moving(name + " " + std::to_string(i), geometry,
           {random.uniform(-shower.spread, shower.spread), random.uniform(-shower.spread, shower.spread),
            shower.lowest + shower.step * i},
           random.rotation());
}

Body& SceneBuilder::add(BodySpec spec) {
  const double s = options_.scale;
  spec.pose.translation = spec.pose.translation * s + options_.offset;
  for (Part& part : spec.parts) {
    part.pose.translation *= s;
    if (options_.askew != 0) turnMesh(part, Random(options_.askew).rotation());
  }
  spec.linear_velocity *= s;
  return world().addBody(spec);
}

dJointID SceneBuilder::keep(dJointID joint) {
  run_.joints.emplace_back(joint);
  return joint;
}

SceneRun SceneBuilder::finish(double duration) {
  run_.duration = duration;
  return std::move(run_);
}

}  // namespace odemesh::sim
