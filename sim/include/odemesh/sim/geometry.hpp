// The shapes that bodies are made of: meshes, and ODE's primitives to compare them with.
#pragma once

#include <memory>
#include <odemesh/sim/collision_mesh.hpp>
#include <odemesh/sim/inertial.hpp>
#include <odemesh/sim/ode_handles.hpp>
#include <string>
#include <variant>

namespace odemesh::sim {

/// Full edge lengths, centred at the origin.
struct BoxGeometry {
  Vec3 size;
};
struct SphereGeometry {
  double radius;
};
/// Axis z, centred at the origin.
struct CylinderGeometry {
  double radius;
  double length;
};
/// Axis z, centred at the origin; `length` is that of the part between the half spheres.
struct CapsuleGeometry {
  double radius;
  double length;
};
/// Solid below normal . x = offset; static bodies only. The normal need not be of unit length.
struct PlaneGeometry {
  Vec3 normal{0, 0, 1};
  double offset = 0;
};
/// The mesh in the frame it was given in, before it was moved to its centre of mass.
struct MeshGeometry {
  std::shared_ptr<const CollisionMesh> mesh;
};

using Geometry =
    std::variant<MeshGeometry, BoxGeometry, SphereGeometry, CylinderGeometry, CapsuleGeometry, PlaneGeometry>;

/// Throws InputError, naming `owner`, for sizes that are not in 1e-9..1e6 m, a plane without a normal, no
/// mesh.
void validate(const Geometry& geometry, const std::string& owner);

/// Makes ODE's geom in `space`; `geomPose` or `placePlane` place it.
[[nodiscard]] GeomHandle makeGeom(const Geometry& geometry, dSpaceID space);

/// Moves a static plane's geom; ODE's planes have no pose of their own.
void placePlane(dGeomID geom, const PlaneGeometry& plane, const Pose& pose);

/// The pose that ODE's geom needs so that the geometry has the pose `pose`: differs by a mesh's moved origin.
[[nodiscard]] Pose geomPose(const Geometry& geometry, const Pose& pose);

/// Mass and inertia of a solid at `density`, in kg/m3. Zero for planes.
[[nodiscard]] Inertial solidInertial(const Geometry& geometry, double density);

/// The greatest value of dot(direction, x) over the geometry at `pose`: how far it reaches that way. Linear
/// in the number of vertices; infinite for planes.
[[nodiscard]] double support(const Geometry& geometry, const Pose& pose, const Vec3& direction);

/// The greatest distance from `centre`, in the geometry's frame, that the geometry reaches; a close upper
/// bound for the primitives, infinite for planes.
[[nodiscard]] double radiusAbout(const Geometry& geometry, const Vec3& centre);

[[nodiscard]] std::size_t triangleCount(const Geometry& geometry);

}  // namespace odemesh::sim
