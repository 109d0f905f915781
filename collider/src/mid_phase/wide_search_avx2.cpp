// Compiled with -mavx2 where the compiler has it. Only what is asked for through wideSearchAvx2 may run here.
#include "mid_phase/wide_distance_impl.hpp"
#include "mid_phase/wide_probe_impl.hpp"
#include "mid_phase/wide_ray_impl.hpp"
#include "mid_phase/wide_search_impl.hpp"
#include "simd/float8.hpp"

namespace odemesh {

WideSearches wideSearchAvx2() {
#if defined(__AVX2__) && defined(__FMA__)
  return {wideSearch<Float8Avx2, Float8Avx2Fused>, wideDistance<Float8Avx2>, wideRay<Float8Avx2>,
          wideProbe<Float8Avx2>};
#else
  return wideSearchScalar();
#endif
}

}  // namespace odemesh
