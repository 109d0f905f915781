#include "bench/speed/engines.hpp"

#include <ode/ode.h>
#include <odemesh/odemesh.h>

#include <algorithm>
#include <memory>
#include <odemesh/collide.hpp>
#include <odemesh/distance.hpp>
#include <odemesh/sim/ode_handles.hpp>

#include "bench/speed/timing.hpp"

#ifdef ODEMESH_BENCH_FCL
#include "bench/speed/fcl_engine.hpp"
#endif
#ifdef ODEMESH_BENCH_BULLET
#include "bench/speed/bullet_engine.hpp"
#endif
#ifdef ODEMESH_BENCH_EMBREE
#include "bench/speed/embree_engine.hpp"
#endif

namespace odemesh::bench {

namespace {

constexpr int kContactsAsked = 256;

void place(dGeomID geom, const Pose& pose) {
  dMatrix3 r;
  sim::rotationToOde(pose.rotation, r);
  dGeomSetPosition(geom, dReal(pose.translation.x), dReal(pose.translation.y), dReal(pose.translation.z));
  dGeomSetRotation(geom, r);
}

[[nodiscard]] std::function<std::size_t(const Pose&)> throughDCollide(const Scene& scene, int flags) {
  return [&scene, flags](const Pose& pose) {
    static std::vector<dContactGeom> contacts(kContactsAsked);
    place(scene.b.geom(), pose);
    return std::size_t(dCollide(scene.a.geom(), scene.b.geom(), flags, contacts.data(), sizeof contacts[0]));
  };
}
[[nodiscard]] Engine odesOwn(const Scene& scene, int flags) {
  return {"ODE", odemeshUninstall, throughDCollide(scene, flags)};
}

#ifdef ODEMESH_BENCH_FCL
[[nodiscard]] Engine fclEngine(const Scene& scene, std::size_t most) {
  auto pair = std::make_shared<FclPair<fcl::OBBd>>(scene.a.shape(), scene.b.shape());
  return {"FCL", [] {}, [pair, most](const Pose& pose) { return pair->collide(pose, most); }};
}
#endif

}  // namespace

std::vector<Engine> booleanEngines(const Scene& scene) {
  std::vector<Engine> out{{"odemesh", [] {},
                           [&scene](const Pose& pose) {
                             return std::size_t(intersects(scene.a.mesh(), {}, scene.b.mesh(), pose));
                           }},
                          odesOwn(scene, int(CONTACTS_UNIMPORTANT | 1))};
#ifdef ODEMESH_BENCH_FCL
  out.push_back(fclEngine(scene, 1));
#endif
  return out;
}

std::vector<Engine> pairEngines(const Scene& scene) {
  std::vector<Engine> out{{"odemesh", [] {},
                           [&scene](const Pose& pose) {
                             static std::vector<TrianglePair> pairs;
                             pairs.clear();
                             intersectingTriangles(scene.a.mesh(), {}, scene.b.mesh(), pose, pairs);
                             return pairs.size();
                           }},
                          odesOwn(scene, 1)};
#ifdef ODEMESH_BENCH_FCL
  out.push_back(fclEngine(scene, 1'000'000'000));
#endif
#ifdef ODEMESH_BENCH_EMBREE
  auto embree = std::make_shared<EmbreePair>(scene.a.shape(), scene.b.shape());
  out.push_back({"Embree", [] {}, [embree](const Pose&) { return embree->collide(); },
                 [embree](const Pose& pose) { embree->place(pose); }});
#endif
  return out;
}

std::vector<Engine> contactEngines(const Scene& scene) {
  const auto install = [&scene] {
    odemeshInstall();
    odemeshPrepare(scene.a.data());
    odemeshPrepare(scene.b.data());
  };
  std::vector<Engine> out{{"odemesh", install, throughDCollide(scene, kContactsAsked)},
                          odesOwn(scene, kContactsAsked)};
#ifdef ODEMESH_BENCH_FCL
  auto fcl = std::make_shared<FclPair<fcl::OBBd>>(scene.a.shape(), scene.b.shape());
  out.push_back({"FCL", [] {}, [fcl](const Pose& pose) { return fcl->contacts(pose, kContactsAsked); }});
#endif
#ifdef ODEMESH_BENCH_BULLET
  auto bullet = std::make_shared<BulletPair>(scene.a.shape(), scene.b.shape());
  out.push_back({"Bullet", [] {}, [bullet](const Pose& pose) { return bullet->collide(pose); }});
#endif
  return out;
}

std::vector<Engine> distanceEngines(const Scene& scene) {
  std::vector<Engine> out{{"odemesh", [] {},
                           [&scene](const Pose& pose) {
                             const auto found = meshDistance(scene.a.mesh(), {}, scene.b.mesh(), pose);
                             return std::size_t(found->distance > 0);
                           }}};
#ifdef ODEMESH_BENCH_FCL
  auto fcl = std::make_shared<FclPair<fcl::RSSd>>(scene.a.shape(), scene.b.shape());
  out.push_back({"FCL", [] {}, [fcl](const Pose& pose) { return std::size_t(fcl->distance(pose) > 0); }});
#endif
  return out;
}

std::vector<double> compare(const std::vector<Engine>& engines, const std::vector<Pose>& poses, int rounds) {
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

}  // namespace odemesh::bench
