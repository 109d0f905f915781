// Meshes come and go by the thousand: no memory stays behind, and threads may collide as they like.
#include <cstdlib>
#include <latch>
#include <thread>

#include "ode_scene.hpp"

namespace odemesh::test {
namespace {

class LifetimeTest : public OdeTest {
 protected:
  LifetimeTest() { EXPECT_EQ(odemeshInstall(), ODEMESH_OK); }
};

/// Bytes that the process has in memory; 0 where /proc does not tell or where it would mean nothing.
[[nodiscard]] std::size_t residentBytes() {
  std::size_t total = 0;
  std::size_t resident = 0;
  if (!kFreedMemoryIsReused) return 0;
  if (std::FILE* file = std::fopen("/proc/self/statm", "r")) {
    if (std::fscanf(file, "%zu %zu", &total, &resident) != 2) resident = 0;
    std::fclose(file);
  }
  return resident * 4096;
}

/// Zero if there is no contact.
[[nodiscard]] double greatestDepth(std::span<const dContactGeom> contacts) {
  return contacts.empty() ? 0 : double(contacts.front().depth);
}

/// ODEMESH_TEST_CYCLES=100000 makes a long run of it.
[[nodiscard]] int cycleCount() {
  const char* text = std::getenv("ODEMESH_TEST_CYCLES");
  return text != nullptr ? std::atoi(text) : 20000;
}

class CyclesTest : public LifetimeTest, public testing::WithParamInterface<int> {};

// Were one mesh in a hundred kept, the second half of the cycles would take 15 MB. Each box has another
// height than the one before, most often at the same address: the depth tells whose contact it is.
TEST_P(CyclesTest, OfCreationCollisionAndDestructionLeaveMemoryFlat) {
  setFreshness(GetParam());
  const int cycles = cycleCount();
  std::size_t half_way = 0;
  for (int cycle = 0; cycle < cycles; ++cycle) {
    const float height = 0.5F + 0.0625F * static_cast<float>(cycle % 5);
    const double depth = 2.0 * height - 0.875;
    const Triangles box = boxTriangles(1, 1, height);
    const MeshData data = dataOf(box);
    const Geom a = geomOf(data);
    const Geom b = geomOf(data);
    dGeomSetPosition(b.get(), 0.25, 0.125, 0.875);
    ASSERT_NEAR(greatestDepth(contactsOf(a.get(), b.get(), 8)), depth, 1e-6) << cycle;
    if (cycle % 3 == 0) {
      dGeomTriMeshDataUpdate(data.get());
      ASSERT_NEAR(greatestDepth(contactsOf(b.get(), a.get(), 8)), depth, 1e-6) << cycle;
    }
    if (cycle % 7 == 0) {
      const Triangles cube = boxTriangles(1, 1, 1);
      dGeomTriMeshDataBuildSingle(data.get(), cube.xyz.data(), 3 * sizeof(float), cube.vertexCount(),
                                  cube.indices.data(), cube.indexCount(), 3 * sizeof(dTriIndex));
      ASSERT_NEAR(greatestDepth(contactsOf(b.get(), a.get(), 8)), 1.125, 1e-6) << cycle;
    }
    if (cycle == cycles / 2) half_way = residentBytes();
  }
  EXPECT_LE(residentBytes(), half_way + (1U << 20));
  EXPECT_GE(counters().meshes_built, static_cast<unsigned long long>(cycles) * 4 / 5);
}

INSTANTIATE_TEST_SUITE_P(Freshness, CyclesTest,
                         testing::Values(int(ODEMESH_FRESHNESS_AUTO), int(ODEMESH_FRESHNESS_COMPARE)));

TEST_F(LifetimeTest, InstallingAndUninstallingLeavesMemoryFlat) {
  const Triangles box = boxTriangles(1, 1, 1);
  const MeshData data = dataOf(box);
  const Geom a = geomOf(data);
  const Geom b = geomOf(data);
  std::size_t half_way = 0;
  constexpr int kCycles = 4000;
  for (int cycle = 0; cycle < kCycles; ++cycle) {
    ASSERT_EQ(odemeshInstall(), ODEMESH_OK);
    ASSERT_FALSE(contactsOf(a.get(), b.get(), 8).empty());
    odemeshUninstall();
    if (cycle == kCycles / 2) half_way = residentBytes();
  }
  EXPECT_LE(residentBytes(), half_way + (1U << 20));
}

TEST_F(LifetimeTest, ClosingAndInitialisingLeavesMemoryFlat) {
  const Triangles box = boxTriangles(1, 1, 1);
  std::size_t half_way = 0;
  constexpr int kCycles = 4000;
  for (int cycle = 0; cycle < kCycles; ++cycle) {
    {
      const MeshData data = dataOf(box);
      const Geom a = geomOf(data);
      const Geom b = geomOf(data);
      dGeomSetPosition(b.get(), 0.25, 0.125, 1.5);
      ASSERT_NEAR(greatestDepth(contactsOf(a.get(), b.get(), 8)), 0.5, 1e-6);
    }
    if (cycle % 3 == 0) odemeshUninstall();
    dCloseODE();
    if (cycle % 3 == 1) odemeshUninstall();
    ASSERT_NE(dInitODE2(0), 0);
    ASSERT_EQ(odemeshInstall(), ODEMESH_OK);
    if (cycle == kCycles / 2) half_way = residentBytes();
  }
  EXPECT_LE(residentBytes(), half_way + (1U << 20));
}

/// One pair of geoms of its own, in a fixed series of poses.
struct Pair {
  Geom a, b;
};

constexpr int kPoses = 30;

/// The contacts of all poses of pair `index`, which depend on nothing else.
[[nodiscard]] std::vector<dContactGeom> contactsOfSeries(const Pair& pair, unsigned index) {
  Random random(index);
  std::vector<dContactGeom> all;
  for (int i = 0; i < kPoses; ++i) {
    placeAtRandom(pair.a.get(), random, 0.5);
    placeAtRandom(pair.b.get(), random, 0.5);
    const std::vector<dContactGeom> contacts = contactsOf(pair.a.get(), pair.b.get());
    all.insert(all.end(), contacts.begin(), contacts.end());
  }
  return all;
}

class ThreadsTest : public LifetimeTest, public testing::WithParamInterface<std::tuple<int, bool>> {
 protected:
  static constexpr unsigned kPairs = 16;
  static constexpr unsigned kThreads = 4;

  ThreadsTest() {
    setFreshness(std::get<0>(GetParam()));
    const bool shared = std::get<1>(GetParam());
    for (unsigned i = 0; i < kPairs; ++i) {
      if (i == 0 || !shared) {
        data_.push_back(dataOf(shape_));
        data_.push_back(dataOf(box_));
      }
      pairs_.push_back({geomOf(data_[data_.size() - 2]), geomOf(data_.back())});
    }
  }

  /// Each thread takes every fourth pair; all start at once, so that all meet new meshes together.
  [[nodiscard]] std::vector<std::vector<dContactGeom>> runInThreads() const {
    std::vector<std::vector<dContactGeom>> results(kPairs);
    std::latch start(kThreads);
    std::vector<std::jthread> threads;
    for (unsigned t = 0; t < kThreads; ++t)
      threads.emplace_back([&, t] {
        start.arrive_and_wait();
        for (unsigned i = t; i < kPairs; i += kThreads) results[i] = contactsOfSeries(pairs_[i], i);
      });
    threads.clear();
    return results;
  }

  const Triangles shape_ = ellipsoidTriangles(1, 0.75F, 0.5F, 32, 16);
  const Triangles box_ = boxTriangles(0.5F, 1, 0.75F);
  std::vector<MeshData> data_;
  std::vector<Pair> pairs_;
};

TEST_P(ThreadsTest, GiveTheContactsOfOneThread) {
  const auto results = runInThreads();
  EXPECT_EQ(counters().meshes_built, data_.size()) << "each mesh is built once, whoever meets it first";
  std::size_t contacts = 0;
  for (unsigned i = 0; i < kPairs; ++i) {
    ASSERT_TRUE(areSame(results[i], contactsOfSeries(pairs_[i], i))) << "pair " << i;
    contacts += results[i].size();
  }
  EXPECT_GT(contacts, 500U);
  EXPECT_EQ(counters().pairs, 2ULL * kPairs * kPoses);
  EXPECT_EQ(counters().errors, 0U);
}

INSTANTIATE_TEST_SUITE_P(MeshesOfTheirOwnAndShared, ThreadsTest,
                         testing::Combine(testing::Values(int(ODEMESH_FRESHNESS_AUTO),
                                                          int(ODEMESH_FRESHNESS_COMPARE)),
                                          testing::Bool()));

}  // namespace
}  // namespace odemesh::test
