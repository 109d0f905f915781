// Mass, centre of mass and inertia of rigid bodies made of several parts.
#pragma once

#include <odemesh/pose.hpp>
#include <span>

namespace odemesh::sim {

/// What Newton's and Euler's equations need of a body. kg and metres.
struct Inertial {
  double mass = 0;
  Vec3 centre;                                      ///< in the body's frame
  Mat3 inertia{{{0, 0, 0}, {0, 0, 0}, {0, 0, 0}}};  ///< kg m2, about the centre, along the body's axes
};

/// The same part seen from the frame in which its own frame has the pose `pose`.
[[nodiscard]] Inertial moved(const Inertial& part, const Pose& pose);

/// Several parts as one rigid body (parallel axis theorem). Masses have to be positive.
[[nodiscard]] Inertial combined(std::span<const Inertial> parts);

/// The same shape and distribution with another mass.
[[nodiscard]] Inertial withMass(Inertial part, double mass);

/// Finite, of positive mass, and with a symmetric, positive definite inertia: what ODE insists on.
[[nodiscard]] bool isPhysical(const Inertial& part);

}  // namespace odemesh::sim
