// What answers: odemesh, ODE's own collider, and the libraries that are installed.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "bench/speed/scene.hpp"

namespace odemesh::bench {

/// One engine's way to answer one query.
struct Engine {
  std::string name;
  std::function<void()> before;  ///< not timed
  std::function<std::size_t(const Pose&)> run;
  std::function<void(const Pose&)> prepare = {};  ///< before each run, not timed
};

/// For each query all engines that know it, odemesh's first. They refer to `scene`.
[[nodiscard]] std::vector<Engine> booleanEngines(const Scene& scene);
[[nodiscard]] std::vector<Engine> pairEngines(const Scene& scene);
[[nodiscard]] std::vector<Engine> contactEngines(const Scene& scene);
[[nodiscard]] std::vector<Engine> distanceEngines(const Scene& scene);

/// Median over the poses of the best time of the rounds in microseconds, for each engine.
[[nodiscard]] std::vector<double> compare(const std::vector<Engine>& engines, const std::vector<Pose>& poses,
                                          int rounds);

}  // namespace odemesh::bench
