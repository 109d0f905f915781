#include "ode/speculative_plane.hpp"

#include <algorithm>
#include <array>
#include <odemesh/collide.hpp>
#include <odemesh/motion.hpp>
#include <span>

#include "collide_pair.hpp"
#include "motion/impacts_behind.hpp"
#include "motion/sweep.hpp"
#include "ode/deflected_impacts.hpp"
#include "ode/delivery.hpp"
#include "ode/geom_motion.hpp"
#include "ode/hovering.hpp"
#include "ode/impact_contacts.hpp"
#include "ode/operand.hpp"
#include "ode/plane_impacts.hpp"
#include "ode/reinforce.hpp"
#include "ode/settings.hpp"
#include "ode/speculative_contacts.hpp"
#include "ode/strike_point.hpp"
#include "ode/trimesh_collider.hpp"
#include "ode/trimesh_reader.hpp"

namespace odemesh::ode {

namespace {

/// What dCollide finds, reinforced. ODE turns the contacts round if the plane comes first.
[[nodiscard]] int touchingPlane(const SpeculativeCall& r, dGeomID mesh_geom, dGeomID plane_geom,
                                const Mesh& mesh, const Pose& pose, const HalfSpace& plane) {
  if (odemeshIsInstalled() == 0) return touchingOf(r, true);
  const PairExtent extent{mesh.sphereRadius(), pose.apply(mesh.sphereCentre())};
  const int count =
      collideOnPlane({mesh_geom, plane_geom, r.flags, &r.at(0).geom, r.contacts.stride}, mesh, pose, plane);
  if (mesh_geom == r.g2)
    for (int i = 0; i < count; ++i) turnRound(r.at(i).geom);
  const int striking = dress(r, strikeInPoints(r.contacts.geoms(), count, extent.radius, r.dt));
  yieldWhereParting(r, striking, mesh.thickness());
  return reinforce(r.contacts, striking, r.room, extent, r.dt);
}

/// Adds corners that hover beside contacts that stand. Returns how many contacts there are then.
[[nodiscard]] int addHoveringOverPlane(const SpeculativeCall& r, int standing, const PlaneImpacts& search,
                                       const Pose& pose) {
  const Mesh& mesh = search.mesh;
  const Hovering hovering(r, standing,
                          {mesh.sphereRadius(), 0, mesh.triangleCount(), pose.apply(mesh.sphereCentre())});
  if (hovering.margin() == 0) return standing;
  std::array<Contact, Hovering::kMostNear> room;
  const std::span near(room.data(), collidePlane(mesh, pose, search.plane.normal, search.plane.offset, room,
                                                 nullptr, hovering.margin()));
  if (!search.mesh_is_first) odemesh::turnRound(near);
  return hovering.add(near);
}

/// The contacts of a mesh that is brisk: what it touches, of which there are so many, and what it will meet.
[[nodiscard]] int addPlaneImpacts(const SpeculativeCall& r, int touching, const PlaneImpacts& search,
                                  const Motion& motion, const Motion& still) {
  const Mesh& mesh = search.mesh;
  const bool is_fast = isFast(mesh, motion, r.dt);
  const int standing = is_fast ? touching : addHoveringOverPlane(r, touching, search, motion.pose);
  Impacts impacts = Impacts::beside(r, standing, !is_fast);
  if (is_fast) impacts.count = search.find({}, motion, impacts.room);
  const double way = greatestMotion(mesh, motion, r.dt);
  const std::array motions{search.mesh_is_first ? motion : still, search.mesh_is_first ? still : motion};
  const int count = finish(r, standing, impacts,
                           {motions[0], motions[1], mesh.sphereRadius(), mesh.thickness(), way, r.dt});
  Deflection deflection(r.contacts, motions, r.dt);
  return addOfDeflected(r, count, deflection, mesh.thickness(),
                        [&](Front front, const Deflected& after, std::span<Impact> room) {
                          const Motion& left = after[search.mesh_is_first ? 0 : 1];
                          const bool may_strike = (is_fast || isFast(mesh, left, r.dt)) &&
                                                  isTurnedAside(mesh, motion, left, r.dt);
                          return may_strike ? search.find(front, left, room) : 0;
                        });
}

}  // namespace

int collideMeshAndPlaneAhead(const SpeculativeCall& r, dGeomID mesh_geom, dGeomID plane_geom) {
  Operand mesh(mesh_geom);
  if (!mesh.isUsable()) return touchingOf(r, true);
  const HalfSpace plane = halfSpaceOf(plane_geom);
  const bool may_touch =
      mayCollidePlane(mesh.mesh(), mesh.pose(), plane.normal, plane.offset, options().contact_margin);
  const bool is_slow = GeomPaces(r.dt).of(mesh_geom, mesh.mesh()) == Pace::kSlow;
  if (!may_touch && is_slow) return touchingOf(r, false);
  mesh.keep();  // where a triangle callback changes the data
  const PlaneImpacts search{mesh.mesh(), plane, mesh_geom == r.g1, r.dt};
  const int touching = may_touch ? touchingPlane(r, mesh_geom, plane_geom, mesh.mesh(), mesh.pose(), plane)
                                 : touchingOf(r, false);
  if (is_slow) return addHoveringOverPlane(r, touching, search, mesh.pose());
  return addPlaneImpacts(r, touching, search, freeMotionOf(mesh_geom, mesh.mesh(), mesh.pose(), r.dt),
                         restOf(plane_geom, {}));
}

}  // namespace odemesh::ode
