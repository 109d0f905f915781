#include "mid_phase/methods/octree.hpp"

#include <array>

#include "mid_phase/box_axes.hpp"
#include "mid_phase/methods/pair_method.hpp"
#include "mid_phase/methods/tree_search.hpp"

namespace odemesh {

namespace {

constexpr std::size_t kLeafTriangles = 4;
/// Cubes are not cut below 2^-20 of the mesh: triangles that are closer share a leaf.
constexpr int kMaxDepth = 20;

class OctreeBuilder {
 public:
  OctreeBuilder(Octree& tree, const Mesh& mesh) : tree_(tree), mesh_(mesh) {
    tree_.item_order.resize(mesh.triangleCount());
    std::iota(tree_.item_order.begin(), tree_.item_order.end(), 0U);
    tree_.nodes.emplace_back();
    build(0, {{}, mesh.sphereRadius()}, 0, mesh.triangleCount(), 0);
  }

 private:
  using Offsets = std::array<std::size_t, 9>;

  void build(std::size_t node, const LooseCube& cell, std::size_t begin, std::size_t end, int depth) {
    Octree::Node made{loosened(cell, begin, end), static_cast<std::uint32_t>(begin), 0, 0};
    if (end - begin <= kLeafTriangles || depth == kMaxDepth) {
      made.item_count = static_cast<std::uint32_t>(end - begin);
      tree_.nodes[node] = made;
      return;
    }
    const Offsets octant = sortByOctant(cell.centre, begin, end);
    const std::size_t child = tree_.nodes.size();
    for (std::size_t o = 0; o < 8; ++o) made.child_count += octant[o] != octant[o + 1];
    made.first = static_cast<std::uint32_t>(child);
    tree_.nodes[node] = made;
    tree_.nodes.resize(child + made.child_count);
    std::size_t next = child;
    for (std::size_t o = 0; o < 8; ++o) {
      if (octant[o] == octant[o + 1]) continue;
      build(next++, octantOf(cell, o), octant[o], octant[o + 1], depth + 1);
    }
  }

  [[nodiscard]] Vec3 centroid(std::uint32_t t) const {
    return (centredCorner(mesh_, t, 0) + centredCorner(mesh_, t, 1) + centredCorner(mesh_, t, 2)) / 3;
  }

  [[nodiscard]] LooseCube loosened(LooseCube cell, std::size_t begin, std::size_t end) const {
    for (std::size_t k = begin; k < end; ++k) {
      for (int i = 0; i < 3; ++i) {
        const Vec3 d = centredCorner(mesh_, tree_.item_order[k], i) - cell.centre;
        cell.half = std::max({cell.half, std::abs(d.x), std::abs(d.y), std::abs(d.z)});
      }
    }
    return cell;
  }

  [[nodiscard]] static std::size_t octantIndex(const Vec3& centre, const Vec3& p) {
    return (p.x >= centre.x ? 1U : 0U) + (p.y >= centre.y ? 2U : 0U) + (p.z >= centre.z ? 4U : 0U);
  }
  [[nodiscard]] static LooseCube octantOf(const LooseCube& cell, std::size_t octant) {
    const double h = 0.5 * cell.half;
    return {cell.centre +
                Vec3{(octant & 1) != 0 ? h : -h, (octant & 2) != 0 ? h : -h, (octant & 4) != 0 ? h : -h},
            h};
  }

  /// A counting sort; returns where each octant begins.
  [[nodiscard]] Offsets sortByOctant(const Vec3& centre, std::size_t begin, std::size_t end) {
    const std::vector<std::uint32_t> old(tree_.item_order.begin() + static_cast<std::ptrdiff_t>(begin),
                                         tree_.item_order.begin() + static_cast<std::ptrdiff_t>(end));
    Offsets offset{};
    for (const std::uint32_t t : old) ++offset[octantIndex(centre, centroid(t)) + 1];
    offset[0] = begin;
    for (std::size_t o = 1; o < 9; ++o) offset[o] += offset[o - 1];
    Offsets place = offset;
    for (const std::uint32_t t : old) tree_.item_order[place[octantIndex(centre, centroid(t))]++] = t;
    return offset;
  }

  Octree& tree_;
  const Mesh& mesh_;
};

class Octrees final : public PairMethod {
 public:
  Octrees(const Mesh& mesh1, const Mesh& mesh2) : tree1_(buildOctree(mesh1)), tree2_(buildOctree(mesh2)) {}

  void search(const MeshPair& pair, PairCollector& collector) const override {
    const CentredPlacement place(pair);
    const BoxTurn turn(place.rotation);
    const auto overlap = [&](std::uint32_t a, std::uint32_t b) {
      const LooseCube& cube1 = tree1_.volume(a);
      const LooseCube& cube2 = tree2_.volume(b);
      return !partedByFace(Vec3{1, 1, 1} * cube1.half, Vec3{1, 1, 1} * cube2.half, turn,
                           place(cube2.centre) - cube1.centre, place.slack);
    };
    searchTrees(tree1_, tree2_, place, overlap, collector);
  }
  [[nodiscard]] std::size_t memoryBytes() const override {
    return tree1_.memoryBytes() + tree2_.memoryBytes();
  }

 private:
  Octree tree1_, tree2_;
};

}  // namespace

Octree buildOctree(const Mesh& mesh) {
  Octree tree;
  const OctreeBuilder built(tree, mesh);
  return tree;
}

std::unique_ptr<const PairMethod> makeOctrees(const Mesh& mesh1, const Mesh& mesh2) {
  return std::make_unique<Octrees>(mesh1, mesh2);
}

}  // namespace odemesh
