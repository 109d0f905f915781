// A hanging chain: links that hold each other by nothing but contact. The lowest one is pushed and swings.
#include <cstdio>
#include <exception>
#include <odemesh/sim/shapes.hpp>
#include <odemesh/sim/world.hpp>
#include <string>

namespace sim = odemesh::sim;

namespace {

constexpr int kLinks = 6;
constexpr double kRadius = 0.10;
constexpr double kTube = 0.02;
constexpr double kPitch = 2 * (kRadius - kTube);  // of links that touch

// Upright rings, by turns along x and along y, a little looser than they will hang.
sim::BodySpec link(const std::shared_ptr<const sim::CollisionMesh>& ring, int index) {
  sim::BodySpec body;
  body.name = "link " + std::to_string(index);
  body.parts.push_back({sim::MeshGeometry{ring}});
  body.pose.translation = {0, 0, -0.99 * kPitch * index};
  if (index % 2 == 0) {
    body.pose.rotation = {{{1, 0, 0}, {0, 0, -1}, {0, 1, 0}}};
  } else {
    body.pose.rotation = {{{0, 0, 1}, {0, 1, 0}, {-1, 0, 0}}};
  }
  body.is_static = index == 0;
  return body;
}

int run() {
  const auto ring = sim::CollisionMesh::make(sim::makeTorus(kRadius, kTube, 32, 12));
  sim::WorldSettings settings;
  settings.dt = 1.0 / 500;
  sim::World world(settings);
  for (int i = 0; i < kLinks; ++i) world.addBody(link(ring, i));
  const std::size_t last = kLinks - 1;
  world.body(last).setVelocity({0.5, 0.3, 0}, {});
  std::printf("%6s %22s %9s %10s\n", "time", "lowest link: x, z in m", "contacts", "depth, mm");
  for (int step = 1; step <= 1000 && !world.failure(); ++step) {
    const sim::StepMetrics& now = world.step();
    const odemesh::Vec3 p = world.body(last).centreOfMass();
    if (step % 125 == 0)
      std::printf("%6.2f %11.3f %10.3f %9zu %10.3f\n", now.time, p.x, p.z, now.contacts,
                  1e3 * now.greatest_depth);
  }
  if (world.failure()) return std::puts(world.failure()->message.c_str()), 1;
  for (std::size_t i = 1; i < kLinks; ++i) {
    const double gap = length(world.body(i).centreOfMass() - world.body(i - 1).centreOfMass());
    if (gap > 1.1 * kPitch) return std::printf("link %zu has come off\n", i), 1;
  }
  return 0;
}

}  // namespace

int main() {
  try {
    return run();
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 2;
  }
}
