// How fast is odemesh beside ODE's own collider, and beside FCL, Bullet and Embree where they are installed?
//
//     speed_benchmark [--poses N] [--rounds N] [--only WORD] [mesh1 mesh2]...
//     speed_benchmark --growth [--svg FILE] [--largest N]
//     speed_benchmark --slow [--poses N] [--rounds N] [--only WORD]
//     speed_benchmark --bin [STEPS]
//
// Every engine runs on the same meshes and poses in one process, in turn. The time of a pose is the best of
// the rounds; a cell is the median over the poses. Before a time counts, the number of intersecting pairs is
// compared with the exact reference on some of the poses, and distances with those of closest points. Meshes
// are scaled to radius 1.
#include <ode/ode.h>
#include <odemesh/odemesh.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <memory>
#include <odemesh/collide.hpp>
#include <odemesh/distance.hpp>
#include <odemesh/methods.hpp>
#include <random>
#include <string>
#include <vector>

#include "bench/bench_meshes.hpp"
#include "bench/bin_scene.hpp"
#include "bench/log_plot.hpp"
#include "contact/placed_mesh.hpp"
#include "narrow_phase/intersect_exact.hpp"

#ifdef ODEMESH_BENCH_FCL
#include "bench/fcl_engine.hpp"
#endif
#ifdef ODEMESH_BENCH_BULLET
#include "bench/bullet_engine.hpp"
#endif
#ifdef ODEMESH_BENCH_EMBREE
#include "bench/embree_engine.hpp"
#endif

namespace odemesh::bench {
namespace {

constexpr int kRegimes = 4;
constexpr const char* kRegimeName[kRegimes] = {"separated", "touching", "shallow", "deep"};
/// How far mesh 2 is moved inwards from the place where the two first meet.
constexpr double kInwards[kRegimes] = {-0.02, 0.004, 0.04, 0.5};
constexpr int kContactsAsked = 256;

struct Options {
  int poses = 200;
  int rounds = 3;
  std::string only;
  bool growth = false;
  bool slow = false;
  int bin_steps = 0;
  int largest = 1000000;
  std::string svg;
  std::vector<std::string> files;
};

struct Body {
  std::string name;
  Shape shape;
  std::shared_ptr<const Mesh> mesh;
  std::vector<double> ode_vertices;
  std::vector<dTriIndex> ode_indices;
  dTriMeshDataID data = nullptr;
  dGeomID geom = nullptr;
  double build_ms = 0, ode_build_ms = 0;
};

struct Scene {
  Body a, b;
  std::vector<Pose> poses[kRegimes];  ///< of mesh b; mesh a stays at the origin
};

[[nodiscard]] double microseconds(const std::function<void()>& work) {
  const auto begin = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - begin).count();
}

void makeBody(Body& body, std::string name, const Shape& raw) {
  body.name = std::move(name);
  body.shape = normalise(raw);
  body.build_ms = 1e9;
  for (int i = 0; i < 3; ++i)
    body.build_ms = std::min(
        body.build_ms,
        1e-3 * microseconds([&] { body.mesh = Mesh::build(body.shape.vertices, body.shape.indices).mesh; }));
  for (const Vec3& v : body.shape.vertices)
    body.ode_vertices.insert(body.ode_vertices.end(), {v.x, v.y, v.z});
  body.ode_indices.assign(body.shape.indices.begin(), body.shape.indices.end());
  body.ode_build_ms = 1e9;
  for (int i = 0; i < 3; ++i) {
    if (body.data != nullptr) dGeomTriMeshDataDestroy(body.data);
    body.data = dGeomTriMeshDataCreate();
    body.ode_build_ms =
        std::min(body.ode_build_ms, 1e-3 * microseconds([&] {
                                      dGeomTriMeshDataBuildDouble(
                                          body.data, body.ode_vertices.data(), 3 * sizeof(double),
                                          int(body.shape.vertices.size()), body.ode_indices.data(),
                                          int(body.ode_indices.size()), 3 * sizeof(dTriIndex));
                                    }));
  }
  body.geom = dCreateTriMesh(nullptr, body.data, nullptr, nullptr, nullptr);
}

void destroyBody(Body& body) {
  dGeomDestroy(body.geom);
  dGeomTriMeshDataDestroy(body.data);
}

void place(dGeomID geom, const Pose& pose) {
  dMatrix3 r{};
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) r[4 * i + j] = dReal(pose.rotation.row[i][j]);
  dGeomSetPosition(geom, dReal(pose.translation.x), dReal(pose.translation.y), dReal(pose.translation.z));
  dGeomSetRotation(geom, r);
}

[[nodiscard]] Mat3 rotationAbout(const Vec3& axis, double angle) {
  const double c = std::cos(angle), s = std::sin(angle), k = 1 - c;
  const auto& [x, y, z] = axis;
  return {{{c + x * x * k, x * y * k - z * s, x * z * k + y * s},
           {y * x * k + z * s, c + y * y * k, y * z * k - x * s},
           {z * x * k - y * s, z * y * k + x * s, c + z * z * k}}};
}

/// Mesh b slides around mesh a while it turns; at every step it stops at four distances along the way in.
void makePath(Scene& scene, int count) {
  const auto meets = [&](const Pose& p) { return intersects(*scene.a.mesh, {}, *scene.b.mesh, p); };
  for (int i = 0; i < count; ++i) {
    const double u = (i + 0.5) / count;
    const double height = 1.6 * u - 0.8, turn = 5 * 2 * std::numbers::pi * u;
    const double flat = std::sqrt(1 - height * height);
    const Vec3 direction{flat * std::cos(turn), flat * std::sin(turn), height};
    const Mat3 rotation = rotationAbout(normalised(Vec3{1, 2, 3}), 7 * u) * rotationAbout({1, 0, 0}, 4 * u);
    const auto at = [&](double distance) { return Pose{rotation, direction * distance}; };
    double outside = 2.01;
    while (outside > 0.01 && !meets(at(outside - 0.01))) outside -= 0.01;
    double inside = outside - 0.01;
    for (int k = 0; k < 12; ++k)
      (meets(at(0.5 * (inside + outside))) ? inside : outside) = 0.5 * (inside + outside);
    for (int r = 0; r < kRegimes; ++r) scene.poses[r].push_back(at(outside - kInwards[r]));
  }
}

/// Motions that begin at each of the poses: steps of `length`, and turns by as much (in radians; the radius
/// is 1), one motion after the other.
[[nodiscard]] std::vector<Pose> slowMotions(const std::vector<Pose>& starts, double length, int steps) {
  std::vector<Pose> out;
  for (const Pose& start : starts)
    for (int k = 0; k < steps; ++k)
      out.push_back({rotationAbout(normalised(Vec3{3, 1, 2}), k * length) * start.rotation,
                     start.translation + Vec3{0.6, -0.8, 0} * (k * length)});
  return out;
}

/// The first steps of all motions, then the second ones, and so on.
[[nodiscard]] std::vector<Pose> inTurn(const std::vector<Pose>& motions, int steps) {
  const std::size_t stride = static_cast<std::size_t>(steps);
  std::vector<Pose> out;
  for (std::size_t k = 0; k < stride; ++k)
    for (std::size_t i = k; i < motions.size(); i += stride) out.push_back(motions[i]);
  return out;
}

/// One engine's way to answer one query.
struct Engine {
  std::string name;
  std::function<void()> before;  ///< not timed
  std::function<std::size_t(const Pose&)> run;
  std::function<void(const Pose&)> prepare = {};  ///< before each run, not timed
};

/// Median over the poses of the best time of the rounds, for each engine.
[[nodiscard]] std::vector<double> compare(const std::vector<Engine>& engines, const std::vector<Pose>& poses,
                                          int rounds) {
  std::vector<std::vector<double>> best(engines.size(), std::vector<double>(poses.size(), 1e30));
  for (int round = 0; round < rounds; ++round)
    for (std::size_t e = 0; e < engines.size(); ++e) {
      engines[e].before();
      for (std::size_t p = 0; p < poses.size(); ++p) {
        if (engines[e].prepare) engines[e].prepare(poses[p]);
        const double t = microseconds([&] { (void)engines[e].run(poses[p]); });
        best[e][p] = std::min(best[e][p], t);
      }
    }
  std::vector<double> medians;
  for (std::vector<double>& times : best) {
    std::nth_element(times.begin(), times.begin() + times.size() / 2, times.end());
    medians.push_back(times[times.size() / 2]);
  }
  return medians;
}

/// Every pair of triangles by brute force where that is affordable, else over sphere trees; exact either way.
[[nodiscard]] std::size_t referenceCount(const Scene& scene, const Pose& pose, const PairFinder& finder) {
  const Mesh& a = *scene.a.mesh;
  const Mesh& b = *scene.b.mesh;
  if (a.triangleCount() * b.triangleCount() > 3'000'000) {
    std::vector<TrianglePair> pairs;
    finder.findAll({}, pose, pairs);
    return pairs.size();
  }
  const MeshPair pair(a, {}, b, pose);
  std::vector<Triangle> second;
  for (std::uint32_t t = 0; t < b.triangleCount(); ++t)
    second.push_back({{pair[1].corner(t, 0), pair[1].corner(t, 1), pair[1].corner(t, 2)}});
  std::size_t count = 0;
  for (std::uint32_t t = 0; t < a.triangleCount(); ++t) {
    const Triangle first{{pair[0].corner(t, 0), pair[0].corner(t, 1), pair[0].corner(t, 2)}};
    for (const Triangle& other : second) count += trianglesIntersect(first, other);
  }
  return count;
}

[[nodiscard]] bool countsAgree(const Scene& scene) {
  const PairFinder finder(MidPhase::kSphereTree, scene.a.mesh, scene.b.mesh);
  std::vector<TrianglePair> pairs;
  for (int r = 0; r < kRegimes; ++r)
    for (std::size_t p = 0; p < scene.poses[r].size(); p += 40) {
      const Pose& pose = scene.poses[r][p];
      pairs.clear();
      intersectingTriangles(*scene.a.mesh, {}, *scene.b.mesh, pose, pairs);
      const std::size_t expected = referenceCount(scene, pose, finder);
      if (pairs.size() == expected && intersects(*scene.a.mesh, {}, *scene.b.mesh, pose) == (expected > 0))
        continue;
      std::printf("%s x %s, %s, pose %zu: %zu pairs instead of %zu\n", scene.a.name.c_str(),
                  scene.b.name.c_str(), kRegimeName[r], p, pairs.size(), expected);
      return false;
    }
  return true;
}

/// Is no vertex closer than the distance, and are the witnesses as far apart as it says?
[[nodiscard]] bool distancesAgree(const Scene& scene) {
  constexpr double kRounding = 1e-9;
  for (std::size_t p = 0; p < scene.poses[0].size(); p += 40) {
    const Pose& pose = scene.poses[0][p];
    const auto found = meshDistance(*scene.a.mesh, {}, *scene.b.mesh, pose);
    bool sound = found && std::abs(length(found->witness1 - found->witness2) - found->distance) < kRounding;
    const double nearer = sound ? found->distance - kRounding : 0;
    for (const Vec3& v : scene.b.mesh->vertices())
      sound = sound && !closestPoint(*scene.a.mesh, {}, pose.apply(v), nearer);
    for (const Vec3& v : scene.a.mesh->vertices())
      sound = sound && !closestPoint(*scene.b.mesh, pose, v, nearer);
    if (sound) continue;
    std::printf("%s x %s, pose %zu: wrong distance\n", scene.a.name.c_str(), scene.b.name.c_str(), p);
    return false;
  }
  return true;
}

/// Ratios of one query and regime over all scenes.
struct Score {
  double log_sum = 0;
  int count = 0;
  double worst = 1e30;

  void add(double ratio) {
    log_sum += std::log(ratio);
    worst = std::min(worst, ratio);
    ++count;
  }
};

using Scores = std::map<std::pair<std::string, std::string>, std::array<Score, kRegimes>>;

class Benchmark {
 public:
  explicit Benchmark(Options options) : options_(std::move(options)) {}

  [[nodiscard]] bool run(Scene& scene) {
    makePath(scene, options_.poses);
    std::printf("\n%s (%zu) x %s (%zu)   build %.1f + %.1f ms, ODE %.1f + %.1f ms   %.0f bytes a triangle\n",
                scene.a.name.c_str(), scene.a.mesh->triangleCount(), scene.b.name.c_str(),
                scene.b.mesh->triangleCount(), scene.a.build_ms, scene.b.build_ms, scene.a.ode_build_ms,
                scene.b.ode_build_ms,
                double(scene.a.mesh->memoryBytes()) / double(scene.a.mesh->triangleCount()));
    if (!countsAgree(scene) || !distancesAgree(scene)) return false;
    for (Query& query : queriesOf(scene)) runQuery(scene, query);
    return true;
  }

  /// Medians at the same poses for meshes of growing size, and how they grow with it.
  [[nodiscard]] bool runGrowth(std::vector<Scene>& scenes) {
    std::vector<Curve> curves;
    const auto add = [&](const std::string& name, const Scene& scene, double value) {
      auto at = std::find_if(curves.begin(), curves.end(), [&](const Curve& c) { return c.name == name; });
      if (at == curves.end()) at = curves.insert(at, Curve{name, {}});
      at->points.push_back({double(scene.a.mesh->triangleCount()), value});
    };
    for (Scene& scene : scenes) {
      makePath(scene, options_.poses);
      if (!countsAgree(scene) || !distancesAgree(scene)) return false;
      add("build", scene, 1e3 * scene.a.build_ms);
      add("ODE: build", scene, 1e3 * scene.a.ode_build_ms);
      for (Query& query : queriesOf(scene)) {
        query.engines.resize(std::min<std::size_t>(query.engines.size(), query.name == "distance" ? 1 : 2));
        const std::vector<double> times =
            compare(query.engines, scene.poses[query.name == "distance" ? 0 : 2], options_.rounds);
        add(query.name, scene, times[0]);
        if (times.size() > 1) add("ODE: " + query.name, scene, times[1]);
      }
      std::vector<TrianglePair> pairs;
      intersectingTriangles(*scene.a.mesh, {}, *scene.b.mesh, scene.poses[2].front(), pairs);
      add("pairs found", scene, double(pairs.size()));
    }
    printGrowth(curves);
    std::erase_if(curves, [](const Curve& c) { return c.name.starts_with("ODE"); });
    return options_.svg.empty() ||
           writeLogPlot(options_.svg, "icosphere x torus, shallow (distance: separated)",
                        "triangles in each mesh", "microseconds, or pairs", curves);
  }

  /// What the contacts of a body in slow motion cost, against the same poses as jumps.
  void runSlow(Scene& scene) {
    constexpr int kMotionSteps = 20;
    makePath(scene, options_.poses);
    std::printf("\n%s x %s, contacts, us: in the order of the motion / as jumps\n", scene.a.name.c_str(),
                scene.b.name.c_str());
    const std::vector<Engine> ours{contactEngines(scene).front()};
    for (const double length : {1e-5, 1e-4, 1e-3, 4e-3}) {
      std::printf("  steps of %g of the radius:", length);
      for (int r = 0; r < kRegimes; ++r) {
        const std::vector<Pose> motions = slowMotions(scene.poses[r], length, kMotionSteps);
        const double slow = compare(ours, motions, options_.rounds).front();
        const double jump = compare(ours, inTurn(motions, kMotionSteps), options_.rounds).front();
        std::printf("  %s %.1f / %.1f (%.2f)", kRegimeName[r], slow, jump, jump / slow);
      }
      std::printf("\n");
    }
  }

  void printScores() const {
    std::printf("\nratios, geometric mean (worst): engine / odemesh\n");
    for (const auto& [key, scores] : scores_) {
      std::printf("%-10s %-6s", key.first.c_str(), key.second.c_str());
      for (const Score& s : scores)
        if (s.count > 0) std::printf("  %9.2f (%6.2f)", std::exp(s.log_sum / s.count), s.worst);
      std::printf("\n");
    }
  }

 private:
  struct Query {
    std::string name;
    int regimes;  ///< in how many of the regimes it makes sense
    std::vector<Engine> engines;
  };
  [[nodiscard]] static std::vector<Query> queriesOf(const Scene& scene) {
    return {{"boolean", kRegimes, booleanEngines(scene)},
            {"all pairs", kRegimes, pairEngines(scene)},
            {"contacts", kRegimes, contactEngines(scene)},
            {"distance", 1, distanceEngines(scene)}};
  }

  /// Least squares of the logarithms.
  [[nodiscard]] static double exponentOf(const Curve& curve) {
    double n = 0, x = 0, y = 0, xx = 0, xy = 0;
    for (const auto& [size, time] : curve.points) {
      const double u = std::log(size), v = std::log(time);
      n += 1, x += u, y += v, xx += u * u, xy += u * v;
    }
    return (n * xy - x * y) / (n * xx - x * x);
  }
  static void printGrowth(const std::vector<Curve>& curves) {
    std::printf("%-16s", "triangles");
    for (const auto& [size, time] : curves.front().points) std::printf(" %11.0f", size);
    std::printf("   exponent\n");
    for (const Curve& curve : curves) {
      std::printf("%-16s", curve.name.c_str());
      for (const auto& [size, time] : curve.points) std::printf(" %11.1f", time);
      std::printf("   %8.2f\n", exponentOf(curve));
    }
  }

  void runQuery(const Scene& scene, const Query& query) {
    const std::vector<Engine>& engines = query.engines;
    std::vector<std::vector<double>> times;
    for (int r = 0; r < query.regimes; ++r)
      times.push_back(compare(engines, scene.poses[r], options_.rounds));
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

  [[nodiscard]] static std::function<std::size_t(const Pose&)> throughDCollide(const Scene& scene,
                                                                               int flags) {
    return [&scene, flags](const Pose& pose) {
      static std::vector<dContactGeom> contacts(kContactsAsked);
      place(scene.b.geom, pose);
      return std::size_t(dCollide(scene.a.geom, scene.b.geom, flags, contacts.data(), sizeof contacts[0]));
    };
  }
  [[nodiscard]] static Engine odesOwn(const Scene& scene, int flags) {
    return {"ODE", odemeshUninstall, throughDCollide(scene, flags)};
  }

  [[nodiscard]] static std::vector<Engine> booleanEngines(const Scene& scene) {
    std::vector<Engine> out{{"odemesh", [] {},
                             [&scene](const Pose& pose) {
                               return std::size_t(intersects(*scene.a.mesh, {}, *scene.b.mesh, pose));
                             }},
                            odesOwn(scene, int(CONTACTS_UNIMPORTANT | 1))};
#ifdef ODEMESH_BENCH_FCL
    out.push_back(fclEngine(scene, 1));
#endif
    return out;
  }
  [[nodiscard]] static std::vector<Engine> pairEngines(const Scene& scene) {
    std::vector<Engine> out{{"odemesh", [] {},
                             [&scene](const Pose& pose) {
                               static std::vector<TrianglePair> pairs;
                               pairs.clear();
                               intersectingTriangles(*scene.a.mesh, {}, *scene.b.mesh, pose, pairs);
                               return pairs.size();
                             }},
                            odesOwn(scene, 1)};
#ifdef ODEMESH_BENCH_FCL
    out.push_back(fclEngine(scene, 1'000'000'000));
#endif
#ifdef ODEMESH_BENCH_EMBREE
    auto embree = std::make_shared<EmbreePair>(scene.a.shape, scene.b.shape);
    out.push_back({"Embree", [] {}, [embree](const Pose&) { return embree->collide(); },
                   [embree](const Pose& pose) { embree->place(pose); }});
#endif
    return out;
  }
  [[nodiscard]] static std::vector<Engine> contactEngines(const Scene& scene) {
    const auto install = [&scene] {
      odemeshInstall();
      odemeshPrepare(scene.a.data);
      odemeshPrepare(scene.b.data);
    };
    std::vector<Engine> out{{"odemesh", install, throughDCollide(scene, kContactsAsked)},
                            odesOwn(scene, kContactsAsked)};
#ifdef ODEMESH_BENCH_FCL
    auto fcl = std::make_shared<FclPair<fcl::OBBd>>(scene.a.shape, scene.b.shape);
    out.push_back({"FCL", [] {}, [fcl](const Pose& pose) { return fcl->contacts(pose, kContactsAsked); }});
#endif
#ifdef ODEMESH_BENCH_BULLET
    auto bullet = std::make_shared<BulletPair>(scene.a.shape, scene.b.shape);
    out.push_back({"Bullet", [] {}, [bullet](const Pose& pose) { return bullet->collide(pose); }});
#endif
    return out;
  }
  [[nodiscard]] static std::vector<Engine> distanceEngines(const Scene& scene) {
    std::vector<Engine> out{{"odemesh", [] {},
                             [&scene](const Pose& pose) {
                               const auto found = meshDistance(*scene.a.mesh, {}, *scene.b.mesh, pose);
                               return std::size_t(found->distance > 0);
                             }}};
#ifdef ODEMESH_BENCH_FCL
    auto fcl = std::make_shared<FclPair<fcl::RSSd>>(scene.a.shape, scene.b.shape);
    out.push_back({"FCL", [] {}, [fcl](const Pose& pose) { return std::size_t(fcl->distance(pose) > 0); }});
#endif
    return out;
  }

#ifdef ODEMESH_BENCH_FCL
  [[nodiscard]] static Engine fclEngine(const Scene& scene, std::size_t most) {
    auto pair = std::make_shared<FclPair<fcl::OBBd>>(scene.a.shape, scene.b.shape);
    return {"FCL", [] {}, [pair, most](const Pose& pose) { return pair->collide(pose, most); }};
  }
#endif

  Options options_;
  Scores scores_;
};

[[nodiscard]] Shape fromFile(const std::filesystem::path& path) {
  return path.extension() == ".stl" ? readStl(path) : readObj(path);
}

/// A mesh that lies in the repository or, for those that may not be copied, beside it.
[[nodiscard]] Shape example(const std::string& name) {
  const std::filesystem::path root = ODEMESH_SOURCE_DIR;
  for (const auto& folder : {root / "examples/meshes", root / "../shared/meshes"})
    if (std::filesystem::exists(folder / name)) return fromFile(folder / name);
  return {};
}

using NamedShape = std::pair<std::string, Shape>;

[[nodiscard]] std::vector<std::pair<NamedShape, NamedShape>> standardPairs() {
  const NamedShape spot{"spot", example("spot.obj")}, teapot{"teapot", example("teapot.obj")};
  const NamedShape gear{"gear", example("gear.obj")}, link{"chain link", example("chain-link.obj")};
  const NamedShape bunny{"bunny", example("stanford-bunny.obj")}, part{"part", example("gazebo-3335.stl")};
  return {{{"icosphere 1k", icosphere(1000)}, {"torus 1k", torus(1000)}},
          {{"icosphere 10k", icosphere(10000)}, {"torus 10k", torus(10000)}},
          {{"icosphere 100k", icosphere(100000)}, {"torus 100k", torus(100000)}},
          {{"knot 20k", knot(2, 3, 20000)}, {"knot' 20k", knot(3, 5, 20000)}},
          {{"knot 5k", knot(2, 5, 5000)}, spot},
          {spot, teapot},
          {link, gear},
          {teapot, {"torus 4k", torus(4000)}},
          {part, spot},
          {bunny, {"knot 20k", knot(2, 3, 20000)}},
          {bunny, part}};
}

[[nodiscard]] Options parse(int argc, char** argv) {
  Options out;
  for (int i = 1; i < argc; ++i) {
    const std::string word = argv[i];
    const auto value = [&] { return i + 1 < argc ? std::string(argv[++i]) : std::string(); };
    if (word == "--poses")
      out.poses = std::max(1, std::atoi(value().c_str()));
    else if (word == "--rounds")
      out.rounds = std::max(1, std::atoi(value().c_str()));
    else if (word == "--only")
      out.only = value();
    else if (word == "--growth")
      out.growth = true;
    else if (word == "--slow")
      out.slow = true;
    else if (word == "--svg")
      out.svg = value();
    else if (word == "--largest")
      out.largest = std::max(1000, std::atoi(value().c_str()));
    else if (word == "--bin")
      out.bin_steps = i + 1 < argc ? std::max(1, std::atoi(value().c_str())) : 300;
    else
      out.files.push_back(word);
  }
  return out;
}

void ignoreMessage(int, const char*, va_list) {}

int runGrowth(const Options& options) {
  std::vector<Scene> scenes;
  for (const int n : {1000, 3000, 10000, 30000, 100000, 300000, 1000000}) {
    if (n > options.largest) break;
    scenes.emplace_back();
    makeBody(scenes.back().a, "icosphere", icosphere(n));
    makeBody(scenes.back().b, "torus", torus(n));
  }
  const bool sound = Benchmark(options).runGrowth(scenes);
  for (Scene& scene : scenes) {
    destroyBody(scene.a);
    destroyBody(scene.b);
  }
  return sound ? 0 : 1;
}

int run(const Options& options) {
  if (options.growth) return runGrowth(options);
  if (options.bin_steps > 0) {
    compareInBin(options.bin_steps);
    return 0;
  }
  auto pairs = standardPairs();
  if (!options.files.empty()) pairs.clear();
  for (std::size_t i = 0; i + 1 < options.files.size(); i += 2)
    pairs.push_back({{options.files[i], fromFile(options.files[i])},
                     {options.files[i + 1], fromFile(options.files[i + 1])}});
  Benchmark benchmark(options);
  bool sound = true;
  for (const auto& [a, b] : pairs) {
    if (a.second.indices.empty() || b.second.indices.empty()) {
      std::printf("\n%s x %s: a mesh file is missing, left out\n", a.first.c_str(), b.first.c_str());
      continue;
    }
    if ((a.first + " x " + b.first).find(options.only) == std::string::npos) continue;
    Scene scene;
    makeBody(scene.a, a.first, a.second);
    makeBody(scene.b, b.first, b.second);
    if (options.slow)
      benchmark.runSlow(scene);
    else
      sound = benchmark.run(scene) && sound;
    destroyBody(scene.a);
    destroyBody(scene.b);
  }
  if (!options.slow) benchmark.printScores();
  return sound ? 0 : 1;
}

}  // namespace
}  // namespace odemesh::bench

int main(int argc, char** argv) {
  dInitODE2(0);
  dSetMessageHandler(odemesh::bench::ignoreMessage);
  const int result = odemesh::bench::run(odemesh::bench::parse(argc, argv));
  dCloseODE();
  return result;
}
