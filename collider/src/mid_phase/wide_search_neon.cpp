#include "mid_phase/wide_distance_impl.hpp"
#include "mid_phase/wide_probe_impl.hpp"
#include "mid_phase/wide_ray_impl.hpp"
#include "mid_phase/wide_search_impl.hpp"
#include "simd/float8.hpp"

namespace odemesh {

WideSearches wideSearchNeon() {
#if defined(__aarch64__)
  return {wideSearch<Float8Neon>, wideDistance<Float8Neon>, wideRay<Float8Neon>, wideProbe<Float8Neon>};
#else
  return wideSearchScalar();
#endif
}

}  // namespace odemesh
