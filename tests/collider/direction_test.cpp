// The directions that are measured for a region.
#include "contact/way_out/direction.hpp"

#include <gtest/gtest.h>

#include <array>

#include "contact/patch/gather.hpp"
#include "contact/region/contours.hpp"
#include "contact/region/regions.hpp"
#include "test_meshes.hpp"

namespace odemesh {
namespace {

using test::boxSoup;
using test::MeshPtr;

/// Of the one region of two meshes.
[[nodiscard]] Separation separationOf(const MeshPair& pair, ContactScratch& scratch) {
  QueryStats stats;
  findContours(pair, scratch, stats, nullptr);
  std::array<SheetSide, 2> sides{SheetSide(pair, 0, scratch), SheetSide(pair, 1, scratch)};
  EXPECT_EQ(findRegions(pair, sides, scratch), 1u);
  const RegionOutline outline = gatherRegion(pair, sides, 0, scratch);
  return findSeparation(pair, outline.area_vector, outline.is_simple, scratch);
}

TEST(Direction, OfAFlatFaceIsListedOnce) {
  const MeshPtr slab = boxSoup({4, 4, 1}).build(), box = boxSoup({1, 1, 1}).build();
  const MeshPair pair(*slab, {}, *box, {{}, {0.3, -0.2, 1 - 1e-3}});
  ContactScratch scratch;
  const Separation separation = separationOf(pair, scratch);
  EXPECT_NEAR(separation.direction.z, -1, 1e-9);
  EXPECT_NEAR(separation.depth, 1e-3, 1e-5);
  // The area vector of the region, both faces and their means are one; the four sides are left.
  EXPECT_EQ(scratch.directions.size(), 5u);
}

}  // namespace
}  // namespace odemesh
