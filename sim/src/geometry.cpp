#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <odemesh/sim/geometry.hpp>
#include <odemesh/sim/input_error.hpp>
#include <sstream>

#include "overloaded.hpp"

namespace odemesh::sim {
namespace {

constexpr double kPi = std::numbers::pi;
constexpr double kInfinity = std::numeric_limits<double>::infinity();

dReal real(double value) {
  return static_cast<dReal>(value);
}

Mat3 diagonal(double x, double y, double z) {
  return {{{x, 0, 0}, {0, y, 0}, {0, 0, z}}};
}

PlaneGeometry movedPlane(const PlaneGeometry& plane, const Pose& pose) {
  const double scale = 1 / length(plane.normal);
  const Vec3 normal = pose.rotate(plane.normal * scale);
  return {normal, plane.offset * scale + dot(normal, pose.translation)};
}

// A solid of revolution around z.
Inertial axial(double mass, double across, double along) {
  return {mass, {}, diagonal(across, across, along)};
}

Inertial boxInertial(const BoxGeometry& box, double density) {
  const Vec3& s = box.size;
  const double mass = density * s.x * s.y * s.z;
  const double m12 = mass / 12;
  return {
      mass,
      {},
      diagonal(m12 * (s.y * s.y + s.z * s.z), m12 * (s.x * s.x + s.z * s.z), m12 * (s.x * s.x + s.y * s.y))};
}

Inertial cylinderInertial(double radius, double length, double density) {
  const double rr = radius * radius;
  const double mass = density * kPi * rr * length;
  return axial(mass, mass * (rr / 4 + length * length / 12), mass * rr / 2);
}

// A cylinder and two half spheres, each of 3/8 r from the flat face to its centre of mass.
Inertial capsuleInertial(const CapsuleGeometry& capsule, double density) {
  const double r = capsule.radius;
  const double h = capsule.length;
  const Inertial tube = cylinderInertial(r, h, density);
  const double caps = density * 4 / 3 * kPi * r * r * r;
  const double across = tube.inertia.row[0].x + caps * (0.4 * r * r + h * h / 4 + 3 * h * r / 8);
  return axial(tube.mass + caps, across, tube.inertia.row[2].z + 0.4 * caps * r * r);
}

double meshSupport(const TriangleMesh& mesh, const Pose& pose, const Vec3& direction) {
  const Vec3 local = pose.rotation.transposed() * direction;
  double most = -kInfinity;
  for (const Vec3& v : mesh.vertices) most = std::max(most, dot(local, v));
  return most + dot(direction, pose.translation);
}

double meshRadius(const TriangleMesh& mesh, const Vec3& centre) {
  double most = 0;
  for (const Vec3& v : mesh.vertices) most = std::max(most, lengthSq(v - centre));
  return std::sqrt(most);
}

// Written so that NaN fails.
void checkLength(const std::string& owner, const char* what, double value) {
  constexpr double kLeast = 1e-9;
  constexpr double kGreatest = 1e6;
  if (value >= kLeast && value <= kGreatest) return;
  std::ostringstream message;
  message << "body '" << owner << "': its " << what << " is " << value << " m; it has to be from " << kLeast
          << " to " << kGreatest;
  throw InputError(message.str());
}

}  // namespace

void validate(const Geometry& geometry, const std::string& owner) {
  const auto check = [&](const char* what, double value) { checkLength(owner, what, value); };
  std::visit(
      Overloaded{[&](const MeshGeometry& g) {
                   if (!g.mesh) throw InputError("body '" + owner + "': its mesh is missing; load one first");
                 },
                 [&](const BoxGeometry& g) {
                   check("size along x", g.size.x), check("size along y", g.size.y);
                   check("size along z", g.size.z);
                 },
                 [&](const SphereGeometry& g) { check("radius", g.radius); },
                 [&](const CylinderGeometry& g) { check("radius", g.radius), check("length", g.length); },
                 [&](const CapsuleGeometry& g) { check("radius", g.radius), check("length", g.length); },
                 [&](const PlaneGeometry& g) {
                   check("normal's length", length(g.normal));
                   check("distance from the origin plus 1", 1 + std::abs(g.offset));
                 }},
      geometry);
}

GeomHandle makeGeom(const Geometry& geometry, dSpaceID space) {
  return GeomHandle(std::visit(
      Overloaded{
          [&](const MeshGeometry& g) {
            return dCreateTriMesh(space, g.mesh->odeData(), nullptr, nullptr, nullptr);
          },
          [&](const BoxGeometry& g) {
            return dCreateBox(space, real(g.size.x), real(g.size.y), real(g.size.z));
          },
          [&](const SphereGeometry& g) { return dCreateSphere(space, real(g.radius)); },
          [&](const CylinderGeometry& g) { return dCreateCylinder(space, real(g.radius), real(g.length)); },
          [&](const CapsuleGeometry& g) { return dCreateCapsule(space, real(g.radius), real(g.length)); },
          [&](const PlaneGeometry&) { return dCreatePlane(space, 0, 0, 1, 0); }},
      geometry));
}

void placePlane(dGeomID geom, const PlaneGeometry& plane, const Pose& pose) {
  const PlaneGeometry p = movedPlane(plane, pose);
  dGeomPlaneSetParams(geom, real(p.normal.x), real(p.normal.y), real(p.normal.z), real(p.offset));
}

Pose geomPose(const Geometry& geometry, const Pose& pose) {
  const auto* mesh = std::get_if<MeshGeometry>(&geometry);
  return mesh == nullptr ? pose : Pose{pose.rotation, pose.apply(mesh->mesh->origin())};
}

Inertial solidInertial(const Geometry& geometry, double density) {
  return std::visit(
      Overloaded{[&](const MeshGeometry& g) {
                   Inertial out = g.mesh->unitDensity();
                   out.centre = g.mesh->origin();
                   return withMass(out, out.mass * density);
                 },
                 [&](const BoxGeometry& g) { return boxInertial(g, density); },
                 [&](const SphereGeometry& g) {
                   const double mass = density * 4 / 3 * kPi * g.radius * g.radius * g.radius;
                   return axial(mass, 0.4 * mass * g.radius * g.radius, 0.4 * mass * g.radius * g.radius);
                 },
                 [&](const CylinderGeometry& g) { return cylinderInertial(g.radius, g.length, density); },
                 [&](const CapsuleGeometry& g) { return capsuleInertial(g, density); },
                 [&](const PlaneGeometry&) { return Inertial{}; }},
      geometry);
}

double support(const Geometry& geometry, const Pose& pose, const Vec3& direction) {
  const Vec3 local = pose.rotation.transposed() * direction;
  const double centre = dot(direction, pose.translation);
  const double size = length(direction);
  const double across = std::hypot(local.x, local.y);
  const double along = std::abs(local.z);
  return std::visit(
      Overloaded{[&](const MeshGeometry& g) {
                   return meshSupport(g.mesh->mesh(), geomPose(geometry, pose), direction);
                 },
                 [&](const BoxGeometry& g) {
                   return centre +
                          (std::abs(local.x) * g.size.x + std::abs(local.y) * g.size.y + along * g.size.z) /
                              2;
                 },
                 [&](const SphereGeometry& g) { return centre + g.radius * size; },
                 [&](const CylinderGeometry& g) { return centre + across * g.radius + along * g.length / 2; },
                 [&](const CapsuleGeometry& g) { return centre + size * g.radius + along * g.length / 2; },
                 [&](const PlaneGeometry&) { return kInfinity; }},
      geometry);
}

double radiusAbout(const Geometry& geometry, const Vec3& centre) {
  const double shift = length(centre);
  return std::visit(
      Overloaded{[&](const MeshGeometry& g) { return meshRadius(g.mesh->mesh(), centre - g.mesh->origin()); },
                 [&](const BoxGeometry& g) { return shift + length(g.size) / 2; },
                 [&](const SphereGeometry& g) { return shift + g.radius; },
                 [&](const CylinderGeometry& g) { return shift + std::hypot(g.radius, g.length / 2); },
                 [&](const CapsuleGeometry& g) { return shift + g.radius + g.length / 2; },
                 [&](const PlaneGeometry&) { return kInfinity; }},
      geometry);
}

std::size_t triangleCount(const Geometry& geometry) {
  const auto* mesh = std::get_if<MeshGeometry>(&geometry);
  return mesh == nullptr ? 0 : mesh->mesh->mesh().triangles.size();
}

}  // namespace odemesh::sim
