// The searches for the instructions of this machine.
#pragma once

#include "mid_phase/wide_search.hpp"
#include "simd/simd_path.hpp"

namespace odemesh {

[[nodiscard]] inline WideSearches wideSearches() {
  const SimdPath path = simdPath();
  if (path == SimdPath::kAvx2) return wideSearchAvx2();
  return path == SimdPath::kSse2 ? wideSearchSse2() : wideSearchScalar();
}

}  // namespace odemesh
