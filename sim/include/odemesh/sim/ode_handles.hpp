// Owners of ODE's objects: each destroys what it holds, and the library stays initialised while it is needed.
#pragma once

#include <ode/ode.h>

#include <memory>
#include <odemesh/pose.hpp>

namespace odemesh::sim {

/// Calls one of ODE's destroy functions.
template <auto kDestroy>
struct OdeDestroy {
  template <class T>
  void operator()(T* object) const noexcept {
    kDestroy(object);
  }
};

using WorldHandle = std::unique_ptr<dxWorld, OdeDestroy<&dWorldDestroy>>;
using SpaceHandle = std::unique_ptr<dxSpace, OdeDestroy<&dSpaceDestroy>>;
using JointGroupHandle = std::unique_ptr<dxJointGroup, OdeDestroy<&dJointGroupDestroy>>;
using JointHandle = std::unique_ptr<dxJoint, OdeDestroy<&dJointDestroy>>;
using BodyHandle = std::unique_ptr<dxBody, OdeDestroy<&dBodyDestroy>>;
using GeomHandle = std::unique_ptr<dxGeom, OdeDestroy<&dGeomDestroy>>;
using TriMeshDataHandle = std::unique_ptr<dxTriMeshData, OdeDestroy<&dGeomTriMeshDataDestroy>>;

/// Keeps ODE initialised for as long as one of these lives: the first calls dInitODE2, the last dCloseODE,
/// after putting ODE's own collider back. Throws std::runtime_error if ODE can't be initialised.
class OdeLibrary {
 public:
  OdeLibrary();
  ~OdeLibrary();
  OdeLibrary(const OdeLibrary&) = delete;
  OdeLibrary& operator=(const OdeLibrary&) = delete;
};

/// Reads three of ODE's reals.
[[nodiscard]] inline Vec3 fromOde(const dReal* v) {
  return {v[0], v[1], v[2]};
}

/// Reads one of ODE's 3 x 4 rotation matrices.
[[nodiscard]] inline Mat3 rotationFromOde(const dReal* r) {
  return {{{r[0], r[1], r[2]}, {r[4], r[5], r[6]}, {r[8], r[9], r[10]}}};
}

/// Writes one of ODE's 3 x 4 rotation matrices.
inline void rotationToOde(const Mat3& rotation, dMatrix3 out) {
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) out[4 * i + j] = static_cast<dReal>(rotation.row[i][j]);
    out[4 * i + 3] = 0;
  }
}

}  // namespace odemesh::sim
