// Reads what ODE holds: poses of geoms and the local coordinates behind a dTriMeshDataID.
#pragma once

#include <odemesh/odemesh.h>

#include <array>
#include <odemesh/pose.hpp>
#include <vector>

#include "half_space.hpp"

namespace odemesh::ode {

/// Of ODE's rows of four.
[[nodiscard]] inline Mat3 matrixOf(const dReal* m) {
  return {{{double(m[0]), double(m[1]), double(m[2])},
           {double(m[4]), double(m[5]), double(m[6])},
           {double(m[8]), double(m[9]), double(m[10])}}};
}

/// Where the geom's mesh is in the world: body, offset and dGeomTransform included. An ODE in single
/// precision has its rotations only to within some 1e-7, and a program may have typed 0.707; lengths would
/// depend on the frame that they are measured in.
[[nodiscard]] inline Pose poseOf(dGeomID geom) {
  const dReal* p = dGeomGetPosition(geom);
  return {nearestRotation(matrixOf(dGeomGetRotation(geom))), {double(p[0]), double(p[1]), double(p[2])}};
}

/// What a plane geom bounds.
[[nodiscard]] inline HalfSpace halfSpaceOf(dGeomID plane) {
  dVector4 p;
  dGeomPlaneGetParams(plane, p);
  return {{double(p[0]), double(p[1]), double(p[2])}, double(p[3])};
}

[[nodiscard]] inline bool isSpaceClass(int geom_class) {
  return geom_class >= dFirstSpaceClass && geom_class <= dLastSpaceClass;
}

/// The triangles of `data`, in the frame of the mesh, exactly as ODE's own collider sees them: rounded to
/// float. ODE gives access to them only through a geom; this one is at the identity and in no space. Safe
/// inside collision callbacks and in several threads at once.
class TrimeshReader {
 public:
  explicit TrimeshReader(dTriMeshDataID data);
  ~TrimeshReader();
  TrimeshReader(const TrimeshReader&) = delete;
  TrimeshReader& operator=(const TrimeshReader&) = delete;

  /// 0 if the data has never been built.
  [[nodiscard]] std::size_t triangleCount() const { return triangle_count_; }
  /// The corners of triangle `t`, which has to be below `triangleCount()`. About 22 ns.
  [[nodiscard]] std::array<Vec3, 3> corners(std::size_t t) const;
  /// The corners of all triangles, three a triangle.
  [[nodiscard]] std::vector<Vec3> allCorners() const;

 private:
  dGeomID geom_;
  std::size_t triangle_count_;
};

}  // namespace odemesh::ode
