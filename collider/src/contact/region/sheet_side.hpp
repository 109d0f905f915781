// Which side of a surface counts as its outside.
//
// A solid has its own. A sheet (an open mesh, one with edges of more than two triangles, a one-sided, an
// inside-out or a flat closed one) holds the other body on the side where that body's centre is; each of its
// pieces for itself, if they are few.
//
// A piece that cuts the body in two holds it where the greater part of it is (`settle`). What hangs over the
// border of a sheet of one piece is held where it rises higher: past a border the centre tells nothing, and
// that of a ring or a hook lies beyond what it hangs on. Of a sheet of both windings nothing is cut off but
// around its rim: elsewhere both parts are behind one of its layers, and the centre tells.
//
// An open shell does the same or, if it does not cut the body in two, is not larger and has more of it than a
// hair on both sides, holds it on the side away from the volume that it encloses.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "contact/placed_mesh.hpp"
#include "contact/region/nested_shells.hpp"
#include "contact/scratch.hpp"

namespace odemesh {

class SheetSide {
 public:
  /// Decides for mesh `side` of the pair, from the faces that the contours of `scratch` pass through.
  SheetSide(const MeshPair& pair, int side, const ContactScratch& scratch)
      : placed_(pair[side]), other_centre_(pair[1 - side].centre()) {
    const Mesh& mesh = placed_.mesh();
    const MeshTopology& topology = mesh.topology();
    is_solid_ = mesh.isSolid();
    if (is_solid_) return;
    const Mesh& other = pair[1 - side].mesh();
    if (const std::optional<int> inner = innerShell(pair, scratch)) {
      flipped_ = (topology.volume < 0) != (*inner != side);
      return;
    }
    lookAtPieces(side, scratch);
    may_part_ = is_open_shell_ = odemesh::isOpenShell(mesh);
    if (mesh.isShell() && !topology.is_one_sided && other.sphereRadius() >= mesh.sphereRadius()) {
      is_solid_ = topology.isWatertight();
      flipped_ =
          (topology.volume < 0) != (is_open_shell_ && other.isSolid() && standsIn(pair, side, scratch));
      return;
    }
    is_layered_ = topology.border_edges == 0 && topology.volume == 0;
    by_face_ = topology.is_one_sided || topology.non_manifold_edges > 0 || is_layered_;
    const std::size_t pieces = mesh.componentVertices().size();
    const bool are_pieces = pieces > 1 && !isSoup(mesh);
    if (!topology.is_one_sided && !is_open_shell_)
      may_part_ = (pieces == 1 || are_pieces) && (other.isSolid() || other.isShell());
    by_piece_ = are_pieces && !by_face_ && pieces <= kMostPieces;
  }

  [[nodiscard]] bool isSolid() const { return is_solid_; }
  /// Can other bodies lie in it as well as on it, whatever their size?
  [[nodiscard]] bool isOpenShell() const { return is_open_shell_; }
  /// Is it closed and flat, or given with both windings? Each of its layers looks the other way.
  [[nodiscard]] bool isLayered() const { return is_layered_; }
  /// May a piece of it cut the other body in two, so that its outside is where the greater part of that is?
  [[nodiscard]] bool mayPart() const { return may_part_; }

  /// A piece of a sheet through which the contours pass.
  struct Piece {
    std::uint32_t index;  ///< as of `Mesh::componentOf`
    double towards;       ///< above 0 where the other body's centre is in front of it
    bool is_settled;
  };
  /// The first 32 of them.
  [[nodiscard]] std::span<Piece> pieces() { return std::span(pieces_).first(piece_count_); }
  /// Puts the outside of such a piece where the greater part of the other body is.
  static void settle(Piece& piece, bool lesser_part_is_in_front) {
    piece.is_settled = true;
    piece.towards = lesser_part_is_in_front ? -1 : 1;
  }

  /// True if the outside of face `t` is at its back.
  [[nodiscard]] bool isFlipped(std::uint32_t t) const {
    if (is_solid_) return flipped_;
    const std::size_t place = placeOf(pieceOf(t));
    if (place < piece_count_ && (pieces_[place].is_settled || by_piece_)) return pieces_[place].towards < 0;
    return by_face_ ? towardsOther(t) < 0 : flipped_;
  }

  /// The unit normal of face `t` towards its outside, in the contact frame.
  [[nodiscard]] Vec3 normal(std::uint32_t t) const {
    const Vec3 n = placed_.normal(t);
    return isFlipped(t) ? -n : n;
  }

 private:
  static constexpr std::size_t kMostPieces = 32;

  /// A body stands in a shell if the way from the contours to its centre leads inwards by this cosine.
  static constexpr double kInwardsCosine = 0.5;

  /// It does not if the normals of both are opposed by more than this cosine, in the mean along the contours.
  static constexpr double kMostOpposed = 0.1;

  /// Does the other body, a solid? What lies on the rim of a shell may have its centre behind all the walls
  /// that it touches, but not in the way that most of them look. The centre of a tray, in which the shell
  /// lies, is on the shell's side, too; but the faces of both look against each other.
  [[nodiscard]] bool standsIn(const MeshPair& pair, int side, const ContactScratch& scratch) const {
    Vec3 middle, outwards;
    double total = 0, alike = 0;
    for (const ContourSegment& s : scratch.segments) {
      const Vec3 &from = scratch.crossings[s.from].point, &to = scratch.crossings[s.to].point;
      const double share = length(to - from);
      middle += (from + to) * (0.5 * share);
      const Vec3 normal = placed_.normal(s.face[side]);
      outwards += normal * share;
      alike += dot(normal, pair[1 - side].normal(s.face[1 - side])) * share;
      total += share;
    }
    if (!(total > 0)) return false;
    const double sign = placed_.mesh().topology().volume < 0 ? -1 : 1;
    const Vec3 way = other_centre_ - middle / total;
    return sign * alike >= -kMostOpposed * total &&
           sign * dot(outwards, way) / total < -kInwardsCosine * length(way);
  }

  /// Each triangle of a soup tells nothing for itself. Of few pieces, walls that stand on a floor must not
  /// outvote it.
  [[nodiscard]] static bool isSoup(const Mesh& mesh) {
    return mesh.triangleCount() < 2 * mesh.componentVertices().size();
  }
  void lookAtPieces(int side, const ContactScratch& scratch) {
    double sum = 0;
    for (const ContourSegment& s : scratch.segments) {
      const double towards = towardsOther(s.face[side]);
      sum += towards;
      const std::uint32_t index = pieceOf(s.face[side]);
      const std::size_t place = placeOf(index);
      if (place == kMostPieces) continue;
      if (place == piece_count_) pieces_[piece_count_++] = {index, 0, false};
      pieces_[place].towards += towards;
    }
    flipped_ = sum < 0;
  }
  /// Of a piece among those that are looked at, or the place after them.
  [[nodiscard]] std::size_t placeOf(std::uint32_t index) const {
    std::size_t place = 0;
    while (place < piece_count_ && pieces_[place].index != index) ++place;
    return place;
  }
  [[nodiscard]] std::uint32_t pieceOf(std::uint32_t t) const {
    return placed_.mesh().componentOf(placed_.mesh().corners(t)[0]);
  }
  [[nodiscard]] double towardsOther(std::uint32_t t) const {
    return dot(placed_.normal(t), other_centre_ - placed_.corner(t, 0));
  }

  PlacedMesh placed_;
  Vec3 other_centre_;
  bool is_solid_ = true;
  bool is_open_shell_ = false;
  bool is_layered_ = false;
  bool may_part_ = false;
  bool by_face_ = false;
  bool flipped_ = false;
  bool by_piece_ = false;
  std::array<Piece, kMostPieces> pieces_;
  std::size_t piece_count_ = 0;
};

/// Does the edge leave the other body at this crossing, going from its first vertex to its second?
[[nodiscard]] inline bool leaves(const Crossing& c, const std::array<SheetSide, 2>& sides) {
  return c.to_front != sides[1 - c.side].isFlipped(c.face);
}

/// Does a segment run the other way around what is inside than it is directed, since one of its faces has its
/// outside at its back?
[[nodiscard]] inline bool runsBack(const ContourSegment& s, const std::array<SheetSide, 2>& sides) {
  return sides[0].isFlipped(s.face[0]) != sides[1].isFlipped(s.face[1]);
}

}  // namespace odemesh
