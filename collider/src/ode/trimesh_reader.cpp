#include "ode/trimesh_reader.hpp"

#include <algorithm>
#include <mutex>

namespace odemesh::ode {

namespace {

[[nodiscard]] Vec3 toVec3(const dReal* p) {
  return {double(p[0]), double(p[1]), double(p[2])};
}

/// Creating and destroying geoms is not safe in several threads at once.
[[nodiscard]] std::mutex& geomMutex() {
  static std::mutex mutex;
  return mutex;
}

[[nodiscard]] dGeomID makeGeom(dTriMeshDataID data) {
  const std::scoped_lock lock(geomMutex());
  return dCreateTriMesh(nullptr, data, nullptr, nullptr, nullptr);
}

}  // namespace

TrimeshReader::TrimeshReader(dTriMeshDataID data)
    : geom_(makeGeom(data)),
      triangle_count_(static_cast<std::size_t>(std::max(dGeomTriMeshGetTriangleCount(geom_), 0))) {}

TrimeshReader::~TrimeshReader() {
  const std::scoped_lock lock(geomMutex());
  dGeomDestroy(geom_);
}

std::array<Vec3, 3> TrimeshReader::corners(std::size_t t) const {
  dVector3 v[3];
  dGeomTriMeshGetTriangle(geom_, static_cast<int>(t), &v[0], &v[1], &v[2]);
  return {toVec3(v[0]), toVec3(v[1]), toVec3(v[2])};
}

std::vector<Vec3> TrimeshReader::allCorners() const {
  std::vector<Vec3> all;
  all.reserve(triangle_count_ * 3);
  for (std::size_t t = 0; t < triangle_count_; ++t) {
    const std::array<Vec3, 3> triangle = corners(t);
    all.insert(all.end(), triangle.begin(), triangle.end());
  }
  return all;
}

}  // namespace odemesh::ode
