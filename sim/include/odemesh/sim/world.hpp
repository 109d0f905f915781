// A world of rigid bodies, stepped at a fixed rate with ODE's QuickStep and measured at each step.
#pragma once

#include <cstdint>
#include <memory>
#include <odemesh/sim/body.hpp>
#include <odemesh/sim/collision_pass.hpp>
#include <odemesh/sim/joint.hpp>
#include <odemesh/sim/world_settings.hpp>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace odemesh::sim {

/// A contact of the last step, as the collider gave it: in the world frame, `normal` pointing into body 1.
struct ContactRecord {
  Vec3 position;
  Vec3 normal;
  double depth;
  std::size_t body1;  ///< index in the world
  std::size_t body2;
  int triangle1;  ///< of the part that touches, or -1
  int triangle2;
};

/// What one step did. Times are measured and not part of the state.
struct StepMetrics {
  std::uint64_t step = 0;  ///< steps done so far
  double time = 0;         ///< s, simulated
  double kinetic_energy = 0;
  double potential_energy = 0;  ///< J, zero at the origin
  /// Pairs of geoms with overlapping bounding boxes, before the step, that no joint or group keeps from
  /// colliding. Speculative worlds count those with such a joint or group, too, where the meshes are apart,
  /// and those that follow each other so closely that they would meet if one were stopped.
  std::size_t pairs = 0;
  std::size_t touching_pairs = 0;
  std::size_t contacts = 0;
  std::size_t rejected_contacts = 0;  ///< not finite or without a unit normal; never handed to the solver
  double greatest_depth = 0;          ///< m, of this step's contacts
  double greatest_speed = 0;          ///< m/s, of a centre of mass
  double rms_speed = 0;               ///< m/s, over the bodies, of the fastest point of each
  double collision_ms = 0;            ///< preprocessing the meshes of new bodies not included
  double solver_ms = 0;
  std::uint64_t hash = 0;  ///< of positions, rotations and velocities, bit for bit
};

/// Why a world can't go on.
struct Failure {
  enum class Kind {
    kNotFinite,  ///< a NaN or an infinity in a body's state
    kEscaped,    ///< a centre of mass outside the kill box
    kOutOfMemory,
  };
  Kind kind;
  std::optional<std::size_t> body;
  std::string message;  ///< names the body and the step
};

/// Bodies, gravity and contacts. Equal settings and equal calls give equal states bit for bit, however many
/// worlds and threads there are, on one machine. Not thread safe; worlds share ODE's global state, so step
/// one at a time.
class World {
 public:
  /// Throws InputError for settings out of range.
  explicit World(const WorldSettings& settings = {});
  ~World();
  World(const World&) = delete;
  World& operator=(const World&) = delete;

  /// Adds a body. Throws InputError, naming it, for sizes, poses or masses that ODE can't take; the world is
  /// unchanged then. The reference stays valid for the life of the world.
  Body& addBody(const BodySpec& spec);

  /// Joins two of the bodies. Throws InputError, naming the joint, for bodies that do not exist or values
  /// that ODE can't take; the world is unchanged then.
  Joint& addJoint(const JointSpec& spec);
  [[nodiscard]] std::size_t jointCount() const { return joints_.size(); }
  [[nodiscard]] const Joint& joint(std::size_t index) const { return *joints_[index]; }

  [[nodiscard]] std::size_t bodyCount() const { return bodies_.size(); }
  [[nodiscard]] Body& body(std::size_t index) { return *bodies_[index]; }
  [[nodiscard]] const Body& body(std::size_t index) const { return *bodies_[index]; }

  /// Collides, then advances by settings().dt. Does nothing once the world has failed. The collider is
  /// checked first: std::runtime_error if odemesh can't be installed.
  const StepMetrics& step();

  [[nodiscard]] const WorldSettings& settings() const { return settings_; }
  /// The metrics of the last step; before the first one, of the initial state.
  [[nodiscard]] StepMetrics metrics() const;
  [[nodiscard]] const std::vector<ContactRecord>& contacts() const { return contacts_; }
  [[nodiscard]] const std::optional<Failure>& failure() const { return failure_; }
  [[nodiscard]] std::uint64_t stateHash() const;
  /// From the next step on.
  void setCollider(Collider collider) { settings_.collider = collider; }
  /// From the next step on; as WorldSettings::threads. Throws InputError for a number out of range.
  void setThreads(int threads);

  /// ODE's own objects, for joints and whatever else is not wrapped here.
  [[nodiscard]] dWorldID odeWorld() const { return world_.get(); }
  [[nodiscard]] dSpaceID odeSpace() const { return space_.get(); }

 private:
  static void onNear(void* world, dGeomID geom1, dGeomID geom2);
  static void onStruck(void* world, dGeomID geom1, dGeomID geom2);
  void addPair(dGeomID geom1, dGeomID geom2);
  [[nodiscard]] bool mayCollide(dGeomID geom1, dGeomID geom2) const;
  [[nodiscard]] bool isSpeculative() const;
  [[nodiscard]] int findContacts(dGeomID geom1, dGeomID geom2, std::span<dContact> out) const;
  [[nodiscard]] bool haveContacts(dGeomID geom1, dGeomID geom2) const;
  void addContacts(dGeomID geom1, dGeomID geom2, std::span<dContact> contacts);
  void addContact(dContact& contact, const GeomTag& tag1, const GeomTag& tag2);
  void prepareMeshes();
  [[nodiscard]] bool collide();
  [[nodiscard]] int listPairs();
  [[nodiscard]] int collideStruck();
  void advance();
  [[nodiscard]] bool solve();
  void measureBodies(StepMetrics& out) const;
  bool checkBodies();
  bool failForMemory();
  void fail(Failure::Kind kind, const Body* body, const std::string& what);

  OdeLibrary library_;
  WorldSettings settings_;
  WorldHandle world_;
  SpaceHandle space_;
  JointGroupHandle contact_joints_;
  std::vector<std::unique_ptr<Body>> bodies_;
  std::vector<std::unique_ptr<Joint>> joints_;
  CollisionPass pass_;
  std::vector<ContactRecord> contacts_;
  std::vector<dContact> ode_contacts_;     ///< those of the collision pass, if speculative
  std::vector<dContact> struck_contacts_;  ///< what was added for what is struck
  std::vector<dContact> struck_room_;
  StepMetrics metrics_;
  std::optional<Failure> failure_;
  std::size_t prepared_bodies_ = 0;  ///< the first ones
  unsigned long random_seed_ = 0;
};

}  // namespace odemesh::sim
