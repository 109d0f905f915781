// A stack of meshes, in both colliders: stack [FILE]. Prints how far the bodies drift from where they were
// put.
#include <ode/ode.h>

#include <cmath>
#include <cstdarg>
#include <cstdio>
#include <exception>
#include <odemesh/sim/mesh_source.hpp>
#include <odemesh/sim/shapes.hpp>
#include <odemesh/sim/world.hpp>

namespace sim = odemesh::sim;
using odemesh::Vec3;

namespace {

constexpr std::size_t kBodies = 5;
constexpr int kSteps = 3 * 240;

sim::BodySpec bodyOf(const std::shared_ptr<const sim::CollisionMesh>& mesh, double z) {
  sim::BodySpec body;
  body.name = mesh->mesh().name;
  body.parts.push_back({sim::MeshGeometry{mesh}});
  body.pose.translation = {0, 0, z};
  body.mass = 1;
  return body;
}

// The greatest distance, sideways and in tilt times radius, that a body has moved since it was put there.
double drift(const sim::World& world) {
  double most = 0;
  for (std::size_t i = 1; i < world.bodyCount(); ++i) {
    const sim::Body& body = world.body(i);
    const Vec3 moved = body.centreOfMass() - body.inertial().centre;
    const double up = body.pose().rotation.row[2].z;
    most = std::max(most, std::hypot(moved.x, moved.y) + body.boundingRadius() * std::sqrt(1 - up * up));
  }
  return most;
}

double run(const sim::TriangleMesh& shape, sim::Collider collider) {
  const auto mesh = sim::CollisionMesh::make(shape);
  const double top = sim::support(sim::MeshGeometry{mesh}, {}, {0, 0, 1});
  const double bottom = -sim::support(sim::MeshGeometry{mesh}, {}, {0, 0, -1});
  sim::WorldSettings settings;
  settings.collider = collider;
  sim::World world(settings);
  sim::BodySpec ground;
  ground.name = "ground";
  ground.is_static = true;
  ground.parts.push_back({sim::MeshGeometry{sim::CollisionMesh::make(sim::makeBox({20, 20, 1}))}});
  ground.pose.translation.z = -0.5;
  world.addBody(ground);
  for (std::size_t i = 0; i < kBodies; ++i)
    world.addBody(bodyOf(mesh, static_cast<double>(i) * (top - bottom) * 1.001 - bottom));
  for (int step = 0; step < kSteps && !world.failure(); ++step) world.step();
  const double moved = world.failure() ? INFINITY : drift(world);
  std::printf("  %-8s drift %9.3f mm, %3zu contacts, RMS speed %9.2g m/s\n",
              std::string(sim::colliderName(collider)).c_str(), 1e3 * moved, world.metrics().contacts,
              world.metrics().rms_speed);
  return moved / (top - bottom);
}

int compare(const sim::TriangleMesh& shape) {
  std::printf("%zu of %s on each other for 3 s\n", kBodies, shape.name.c_str());
  run(shape, sim::Collider::kOde);
  return run(shape, sim::Collider::kOdemesh) < 0.02 ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
  dSetMessageHandler([](int, const char*, va_list) {});  // ODE's own collider complains at each step
  try {
    return compare(argc > 1 ? sim::loadMeshSource(argv[1]).mesh : sim::makeBox({0.4, 0.4, 0.2}, 3));
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 2;
  }
}
