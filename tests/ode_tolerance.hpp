// Tolerances for numbers that pass through ODE, whose precision is that of its build.
#pragma once

#include <ode/ode.h>

#include <algorithm>
#include <limits>

namespace odemesh::test {

/// As given where ODE is in double precision; in single no less than these many roundings of 1.
[[nodiscard]] constexpr double odeTolerance(double in_double, double roundings = 4) {
  return std::max(in_double, sizeof(dReal) == sizeof(double)
                                 ? 0
                                 : roundings * double(std::numeric_limits<float>::epsilon()));
}

}  // namespace odemesh::test
