// 32-bit indices at their limit, and the instruction set that the environment asks for.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <odemesh/mesh.hpp>
#include <span>
#include <string>
#include <vector>

#include "simd/simd_path.hpp"

namespace odemesh {
namespace {

constexpr std::uint32_t kIndices[] = {0, 1, 2};
constexpr Vec3 kVertices[] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}};

/// What building reports for this many triangles and vertices. Sizes are checked before anything is read or
/// allocated, so the buffers need not be there.
[[nodiscard]] std::vector<MeshProblem> problemsOf(std::size_t triangles, std::size_t vertices) {
  const Mesh::Built built = Mesh::build({kVertices, vertices}, {kIndices, 3 * triangles});
  EXPECT_EQ(built.mesh == nullptr, !built.problems.empty());
  return built.problems;
}

void expectTooMany(std::size_t triangles, std::size_t vertices) {
  const std::vector<MeshProblem> problems = problemsOf(triangles, vertices);
  ASSERT_EQ(problems.size(), 1U);
  EXPECT_EQ(problems[0].kind, MeshProblem::Kind::kTooManyTriangles);
  EXPECT_EQ(problems[0].element, std::max(triangles, vertices));
  EXPECT_NE(problems[0].text().find(std::to_string(problems[0].element)), std::string::npos)
      << problems[0].text();
}

TEST(Limits, MoreTrianglesOrVerticesThanIndicesNumberAreRefused) {
  constexpr std::size_t kFirstRefused = std::size_t{1} << 30;
  for (const std::size_t count :
       {kFirstRefused, kFirstRefused * 2 - 1, kFirstRefused * 2, kFirstRefused * 2 + 1, kFirstRefused * 4 - 1,
        kFirstRefused * 4, kFirstRefused * 4 + 1, kFirstRefused << 24}) {
    expectTooMany(count, 3);
    expectTooMany(1, count);
    expectTooMany(count, count);
  }
}

TEST(Limits, IndicesAtTheEndsOfTheirTypeAreOutOfRange) {
  for (const std::uint32_t index : {3U, 0x7fffffffU, 0x80000000U, 0xfffffffeU, 0xffffffffU}) {
    const std::uint32_t indices[] = {0, 1, 2, 0, 1, index};
    const Mesh::Built built = Mesh::build(kVertices, indices);
    ASSERT_NE(built.mesh, nullptr);
    EXPECT_EQ(built.mesh->triangleCount(), 1U);
    ASSERT_EQ(built.problems.size(), 1U);
    EXPECT_EQ(built.problems[0].kind, MeshProblem::Kind::kIndexOutOfRange);
    EXPECT_EQ(built.problems[0].element, 1U);
  }
}

TEST(Limits, AnUnfinishedTriangleIsRefused) {
  const Mesh::Built built = Mesh::build(kVertices, std::span(kIndices, 2));
  ASSERT_EQ(built.problems.size(), 1U);
  EXPECT_EQ(built.problems[0].kind, MeshProblem::Kind::kIndexCount);
}

/// Run by ctest once for each value of ODEMESH_SIMD.
TEST(SimdChoice, IsTheOneOfTheEnvironmentWhereTheMachineHasIt) {
  const char* const value = std::getenv("ODEMESH_SIMD");
  SimdPath expected = SimdPath::kScalar;
  for (const SimdPath path : kSimdPaths)
    if (isAvailable(path)) expected = path;
  for (const SimdPath path : kSimdPaths)
    if (isAvailable(path) && value != nullptr && value == nameOf(path)) expected = path;
  EXPECT_EQ(nameOf(simdPath()), nameOf(expected));
}

/// All machines of these kinds have them.
TEST(SimdChoice, VectorsAreThereWhereverTheMachineHasThem) {
#if defined(__aarch64__)
  EXPECT_TRUE(isAvailable(SimdPath::kNeon));
#elif defined(__x86_64__)
  EXPECT_TRUE(isAvailable(SimdPath::kSse2));
#else
  GTEST_SKIP() << "no vector instructions are known for this machine";
#endif
}

}  // namespace
}  // namespace odemesh
