// Stage 3 as the queries use it: pairs of triangles of two meshes that may meet, without the pairs that are
// proven not to.
#pragma once

#include <cstdint>
#include <odemesh/pose.hpp>
#include <type_traits>

#include "bvh/wide_tree.hpp"
#include "mid_phase/wide_search.hpp"

namespace odemesh {

/// The same as the function below, for pairs in batches.
SearchCounts searchTrianglePairs(const WideTree& a, const WideTree& b, const Pose& b_in_a, double margin,
                                 bool any, const PairSink& sink);

/// Calls `on_pair(triangle of a, triangle of b, sure)` until it returns true. Left out are only pairs
/// that stay clear of each other by more than `margin`, a length in the frame of mesh A, however the vertices
/// are moved by that much and however placing them in double rounds. `sure`: the two are proven to meet (to
/// be ignored where there is a margin). `b_in_a` takes points of mesh B to the frame of mesh A. With `any`,
/// the search heads for the deepest overlap.
template <typename OnPair>
requires std::is_invocable_r_v<bool, OnPair&, std::uint32_t, std::uint32_t, bool> SearchCounts
searchTrianglePairs(const WideTree& a, const WideTree& b, const Pose& b_in_a, double margin, bool any,
                    OnPair&& on_pair) {
  const auto take = [](void* context, const CandidatePair* pairs, std::size_t count) {
    auto& call = *static_cast<std::remove_reference_t<OnPair>*>(context);
    for (std::size_t i = 0; i < count; ++i) {
      const bool sure = (pairs[i].first & CandidatePair::kSure) != 0;
      if (call(pairs[i].first & ~CandidatePair::kSure, pairs[i].second, sure)) return true;
    }
    return false;
  };
  return searchTrianglePairs(a, b, b_in_a, margin, any, PairSink{take, &on_pair});
}

}  // namespace odemesh
