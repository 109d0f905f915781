// From the contacts of a query to ODE's: how many, which of them, and in the caller's array.
#pragma once

#include <odemesh/odemesh.h>

#include <odemesh/collide.hpp>
#include <span>
#include <type_traits>
#include <utility>

namespace odemesh::ode {

/// The part of the flags of a dColliderFn, and of dCollide, that says for how many contacts there is room.
inline constexpr int kContactCountMask = 0xffff;

/// The arguments of a dColliderFn.
struct ColliderCall {
  dGeomID o1, o2;
  int flags;
  dContactGeom* contacts;
  int skip;
};

/// For how many contacts the caller and the options leave room.
[[nodiscard]] int contactLimit(int flags);

/// Fills as much of a span with contacts as there is, and says how many. Refers to a callable, which it does
/// not keep.
class ContactQuery {
 public:
  template <typename Query>
  requires(!std::is_same_v<Query, ContactQuery>) ContactQuery(const Query& query)
      : query_(&query), call_([](const void* q, std::span<Contact> out, QueryStats& stats) -> std::size_t {
          return (*static_cast<const Query*>(q))(out, stats);
        }) {}

  std::size_t operator()(std::span<Contact> out, QueryStats& stats) const {
    return call_(query_, out, stats);
  }

 private:
  const void* query_;
  std::size_t (*call_)(const void*, std::span<Contact>, QueryStats&);
};

/// Runs `query` with room for what the caller and the options allow, writes the contacts for (o1, o2) and
/// counts them. Returns how many were written. The triangle of a geom that is no trimesh is written as -1.
[[nodiscard]] int deliver(const ColliderCall& call, const ContactQuery& query);

/// A contact for the geoms in the other order.
inline void turnRound(dContactGeom& contact) {
  for (int axis = 0; axis < 3; ++axis) contact.normal[axis] = -contact.normal[axis];
  std::swap(contact.g1, contact.g2);
  std::swap(contact.side1, contact.side2);
}

/// To be called where an exception has been caught: counts it as an error and leaves a message for
/// odemeshLastError().
void recordException() noexcept;

/// Keeps exceptions from ODE: on one it returns 0.
template <typename Body>
[[nodiscard]] int runGuarded(Body&& body) noexcept {
  try {
    return body();
  } catch (...) {
    recordException();
    return 0;
  }
}

}  // namespace odemesh::ode
