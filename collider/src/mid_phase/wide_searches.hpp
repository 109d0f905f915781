// The searches for the instructions of this machine.
#pragma once

#include "mid_phase/wide_search.hpp"
#include "simd/simd_path.hpp"

namespace odemesh {

[[nodiscard]] inline WideSearches wideSearchesOf(SimdPath path) {
  switch (path) {
    case SimdPath::kSse2:
      return wideSearchSse2();
    case SimdPath::kAvx2:
      return wideSearchAvx2();
    case SimdPath::kAvx512:
      return wideSearchAvx512();
    case SimdPath::kNeon:
      return wideSearchNeon();
    case SimdPath::kScalar:
      break;
  }
  return wideSearchScalar();
}

[[nodiscard]] inline WideSearches wideSearches() {
  return wideSearchesOf(simdPath());
}

}  // namespace odemesh
