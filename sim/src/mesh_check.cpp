#include <algorithm>
#include <limits>
#include <numeric>
#include <odemesh/sim/input_error.hpp>
#include <odemesh/sim/mesh_check.hpp>
#include <tuple>
#include <utility>

namespace odemesh::sim {
namespace {

constexpr std::uint32_t kUnused = std::numeric_limits<std::uint32_t>::max();

void requireUsableCorner(const TriangleMesh& mesh, std::size_t triangle, std::uint32_t vertex) {
  const auto place = [&] {
    return nameOf(mesh) + ": triangle " + std::to_string(triangle) + ": vertex " + std::to_string(vertex);
  };
  if (vertex >= mesh.vertices.size())
    throw InputError(place() + " does not exist, there are " + std::to_string(mesh.vertices.size()) +
                     "; repair the mesh or export it again");
  const Vec3& p = mesh.vertices[vertex];
  if (!isFinite(p))
    throw InputError(place() + " has a NaN or infinite coordinate; repair the mesh or export it again");
  if (std::max({std::abs(p.x), std::abs(p.y), std::abs(p.z)}) > kMaxCoordinate)
    throw InputError(
        place() +
        " is more than 1e9 m from the origin; check the unit and give a smaller scale, or move the " +
        "mesh to its own origin");
}

/// For each vertex, the first vertex of equal position.
std::vector<std::uint32_t> firstOfEqualPosition(const std::vector<Vec3>& vertices) {
  std::vector<std::uint32_t> order(vertices.size());
  std::iota(order.begin(), order.end(), 0u);
  const auto key = [&](std::uint32_t i) {
    return std::tuple(vertices[i].x, vertices[i].y, vertices[i].z, i);
  };
  std::sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) { return key(a) < key(b); });
  std::vector<std::uint32_t> first(vertices.size());
  for (std::size_t i = 0; i < order.size(); ++i) {
    const bool same = i > 0 && vertices[order[i]] == vertices[order[i - 1]];
    first[order[i]] = same ? first[order[i - 1]] : order[i];
  }
  return first;
}

struct DirectedEdge {
  std::uint32_t low, high;
  int sense;  ///< +1 from low to high, -1 back
};

std::vector<DirectedEdge> sortedEdges(const TriangleMesh& mesh) {
  std::vector<DirectedEdge> edges;
  edges.reserve(mesh.triangles.size() * 3);
  for (const auto& t : mesh.triangles)
    for (int i = 0; i < 3; ++i) {
      const std::uint32_t from = t[i], to = t[(i + 1) % 3];
      edges.push_back({std::min(from, to), std::max(from, to), from < to ? 1 : -1});
    }
  std::sort(edges.begin(), edges.end(), [](const DirectedEdge& a, const DirectedEdge& b) {
    return std::pair(a.low, a.high) < std::pair(b.low, b.high);
  });
  return edges;
}

}  // namespace

std::string nameOf(const TriangleMesh& mesh) {
  return mesh.name.empty() ? "mesh" : mesh.name;
}

Bounds boundsOf(const TriangleMesh& mesh) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  Bounds bounds{{kInfinity, kInfinity, kInfinity}, {-kInfinity, -kInfinity, -kInfinity}};
  for (const auto& triangle : mesh.triangles)
    for (const std::uint32_t vertex : triangle) {
      const Vec3& p = mesh.vertices[vertex];
      bounds.low = {std::min(bounds.low.x, p.x), std::min(bounds.low.y, p.y), std::min(bounds.low.z, p.z)};
      bounds.high = {std::max(bounds.high.x, p.x), std::max(bounds.high.y, p.y),
                     std::max(bounds.high.z, p.z)};
    }
  return bounds;
}

void requireUsable(const TriangleMesh& mesh) {
  if (mesh.triangles.empty())
    throw InputError(nameOf(mesh) + ": has no triangles; give a surface mesh, not points or lines");
  for (std::size_t i = 0; i < mesh.triangles.size(); ++i)
    for (const std::uint32_t vertex : mesh.triangles[i]) requireUsableCorner(mesh, i, vertex);
  if (boundsOf(mesh).diagonal() < kMinExtent)
    throw InputError(nameOf(mesh) + ": is less than 1e-9 m across; check the unit and give a larger scale");
}

TriangleMesh welded(const TriangleMesh& mesh) {
  const std::vector<std::uint32_t> first = firstOfEqualPosition(mesh.vertices);
  std::vector<std::uint32_t> renumbered(mesh.vertices.size(), kUnused);
  TriangleMesh out;
  out.name = mesh.name;
  out.triangles.reserve(mesh.triangles.size());
  for (const auto& [v0, v1, v2] : mesh.triangles) {
    std::array<std::uint32_t, 3> t = {first[v0], first[v1], first[v2]};
    if (t[0] == t[1] || t[1] == t[2] || t[2] == t[0]) continue;
    for (std::uint32_t& vertex : t) {
      if (renumbered[vertex] == kUnused) {
        renumbered[vertex] = static_cast<std::uint32_t>(out.vertices.size());
        out.vertices.push_back(mesh.vertices[vertex]);
      }
      vertex = renumbered[vertex];
    }
    out.triangles.push_back(t);
  }
  return out;
}

EdgeCensus countEdges(const TriangleMesh& welded_mesh) {
  const std::vector<DirectedEdge> edges = sortedEdges(welded_mesh);
  EdgeCensus census;
  for (std::size_t begin = 0, end = 0; begin < edges.size(); begin = end) {
    int balance = 0;
    for (; end < edges.size() && edges[end].low == edges[begin].low && edges[end].high == edges[begin].high;
         ++end)
      balance += edges[end].sense;
    ++census.edges;
    if (balance != 0) ++census.open;
    if (end - begin > 2) ++census.non_manifold;
  }
  return census;
}

double signedVolume(const TriangleMesh& mesh) {
  if (mesh.triangles.empty()) return 0;
  const Vec3 origin = boundsOf(mesh).centre();
  double six_volumes = 0;
  for (const auto& [v0, v1, v2] : mesh.triangles)
    six_volumes +=
        dot(mesh.vertices[v0] - origin, cross(mesh.vertices[v1] - origin, mesh.vertices[v2] - origin));
  return six_volumes / 6;
}

bool turnOutward(TriangleMesh& welded_mesh) {
  if (!countEdges(welded_mesh).isClosed() || signedVolume(welded_mesh) >= 0) return false;
  for (auto& triangle : welded_mesh.triangles) std::swap(triangle[1], triangle[2]);
  return true;
}

}  // namespace odemesh::sim
