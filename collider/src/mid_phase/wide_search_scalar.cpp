#include "mid_phase/wide_distance_impl.hpp"
#include "mid_phase/wide_probe_impl.hpp"
#include "mid_phase/wide_ray_impl.hpp"
#include "mid_phase/wide_search_impl.hpp"
#include "simd/float8.hpp"

namespace odemesh {

WideSearches wideSearchScalar() {
  return {wideSearch<Float8Scalar>, wideDistance<Float8Scalar>, wideRay<Float8Scalar>,
          wideProbe<Float8Scalar>};
}

}  // namespace odemesh
