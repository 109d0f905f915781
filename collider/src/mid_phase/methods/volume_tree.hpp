// A tree of bounding volumes of any kind over the triangles of a mesh, and the way in which CS277 builds it:
// from the top, cut in halves at the median.
//
// A Volume has a `centre` and a `radius()`, from the centre to its farthest point.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <odemesh/mesh.hpp>
#include <span>
#include <vector>

namespace odemesh {

template <class Volume>
class VolumeTree {
 public:
  struct Node {
    Volume volume;
    std::uint32_t first = 0;  ///< first child, the others follow; in a leaf, first item
    std::uint32_t child_count = 0;
    std::uint32_t item_count = 0;  ///< 0 unless it is a leaf
  };

  [[nodiscard]] std::size_t nodeCount() const { return nodes.size(); }
  [[nodiscard]] bool isLeaf(std::uint32_t i) const { return nodes[i].child_count == 0; }
  [[nodiscard]] std::uint32_t firstChild(std::uint32_t i) const { return nodes[i].first; }
  [[nodiscard]] std::uint32_t childCount(std::uint32_t i) const { return nodes[i].child_count; }
  [[nodiscard]] std::span<const std::uint32_t> items(std::uint32_t leaf) const {
    return {item_order.data() + nodes[leaf].first, nodes[leaf].item_count};
  }
  [[nodiscard]] const Volume& volume(std::uint32_t i) const { return nodes[i].volume; }
  [[nodiscard]] Vec3 centre(std::uint32_t i) const { return nodes[i].volume.centre; }
  [[nodiscard]] double radius(std::uint32_t i) const { return nodes[i].volume.radius(); }
  [[nodiscard]] std::size_t memoryBytes() const {
    return nodes.size() * sizeof(Node) + item_order.size() * sizeof(std::uint32_t);
  }

  std::vector<Node> nodes;
  std::vector<std::uint32_t> item_order;
};

/// Builds a binary tree with one triangle a leaf. `Fit` says what the volumes are:
///   Volume leaf(triangle);
///   Vec3 axis(triangles, Volume& volume)   the direction to part a node along; may set its volume already
///   void join(Volume& volume, a, b)        ... or do so from the volumes of its children
///   Vec3 centre(triangle)                  the point that decides on which side a triangle goes
template <class Volume, class Fit>
class MedianSplit {
 public:
  MedianSplit(VolumeTree<Volume>& tree, const Fit& fit, std::size_t triangles) : tree_(tree), fit_(fit) {
    tree_.item_order.resize(triangles);
    std::iota(tree_.item_order.begin(), tree_.item_order.end(), 0U);
    keys_.resize(triangles);
    tree_.nodes.reserve(2 * triangles);
    tree_.nodes.emplace_back();
    build(0, 0, triangles);
  }

 private:
  void build(std::size_t node, std::size_t begin, std::size_t end) {
    tree_.nodes[node].first = static_cast<std::uint32_t>(begin);
    if (end - begin == 1) {
      tree_.nodes[node].item_count = 1;
      tree_.nodes[node].volume = fit_.leaf(tree_.item_order[begin]);
      return;
    }
    Volume volume;
    const std::size_t middle = cut(begin, end, fit_.axis(itemsOf(begin, end), volume));
    const std::size_t child = tree_.nodes.size();
    tree_.nodes.resize(child + 2);
    build(child, begin, middle);
    build(child + 1, middle, end);
    fit_.join(volume, tree_.nodes[child].volume, tree_.nodes[child + 1].volume);
    tree_.nodes[node] = {volume, static_cast<std::uint32_t>(child), 2, 0};
  }

  [[nodiscard]] std::span<const std::uint32_t> itemsOf(std::size_t begin, std::size_t end) const {
    return {tree_.item_order.data() + begin, end - begin};
  }

  [[nodiscard]] std::size_t cut(std::size_t begin, std::size_t end, const Vec3& axis) {
    for (const std::uint32_t t : itemsOf(begin, end)) keys_[t] = dot(axis, fit_.centre(t));
    const std::size_t middle = begin + (end - begin) / 2;
    const auto first = tree_.item_order.begin();
    std::nth_element(first + static_cast<std::ptrdiff_t>(begin), first + static_cast<std::ptrdiff_t>(middle),
                     first + static_cast<std::ptrdiff_t>(end), [&](std::uint32_t a, std::uint32_t b) {
                       return keys_[a] != keys_[b] ? keys_[a] < keys_[b] : a < b;
                     });
    return middle;
  }

  VolumeTree<Volume>& tree_;
  const Fit& fit_;
  std::vector<double> keys_;
};

}  // namespace odemesh
