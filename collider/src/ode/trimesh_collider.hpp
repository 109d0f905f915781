// The dColliderFns for two trimesh geoms, and for a trimesh geom and a plane.
#pragma once

#include <odemesh/odemesh.h>

#include "ode/delivery.hpp"
#include "ode/operand.hpp"
#include "ode/trimesh_reader.hpp"

namespace odemesh::ode {

/// ODE's callback. Contacts are for (o1, o2) in this order; where ODE calls it reversed, ODE turns the
/// contacts round. Never throws; on an error it returns 0, counts it and leaves a message for
/// odemeshLastError().
int collideTrimeshes(dGeomID o1, dGeomID o2, int flags, dContactGeom* contacts, int skip) noexcept;

/// The same of trimeshes that are read already and whose bounds meet.
int collideMeeting(const ColliderCall& call, const Operand& a, const Operand& b) noexcept;

/// The same with a plane as `o2`.
int collideTrimeshAndPlane(dGeomID o1, dGeomID o2, int flags, dContactGeom* contacts, int skip) noexcept;

/// The same of geoms that are read already.
int collideOnPlane(const ColliderCall& call, const Mesh& mesh, const Pose& pose,
                   const HalfSpace& plane) noexcept;

}  // namespace odemesh::ode
