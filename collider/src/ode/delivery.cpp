#include "ode/delivery.hpp"

#include <algorithm>
#include <cmath>
#include <exception>
#include <limits>
#include <new>
#include <type_traits>
#include <utility>
#include <vector>

#include "ode/contact_array.hpp"
#include "ode/errors.hpp"
#include "ode/settings.hpp"

namespace odemesh::ode {

namespace {

/// False for NaN, and for what is finite here but not in an ODE of single precision.
[[nodiscard]] bool isFiniteInOde(double x) {
  return std::abs(x) <= double(std::numeric_limits<dReal>::max());
}

/// Nothing behind the collider looks at a contact again before the solver does, and a NaN there spreads to
/// every body that touches another.
[[nodiscard]] bool isSound(const Contact& c) {
  const bool finite = isFiniteInOde(c.position.x) && isFiniteInOde(c.position.y) &&
                      isFiniteInOde(c.position.z) && isFiniteInOde(c.depth);
  return finite && std::abs(lengthSq(c.normal) - 1) < 1e-3 &&
         (dReal(c.depth) > 0 || options().contact_margin > 0);
}

[[nodiscard]] bool isTrimesh(dGeomID geom) {
  return dGeomGetClass(geom) == dTriMeshClass;
}

/// ODE in single precision has rotations that are orthonormal to a few 1e-7 only, and a normal turned by one
/// of them has as much less than unit length.
[[nodiscard]] Vec3 unitNormal(const Vec3& normal) {
  return std::is_same_v<dReal, float> ? normalised(normal) : normal;
}

/// The geoms of a call, and which of them have triangles.
struct Sides {
  explicit Sides(const ColliderCall& call)
      : o1(call.o1), o2(call.o2), is_mesh1(isTrimesh(o1)), is_mesh2(isTrimesh(o2)) {}
  dGeomID o1, o2;
  bool is_mesh1, is_mesh2;
};

void write(const Contact& from, const Sides& sides, dContactGeom& to) {
  const Vec3 normal = unitNormal(from.normal);
  for (int axis = 0; axis < 3; ++axis) {
    to.pos[axis] = dReal(from.position[axis]);
    to.normal[axis] = dReal(normal[axis]);
  }
  to.pos[3] = 0;
  to.normal[3] = 0;
  to.depth = dReal(from.depth);
  to.g1 = sides.o1;
  to.g2 = sides.o2;
  to.side1 = sides.is_mesh1 ? static_cast<int>(from.triangle1) : -1;
  to.side2 = sides.is_mesh2 ? static_cast<int>(from.triangle2) : -1;
}

[[nodiscard]] dTriCallback* callbackOf(dGeomID geom) {
  return isTrimesh(geom) ? dGeomTriMeshGetCallback(geom) : nullptr;
}

[[nodiscard]] bool hasTriangleCallback(const ColliderCall& call) {
  return options().triangle_callbacks != 0 &&
         (callbackOf(call.o1) != nullptr || callbackOf(call.o2) != nullptr);
}

/// The program's say about single triangles, where odemeshOptions.triangle_callbacks asks for it.
[[nodiscard]] bool isRejected(const Contact& c, const ColliderCall& call) {
  const auto rejects = [](dGeomID mesh, dGeomID other, std::uint32_t triangle) {
    dTriCallback* callback = callbackOf(mesh);
    return callback != nullptr && callback(mesh, other, static_cast<int>(triangle)) == 0;
  };
  return rejects(call.o1, call.o2, c.triangle1) || rejects(call.o2, call.o1, c.triangle2);
}

/// This thread's buffer of contacts, on loan: a triangle callback may call dCollide while it is out.
class ContactBuffer {
 public:
  explicit ContactBuffer(std::size_t size) : spare_(spare()), contacts_(std::move(spare_)) {
    if (contacts_.size() < size) contacts_.resize(size);
  }
  ~ContactBuffer() { spare_ = std::move(contacts_); }
  ContactBuffer(const ContactBuffer&) = delete;
  ContactBuffer& operator=(const ContactBuffer&) = delete;

  [[nodiscard]] std::span<Contact> first(std::size_t n) { return {contacts_.data(), n}; }

 private:
  [[gnu::noinline]] static std::vector<Contact>& spare() {
    static thread_local std::vector<Contact> contacts;
    return contacts;
  }
  std::vector<Contact>& spare_;
  std::vector<Contact> contacts_;
};

}  // namespace

int contactLimit(int flags) {
  const int wanted = std::max(flags & kContactCountMask, 1);
  const int limit = options().contact_limit;
  return limit > 0 ? std::min(wanted, limit) : wanted;
}

int deliver(const ColliderCall& call, const ContactQuery& query) {
  const auto limit = std::size_t(contactLimit(call.flags));
  const bool ask = hasTriangleCallback(call);
  // With a callback all contacts are wanted, so that those it rejects do not take the places of others.
  const std::size_t room = ask ? kContactCountMask : limit;
  ContactBuffer buffer(room);
  QueryStats stats;
  const std::size_t count = query(buffer.first(room), stats);
  const Sides sides(call);
  const GeomArray out{call.contacts, call.skip};
  std::size_t unsound = 0, accepted = 0;
  for (const Contact& c : buffer.first(count)) {
    if (!isSound(c))
      ++unsound;
    else if (!(ask && isRejected(c, call)) && accepted++ < limit)
      write(c, sides, out[int(accepted - 1)]);
  }
  const std::size_t written = std::min(accepted, limit);
  const std::size_t dropped = (ask ? accepted : stats.contacts_found - unsound) - written;
  add(counters().unsound_contacts, stats.unsound_contacts + unsound);
  add(counters().contacts_dropped, dropped);
  add(counters().contacts, written);
  if (written > 0) add(counters().colliding_pairs, 1);
  if (stats.contained > 0) add(counters().contained_pairs, 1);
  return static_cast<int>(written);
}

void recordException() noexcept {
  try {
    throw;
  } catch (const std::bad_alloc&) {
    fail(ODEMESH_ERROR_MEMORY);
  } catch (const std::exception& e) {
    warn(e.what());
  } catch (...) {
    warn("a triangle callback threw something that is no std::exception");
  }
  add(counters().errors, 1);
}

}  // namespace odemesh::ode
