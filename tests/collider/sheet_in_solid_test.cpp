// Sheets whose rims reach into solids, or lie under them: in the corner of a room, across a beam, beside a
// box.
#include <gtest/gtest.h>

#include <cmath>
#include <odemesh/collide.hpp>
#include <vector>

#include "motion/sweep.hpp"
#include "test_meshes.hpp"

namespace odemesh::test {
namespace {

/// Inner half width 0.9, walls and floor 0.1 thick; the floor's upper side is at z = 0.
Soup roomSoup() {
  const std::vector<double> across{-1, -0.9, 0.9, 1};
  return cellSoup({across, across, {-0.1, 0, 1.5}},
                  [](auto i, auto j, auto k) { return i != 1 || j != 1 || k != 1; });
}

/// About z, then about y and x.
Mat3 leaning(double yaw, double about_x, double about_y) {
  return rotationBy({about_x, 0, 0}) * rotationBy({0, about_y, 0}) * rotationBy({0, 0, yaw});
}

std::vector<Contact> contactsOf(const Soup& first, const Pose& pose, const Soup& second) {
  std::vector<Contact> contacts(32);
  contacts.resize(collide(*first.build(), pose, *second.build(), {}, contacts));
  return contacts;
}

/// The pose in which the corner of a tile that lies at (-0.2, 0.2) in it is at `corner`.
Pose withCornerAt(const Vec3& corner, const Mat3& rotation) {
  return {rotation, corner - rotation * Vec3{-0.2, 0.2, 0}};
}

// A fixed bug: the wall was left out where the corner of the tile was farther behind it than behind the
// floor, and the tile was pressed through the floor.
TEST(SheetInSolidTest, ATileLiesInTheCornerOfARoom) {
  const Soup tile = tileSoup(), room = roomSoup();
  for (const double below : {-1e-6, 1e-5, 7e-5, 1e-3})  // also where it is in the blown-up floor alone
    for (const double behind : {2e-5, 3.5e-4, 3e-3}) {
      const Pose pose = withCornerAt({-0.9 - behind, -0.1, -below}, leaning(0.05, -1e-3, -3e-3));
      const auto contacts = contactsOf(tile, pose, room);
      ASSERT_FALSE(contacts.empty());
      EXPECT_LT(contacts.front().depth, 2 * (below + behind)) << below << ' ' << behind;
      for (const Contact& c : contacts) EXPECT_GT(c.normal.z, -0.1) << below << ' ' << behind;
    }
}

// A fixed bug: where the border of the tile crosses one triangle of the floor alone, the wall that rises from
// the next one was not known, and a corner under it was told to leave by the wall's upper end.
TEST(SheetInSolidTest, ACornerUnderAWallLeavesBesideIt) {
  const Soup room = roomSoup();
  Soup tile = tileSoup();
  tile.transform({}, 2);
  for (const double yaw : {0.05, 0.15, 0.25, 0.35})
    for (double x = 0.3; x + 0.8 * std::sin(yaw) < 0.88; x += 0.05)
      for (const double slope : {2e-4, 3e-4, 4e-4}) {  // across the edge in which the floor is cut
        const Mat3 rotation = leaning(yaw, -slope, -slope);
        const Pose pose{rotation, Vec3{x, 0.9 + 1e-5, -1e-4} - rotation * Vec3{0.4, 0.4, 0}};
        const auto contacts = contactsOf(tile, pose, room);
        ASSERT_FALSE(contacts.empty()) << yaw << ' ' << x << ' ' << slope;
        EXPECT_LT(contacts.front().depth, 5e-4) << yaw << ' ' << x << ' ' << slope;
      }
}

// A fixed bug: what floor and wall say was not believed, since neither leads sideways along the wall, which
// was the shortest way of the rim as a whole.
TEST(SheetInSolidTest, ACrateStandsOnItsSideInTheCornerOfARoom) {
  const Soup crate = crateSoup({0.5, 0.4, 0.35}), room = roomSoup();
  const Mat3 rotation = nearestRotation({{{0.0490027, 0.9987986, -8.258e-6},
                                          {-0.9987982, 0.0490027, 0.000978968},
                                          {0.000978197, -3.97237e-5, 0.9999995}}});
  const auto contacts = contactsOf(crate, {rotation, {-0.6880247, -0.000113886, 0.1752193}}, room);
  ASSERT_FALSE(contacts.empty());
  EXPECT_LT(contacts.front().depth, 1e-3);
}

// A fixed bug: beams whose edges do not cross the sheet were held at its back.
TEST(SheetInSolidTest, ABeamLiesAcrossAnAngle) {
  const Soup beam = boxSoup({0.8, 0.04, 0.04}), angle = angleSoup();
  for (const double sunk : {1e-5, 1e-4, 1e-3})
    for (const double along : {0.0, 0.18, 0.35}) {
      const auto contacts =
          contactsOf(beam, {leaning(0.4, 1e-4 * sunk, 2e-4 * sunk), {along, 0.05, 0.02 - sunk}}, angle);
      ASSERT_FALSE(contacts.empty()) << sunk << ' ' << along;
      for (const Contact& c : contacts) {
        EXPECT_GT(c.normal.z, 0.999) << sunk << ' ' << along;
        EXPECT_LT(c.depth, 1.01 * sunk + 5e-6) << sunk << ' ' << along;
      }
    }
}

// A fixed bug: the face under which the border of the sheet lies reaches farther beyond it than its corners
// over the sheet tell, and what lies over the border was left out.
TEST(SheetInSolidTest, ABoxThatHangsOverTheBorderSinksInThere) {
  const Soup box = boxSoup({0.4, 0.3, 0.25}), tile = tileSoup();
  const Mat3 rotation = leaning(-0.115, -0.09, -0.0074);
  for (const double sunk : {1e-4, 6.6e-3, 6.8e-3, 8e-3}) {
    const Vec3 lowest = rotation * Vec3{-0.2, 0.15, -0.125};  // beyond the border
    const Vec3 other = rotation * Vec3{0.2, 0.15, -0.125};
    const Vec3 along = other - lowest;
    const Vec3 at_border = lowest + along * (0.03 / along.x);
    const Pose pose{rotation, {-0.2 - at_border.x, 0, -sunk - at_border.z}};
    const auto contacts = contactsOf(box, pose, tile);
    EXPECT_FALSE(contacts.empty()) << sunk;
    for (const Contact& c : contacts) EXPECT_GT(c.normal.z, 0.99) << sunk;
    EXPECT_NEAR(contacts.empty() ? 0 : contacts.front().depth, sunk, 0.05 * sunk);
  }
}

}  // namespace
}  // namespace odemesh::test
