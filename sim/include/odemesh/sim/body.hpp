// One body of a world: its geoms, and if it is dynamic its mass and motion.
#pragma once

#include <odemesh/sim/geometry.hpp>
#include <odemesh/sim/world_settings.hpp>
#include <optional>
#include <string>
#include <vector>

namespace odemesh::sim {

/// A geometry of a body, at `pose` in the body's frame.
struct Part {
  Geometry geometry;
  Pose pose{};
  std::optional<Surface> surface{};  ///< empty: the world's
};

/// What a body is made from. Poses and velocities are of the body's own frame, the one that its parts are
/// given in; for a single mesh that is the mesh's frame.
struct BodySpec {
  std::string name;
  std::vector<Part> parts;  ///< may be empty for a dynamic body with `inertial`, which then touches nothing
  Pose pose{};
  bool is_static = false;
  bool has_gravity = true;
  std::size_t group = 0;               ///< bodies of one group pass through each other; 0: no group
  double density = 1000;               ///< kg/m3; ignored where `mass` or `inertial` is given
  std::optional<double> mass{};        ///< kg, distributed as `density` would be
  std::optional<Inertial> inertial{};  ///< in the body's frame; overrides what follows from the parts
  /// Share of the speed that is lost in each step, 0 to 1 (ODE's damping).
  double linear_damping = 0, angular_damping = 0;
  Vec3 linear_velocity{};   ///< m/s, of the centre of mass
  Vec3 angular_velocity{};  ///< rad/s, in the world frame
};

class Body;

/// What the user data of each of ODE's geoms points at.
struct GeomTag {
  const Body* body;
  std::size_t part;
};

/// A body in a world; made by World::addBody. ODE's body has its origin in the centre of mass; the poses here
/// are of the frame of the BodySpec. Setters of a static body other than setPose do nothing.
class Body {
 public:
  Body(const BodySpec& spec, std::size_t index, dWorldID world, dSpaceID space, const Surface& surface);
  Body(const Body&) = delete;
  Body& operator=(const Body&) = delete;

  [[nodiscard]] const std::string& name() const { return name_; }
  [[nodiscard]] std::size_t index() const { return index_; }
  [[nodiscard]] bool isStatic() const { return body_ == nullptr; }
  [[nodiscard]] std::size_t group() const { return group_; }
  [[nodiscard]] const std::vector<Part>& parts() const { return parts_; }
  /// Mass, centre and inertia in the body's frame. All zero for static bodies.
  [[nodiscard]] const Inertial& inertial() const { return inertial_; }
  /// Radius of a sphere around the centre of mass that holds the body.
  [[nodiscard]] double boundingRadius() const { return bounding_radius_; }

  [[nodiscard]] Pose pose() const;
  /// Pose of a part in the world.
  [[nodiscard]] Pose partPose(std::size_t part) const { return pose() * parts_[part].pose; }
  [[nodiscard]] Vec3 centreOfMass() const;
  [[nodiscard]] Vec3 linearVelocity() const;   ///< of the centre of mass
  [[nodiscard]] Vec3 angularVelocity() const;  ///< in the world frame
  [[nodiscard]] double kineticEnergy() const;
  /// The greatest value of dot(direction, x) over the body in the world.
  [[nodiscard]] double support(const Vec3& direction) const;
  /// Everything that ODE would step is finite: pose, velocities, force and torque.
  [[nodiscard]] bool isFinite() const;

  /// Throw InputError for values that are not finite. The rotation has to be orthonormal.
  void setPose(const Pose& pose);
  void setVelocity(const Vec3& linear, const Vec3& angular);
  /// Adds a force for the next step at a point of the world.
  void addForceAt(const Vec3& force, const Vec3& point);

  /// ODE's body, for joints and whatever else is not wrapped here; null for static bodies.
  [[nodiscard]] dBodyID odeBody() const { return body_.get(); }
  [[nodiscard]] const std::vector<GeomHandle>& odeGeoms() const { return geoms_; }
  [[nodiscard]] const Surface& surface(std::size_t part) const { return surfaces_[part]; }

 private:
  void makeGeoms(dSpaceID space);
  void attach(dGeomID geom, const Part& part) const;
  void placeStatic(const Pose& pose);

  std::string name_;
  std::size_t index_;
  std::size_t group_;
  std::vector<Part> parts_;
  std::vector<Surface> surfaces_;
  std::vector<GeomTag> tags_;
  Inertial inertial_;
  double bounding_radius_ = 0;
  Pose static_pose_;
  BodyHandle body_;
  std::vector<GeomHandle> geoms_;
};

}  // namespace odemesh::sim
