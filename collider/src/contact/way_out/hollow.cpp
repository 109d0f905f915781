#include "contact/way_out/hollow.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <span>

#include "constants.hpp"
#include "contact/way_out/direction.hpp"
#include "contact/way_out/is_free.hpp"

namespace odemesh {

namespace {

/// Normals of a basis whose Gram determinant is less are taken for dependent.
constexpr double kLeastGram = 1e-9;

/// A basis is exchanged at most so often; each time the way out grows.
constexpr int kMostExchanges = 24;

/// A way out is much shorter if it is less than this share of another.
constexpr double kMuchShorter = 0.5;

/// Past an end, it is looked whether a body is free after so many times what overlaps is thick.
constexpr double kPastEnd = 1.25;

/// A hollow of more faces is not looked at.
constexpr std::size_t kMostHollowFaces = 256;

/// A half-space of ways that leave a face: those with dot(normal, way) >= depth.
struct Wall {
  Vec3 normal;
  double depth = 0;
};

/// How far the deepest of `points` is behind face `f`.
[[nodiscard]] Wall wallOf(const MeshPair& pair, const RegionFace& f, const std::vector<Vec3>& points) {
  const double level = dot(f.normal, f.triangle.v[0]) + pair.tolerances().inflation;
  double depth = -kEndless;
  for (const Vec3& p : points) depth = std::max(depth, level - dot(f.normal, p));
  return {f.normal, depth};
}

/// The least vector with dot(normal, way) == depth for all of `walls`, of which there are one to three; none
/// if one of them pulls instead of pushing, or if they depend on each other.
[[nodiscard]] std::optional<Vec3> leastOnto(std::span<const Wall> walls) {
  const Vec3 &a = walls[0].normal, &b = walls[walls.size() > 1 ? 1 : 0].normal;
  if (walls.size() == 1) return a * walls[0].depth;
  if (walls.size() == 2) {
    const double cosine = dot(a, b), gram = 1 - cosine * cosine;
    if (gram < kLeastGram) return std::nullopt;
    const double along_a = walls[0].depth - cosine * walls[1].depth;
    const double along_b = walls[1].depth - cosine * walls[0].depth;
    if (along_a < 0 || along_b < 0) return std::nullopt;
    return (a * along_a + b * along_b) / gram;
  }
  const Vec3& c = walls[2].normal;
  const Vec3 bc = cross(b, c), ca = cross(c, a), ab = cross(a, b);
  const double volume = dot(a, bc);
  if (volume * volume < kLeastGram) return std::nullopt;
  const Vec3 way = (bc * walls[0].depth + ca * walls[1].depth + ab * walls[2].depth) / volume;
  if (dot(way, bc) * volume < 0 || dot(way, ca) * volume < 0 || dot(way, ab) * volume < 0)
    return std::nullopt;
  return way;
}

/// The least way out of the walls seen so far, and those of them that it is due to.
class WayOut {
 public:
  [[nodiscard]] const Vec3& way() const { return way_; }

  /// Takes in a wall that the way does not leave. False if rounding leaves no basis.
  [[nodiscard]] bool add(const Wall& wall, double slack) {
    const std::array<Wall, 4> all{wall, basis_[0], basis_[1], basis_[2]};
    double least_sq = kEndless;
    for (unsigned subset = 0; subset < (1U << size_); ++subset) {
      const Chosen chosen = choose(all, subset);
      if (chosen.size > 3) continue;
      const auto way = leastOnto(std::span(chosen.walls).first(chosen.size));
      if (!way || lengthSq(*way) >= least_sq || !leaves(*way, all, slack)) continue;
      least_sq = lengthSq(*way);
      best_ = chosen;
      way_ = *way;
    }
    if (least_sq == kEndless) return false;
    size_ = best_.size;
    std::copy_n(best_.walls.begin(), 3, basis_.begin());
    return true;
  }

 private:
  struct Chosen {
    std::array<Wall, 4> walls;
    std::size_t size = 0;
  };

  /// The first of `all`, and those of the basis whose bit is set.
  [[nodiscard]] Chosen choose(const std::array<Wall, 4>& all, unsigned subset) const {
    Chosen out;
    out.walls[out.size++] = all[0];
    for (std::size_t i = 0; i < size_; ++i)
      if ((subset >> i & 1U) != 0) out.walls[out.size++] = all[i + 1];
    return out;
  }

  [[nodiscard]] bool leaves(const Vec3& way, const std::array<Wall, 4>& all, double slack) const {
    return std::ranges::all_of(std::span(all).first(size_ + 1),
                               [&](const Wall& w) { return dot(w.normal, way) >= w.depth - slack; });
  }

  std::array<Wall, 3> basis_;
  std::size_t size_ = 0;
  Chosen best_;
  Vec3 way_;
};

/// Does no point of the region lie behind a face of this side, and some in front of one?
[[nodiscard]] bool isHollow(const MeshPair& pair, int side, const ContactScratch& scratch) {
  if (scratch.faces[side].size() > kMostHollowFaces) return false;
  const double slack = pair.tolerances().slack;
  bool bends = false;
  for (const RegionFace& f : scratch.faces[side]) {
    const double level = dot(f.normal, f.triangle.v[0]);
    for (const Vec3& p : scratch.points[side]) {
      const double height = dot(f.normal, p) - level;
      if (height < -slack) return false;
      bends = bends || height > slack;
    }
  }
  return bends;
}

/// Out of the hollow of mesh `side`, along the normals of its faces.
[[nodiscard]] std::optional<Vec3> wayOutOfHollow(const MeshPair& pair, int side,
                                                 const ContactScratch& scratch) {
  const double slack = pair.tolerances().touching;
  const auto& points = scratch.inside_points[1 - side];
  WayOut out;
  for (int i = 0; i < kMostExchanges; ++i) {
    Wall worst;
    double most = slack;
    for (const RegionFace& f : scratch.faces[side]) {
      const Wall wall = wallOf(pair, f, points);
      if (const double lack = wall.depth - dot(wall.normal, out.way()); lack > most) {
        most = lack;
        worst = wall;
      }
    }
    if (most <= slack) return out.way();
    if (!out.add(worst, slack)) return std::nullopt;
  }
  return std::nullopt;
}

/// Do the faces of `side` all look along `direction`, as those of one patch do?
[[nodiscard]] bool isGentle(const Vec3& direction, int side, const ContactScratch& scratch) {
  return std::ranges::all_of(scratch.faces[side],
                             [&](const RegionFace& f) { return dot(f.normal, direction) > kClusterCosine; });
}

/// Does what lies in the hollow of `side` leave over its end, by a face of its own, on a much shorter way?
[[nodiscard]] bool passesEnd(const MeshPair& pair, int side, double depth, const ContactScratch& scratch) {
  return std::ranges::any_of(scratch.faces[1 - side], [&](const RegionFace& f) {
    const Vec3 way = side == 0 ? f.normal : -f.normal;
    const double thickness = mostApart(way, scratch.points);
    return thickness < kMuchShorter * depth && isFree(pair, way * (kPastEnd * thickness));
  });
}

}  // namespace

std::optional<Separation> leaveHollow(const MeshPair& pair, const ContactScratch& scratch) {
  if (pair.areConvex() || scratch.is_sampled) return std::nullopt;
  for (int side = 0; side < 2; ++side) {
    if (pair[side].mesh().isConvex() || !pair[side].mesh().isSolid()) continue;
    if (scratch.inside_points[1 - side].empty() || !isHollow(pair, side, scratch)) continue;
    const auto way = wayOutOfHollow(pair, side, scratch);
    if (!way || lengthSq(*way) == 0) continue;
    const double depth = length(*way);
    const Vec3 direction = *way / depth;
    if (!isGentle(direction, side, scratch) || passesEnd(pair, side, depth, scratch)) continue;
    return Separation{side == 1 ? direction : -direction, depth, depth, false, false};
  }
  return std::nullopt;
}

}  // namespace odemesh
