#include "simd/simd_path.hpp"

#include <atomic>
#include <cstdlib>
#include <string_view>

#include "mid_phase/wide_searches.hpp"

namespace odemesh {

namespace {

/// What the search of a path is compiled for; the system has to save the registers, too.
[[nodiscard]] bool machineHas(SimdPath path) {
#if defined(__x86_64__) || defined(__i386__)
  const bool has_avx2 = __builtin_cpu_supports("avx2") != 0 && __builtin_cpu_supports("fma") != 0 &&
                        __builtin_cpu_supports("bmi") != 0 && __builtin_cpu_supports("bmi2") != 0;
  if (path == SimdPath::kAvx2) return has_avx2;
  if (path == SimdPath::kAvx512)
    return has_avx2 && __builtin_cpu_supports("avx512f") != 0 && __builtin_cpu_supports("avx512vl") != 0 &&
           __builtin_cpu_supports("avx512dq") != 0 && __builtin_cpu_supports("avx512bw") != 0;
#else
  (void)path;
#endif
  return true;
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
  // First the machine: what names the searches of a path is compiled for its instructions, too.
  return path == SimdPath::kScalar ||
         (machineHas(path) && wideSearchesOf(path).pairs != wideSearchScalar().pairs);
}

SimdPath simdPath() {
  return current().load(std::memory_order_relaxed);
}

void setSimdPath(SimdPath path) {
  current().store(path, std::memory_order_relaxed);
}

}  // namespace odemesh
