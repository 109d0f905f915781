// Do two meshes meet, where, and how far apart are they? Nothing is simulated; ODE is not used.
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <memory>
#include <numbers>
#include <odemesh/collide.hpp>
#include <odemesh/distance.hpp>
#include <vector>

namespace {

using odemesh::Vec3;

// A ring around z, of `n` segments of `m` sides.
std::shared_ptr<const odemesh::Mesh> makeRing(double radius, double tube, std::uint32_t n, std::uint32_t m) {
  std::vector<Vec3> vertices;
  std::vector<std::uint32_t> indices;
  for (std::uint32_t i = 0; i < n; ++i)
    for (std::uint32_t j = 0; j < m; ++j) {
      const double a = 2 * std::numbers::pi * i / n;
      const double b = 2 * std::numbers::pi * j / m;
      const double r = radius + tube * std::cos(b);
      vertices.push_back({r * std::cos(a), r * std::sin(a), tube * std::sin(b)});
      const std::uint32_t next_i = (i + 1) % n * m;
      const std::uint32_t next_j = (j + 1) % m;
      const std::uint32_t corner[4] = {i * m + j, next_i + j, next_i + next_j, i * m + next_j};
      for (const int k : {0, 1, 2, 0, 2, 3}) indices.push_back(corner[k]);
    }
  return odemesh::Mesh::build(vertices, indices).mesh;
}

}  // namespace

int main() {
  const auto ring = makeRing(1, 0.1, 64, 24);
  if (!ring || !ring->topology().isWatertight()) return 1;
  const odemesh::Pose lying;
  // The second ring stands upright, and is moved along x out of the middle of the first.
  odemesh::Pose upright{{{{1, 0, 0}, {0, 0, -1}, {0, 1, 0}}}, {}};
  std::printf("%6s %10s %10s %15s %9s %8s\n", "x", "meet", "distance", "triangle pairs", "contacts", "depth");
  int meetings = 0;
  for (const double x : {0.1, 0.5, 1.0, 1.5, 1.85, 2.0, 2.15, 2.5}) {
    upright.translation.x = x;
    const bool meet = odemesh::intersects(*ring, lying, *ring, upright);
    const auto apart = odemesh::meshDistance(*ring, lying, *ring, upright);
    std::vector<odemesh::TrianglePair> pairs;
    odemesh::intersectingTriangles(*ring, lying, *ring, upright, pairs);
    odemesh::Contact contacts[16];
    const std::size_t count = odemesh::collide(*ring, lying, *ring, upright, contacts);
    std::printf("%6.2f %10s %10.4f %15zu %9zu %8.4f\n", x, meet ? "yes" : "no", apart ? apart->distance : -1,
                pairs.size(), count, count > 0 ? contacts[0].depth : 0);
    if (meet != (apart && apart->distance == 0) || meet != !pairs.empty()) return 1;
    meetings += meet ? 1 : 0;
  }
  return meetings == 4 ? 0 : 1;  // the tubes overlap while x is below 0.2 or from 1.8 to 2.2
}
