#include "mid_phase/wide_distance_impl.hpp"
#include "mid_phase/wide_probe_impl.hpp"
#include "mid_phase/wide_ray_impl.hpp"
#include "mid_phase/wide_search_impl.hpp"
#include "simd/float8.hpp"

namespace odemesh {

WideSearches wideSearchSse2() {
#if defined(__SSE2__)
  return {wideSearch<Float8Sse2>, wideDistance<Float8Sse2>, wideRay<Float8Sse2>, wideProbe<Float8Sse2>};
#else
  return wideSearchScalar();
#endif
}

}  // namespace odemesh
