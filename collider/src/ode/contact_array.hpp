// Contacts as ODE's callers keep them.
#pragma once

#include <ode/ode.h>

#include <cstddef>

namespace odemesh::ode {

/// What dCollide gives, in a caller's array, `stride` bytes apart.
struct GeomArray {
  dContactGeom* first;
  int stride;

  [[nodiscard]] dContactGeom& operator[](int i) const {
    return *reinterpret_cast<dContactGeom*>(reinterpret_cast<char*>(first) + std::ptrdiff_t(i) * stride);
  }
};

/// The same with surfaces.
struct ContactArray {
  dContact* first;
  int stride;

  [[nodiscard]] dContact& operator[](int i) const {
    return *reinterpret_cast<dContact*>(reinterpret_cast<char*>(first) + std::ptrdiff_t(i) * stride);
  }
  [[nodiscard]] GeomArray geoms() const { return {&first->geom, stride}; }
};

}  // namespace odemesh::ode
