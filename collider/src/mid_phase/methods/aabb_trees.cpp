// Binary trees of axis-aligned boxes (CS277), behind the interface of the other methods. The meshes carry the
// same trees, collapsed.
#include "mid_phase/methods/aabb_trees.hpp"

#include "bvh/aabb.hpp"
#include "mid_phase/methods/pair_method.hpp"
#include "mid_phase/methods/pair_search.hpp"
#include "mid_phase/methods/tree_search.hpp"

namespace odemesh {

namespace {

/// A Bvh as the greedy search wants it.
class BvhView {
 public:
  BvhView(const Bvh& bvh, const Mesh& mesh) : bvh_(&bvh), shift_(bvh.origin() - mesh.sphereCentre()) {}

  [[nodiscard]] bool isLeaf(std::uint32_t i) const { return bvh_->node(i).isLeaf(); }
  [[nodiscard]] std::uint32_t firstChild(std::uint32_t i) const { return bvh_->node(i).first; }
  [[nodiscard]] std::uint32_t childCount(std::uint32_t i) const { return isLeaf(i) ? 0 : 2; }
  [[nodiscard]] std::span<const std::uint32_t> items(std::uint32_t i) const {
    return bvh_->items(bvh_->node(i));
  }
  [[nodiscard]] Vec3 centre(std::uint32_t i) const { return bvh_->node(i).centre() * bvh_->scale() + shift_; }
  [[nodiscard]] double radius(std::uint32_t i) const {
    return length(bvh_->node(i).halfExtent()) * bvh_->scale();
  }

 private:
  const Bvh* bvh_;
  Vec3 shift_;
};

class AabbTrees final : public PairMethod {
 public:
  AabbTrees(const Mesh& mesh1, const Mesh& mesh2)
      : mesh1_(mesh1), mesh2_(mesh2), tree1_(binaryTree(mesh1)), tree2_(binaryTree(mesh2)) {}

  void search(const MeshPair& pair, PairCollector& collector) const override {
    const CentredPlacement place(pair);
    if (collector.mode() == SearchMode::kAll) {
      collector.stats.box_tests +=
          searchPairs(tree1_, tree2_, pair.mesh2InMesh1(), place.slack,
                      [&](auto items1, auto items2) { return collector.test(items1, items2); });
      return;
    }
    const BoxOverlap overlap(tree1_, tree2_, pair.mesh2InMesh1(), place.slack);
    searchGreedily(
        BvhView(tree1_, mesh1_), BvhView(tree2_, mesh2_), place,
        [&](std::uint32_t a, std::uint32_t b) { return overlap(tree1_.node(a), tree2_.node(b)); }, collector);
  }
  [[nodiscard]] std::size_t memoryBytes() const override {
    return tree1_.memoryBytes() + tree2_.memoryBytes();
  }

 private:
  const Mesh& mesh1_;
  const Mesh& mesh2_;
  Bvh tree1_, tree2_;
};

}  // namespace

Bvh binaryTree(const Mesh& mesh) {
  std::vector<Aabb> boxes(mesh.triangleCount());
  for (std::size_t t = 0; t < boxes.size(); ++t)
    for (int i = 0; i < 3; ++i) boxes[t].grow(mesh.vertex(t, i));
  return Bvh(boxes);
}

std::unique_ptr<const PairMethod> makeAabbTrees(const Mesh& mesh1, const Mesh& mesh2) {
  return std::make_unique<AabbTrees>(mesh1, mesh2);
}

}  // namespace odemesh
