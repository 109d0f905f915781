// Drawers, half out of their slots, and plugs in their sockets stand askew there: told as two meshes, they
// are no deeper than the boxes that both are made of.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <odemesh/collide.hpp>
#include <random>
#include <span>
#include <vector>

#include "motion/sweep.hpp"
#include "test_contacts.hpp"
#include "test_meshes.hpp"

namespace odemesh::test {
namespace {

constexpr double kWidth = 0.5, kHeight = 0.2, kLength = 0.8, kWall = 0.025;

struct Box {
  Vec3 low, high;
};

/// A body as the surface of the union of boxes, and as these boxes one by one.
struct Body {
  explicit Body(const std::vector<Box>& boxes) {
    std::array<std::vector<double>, 3> planes;
    for (int axis = 0; axis < 3; ++axis) {
      for (const Box& b : boxes) planes[axis].insert(planes[axis].end(), {b.low[axis], b.high[axis]});
      std::ranges::sort(planes[axis]);
      planes[axis].erase(std::unique(planes[axis].begin(), planes[axis].end()), planes[axis].end());
    }
    const auto isFilled = [&](std::size_t i, std::size_t j, std::size_t k) {
      return std::ranges::any_of(boxes, [&](const Box& b) {
        return b.low.x <= planes[0][i] && planes[0][i] < b.high.x && b.low.y <= planes[1][j] &&
               planes[1][j] < b.high.y && b.low.z <= planes[2][k] && planes[2][k] < b.high.z;
      });
    };
    whole = cellSoup(planes, isFilled).buildMerged();
    for (const Box& b : boxes) {
      Soup box = boxSoup(b.high - b.low);
      for (Vec3& v : box.vertices) v += 0.5 * (b.low + b.high);
      parts.push_back(box.buildMerged());
    }
  }
  MeshPtr whole;
  std::vector<MeshPtr> parts;
};

/// A floor and four walls above it.
Body drawer() {
  const double x = kWidth / 2, y = kLength / 2;
  return Body({{{-x, -y, 0}, {x, y, kWall}},
               {{-x, -y, 0}, {kWall - x, y, kHeight}},
               {{x - kWall, -y, 0}, {x, y, kHeight}},
               {{-x, -y, 0}, {x, kWall - y, kHeight}},
               {{-x, y - kWall, 0}, {x, y, kHeight}}});
}

/// Open at -y, and wider and higher than the drawer by twice `gap`.
Body slot(double gap) {
  const double x = kWidth / 2 + gap, y = kLength / 2, z = kHeight + 2 * gap, wall = 2 * kWall;
  return Body({{{-x - wall, -y, -wall}, {x + wall, y, 0}},
               {{-x - wall, -y, z}, {x + wall, y, z + wall}},
               {{-x - wall, -y, -wall}, {-x, y, z + wall}},
               {{x, -y, -wall}, {x + wall, y, z + wall}},
               {{-x - wall, y, -wall}, {x + wall, y + wall, z + wall}}});
}

double deepest(const Mesh& a, const Pose& pose, const Mesh& b) {
  std::array<Contact, 64> contacts;
  return deepestOf(std::span(contacts).first(collide(a, pose, b, {}, contacts)));
}

double deepestOfParts(const Body& a, const Pose& pose, const Body& b) {
  double depth = 0;
  for (const MeshPtr& p : a.parts)
    for (const MeshPtr& q : b.parts) depth = std::max(depth, deepest(*p, pose, *q));
  return depth;
}

// A fixed bug: of two faces of which only one corner told how much they overlap, that corner was taken for
// the middle; where it lies at the border, what overlaps was thin, and left out. The drawer was told to leave
// by the length of its wall instead, and flew off: 7 of 45 that were pulled half out, by one side, and pushed
// back. Of these poses, 31 were.
TEST(DrawerTest, HalfOutItIsNoDeeperThanItsBoxes) {
  std::mt19937_64 random(1);
  std::uniform_real_distribution<double> unit(-1, 1);
  const Body inner = drawer();
  int askew = 0, deeper = 0;
  for (const double gap : {0.002, 0.004, 0.006}) {
    const Body outer = slot(gap);
    for (int i = 0; i < 400; ++i) {
      const double pulled = 0.3 + 0.15 * (1 + unit(random)), most = 2 * gap / (kLength - pulled);
      const double lean = most * (1 + 0.2 * unit(random)), yaw = most * unit(random);
      const double mouth = pulled - kLength / 2;  // along the drawer
      const double aside = std::copysign(gap, yaw) * (1 + 0.2 * unit(random)) + yaw * mouth;
      const Pose pose{rotationBy({lean, 0.2 * lean * unit(random), yaw}),
                      {aside, -pulled, -lean * mouth - 0.4 * gap * (1 + unit(random))}};
      const double of_parts = deepestOfParts(inner, pose, outer);
      if (of_parts < 1e-4 || of_parts > 5e-3) continue;
      ++askew;
      deeper += deepest(*inner.whole, pose, *outer.whole) > 2 * of_parts;
    }
  }
  EXPECT_GT(askew, 300);
  EXPECT_EQ(deeper, 0) << "of " << askew;
}

/// A plate of 3 by 3 cells under which columns of so many cells hang, and a socket that they fill.
struct PlugAndSocket {
  using Heights = std::array<int, 9>;
  explicit PlugAndSocket(const Heights& heights) : plug(plugBoxes(heights)), socket(socketBoxes(heights)) {}

  static std::vector<Box> plugBoxes(const Heights& heights) {
    std::vector<Box> boxes{{{-1.5, -1.5, 0}, {1.5, 1.5, 1}}};
    for (int i = 0; i < 9; ++i)
      if (heights[i] > 0) boxes.push_back(column(i, -heights[i], 1));
    for (Box& b : boxes) b = {b.low * kShrunk, b.high * kShrunk};
    return boxes;
  }
  static std::vector<Box> socketBoxes(const Heights& heights) {
    std::vector<Box> boxes{{{-2.5, -2.5, -5}, {2.5, 2.5, -3}}};
    for (int i = 0; i < 9; ++i)
      if (heights[i] < 3) boxes.push_back(column(i, -3, -heights[i]));
    for (const double side : {-2.5, 1.5}) {
      boxes.push_back({{side, -2.5, -5}, {side + 1, 2.5, 1}});
      boxes.push_back({{-2.5, side, -5}, {2.5, side + 1, 1}});
    }
    return boxes;
  }
  static Box column(int i, double low, double high) {
    const double x = i % 3 - 1.5, y = i / 3 - 1.5;
    return {{x, y, low}, {x + 1, y + 1, high}};
  }

  static constexpr double kShrunk = 0.97;
  Body plug, socket;
};

// A fixed bug: in the corner between two walls, that the overlap is thin between these went unseen where
// other walls, in front of which the point is, lie nearer.
TEST(DrawerTest, APlugIsNoDeeperThanItsBoxes) {
  std::mt19937_64 random(2);
  std::uniform_real_distribution<double> unit(-1, 1);
  int askew = 0, deeper = 0;
  for (int i = 0; i < 60; ++i) {
    PlugAndSocket::Heights heights;
    for (int& h : heights) h = int(random() % 4);
    const PlugAndSocket pair(heights);
    for (int k = 0; k < 60; ++k) {
      const Pose pose{rotationBy(Vec3{0.02 * unit(random), 0.02 * unit(random), 0.03 * unit(random)}),
                      {0.04 * unit(random), 0.04 * unit(random), 0.5 + 0.3 * unit(random)}};
      const double of_parts = deepestOfParts(pair.plug, pose, pair.socket);
      if (of_parts < 1e-3 || of_parts > 0.04) continue;
      ++askew;
      deeper += deepest(*pair.plug.whole, pose, *pair.socket.whole) > 2 * of_parts;
    }
  }
  EXPECT_GT(askew, 300);
  EXPECT_LE(deeper, 0) << "of " << askew;
}

/// A plug in its socket.
struct PlugPose {
  PlugAndSocket::Heights heights;
  Vec3 turned, moved;
};

void expectNoDeeperThanBoxes(const std::vector<PlugPose>& poses) {
  for (std::size_t i = 0; i < poses.size(); ++i) {
    const PlugAndSocket pair(poses[i].heights);
    const Pose pose{rotationBy(poses[i].turned), poses[i].moved};
    const double of_parts = deepestOfParts(pair.plug, pose, pair.socket);
    EXPECT_GT(of_parts, 1e-3) << "pose " << i;
    EXPECT_LE(deepest(*pair.plug.whole, pose, *pair.socket.whole), 2 * of_parts) << "pose " << i;
  }
}

// A fixed bug: what is thin was looked for at so many corners of what faces share. Between many walls, a few
// pairs of faces have them all, and the next one, at which nobody had looked, was told.
TEST(DrawerTest, OfManyCornersNoneIsToldThatNobodyLookedAt) {
  expectNoDeeperThanBoxes({{{3, 2, 3, 0, 1, 2, 1, 2, 3}, {0.0029, -0.004, 0.0036}, {-0.018, -0.003, -0.005}},
                           {{3, 2, 1, 1, 0, 1, 2, 1, 3}, {-0.0035, 0.0019, 0.0042}, {0, 0.008, -0.03}},
                           {{3, 2, 1, 1, 0, 1, 2, 1, 3}, {0.0008, -0.0016, -0.0002}, {0.004, 0.012, 0.009}}});
}

// A fixed bug: two faces that lie over each other past the end of the overlap, so that the middle between
// them is in one of the bodies alone, were told as far apart as they are.
TEST(DrawerTest, FacesThatBoundNoOverlapAreNotTold) {
  expectNoDeeperThanBoxes(
      {{{2, 0, 0, 1, 0, 1, 1, 2, 0}, {-0.0043, 0.005, 0.0002}, {-0.008, -0.003, -0.008}},
       {{2, 0, 0, 0, 0, 2, 0, 0, 0}, {0.0054, -0.0001, -0.0046}, {-0.017, -0.008, -0.018}},
       {{2, 3, 1, 2, 0, 2, 0, 2, 1}, {0.0039, 0.0028, 0.0052}, {-0.013, 0.007, 0.003}},
       {{0, 2, 1, 2, 0, 1, 1, 2, 3}, {0.0029, -0.0018, -0.0037}, {0.014, -0.011, -0.014}}});
}

// A fixed bug: two faces of which a hair lies over each other were told as far apart as they are, since at
// their middle rays start in front of the walls that make it thin.
TEST(DrawerTest, FacesThatShareAHairAreNotTold) {
  expectNoDeeperThanBoxes({{{0, 2, 0, 2, 0, 1, 3, 3, 0}, {-0.0036, -0.0029, 0.0023}, {0.011, 0.018, -0.003}},
                           {{0, 1, 3, 0, 2, 1, 2, 2, 3}, {0.0017, 0.0015, -0.0045}, {0.017, -0.016, 0.837}}});
}

// A fixed bug: walls beside a region that its contour does not meet were looked for only where that has eight
// faces or less. Between many walls, the floor of a corner may be that of another region, or a hair off.
TEST(DrawerTest, BetweenManyWallsTheOneBesideIsKnown) {
  expectNoDeeperThanBoxes(
      {{{1, 2, 1, 1, 0, 3, 3, 3, 1}, {0.0032, 0.0026, 0.0038}, {-0.013, 0.007, -0.009}},
       {{0, 1, 2, 3, 0, 1, 1, 1, 1}, {-0.0021, 0.0025, 0.0009}, {0.015, -0.015, -0.008}}});
}

// A fixed bug: the corner of a hole that two walls and the floor hold was looked for between all walls whose
// planes pass near it, of which some oppose each other. Off the two walls alone, what fills it runs into the
// floor.
TEST(DrawerTest, ACornerIsLookedForBetweenTheWallsThatReachIt) {
  expectNoDeeperThanBoxes({{{2, 3, 1, 2, 0, 2, 3, 0, 2}, {-0.0038, -0.0028, 0.0052}, {0.012, 0.013, -0.009}},
                           {{3, 0, 1, 0, 2, 0, 3, 1, 2}, {0.0057, -0.0059, -0.0006}, {-0.018, 0.003, 0}},
                           {{2, 2, 0, 1, 0, 3, 1, 2, 2}, {0.0045, -0.0043, 0.0079}, {0.004, -0.011, -0.012}},
                           {{0, 2, 3, 1, 0, 1, 3, 2, 1}, {0.002, 0.004, 0.0054}, {0.003, -0.01, 0.001}}});
}

// A fixed bug: of a beam that lies on a rail and is pressed against a post on it, no vertex is inside. Along
// the only direction in which it leaves both at once, the faces lie over each other by as much as the rail is
// wide, and that was taken for the overlap.
TEST(DrawerTest, ABeamLiesOnARailAndLeansAgainstAPost) {
  // Closed boxes that reach into each other, without a common edge.
  Soup rail = boxSoup({0.4, 0.05, 0.05}), post = boxSoup({0.05, 0.05, 0.3});
  post.transform({{}, {0.1, 0, 0.12}});
  rail.add(post);
  const MeshPtr angle = rail.buildMerged(), beam = boxSoup({0.06, 0.8, 0.06}).buildMerged();
  std::mt19937_64 random(1);
  std::uniform_real_distribution<double> unit(0, 1);
  for (int k = 0; k < 3000; ++k) {
    const double below = 1e-3 * unit(random), behind = 3e-3 * unit(random), yaw = unit(random) - 0.5;
    const double tilt = k % 2 == 0 ? 1e-3 : 1e-2;  // of which the beam has up to half, about x and y
    const Mat3 flat = rotationBy({0, 0, yaw});
    const Vec3 edge{0.075, yaw > 0 ? -0.025 : 0.025, 0};  // of the post, which the beam's side meets
    Vec3 at = edge + flat * Vec3{behind - 0.03, 0.6 * unit(random) - 0.3, 0};
    at.z = 0.025 + 0.03 - below;
    const Mat3 rotation = rotationBy(Vec3{unit(random) - 0.5, unit(random) - 0.5, 0} * tilt) * flat;
    EXPECT_LT(deepest(*beam, {rotation, at}, *angle), 2 * (below + behind) + 0.3 * tilt) << k;
  }
}

}  // namespace
}  // namespace odemesh::test
