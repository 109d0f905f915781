#include "ode/trimesh_reader.hpp"

#include <memory>
#include <mutex>
#include <type_traits>

namespace odemesh::ode {

namespace {

/// ODE gives access to a mesh's triangles only through a geom. This one is at the identity and in no space.
class ProbeGeom {
 public:
  explicit ProbeGeom(dTriMeshDataID data) {
    const std::scoped_lock lock(mutex());
    geom_ = dCreateTriMesh(nullptr, data, nullptr, nullptr, nullptr);
  }
  ~ProbeGeom() {
    const std::scoped_lock lock(mutex());
    dGeomDestroy(geom_);
  }
  ProbeGeom(const ProbeGeom&) = delete;
  ProbeGeom& operator=(const ProbeGeom&) = delete;

  [[nodiscard]] dGeomID get() const { return geom_; }

 private:
  /// Creating geoms is not safe in several threads at once.
  static std::mutex& mutex() {
    static std::mutex m;
    return m;
  }
  dGeomID geom_;
};

[[nodiscard]] Vec3 toVec3(const dReal* p) {
  return {double(p[0]), double(p[1]), double(p[2])};
}

}  // namespace

Pose poseOf(dGeomID geom) {
  const dReal* r = dGeomGetRotation(geom);
  return {{{toVec3(r), toVec3(r + 4), toVec3(r + 8)}}, toVec3(dGeomGetPosition(geom))};
}

void readCorners(dTriMeshDataID data, std::vector<Vec3>& corners) {
  const ProbeGeom probe(data);
  const int count = dGeomTriMeshGetTriangleCount(probe.get());
  corners.resize(std::size_t(count) * 3);
  for (int t = 0; t < count; ++t) {
    dVector3 v[3];
    dGeomTriMeshGetTriangle(probe.get(), t, &v[0], &v[1], &v[2]);
    for (int i = 0; i < 3; ++i) corners[3 * t + i] = toVec3(v[i]);
  }
}

}  // namespace odemesh::ode
