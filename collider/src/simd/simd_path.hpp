// Which vector instructions the pair search uses. All paths give the same results.
#pragma once

namespace odemesh {

enum class SimdPath { kScalar, kSse2, kAvx2 };

/// True if this build and this machine have it.
[[nodiscard]] bool isAvailable(SimdPath path);

/// The best one that is available, unless the environment variable ODEMESH_SIMD ("scalar", "sse2", "avx2")
/// names another that is. Read once.
[[nodiscard]] SimdPath simdPath();

/// For tests: from now on `path`, which has to be available. No search may be under way.
void setSimdPath(SimdPath path);

}  // namespace odemesh
