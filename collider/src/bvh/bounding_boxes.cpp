#include <odemesh/bounding_boxes.hpp>

#include "bvh/wide_walk.hpp"

namespace odemesh {
namespace {

// Depth first; the tree's depth is limited.
void collect(const WideTree& tree, std::uint32_t number, std::size_t level, std::vector<BoundingBox>& out) {
  const WideBox box = boxOf(tree, number);
  if (level == 0 || box.child.isLeaf())
    out.push_back({tree.origin() + box.low() * tree.scale(), tree.origin() + box.high() * tree.scale()});
  else
    forEachBox(tree, box.child, [&](std::uint32_t below) { collect(tree, below, level - 1, out); });
}

}  // namespace

std::vector<BoundingBox> boundingBoxes(const Mesh& mesh, std::size_t level) {
  std::vector<BoundingBox> out;
  collect(mesh.wideTree(), 0, level, out);
  return out;
}

}  // namespace odemesh
