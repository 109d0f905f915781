// odemeshCollideSpeculative: what dCollide finds, and what the coming step would bring.
#include <odemesh/odemesh.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <odemesh/motion.hpp>

#include "constants.hpp"
#include "ode/delivery.hpp"
#include "ode/errors.hpp"
#include "ode/geom_motion.hpp"
#include "ode/operand.hpp"

namespace odemesh::ode {

namespace {

constexpr int kContactCountMask = 0xffff;

/// The share of a gap that may be used up in a step. The rest is for what an iterative solver leaves undone:
/// at 0.8 and 50 iterations, 1 of 7,000 throws at a plate still went through.
constexpr double kApproachShare = 0.7;

/// The arguments of odemeshCollideSpeculative.
struct Request {
  dGeomID g1, g2;
  double dt;
  int room;
  const dSurfaceParameters* surface;
  dContact* contacts;
  int stride;

  [[nodiscard]] dContact& at(int i) const {
    return *reinterpret_cast<dContact*>(reinterpret_cast<char*>(contacts) + std::ptrdiff_t(i) * stride);
  }
};

/// Of one pair, in this thread's list. The first `guards` keep centres on their sides.
struct Impacts {
  std::size_t count = 0, guards = 0;

  [[nodiscard]] static std::span<Impact> list() {
    static thread_local std::array<Impact, kMostImpacts> impacts;
    return impacts;
  }
  [[nodiscard]] std::span<Impact> all() const { return list().first(count); }
};

void addImpactsOfMeshes(const Request& r, std::size_t room, Impacts& out) {
  CachedMesh a, b;
  Motion motion1, motion2;
  if (!readMesh(r.g1, a) || !readMesh(r.g2, b) || !readMotion(r.g1, r.dt, motion1) ||
      !readMotion(r.g2, r.dt, motion2))
    return;
  const auto free = Impacts::list().first(room);
  out.guards = findCentreGuards(*a.mesh, motion1, *b.mesh, motion2, free);
  out.count = out.guards + findImpacts(*a.mesh, motion1, *b.mesh, motion2, r.dt, free.subspan(out.guards));
}

void addImpactsWithPlane(const Request& r, dGeomID mesh, dGeomID plane, std::size_t room, Impacts& out) {
  CachedMesh cached;
  Motion motion;
  if (!readMesh(mesh, cached) || !readMotion(mesh, r.dt, motion)) return;
  dVector4 p;
  dGeomPlaneGetParams(plane, p);
  out.count = findImpactsWithPlane(*cached.mesh, motion, {double(p[0]), double(p[1]), double(p[2])},
                                   double(p[3]), r.dt, Impacts::list().first(room));
}

/// Impacts for (g1, g2) in this order. Other shapes than meshes and planes have none.
[[nodiscard]] Impacts impactsOf(const Request& r, std::size_t room) {
  Impacts out;
  room = std::min(room, kMostImpacts);
  const bool mesh1 = dGeomGetClass(r.g1) == dTriMeshClass, mesh2 = dGeomGetClass(r.g2) == dTriMeshClass;
  if (mesh1 && mesh2) {
    addImpactsOfMeshes(r, room, out);
  } else if (mesh1 && dGeomGetClass(r.g2) == dPlaneClass) {
    addImpactsWithPlane(r, r.g1, r.g2, room, out);
  } else if (mesh2 && dGeomGetClass(r.g1) == dPlaneClass) {
    addImpactsWithPlane(r, r.g2, r.g1, room, out);
    for (Impact& impact : out.all()) {
      impact.normal = -impact.normal;
      std::swap(impact.triangle1, impact.triangle2);
    }
  }
  return out;
}

/// The speed at which the bodies approach at a contact, by ODE's reckoning: before forces.
[[nodiscard]] double approachSpeed(const dContactGeom& c) {
  double speed = 0;
  for (const dGeomID geom : {c.g1, c.g2}) {
    const dBodyID body = dGeomGetBody(geom);
    if (body == nullptr) continue;
    dVector3 velocity;
    dBodyGetPointVel(body, c.pos[0], c.pos[1], c.pos[2], velocity);
    const double along = double(velocity[0]) * double(c.normal[0]) +
                         double(velocity[1]) * double(c.normal[1]) +
                         double(velocity[2]) * double(c.normal[2]);
    speed += geom == c.g1 ? -along : along;
  }
  return speed;
}

/// ODE bounces what exceeds the speed that motionN allows, and subtracts that speed again. Here the bounce is
/// chosen such that the bodies part with `bounce` times the whole speed of approach.
void bounceAhead(double allowed, dContact& contact) {
  dSurfaceParameters& s = contact.surface;
  if ((s.mode & dContactBounce) == 0) return;
  const double speed = approachSpeed(contact.geom), excess = speed - allowed;
  if (excess > 1e-9 * speed && speed > double(s.bounce_vel)) {
    s.bounce = dReal((double(s.bounce) * speed + allowed) / excess);
    s.bounce_vel = 0;
  } else {
    s.mode &= ~dContactBounce;
  }
}

void writeImpact(const Impact& impact, const Request& r, dContact& to) {
  dContactGeom& geom = to.geom;
  for (int axis = 0; axis < 3; ++axis) {
    geom.pos[axis] = dReal(impact.position[axis]);
    geom.normal[axis] = dReal(impact.normal[axis]);
  }
  geom.pos[3] = geom.normal[3] = 0;
  geom.depth = 0;
  geom.g1 = r.g1;
  geom.g2 = r.g2;
  geom.side1 = dGeomGetClass(r.g1) == dTriMeshClass ? int(impact.triangle1) : -1;
  geom.side2 = dGeomGetClass(r.g2) == dTriMeshClass ? int(impact.triangle2) : -1;
  if (impact.is_smooth) {
    to.surface.mu = 0;
    to.surface.mode &= ~(dContactMu2 | dContactRolling);
  }
  const double allowed = kApproachShare * impact.gap / r.dt;
  to.surface.mode |= dContactMotionN;
  to.surface.motionN = dReal(-allowed);
  bounceAhead(allowed, to);
}

/// Contacts that push a centre to where it may not go are on the wrong side of a thin plate.
[[nodiscard]] bool isContradicted(const dContactGeom& c, std::span<const Impact> guards) {
  return std::ranges::any_of(guards, [&](const Impact& guard) {
    const Vec3 normal{double(c.normal[0]), double(c.normal[1]), double(c.normal[2])};
    return dot(normal, guard.normal) < kContradiction;
  });
}

/// Moves the contacts that stand to the front and returns how many they are.
[[nodiscard]] int dropContradicted(const Request& r, int touching, std::span<const Impact> guards) {
  int kept = 0;
  for (int i = 0; i < touching; ++i) {
    if (isContradicted(r.at(i).geom, guards)) continue;
    r.at(kept++).geom = r.at(i).geom;
  }
  return kept;
}

int collideSpeculative(const Request& r, int flags) {
  const int touching = dCollide(r.g1, r.g2, flags, &r.contacts->geom, r.stride);
  const auto room = std::size_t(r.room - touching);
  const Impacts impacts = room > 0 ? impactsOf(r, room) : Impacts{};
  int written = dropContradicted(r, touching, impacts.all().first(impacts.guards));
  for (int i = 0; i < written; ++i)
    r.at(i).surface = r.surface != nullptr ? *r.surface : dSurfaceParameters{};
  for (const Impact& impact : impacts.all()) {
    dContact& to = r.at(written++);
    to.surface = r.surface != nullptr ? *r.surface : dSurfaceParameters{};
    writeImpact(impact, r, to);
  }
  return written;
}

}  // namespace

}  // namespace odemesh::ode

using namespace odemesh::ode;

extern "C" int odemeshCollideSpeculative(dGeomID g1, dGeomID g2, dReal dt, int flags,
                                         const dSurfaceParameters* surface, dContact* contacts, int stride) {
  const int room = flags & kContactCountMask;
  if (g1 == nullptr || g2 == nullptr || contacts == nullptr || room == 0 || stride < int(sizeof(dContact)) ||
      !(dt > 0) || !std::isfinite(dt) || dGeomIsSpace(g1) != 0 || dGeomIsSpace(g2) != 0) {
    fail(ODEMESH_ERROR_ARGUMENT,
         "odemeshCollideSpeculative: give it two geoms (no spaces), dt > 0, room and stride for dContacts");
    return 0;
  }
  try {
    return collideSpeculative({g1, g2, double(dt), room, surface, contacts, stride}, flags);
  } catch (...) {
    fail(ODEMESH_ERROR_MEMORY, "odemeshCollideSpeculative");
    return 0;
  }
}
