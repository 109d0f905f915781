// One dCollide call, from ODE's geoms to ODE's contacts. The only place where dContactGeom is written.
#include "ode/trimesh_collider.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <exception>
#include <new>
#include <odemesh/collide.hpp>
#include <span>
#include <utility>
#include <vector>

#include "ode/errors.hpp"
#include "ode/mesh_cache.hpp"
#include "ode/settings.hpp"
#include "ode/trimesh_reader.hpp"

namespace odemesh::ode {

namespace {

constexpr int kContactCountMask = 0xffff;  // the low half of the flags of a dColliderFn

/// How far R R^T may be from the identity. A rotation that a program has let drift is within this; a scaled
/// or mirrored one, for which distances between meshes have no meaning, is not.
constexpr double kOrthonormalSlack = 1e-3;

[[nodiscard]] int contactLimit(int flags) {
  const int wanted = std::max(flags & kContactCountMask, 1);
  const int limit = options().contact_limit;
  return limit > 0 ? std::min(wanted, limit) : wanted;
}

/// Records what is wrong with one geom of the pair.
void failOf(dGeomID geom, int code, const char* problem) {
  char detail[160];
  std::snprintf(detail, sizeof detail, "trimesh geom %p: %s", static_cast<const void*>(geom), problem);
  fail(code, detail);
}

[[nodiscard]] bool isRigid(const Pose& pose) {
  const Vec3* r = pose.rotation.row;
  for (int i = 0; i < 3; ++i)
    for (int j = i; j < 3; ++j)
      if (!(std::abs(dot(r[i], r[j]) - (i == j ? 1 : 0)) <= kOrthonormalSlack)) return false;
  return isFinite(pose.translation) && dot(cross(r[0], r[1]), r[2]) > 0;
}

/// A geom as the pipeline takes it.
struct Operand {
  CachedMesh cached;
  Pose pose;
};

/// False, with the reason recorded, if the geom has nothing to collide with.
[[nodiscard]] bool readOperand(dGeomID geom, Operand& out) {
  const dTriMeshDataID data = dGeomTriMeshGetData(geom);
  if (data == nullptr) {
    failOf(geom, ODEMESH_ERROR_MESH, "it has no data; give it some with dGeomTriMeshSetData");
    return false;
  }
  out.cached = meshCache().get(data, options().freshness);
  if (!out.cached.mesh) {
    failOf(geom, ODEMESH_ERROR_MESH, "its data has no triangles, or none of them is usable");
    return false;
  }
  out.pose = poseOf(geom);
  if (!isRigid(out.pose)) {
    failOf(geom, ODEMESH_ERROR_ARGUMENT, "its position is not finite or its rotation is not a rotation");
    return false;
  }
  return true;
}

/// Nothing behind the collider looks at a contact again before the solver does, and a NaN there spreads to
/// every body that touches another.
[[nodiscard]] bool isSound(const Contact& c) {
  const bool finite = isFinite(c.position) && std::isfinite(c.depth);
  return finite && std::abs(lengthSq(c.normal) - 1) < 1e-3 && dReal(c.depth) > 0;
}

void write(const Contact& from, dGeomID o1, dGeomID o2, dContactGeom& to) {
  for (int axis = 0; axis < 3; ++axis) {
    to.pos[axis] = dReal(from.position[axis]);
    to.normal[axis] = dReal(from.normal[axis]);
  }
  to.pos[3] = 0;
  to.normal[3] = 0;
  to.depth = dReal(from.depth);
  to.g1 = o1;
  to.g2 = o2;
  to.side1 = static_cast<int>(from.triangle1);
  to.side2 = static_cast<int>(from.triangle2);
}

[[nodiscard]] dContactGeom& contactAt(dContactGeom* contacts, int skip, std::size_t i) {
  return *reinterpret_cast<dContactGeom*>(reinterpret_cast<char*>(contacts) + i * std::size_t(skip));
}

/// The program's say about single triangles, where odemeshOptions.triangle_callbacks asks for it.
[[nodiscard]] bool isRejected(const Contact& c, dGeomID o1, dGeomID o2) {
  const auto rejects = [](dGeomID mesh, dGeomID other, std::uint32_t triangle) {
    dTriCallback* callback = dGeomTriMeshGetCallback(mesh);
    return callback != nullptr && callback(mesh, other, static_cast<int>(triangle)) == 0;
  };
  return rejects(o1, o2, c.triangle1) || rejects(o2, o1, c.triangle2);
}

[[nodiscard]] bool hasTriangleCallback(dGeomID o1, dGeomID o2) {
  return options().triangle_callbacks != 0 &&
         (dGeomTriMeshGetCallback(o1) != nullptr || dGeomTriMeshGetCallback(o2) != nullptr);
}

/// This thread's buffer of contacts, on loan: a triangle callback may call dCollide while it is out.
class ContactBuffer {
 public:
  explicit ContactBuffer(std::size_t size) : contacts_(std::move(spare())) {
    if (contacts_.size() < size) contacts_.resize(size);
  }
  ~ContactBuffer() { spare() = std::move(contacts_); }
  ContactBuffer(const ContactBuffer&) = delete;
  ContactBuffer& operator=(const ContactBuffer&) = delete;

  [[nodiscard]] std::span<Contact> first(std::size_t n) { return {contacts_.data(), n}; }

 private:
  static std::vector<Contact>& spare() {
    static thread_local std::vector<Contact> contacts;
    return contacts;
  }
  std::vector<Contact> contacts_;
};

/// Moves the contacts that `keep` accepts to the front, in their order, and returns these.
template <typename Keep>
[[nodiscard]] std::span<Contact> keepIf(std::span<Contact> contacts, Keep&& keep) {
  const auto end =
      std::remove_if(contacts.begin(), contacts.end(), [&](const Contact& c) { return !keep(c); });
  return {contacts.begin(), end};
}

int collideChecked(dGeomID o1, dGeomID o2, int flags, dContactGeom* contacts, int skip) {
  add(counters().pairs, 1);
  Operand a;
  Operand b;
  if (!readOperand(o1, a) || !readOperand(o2, b)) {
    add(counters().errors, 1);
    return 0;
  }
  const auto limit = std::size_t(contactLimit(flags));
  const bool ask = hasTriangleCallback(o1, o2);
  // With a callback all contacts are wanted, so that those it rejects do not take the places of others.
  const std::size_t room = ask ? kContactCountMask : limit;
  ContactBuffer buffer(room);
  QueryStats stats;
  const std::size_t count =
      collide(*a.cached.mesh, a.pose, *b.cached.mesh, b.pose, buffer.first(room), &stats);
  std::span<Contact> found = keepIf(buffer.first(count), isSound);
  if (ask) found = keepIf(found, [&](const Contact& c) { return !isRejected(c, o1, o2); });
  const std::size_t dropped = (ask ? found.size() : stats.contacts_found) - std::min(found.size(), limit);
  found = found.first(std::min(found.size(), limit));
  for (std::size_t i = 0; i < found.size(); ++i) write(found[i], o1, o2, contactAt(contacts, skip, i));
  add(counters().contacts_dropped, dropped);
  add(counters().contacts, found.size());
  if (!found.empty()) add(counters().colliding_pairs, 1);
  return static_cast<int>(found.size());
}

}  // namespace

int collideTrimeshes(dGeomID o1, dGeomID o2, int flags, dContactGeom* contacts, int skip) noexcept {
  try {
    return collideChecked(o1, o2, flags, contacts, skip);
  } catch (const std::bad_alloc&) {
    fail(ODEMESH_ERROR_MEMORY);
  } catch (const std::exception& e) {
    warn(e.what());
  } catch (...) {
    warn("a triangle callback threw something that is no std::exception");
  }
  add(counters().errors, 1);
  return 0;
}

}  // namespace odemesh::ode
