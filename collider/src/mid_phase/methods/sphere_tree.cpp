#include "mid_phase/methods/sphere_tree.hpp"

#include "bvh/aabb.hpp"
#include "mid_phase/methods/pair_method.hpp"
#include "mid_phase/methods/tree_search.hpp"

namespace odemesh {

namespace {

/// Unit vector along the axis on which the centroids spread farthest.
[[nodiscard]] Vec3 widestAxis(const Aabb& box) {
  const Vec3 d = box.extent();
  return d.x >= d.y && d.x >= d.z ? Vec3{1, 0, 0} : d.y >= d.z ? Vec3{0, 1, 0} : Vec3{0, 0, 1};
}

class SphereFit {
 public:
  explicit SphereFit(const Mesh& mesh) : mesh_(mesh) {}

  [[nodiscard]] Vec3 centre(std::uint32_t t) const {
    return (centredCorner(mesh_, t, 0) + centredCorner(mesh_, t, 1) + centredCorner(mesh_, t, 2)) / 3;
  }
  [[nodiscard]] BoundingSphere leaf(std::uint32_t t) const {
    BoundingSphere sphere{centre(t), 0};
    for (int i = 0; i < 3; ++i)
      sphere.r = std::max(sphere.r, length(centredCorner(mesh_, t, i) - sphere.centre));
    return sphere;
  }
  [[nodiscard]] Vec3 axis(std::span<const std::uint32_t> triangles, BoundingSphere&) const {
    Aabb centres;
    for (const std::uint32_t t : triangles) centres.grow(centre(t));
    return widestAxis(centres);
  }
  void join(BoundingSphere& sphere, const BoundingSphere& a, const BoundingSphere& b) const {
    sphere = enclose(a, b);
  }

 private:
  const Mesh& mesh_;
};

class SphereTrees final : public PairMethod {
 public:
  SphereTrees(const Mesh& mesh1, const Mesh& mesh2)
      : tree1_(buildSphereTree(mesh1)), tree2_(buildSphereTree(mesh2)) {}

  void search(const MeshPair& pair, PairCollector& collector) const override {
    const CentredPlacement place(pair);
    const auto overlap = [&](std::uint32_t a, std::uint32_t b) {
      const BoundingSphere& sphere1 = tree1_.volume(a);
      const BoundingSphere& sphere2 = tree2_.volume(b);
      const double reach = sphere1.r + sphere2.r + place.slack;
      return lengthSq(place(sphere2.centre) - sphere1.centre) <= reach * reach;
    };
    searchTrees(tree1_, tree2_, place, overlap, collector);
  }
  [[nodiscard]] std::size_t memoryBytes() const override {
    return tree1_.memoryBytes() + tree2_.memoryBytes();
  }

 private:
  SphereTree tree1_, tree2_;
};

}  // namespace

BoundingSphere enclose(const BoundingSphere& a, const BoundingSphere& b) {
  const Vec3 between = b.centre - a.centre;
  const double distance = length(between);
  if (distance + b.r <= a.r) return a;
  if (distance + a.r <= b.r) return b;
  const double radius = 0.5 * (a.r + distance + b.r);
  // Neither holds the other, so the centres differ.
  return {a.centre + between * ((radius - a.r) / distance), radius};
}

SphereTree buildSphereTree(const Mesh& mesh) {
  SphereTree tree;
  const SphereFit fit(mesh);
  const MedianSplit<BoundingSphere, SphereFit> built(tree, fit, mesh.triangleCount());
  return tree;
}

std::unique_ptr<const PairMethod> makeSphereTrees(const Mesh& mesh1, const Mesh& mesh2) {
  return std::make_unique<SphereTrees>(mesh1, mesh2);
}

}  // namespace odemesh
