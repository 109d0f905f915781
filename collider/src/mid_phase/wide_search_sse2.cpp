#include "mid_phase/wide_search_impl.hpp"
#include "simd/float8.hpp"

namespace odemesh {

WideSearch wideSearchSse2() {
#if defined(__SSE2__)
  return wideSearch<Float8Sse2>;
#else
  return nullptr;
#endif
}

}  // namespace odemesh
