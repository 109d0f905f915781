// The trees of axis-aligned boxes that the meshes carry (CS277), behind the interface of the other methods.
#include "bvh/bvh.hpp"
#include "mid_phase/pair_method.hpp"
#include "mid_phase/pair_search.hpp"
#include "mid_phase/tree_search.hpp"

namespace odemesh {

namespace {

/// A Bvh as the greedy search wants it.
class BvhView {
 public:
  explicit BvhView(const Mesh& mesh) : bvh_(&mesh.bvh()), shift_(mesh.bvh().origin() - mesh.sphereCentre()) {}

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
  AabbTrees(const Mesh& mesh1, const Mesh& mesh2) : mesh1_(mesh1), mesh2_(mesh2) {}

  void search(const MeshPair& pair, PairCollector& collector) const override {
    const CentredPlacement place(pair);
    if (collector.mode() == SearchMode::kAll) {
      collector.stats.box_tests +=
          searchPairs(mesh1_.bvh(), mesh2_.bvh(), pair.mesh2InMesh1(), place.slack,
                      [&](auto items1, auto items2) { return collector.test(items1, items2); });
      return;
    }
    const BoxOverlap overlap(mesh1_.bvh(), mesh2_.bvh(), pair.mesh2InMesh1(), place.slack);
    searchGreedily(
        BvhView(mesh1_), BvhView(mesh2_), place,
        [&](std::uint32_t a, std::uint32_t b) { return overlap(mesh1_.bvh().node(a), mesh2_.bvh().node(b)); },
        collector);
  }
  [[nodiscard]] std::size_t memoryBytes() const override {
    return mesh1_.bvh().memoryBytes() + mesh2_.bvh().memoryBytes();
  }

 private:
  const Mesh& mesh1_;
  const Mesh& mesh2_;
};

}  // namespace

std::unique_ptr<const PairMethod> makeAabbTrees(const Mesh& mesh1, const Mesh& mesh2) {
  return std::make_unique<AabbTrees>(mesh1, mesh2);
}

}  // namespace odemesh
