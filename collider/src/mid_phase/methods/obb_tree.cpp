#include "mid_phase/methods/obb_tree.hpp"

#include "bvh/aabb.hpp"
#include "eigenvectors.hpp"
#include "mid_phase/box_axes.hpp"
#include "mid_phase/methods/pair_method.hpp"
#include "mid_phase/methods/tree_search.hpp"

namespace odemesh {

namespace {

class ObbFit {
 public:
  /// Coordinates are scaled to about one, so that their squares stay in range.
  explicit ObbFit(const Mesh& mesh) : mesh_(mesh), unit_(mesh.sphereRadius() > 0 ? mesh.sphereRadius() : 1) {}

  [[nodiscard]] Vec3 centre(std::uint32_t t) const {
    return (centredCorner(mesh_, t, 0) + centredCorner(mesh_, t, 1) + centredCorner(mesh_, t, 2)) / 3;
  }
  [[nodiscard]] OrientedBox leaf(std::uint32_t t) const { return fit({&t, 1}); }
  [[nodiscard]] Vec3 axis(std::span<const std::uint32_t> triangles, OrientedBox& box) const {
    box = fit(triangles);
    const Vec3& h = box.half;
    return box.axes.row[h.x >= h.y && h.x >= h.z ? 0 : h.y >= h.z ? 1 : 2];
  }
  void join(OrientedBox&, const OrientedBox&, const OrientedBox&) const {}

 private:
  [[nodiscard]] OrientedBox fit(std::span<const std::uint32_t> triangles) const {
    OrientedBox box;
    box.axes = eigenvectors(covariance(triangles));
    Aabb along;  // in the axes of the box
    for (const std::uint32_t t : triangles)
      for (int i = 0; i < 3; ++i) along.grow(box.axes * centredCorner(mesh_, t, i));
    box.centre = box.axes.transposed() * along.centre();
    box.half = 0.5 * along.extent();
    return box;
  }

  /// Of the corners of the triangles, each as often as it occurs (CS277).
  [[nodiscard]] Mat3 covariance(std::span<const std::uint32_t> triangles) const {
    const double share = 1 / (3 * double(triangles.size()));
    Vec3 mean;
    for (const std::uint32_t t : triangles) mean += (3 * share / unit_) * centre(t);
    Mat3 sum{{{}, {}, {}}};
    for (const std::uint32_t t : triangles)
      for (int i = 0; i < 3; ++i) addSquare(sum, centredCorner(mesh_, t, i) / unit_ - mean, share);
    return sum;
  }

  const Mesh& mesh_;
  double unit_;
};

class ObbTrees final : public PairMethod {
 public:
  ObbTrees(const Mesh& mesh1, const Mesh& mesh2) : tree1_(buildObbTree(mesh1)), tree2_(buildObbTree(mesh2)) {}

  void search(const MeshPair& pair, PairCollector& collector) const override {
    const CentredPlacement place(pair);
    const auto overlap = [&](std::uint32_t a, std::uint32_t b) {
      const OrientedBox& box1 = tree1_.volume(a);
      const OrientedBox& box2 = tree2_.volume(b);
      const BoxTurn turn(box1.axes * place.rotation * box2.axes.transposed());
      const Vec3 d = box1.axes * (place(box2.centre) - box1.centre);
      return !partedByFace(box1.half, box2.half, turn, d, place.slack) &&
             !partedByEdges(box1.half, box2.half, turn, d, place.slack);
    };
    searchTrees(tree1_, tree2_, place, overlap, collector);
  }
  [[nodiscard]] std::size_t memoryBytes() const override {
    return tree1_.memoryBytes() + tree2_.memoryBytes();
  }

 private:
  ObbTree tree1_, tree2_;
};

}  // namespace

ObbTree buildObbTree(const Mesh& mesh) {
  ObbTree tree;
  const ObbFit fit(mesh);
  const MedianSplit<OrientedBox, ObbFit> built(tree, fit, mesh.triangleCount());
  return tree;
}

std::unique_ptr<const PairMethod> makeObbTrees(const Mesh& mesh1, const Mesh& mesh2) {
  return std::make_unique<ObbTrees>(mesh1, mesh2);
}

}  // namespace odemesh
