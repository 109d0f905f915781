#include "simd/simd_path.hpp"

#include <atomic>
#include <cstdlib>
#include <string_view>

#include "mid_phase/wide_search.hpp"

namespace odemesh {

namespace {

[[nodiscard]] bool machineHasAvx2() {
#if defined(__x86_64__) || defined(__i386__)
  return __builtin_cpu_supports("avx2") != 0;
#else
  return false;
#endif
}

[[nodiscard]] SimdPath best() {
  if (isAvailable(SimdPath::kAvx2)) return SimdPath::kAvx2;
  return isAvailable(SimdPath::kSse2) ? SimdPath::kSse2 : SimdPath::kScalar;
}

[[nodiscard]] SimdPath chosen() {
  const char* text = std::getenv("ODEMESH_SIMD");
  const std::string_view wanted = text != nullptr ? text : "";
  if (wanted == "scalar") return SimdPath::kScalar;
  if (wanted == "sse2" && isAvailable(SimdPath::kSse2)) return SimdPath::kSse2;
  return best();
}

std::atomic<SimdPath>& current() {
  static std::atomic<SimdPath> path{chosen()};
  return path;
}

}  // namespace

bool isAvailable(SimdPath path) {
  if (path == SimdPath::kAvx2) return wideSearchAvx2().pairs != nullptr && machineHasAvx2();
  return path == SimdPath::kScalar || wideSearchSse2().pairs != nullptr;
}

SimdPath simdPath() {
  return current().load(std::memory_order_relaxed);
}

void setSimdPath(SimdPath path) {
  current().store(path, std::memory_order_relaxed);
}

}  // namespace odemesh
