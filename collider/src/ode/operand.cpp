#include "ode/operand.hpp"

#include <cmath>
#include <cstdio>

#include "ode/errors.hpp"
#include "ode/settings.hpp"

namespace odemesh::ode {

namespace {

/// Records what is wrong with one geom of the pair.
void failOf(dGeomID geom, int code, const char* problem) {
  char detail[256];
  std::snprintf(detail, sizeof detail, "trimesh geom %p: %s", static_cast<const void*>(geom), problem);
  fail(code, detail);
}

/// Is the third row the product of the others, of unit length and at right angles, as near as makes R R^T the
/// identity within the slack? Numbers that are not finite make the sum none. Most poses pass this cheaper
/// look.
[[nodiscard]] bool isSurelyRigid(const Pose& pose) {
  const Vec3* r = pose.rotation.row;
  const Vec3 &t = pose.translation, off = cross(r[0], r[1]) - r[2];
  return std::abs(off.x) + std::abs(off.y) + std::abs(off.z) + std::abs(dot(r[0], r[0]) - 1) +
             std::abs(dot(r[1], r[1]) - 1) + std::abs(dot(r[0], r[1])) + 0 * (t.x + t.y + t.z) <
         0.1 * kOrthonormalSlack;
}

bool readMesh(dGeomID geom, dTriMeshDataID data, CachedMesh& out) {
  if (data == nullptr) {
    failOf(geom, ODEMESH_ERROR_MESH, "it has no data; give it some with dGeomTriMeshSetData");
    return false;
  }
  out = meshCache().get(data, options().freshness);
  if (out.mesh) return true;
  failOf(geom, ODEMESH_ERROR_MESH, whyUnusable(out).c_str());
  return false;
}

}  // namespace

bool isRigid(const Pose& pose) {
  if (isSurelyRigid(pose)) return true;
  const Vec3* r = pose.rotation.row;
  for (int i = 0; i < 3; ++i)
    for (int j = i; j < 3; ++j)
      if (!(std::abs(dot(r[i], r[j]) - (i == j ? 1 : 0)) <= kOrthonormalSlack)) return false;
  return isFinite(pose.translation) && dot(cross(r[0], r[1]), r[2]) > 0;
}

const CachedMesh* borrowMesh(dGeomID geom, CachedMesh& keeper) {
  const dTriMeshDataID data = dGeomTriMeshGetData(geom);
  if (const CachedMesh* recent = meshCache().recall(data, options().freshness)) return recent;
  return readMesh(geom, data, keeper) ? &keeper : nullptr;
}

bool checkPose(dGeomID geom, const Pose& pose) {
  if (isRigid(pose)) return true;
  failOf(geom, ODEMESH_ERROR_ARGUMENT, "its position is not finite or its rotation is not a rotation");
  return false;
}

}  // namespace odemesh::ode
