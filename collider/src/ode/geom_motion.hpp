// How a geom will move in the next step, as its body says.
#pragma once

#include <odemesh/odemesh.h>

#include <odemesh/motion.hpp>

#include "ode/vec3.hpp"

namespace odemesh::ode {

/// Has it no body, or one that no contact moves?
[[nodiscard]] bool isFixed(dGeomID geom);

/// The motion of a trimesh geom: of its body with the velocity that gravity and the forces set so far will
/// give it in a step of `dt`; `pose` is the geom's. Geoms without a body and kinematic ones are fixed,
/// disabled bodies stand still.
[[nodiscard]] Motion motionOf(dGeomID geom, const Pose& pose, double dt);

/// The same with the spin that the gyroscopic torque will give it, if `mesh` ends elsewhere by that.
[[nodiscard]] Motion freeMotionOf(dGeomID geom, const Mesh& mesh, const Pose& pose, double dt);

/// The same of one that stands still.
[[nodiscard]] Motion restOf(dGeomID geom, const Pose& pose);

/// Null if neither geom has a body.
[[nodiscard]] dWorldID worldOf(dGeomID geom1, dGeomID geom2);

/// The speed at which the bodies approach at a contact, by ODE's reckoning: before forces.
[[nodiscard]] double approachSpeed(const dContactGeom& c);

/// How far a mesh moves in a step, for its thickness: see `isBrisk` and `isFast`.
enum class Pace { kSlow, kBrisk, kFast };

/// A first look at geoms that share a world.
class GeomPaces {
 public:
  explicit GeomPaces(double dt) : dt_(dt) {}

  /// That of `mesh` in the motion of the geom, or a greater one.
  [[nodiscard]] Pace of(dGeomID geom, const Mesh& mesh);

 private:
  void enter(dWorldID world);

  double dt_;
  dWorldID world_ = nullptr;
  double fall_sq_ = 0;  ///< of the velocity that gravity gives within dt
};

}  // namespace odemesh::ode
