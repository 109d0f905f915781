#include <odemesh/sim/input_error.hpp>
#include <odemesh/sim/recording.hpp>

namespace odemesh::sim {

Recording::Recording(const World& world, double frames_per_second)
    : world_(&world), interval_(1 / frames_per_second) {
  if (!(frames_per_second >= 0.1 && frames_per_second <= 1000))
    throw InputError("a recording's frames per second are not from 0.1 to 1000; give 30");
  keep();
}

// The first step at or past the time of the next frame; half a step early counts, so that rounding does not.
void Recording::add() {
  const double due = static_cast<double>(frames_.size()) * interval_;
  if (world_->metrics().time >= due - 0.5 * world_->settings().dt) keep();
}

void Recording::keep() {
  times_.push_back(world_->metrics().time);
  std::vector<Pose>& poses = frames_.emplace_back();
  poses.reserve(world_->bodyCount());
  for (std::size_t i = 0; i < world_->bodyCount(); ++i) poses.push_back(world_->body(i).pose());
}

}  // namespace odemesh::sim
