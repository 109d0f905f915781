// Single-sheet cups: bodies of any size in them, on them and around them.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <odemesh/collide.hpp>
#include <odemesh/motion.hpp>
#include <random>

#include "motion/sweep.hpp"
#include "test_contacts.hpp"
#include "test_meshes.hpp"

namespace odemesh::test {
namespace {

/// A surface of revolution through the points (radius, z) of an outline.
Soup turnedSheet(const std::vector<std::array<double, 2>>& outline, int segments = 16) {
  Soup out;
  for (std::size_t k = 0; k + 1 < outline.size(); ++k)
    for (int i = 0; i < segments; ++i) {
      const auto at = [&](std::size_t row, int j) {
        const double angle = 2 * std::numbers::pi * (j % segments) / segments;
        return Vec3{outline[row][0] * std::cos(angle), outline[row][0] * std::sin(angle), outline[row][1]};
      };
      if (outline[k][0] > 0) out.addTriangle(at(k, i), at(k, i + 1), at(k + 1, i + 1));
      if (outline[k + 1][0] > 0) out.addTriangle(at(k, i), at(k + 1, i + 1), at(k + 1, i));
    }
  return out;
}

Soup cupSoup() {
  return turnedSheet({{0, 0}, {1, 0}, {1.2, 2}});
}

/// All contacts of `body` in or on a cup, upright with its floor at 0, are about as deep as it sinks in, and
/// push it up.
void expectHeldUp(const Soup& body, const Vec3& at, double sunk, double least_upright) {
  const auto cup = cupSoup().build();
  ASSERT_TRUE(cup->isShell());
  for (const double scale : {1e-3, 1.0, 1e3}) {
    Soup scaled = body, scaled_cup = cupSoup();
    scaled.transform({}, scale);
    scaled_cup.transform({}, scale);
    std::vector<Contact> contacts(64);
    contacts.resize(collide(*scaled.build(), {Mat3{}, at * scale}, *scaled_cup.build(), {}, contacts));
    ASSERT_FALSE(contacts.empty());
    EXPECT_GT(contacts.front().depth, 0.3 * sunk * scale);
    for (const Contact& c : contacts) {
      EXPECT_LT(c.depth, 1.01 * sunk * scale);
      EXPECT_GT(c.normal.z, least_upright);
    }
  }
}

// A fixed bug: a way out along which no sheet lies counted as leading nowhere, though the sheet's border lay
// in the body, and the plank was pressed down through the floor of the cup.
TEST(OpenShellTest, APlankLiesOnTheRim) {
  expectHeldUp(boxSoup({8, 8, 0.5}), {0.1, 0.2, 2.25 - 0.01}, 0.01, 0.999);
}

/// A ring around the y axis, flat at the top of its hole, without a few triangles at its lowest place.
Soup tornRingSoup() {
  std::vector<std::array<double, 2>> outline;
  for (int i = 0; i < 12; ++i) {
    const double angle = 2 * std::numbers::pi * (i + 0.5) / 12;
    outline.push_back({0.5 + 0.1 * std::cos(angle), 0.1 * std::sin(angle)});
  }
  Soup whole = revolvedSoup(outline, 32), out;
  const double c = std::cos(std::numbers::pi / 32), s = std::sin(std::numbers::pi / 32);
  whole.transform({Mat3{{{c, -s, 0}, {0, 0, 1}, {-s, -c, 0}}}, {}});
  for (std::size_t i = 0; i < whole.indices.size(); i += 3) {
    const auto at = [&](std::size_t k) { return whole.vertices[whole.indices[i + k]]; };
    if (at(0).z + at(1).z + at(2).z > -1.75) out.addTriangle(at(0), at(1), at(2));
  }
  return out;
}

// A fixed bug: of two sheets, each held the other on the side of its centre, and that of a ring is beyond the
// bar that it hangs on.
TEST(OpenShellTest, ARingHangsOnABarThatIsNoSolid) {
  Soup bar = boxSoup({0.06, 2, 0.06});
  bar.addTriangle({0.03, -1, -0.03}, {0.03, -1, 0.03}, {0.1, -1, 0});  // a fin at its end
  const MeshPtr ring = tornRingSoup().build(), sheet = bar.build();
  ASSERT_FALSE(ring->isSolid());
  ASSERT_TRUE(ring->isShell());
  ASSERT_FALSE(sheet->isSolid());
  double top = 1;  // of the hole
  for (const Vec3& v : ring->vertices())
    if (std::abs(v.x) < 0.06 && v.z > 0) top = std::min(top, v.z);
  for (const double sunk : {1e-4, 1e-3, 1e-2}) {
    std::vector<Contact> contacts(64);
    contacts.resize(collide(*ring, {Mat3{}, {0, 0.1, 0.03 - top - sunk}}, *sheet, {}, contacts));
    ASSERT_FALSE(contacts.empty());
    EXPECT_NEAR(deepestAlong(contacts, {0, 0, 1}), sunk, 0.05 * sunk);
    EXPECT_LT(deepestOf(contacts), 1.5 * sunk);
  }
}

// A fixed bug: what was too large to be in a cup as a whole was held outside of it.
TEST(OpenShellTest, APenStandsInIt) {
  for (const double sunk : {0.001, 0.01})
    expectHeldUp(boxSoup({0.2, 0.2, 4}), {0.3, 0.1, 2 - sunk}, sunk, 0.999);
}

TEST(OpenShellTest, APenOfManyFacesStandsInIt) {
  expectHeldUp(boxSoup({0.2, 0.2, 4}, 5), {0.3, 0.1, 2 - 0.01}, 0.01, 0.999);
}

TEST(OpenShellTest, APostStandsUnderItsFloor) {
  const auto cup = cupSoup().build();
  const auto post = boxSoup({0.5, 0.5, 4}).build();
  const Mat3 upside_down{{{1, 0, 0}, {0, -1, 0}, {0, 0, -1}}};
  std::vector<Contact> contacts(64);
  contacts.resize(collide(*cup, {upside_down, {0.1, 0, 1.99}}, *post, {}, contacts));
  ASSERT_FALSE(contacts.empty());
  for (const Contact& c : contacts) {
    EXPECT_GT(c.normal.z, 0.999);
    EXPECT_NEAR(c.depth, 0.01, 1e-4);
  }
}

// A fixed bug: the tip in the mouth counted as inside, and was pushed all the way out.
TEST(OpenShellTest, AConeHangsInTheMouth) {
  const double slope = 2.0 / 3;  // of its side: radius over height
  expectHeldUp(turnedSheet({{0, 0}, {2, 3}, {0, 3}}), {0, 0, 2 - 1.2 / slope - 0.01}, 0.01, 0.5);
}

// A fixed bug: the far end of an edge that the rim of a sheet nicks counted as behind the sheet.
TEST(OpenShellTest, AConeThatMeetsTheRimBetweenItsCornersHangsInTheMouth) {
  const Soup cone = turnedSheet({{0, 0}, {2, 3}, {0, 3}}, 24);
  for (const double sunk : {1e-4, 1e-3})
    for (const double aside : {0.0, 0.002}) {
      std::vector<Contact> contacts(64);
      contacts.resize(
          collide(*cone.build(), {Mat3{}, {aside, 0, 2 - 1.8 - sunk}}, *cupSoup().build(), {}, contacts));
      ASSERT_FALSE(contacts.empty());
      for (const Contact& c : contacts) {
        EXPECT_LT(c.depth, 0.025);  // the middles of the rim's edges lie 0.023 further in
        EXPECT_GT(c.normal.z, 0.3);
      }
    }
}

// A fixed bug: an edge across the rim was pushed along it, off one side of a sheet that it was on both sides
// of.
TEST(OpenShellTest, ABarLiesAcrossTheRimOnItsEdge) {
  const double side = std::sqrt(0.5);
  const MeshPtr bar = boxSoup({6, 0.5, 0.5}).build(), cup = cupSoup().build();
  const Mat3 on_edge{{{1, 0, 0}, {0, side, -side}, {0, side, side}}};
  for (int i = 0; i < 9; ++i) {
    const double turn = 0.1 * i;  // from radial
    const Vec3 along{std::cos(turn), std::sin(turn), 0};
    const Mat3 turned{{{along.x, -along.y, 0}, {along.y, along.x, 0}, {0, 0, 1}}};
    for (const double sunk : {0.001, 0.003, 0.01}) {
      std::vector<Contact> contacts(64);
      const Vec3 at = Vec3{1.19, 0, 2 - sunk + 0.5 * side} + along * 2.8;
      contacts.resize(collide(*bar, {turned * on_edge, at}, *cup, {}, contacts));
      ASSERT_FALSE(contacts.empty());
      for (const Contact& c : contacts) {
        EXPECT_LT(std::abs(dot(c.normal, along)), 0.1) << turn << ' ' << sunk;
        EXPECT_GT(c.normal.z, 0.5) << turn << ' ' << sunk;
        EXPECT_LT(c.depth, sunk + 2e-5) << turn << ' ' << sunk;  // regions are those of blown-up bodies
      }
    }
  }
}

// A fixed bug: a corner of the rim just inside of the bar's side told all that there was, and the bar sank in
// until it was all below the rim.
TEST(OpenShellTest, ABarLiesAcrossTheRimBesideACornerOfThat) {
  const MeshPtr bar = boxSoup({7, 0.3, 0.3}).build(), cup = cupSoup().build();
  const Mat3 lean{{{std::cos(0.1), 0, std::sin(0.1)}, {0, 1, 0}, {-std::sin(0.1), 0, std::cos(0.1)}}};
  for (const double past : {1e-4, 1e-3})
    for (const double sunk : {0.003, 0.01, 0.03}) {
      std::vector<Contact> contacts(64);
      const Vec3 at = Vec3{1.2, 0.15 - past, 2 - sunk} + lean * Vec3{2.3, 0, 0.15};
      contacts.resize(collide(*bar, {lean, at}, *cup, {}, contacts));
      ASSERT_FALSE(contacts.empty());
      EXPECT_GT(contacts.front().depth, 0.4 * sunk) << past << ' ' << sunk;
      EXPECT_GT(contacts.front().normal.z, 0.9) << past << ' ' << sunk;
    }
}

// A fixed bug: what met no face was left out up to a depth of 4e-5 of the radius, and what lay on a rim fell
// that far again and again.
TEST(OpenShellTest, APlankThatTouchesTheRimHasContacts) {
  const MeshPtr plank = boxSoup({8, 8, 0.5}).build(), cup = cupSoup().build();
  for (const double sunk : {1e-7, 1e-6, 1e-5, 5e-5}) {
    std::vector<Contact> contacts(64);
    contacts.resize(collide(*plank, {Mat3{}, {0.1, 0.2, 2.25 - sunk}}, *cup, {}, contacts));
    EXPECT_GE(contacts.size(), 4U) << sunk;
  }
}

// A fixed bug: a rod longer than a tube was held outside of it where the contact ends at both rims.
TEST(OpenShellTest, ARodLiesInATube) {
  const MeshPtr tube = turnedSheet({{1, -2}, {1, 2}}, 4).build();  // square: a facet looks along x + y
  const double side = std::sqrt(0.5);
  for (const double length : {3.0, 4.5, 9.0}) {
    const MeshPtr rod = boxSoup({0.3, 0.3, length}).build();
    const Mat3 eighth{{{side, -side, 0}, {side, side, 0}, {0, 0, 1}}};
    const Vec3 outwards{side, side, 0};
    std::vector<Contact> contacts(64);
    contacts.resize(collide(*rod, {eighth, outwards * (side - 0.15 + 0.001)}, *tube, {}, contacts));
    ASSERT_GE(contacts.size(), 4U) << length;
    for (const Contact& c : contacts) {
      EXPECT_LT(dot(c.normal, outwards), -0.999) << length;
      EXPECT_NEAR(c.depth, 0.001, 1e-5) << length;
    }
  }
}

// Neither its parts on both sides of the wall tell where it belongs, since the contact ends at the rims, nor
// is what is outside a hair.
TEST(OpenShellTest, ARodThatIsDeepInTheWallOfATubeIsPushedBackIn) {
  const MeshPtr tube = turnedSheet({{0.5, -1}, {0.5, 1}}, 4).build();
  const double side = std::sqrt(0.5);
  for (const double length : {4.5, 9.0})
    for (const double sunk : {0.02, 0.04}) {
      const MeshPtr rod = boxSoup({0.2, 0.2, length}).build();
      const Vec3 outwards{side, side, 0};
      std::vector<Contact> contacts(64);
      const Pose pose{rotationBy({0, 0, std::numbers::pi / 4}), outwards * (0.5 * side - 0.1 + sunk)};
      contacts.resize(collide(*rod, pose, *tube, {}, contacts));
      ASSERT_FALSE(contacts.empty()) << length << ' ' << sunk;
      for (const Contact& c : contacts) {
        EXPECT_LT(dot(c.normal, outwards), -0.999) << length << ' ' << sunk;
        EXPECT_NEAR(c.depth, sunk, 1e-5) << length << ' ' << sunk;
      }
    }
}

/// The deepest contact of a cup with one like it, `scale` times as large, at `pose`; with its mouth up or
/// down.
double deepestOfNested(const Pose& pose, double scale, bool is_upside_down) {
  Soup other = cupSoup();
  other.transform({}, scale);
  const Pose turned{is_upside_down ? Mat3{{{1, 0, 0}, {0, -1, 0}, {0, 0, -1}}} : Mat3{}, {0, 0, 0}};
  std::vector<Contact> contacts(64);
  contacts.resize(collide(*other.build(), turned * pose, *cupSoup().build(), turned, contacts));
  return deepestOf(contacts);
}

// A fixed bug: of two like cups, each was held outside of the other, and a stack of them was thrown apart.
TEST(OpenShellTest, CupsLieInEachOther) {
  for (const bool is_upside_down : {false, true})
    for (const double up : {0.001, 0.02, 0.1})
      for (const double aside : {0.0, 0.001, 0.012, 0.03})
        for (const double scale : {0.98, 1.0, 1.01}) {
          const double gap = 0.1 * up + 1 - scale;  // between the walls, which lean by 0.1
          if (gap < -1e-9) continue;
          EXPECT_LT(deepestOfNested({Mat3{}, {aside, 0, up}}, scale, is_upside_down), 1.1 * aside + 1e-3)
              << is_upside_down << ' ' << up << ' ' << aside << ' ' << scale;
        }
}

/// A bowl of one sheet and of a little more than a half sphere, open above.
Soup bowlSoup(double radius) {
  std::vector<std::array<double, 2>> outline;
  for (int i = 0; i <= 10; ++i) {
    const double angle = 0.065 * std::numbers::pi * i;
    outline.push_back({radius * std::sin(angle), -radius * std::cos(angle)});
  }
  return turnedSheet(outline, 24);
}

// A fixed bug: the way out of a ring that a rim had come into was measured to the far side of the bowl.
TEST(OpenShellTest, ARingOnTheWayOutOfABowlIsPushedBackFromItsRim) {
  std::vector<std::array<double, 2>> circle;
  for (int i = 0; i <= 16; ++i) {
    const double angle = 2 * std::numbers::pi * (i % 16) / 16;
    circle.push_back({0.39 + 0.11 * std::cos(angle), 0.11 * std::sin(angle)});
  }
  const auto ring = turnedSheet(circle, 32).build(), bowl = bowlSoup(3).build();
  ASSERT_TRUE(ring->isSolid() && bowl->isShell());
  std::mt19937_64 random(2);
  int met = 0;
  for (int i = 0; i < 400; ++i) {
    const Mat3 rotation = randomRotation(random);
    const Vec3 way = randomRotation(random) * Vec3{1, 0, 0};
    const auto meets = [&](double t) { return intersects(*ring, {rotation, way * t}, *bowl, {}); };
    double clear = 0, hit = 0;
    while (hit < 4 && !meets(hit)) hit += 0.01;
    if (!meets(hit)) continue;
    ++met;
    for (int k = 0; k < 20; ++k) (meets(0.5 * (clear + hit)) ? hit : clear) = 0.5 * (clear + hit);
    std::vector<Contact> contacts(64);
    contacts.resize(collide(*ring, {rotation, way * (hit + 1e-3)}, *bowl, {}, contacts));
    ASSERT_FALSE(contacts.empty()) << i;
    EXPECT_LT(contacts.front().depth, 0.01) << i;
  }
  EXPECT_GT(met, 200);
}

/// A tray, open above, with its floor at 0.
Soup traySoup(double width, double height, double wall) {
  const double x = 0.5 * width, out = x + wall;
  Soup soup;
  const auto ring = [](double r, double z) {
    return std::array<Vec3, 4>{{{-r, -r, z}, {r, -r, z}, {r, r, z}, {-r, r, z}}};
  };
  const auto add = [&](const std::array<Vec3, 4>& low, const std::array<Vec3, 4>& high) {
    for (std::size_t i = 0; i < 4; ++i) {
      const std::size_t j = (i + 1) % 4;
      soup.addTriangle(low[i], low[j], high[j]);
      soup.addTriangle(low[i], high[j], high[i]);
    }
  };
  const auto bottom = ring(out, -wall), top = ring(out, height), rim = ring(x, height), floor = ring(x, 0);
  add(bottom, top);
  add(top, rim);
  add(rim, floor);
  soup.addTriangle(floor[0], floor[1], floor[2]);
  soup.addTriangle(floor[0], floor[2], floor[3]);
  soup.addTriangle(bottom[0], bottom[2], bottom[1]);
  soup.addTriangle(bottom[0], bottom[3], bottom[2]);
  return soup;
}

// A fixed bug: the centre of a tray is above its floor, so that the tray was taken to stand in the shells
// that lay on it, and these had no contacts until the floor had gone through them.
TEST(OpenShellTest, ABowlLiesOnTheFloorOfATray) {
  const auto tray = traySoup(8, 6, 0.5).build();
  const auto slab = boxSoup({9, 9, 1}).build();
  const auto bowl = bowlSoup(1).build();
  ASSERT_TRUE(tray->isSolid() && bowl->isShell() && !bowl->isSolid());
  for (const double tilt : {0.0, 0.3, 0.9})
    for (const double sunk : {1e-4, 1e-3, 1e-2, 5e-2}) {
      const double c = std::cos(tilt), s = std::sin(tilt);
      const Mat3 tilted{{{c, 0, s}, {0, 1, 0}, {-s, 0, c}}};
      double low = 0;
      for (const Vec3& v : bowl->vertices()) low = std::min(low, (tilted * v).z);
      const Pose pose{tilted, {0.3, -0.2, -low - sunk}};
      std::vector<Contact> on_tray(64), on_slab(64);
      on_tray.resize(collide(*bowl, pose, *tray, {}, on_tray));
      on_slab.resize(collide(*bowl, pose, *slab, {Mat3{}, {0, 0, -0.5}}, on_slab));
      ASSERT_FALSE(on_tray.empty()) << tilt << ' ' << sunk;
      EXPECT_NEAR(on_tray.front().depth, sunk, 1e-6) << tilt;
      EXPECT_NEAR(on_slab.front().depth, sunk, 1e-6) << tilt;
      for (const Contact& contact : on_tray) EXPECT_GT(contact.normal.z, 0.999) << tilt << ' ' << sunk;
    }
}

// What it stands on is outside, even if every contour runs around its walls.
TEST(OpenShellTest, ItStandsOnALargeSlab) {
  std::vector<Contact> contacts(64);
  contacts.resize(
      collide(*cupSoup().build(), {Mat3{}, {0, 0, 0.99}}, *boxSoup({6, 6, 2}).build(), {}, contacts));
  ASSERT_FALSE(contacts.empty());
  for (const Contact& c : contacts) {
    EXPECT_GT(c.normal.z, 0.999);
    EXPECT_NEAR(c.depth, 0.01, 1e-4);
  }
}

/// A box without its face at the lower end of x.
Soup openBoxSoup() {
  const Soup box = boxSoup({1, 1, 1});
  Soup out;
  for (std::size_t i = 6; i < box.indices.size(); i += 3)
    out.addTriangle(box.vertices[box.indices[i]], box.vertices[box.indices[i + 1]],
                    box.vertices[box.indices[i + 2]]);
  return out;
}

double deepestIn(const Mesh& shell, const Mesh& body, const Pose& pose) {
  std::vector<Contact> contacts(64);
  contacts.resize(collide(shell, {}, body, pose, contacts));
  EXPECT_FALSE(contacts.empty());
  return deepestOf(contacts);
}

// A fixed bug: of a box in a corner most vertices are behind one of the walls, and the part in front of them
// reaches less far, so that it was told the way out through a wall.
TEST(OpenShellTest, ABoxInACornerIsPushedBackIntoTheShell) {
  const MeshPtr shell = openBoxSoup().build(), box = boxSoup({0.2, 0.25, 0.3}).build();
  std::mt19937_64 random(7);
  std::uniform_real_distribution<double> share(0.2, 1);
  for (const double sunk : {1e-5, 1e-4, 1e-3})
    for (const double y : {-1.0, 1.0})
      for (const double z : {-1.0, 1.0}) {
        const Vec3 into{sunk * share(random), sunk * share(random), sunk * share(random)};
        const Vec3 corner{0.4 + into.x, y * (0.375 + into.y), z * (0.35 + into.z)};
        EXPECT_LT(deepestIn(*shell, *box, {{}, corner}), 2 * sunk) << sunk << ' ' << y << ' ' << z;
      }
}

// A fixed bug: parts were compared by their distance from the middle of all contours.
TEST(OpenShellTest, AWedgeBetweenAWallAndTheCeilingIsPushedBackIntoTheShell) {
  const Vec3 a{-0.1, -0.06, -0.15}, b{0.1, -0.06, -0.15}, c{0, 0.12, -0.15}, tip{0, 0, 0.15};
  Soup wedge;
  wedge.addTriangle(a, c, b);
  wedge.addTriangle(a, b, tip);
  wedge.addTriangle(b, c, tip);
  wedge.addTriangle(c, a, tip);
  const MeshPtr shell = openBoxSoup().build(), body = wedge.build();
  for (const double sunk : {1e-5, 1e-4, 1e-3})
    for (const double x : {-0.2, 0.0, 0.2}) {
      const Pose pose{{}, {x, -0.44 - sunk, 0.35 + 0.4 * sunk}};
      EXPECT_LT(deepestIn(*shell, *body, pose), 2 * sunk) << sunk << ' ' << x;
    }
}

/// The contacts of a body with what holds it from below all push up, are `depth` deep, and reach so far.
void expectBorne(const Soup& body, const Pose& pose, const Soup& below, double depth, const Vec3& low,
                 const Vec3& high) {
  std::vector<Contact> contacts(32);
  contacts.resize(collide(*body.build(), pose, *below.build(), {}, contacts));
  ASSERT_GE(contacts.size(), 3U);
  Vec3 least{9, 9, 9}, most{-9, -9, -9};
  for (const Contact& c : contacts) {
    EXPECT_GT(c.normal.z, 0.999);
    EXPECT_NEAR(c.depth, depth, 0.01 * depth);
    least = {std::min(least.x, c.position.x), std::min(least.y, c.position.y), 0};
    most = {std::max(most.x, c.position.x), std::max(most.y, c.position.y), 0};
  }
  EXPECT_NEAR(least.x, low.x, 2e-3);
  EXPECT_NEAR(least.y, low.y, 2e-3);
  EXPECT_NEAR(most.x, high.x, 2e-3);
  EXPECT_NEAR(most.y, high.y, 2e-3);
}

// A fixed bug: each place of the rim was to leave by the side of the box that it lies in, by next to nothing,
// and where the rim comes out of the box at a corner, it carried only from the middle of what is inside on.
TEST(OpenShellTest, ABoxOfTheSameFootprintStandsOnTheRim) {
  for (const double depth : {1e-4, 1e-3, 1e-2})
    for (const Vec3& aside : {Vec3{0, 0, 0}, Vec3{1e-5, 0, 0}, Vec3{1e-3, 0, 0}, Vec3{0.01, 0, 0},
                              Vec3{1e-3, 1e-3, 0}, Vec3{0.05, 0.05, 0}})
      expectBorne(boxSoup({0.5, 0.4, 0.3}), {{}, aside + Vec3{0, 0, 0.325 - depth}},
                  crateSoup({0.5, 0.4, 0.35}), depth, aside - Vec3{0.25, 0.2, 0}, {0.25, 0.2, 0});
}

// A fixed bug: without a crossing, the vertex that was asked whether it is inside lay on the edge of the box.
TEST(OpenShellTest, ABoxLiesOnATileOfItsFootprint) {
  for (const double depth : {1e-4, 1e-3, 1e-2})
    for (const double aside : {0.0, 1e-7, 1e-4})
      expectBorne(boxSoup({0.4, 0.4, 0.3}), {{}, {aside, 0, 0.15 - depth}}, tileSoup(), depth,
                  {-0.2, -0.2, 0}, {0.2, 0.2, 0});
}

// A fixed bug: the contour ends where the angle does, which is no reason not to look beyond it.
TEST(OpenShellTest, AnAngleOfSheetLiesOnAGroundOfSheetWithItsWholeBase) {
  Soup ground;
  ground.addTriangle({-2, -2, 0}, {2, -2, 0}, {2, 2, 0});
  ground.addTriangle({-2, -2, 0}, {2, 2, 0}, {-2, 2, 0});
  for (const double y : {-1.0, -0.3, 0.3, 1.0})
    expectBorne(angleSoup(), {{}, {0.1, y, -0.001}}, ground, 0.001, {-0.1, y - 0.2, 0}, {0.3, y + 0.2, 0});
}

/// The wall of a screw around the z axis from z = 0 on, of ten rows a turn of the thread, which rises by 0.1:
/// `add` farther out, and seen from outside or from inside.
void addThread(double add, int rows, bool from_outside, Soup& out) {
  constexpr int kSegments = 48;
  const auto at = [&](int row, int i) {
    const double angle = 2 * std::numbers::pi * (i % kSegments) / kSegments;
    const double turn = row / 10.0 - double(i % kSegments) / kSegments;
    const double off_crest = std::abs(turn - std::floor(turn) - 0.5);
    const double radius = 0.5 + 0.04 * std::clamp((0.4 - off_crest) / 0.3, 0.0, 1.0) + add;
    return Vec3{radius * std::cos(angle), radius * std::sin(angle), 0.01 * row};
  };
  for (int row = 0; row < rows; ++row)
    for (int i = 0; i < kSegments; ++i) {
      const int to = from_outside ? i + 1 : i, from = from_outside ? i : i + 1;
      out.addTriangle(at(row, from), at(row, to), at(row + 1, to));
      out.addTriangle(at(row, from), at(row + 1, to), at(row + 1, from));
    }
  for (int i = 0; i < kSegments && from_outside; ++i) out.addTriangle(at(0, i + 1), at(0, i), {});
  for (int i = 0; i < kSegments && !from_outside; ++i) {
    const auto rim = [&](int j, double z) {
      const double angle = 2 * std::numbers::pi * (j % kSegments) / kSegments;
      return Vec3{0.7 * std::cos(angle), 0.7 * std::sin(angle), z};
    };
    out.addTriangle(at(rows, i), at(rows, i + 1), {0, 0, 0.01 * rows});
    out.addTriangle(at(0, i), at(0, i + 1), rim(i + 1, 0));
    out.addTriangle(at(0, i), rim(i + 1, 0), rim(i, 0));
    out.addTriangle(rim(i, 0), rim(i + 1, 0), rim(i + 1, 0.6));
    out.addTriangle(rim(i, 0), rim(i + 1, 0.6), rim(i, 0.6));
    out.addTriangle(rim(i, 0.6), rim(i + 1, 0.6), {0, 0, 0.6});
  }
}

// A fixed bug: past the border of a bolt whose end is missing, all of the cap that is screwed on it counts as
// inside, and corners of its outer wall left the bolt by going in at its front: by 0.2, of an overlap of
// 0.003.
TEST(OpenShellTest, ACapOnABoltWithoutAnEndLeavesItByNoMoreThanAThread) {
  Soup bolt_soup, cap_soup;
  addThread(0, 59, true, bolt_soup);
  addThread(0.006, 50, false, cap_soup);
  const auto bolt = bolt_soup.build(), cap = cap_soup.build();
  ASSERT_GT(bolt->topology().border_edges, 0U);
  ASSERT_TRUE(cap->isSolid());
  for (int step = 0; step < 100; ++step) {
    const double angle = -2.09 - 0.0005 * step, c = std::cos(angle), s = std::sin(angle);
    const Pose pose{Mat3{{{c, -s, 0}, {s, c, 0}, {0, 0, 1}}}, {-0.0015, 0, 0.362 + 0.0001 * (step % 7)}};
    std::vector<Contact> contacts(64);
    contacts.resize(collide(*bolt, {}, *cap, pose, contacts));
    EXPECT_LT(deepestOf(contacts), 0.1) << step;
  }
}

// A fixed bug: from a closed contour on the cap's thread, all of the cap that is connected with it past the
// border of the bolt counted as inside.
TEST(OpenShellTest, ACapOnABoltWithoutAnEndIsNotInItAsAWhole) {
  Soup bolt_soup, cap_soup;
  addThread(0, 59, true, bolt_soup);
  addThread(0.006, 50, false, cap_soup);
  const auto bolt = bolt_soup.build(), cap = cap_soup.build();
  struct Place {
    double turns, height, aside, towards, lean, about;  // angles in radians
  };
  for (const Place& p : {Place{0.603228, 0.260662, 0.006992, 5.132212, 0.000223, 5.122444},
                         Place{0.766516, 0.378884, 0.007109, 5.580041, 0.002200, 2.229561},
                         Place{0.326296, 0.333434, 0.007619, 6.139686, 0.000088, 3.880636},
                         Place{0.099265, 0.310670, 0.007330, 1.023722, 0.003658, 1.417829},
                         Place{0.646788, 0.367769, 0.007789, 4.807224, 0.000625, 3.945696},
                         Place{0.302675, 0.230359, 0.007091, 5.544544, 0.002910, 1.872560}}) {
    const Vec3 turn{0, 0, 2 * std::numbers::pi * p.turns};
    const Vec3 lean = Vec3{std::cos(p.about), std::sin(p.about), 0} * p.lean;
    const Vec3 at{p.aside * std::cos(p.towards), p.aside * std::sin(p.towards), p.height};
    const Pose turned = Motion{{}, {}, {}, turn}.at(1), pose = Motion{turned, {}, at, lean}.at(1);
    std::vector<Contact> contacts(64);
    contacts.resize(collide(*bolt, {}, *cap, pose, contacts));
    ASSERT_FALSE(contacts.empty()) << p.turns;
    EXPECT_LT(deepestOf(contacts), 0.008) << p.turns;
  }
}

}  // namespace
}  // namespace odemesh::test
