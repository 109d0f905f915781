#include "viewer/overlay.hpp"

#include <odemesh/bounding_boxes.hpp>
#include <odemesh/collide.hpp>
#include <set>
#include <vector>

namespace odemesh::viewer {
namespace {

constexpr sim::Colour kIntersecting{0.92F, 0.12F, 0.50F, 0.55F};
constexpr sim::Colour kIntersectingEdge{0.55F, 0.02F, 0.28F, 1};
constexpr sim::Colour kBox{0.10F, 0.35F, 0.20F, 0.9F};

// A mesh of the world at its place; the mesh's frame is that of its centre of mass.
struct PlacedMesh {
  std::shared_ptr<const sim::CollisionMesh> mesh;
  Pose pose;
  bool is_static;
  std::size_t body;
};

std::vector<PlacedMesh> meshesOf(const sim::World& world) {
  std::vector<PlacedMesh> out;
  for (std::size_t b = 0; b < world.bodyCount(); ++b) {
    const sim::Body& body = world.body(b);
    if (!body.isFinite()) continue;
    for (std::size_t p = 0; p < body.parts().size(); ++p)
      if (const auto* mesh = std::get_if<sim::MeshGeometry>(&body.parts()[p].geometry))
        out.push_back({mesh->mesh, body.partPose(p) * Pose{{}, mesh->mesh->origin()}, body.isStatic(), b});
  }
  return out;
}

bool mayMeet(const PlacedMesh& a, const PlacedMesh& b) {
  if (a.body == b.body || (a.is_static && b.is_static)) return false;
  return length(a.pose.translation - b.pose.translation) <=
         a.mesh->boundingRadius() + b.mesh->boundingRadius();
}

void addTriangle(const PlacedMesh& placed, std::uint32_t index, sim::Snapshot& out) {
  const sim::TriangleMesh& mesh = placed.mesh->mesh();
  sim::DrawnTriangle triangle{{}, kIntersecting};
  for (int i = 0; i < 3; ++i) triangle.corner[i] = placed.pose.apply(mesh.vertices[mesh.triangles[index][i]]);
  out.triangles.push_back(triangle);
  for (int i = 0; i < 3; ++i)
    out.lines.push_back({{triangle.corner[i], triangle.corner[(i + 1) % 3]}, kIntersectingEdge});
}

void addBox(const BoundingBox& box, const Pose& pose, sim::Snapshot& out) {
  const auto corner = [&](int i) {
    return pose.apply({(i & 1) != 0 ? box.high.x : box.low.x, (i & 2) != 0 ? box.high.y : box.low.y,
                       (i & 4) != 0 ? box.high.z : box.low.z});
  };
  for (int i = 0; i < 8; ++i)
    for (const int bit : {1, 2, 4})
      if ((i & bit) == 0) out.lines.push_back({{corner(i), corner(i | bit)}, kBox});
}

}  // namespace

void Overlay::addIntersections(const sim::World& world, sim::Snapshot& out) {
  const std::vector<PlacedMesh> meshes = meshesOf(world);
  std::vector<std::set<std::uint32_t>> marked(meshes.size());
  std::vector<TrianglePair> pairs;
  for (std::size_t i = 0; i < meshes.size(); ++i)
    for (std::size_t j = i + 1; j < meshes.size(); ++j) {
      if (!mayMeet(meshes[i], meshes[j])) continue;
      const Mesh* a = meshOf(meshes[i].mesh);
      const Mesh* b = meshOf(meshes[j].mesh);
      if (a == nullptr || b == nullptr) continue;
      pairs.clear();
      intersectingTriangles(*a, meshes[i].pose, *b, meshes[j].pose, pairs);
      for (const TrianglePair& pair : pairs) {
        marked[i].insert(pair.triangle1);
        marked[j].insert(pair.triangle2);
      }
    }
  for (std::size_t i = 0; i < meshes.size(); ++i)
    for (const std::uint32_t triangle : marked[i]) addTriangle(meshes[i], triangle, out);
}

void Overlay::addBoundingVolumes(const sim::World& world, std::size_t level, sim::Snapshot& out) {
  for (const PlacedMesh& placed : meshesOf(world)) {
    const Mesh* mesh = placed.is_static ? nullptr : meshOf(placed.mesh);
    if (mesh == nullptr) continue;
    for (const BoundingBox& box : boundingBoxes(*mesh, level)) addBox(box, placed.pose, out);
  }
}

const Mesh* Overlay::meshOf(const std::shared_ptr<const sim::CollisionMesh>& mesh) {
  const auto [found, is_new] = meshes_.try_emplace(mesh.get());
  if (is_new) {
    const sim::TriangleMesh& source = mesh->mesh();
    std::vector<std::uint32_t> indices;
    indices.reserve(3 * source.triangles.size());
    for (const auto& t : source.triangles) indices.insert(indices.end(), t.begin(), t.end());
    found->second = {mesh, Mesh::build(source.vertices, indices).mesh};
  }
  return found->second.mesh.get();
}

}  // namespace odemesh::viewer
