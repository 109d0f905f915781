// Stage 3 as the queries use it: pairs of triangles of two meshes that may meet, without the pairs that are
// proven not to.
#pragma once

#include <cstdint>
#include <odemesh/pose.hpp>
#include <type_traits>

#include "bvh/wide_tree.hpp"
#include "mid_phase/wide_search.hpp"

namespace odemesh {

/// The same as the functions below, for pairs in batches.
///@{
SearchCounts searchTrianglePairs(const WideTree& a, const WideTree& b, const Pose& b_in_a, double margin,
                                 bool any, const PairSink& sink);
SearchCounts searchSweptPairs(const WideTree& a, const WideTree& b, const Pose& b_in_a, const Vec3& half_way,
                              double margin, const PairSink& sink);
///@}

/// A sink that gives pairs to `on_pair` one by one.
template <typename OnPair>
[[nodiscard]] PairSink sinkOf(OnPair& on_pair) {
  const auto take = [](void* context, const CandidatePair* pairs, std::size_t count) {
    auto& call = *static_cast<OnPair*>(context);
    for (std::size_t i = 0; i < count; ++i) {
      const bool sure = (pairs[i].first & CandidatePair::kSure) != 0;
      if (call(pairs[i].first & ~CandidatePair::kSure, pairs[i].second, sure)) return true;
    }
    return false;
  };
  return {take, &on_pair};
}

/// Calls `on_pair(triangle of a, triangle of b, sure)` until it returns true. Left out are only pairs
/// that stay clear of each other by more than `margin`, a length in the frame of mesh A, however the vertices
/// are moved by that much and however placing them in double rounds. `sure`: the two are proven to meet (to
/// be ignored where there is a margin). `b_in_a` takes points of mesh B to the frame of mesh A. With `any`,
/// the search heads for the deepest overlap.
template <typename OnPair>
requires std::is_invocable_r_v<bool, OnPair&, std::uint32_t, std::uint32_t, bool> SearchCounts
searchTrianglePairs(const WideTree& a, const WideTree& b, const Pose& b_in_a, double margin, bool any,
                    OnPair&& on_pair) {
  return searchTrianglePairs(a, b, b_in_a, margin, any, sinkOf(on_pair));
}

/// The same, for pairs that come so close while mesh B moves from `-half_way` to `half_way` from its pose, a
/// vector in the frame of mesh A. None of them is sure.
template <typename OnPair>
requires std::is_invocable_r_v<bool, OnPair&, std::uint32_t, std::uint32_t, bool> SearchCounts
searchSweptPairs(const WideTree& a, const WideTree& b, const Pose& b_in_a, const Vec3& half_way,
                 double margin, OnPair&& on_pair) {
  return searchSweptPairs(a, b, b_in_a, half_way, margin, sinkOf(on_pair));
}

/// States what is known of the least distance of two meshes in the terms of their trees.
class DistanceFrame {
 public:
  DistanceFrame(const WideTree& a, const WideTree& b, const Pose& b_in_a);

  /// `distance` is a length, and `direction` the unit vector from A to B, in the frame of mesh A, or zero.
  [[nodiscard]] ClosestSoFar closest(double distance, const Vec3& direction, bool done) const;

 private:
  Mat3 rotation_;
  Vec3 between_;  ///< from the origin of tree A to that of tree B
  double unit_a_, unit_b_;
  double rounding_;
  double stretch_sq_;  ///< bounds in the frame of a tree may be too great by this: 1 for a rotation
};

/// Gives `sink` every pair of triangles that may be closer than those before it. `b_in_a` takes points of
/// mesh B to the frame of mesh A.
SearchCounts searchClosestTriangles(const WideTree& a, const WideTree& b, const Pose& b_in_a,
                                    const ClosestSoFar& closest, const DistanceSink& sink);

}  // namespace odemesh
