// Searching two trees of bounding volumes for pairs of leaves that overlap: exhaustively, or greedily for any
// hit (CS277).
//
// A Tree has isLeaf, firstChild, childCount, items, centre and radius, each of a node; see VolumeTree.
#pragma once

#include <cstdint>
#include <queue>
#include <tuple>
#include <vector>

#include "mid_phase/methods/pair_method.hpp"

namespace odemesh {

struct NodePair {
  std::uint32_t a, b;
};

/// What is worth looking into first: the distance of the centres minus the sum of the radii, the lower the
/// deeper the overlap. CS277 prints the distance minus the squared sum, whose order changes with the unit of
/// length.
[[nodiscard]] inline double overlapKey(double centre_distance, double radius_a, double radius_b) {
  return centre_distance - (radius_a + radius_b);
}

/// The one step of both searches: replaces a pair by those of one node with the children of the other; the
/// larger is the one that is opened.
template <class Tree, class OnPair>
void openLarger(const Tree& a, const Tree& b, NodePair pair, OnPair&& on_pair) {
  if (b.isLeaf(pair.b) || (!a.isLeaf(pair.a) && a.radius(pair.a) >= b.radius(pair.b))) {
    const std::uint32_t first = a.firstChild(pair.a);
    for (std::uint32_t i = 0; i < a.childCount(pair.a); ++i) on_pair(NodePair{first + i, pair.b});
  } else {
    const std::uint32_t first = b.firstChild(pair.b);
    for (std::uint32_t i = 0; i < b.childCount(pair.b); ++i) on_pair(NodePair{pair.a, first + i});
  }
}

/// Every pair of leaves for which `overlap(node of a, node of b)` holds all the way down.
template <class Tree, class Overlap>
void searchExhaustively(const Tree& a, const Tree& b, const Overlap& overlap, PairCollector& out) {
  std::vector<NodePair> stack{{0, 0}};
  while (!stack.empty()) {
    const NodePair pair = stack.back();
    stack.pop_back();
    ++out.stats.box_tests;
    if (!overlap(pair.a, pair.b)) continue;
    if (a.isLeaf(pair.a) && b.isLeaf(pair.b)) {
      if (out.test(a.items(pair.a), b.items(pair.b))) return;
    } else {
      openLarger(a, b, pair, [&](NodePair next) { stack.push_back(next); });
    }
  }
}

/// The same, the deepest overlap first. Ties go by node numbers, so that the order is always the same.
template <class Tree, class Overlap>
void searchGreedily(const Tree& a, const Tree& b, const CentredPlacement& place, const Overlap& overlap,
                    PairCollector& out) {
  struct Candidate {
    double key;
    NodePair pair;
    bool operator<(const Candidate& o) const {  // std::priority_queue pops the greatest
      return std::tie(o.key, o.pair.a, o.pair.b) < std::tie(key, pair.a, pair.b);
    }
  };
  std::priority_queue<Candidate> queue;
  const auto offer = [&](NodePair pair) {
    ++out.stats.box_tests;
    if (!overlap(pair.a, pair.b)) return;
    const double distance = length(place(b.centre(pair.b)) - a.centre(pair.a));
    queue.push({overlapKey(distance, a.radius(pair.a), b.radius(pair.b)), pair});
  };
  offer({0, 0});
  while (!queue.empty()) {
    const NodePair pair = queue.top().pair;
    queue.pop();
    if (a.isLeaf(pair.a) && b.isLeaf(pair.b)) {
      if (out.test(a.items(pair.a), b.items(pair.b))) return;
    } else {
      openLarger(a, b, pair, offer);
    }
  }
}

template <class Tree, class Overlap>
void searchTrees(const Tree& a, const Tree& b, const CentredPlacement& place, const Overlap& overlap,
                 PairCollector& out) {
  if (out.mode() == SearchMode::kAny)
    searchGreedily(a, b, place, overlap, out);
  else
    searchExhaustively(a, b, overlap, out);
}

}  // namespace odemesh
