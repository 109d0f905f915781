#include <algorithm>
#include <odemesh/sim/collision_mesh.hpp>
#include <odemesh/sim/input_error.hpp>
#include <odemesh/sim/mass_properties.hpp>
#include <odemesh/sim/mesh_check.hpp>

namespace odemesh::sim {
namespace {

constexpr double kGreatestRadius = 1e6;
constexpr double kFarthestCentre = 1e6;

// ODE reads vertices as floats, so a triangle counts as it is after that.
bool hasArea(const TriangleMesh& mesh, const std::array<std::uint32_t, 3>& triangle) {
  const auto rounded = [&](int corner) {
    const Vec3& v = mesh.vertices[triangle[corner]];
    return Vec3{static_cast<float>(v.x), static_cast<float>(v.y), static_cast<float>(v.z)};
  };
  const Vec3 a = rounded(0);
  return cross(rounded(1) - a, rounded(2) - a) != Vec3{};
}

double radiusAboutOrigin(const TriangleMesh& mesh) {
  double most = 0;
  for (const Vec3& v : mesh.vertices) most = std::max(most, lengthSq(v));
  return std::sqrt(most);
}

}  // namespace

std::shared_ptr<const CollisionMesh> CollisionMesh::make(const TriangleMesh& mesh) {
  return std::shared_ptr<const CollisionMesh>(new CollisionMesh(mesh));
}

CollisionMesh::CollisionMesh(const TriangleMesh& mesh) {
  const MassProperties properties = massProperties(mesh, 1);  // refuses what can't be used
  mass_warnings_ = properties.warnings;
  unit_density_ = {properties.mass, {}, properties.inertia};
  origin_ = properties.centre;
  mesh_ = welded(mesh);
  for (Vec3& v : mesh_.vertices) v -= origin_;
  std::erase_if(mesh_.triangles, [&](const auto& triangle) { return !hasArea(mesh_, triangle); });
  removed_triangles_ = mesh.triangles.size() - mesh_.triangles.size();
  bounding_radius_ = radiusAboutOrigin(mesh_);
  buildOdeData();
}

void CollisionMesh::buildOdeData() {
  static_assert(sizeof(mesh_.triangles[0]) == 3 * sizeof(dTriIndex),
                "ODE has to be built with 32-bit indices");
  if (mesh_.triangles.empty())
    throw InputError(nameOf(mesh_) + ": no triangle has an area; use another mesh or scale it up");
  if (!(bounding_radius_ <= kGreatestRadius))
    throw InputError(nameOf(mesh_) + ": it is more than 1e6 m in radius; scale it down");
  if (!(std::max({std::abs(origin_.x), std::abs(origin_.y), std::abs(origin_.z)}) <= kFarthestCentre))
    throw InputError(nameOf(mesh_) +
                     ": its centre is more than 1e6 m from its own origin; move it there, and " +
                     "place it by the pose of its body");
  data_.reset(dGeomTriMeshDataCreate());
  dGeomTriMeshDataBuildDouble(data_.get(), mesh_.vertices.data(), sizeof(Vec3),
                              static_cast<int>(mesh_.vertices.size()), mesh_.triangles.data(),
                              static_cast<int>(3 * mesh_.triangles.size()), sizeof(mesh_.triangles[0]));
}

}  // namespace odemesh::sim
