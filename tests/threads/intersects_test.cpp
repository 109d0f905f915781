// What a mesh works out when it is first asked for, asked for by several threads at once.
#include <gtest/gtest.h>

#include <odemesh/collide.hpp>
#include <thread>
#include <vector>

#include "collider/test_meshes.hpp"

namespace odemesh::test {
namespace {

TEST(IntersectsThreads, TheFirstQuestionsMayComeAtOnce) {
  const MeshPtr first = sphereSoup(1, 24, 20).build(), second = sphereSoup(0.8, 24, 20).build();
  const std::size_t before = first->memoryBytes();
  std::vector<int> meets(4, -1);
  {
    std::vector<std::jthread> threads;
    for (int& each : meets)
      threads.emplace_back([&] { each = int(intersects(*first, {}, *second, {{}, {0.9, 0, 0}})); });
  }
  EXPECT_EQ(meets, std::vector<int>(4, 1));
  EXPECT_GT(first->memoryBytes(), before);
}

}  // namespace
}  // namespace odemesh::test
