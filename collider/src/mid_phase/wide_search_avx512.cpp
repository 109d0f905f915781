// Compiled for AVX-512, of which vectors of eight floats are used, where the compiler has it. Only what is
// asked for through wideSearchAvx512 may run here.
#include "mid_phase/wide_distance_impl.hpp"
#include "mid_phase/wide_probe_impl.hpp"
#include "mid_phase/wide_ray_impl.hpp"
#include "mid_phase/wide_search_impl.hpp"
#include "simd/float8.hpp"

namespace odemesh {

WideSearches wideSearchAvx512() {
#if defined(__AVX512VL__)
  return {wideSearch<Float8Avx512, Float8Avx512Fused>, wideDistance<Float8Avx512>, wideRay<Float8Avx512>,
          wideProbe<Float8Avx512>};
#else
  return wideSearchScalar();
#endif
}

}  // namespace odemesh
