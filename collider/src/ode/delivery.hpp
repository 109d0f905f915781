// From the contacts of a query to ODE's: how many, which of them, and in the caller's array.
#pragma once

#include <odemesh/odemesh.h>

#include <functional>
#include <odemesh/collide.hpp>
#include <span>

namespace odemesh::ode {

/// The arguments of a dColliderFn.
struct ColliderCall {
  dGeomID o1, o2;
  int flags;
  dContactGeom* contacts;
  int skip;
};

/// Fills as much of a span with contacts as there is, and says how many.
using ContactQuery = std::function<std::size_t(std::span<Contact>, QueryStats&)>;

/// Runs `query` with room for what the caller and the options allow, writes the contacts for (o1, o2) and
/// counts them. Returns how many were written. The triangle of a geom that is no trimesh is written as -1.
[[nodiscard]] int deliver(const ColliderCall& call, const ContactQuery& query);

/// Keeps exceptions from ODE: on one it returns 0, counts an error and leaves a message for
/// odemeshLastError().
[[nodiscard]] int runGuarded(const ColliderCall& call, int (*body)(const ColliderCall&)) noexcept;

}  // namespace odemesh::ode
