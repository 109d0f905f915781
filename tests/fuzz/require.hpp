// What has to hold whatever the input is. A fuzzer takes the abort for a finding and keeps the input.
#pragma once

#include <cstdio>
#include <cstdlib>

namespace odemesh::fuzz {

inline void require(bool holds, const char* what) {
  if (holds) return;
  std::fprintf(stderr, "does not hold: %s\n", what);
  std::abort();
}

}  // namespace odemesh::fuzz
