#include "scenes/watch.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

namespace odemesh::sim {

std::vector<std::size_t> dynamicBodies(const World& world) {
  std::vector<std::size_t> out;
  for (std::size_t i = 0; i < world.bodyCount(); ++i)
    if (!world.body(i).isStatic()) out.push_back(i);
  return out;
}

DriftWatch::DriftWatch(const World& world, SceneFrame frame, std::vector<std::size_t> bodies, double from)
    : frame_(frame), bodies_(std::move(bodies)), from_(from) {
  for (const std::size_t i : bodies_) {
    centres_.push_back(world.body(i).centreOfMass());
    rotations_.push_back(world.body(i).pose().rotation);
  }
}

void DriftWatch::observe(const World& world) {
  if (world.metrics().time < from_ - world.settings().dt / 2) return;
  for (std::size_t k = 0; k < bodies_.size(); ++k) {
    const Body& body = world.body(bodies_[k]);
    const Vec3 moved = frame_.vector(body.centreOfMass() - centres_[k]);
    drift_ = std::max(drift_, length(moved));
    sink_ = std::max(sink_, -moved.z);
    const double turn = angleBetween(body.pose().rotation, rotations_[k]) * 180 / std::numbers::pi;
    turn_ = std::max(turn_, turn);
  }
}

void SettledDrift::observe(const World& world) {
  const std::vector<std::size_t> bodies = dynamicBodies(world);
  if (!start_) start_.emplace(world, frame_, bodies);
  top_ = -std::numeric_limits<double>::infinity();
  for (const std::size_t i : bodies) top_ = std::max(top_, frame_.point(world.body(i).centreOfMass()).z);
  if (watch_) return watch_->observe(world);
  if (world.metrics().time < from_) return;
  start_->observe(world);
  tilt_ = start_->turnDegrees();
  watch_.emplace(world, frame_, bodies);
}

double SettledDrift::drift() const {
  return watch_ ? watch_->drift() : std::numeric_limits<double>::infinity();
}

void SpeedWatch::observe(const World& world) {
  if (world.metrics().time < from_) return;
  const double speed = frame_.length(world.metrics().rms_speed);
  sum_sq_ += speed * speed;
  ++steps_;
}

double SpeedWatch::rms() const {
  return steps_ == 0 ? 0 : std::sqrt(sum_sq_ / static_cast<double>(steps_));
}

void LinkWatch::observe(const World& world) {
  for (const auto& [a, b] : links_) {
    const Vec3 step = world.body(a).pose().translation - world.body(b).pose().translation;
    longest_ = std::max(longest_, frame_.length(length(step)));
  }
}

EnergyWatch::EnergyWatch(const World& world) {
  const StepMetrics metrics = world.metrics();
  start_kinetic_ = metrics.kinetic_energy;
  start_ = most_ = metrics.kinetic_energy + metrics.potential_energy;
}

double EnergyWatch::fallOfOneMetre(const World& world, const SceneFrame& frame) {
  double mass = 0;
  for (const std::size_t i : dynamicBodies(world)) mass += world.body(i).inertial().mass;
  return mass * length(world.settings().gravity) * frame.scale;
}

void EnergyWatch::observe(const World& world) {
  const StepMetrics metrics = world.metrics();
  most_ = std::max(most_, metrics.kinetic_energy + metrics.potential_energy);
}

}  // namespace odemesh::sim
