// A world that is run and watched, and what can be expected of it afterwards. testing.hpp gives the same to
// GoogleTest; nothing here depends on it.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <odemesh/sim/mesh_check.hpp>
#include <odemesh/sim/mesh_file.hpp>
#include <odemesh/sim/rest_monitor.hpp>
#include <odemesh/sim/world.hpp>
#include <optional>
#include <string>
#include <vector>

namespace odemesh::sim {

/// Runs a world and keeps what the expectations below need. Everything that is kept is of the steps since the
/// last `mark()`; the first one is made when the run begins.
class Trial {
 public:
  /// An empty world. Throws InputError for settings out of range.
  explicit Trial(const WorldSettings& settings = {});
  explicit Trial(std::unique_ptr<World> world);

  /// A static box with its top at z = 0, `size` m wide, as a mesh.
  Body& addGround(double size = 100);
  /// A body from a mesh file or a shape ("shape:torus"; see mesh_source.hpp) with its frame at `position`.
  /// Each source is read once. Throws InputError.
  Body& addMesh(const std::string& source, const Vec3& position, std::optional<double> mass = {},
                const LoadOptions& options = {});

  /// Steps the world; stops early if it fails.
  void run(std::uint64_t steps);
  void runSeconds(double seconds);
  /// Forgets what was seen so far, and takes the bodies' places now as those they should stand at.
  void mark();

  [[nodiscard]] World& world() { return *world_; }
  [[nodiscard]] const World& world() const { return *world_; }

  /// m, the deepest contact of any step.
  [[nodiscard]] double greatestDepth() const { return greatest_depth_; }
  /// Corners of the box that the moving bodies have touched; low > high if there are none.
  [[nodiscard]] const Bounds& reach() const { return reach_; }
  /// How far a body has gone from its marked place: the way of its centre of mass, or that of its farthest
  /// point by the change of orientation, whichever is more. m.
  [[nodiscard]] double moved(const Body& body) const;
  /// RMS speed over the last quarter of a second (since the mark, if that is less), and whether it is low
  /// enough to call it rest.
  [[nodiscard]] const RestMonitor& rest() const { return rest_; }

 private:
  void observe();
  void extendReach(const Body& body);

  std::unique_ptr<World> world_;
  std::map<std::string, std::shared_ptr<const CollisionMesh>> meshes_;
  std::vector<Pose> marked_;
  double greatest_depth_ = 0;
  Bounds reach_;
  RestMonitor rest_{0, 1};
};

/// Whether an expectation was met; the text says what was found, and of which body, either way.
struct Verdict {
  bool passed = false;
  std::string text;
  explicit operator bool() const { return passed; }
};

/// Every expectation below fails for a world that has failed.
/// RMS speed of the last quarter of a second, or since the mark, at most `speed`, m/s; empty: 1% of the speed
/// from falling half the largest body's radius.
[[nodiscard]] Verdict isAtRest(const Trial& trial, std::optional<double> speed = {});
/// No contact since the mark was deeper than `depth`, m.
[[nodiscard]] Verdict overlapsAtMost(const Trial& trial, double depth);
/// No part of a moving body has left the box since the mark.
[[nodiscard]] Verdict staysInside(const Trial& trial, const Bounds& box);
/// No moving body is farther than `distance` m from its marked place (see Trial::moved).
[[nodiscard]] Verdict stands(const Trial& trial, double distance);
/// The state is that, bit for bit.
[[nodiscard]] Verdict hasHash(const Trial& trial, std::uint64_t hash);
/// Both worlds are in the same state, bit for bit.
[[nodiscard]] Verdict hasSameHash(const Trial& trial, const Trial& other);

/// 16 hexadecimal digits.
[[nodiscard]] std::string hashText(std::uint64_t hash);

}  // namespace odemesh::sim
