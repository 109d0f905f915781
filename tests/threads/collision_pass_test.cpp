// Collisions on several threads: everything is done once, in the order of one thread, with the same result.
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <odemesh/sim/collision_pass.hpp>
#include <odemesh/sim/input_error.hpp>
#include <odemesh/sim/scenes/scene.hpp>
#include <odemesh/sim/shapes.hpp>
#include <odemesh/sim/world.hpp>
#include <thread>

namespace odemesh::sim {
namespace {

TEST(ThreadPool, DoesEachItemOnce) {
  for (const unsigned threads : {0U, 1U, 2U, 5U}) {
    ThreadPool pool(threads);
    EXPECT_EQ(pool.size(), std::max(threads, 1U));
    for (const std::size_t count : {0U, 1U, 2U, 3U, 1000U}) {
      std::vector<std::atomic<int>> done(count);
      pool.forEach(count, [&](std::size_t i, std::size_t thread) {
        EXPECT_LT(thread, pool.size());
        ++done[i];
      });
      for (std::size_t i = 0; i < count; ++i) EXPECT_EQ(done[i], 1) << i;
    }
  }
}

TEST(ThreadPool, SurvivesManyShortRounds) {
  ThreadPool pool(4);
  std::atomic<std::size_t> sum = 0;
  for (int round = 0; round < 5000; ++round)
    pool.forEach(3, [&](std::size_t i, std::size_t) { sum += i + 1; });
  EXPECT_EQ(sum, 5000U * 6);
}

TEST(ThreadPool, TellsEachThreadOfItsBeginningAndEnd) {
  std::atomic<int> started = 0, ended = 0;
  {
    ThreadPool pool(
        3, [&] { ++started; }, [&] { ++ended; });
    pool.forEach(2, [](std::size_t, std::size_t) {});
  }
  EXPECT_EQ(started, 2);
  EXPECT_EQ(ended, 2);
}

// A heap of meshes with some primitives among them, so that both kinds of pairs occur.
std::unique_ptr<World> heap(int threads) {
  WorldSettings settings;
  settings.threads = threads;
  auto world = std::make_unique<World>(settings);
  const MeshGeometry ball{CollisionMesh::make(makeSphere(0.3, 16, 8))};
  const MeshGeometry box{CollisionMesh::make(makeBox({0.5, 0.4, 0.3}))};
  BodySpec floor;
  floor.name = "floor";
  floor.is_static = true;
  floor.parts.push_back({MeshGeometry{CollisionMesh::make(makeBox({6, 6, 1}))}, {{}, {0, 0, -0.5}}});
  world->addBody(floor);
  for (int i = 0; i < 24; ++i) {
    BodySpec spec;
    spec.name = "body " + std::to_string(i);
    const Geometry geometry = i % 6 == 5   ? Geometry(SphereGeometry{0.25})
                              : i % 2 == 0 ? Geometry(ball)
                                           : Geometry(box);
    spec.parts.push_back({geometry});
    spec.pose.translation = {0.65 * (i % 3), 0.65 * (i / 3 % 2), 0.4 + 0.65 * (i / 6) + 0.01 * i};
    world->addBody(spec);
  }
  return world;
}

std::vector<std::uint64_t> hashesOf(World& world, int steps) {
  std::vector<std::uint64_t> hashes;
  for (int i = 0; i < steps; ++i) hashes.push_back(world.step().hash);
  return hashes;
}

TEST(CollisionPass, HashesDoNotDependOnTheNumberOfThreads) {
  const auto one = heap(1);
  const std::vector<std::uint64_t> expected = hashesOf(*one, 200);
  ASSERT_GT(one->metrics().contacts, 30U);
  for (const int threads : {2, 4, 7}) {
    const auto world = heap(threads);
    EXPECT_EQ(hashesOf(*world, 200), expected) << threads;
    ASSERT_EQ(world->contacts().size(), one->contacts().size());
    for (std::size_t i = 0; i < world->contacts().size(); ++i) {
      EXPECT_EQ(world->contacts()[i].position, one->contacts()[i].position);
      EXPECT_EQ(world->contacts()[i].triangle1, one->contacts()[i].triangle1);
    }
  }
}

TEST(CollisionPass, ThreadsCanBeChangedBetweenSteps) {
  const auto one = heap(1);
  const std::vector<std::uint64_t> expected = hashesOf(*one, 60);
  const auto world = heap(3);
  std::vector<std::uint64_t> hashes;
  for (int i = 0; i < 60; ++i) {
    if (i % 7 == 0) world->setThreads(1 + i % 4);
    hashes.push_back(world->step().hash);
  }
  EXPECT_EQ(hashes, expected);
  EXPECT_THROW(world->setThreads(0), InputError);
  EXPECT_THROW(world->setThreads(CollisionPass::kMostThreads + 1), InputError);
  EXPECT_EQ(world->settings().threads, 1 + 56 % 4);
}

TEST(CollisionPass, OdesOwnColliderStaysOnTheCallingThread) {
  const auto one = heap(1), two = heap(2);
  one->setCollider(Collider::kOde);
  two->setCollider(Collider::kOde);
  EXPECT_EQ(hashesOf(*two, 40), hashesOf(*one, 40));
}

TEST(CollisionPass, HandsContactsOverInTheOrderOfThePairs) {
  const auto world = heap(1);
  hashesOf(*world, 100);
  const std::thread::id here = std::this_thread::get_id();
  CollisionPass pass(4);
  std::vector<std::pair<dGeomID, dGeomID>> listed, taken;
  struct Listing {
    CollisionPass& pass;
    std::vector<std::pair<dGeomID, dGeomID>>& listed;
  } listing{pass, listed};
  dSpaceCollide(world->odeSpace(), &listing, [](void* data, dGeomID geom1, dGeomID geom2) {
    auto& [to, all] = *static_cast<Listing*>(data);
    to.add(geom1, geom2);
    all.emplace_back(geom1, geom2);
  });
  std::atomic<std::size_t> found = 0;
  pass.run(
      16,
      [&](dGeomID geom1, dGeomID geom2, std::span<dContact> out) {
        EXPECT_EQ(out.size(), 16U);
        ++found;
        return CollisionPass::dCollideContacts(geom1, geom2, out);
      },
      [&](dGeomID geom1, dGeomID geom2, std::span<dContact> contacts) {
        EXPECT_EQ(std::this_thread::get_id(), here);
        EXPECT_FALSE(contacts.empty());
        EXPECT_EQ(contacts[0].geom.g1, geom1);
        taken.emplace_back(geom1, geom2);
      });
  EXPECT_EQ(found, listed.size());
  ASSERT_GT(taken.size(), 10U);
  auto from = listed.begin();
  for (const auto& pair : taken) {
    from = std::find(from, listed.end(), pair);
    ASSERT_NE(from, listed.end()) << "in the order of the list";
  }
  pass.clear();
  pass.run(16, CollisionPass::dCollideContacts, [](dGeomID, dGeomID, std::span<dContact>) { FAIL(); });
}

}  // namespace
}  // namespace odemesh::sim
