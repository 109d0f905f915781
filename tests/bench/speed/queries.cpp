#include "bench/speed/queries.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "bench/speed/checks.hpp"

namespace odemesh::bench {

namespace {

void printHead(const Scene& scene) {
  const Body &a = scene.a, &b = scene.b;
  std::printf("\n%s (%zu) x %s (%zu)   build %.1f + %.1f ms, ODE %.1f + %.1f ms   %.0f bytes a triangle\n",
              a.name().c_str(), a.mesh().triangleCount(), b.name().c_str(), b.mesh().triangleCount(),
              a.buildMs(), b.buildMs(), a.odeBuildMs(), b.odeBuildMs(),
              double(a.mesh().memoryBytes()) / double(a.mesh().triangleCount()));
}

}  // namespace

std::vector<Query> queriesOf(const Scene& scene) {
  return {{"boolean", kRegimes, booleanEngines(scene)},
          {"all pairs", kRegimes, pairEngines(scene)},
          {"contacts", kRegimes, contactEngines(scene)},
          {"distance", 1, distanceEngines(scene)}};
}

bool SpeedTable::add(const Scene& scene, int rounds) {
  printHead(scene);
  if (!countsAgree(scene) || !distancesAgree(scene)) return false;
  for (const Query& query : queriesOf(scene)) addQuery(scene, query, rounds);
  return true;
}

void SpeedTable::printRatios() const {
  std::printf("\nratios, geometric mean (worst): engine / odemesh\n");
  for (const auto& [key, scores] : scores_) {
    std::printf("%-10s %-6s", key.first.c_str(), key.second.c_str());
    for (const Score& s : scores)
      if (s.count > 0) std::printf("  %9.2f (%6.2f)", std::exp(s.log_sum / s.count), s.worst);
    std::printf("\n");
  }
}

void SpeedTable::Score::add(double ratio) {
  log_sum += std::log(ratio);
  worst = std::min(worst, ratio);
  ++count;
}

void SpeedTable::addQuery(const Scene& scene, const Query& query, int rounds) {
  const std::vector<Engine>& engines = query.engines;
  std::vector<std::vector<double>> times;
  for (int r = 0; r < query.regimes; ++r) times.push_back(compare(engines, scene.poses[r], rounds));
  for (std::size_t e = 0; e < engines.size(); ++e) {
    std::printf("  %-10s %-8s", query.name.c_str(), engines[e].name.c_str());
    for (int r = 0; r < query.regimes; ++r) {
      std::printf(" %9.2f us", times[r][e]);
      if (e == 0) continue;
      const double ratio = times[r][e] / times[r][0];
      scores_[{query.name, engines[e].name}][r].add(ratio);
      std::printf(" (%6.2fx)", ratio);
    }
    std::printf("\n");
  }
  std::fflush(stdout);
}

}  // namespace odemesh::bench
