// methods_benchmark [--full] [--svg FILE]: the documented mid phases side by side, and the documents' own
// claims about them.
//
// Two bumpy balls of radius about 1 are apart by 0.01, touch, or overlap by about 0.5. All pairs is left out
// for the largest meshes unless --full is given: it takes minutes. Times are of the processor. --svg writes a
// plot.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <ctime>
#include <functional>
#include <odemesh/methods.hpp>
#include <odemesh/penetration.hpp>
#include <string>

#include "bvh/bvh.hpp"
#include "bvh/wide_tree.hpp"
#include "collider/test_meshes.hpp"
#include "log_plot.hpp"
#include "mid_phase/methods/aabb_trees.hpp"
#include "mid_phase/methods/pair_method.hpp"
#include "mid_phase/methods/pair_search.hpp"
#include "mid_phase/methods/sphere_tree.hpp"
#include "mid_phase/methods/uniform_grid.hpp"
#include "narrow_phase/intersect_exact.hpp"
#include "preprocess/triangle_record.hpp"

using namespace odemesh;
using namespace odemesh::test;

namespace {

/// Seconds of processor time that one run takes, whatever else the machine does: the least mean of three
/// batches of at least 10 ms each, or a single run if that takes long.
double timeOf(const std::function<void()>& work) {
  const auto batch = [&](int runs) {
    const std::clock_t start = std::clock();
    for (int run = 0; run < runs; ++run) work();
    return double(std::clock() - start) / CLOCKS_PER_SEC;
  };
  int runs = 1;
  double total = batch(runs);
  while (total < 0.01) total = batch(runs *= 2);
  double best = total;
  for (int k = 0; k < 2 && total < 0.2; ++k) best = std::min(best, batch(runs));
  return best / runs;
}

/// A ball with bumps of a tenth of its radius, of about `triangles` triangles.
MeshPtr bumpyBall(int triangles) {
  const int rings = static_cast<int>(std::lround(0.5 + std::sqrt(0.25 * triangles)));  // 4 r (r - 1)
  Soup soup = sphereSoup(1, 2 * rings, rings);
  for (Vec3& v : soup.vertices)
    v *= 1 + 0.1 * std::sin(5 * v.x + 0.3) * std::sin(4 * v.y + 0.7) * std::sin(6 * v.z + 0.1);
  return soup.build();
}

/// Poses of ball 2 along a slanted line.
struct Situation {
  const char* name;
  Pose pose;
};

std::vector<Situation> situationsOf(const Mesh& ball) {
  std::mt19937_64 random(1);
  const Mat3 turn = randomRotation(random);
  const Vec3 away = normalised(Vec3{0.8, 0.5, 0.3});
  const auto at = [&](double distance) { return Pose{turn, away * distance}; };
  double meet = 1, apart = 3;
  while (apart - meet > 1e-9) {
    const double middle = 0.5 * (meet + apart);
    (intersects(ball, {}, ball, at(middle)) ? meet : apart) = middle;
  }
  return {{"apart", at(meet + 0.01)}, {"touching", at(meet)}, {"deep", at(meet - 0.5)}};
}

/// What the trees of two meshes cost that the default walks.
void buildWideTrees(const Mesh& ball) {
  for (int mesh = 0; mesh < 2; ++mesh) {
    const Bvh tree = binaryTree(ball);
    std::vector<std::uint32_t> corners;
    for (const std::uint32_t t : tree.items())
      corners.insert(corners.end(), ball.corners(t), ball.corners(t) + 3);
    const WideTree collapsed(tree, ball.vertices(), corners);
  }
}

/// One row of the table: a way to find pairs, and what it took to build.
struct Way {
  std::string name;
  double build = 0;
  std::size_t bytes = 0;
  std::function<void(const Pose&)> any;
  std::function<void(const Pose&, std::vector<TrianglePair>&, QueryStats&)> all;
};

Way wayOf(MidPhase method, const MeshPtr& ball) {
  const auto finder = std::make_shared<PairFinder>(method, ball, ball);
  const double build = timeOf([&] { const PairFinder built(method, ball, ball); });
  return {std::string(name(method)), build, finder->memoryBytes(),
          [finder](const Pose& pose) { (void)finder->findAny({}, pose); },
          [finder](const Pose& pose, std::vector<TrianglePair>& pairs, QueryStats& stats) {
            finder->findAll({}, pose, pairs, &stats);
          }};
}

/// The default path: AABB trees collapsed to nodes of eight. Like the queries, it looks at the bounding
/// spheres of the meshes first.
Way defaultWay(const MeshPtr& ball) {
  return {"default", timeOf([&] { buildWideTrees(*ball); }), 2 * ball->wideTree().memoryBytes(),
          [ball](const Pose& pose) { (void)intersects(*ball, {}, *ball, pose); },
          [ball](const Pose& pose, std::vector<TrianglePair>& pairs, QueryStats& stats) {
            intersectingTriangles(*ball, {}, *ball, pose, pairs, &stats);
          }};
}

using Curves = std::vector<bench::Curve>;

void compareMethods(bool full, Curves& curves) {
  std::printf("%-9s %-12s %9s %9s  %-8s %10s %12s %8s %11s %11s\n", "triangles", "method", "build ms", "KB",
              "poses", "volumes", "triangles", "pairs", "any us", "all us");
  for (const MidPhase method : kMidPhases) curves.push_back({std::string(name(method)), {}});
  curves.push_back({"default", {}});
  for (const int triangles : {100, 1000, 10000, 100000}) {
    const MeshPtr ball = bumpyBall(triangles);
    const std::vector<Situation> situations = situationsOf(*ball);
    for (std::size_t m = 0; m < curves.size(); ++m) {
      const bool is_default = m == kMidPhases.size();
      if (!is_default && kMidPhases[m] == MidPhase::kAllPairs && triangles > 10000 && !full) continue;
      const Way way = is_default ? defaultWay(ball) : wayOf(kMidPhases[m], ball);
      for (const Situation& s : situations) {
        QueryStats stats;
        std::vector<TrianglePair> pairs;
        const double any = timeOf([&] { way.any(s.pose); });
        const double all = timeOf([&] {
          pairs.clear();
          way.all(s.pose, pairs, stats);
        });
        std::printf("%-9zu %-12s %9.3f %9.1f  %-8s %10zu %12zu %8zu %11.2f %11.2f\n", ball->triangleCount(),
                    way.name.c_str(), 1e3 * way.build, double(way.bytes) / 1024, s.name, stats.box_tests,
                    stats.triangle_tests, pairs.size(), 1e6 * any, 1e6 * all);
        if (&s == &situations[1]) curves[m].points.emplace_back(double(ball->triangleCount()), 1e6 * all);
      }
    }
    std::fflush(stdout);
  }
}

/// Nathan: a bounding sphere test of every triangle is O(N), an octree search O(log N). One small triangle
/// against meshes of N triangles; the mean over many places near the surface.
void compareSphereListWithOctree() {
  std::printf("\nNathan: sphere list O(N) against octree O(log N), one triangle against N\n");
  std::printf("%-9s %14s %14s %12s %12s\n", "N", "list spheres", "octree cubes", "list us", "octree us");
  std::mt19937_64 random(2);
  std::vector<Pose> poses;
  for (int k = 0; k < 100; ++k) {
    const Mat3 turn = randomRotation(random);
    poses.push_back({turn, turn.row[0]});
  }
  Soup one;
  one.addTriangle({0, 0, 0}, {0.01, 0, 0}, {0, 0.01, 0});
  const MeshPtr probe = one.build();
  for (const int triangles : {100, 1000, 10000, 100000, 1000000}) {
    const MeshPtr ball = bumpyBall(triangles);
    std::vector<BoundingSphere> list;
    for (std::size_t t = 0; t < ball->triangleCount(); ++t) {
      const TriangleRecord r =
          makeTriangleRecord({{ball->vertex(t, 0), ball->vertex(t, 1), ball->vertex(t, 2)}});
      list.push_back({r.centre, r.radius});
    }
    std::size_t near = 0;
    const double list_time = timeOf([&] {
      for (const Pose& pose : poses) {
        const Vec3 centre = pose.apply({0.01 / 3, 0.01 / 3, 0});
        for (const BoundingSphere& s : list) {
          const double reach = s.r + 0.0075;
          near += lengthSq(s.centre - centre) <= reach * reach;
        }
      }
    });
    const PairFinder octree(MidPhase::kOctree, ball, probe);
    std::size_t cubes = 0;
    std::vector<TrianglePair> found;
    for (const Pose& pose : poses) {
      QueryStats stats;
      octree.findAll({}, pose, found, &stats);
      cubes += stats.box_tests;
    }
    const double octree_time = timeOf([&] {
      for (const Pose& pose : poses) octree.findAll({}, pose, found);
      found.clear();
    });
    std::printf("%-9zu %14zu %14.1f %12.3f %12.3f%s\n", list.size(), list.size(),
                double(cubes) / double(poses.size()), 1e6 * list_time / double(poses.size()),
                1e6 * octree_time / double(poses.size()), near == 0 ? " " : "");
  }
}

/// Sinjur's room: objects of which no triangle is tested with another of its own.
struct Room {
  MeshPtr ball = bumpyBall(288);
  std::vector<Pose> poses;

  Room() {
    std::mt19937_64 random(3);
    for (int k = 0; k < 7; ++k)
      poses.push_back({randomRotation(random), Vec3{2.0 * (k & 1), 1.0 * (k & 2), 0.5 * (k & 4)}});
  }
  [[nodiscard]] std::vector<Aabb> boxes() const {
    std::vector<Aabb> out;
    for (const Pose& pose : poses) {
      for (std::size_t t = 0; t < ball->triangleCount(); ++t) {
        out.emplace_back();
        for (int i = 0; i < 3; ++i) out.back().grow(pose.apply(ball->vertex(t, i)));
      }
    }
    return out;
  }
};

struct RoomResult {
  std::size_t tests = 0, met = 0;
};

/// Every pair of objects by one of the methods.
RoomResult testPairs(const Room& room, const PairFinder& finder) {
  RoomResult out;
  std::vector<TrianglePair> found;
  for (std::size_t i = 0; i < room.poses.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      QueryStats stats;
      finder.findAll(room.poses[i], room.poses[j], found, &stats);
      out.tests += stats.triangle_tests;
    }
  }
  out.met = found.size();
  return out;
}

/// One grid for the room, built anew for a step in which everything moved; each pair of triangles of
/// different objects that shares a cell is tested once.
RoomResult testRoomGrid(const Room& room) {
  const std::vector<Aabb> boxes = room.boxes();
  const UniformGrid grid(boxes);
  const std::size_t each = room.ball->triangleCount();
  const auto placed = [&](std::size_t item) {
    Triangle out;
    for (int i = 0; i < 3; ++i) out.v[i] = room.poses[item / each].apply(room.ball->vertex(item % each, i));
    return out;
  };
  RoomResult out;
  for (std::size_t item = 0; item < boxes.size(); ++item) {
    const CellRange& range = grid.cellsOfItem(static_cast<std::uint32_t>(item));
    for (int z = range.lo[2]; z <= range.hi[2]; ++z)
      for (int y = range.lo[1]; y <= range.hi[1]; ++y)
        for (int x = range.lo[0]; x <= range.hi[0]; ++x)
          for (const std::uint32_t other : grid.items(x, y, z)) {
            const CellRange& theirs = grid.cellsOfItem(other);
            if (other / each >= item / each || x != std::max(range.lo[0], theirs.lo[0]) ||
                y != std::max(range.lo[1], theirs.lo[1]) || z != std::max(range.lo[2], theirs.lo[2]))
              continue;
            ++out.tests;
            out.met += trianglesIntersect(placed(item), placed(other));
          }
  }
  return out;
}

/// The sum over 5 x 5 x 5 cells of the square of the number of triangles in each: the estimate of the paper,
/// which takes it for about thirty thousand.
std::size_t countInFiveCells(const Room& room) {
  const std::vector<Aabb> boxes = room.boxes();
  Aabb all;
  for (const Aabb& box : boxes) all.grow(box);
  std::size_t count[125] = {};
  for (const Aabb& box : boxes) {
    int lo[3], hi[3];
    for (int axis = 0; axis < 3; ++axis) {
      const double width = all.extent()[axis] / 5;
      lo[axis] = std::clamp(static_cast<int>((box.lo[axis] - all.lo[axis]) / width), 0, 4);
      hi[axis] = std::clamp(static_cast<int>((box.hi[axis] - all.lo[axis]) / width), 0, 4);
    }
    for (int z = lo[2]; z <= hi[2]; ++z)
      for (int y = lo[1]; y <= hi[1]; ++y)
        for (int x = lo[0]; x <= hi[0]; ++x) ++count[(z * 5 + y) * 5 + x];
  }
  std::size_t sum = 0;
  for (const std::size_t m : count) sum += m * m;
  return sum;
}

/// Sinjur: two thousand triangles, all pairs against the grid.
void compareRawWithGrid() {
  const Room room;
  std::printf("\nSinjur: seven objects of %zu triangles each; objects are not tested with themselves\n",
              room.ball->triangleCount());
  double raw_time = 0;
  const auto report = [&](const char* method, const std::function<RoomResult()>& run) {
    const RoomResult r = run();
    const double time = timeOf([&] { (void)run(); });
    if (raw_time == 0) raw_time = time;
    std::printf("%-24s %9zu triangle tests, %3zu pairs meet, %9.1f us, %5.1f%% faster than raw\n", method,
                r.tests, r.met, 1e6 * time, 100 * (1 - time / raw_time));
  };
  const PairFinder raw(MidPhase::kAllPairs, room.ball, room.ball);
  const PairFinder grids(MidPhase::kUniformGrid, room.ball, room.ball);
  const PairFinder trees(MidPhase::kAabbTree, room.ball, room.ball);
  report("raw", [&] { return testPairs(room, raw); });
  report("one grid, built anew", [&] { return testRoomGrid(room); });
  report("a grid for each object", [&] { return testPairs(room, grids); });
  report("AABB trees", [&] { return testPairs(room, trees); });
  std::printf("sum of squares over 5 x 5 x 5 cells: %zu\n", countInFiveCells(room));
}

/// CS277: a search for any hit that goes to the deepest overlap first, against one that goes depth first, on
/// the same trees of boxes.
void compareGreedyWithDepthFirst() {
  std::printf("\nCS277: any hit in AABB trees, greedily and depth first\n%-9s %-8s %12s %12s %12s %12s\n",
              "triangles", "poses", "greedy boxes", "first boxes", "greedy us", "first us");
  for (const int triangles : {1000, 10000, 100000}) {
    const MeshPtr ball = bumpyBall(triangles);
    const PairFinder greedy(MidPhase::kAabbTree, ball, ball);
    const Bvh tree = binaryTree(*ball);
    for (const Situation& s : situationsOf(*ball)) {
      const auto depthFirst = [&] {
        const MeshPair pair(*ball, {}, *ball, s.pose);
        PairCollector collector(pair, SearchMode::kAny);
        return searchPairs(tree, tree, pair.mesh2InMesh1(), CentredPlacement(pair).slack,
                           [&](auto items1, auto items2) { return collector.test(items1, items2); });
      };
      QueryStats stats;
      (void)greedy.findAny({}, s.pose, &stats);
      std::printf("%-9zu %-8s %12zu %12zu %12.2f %12.2f\n", ball->triangleCount(), s.name, stats.box_tests,
                  depthFirst(), 1e6 * timeOf([&] { (void)greedy.findAny({}, s.pose); }),
                  1e6 * timeOf([&] { (void)depthFirst(); }));
    }
  }
}

/// CS277: consistent penetration depth, with trees and with spatial hashing, beside the default contacts.
void compareContacts() {
  std::printf("\nContacts of two overlapping balls (deep)\n%-9s %-24s %10s %10s %12s\n", "triangles",
              "method", "contacts", "greatest", "us");
  for (const int triangles : {1000, 10000, 100000}) {
    const MeshPtr ball = bumpyBall(triangles);
    const Pose pose = situationsOf(*ball)[2].pose;
    std::vector<Contact> contacts(64);
    const auto report = [&](const char* method, const std::function<std::size_t(QueryStats&)>& run) {
      QueryStats stats;
      const std::size_t count = run(stats);
      const double time = timeOf([&] { (void)run(stats); });
      std::printf("%-9zu %-24s %10zu %10.4f %12.1f\n", ball->triangleCount(), method, stats.contacts_found,
                  count > 0 ? contacts[0].depth : 0.0, 1e6 * time);
    };
    report("default", [&](QueryStats& s) { return collide(*ball, {}, *ball, pose, contacts, &s); });
    report("penetration, trees", [&](QueryStats& s) {
      return collideByPenetration(*ball, {}, *ball, pose, contacts, CrossingSearch::kTrees, &s);
    });
    report("penetration, hashing", [&](QueryStats& s) {
      return collideByPenetration(*ball, {}, *ball, pose, contacts, CrossingSearch::kSpatialHash, &s);
    });
  }
}

}  // namespace

int main(int argc, char** argv) {
  bool full = false;
  std::string svg;
  for (int k = 1; k < argc; ++k) {
    if (std::strcmp(argv[k], "--full") == 0) {
      full = true;
    } else if (std::strcmp(argv[k], "--svg") == 0 && k + 1 < argc) {
      svg = argv[++k];
    } else {
      std::fprintf(stderr, "usage: methods_benchmark [--full] [--svg FILE]\n");
      return 2;
    }
  }
  Curves curves;
  compareMethods(full, curves);
  compareSphereListWithOctree();
  compareRawWithGrid();
  compareGreedyWithDepthFirst();
  compareContacts();
  if (svg.empty()) return 0;
  if (bench::writeLogPlot(svg, "All pairs that meet, two balls that touch", "triangles of each mesh",
                          "microseconds", curves))
    return 0;
  std::fprintf(stderr, "cannot write %s: choose a file in a directory that exists\n", svg.c_str());
  return 1;
}
