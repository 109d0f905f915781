// One dCollide call, from ODE's geoms to ODE's contacts. The only place where dContactGeom is written.
#include "ode/trimesh_collider.hpp"

#include <algorithm>
#include <exception>
#include <new>
#include <odemesh/collide.hpp>
#include <vector>

#include "ode/errors.hpp"
#include "ode/mesh_cache.hpp"
#include "ode/settings.hpp"
#include "ode/trimesh_reader.hpp"

namespace odemesh::ode {

namespace {

constexpr int kContactCountMask = 0xffff;  // the low half of the flags of a dColliderFn

bool data_calls_watched = false;

[[nodiscard]] int contactLimit(int flags) {
  const int wanted = std::max(flags & kContactCountMask, 1);
  const int limit = options().contact_limit;
  return limit > 0 ? std::min(wanted, limit) : wanted;
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

[[nodiscard]] std::size_t dropRejected(std::vector<Contact>& found, std::size_t count, dGeomID o1,
                                       dGeomID o2) {
  const auto end = std::remove_if(found.begin(), found.begin() + static_cast<std::ptrdiff_t>(count),
                                  [&](const Contact& c) { return isRejected(c, o1, o2); });
  return static_cast<std::size_t>(end - found.begin());
}

[[nodiscard]] CachedMesh meshOf(dGeomID geom) {
  const dTriMeshDataID data = dGeomTriMeshGetData(geom);
  return data != nullptr ? meshCache().get(data, comparesContent()) : CachedMesh{};
}

int collideChecked(dGeomID o1, dGeomID o2, int flags, dContactGeom* contacts, int skip) {
  add(counters().pairs, 1);
  const CachedMesh mesh1 = meshOf(o1);
  const CachedMesh mesh2 = meshOf(o2);
  if (!mesh1.mesh || !mesh2.mesh) {
    add(counters().errors, 1);
    fail(ODEMESH_ERROR_MESH);
    return 0;
  }
  static thread_local std::vector<Contact> found;
  const auto limit = std::size_t(contactLimit(flags));
  if (found.size() < limit) found.resize(limit);
  QueryStats stats;
  std::size_t count =
      collide(*mesh1.mesh, poseOf(o1), *mesh2.mesh, poseOf(o2), std::span(found.data(), limit), &stats);
  add(counters().contacts_dropped, stats.contacts_found - count);
  if (options().triangle_callbacks != 0) count = dropRejected(found, count, o1, o2);
  for (std::size_t i = 0; i < count; ++i) write(found[i], o1, o2, contactAt(contacts, skip, i));
  add(counters().contacts, count);
  if (count > 0) add(counters().colliding_pairs, 1);
  return static_cast<int>(count);
}

}  // namespace

void setDataCallsWatched(bool watched) {
  data_calls_watched = watched;
}

bool comparesContent() {
  const int freshness = options().freshness;
  return freshness == ODEMESH_FRESHNESS_COMPARE ||
         (freshness == ODEMESH_FRESHNESS_AUTO && !data_calls_watched);
}

int collideTrimeshes(dGeomID o1, dGeomID o2, int flags, dContactGeom* contacts, int skip) noexcept {
  try {
    return collideChecked(o1, o2, flags, contacts, skip);
  } catch (const std::bad_alloc&) {
    fail(ODEMESH_ERROR_MEMORY);
  } catch (const std::exception& e) {
    warn(e.what());
  }
  add(counters().errors, 1);
  return 0;
}

}  // namespace odemesh::ode
