// Which vector instructions the pair search uses. All paths give the same results.
#pragma once

#include <string_view>

namespace odemesh {

enum class SimdPath { kScalar, kSse2, kAvx2, kAvx512, kNeon };

/// All of them, the best last.
inline constexpr SimdPath kSimdPaths[] = {SimdPath::kScalar, SimdPath::kSse2, SimdPath::kAvx2,
                                          SimdPath::kAvx512, SimdPath::kNeon};

/// As in ODEMESH_SIMD.
[[nodiscard]] constexpr std::string_view nameOf(SimdPath path) {
  switch (path) {
    case SimdPath::kSse2:
      return "sse2";
    case SimdPath::kAvx2:
      return "avx2";
    case SimdPath::kAvx512:
      return "avx512";
    case SimdPath::kNeon:
      return "neon";
    case SimdPath::kScalar:
      break;
  }
  return "scalar";
}

/// True if this build and this machine have it.
[[nodiscard]] bool isAvailable(SimdPath path);

/// The best one that is available, unless the environment variable ODEMESH_SIMD ("scalar", "sse2", "avx2",
/// "avx512", "neon") names another that is. Read once.
[[nodiscard]] SimdPath simdPath();

/// For tests: from now on `path`, which has to be available. No search may be under way.
void setSimdPath(SimdPath path);

}  // namespace odemesh
