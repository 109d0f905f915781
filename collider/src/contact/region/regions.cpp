#include "contact/region/regions.hpp"

#include <algorithm>
#include <tuple>

#include "contact/region/flood.hpp"
#include "contact/region/lesser_part.hpp"
#include "contact/region/point_in_solid.hpp"

namespace odemesh {

namespace {

/// A point of the piece that vertex `v` belongs to: not on its border, which often lies along edges of what
/// the sheet was made for.
[[nodiscard]] Vec3 pointOfPiece(const PlacedMesh& placed, std::uint32_t v) {
  if (!placed.mesh().isOnBorder(v)) return placed.vertex(v);
  const std::uint32_t t = placed.mesh().triangleAt(v);
  return (placed.corner(t, 0) + placed.corner(t, 1) + placed.corner(t, 2)) / 3;
}

/// A region is a set of crossings, which are numbered first, and of one more element for each
/// mesh of which pieces lie inside the other without touching its surface.
class RegionFinder {
 public:
  RegionFinder(const MeshPair& pair, std::array<SheetSide, 2>& sides, ContactScratch& scratch)
      : pair_(pair), sides_(sides), scratch_(scratch), sets_(scratch.region_sets) {}

  std::uint32_t run() {
    if (areApart()) return 0;
    joinContours();
    const int first = sides_[0].isSolid() && sides_[1].mayPart() ? 1 : 0;
    for (const int side : {first, 1 - first}) {
      if (sides_[1 - side].mayPart()) settleSheet(1 - side);
      reset(side);
      Flood flood(pair_[side], side, sides_[1 - side].isSolid(), scratch_);
      classifyEnds(side, flood);
      joinUncrossed(side, flood);
      if (sides_[1 - side].isOpenShell() && sides_[side].isSolid()) flood.stopAtBorder();
      flood.run();
      findContained(side, flood);
    }
    return sets_.size() == 0 ? 0 : numberRegions();
  }

 private:
  /// Most pairs that get here do not cross, and have nothing inside.
  [[nodiscard]] bool areApart() const {
    if (!scratch_.crossings.empty()) return false;
    for (int side = 0; side < 2; ++side) {
      if (!sides_[1 - side].isSolid()) continue;
      const PointInSolid solid(pair_[1 - side]);
      for (const std::uint32_t v : pair_[side].mesh().componentVertices())
        if (solid.contains(pointOfPiece(pair_[side], v))) return false;
    }
    return true;
  }

  void joinContours() {
    const std::size_t count = scratch_.crossings.size();
    sets_.reset(count);
    for (const ContourSegment& s : scratch_.segments) sets_.join(s.from, s.to);
    auto& kind = scratch_.contour_kind;
    kind.assign(count, ContourKind::kClosed);
    bool are_closed = true;
    for (std::uint32_t c = 0; c < count; ++c) {
      if (scratch_.crossings[c].degree == 2) continue;
      kind[sets_.root(c)] = ContourKind::kOpen;
      are_closed = false;
    }
    for (std::uint32_t c = 0; c < count; ++c) {
      scratch_.crossings[c].contour = sets_.root(c);
      kind[c] = kind[sets_.root(c)];
    }
    if (!are_closed) measureOpenContours();
  }

  void measureOpenContours() {
    auto& reach_sq = scratch_.contour_reach_sq;
    auto& ends_at = scratch_.contour_ends_at;
    reach_sq.assign(scratch_.crossings.size(), 0);
    ends_at.assign(scratch_.crossings.size(), {});
    for (std::uint32_t i = 0; i < scratch_.crossings.size(); ++i) {
      if (scratch_.contour_kind[i] != ContourKind::kOpen) continue;
      const Crossing& c = scratch_.crossings[i];
      const Vec3 off = c.point - scratch_.crossings[c.contour].point;
      reach_sq[c.contour] = std::max(reach_sq[c.contour], lengthSq(off));
      if (c.degree != 2) ends_at[c.contour][std::size_t(c.side)] = true;
    }
  }

  /// A sheet holds a body on the side where most of that is, if it cuts the body in two. It does not where
  /// its border lies in the body. What hangs over its border may have its centre on either side; that tells
  /// on which it hangs of solids, and on open shells.
  void settleSheet(int sheet) {
    if (sides_[sheet].isLayered() && isOneSheet(sheet) && !passRim(sheet)) return;
    if (sides_[1 - sheet].isSolid()) findContoursAroundBorder(sheet);
    const bool tells_over_border =
        isOneSheet(sheet) && (pair_[1 - sheet].mesh().isSolid() || sides_[sheet].isOpenShell());
    for (SheetSide::Piece& piece : sides_[sheet].pieces()) {
      auto is_in_front = isLesserPartInFront(pair_, 1 - sheet, piece.index, scratch_);
      if (!is_in_front && tells_over_border) is_in_front = isLowerInFront(pair_, 1 - sheet, scratch_);
      if (is_in_front) SheetSide::settle(piece, *is_in_front);
    }
  }

  [[nodiscard]] bool isOneSheet(int sheet) const {
    return pair_[sheet].mesh().componentVertices().size() == 1;
  }

  /// Does a contour pass around the rim of a sheet of two layers, from the one to the other? Elsewhere each
  /// layer has its own, and what is in front of the one is behind the other: no part is in front of the
  /// sheet.
  [[nodiscard]] bool passRim(int sheet) {
    auto& first_face = scratch_.order;  // by contour
    first_face.assign(scratch_.crossings.size(), Mesh::kNone);
    return std::ranges::any_of(scratch_.segments, [&](const ContourSegment& s) {
      std::uint32_t& first = first_face[scratch_.crossings[s.from].contour];
      if (first == Mesh::kNone) first = s.face[sheet];
      return dot(pair_[sheet].normal(first), pair_[sheet].normal(s.face[sheet])) < 0;
    });
  }

  void findContoursAroundBorder(int sheet) {
    const Mesh& mesh = pair_[sheet].mesh();
    const InsideSet& inside = scratch_.inside[sheet];
    auto& has_border = scratch_.order;  // by the root of what lies inside
    has_border.assign(sets_.size(), 0);
    const auto look = [&](std::uint32_t v, std::uint32_t node) {
      if (mesh.isOnBorder(v)) has_border[sets_.root(node)] = 1;
    };
    for (std::size_t i = 0; i < inside.vertices.size(); ++i)
      look(inside.vertices[i].index, inside.vertices[i].region);
    for (std::size_t i = 0; i < inside.groups.size(); ++i)
      mesh.vertexGroups()->forEachVertex(inside.groups[i].index,
                                         [&](std::uint32_t v) { look(v, inside.groups[i].region); });
    for (std::uint32_t c = 0; c < scratch_.crossings.size(); ++c)
      if (scratch_.contour_kind[c] == ContourKind::kClosed && has_border[sets_.root(c)] != 0)
        scratch_.contour_kind[c] = ContourKind::kAroundBorder;
  }

  void reset(int side) {
    const Mesh& mesh = pair_[side].mesh();
    scratch_.inside[side].reset(mesh);
    scratch_.edge_crossed[side].reset(mesh.edges().size());
    scratch_.vertex_on_rim[side].reset(mesh.vertexCount());
  }

  /// The ends of crossed edges: inside up to the first crossing if that one leaves the other body, and inside
  /// from the last one on if that one enters it.
  void classifyEnds(int side, Flood& flood) {
    const Mesh& mesh = pair_[side].mesh();
    sortCrossingsOf(side);
    auto& order = scratch_.order;
    const auto edgeOf = [&](std::size_t i) { return scratch_.crossings[order[i]].edge; };
    for (std::size_t begin = 0; begin < order.size();) {
      std::size_t last = begin;
      while (last + 1 < order.size() && edgeOf(last + 1) == edgeOf(begin)) ++last;
      if (last > begin) sortAlongEdge(std::span(order).subspan(begin, last + 1 - begin));
      scratch_.edge_crossed[side].insert(edgeOf(begin));
      const MeshEdge& edge = mesh.edges()[edgeOf(begin)];
      for (const std::uint32_t v : edge.v) scratch_.vertex_on_rim[side].insert(v);
      for (std::size_t i = begin; i < last; ++i)
        if (!leavesAt(order[i])) joinPiece(order[i], order[i + 1]);
      if (leavesAt(order[begin])) addEnd(side, edge.v[0], order[begin], flood);
      if (!leavesAt(order[last])) addEnd(side, edge.v[1], order[last], flood);
      begin = last + 1;
    }
  }

  /// An end beyond a sheet lies behind it, but not where the contour goes around the sheet's border (that may
  /// be a tip in the mouth of a cup), nor so far behind an open contour that the sheet does not reach there.
  void addEnd(int side, std::uint32_t vertex, std::uint32_t crossing, Flood& flood) const {
    if (!sides_[1 - side].isSolid()) {
      const Crossing& c = scratch_.crossings[crossing];
      const ContourKind kind = scratch_.contour_kind[crossing];
      const double off_sq = lengthSq(pair_[side].vertex(vertex) - c.point);
      if (kind == ContourKind::kAroundBorder) return;
      const bool is_open = kind == ContourKind::kOpen || kind == ContourKind::kPassing;
      if (is_open && off_sq > 4 * scratch_.contour_reach_sq[c.contour]) {
        scratch_.contour_kind[c.contour] = ContourKind::kPassing;
        return;
      }
    }
    flood.addEnd(vertex, crossing);
  }

  /// By edge.
  void sortCrossingsOf(int side) {
    auto& keys = scratch_.crossing_keys;
    keys.clear();
    for (std::uint32_t c = 0; c < scratch_.crossings.size(); ++c)
      if (const Crossing& crossing = scratch_.crossings[c]; crossing.side == side)
        keys.push_back(std::uint64_t(crossing.edge) << 32 | c);
    std::sort(keys.begin(), keys.end());  // as plain numbers, since most edges cross once
    auto& order = scratch_.order;
    order.clear();
    for (const std::uint64_t key : keys) order.push_back(static_cast<std::uint32_t>(key));
  }

  void sortAlongEdge(std::span<std::uint32_t> order) const {
    std::sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
      const Crossing& x = scratch_.crossings[a];
      const Crossing& y = scratch_.crossings[b];
      return std::tie(x.t, x.face) < std::tie(y.t, y.face);
    });
  }

  [[nodiscard]] bool leavesAt(std::uint32_t crossing) const {
    return leaves(scratch_.crossings[crossing], sides_);
  }

  /// An edge that passes through the other body ties the two ends of its piece inside together.
  void joinPiece(std::uint32_t enters, std::uint32_t leaves) {
    scratch_.crossings[enters].partner = leaves;
    sets_.join(enters, leaves);
  }

  /// Where no edge of a piece is crossed, edges of the other body may cross its faces, as those of a hole do
  /// that the end of a peg covers. If such a piece lies inside, what its contours bound is one region.
  void joinUncrossed(int side, Flood& flood) {
    if (!sides_[1 - side].isSolid()) return;
    const Mesh& mesh = pair_[side].mesh();
    const auto isOfEdge = [side](const Crossing& c) { return c.side == side; };
    if (mesh.componentVertices().size() == 1 && std::ranges::any_of(scratch_.crossings, isOfEdge)) return;
    const PointInSolid solid(pair_[1 - side]);
    StampedMap& crossing_of = scratch_.crossing_of_piece;  // kNone where nothing is to be joined
    crossing_of.reset(mesh.componentVertices().size());
    bool is_new = false;
    for (const Crossing& c : scratch_.crossings)
      if (isOfEdge(c))
        crossing_of.findOrInsert(mesh.componentOf(mesh.edges()[c.edge].v[0]), Mesh::kNone, is_new);
    for (const ContourSegment& s : scratch_.segments) {
      const std::uint32_t v = mesh.corners(s.face[side])[0], piece = mesh.componentOf(v);
      if (!crossing_of.contains(piece)) {
        const bool is_inside = solid.contains(pair_[side].vertex(v));
        crossing_of.findOrInsert(piece, is_inside ? s.from : Mesh::kNone, is_new);
        if (is_inside) flood.add(v, s.from);
      }
      if (const std::uint32_t first = crossing_of.findOrInsert(piece, Mesh::kNone, is_new);
          first != Mesh::kNone)
        sets_.join(first, s.from);
    }
  }

  /// All pieces of a rigid body that lie inside leave together: one region. A piece with crossings but no
  /// segment of a contour, as rounding makes them, may be inside already.
  void findContained(int side, Flood& flood) {
    if (!sides_[1 - side].isSolid()) return;
    const Mesh& mesh = pair_[side].mesh();
    Stamps& touched = scratch_.component_touched[side];
    touched.reset(mesh.componentVertices().size());
    for (const ContourSegment& s : scratch_.segments)
      touched.insert(mesh.componentOf(mesh.corners(s.face[side])[0]));
    const PointInSolid solid(pair_[1 - side]);
    const auto node = static_cast<std::uint32_t>(sets_.size());
    const InsideSet& inside = scratch_.inside[side];
    const std::size_t vertices = inside.vertices.size(), groups = inside.groups.size();
    for (const std::uint32_t v : mesh.componentVertices()) {
      if (touched.contains(mesh.componentOf(v)) || inside.contains(mesh, v)) continue;
      if (solid.contains(pointOfPiece(pair_[side], v))) flood.add(v, node);
    }
    if (inside.vertices.size() == vertices && inside.groups.size() == groups) return;
    sets_.add();
    flood.run();
  }

  /// Gives crossings and inside vertices the number of their region.
  [[nodiscard]] std::uint32_t numberRegions() {
    auto& number = scratch_.order;
    number.assign(sets_.size(), 0);
    std::uint32_t count = 0;
    for (std::uint32_t i = 0; i < sets_.size(); ++i)
      number[i] = sets_.root(i) == i ? count++ : number[sets_.root(i)];
    auto& crossings = scratch_.crossings;
    for (std::uint32_t c = 0; c < crossings.size(); ++c) crossings[c].region = number[c];
    scratch_.crossings_of.build(crossings.size(), count, [&](std::size_t i) { return crossings[i].region; });
    scratch_.segments_of.build(scratch_.segments.size(), count,
                               [&](std::size_t i) { return crossings[scratch_.segments[i].from].region; });
    for (InsideSet& inside : scratch_.inside) {
      inside.vertices.number(number, count);
      inside.groups.number(number, count);
    }
    return count;
  }

  const MeshPair& pair_;
  std::array<SheetSide, 2>& sides_;
  ContactScratch& scratch_;
  DisjointSets& sets_;
};

}  // namespace

std::uint32_t findRegions(const MeshPair& pair, std::array<SheetSide, 2>& sides, ContactScratch& scratch) {
  return RegionFinder(pair, sides, scratch).run();
}

}  // namespace odemesh
