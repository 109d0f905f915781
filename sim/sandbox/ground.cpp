#include "ground.hpp"

#include <algorithm>
#include <cmath>
#include <odemesh/sim/input_error.hpp>
#include <odemesh/sim/mesh_check.hpp>
#include <odemesh/sim/mesh_source.hpp>
#include <odemesh/sim/shapes.hpp>
#include <sstream>

namespace odemesh::sandbox {
namespace {

sim::BodySpec groundBody(sim::Geometry geometry) {
  sim::BodySpec spec;
  spec.name = "ground";
  spec.is_static = true;
  spec.parts.push_back({std::move(geometry)});
  return spec;
}

sim::BodySpec groundMesh(const sim::TriangleMesh& mesh) {
  return groundBody(sim::MeshGeometry{sim::CollisionMesh::make(mesh)});
}

/// Grounds are made as large as the bodies want them, which is more than the files' own sizes.
void requireSize(const std::string& name, double size, const Load& load) {
  if (size >= 1e-6 && size <= 1e6) return;
  std::ostringstream text;
  text << load.largest << ": is " << 2 * load.body_radius << " m across, and the ground '" << name
       << "' for it would have sides of " << size
       << " m, not 1e-6 to 1e6; give --scale if the file is not in metres, or a --ground of your own";
  throw sim::InputError(text.str());
}

// Room for everything to tumble outward from a collapsing column.
double flatReach(const Load& load) {
  return 4 * load.column_radius + 2 * load.height + 10 * load.body_radius;
}

Ground planeGround(const Load& load) {
  Ground ground;
  ground.body = groundBody(sim::PlaneGeometry{});
  ground.reach = 100 * flatReach(load);
  return ground;
}

Ground boxGround(const Load& load) {
  Ground ground;
  ground.reach = flatReach(load);
  const double thickness = 4 * load.body_radius;
  for (const double side : {2 * ground.reach, thickness}) requireSize("box", side, load);
  ground.body = groundMesh(sim::makeBox({2 * ground.reach, 2 * ground.reach, thickness}));
  ground.body.pose.translation.z = -thickness / 2;
  return ground;
}

// Wide enough for the column to fall into, and to hold ten times the bodies' bounding spheres.
Ground bowlGround(const Load& load) {
  const double radius =
      std::max(2 * load.column_radius, load.body_radius * std::cbrt(20 * static_cast<double>(load.count)));
  for (const double side : {radius, load.body_radius}) requireSize("bowl", side, load);
  Ground ground;
  ground.top = radius;
  ground.reach = radius;
  ground.body = groundMesh(sim::makeBowl(radius, std::max(radius / 20, load.body_radius)));
  return ground;
}

Ground fileGround(const std::string& file) {
  sim::LoadedMesh loaded = sim::loadMeshSource(file);
  const sim::Bounds bounds = sim::boundsOf(loaded.mesh);
  Ground ground;
  ground.level = bounds.low.z;
  ground.top = bounds.high.z;
  ground.centre = bounds.centre();
  ground.reach = bounds.diagonal();
  ground.body = groundMesh(loaded.mesh);
  ground.warnings = std::move(loaded.warnings);
  return ground;
}

}  // namespace

Ground makeGround(const std::string& name, const Load& load) {
  if (name == "plane") return planeGround(load);
  if (name == "box") return boxGround(load);
  if (name == "bowl") return bowlGround(load);
  return fileGround(name);
}

}  // namespace odemesh::sandbox
