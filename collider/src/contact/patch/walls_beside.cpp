#include "contact/patch/walls_beside.hpp"

#include <algorithm>
#include <cstdint>

#include "constants.hpp"
#include "contact/patch/corner.hpp"
#include "contact/patch/gather.hpp"

namespace odemesh {

namespace {

/// Of more faces, those of a body that is cut finely, the contour meets what is near.
constexpr std::size_t kMostFaces = 64;

/// A vertex inside is no farther from a wall beside than so many times its way off the wall that it is
/// behind, and than this, in units of the smaller mesh's radius.
constexpr double kNearWays = 4, kNear = 0.25;

/// On its way off a wall, nothing runs into those whose normals have a greater cosine with that wall's. There
/// is no such one at a corner whose mean normal has a greater cosine with it than the latter.
constexpr double kIntoWall = 0.1, kBentCorner = 0.9;

/// Is `p` in the bounding box of a triangle, made larger by `near`?
[[nodiscard]] bool isAround(const Triangle& t, const Vec3& p, double near) {
  const auto isWithin = [&](double Vec3::*axis) {
    const auto [lowest, highest] = std::minmax({t.v[0].*axis, t.v[1].*axis, t.v[2].*axis});
    return p.*axis > lowest - near && p.*axis < highest + near;
  };
  return isWithin(&Vec3::x) && isWithin(&Vec3::y) && isWithin(&Vec3::z);
}

class WallFinder {
 public:
  WallFinder(const MeshPair& pair, const std::array<SheetSide, 2>& sides, int side, ContactScratch& scratch)
      : pair_(pair),
        sides_(sides),
        side_(side),
        placed_(pair[side]),
        mesh_(placed_.mesh()),
        scratch_(scratch) {}

  void run() {
    const std::size_t count = scratch_.faces[side_].size();
    if (!mesh_.isSolid() || mesh_.isConvex() || count > kMostFaces || points().empty()) return;
    for (std::size_t k = 0; k < count; ++k) {
      const RegionFace wall = scratch_.faces[side_][k];  // the list grows
      addBeside(wall);
      addBeyondCuts(wall);
    }
  }

 private:
  [[nodiscard]] const std::vector<Vec3>& points() const { return scratch_.inside_points[1 - side_]; }

  void addBeside(const RegionFace& wall) {
    const std::uint32_t* corners = mesh_.corners(wall.face);
    std::array<bool, 3> are_bent;
    for (std::size_t i = 0; i < 3; ++i)
      are_bent[i] = dot(placed_.pose().rotate(mesh_.vertexNormal(corners[i])), wall.normal) < kBentCorner;
    for (int i = 0; i < 3; ++i) {
      if (!are_bent[i]) continue;
      if (are_bent[nextCorner(i)]) addAt(mesh_.edgeOf(wall.face, i), wall);
      if (!isNearPoint(corners[i], wall)) continue;
      for (const std::uint32_t e : mesh_.edgesAt(corners[i])) addAt(e, wall);
    }
  }

  /// A wall is cut into triangles, and the contour of a sheet need not meet those that its vertices are
  /// behind; that of a solid goes around them.
  void addBeyondCuts(const RegionFace& wall) {
    if (pair_[1 - side_].mesh().isSolid()) return;
    for (int i = 0; i < 3; ++i)
      for (const std::uint32_t face : mesh_.edges()[mesh_.edgeOf(wall.face, i)].triangle)
        if (!scratch_.face_seen[side_].contains(face) && goesOn(face, wall))
          addBeside(regionFace(placed_, face, sides_[side_].isFlipped(face)));
  }

  /// Does `wall` go on in `face`, and is a vertex behind that?
  [[nodiscard]] bool goesOn(std::uint32_t face, const RegionFace& wall) const {
    if (dot(sides_[side_].normal(face), wall.normal) < kFlatCosine) return false;
    const Triangle beyond = placed_.triangle(face);
    return holdsForOneBehind(wall,
                             [&](const Vec3& p, double way) { return isAround(beyond, p, nearFor(way)); });
  }

  /// Positive for what counts as inside, since solids are blown up.
  [[nodiscard]] double wayOff(const RegionFace& wall, const Vec3& p) const {
    return depthBehind(p, wall) + pair_.tolerances().slack;
  }

  /// Does `holds(p, way)` for a vertex `p` that is behind `wall`, with its way off that?
  template <typename Holds>
  [[nodiscard]] bool holdsForOneBehind(const RegionFace& wall, Holds&& holds) const {
    return std::ranges::any_of(points(), [&](const Vec3& p) {
      const double way = wayOff(wall, p);
      return way > 0 && holds(p, way);
    });
  }

  [[nodiscard]] double nearFor(double way) const { return std::min(kNearWays * way, kNear * pair_.size()); }

  [[nodiscard]] bool isNearPoint(std::uint32_t corner, const RegionFace& wall) const {
    const Vec3 at = placed_.vertex(corner);
    return holdsForOneBehind(wall, [&](const Vec3& p, double way) {
      const double near = nearFor(way);
      return lengthSq(p - at) < near * near;
    });
  }

  void addAt(std::uint32_t edge, const RegionFace& wall) {
    for (const std::uint32_t face : mesh_.edges()[edge].triangle)
      if (!scratch_.face_seen[side_].contains(face) && isInTheWay(face, wall))
        addRegionFace(pair_, sides_, side_, face, scratch_);
  }

  /// Does `face` rise from `wall`, and is a vertex no farther in front of it than the way off that one?
  [[nodiscard]] bool isInTheWay(std::uint32_t face, const RegionFace& wall) const {
    if (!rises(pair_, side_, face, wall.triangle.v[0], wall.normal)) return false;
    const Triangle beside = placed_.triangle(face);
    const double slack = pair_.tolerances().slack;
    const Vec3 normal = sides_[side_].normal(face);
    return dot(normal, wall.normal) < kIntoWall && holdsForOneBehind(wall, [&](const Vec3& p, double way) {
             const double behind = dot(normal, beside.v[0] - p);
             return behind > -way - slack && behind < kNear * pair_.size() &&
                    isAround(beside, p, std::max(nearFor(way), behind + slack));
           });
  }

  const MeshPair& pair_;
  const std::array<SheetSide, 2>& sides_;
  int side_;
  const PlacedMesh& placed_;
  const Mesh& mesh_;
  ContactScratch& scratch_;
};

}  // namespace

bool rises(const MeshPair& pair, int side, std::uint32_t face, const Vec3& at, const Vec3& normal) {
  const double slack = pair.tolerances().slack;
  const Triangle triangle = pair[side].triangle(face);
  return std::ranges::any_of(triangle.v, [&](const Vec3& v) { return dot(normal, at - v) < -slack; });
}

void addWallsBeside(const MeshPair& pair, const std::array<SheetSide, 2>& sides, int side,
                    ContactScratch& scratch) {
  WallFinder(pair, sides, side, scratch).run();
}

}  // namespace odemesh
