// A triangle mesh in the form that ODE collides with, shared by all geoms of that mesh.
#pragma once

#include <cstddef>
#include <memory>
#include <odemesh/sim/inertial.hpp>
#include <odemesh/sim/ode_handles.hpp>
#include <odemesh/sim/triangle_mesh.hpp>
#include <string>
#include <vector>

namespace odemesh::sim {

/// Owns the arrays that ODE refers to, so it has to outlive its geoms (which hold a shared pointer). Vertices
/// are moved so that the centre of mass is the origin: ODE keeps coordinates as floats, which are finest
/// there.
class CollisionMesh {
 public:
  /// Vertices of equal position become one; triangles of zero area are left out. Throws InputError for what
  /// `massProperties` refuses, for a mesh without any area, and for one of more than 1e6 m in radius or that
  /// far from its own origin. O(n log n).
  [[nodiscard]] static std::shared_ptr<const CollisionMesh> make(const TriangleMesh& mesh);

  /// Vertices around the centre of mass; triangles as ODE numbers them in side1 and side2 of a contact.
  [[nodiscard]] const TriangleMesh& mesh() const { return mesh_; }
  /// Where the centre of mass was in the mesh that `make` was given.
  [[nodiscard]] const Vec3& origin() const { return origin_; }
  /// Mass 1 kg/m3, about the centre of mass.
  [[nodiscard]] const Inertial& unitDensity() const { return unit_density_; }
  /// What the mass was computed from where the mesh is not closed, in sentences for the user.
  [[nodiscard]] const std::vector<std::string>& massWarnings() const { return mass_warnings_; }
  /// Distance from the centre of mass to the farthest vertex.
  [[nodiscard]] double boundingRadius() const { return bounding_radius_; }
  [[nodiscard]] std::size_t removedTriangles() const { return removed_triangles_; }
  [[nodiscard]] dTriMeshDataID odeData() const { return data_.get(); }

 private:
  explicit CollisionMesh(const TriangleMesh& mesh);
  void buildOdeData();

  OdeLibrary library_;
  TriangleMesh mesh_;
  std::size_t removed_triangles_ = 0;
  Inertial unit_density_;
  std::vector<std::string> mass_warnings_;
  Vec3 origin_;
  double bounding_radius_ = 0;
  TriMeshDataHandle data_;
};

}  // namespace odemesh::sim
