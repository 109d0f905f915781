// A mesh on a plane: the vertices below it, reduced to one patch.
#include <algorithm>
#include <array>
#include <cmath>
#include <odemesh/collide.hpp>

#include "bvh/bvh.hpp"
#include "contact/reduce.hpp"
#include "contact/scratch.hpp"

namespace odemesh {

namespace {

/// The plane in the frame of the mesh.
struct LocalPlane {
  Vec3 normal;
  double offset;
  [[nodiscard]] double depthOf(const Vec3& p) const { return offset - dot(normal, p); }
};

/// Depth of the lowest point of a tree's box.
[[nodiscard]] double deepestOf(const BvhNode& box, const Bvh& bvh, const LocalPlane& plane) {
  const Vec3 half = box.halfExtent();
  const double reach = std::abs(plane.normal.x) * half.x + std::abs(plane.normal.y) * half.y +
                       std::abs(plane.normal.z) * half.z;
  return plane.depthOf(bvh.origin()) - bvh.scale() * (dot(plane.normal, box.centre()) - reach);
}

void gatherVertices(const Mesh& mesh, std::uint32_t t, const LocalPlane& plane, double least_depth,
                    ContactScratch& scratch) {
  for (int i = 0; i < 3; ++i) {
    const std::uint32_t v = mesh.corners(t)[i];
    const double depth = plane.depthOf(mesh.vertices()[v]);
    if (depth < least_depth || mesh.isFlat(v) || !scratch.vertex_probed.insert(v)) continue;
    const Vec3 position = mesh.vertices()[v] + plane.normal * (0.5 * depth);
    scratch.candidates.push_back({position, plane.normal, depth, {t, 0}});
  }
}

/// All vertices at a depth of at least `least_depth`.
void gatherBelow(const Mesh& mesh, const LocalPlane& plane, double least_depth, ContactScratch& scratch,
                 QueryStats& stats) {
  const Bvh& bvh = mesh.bvh();
  std::array<std::uint32_t, Bvh::kMaxDepth + 2> stack;
  std::size_t depth = 0;
  stack[depth++] = 0;
  while (depth > 0) {
    const BvhNode& node = bvh.node(stack[--depth]);
    ++stats.box_tests;
    if (deepestOf(node, bvh, plane) < least_depth) continue;
    if (node.isLeaf()) {
      for (const std::uint32_t t : bvh.items(node)) gatherVertices(mesh, t, plane, least_depth, scratch);
    } else {
      stack[depth++] = node.first + 1;
      stack[depth++] = node.first;
    }
  }
}

std::size_t collideUsable(const Mesh& mesh, const Pose& pose, const Vec3& plane_normal, double plane_offset,
                          double margin, std::span<Contact> out, QueryStats& stats) {
  ContactScratch& scratch = threadScratch();
  scratch.candidates.clear();
  scratch.contacts.clear();
  scratch.patch_end.clear();
  scratch.vertex_probed.reset(mesh.vertexCount());
  const LocalPlane plane{pose.rotation.transposed() * plane_normal,
                         plane_offset - dot(plane_normal, pose.translation)};
  const Tolerances tolerances(mesh.sphereRadius(), margin);
  gatherBelow(mesh, plane, -tolerances.slack, scratch, stats);
  if (!reducePatch(plane.normal, tolerances, scratch)) return 0;
  for (const Candidate& c : scratch.candidates)
    scratch.contacts.push_back(
        {pose.apply(c.position), plane_normal, c.depth, mesh.inputTriangleAt(c.face[0], c.position), 0});
  scratch.patch_end.push_back(scratch.contacts.size());
  stats.patches = 1;
  stats.contacts_found = scratch.contacts.size();
  return selectContacts(scratch, out);
}

}  // namespace

std::size_t collidePlane(const Mesh& mesh, const Pose& pose, const Vec3& plane_normal, double plane_offset,
                         std::span<Contact> out, QueryStats* stats, double margin) {
  QueryStats local;
  std::size_t count = 0;
  if (isFinite(pose) && isFinite(plane_normal) && std::isfinite(plane_offset) && !out.empty())
    count = collideUsable(mesh, pose, plane_normal, plane_offset, usableMargin(margin), out, local);
  if (stats != nullptr) *stats = local;
  return count;
}

}  // namespace odemesh
