#include "mid_phase/wide_search_impl.hpp"
#include "simd/float8.hpp"

namespace odemesh {

WideSearch wideSearchScalar() {
  return wideSearch<Float8Scalar>;
}

}  // namespace odemesh
