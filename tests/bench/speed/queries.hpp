// The questions of the speed benchmark, and the table of their answers' times.
#pragma once

#include <array>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "bench/speed/engines.hpp"
#include "bench/speed/scene.hpp"

namespace odemesh::bench {

struct Query {
  std::string name;
  int regimes;  ///< in how many of the regimes it makes sense
  std::vector<Engine> engines;
};

/// They refer to `scene`.
[[nodiscard]] std::vector<Query> queriesOf(const Scene& scene);

class SpeedTable {
 public:
  /// Asks all of a scene's queries and prints medians and ratios. False, with a message, if an answer is
  /// wrong.
  [[nodiscard]] bool add(const Scene& scene, int rounds);

  /// Prints the ratios over all scenes: geometric means, and the worst.
  void printRatios() const;

 private:
  struct Score {
    double log_sum = 0;
    int count = 0;
    double worst = 1e30;

    void add(double ratio);
  };

  void addQuery(const Scene& scene, const Query& query, int rounds);

  std::map<std::pair<std::string, std::string>, std::array<Score, kRegimes>> scores_;
};

}  // namespace odemesh::bench
