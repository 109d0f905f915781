#include "contact/region/lesser_part.hpp"

#include <algorithm>
#include <array>
#include <tuple>

#include "contact/region/nested_shells.hpp"

namespace odemesh {

namespace {

/// Edges that end farther off on one side of a sheet than on the other by this factor do so by far.
constexpr double kByFar = 2;

/// What rises less than this share of what is on the other side of a sheet is a hair.
constexpr double kHair = 0.05;

class PartComparison {
 public:
  PartComparison(const MeshPair& pair, int side, std::uint32_t piece, ContactScratch& scratch)
      : placed_(pair[side]),
        mesh_(placed_.mesh()),
        sheet_(pair[1 - side]),
        side_(side),
        piece_(piece),
        scratch_(scratch),
        crossed_(scratch.edge_crossed[side]),
        on_rim_(scratch.vertex_on_rim[side]),
        part_of_(scratch.part_of_vertex),
        parts_(scratch.vertex_parts),
        middles_(scratch.contour_middles) {}

  [[nodiscard]] std::optional<bool> run() {
    crossed_.reset(mesh_.edges().size());
    on_rim_.reset(mesh_.vertexCount());
    part_of_.reset(mesh_.vertexCount());
    for (auto& part : parts_) part.clear();
    begin();
    if (parts_[0].empty() && parts_[1].empty()) return areDiscsInFront();
    if (const std::optional<bool> in_front = isHairInFront()) return in_front;
    asks_height_ = false;
    while (are_apart_ && !isWalked(0) && !isWalked(1))
      for (int part = 0; part < 2; ++part) walk(part);
    if (!are_apart_) return std::nullopt;
    const int least = isWalked(0) ? 0 : 1;
    while (are_apart_ && reach_sq_[1 - least] <= reach_sq_[least] && !isWalked(1 - least)) walk(1 - least);
    if (!are_apart_ || reach_sq_[0] == reach_sq_[1]) return std::nullopt;
    return reach_sq_[1] < reach_sq_[0];
  }

 private:
  /// What touches walls that meet may have most of its corners behind one or the other, by little: a part
  /// that is nowhere more than a hair from the sheet is the lesser one, however wide it is.
  [[nodiscard]] std::optional<bool> isHairInFront() {
    for (int part = 0; part < 2; ++part) {
      const double most = kHair * height_[1 - part];
      while (are_apart_ && height_[part] < most && !isWalked(part)) walk(part);
      if (are_apart_ && height_[part] < most) return part == 1;
    }
    return std::nullopt;
  }

  /// The ends of the edges that cross the sheet.
  void begin() {
    auto& order = scratch_.order;
    order.clear();
    for (std::uint32_t c = 0; c < scratch_.crossings.size(); ++c)
      if (scratch_.crossings[c].side == side_ && isOfPiece(scratch_.crossings[c])) order.push_back(c);
    const auto at = [&](std::uint32_t c) -> const Crossing& { return scratch_.crossings[c]; };
    std::ranges::sort(order, {},
                      [&](std::uint32_t c) { return std::tuple(at(c).edge, at(c).t, at(c).face); });
    findMiddles();
    for (std::size_t i = 0; i < order.size(); ++i) {
      const Crossing& c = at(order[i]);
      const MeshEdge& edge = mesh_.edges()[c.edge];
      crossed_.insert(c.edge);
      for (const std::uint32_t v : edge.v) on_rim_.insert(v);
      if (scratch_.contour_kind[order[i]] != ContourKind::kClosed) continue;
      const bool is_first = i == 0 || at(order[i - 1]).edge != c.edge;
      const bool is_last = i + 1 == order.size() || at(order[i + 1]).edge != c.edge;
      if (is_first) add({edge.v[0], c.contour, c.face}, c.to_front ? 0 : 1);
      if (is_last) add({edge.v[1], c.contour, c.face}, c.to_front ? 1 : 0);
    }
  }

  /// Contours that no edge of the body crosses cut discs out of its faces. They run counter-clockwise around
  /// what is behind the sheet, seen from outside of mesh 2.
  [[nodiscard]] std::optional<bool> areDiscsInFront() const {
    double area = 0;
    for (const ContourSegment& s : scratch_.segments) {
      const Crossing &from = scratch_.crossings[s.from], &to = scratch_.crossings[s.to];
      if (scratch_.contour_kind[s.from] != ContourKind::kClosed || !isOfPiece(from)) continue;
      const Vec3& about = scratch_.crossings[from.contour].point;
      area += dot(placed_.normal(s.face[side_]), cross(from.point - about, to.point - about));
    }
    if (area == 0) return std::nullopt;
    return (area < 0) == (side_ == 1);
  }

  [[nodiscard]] bool isOfPiece(const Crossing& c) const {
    const Mesh& sheet = sheet_.mesh();
    return sheet.componentOf(c.side == side_ ? sheet.corners(c.face)[0] : sheet.edges()[c.edge].v[0]) ==
           piece_;
  }

  /// A body may touch several walls of one sheet: each contour has its own.
  void findMiddles() {
    middles_.assign(scratch_.crossings.size(), {});
    for (std::size_t c = 0; c < scratch_.crossings.size(); ++c) {
      if (scratch_.contour_kind[c] != ContourKind::kClosed || !isOfPiece(scratch_.crossings[c])) continue;
      ContourMiddle& middle = middles_[scratch_.crossings[c].contour];
      middle.point += scratch_.crossings[c].point;
      ++middle.count;
    }
    for (ContourMiddle& middle : middles_)
      if (middle.count > 0) middle.point = middle.point / middle.count;
  }

  /// How far a vertex is from the middle of the contour from which it was reached, squared.
  [[nodiscard]] double reachSq(const PartVertex& v) const {
    return lengthSq(placed_.vertex(v.vertex) - middles_[v.contour].point);
  }

  /// How far a vertex is from the plane of the face behind or in front of which it was reached, on that side.
  [[nodiscard]] double heightOf(const PartVertex& v, int part) const {
    const double height = dot(sheet_.normal(v.face), placed_.vertex(v.vertex) - sheet_.corner(v.face, 0));
    return part == 1 ? height : -height;
  }

  void add(const PartVertex& v, int part) {
    bool is_new = false;
    if (part_of_.findOrInsert(v.vertex, std::uint32_t(part), is_new) != std::uint32_t(part))
      are_apart_ = false;
    if (!is_new) return;
    parts_[part].push_back(v);
    reach_sq_[part] = std::max(reach_sq_[part], reachSq(v));
    if (asks_height_) height_[part] = std::max(height_[part], heightOf(v, part));
  }

  [[nodiscard]] bool isWalked(int part) const { return next_[part] == parts_[part].size(); }

  void walk(int part) {
    if (isWalked(part)) return;
    const PartVertex from = parts_[part][next_[part]++];
    const bool is_on_rim = on_rim_.contains(from.vertex);
    mesh_.forEachNeighbour(from.vertex, [&](std::uint32_t v) {
      if (!is_on_rim || !on_rim_.contains(v) || !crossed_.contains(mesh_.edgeBetween(from.vertex, v)))
        add({v, from.contour, from.face}, part);
    });
  }

  const PlacedMesh& placed_;
  const Mesh& mesh_;
  const PlacedMesh& sheet_;
  int side_;
  std::uint32_t piece_;  ///< of the sheet
  ContactScratch& scratch_;
  Stamps &crossed_, &on_rim_;
  StampedMap& part_of_;
  std::array<std::vector<PartVertex>, 2>& parts_;  ///< behind the sheet, and in front of it
  std::vector<ContourMiddle>& middles_;            ///< by contour
  std::array<std::size_t, 2> next_{};              ///< from which nothing has spread
  bool asks_height_ = true;                        ///< while the heights have to tell
  std::array<double, 2> height_{};                 ///< of the highest vertex over the sheet
  std::array<double, 2> reach_sq_{};               ///< that of the farthest vertex
  bool are_apart_ = true;                          ///< no vertex belongs to both
};

/// How far a body reaches on both sides of a sheet, summed over the places where they cross.
struct Rise {
  double in_front = 0, behind = 0;

  void add(double height) { (height > 0 ? in_front : behind) += std::abs(height); }
};

/// The edges of mesh `side` that cross the sheet.
[[nodiscard]] Rise riseOfEdges(const MeshPair& pair, int side, const ContactScratch& scratch) {
  const PlacedMesh& body = pair[side];
  Rise rise;
  for (const Crossing& c : scratch.crossings)
    if (c.side == side)
      for (const std::uint32_t v : body.mesh().edges()[c.edge].v)
        rise.add(dot(pair[1 - side].normal(c.face), body.vertex(v) - c.point));
  return rise;
}

/// The faces of mesh `side` that the sheet's edges cross: those of a beam that lies across a sheet have no
/// edge that does.
[[nodiscard]] Rise riseOfFaces(const MeshPair& pair, int side, const ContactScratch& scratch) {
  const PlacedMesh &body = pair[side], &sheet = pair[1 - side];
  Rise rise;
  for (const Crossing& c : scratch.crossings) {
    if (c.side == side) continue;
    const Vec3 normal = sheet.normal(sheet.mesh().edges()[c.edge].triangle[0]);
    for (int i = 0; i < 3; ++i) rise.add(dot(normal, body.corner(c.face, i) - c.point));
  }
  return rise;
}

}  // namespace

std::optional<bool> isLesserPartInFront(const MeshPair& pair, int side, std::uint32_t piece,
                                        ContactScratch& scratch) {
  return PartComparison(pair, side, piece, scratch).run();
}

std::optional<bool> isLowerInFront(const MeshPair& pair, int side, const ContactScratch& scratch) {
  Rise rise = riseOfEdges(pair, side, scratch);
  if (rise.in_front == 0 && rise.behind == 0) rise = riseOfFaces(pair, side, scratch);
  const double by_far = isOpenShell(pair[1 - side].mesh()) ? 1 / kHair : kByFar;
  if (rise.in_front > by_far * rise.behind) return false;
  if (rise.behind > by_far * rise.in_front) return true;
  return std::nullopt;
}

}  // namespace odemesh
