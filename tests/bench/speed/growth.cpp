#include "bench/speed/growth.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <odemesh/collide.hpp>
#include <vector>

#include "bench/log_plot.hpp"
#include "bench/speed/checks.hpp"
#include "bench/speed/queries.hpp"
#include "bench/speed/scene.hpp"

namespace odemesh::bench {

namespace {

/// Least squares of the logarithms.
[[nodiscard]] double exponentOf(const Curve& curve) {
  double n = 0, x = 0, y = 0, xx = 0, xy = 0;
  for (const auto& [size, time] : curve.points) {
    const double u = std::log(size), v = std::log(time);
    n += 1, x += u, y += v, xx += u * u, xy += u * v;
  }
  return (n * xy - x * y) / (n * xx - x * x);
}

void printGrowth(const std::vector<Curve>& curves) {
  std::printf("%-16s", "triangles");
  for (const auto& [size, time] : curves.front().points) std::printf(" %11.0f", size);
  std::printf("   exponent\n");
  for (const Curve& curve : curves) {
    std::printf("%-16s", curve.name.c_str());
    for (const auto& [size, time] : curve.points) std::printf(" %11.1f", time);
    std::printf("   %8.2f\n", exponentOf(curve));
  }
}

void addPoint(const std::string& name, const Scene& scene, double value, std::vector<Curve>& curves) {
  auto at = std::ranges::find(curves, name, &Curve::name);
  if (at == curves.end()) at = curves.insert(at, Curve{name, {}});
  at->points.push_back({double(scene.a.mesh().triangleCount()), value});
}

/// odemesh and ODE's own, in one regime.
void addQuery(Query& query, const Scene& scene, int rounds, std::vector<Curve>& curves) {
  const bool is_distance = query.regimes == 1;
  query.engines.resize(std::min<std::size_t>(query.engines.size(), is_distance ? 1 : 2));
  const std::vector<double> times = compare(query.engines, scene.poses[is_distance ? 0 : 2], rounds);
  addPoint(query.name, scene, times[0], curves);
  if (times.size() > 1) addPoint("ODE: " + query.name, scene, times[1], curves);
}

[[nodiscard]] bool addScene(int triangles, int poses, int rounds, std::vector<Curve>& curves) {
  const Scene scene({"icosphere", icosphere(triangles)}, {"torus", torus(triangles)}, poses);
  if (!countsAgree(scene) || !distancesAgree(scene)) return false;
  addPoint("build", scene, 1e3 * scene.a.buildMs(), curves);
  addPoint("ODE: build", scene, 1e3 * scene.a.odeBuildMs(), curves);
  for (Query& query : queriesOf(scene)) addQuery(query, scene, rounds, curves);
  std::vector<TrianglePair> pairs;
  intersectingTriangles(scene.a.mesh(), {}, scene.b.mesh(), scene.poses[2].front(), pairs);
  addPoint("pairs found", scene, double(pairs.size()), curves);
  return true;
}

}  // namespace

bool showGrowth(int poses, int rounds, int largest, const std::string& svg) {
  std::vector<Curve> curves;
  for (const int triangles : {1000, 3000, 10000, 30000, 100000, 300000, 1000000})
    if (triangles <= largest && !addScene(triangles, poses, rounds, curves)) return false;
  printGrowth(curves);
  std::erase_if(curves, [](const Curve& c) { return c.name.starts_with("ODE"); });
  if (svg.empty() || writeLogPlot(svg, "icosphere x torus, shallow (distance: separated)",
                                  "triangles in each mesh", "microseconds, or pairs", curves))
    return true;
  std::printf("--svg: '%s' can't be written; give a file in a folder that exists\n", svg.c_str());
  return false;
}

}  // namespace odemesh::bench
