// One contact of two triangles that meet: it has to part those two.
#include "contact/triangle_contact.hpp"

#include <gtest/gtest.h>

#include "narrow_phase/intersect_exact.hpp"
#include "test_meshes.hpp"

namespace odemesh {
namespace {

using test::MeshPtr;
using test::Soup;

[[nodiscard]] MeshPtr single(const Vec3& a, const Vec3& b, const Vec3& c) {
  Soup soup;
  soup.addTriangle(a, b, c);
  return soup.build();
}

TEST(TriangleContact, ATipBehindAFaceIsPushedOutAlongItsNormal) {
  const MeshPtr fin = single({0, 0, -0.1}, {0.2, 0, 0.9}, {-0.2, 0, 0.9});
  const MeshPtr floor = single({-3, -2, 0}, {3, -2, 0}, {0, 4, 0});
  for (const bool swapped : {false, true}) {
    const MeshPair pair(swapped ? *floor : *fin, {}, swapped ? *fin : *floor, {});
    const Contact c = triangleContact(pair, 0, 0);
    EXPECT_NEAR(c.depth, 0.1, 1e-6);
    EXPECT_NEAR(c.normal.z, swapped ? -1 : 1, 1e-12);
    EXPECT_NEAR(length(c.position), 0, 1e-6);  // the fin goes through along x, from -0.02 to 0.02
  }
}

[[nodiscard]] Triangle placed(const MeshPair& pair, int side, std::uint32_t face, const Vec3& moved_by = {}) {
  const auto corner = [&](int i) { return pair.toWorld().apply(pair[side].corner(face, i)) + moved_by; };
  return {{corner(0), corner(1), corner(2)}};
}

void expectParted(const MeshPair& pair, std::uint32_t face1, std::uint32_t face2) {
  const Contact c = triangleContact(pair, face1, face2);
  EXPECT_GT(c.depth, 0);
  EXPECT_NEAR(length(c.normal), 1, 1e-9);
  const Vec3 way = c.normal * (c.depth + 1e-5 * pair.size());  // reported depths are less by 1e-7
  EXPECT_FALSE(trianglesIntersect(placed(pair, 0, face1, way), placed(pair, 1, face2)));
}

TEST(TriangleContact, TrianglesThatAreMovedByItMeetNoMore) {
  std::mt19937_64 random(3);
  int met = 0;
  for (int round = 0; round < 10000; ++round) {
    const MeshPtr a = test::randomSoup(random, 4).build(), b = test::randomSoup(random, 4).build();
    const MeshPair pair(*a, {}, *b, test::randomPose(random, 0.5));
    for (std::uint32_t i = 0; i < a->triangleCount(); ++i)
      for (std::uint32_t k = 0; k < b->triangleCount(); ++k) {
        if (!trianglesIntersect(placed(pair, 0, i), placed(pair, 1, k))) continue;
        ++met;
        expectParted(pair, i, k);
      }
  }
  EXPECT_GT(met, 1000);
}

}  // namespace
}  // namespace odemesh
