#include <odemesh/bounding_boxes.hpp>

#include "bvh/bvh.hpp"

namespace odemesh {
namespace {

// Depth first; the tree's depth is limited.
void collect(const Bvh& bvh, const BvhNode& node, std::size_t level, std::vector<BoundingBox>& out) {
  if (level == 0 || node.isLeaf()) {
    const auto placed = [&](const float* p) {
      return bvh.origin() + Vec3{double(p[0]), double(p[1]), double(p[2])} * bvh.scale();
    };
    out.push_back({placed(node.lo), placed(node.hi)});
    return;
  }
  collect(bvh, bvh.node(node.first), level - 1, out);
  collect(bvh, bvh.node(node.first + 1), level - 1, out);
}

}  // namespace

std::vector<BoundingBox> boundingBoxes(const Mesh& mesh, std::size_t level) {
  std::vector<BoundingBox> out;
  collect(mesh.bvh(), mesh.bvh().node(0), level, out);
  return out;
}

}  // namespace odemesh
