#include "contact/patch/way_past.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <span>

#include "contact/patch/bent_region.hpp"
#include "contact/way_out/direction.hpp"

namespace odemesh {

namespace {

/// Corners that pass each other overlap by no more than this, in units of the smaller mesh's radius: a
/// little more than what rests, on soft ground too.
constexpr double kPassing = 3e-3;

/// Bodies slide along a face if the sine between it and their motion is no more than this.
constexpr double kAlong = 0.1;

/// A body lies behind its corner if it rises from there by no more than this sine.
constexpr double kRise = 0.1;

/// A ridge ahead belongs to the corner if it is no farther off than so many times what rests overlaps.
constexpr double kNearRidge = 8;

/// Those of a corner; a body that is cut finely has more.
constexpr std::size_t kMostFaces = 12;

/// Faces whose normals have a lesser sine between them are one.
constexpr double kLeastTurn = 1e-3;

/// The faces that meet at the corner of one body.
class Corner {
 public:
  Corner(const MeshPair& pair, const std::array<SheetSide, 2>& sides, int side, const ContactScratch& scratch)
      : placed_(pair[side]),
        sides_(sides[side]),
        middle_(scratch.contour_middle),
        near_(kNearRidge * kPassing * pair.size()),
        slack_(pair.tolerances().slack) {
    for (const RegionFace& f : scratch.faces[side]) add(f.face);
    for (std::size_t i = 0; i < count_ && is_convex_; ++i) addBeside(faces_[i]);
  }

  /// Is it one, of few faces, and without a dent near it?
  [[nodiscard]] bool isConvex() const { return is_convex_; }

  /// Of the ridges near the region over its middle.
  [[nodiscard]] double height(const Vec3& outwards) const {
    double highest = 0;
    for (const Vec3& at : ridges()) highest = std::max(highest, dot(outwards, at - middle_));
    return highest;
  }

  /// Does the body fall away from its corner, seen along the unit vector `outwards`? It leaves it along its
  /// edges, and along its faces away from others.
  [[nodiscard]] bool fallsAway(const Vec3& outwards) const {
    bool has_edge = false;
    for (const Vec3& a : normals())
      for (const Vec3& b : normals()) {
        const Vec3 edge = odemesh::cross(a, b);
        const double turn = length(edge);
        if (turn < kLeastTurn) continue;
        has_edge = true;
        if (rises(edge / turn, outwards) || rises((a * dot(a, b) - b) / turn, outwards)) return false;
      }
    return has_edge || length(normals_[0] - outwards) <= kRise;
  }

 private:
  [[nodiscard]] std::span<const Vec3> normals() const { return std::span(normals_).first(count_); }
  [[nodiscard]] std::span<const Vec3> ridges() const { return std::span(ridges_).first(ridge_count_); }

  void add(std::uint32_t face) {
    const auto known = std::span(faces_).first(count_);
    if (std::ranges::find(known, face) != known.end()) return;
    is_convex_ = is_convex_ && count_ < kMostFaces;
    if (!is_convex_) return;
    faces_[count_] = face;
    normals_[count_++] = sides_.normal(face);
  }

  /// What meets the face at edges near the region.
  void addBeside(std::uint32_t face) {
    const Mesh& mesh = placed_.mesh();
    for (int i = 0; i < 3; ++i) {
      const Vec3 from = placed_.corner(face, i), along = placed_.corner(face, nextCorner(i)) - from;
      const double t = std::clamp(dot(middle_ - from, along) / lengthSq(along), 0.0, 1.0);
      const Vec3 nearest = from + along * t;
      if (!(lengthSq(nearest - middle_) < near_ * near_)) continue;
      for (const std::uint32_t other : mesh.edges()[mesh.edgeOf(face, i)].triangle)
        if (other != face) cross(face, other, nearest);
    }
  }

  void cross(std::uint32_t face, std::uint32_t other, const Vec3& at) {
    const Vec3 normal = sides_.normal(face);
    const Triangle beside = placed_.triangle(other);
    is_convex_ = is_convex_ &&
                 std::ranges::all_of(beside.v, [&](const Vec3& v) { return dot(normal, v - at) <= slack_; });
    ridges_[ridge_count_++] = at;
    add(other);
  }

  /// Does the body lie along `ray`, and this rise?
  [[nodiscard]] bool rises(const Vec3& ray, const Vec3& outwards) const {
    return dot(ray, outwards) > kRise &&
           std::ranges::all_of(normals(), [&](const Vec3& n) { return dot(n, ray) <= kLeastTurn; });
  }

  const PlacedMesh& placed_;
  const SheetSide& sides_;
  Vec3 middle_;
  double near_, slack_;
  bool is_convex_ = true;
  std::size_t count_ = 0, ridge_count_ = 0;
  std::array<std::uint32_t, kMostFaces> faces_;
  std::array<Vec3, kMostFaces> normals_;
  std::array<Vec3, 3 * kMostFaces> ridges_;  ///< points of them
};

/// Those of both bodies.
class PassingCorners {
 public:
  PassingCorners(const MeshPair& pair, const std::array<SheetSide, 2>& sides, ContactScratch& scratch)
      : first_(pair, sides, 0, scratch),
        second_(pair, sides, 1, scratch),
        are_convex_(first_.isConvex() && second_.isConvex() && isConvexHere(pair, scratch)) {}

  /// How far mesh 1 has to go along the unit vector `way` until its corner can pass that of mesh 2 for good.
  [[nodiscard]] double climbAlong(const Vec3& way) const {
    if (!are_convex_ || !first_.fallsAway(-way) || !second_.fallsAway(way)) return kEndless;
    return first_.height(-way) + second_.height(way);
  }

 private:
  Corner first_, second_;
  bool are_convex_;
};

}  // namespace

std::optional<Vec3> findWayPast(const MeshPair& pair, const std::array<SheetSide, 2>& sides,
                                const Separation& separation, ContactScratch& scratch) {
  const double most = kPassing * pair.size();
  if (!scratch.motion || separation.depth > most || scratch.is_sampled || !pair.areSolid()) return {};
  if (scratch.faces[0].size() > kMostFaces || scratch.faces[1].size() > kMostFaces) return {};
  const Pose& to_world = pair.toWorld();
  const Vec3 motion =
      to_world.rotation.transposed() * scratch.motion->at(to_world.apply(scratch.contour_middle));
  const double speed_sq = lengthSq(motion), along = kAlong * std::sqrt(speed_sq);
  const auto slidesAlong = [&](const Vec3& way) { return -dot(motion, way) <= along; };
  if (slidesAlong(separation.direction)) return {};
  std::optional<PassingCorners> corners;
  for (int side = 0; side < 2; ++side)
    for (const RegionFace& f : scratch.faces[side]) {
      const Vec3 way = side == 0 ? -f.normal : f.normal;
      if (!slidesAlong(way)) continue;
      const double thickness = mostApart(way, scratch.points);
      if (thickness > most) continue;
      if (!corners) corners.emplace(pair, sides, scratch);
      const double climb = std::max(thickness, corners->climbAlong(way));
      if (climb <= most && speed_sq >= 2 * scratch.motion->gravity * climb) return way;
    }
  return {};
}

}  // namespace odemesh
