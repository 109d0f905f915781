#include "simd/simd_path.hpp"

#include <atomic>
#include <cstdlib>
#include <string_view>

#include "mid_phase/wide_searches.hpp"

namespace odemesh {

namespace {

[[nodiscard]] bool machineHasAvx2() {
#if defined(__x86_64__) || defined(__i386__)
  return __builtin_cpu_supports("avx2") != 0;
#else
  return false;
#endif
}

[[nodiscard]] SimdPath chosen() {
  const char* text = std::getenv("ODEMESH_SIMD");
  const std::string_view wanted = text != nullptr ? text : "";
  for (const SimdPath path : kSimdPaths)
    if (wanted == nameOf(path) && isAvailable(path)) return path;
  SimdPath best = SimdPath::kScalar;
  for (const SimdPath path : kSimdPaths)
    if (isAvailable(path)) best = path;
  return best;
}

std::atomic<SimdPath>& current() {
  static std::atomic<SimdPath> path{chosen()};
  return path;
}

}  // namespace

bool isAvailable(SimdPath path) {
  return wideSearchesOf(path).pairs != nullptr && (path != SimdPath::kAvx2 || machineHasAvx2());
}

SimdPath simdPath() {
  return current().load(std::memory_order_relaxed);
}

void setSimdPath(SimdPath path) {
  current().store(path, std::memory_order_relaxed);
}

}  // namespace odemesh
