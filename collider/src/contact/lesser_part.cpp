#include "contact/lesser_part.hpp"

#include <algorithm>
#include <array>
#include <tuple>

namespace odemesh {

namespace {

/// Edges that end farther off on one side of a sheet than on the other by this factor do so by far.
constexpr double kByFar = 2;

class PartComparison {
 public:
  PartComparison(const MeshPair& pair, int side, std::uint32_t piece, ContactScratch& scratch)
      : placed_(pair[side]),
        mesh_(placed_.mesh()),
        sheet_(pair[1 - side].mesh()),
        side_(side),
        piece_(piece),
        scratch_(scratch),
        crossed_(scratch.edge_crossed[side]),
        on_rim_(scratch.vertex_on_rim[side]),
        part_of_(scratch.part_of_vertex),
        parts_(scratch.vertex_parts) {}

  [[nodiscard]] std::optional<bool> run() {
    crossed_.reset(mesh_.edges().size());
    on_rim_.reset(mesh_.vertexCount());
    part_of_.reset(mesh_.vertexCount());
    for (auto& part : parts_) part.clear();
    begin();
    if (parts_[0].empty() && parts_[1].empty()) return areDiscsInFront();
    while (are_apart_ && !isWalked(0) && !isWalked(1))
      for (int part = 0; part < 2; ++part) walk(part);
    if (!are_apart_) return std::nullopt;
    const int least = isWalked(0) ? 0 : 1;
    while (are_apart_ && reach_sq_[1 - least] <= reach_sq_[least] && !isWalked(1 - least)) walk(1 - least);
    if (!are_apart_ || reach_sq_[0] == reach_sq_[1]) return std::nullopt;
    return reach_sq_[1] < reach_sq_[0];
  }

 private:
  /// The ends of the edges that cross the sheet.
  void begin() {
    auto& order = scratch_.order;
    order.clear();
    for (std::uint32_t c = 0; c < scratch_.crossings.size(); ++c)
      if (scratch_.crossings[c].side == side_ && isOfPiece(scratch_.crossings[c])) order.push_back(c);
    const auto at = [&](std::uint32_t c) -> const Crossing& { return scratch_.crossings[c]; };
    std::ranges::sort(order, {},
                      [&](std::uint32_t c) { return std::tuple(at(c).edge, at(c).t, at(c).face); });
    findMiddle();
    for (std::size_t i = 0; i < order.size(); ++i) {
      const Crossing& c = at(order[i]);
      const MeshEdge& edge = mesh_.edges()[c.edge];
      crossed_.insert(c.edge);
      for (const std::uint32_t v : edge.v) on_rim_.insert(v);
      if (scratch_.contour_kind[order[i]] != ContourKind::kClosed) continue;
      const bool is_first = i == 0 || at(order[i - 1]).edge != c.edge;
      const bool is_last = i + 1 == order.size() || at(order[i + 1]).edge != c.edge;
      if (is_first) add(edge.v[0], c.to_front ? 0 : 1);
      if (is_last) add(edge.v[1], c.to_front ? 1 : 0);
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
    const std::uint32_t of_sheet = c.side == side_ ? sheet_.corners(c.face)[0] : sheet_.edges()[c.edge].v[0];
    return sheet_.componentOf(of_sheet) == piece_;
  }

  void findMiddle() {
    Vec3 sum;
    double count = 0;
    for (std::size_t c = 0; c < scratch_.crossings.size(); ++c) {
      if (scratch_.contour_kind[c] != ContourKind::kClosed || !isOfPiece(scratch_.crossings[c])) continue;
      sum += scratch_.crossings[c].point;
      ++count;
    }
    if (count > 0) middle_ = placed_.pose().inverse().apply(sum / count);
  }

  void add(std::uint32_t vertex, int part) {
    bool is_new = false;
    if (part_of_.findOrInsert(vertex, std::uint32_t(part), is_new) != std::uint32_t(part)) are_apart_ = false;
    if (!is_new) return;
    parts_[part].push_back(vertex);
    reach_sq_[part] = std::max(reach_sq_[part], lengthSq(mesh_.vertices()[vertex] - middle_));
  }

  [[nodiscard]] bool isWalked(int part) const { return next_[part] == parts_[part].size(); }

  void walk(int part) {
    if (isWalked(part)) return;
    const std::uint32_t from = parts_[part][next_[part]++];
    const bool is_on_rim = on_rim_.contains(from);
    mesh_.forEachNeighbour(from, [&](std::uint32_t v) {
      if (!is_on_rim || !on_rim_.contains(v) || !crossed_.contains(mesh_.edgeBetween(from, v))) add(v, part);
    });
  }

  const PlacedMesh& placed_;
  const Mesh& mesh_;
  const Mesh& sheet_;
  int side_;
  std::uint32_t piece_;  ///< of the sheet
  ContactScratch& scratch_;
  Stamps &crossed_, &on_rim_;
  StampedMap& part_of_;
  std::array<std::vector<std::uint32_t>, 2>& parts_;  ///< behind the sheet, and in front of it
  std::array<std::size_t, 2> next_{};                 ///< from which nothing has spread
  std::array<double, 2> reach_sq_{};  ///< the squared distance of the farthest vertex from the middle
  Vec3 middle_;                       ///< of the contours, in the mesh's frame
  bool are_apart_ = true;             ///< no vertex belongs to both
};

}  // namespace

std::optional<bool> isLesserPartInFront(const MeshPair& pair, int side, std::uint32_t piece,
                                        ContactScratch& scratch) {
  return PartComparison(pair, side, piece, scratch).run();
}

std::optional<bool> isLowerInFront(const MeshPair& pair, int side, const ContactScratch& scratch) {
  const PlacedMesh &body = pair[side], &sheet = pair[1 - side];
  double in_front = 0, behind = 0;
  for (const Crossing& c : scratch.crossings) {
    if (c.side != side) continue;
    const Vec3 normal = sheet.normal(c.face);
    const auto& ends = body.mesh().edges()[c.edge].v;
    in_front += std::max(dot(normal, body.vertex(ends[c.to_front ? 1 : 0]) - c.point), 0.0);
    behind += std::max(-dot(normal, body.vertex(ends[c.to_front ? 0 : 1]) - c.point), 0.0);
  }
  if (in_front > kByFar * behind) return false;
  if (behind > kByFar * in_front) return true;
  return std::nullopt;
}

}  // namespace odemesh
