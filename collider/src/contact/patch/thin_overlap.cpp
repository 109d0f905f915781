#include "contact/patch/thin_overlap.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <span>
#include <tuple>

#include "bvh/aabb.hpp"
#include "constants.hpp"
#include "contact/patch/clusters.hpp"
#include "contact/patch/corner.hpp"
#include "contact/patch/layers.hpp"
#include "contact/patch/shared_ground.hpp"
#include "contact/way_out/way_out.hpp"

namespace odemesh {

namespace {

/// A candidate is about little if the overlap around it is no thicker along another cluster than this share.
constexpr double kThinAcross = 0.5;

/// Between so many of the nearest walls, it may be thin, too.
constexpr std::size_t kMostNear = 3;

/// So many pairs of faces are found to be thin: the end of a peg lies over all faces of a plate around its
/// hole.
constexpr std::size_t kMostPairs = 256;

/// Is the overlap around a point in it no thicker along `direction` than `most`? On the surface of one
/// body, the other alone tells.
[[nodiscard]] bool isThin(const MeshPair& pair, const Vec3& point, const Vec3& direction, double most) {
  const auto first = exitFace(pair, 0, point, direction);
  if (first && first->t > most) return false;
  const auto second = exitFace(pair, 1, point, -direction);
  return (first || second) && (first ? first->t : 0) + (second ? second->t : 0) <= most;
}

/// May the overlap around a point in it end within `near`? It ends at faces of its region.
[[nodiscard]] bool mayEndWithin(double near, const Vec3& point, const ContactScratch& scratch) {
  const Vec3 reach{near, near, near};
  const Aabb around{point - reach, point + reach};
  const auto isNear = [&](const RegionFace& f) {
    if (std::abs(depthBehind(point, f)) > near) return false;
    Aabb box;
    for (const Vec3& corner : f.triangle.v) box.grow(corner);
    return box.meets(around);
  };
  return std::ranges::any_of(scratch.faces[0], isNear) || std::ranges::any_of(scratch.faces[1], isNear);
}

/// A wall, and how far a point is behind its plane.
struct NearWall {
  std::size_t cluster = 0;
  double distance = kEndless;
};

/// Those of the walls but `k` behind whose planes a point is by no more than `most`, if there are so many.
[[nodiscard]] std::array<NearWall, kMostNear> nearestWalls(const MeshPair& pair, const Vec3& point,
                                                           std::size_t k, double most,
                                                           const ContactScratch& scratch) {
  std::array<NearWall, kMostNear> nearest;
  for (int side = 0; side < 2; ++side)
    for (const RegionFace& f : scratch.faces[side]) {
      const double distance = depthBehind(point, f);
      if (distance < -pair.tolerances().slack || distance > most || distance >= nearest.back().distance)
        continue;
      const std::size_t cluster = nearestCluster(side == 0 ? -f.normal : f.normal, scratch);
      if (cluster == k) continue;
      auto place = std::ranges::find(nearest, cluster, &NearWall::cluster);
      if (place == nearest.end() || place->distance == kEndless) place = nearest.end() - 1;
      if (distance >= place->distance) continue;
      *place = {cluster, distance};
      std::ranges::sort(nearest, {}, &NearWall::distance);
    }
  return nearest;
}

/// Is the overlap around a point in it no thicker than `most` across the direction of cluster `k`? Either
/// along another one or, where the point is behind two walls, whose overlaps are as long as the walls
/// there, between them.
[[nodiscard]] bool isThinAcross(const MeshPair& pair, const Vec3& point, std::size_t k, double most,
                                const ContactScratch& scratch) {
  // Most often no ray is needed: half as far on all sides tells as much.
  if (!mayEndWithin(std::max(0.5 * most, pair.tolerances().slack), point, scratch)) return false;
  for (std::size_t other = 0; other < scratch.clusters.size(); ++other)
    if (other != k && isThin(pair, point, scratch.clusters[other], most)) return true;
  const auto walls = nearestWalls(pair, point, k, most, scratch);
  for (std::size_t i = 0; i < walls.size() && walls[i].distance < kEndless; ++i)
    for (std::size_t j = 0; j < i; ++j) {
      const Vec3 &first = scratch.clusters[walls[j].cluster], &second = scratch.clusters[walls[i].cluster];
      if (!areOpposite(first, second) && isThin(pair, point, normalised(first + second), most)) return true;
    }
  return false;
}

/// A point between two faces, how far these are apart there, and how wide is what they share around it.
struct MiddlePoint {
  Vec3 position;
  double thickness = 0;
  double width = 0;
};

/// The middle of the overlap of the two faces of `c`, seen along `direction`. Their corners do not tell: what
/// is the same by other faces, too, is a candidate of one of them.
[[nodiscard]] MiddlePoint middleOfOverlap(const MeshPair& pair, const Candidate& c, const Vec3& direction) {
  const Projection onto = Projection::along(direction);
  const std::array<Triangle, 2> face{pair[0].triangle(c.face[0]), pair[1].triangle(c.face[1])};
  std::array<Vec3, 2> slope;  // normals, in units of their part along the direction
  for (int side = 0; side < 2; ++side) {
    const Vec3 normal = pair[side].normal(c.face[side]);
    slope[side] = normal / dot(normal, direction);
  }
  const auto height = [&](int side, const ShadowPoint& at) {
    return dot(slope[side], face[side].v[0] - onto.lift(at, 0));
  };
  SharedGround ground(onto, face[0], face[1]);
  ground.clip([&](const ShadowPoint& at) { return height(1, at) - height(0, at); });
  const ShadowPoint at = ground.middle(onto.of(c.position));
  const double low = height(0, at), high = height(1, at);
  return {onto.lift(at, 0.5 * (low + high)), high - low, ground.width()};
}

/// Is it in both bodies? Where it is not, two faces lie over each other past the end of the overlap.
[[nodiscard]] bool isInBoth(const MeshPair& pair, const Vec3& point, const Vec3& direction) {
  return exitFace(pair, 0, point, direction) && exitFace(pair, 1, point, -direction);
}

/// What the faces share may be no wider than solids are blown up by.
[[nodiscard]] bool isThinByOthers(const MeshPair& pair, const Candidate& c, std::size_t k,
                                  const ContactScratch& scratch) {
  const Vec3& direction = scratch.clusters[k];
  const MiddlePoint middle = middleOfOverlap(pair, c, direction);
  return middle.width <= 2 * pair.tolerances().slack || !isInBoth(pair, middle.position, direction) ||
         isThinAcross(pair, middle.position, k, kThinAcross * middle.thickness, scratch);
}

/// The pairs of faces whose overlap is thin. Each is looked at once, for all of its candidates: between many
/// walls, the corners of a few pairs are many.
class ThinPairs {
 public:
  ThinPairs(const MeshPair& pair, std::size_t k, const ContactScratch& scratch)
      : pair_(pair), k_(k), scratch_(scratch) {}

  /// Of more pairs than may be looked at, the rest are not.
  [[nodiscard]] bool has(const Candidate& c) {
    const std::array<std::uint32_t, 2> faces{c.face[0], c.face[1]};
    const auto seen = std::span(faces_).first(count_);
    if (std::ranges::find(seen, faces) != seen.end()) return true;
    if (count_ == faces_.size() || !isThinByOthers(pair_, c, k_, scratch_)) return false;
    faces_[count_++] = faces;
    return true;
  }

 private:
  const MeshPair& pair_;
  std::size_t k_;
  const ContactScratch& scratch_;
  std::array<std::array<std::uint32_t, 2>, kMostPairs> faces_;  ///< those found so far
  std::size_t count_ = 0;
};

}  // namespace

void dropThin(const MeshPair& pair, std::size_t k, ContactScratch& scratch) {
  const double least = kLeastLayer * pair.size();
  auto& candidates = scratch.candidates;
  const auto isThick = [&](const Candidate& c) { return c.depth > least; };
  if (!pair.areSolid() || std::ranges::none_of(candidates, isThick)) return;
  std::ranges::sort(candidates, [](const Candidate& a, const Candidate& b) {
    return std::tie(b.depth, a.position.x, a.position.y, a.position.z) <
           std::tie(a.depth, b.position.x, b.position.y, b.position.z);
  });
  ThinPairs thin(pair, k, scratch);
  const auto real =
      std::ranges::find_if(candidates, [&](const Candidate& c) { return !isThick(c) || !thin.has(c); });
  const double most = real == candidates.end() ? 0 : std::max(least, kBentRegion * real->depth);
  std::erase_if(candidates, [&](const Candidate& c) { return c.depth > most; });
}

}  // namespace odemesh
