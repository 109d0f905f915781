// ODE's vectors as the library's.
#pragma once

#include <odemesh/odemesh.h>

#include <odemesh/pose.hpp>

namespace odemesh::ode {

[[nodiscard]] inline Vec3 vec3(const dReal* v) {
  return {double(v[0]), double(v[1]), double(v[2])};
}

}  // namespace odemesh::ode
