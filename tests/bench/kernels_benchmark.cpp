// What a pair of triangles costs: the exact test against the documented plain ones on generic pairs, by
// outcome; the exact test on pairs that need exact arithmetic; and the distance. Times are per pair; the
// table at the end gives the exact test's CPU time as a multiple of the others'. Repetitions are reported by
// their median.
#include <benchmark/benchmark.h>

#include <cstdio>
#include <map>
#include <random>
#include <string>
#include <vector>

#include "collider/triangle_families.hpp"
#include "narrow_phase/intersect_edge_plane.hpp"
#include "narrow_phase/intersect_exact.hpp"
#include "narrow_phase/intersect_moller.hpp"
#include "narrow_phase/predicates.hpp"
#include "separation/triangle_triangle.hpp"

using namespace odemesh;

namespace {

constexpr std::size_t kPairs =
    4000;  // more than the branch predictor learns by heart, less than the cache holds

struct Pair {
  Triangle a, b;
};
struct RecordPair {
  TriangleRecord a, b;
};

bool planeParts(const Triangle& a, const Triangle& b) {
  int side = 0;
  for (const Vec3& p : b.v) side += orient3d(a.v[0], a.v[1], a.v[2], p);
  return side == 3 || side == -3;
}

bool anyPair(const Pair&) {
  return true;
}
bool meets(const Pair& p) {
  return trianglesIntersect(p.a, p.b);
}
bool isPartedByPlane(const Pair& p) {
  return planeParts(p.a, p.b) || planeParts(p.b, p.a);
}
bool nearlyMeets(const Pair& p) {
  return !meets(p) && !isPartedByPlane(p);
}

/// Random triangles in a cube: their boxes nearly always overlap, as those of the pairs from a mid phase do.
std::vector<Pair> drawGeneric(bool (*wanted)(const Pair&)) {
  std::mt19937_64 random(1);
  std::uniform_real_distribution<double> uniform(-1, 1);
  const auto point = [&] { return Vec3{uniform(random), uniform(random), uniform(random)}; };
  std::vector<Pair> pairs;
  while (pairs.size() < kPairs) {
    const Pair p{{{point(), point(), point()}}, {{point(), point(), point()}}};
    if (wanted(p)) pairs.push_back(p);
  }
  return pairs;
}

std::vector<Pair> drawFamily(test::Family family) {
  std::mt19937_64 random(1);
  std::vector<Pair> pairs;
  while (pairs.size() < kPairs) {
    const test::IntPair p = drawPair(family, random);
    pairs.push_back({toTriangle(p.a), toTriangle(p.b)});
  }
  return pairs;
}

std::vector<RecordPair> recordsOf(const std::vector<Pair>& pairs) {
  std::vector<RecordPair> out;
  for (const Pair& p : pairs) out.push_back({makeTriangleRecord(p.a), makeTriangleRecord(p.b)});
  return out;
}

template <class Item, class Kernel>
void add(const std::string& name, const std::vector<Item>& items, const Kernel& kernel) {
  benchmark::RegisterBenchmark(name.c_str(), [items, kernel](benchmark::State& state) {
    std::size_t i = 0;
    for (auto _ : state) {
      auto result = kernel(items[i]);
      benchmark::DoNotOptimize(result);
      i = i + 1 == items.size() ? 0 : i + 1;
    }
  });
}

void addTests(const std::string& outcome, bool (*wanted)(const Pair&)) {
  const std::vector<Pair> pairs = drawGeneric(wanted);
  add(outcome + "/exact", pairs, [](const Pair& p) { return trianglesIntersect(p.a, p.b); });
  add(outcome + "/Moller", pairs, [](const Pair& p) { return trianglesIntersectMoller(p.a, p.b); });
  const std::vector<RecordPair> records = recordsOf(pairs);
  add(outcome + "/edge-plane, edge normals", records, [](const RecordPair& p) {
    return trianglesIntersectEdgePlane(p.a, p.b, PointInTriangle::kEdgeNormals);
  });
  add(outcome + "/edge-plane, barycentric", records, [](const RecordPair& p) {
    return trianglesIntersectEdgePlane(p.a, p.b, PointInTriangle::kBarycentric);
  });
}

void addHard(test::Family family) {
  add(familyName(family) + "/exact", drawFamily(family),
      [](const Pair& p) { return trianglesIntersect(p.a, p.b); });
}

/// Prints as usual and keeps the times.
class KeepingReporter : public benchmark::ConsoleReporter {
 public:
  KeepingReporter() : ConsoleReporter(OO_None) {}

  void ReportRuns(const std::vector<Run>& runs) override {
    ConsoleReporter::ReportRuns(runs);
    for (const Run& run : runs) {
      const bool is_single = run.run_type == Run::RT_Iteration && run.repetitions == 1;
      if (is_single || run.aggregate_name == "median")
        times_[run.run_name.function_name] = run.GetAdjustedCPUTime();
    }
  }

  void printRatios() const {
    std::printf("\nexact / other\n");
    for (const auto& [name, time] : times_) {
      const auto exact = times_.find(name.substr(0, name.find('/')) + "/exact");
      if (exact == times_.end() || exact->first == name) continue;
      std::printf("%-40s %.2f\n", name.c_str(), exact->second / time);
    }
  }

 private:
  std::map<std::string, double> times_;
};

}  // namespace

int main(int argc, char** argv) {
  benchmark::Initialize(&argc, argv);
  addTests("generic", anyPair);
  addTests("meeting", meets);
  addTests("parted by a plane", isPartedByPlane);
  addTests("near miss", nearlyMeets);
  for (const auto family : {test::Family::kSharedEdge, test::Family::kVertexOnFace, test::Family::kCoplanar})
    addHard(family);
  add("separation/generic", drawGeneric(anyPair), [](const Pair& p) { return triangleSeparation(p.a, p.b); });
  add("separation/apart", drawGeneric(isPartedByPlane),
      [](const Pair& p) { return triangleSeparation(p.a, p.b); });
  KeepingReporter reporter;
  benchmark::RunSpecifiedBenchmarks(&reporter);
  reporter.printRatios();
}
