// What judges measure while a scene runs. All figures are at unit scale.
#pragma once

#include <cstddef>
#include <odemesh/sim/scenes/scene.hpp>
#include <optional>
#include <utility>
#include <vector>

#include "scenes/builder.hpp"

namespace odemesh::sim {

/// Every body that moves.
[[nodiscard]] std::vector<std::size_t> dynamicBodies(const World& world);

/// How far bodies get from where they were when the watch was made, looked at from `from` seconds on.
class DriftWatch {
 public:
  DriftWatch(const World& world, SceneFrame frame, std::vector<std::size_t> bodies, double from = 0);
  void observe(const World& world);

  [[nodiscard]] double drift() const { return drift_; }       ///< m, the farthest of any centre of mass
  [[nodiscard]] double turnDegrees() const { return turn_; }  ///< the most of any body
  [[nodiscard]] double sink() const { return sink_; }         ///< m, the farthest down

 private:
  SceneFrame frame_;
  std::vector<std::size_t> bodies_;
  std::vector<Vec3> centres_;
  std::vector<Mat3> rotations_;
  double from_;
  double drift_ = 0, turn_ = 0, sink_ = 0;
};

/// How far bodies get from where they are at `from` seconds, for what settles first.
class SettledDrift {
 public:
  SettledDrift(SceneFrame frame, double from) : frame_(frame), from_(from) {}
  void observe(const World& world);

  [[nodiscard]] double drift() const;                       ///< m; infinite if that time was not reached
  [[nodiscard]] double firstTilt() const { return tilt_; }  ///< degrees from the start's orientation, then
  [[nodiscard]] double topHeight() const { return top_; }   ///< m, of the highest centre, last seen

 private:
  SceneFrame frame_;
  double from_;
  std::optional<DriftWatch> watch_;
  std::optional<DriftWatch> start_;
  double tilt_ = 180, top_ = 0;
};

/// Root mean square over time, from `from` seconds on, of the bodies' speed.
class SpeedWatch {
 public:
  SpeedWatch(SceneFrame frame, double from) : frame_(frame), from_(from) {}
  void observe(const World& world);
  [[nodiscard]] double rms() const;  ///< m/s

 private:
  SceneFrame frame_;
  double from_;
  double sum_sq_ = 0;
  std::size_t steps_ = 0;
};

/// The longest distance that was seen between the origins of bodies that are linked.
class LinkWatch {
 public:
  using Link = std::pair<std::size_t, std::size_t>;  ///< indices in the world

  LinkWatch(SceneFrame frame, std::vector<Link> links) : frame_(frame), links_(std::move(links)) {}
  void observe(const World& world);
  [[nodiscard]] double longest() const { return longest_; }  ///< m

 private:
  SceneFrame frame_;
  std::vector<Link> links_;
  double longest_ = 0;
};

/// Kinetic and potential energy against that of the beginning.
class EnergyWatch {
 public:
  explicit EnergyWatch(const World& world);
  void observe(const World& world);
  /// The most by which the energy rose above the beginning's, as a share of `reference` J (at the run's
  /// scale), or of the kinetic energy of the beginning.
  [[nodiscard]] double gain(double reference) const { return (most_ - start_) / reference; }
  [[nodiscard]] double gain() const { return gain(start_kinetic_); }
  /// J that all bodies together gain in a fall of a metre at unit scale: a reference for heaps.
  [[nodiscard]] static double fallOfOneMetre(const World& world, const SceneFrame& frame);

 private:
  double start_, start_kinetic_, most_;
};

}  // namespace odemesh::sim
