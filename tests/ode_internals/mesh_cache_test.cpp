// The cache of preprocessed meshes from within: what it keeps, what it lets go, and who builds.
#include "ode/mesh_cache.hpp"

#include <array>
#include <latch>
#include <thread>

#include "../ode/ode_scene.hpp"
#include "ode/data_watch.hpp"

namespace odemesh::ode {
namespace {

using test::boxTriangles;
using test::dataOf;
using test::MeshData;
using test::Triangles;

class MeshCacheTest : public test::OdeTest {
 protected:
  const Triangles box_ = boxTriangles(1, 1, 1);
};

TEST_F(MeshCacheTest, LetsGoOfDestroyedData) {
  const std::size_t before = meshCache().meshCount();
  for (int i = 0; i < 100; ++i) {
    std::vector<MeshData> data;
    for (int k = 0; k < 10; ++k) {
      data.push_back(dataOf(box_));
      ASSERT_NE(meshCache().get(data.back().get(), ODEMESH_FRESHNESS_AUTO).mesh, nullptr);
    }
    ASSERT_EQ(meshCache().meshCount(), before + 10);
  }
  EXPECT_EQ(meshCache().meshCount(), before);
}

// Data that came into being unseen: only ODE's free handler tells of its end.
TEST_F(MeshCacheTest, LetsGoOfDataThatIsNotWatched) {
  chainFreeHandler();
  MeshCache& cache = meshCache();
  for (int i = 0; i < 100; ++i) {
    const MeshData data = dataOf(box_);
    cache.erase(data.get());  // forgets that it was seen
    ASSERT_NE(cache.get(data.get(), ODEMESH_FRESHNESS_AUTO).mesh, nullptr);
    ASSERT_EQ(cache.meshCount(), 1U);
  }
  EXPECT_EQ(cache.meshCount(), 0U);
  unchainFreeHandler();
}

TEST_F(MeshCacheTest, KeepsAMeshAliveForThoseWhoUseIt) {
  MeshData data = dataOf(box_);
  const CachedMesh held = meshCache().get(data.get(), ODEMESH_FRESHNESS_AUTO);
  std::weak_ptr<const Mesh> weak = held.mesh;
  data.reset();
  EXPECT_EQ(held.mesh->triangleCount(), 12U);
  EXPECT_EQ(weak.use_count(), 1) << "the cache has let go";
}

TEST_F(MeshCacheTest, ClearKeepsInMindWhatIsWatched) {
  Triangles box = box_;
  const MeshData data = dataOf(box);
  ASSERT_NE(meshCache().get(data.get(), ODEMESH_FRESHNESS_AUTO).mesh, nullptr);
  meshCache().clear();
  EXPECT_EQ(meshCache().meshCount(), 0U);
  const auto mesh = meshCache().get(data.get(), ODEMESH_FRESHNESS_AUTO).mesh;
  box.xyz[0] = 2;
  EXPECT_EQ(meshCache().get(data.get(), ODEMESH_FRESHNESS_AUTO).mesh, mesh) << "compared, though watched";
}

TEST_F(MeshCacheTest, BuildsAMeshOnceForManyThreads) {
  for (const int freshness : {ODEMESH_FRESHNESS_AUTO, ODEMESH_FRESHNESS_COMPARE}) {
    const MeshData data = dataOf(box_);
    const auto built_before = counters().meshes_built;
    constexpr int kThreads = 4;
    std::array<std::shared_ptr<const Mesh>, kThreads> seen;
    std::latch start(kThreads);
    {
      std::vector<std::jthread> threads;
      for (auto& mesh : seen)
        threads.emplace_back([&] {
          start.arrive_and_wait();
          for (int i = 0; i < 200; ++i) mesh = meshCache().get(data.get(), freshness).mesh;
        });
    }
    EXPECT_EQ(counters().meshes_built, built_before + 1);
    for (const auto& mesh : seen) EXPECT_EQ(mesh, seen[0]);
  }
}

}  // namespace
}  // namespace odemesh::ode
