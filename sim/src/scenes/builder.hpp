// What scenes are put together with: everything is said at unit scale around the scene's own origin.
#pragma once

#include <cstdint>
#include <odemesh/sim/scenes/scene.hpp>
#include <odemesh/sim/triangle_mesh.hpp>
#include <string>
#include <utility>

namespace odemesh::sim {

/// Takes the world's lengths back to unit scale around the scene's origin.
struct SceneFrame {
  double scale = 1;
  Vec3 offset{};

  [[nodiscard]] Vec3 point(const Vec3& world) const { return (world - offset) / scale; }
  [[nodiscard]] Vec3 vector(const Vec3& world) const { return world / scale; }
  [[nodiscard]] double length(double world) const { return world / scale; }
};

/// A rotation of `angle` radians about `axis`, which need not be of unit length.
[[nodiscard]] Mat3 rotationAbout(const Vec3& axis, double angle);

/// Radians of the rotation that takes one orientation to the other. Accurate down to 1e-8.
[[nodiscard]] double angleBetween(const Mat3& a, const Mat3& b);

/// Vertices moved within their faces by up to a fifth of a square and diagonals turned, from a fixed sequence
/// of numbers: `mesh` has to be a makeBox of `size` with `cells` squares along an edge.
[[nodiscard]] TriangleMesh irregularBox(const Vec3& size, int cells);

/// Bodies one above the other.
struct Shower {
  int count;
  double spread;       ///< m; so far is a body from the middle along x and y at most
  double lowest;       ///< m, height of the first
  double step;         ///< m, from each to the next
  std::uint64_t seed;  ///< of places and orientations
};

/// Builds the world of a run.
class SceneBuilder {
 public:
  /// `settings` at unit scale; the options' collider, dt, iterations and contact limit replace its own.
  explicit SceneBuilder(const SceneOptions& options, WorldSettings settings = {});

  [[nodiscard]] const SceneOptions& options() const { return options_; }
  [[nodiscard]] SceneFrame frame() const { return {options_.scale, options_.offset}; }
  [[nodiscard]] World& world() { return *run_.world; }

  /// A box cut as the options say, or a primitive.
  [[nodiscard]] Geometry box(const Vec3& size) const { return boxOf(options_, size); }
  /// The same with other options than the scene's.
  [[nodiscard]] static Geometry boxOf(const SceneOptions& options, const Vec3& size);
  [[nodiscard]] Geometry sphere(double radius, int subdivisions = 3) const;
  [[nodiscard]] Geometry cylinder(double radius, double length, int segments = 32) const;
  /// A mesh in any case.
  [[nodiscard]] Geometry mesh(TriangleMesh mesh) const { return meshOf(options_, std::move(mesh)); }
  [[nodiscard]] static Geometry meshOf(const SceneOptions& options, TriangleMesh mesh);
  [[nodiscard]] static Geometry plane() { return PlaneGeometry{}; }

  Body& fixed(const std::string& name, const Geometry& geometry, const Vec3& position = {},
              const Mat3& rotation = {});
  Body& moving(const std::string& name, const Geometry& geometry, const Vec3& position,
               const Mat3& rotation = {}, const Vec3& velocity = {}, const Vec3& spin = {});
  /// A bowl of 1 m, open at the top, with bodies over its middle.
  void bowlWith(const std::string& name, const Geometry& geometry, const Shower& shower);
  /// A spec whose geometries are scaled already and whose poses and velocities are not.
  Body& add(BodySpec spec);
  /// Kept for the life of the run.
  dJointID keep(dJointID joint);

  /// The run; the builder is empty then.
  [[nodiscard]] SceneRun finish(double duration);

 private:
  SceneOptions options_;
  SceneRun run_;
};

}  // namespace odemesh::sim
