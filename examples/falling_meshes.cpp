// Meshes from files, or generated ones, fall into a bowl and come to rest: falling_meshes [FILE...]
#include <cstdio>
#include <exception>
#include <odemesh/sim/column.hpp>
#include <odemesh/sim/mesh_source.hpp>
#include <odemesh/sim/shapes.hpp>
#include <odemesh/sim/world.hpp>
#include <string>
#include <vector>

namespace sim = odemesh::sim;

namespace {

constexpr std::size_t kBodies = 6;
constexpr double kDiameter = 0.5;  // metres; whatever unit a file is in

std::vector<std::shared_ptr<const sim::CollisionMesh>> loadMeshes(const std::vector<std::string>& sources) {
  std::vector<std::shared_ptr<const sim::CollisionMesh>> meshes;
  for (const std::string& source : sources) {
    sim::TriangleMesh mesh = sim::loadMeshSource(source).mesh;
    const double scale = kDiameter / (2 * sim::CollisionMesh::make(mesh)->boundingRadius());
    for (odemesh::Vec3& vertex : mesh.vertices) vertex *= scale;
    meshes.push_back(sim::CollisionMesh::make(mesh));
  }
  return meshes;
}

int run(std::vector<std::string> sources) {
  if (sources.empty()) sources = {"shape:torus", "shape:icosphere:1", "shape:cone"};
  const auto meshes = loadMeshes(sources);
  sim::World world;
  sim::BodySpec bowl;
  bowl.name = "bowl";
  bowl.is_static = true;
  bowl.parts.push_back({sim::MeshGeometry{sim::CollisionMesh::make(sim::makeBowl(1.2, 0.3, 32, 8))}});
  world.addBody(bowl);
  const std::vector<double> radii(kBodies, kDiameter / 2);
  const sim::Column column = sim::arrangeColumn(radii, {.bottom = 1.2});
  for (std::size_t i = 0; i < kBodies; ++i) {
    sim::BodySpec body;
    body.name = meshes[i % meshes.size()]->mesh().name;
    body.parts.push_back({sim::MeshGeometry{meshes[i % meshes.size()]}});
    body.pose = column.poses[i];
    world.addBody(body);
  }
  std::printf("%6s %9s %12s %14s\n", "time", "contacts", "depth, mm", "RMS speed, m/s");
  for (int step = 1; step <= 960 && !world.failure(); ++step) {
    const sim::StepMetrics& now = world.step();
    if (step % 120 == 0)
      std::printf("%6.1f %9zu %12.3f %14.4f\n", now.time, now.contacts, 1e3 * now.greatest_depth,
                  now.rms_speed);
  }
  for (std::size_t i = 1; i < world.bodyCount(); ++i) {
    const odemesh::Vec3 p = world.body(i).centreOfMass();
    std::printf("%-24s at %7.3f %7.3f %7.3f\n", world.body(i).name().c_str(), p.x, p.y, p.z);
    if (length(p - odemesh::Vec3{0, 0, 1.2}) > 1.3) return 1;  // outside of the bowl
  }
  return world.failure() ? 1 : 0;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    return run({argv + 1, argv + argc});
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 2;
  }
}
