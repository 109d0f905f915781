// The cost of the three triangle tests on generic pairs, by outcome. Run with --benchmark_repetitions for
// medians; the last lines give the ratio of the exact test to the others.
#include <benchmark/benchmark.h>

#include <random>
#include <vector>

#include "narrow_phase/intersect_edge_plane.hpp"
#include "narrow_phase/intersect_exact.hpp"
#include "narrow_phase/intersect_moller.hpp"

using namespace odemesh;

namespace {

enum Outcome { kMeet, kFarApart, kNearMiss };

struct Pair {
  Triangle a, b;
  TriangleRecord a_record, b_record;
};

bool planesParted(const Triangle& a, const Triangle& b) {
  int side = 0;
  for (const Vec3& p : b.v) side += orient3d(a.v[0], a.v[1], a.v[2], p);
  return side == 3 || side == -3;
}

Outcome outcomeOf(const Triangle& a, const Triangle& b) {
  if (trianglesIntersect(a, b)) return kMeet;
  return planesParted(a, b) || planesParted(b, a) ? kFarApart : kNearMiss;
}

/// Random pairs whose bounding boxes overlap, as a mid phase would deliver them.
std::vector<Pair> drawPairs(Outcome outcome) {
  std::mt19937_64 random(1);
  std::uniform_real_distribution<double> uniform(-1, 1);
  const auto point = [&] { return Vec3{uniform(random), uniform(random), uniform(random)}; };
  std::vector<Pair> pairs;
  while (pairs.size() < 2000) {
    const Triangle a{{point(), point(), point()}}, b{{point(), point(), point()}};
    if (outcomeOf(a, b) == outcome) pairs.push_back({a, b, makeTriangleRecord(a), makeTriangleRecord(b)});
  }
  return pairs;
}

template <class Test>
void run(benchmark::State& state, Outcome outcome, const Test& test) {
  const std::vector<Pair> pairs = drawPairs(outcome);
  for (auto _ : state) {
    int hits = 0;
    for (const Pair& p : pairs) hits += test(p);
    benchmark::DoNotOptimize(hits);
  }
  state.counters["ns_per_pair"] =
      benchmark::Counter(static_cast<double>(pairs.size()) * 1e-9,
                         benchmark::Counter::kIsIterationInvariantRate | benchmark::Counter::kInvert);
}

bool exact(const Pair& p) {
  return trianglesIntersect(p.a, p.b);
}
bool moller(const Pair& p) {
  return trianglesIntersectMoller(p.a, p.b);
}
bool edgeNormals(const Pair& p) {
  return trianglesIntersectEdgePlane(p.a_record, p.b_record, PointInTriangle::kEdgeNormals);
}
bool barycentric(const Pair& p) {
  return trianglesIntersectEdgePlane(p.a_record, p.b_record, PointInTriangle::kBarycentric);
}

}  // namespace

int main(int argc, char** argv) {
  benchmark::Initialize(&argc, argv);
  const struct {
    const char* name;
    Outcome outcome;
  } kOutcomes[] = {{"meet", kMeet}, {"apart", kFarApart}, {"near miss", kNearMiss}};
  const struct {
    const char* name;
    bool (*test)(const Pair&);
  } kTests[] = {{"exact", exact},
                {"Moller", moller},
                {"edge-plane, edge normals", edgeNormals},
                {"edge-plane, barycentric", barycentric}};
  for (const auto& o : kOutcomes) {
    for (const auto& t : kTests) {
      const auto body = [=](benchmark::State& state) { run(state, o.outcome, t.test); };
      benchmark::RegisterBenchmark((std::string(o.name) + "/" + t.name).c_str(), body);
    }
  }
  benchmark::RunSpecifiedBenchmarks();
}
