// Everything that can be set about a world, with defaults. Units are metres, kilograms and seconds.
#pragma once

#include <limits>
#include <odemesh/pose.hpp>
#include <odemesh/sim/collider_choice.hpp>
#include <optional>

namespace odemesh::sim {

/// How two bodies behave where they touch. Where two surfaces differ, the smaller mu, the smaller restitution
/// and the larger bounce threshold count, and the softer ERP and CFM.
struct Surface {
  double mu = 0.5;                 ///< Coulomb friction, at least 0; infinity: no sliding
  double restitution = 0;          ///< 0 to 1
  double bounce_threshold = 0.05;  ///< m/s; slower impacts do not bounce
  std::optional<double> erp{};     ///< 0 to 1; empty: the world's
  std::optional<double> cfm{};     ///< at least 0; empty: the world's
};

/// The settings of a world, fixed when it is made. `validate` says which values are accepted.
struct WorldSettings {
  Collider collider = Collider::kOdemesh;
  Vec3 gravity{0, 0, -9.81};
  double dt = 1.0 / 240;     ///< s, 1e-6 to 0.1
  int iterations = 50;       ///< of QuickStep, 1 to 10000
  double erp = 0.2;          ///< share of a depth corrected in one step, 0 to 1
  double cfm = 1e-10;        ///< softness of constraints, at least 0
  int max_contacts = 64;     ///< of one pair of geoms, 1 to 65535
  Surface surface;           ///< for geoms that have none of their own
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
