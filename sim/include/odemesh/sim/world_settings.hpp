// Everything that can be set about a world, with defaults. Units are metres, kilograms and seconds.
#pragma once

#include <cstdint>
#include <limits>
#include <odemesh/pose.hpp>
#include <odemesh/sim/collider_choice.hpp>
#include <optional>
#include <string_view>

namespace odemesh::sim {

/// A contact as a spring and a damper; two surfaces that have one act in series. From these and the time step
/// follow ERP and CFM (ODE's manual, section 3.8).
struct SpringDamper {
  double stiffness = 0;  ///< N/m, above 0
  double damping = 0;    ///< N s/m, at least 0
};

/// How two bodies behave where they touch. Where two surfaces differ, the smaller mu, the smaller restitution
/// and the larger bounce threshold (of two springs, the smaller) count, the softer ERP and CFM, and the
/// smaller of all the rest.
struct Surface {
  double mu = 0.5;                 ///< Coulomb friction, at least 0; infinity: no sliding
  double restitution = 0;          ///< 0 to 1
  double bounce_threshold = 0.05;  ///< m/s; slower impacts do not bounce
  std::optional<double> erp{};     ///< 0 to 1; empty: the world's
  std::optional<double> cfm{};     ///< at least 0; empty: the world's
  std::optional<double> mu2{};     ///< friction across `friction_direction`; empty: mu
  Vec3 friction_direction{};  ///< in the geometry's frame; zero: none. Of the surface with the smaller mu
  double slip1 = 0;           ///< m/(N s), along `friction_direction`: speed for each newton of friction
  double slip2 = 0;           ///< across it
  std::optional<SpringDamper> spring{};   ///< in place of ERP and CFM
  std::optional<double> surface_layer{};  ///< m; in place of the world's
  /// m/s; the fastest that this surface is pushed out of another
  double max_correcting_speed = std::numeric_limits<double>::infinity();
  std::uint32_t collide_bits = 0xffffffff;  ///< two surfaces that share no bit pass through each other
};

/// Which of ODE's solvers makes the steps.
enum class Solver {
  kQuick,  ///< dWorldQuickStep: so many sweeps over the constraints, each with a cost in proportion to them
  /// dWorldStep: solves for all the constraints of an island of touching bodies, with a cost in proportion to
  /// their number cubed (memory: squared). Worlds of more than 2,000 contacts fail.
  kExact,
};

/// "quick" or "exact".
[[nodiscard]] std::string_view solverName(Solver solver);

/// The settings of a world, fixed when it is made. `validate` says which values are accepted.
struct WorldSettings {
  Collider collider = Collider::kOdemesh;
  Vec3 gravity{0, 0, -9.81};
  double dt = 1.0 / 240;  ///< s, 1e-6 to 0.1
  Solver solver = Solver::kQuick;
  int iterations = 50;      ///< of QuickStep, 1 to 10000
  double relaxation = 1.3;  ///< of QuickStep's successive over-relaxation, above 0 to 2
  double erp = 0.2;         ///< share of a depth corrected in one step, 0 to 1
  double cfm = 1e-10;       ///< softness of constraints, at least 0
  int max_contacts = 64;    ///< of one pair of geoms, 1 to 65535
  int threads = 1;          ///< that collide meshes, 1 to 256; the result does not depend on it
  /// Contacts ahead of the motion for meshes that move far within a step; with Collider::kOdemesh alone.
  bool speculative = true;
  Surface surface{};         ///< for geoms that have none of their own
  double surface_layer = 0;  ///< m; depth that is left uncorrected
  /// m/s; the fastest that bodies are pushed apart
  double max_correcting_speed = std::numeric_limits<double>::infinity();
  /// A body whose centre of mass leaves this box ends the run as failed. Corners within 1e6 m.
  Vec3 kill_min{-1e5, -1e5, -1e5};
  Vec3 kill_max{1e5, 1e5, 1e5};
};

/// Throws InputError for the first value that is NaN or out of range, naming it, the range and what was
/// given.
void validate(const WorldSettings& settings);
void validate(const Surface& surface);

}  // namespace odemesh::sim
