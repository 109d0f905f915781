#include "contact/regions.hpp"

#include <algorithm>
#include <tuple>

#include "contact/point_in_solid.hpp"

namespace odemesh {

namespace {

/// A region is a set of crossings, which are numbered first, and of one more element for each
/// mesh of which pieces lie inside the other without touching its surface.
class RegionFinder {
 public:
  RegionFinder(const MeshPair& pair, const std::array<SheetSide, 2>& sides, ContactScratch& scratch)
      : pair_(pair), sides_(sides), scratch_(scratch), sets_(scratch.region_sets) {}

  std::uint32_t run() {
    if (areApart()) return 0;
    joinContours();
    for (int side = 0; side < 2; ++side) {
      classifyEnds(side);
      flood(side, 0);
      findContained(side);
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
        if (solid.contains(pair_[side].vertex(v))) return false;
    }
    return true;
  }

  void joinContours() {
    const std::size_t count = scratch_.crossings.size();
    sets_.reset(count);
    for (const ContourSegment& s : scratch_.segments) sets_.join(s.from, s.to);
    auto& open = scratch_.on_open_contour;
    open.assign(count, 0);
    for (std::uint32_t c = 0; c < count; ++c)
      if (scratch_.crossings[c].degree != 2) open[sets_.root(c)] = 1;
    for (std::uint32_t c = 0; c < count; ++c) {
      scratch_.crossings[c].contour = sets_.root(c);
      open[c] = open[sets_.root(c)];
    }
  }

  /// The ends of crossed edges: inside up to the first crossing if that one leaves the other body, and inside
  /// from the last one on if that one enters it.
  void classifyEnds(int side) {
    const Mesh& mesh = pair_[side].mesh();
    scratch_.inside[side].clear();
    scratch_.inside_vertices[side].reset(mesh.vertexCount());
    scratch_.edge_crossed[side].reset(mesh.edges().size());
    scratch_.vertex_on_rim[side].reset(mesh.vertexCount());
    sortCrossingsOf(side);
    const auto& order = scratch_.order;
    const auto edgeOf = [&](std::size_t i) { return scratch_.crossings[order[i]].edge; };
    for (std::size_t begin = 0; begin < order.size();) {
      std::size_t last = begin;
      while (last + 1 < order.size() && edgeOf(last + 1) == edgeOf(begin)) ++last;
      scratch_.edge_crossed[side].insert(edgeOf(begin));
      const MeshEdge& edge = mesh.edges()[edgeOf(begin)];
      for (const std::uint32_t v : edge.v) scratch_.vertex_on_rim[side].insert(v);
      for (std::size_t i = begin; i < last; ++i)
        if (!leavesAt(order[i])) joinPiece(order[i], order[i + 1]);
      if (leavesAt(order[begin])) addInside(side, edge.v[0], order[begin]);
      if (!leavesAt(order[last])) addInside(side, edge.v[1], order[last]);
      begin = last + 1;
    }
  }

  void sortCrossingsOf(int side) {
    auto& order = scratch_.order;
    order.clear();
    for (std::uint32_t c = 0; c < scratch_.crossings.size(); ++c)
      if (scratch_.crossings[c].side == side) order.push_back(c);
    std::sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
      const Crossing& x = scratch_.crossings[a];
      const Crossing& y = scratch_.crossings[b];
      return std::tie(x.edge, x.t, x.face) < std::tie(y.edge, y.t, y.face);
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

  void addInside(int side, std::uint32_t vertex, std::uint32_t node) {
    bool is_new = false;
    const std::uint32_t known = scratch_.inside_vertices[side].findOrInsert(vertex, node, is_new);
    if (is_new)
      scratch_.inside[side].push_back({vertex, node});
    else if (known != node)
      sets_.join(known, node);
  }

  /// Spreads the inside from the vertices at `first` and after over the edges that are not crossed. Behind a
  /// sheet there is no volume to fill, unless the contour is closed and so cuts this surface in two.
  void flood(int side, std::size_t first) {
    const Mesh& mesh = pair_[side].mesh();
    const bool fills = sides_[1 - side].isSolid();
    for (std::size_t i = first; i < scratch_.inside[side].size(); ++i) {
      const auto [from, origin] = scratch_.inside[side][i];
      if (!fills && scratch_.on_open_contour[origin] != 0) continue;
      const std::uint32_t node = fills ? sets_.root(origin) : origin;  // equal nodes need not be joined
      if (scratch_.vertex_on_rim[side].contains(from)) {
        for (const std::uint32_t e : mesh.edgesAt(from))
          if (!scratch_.edge_crossed[side].contains(e)) addInside(side, mesh.otherEnd(e, from), node);
      } else {
        const auto [lower, higher] = mesh.neighboursAt(from);
        for (const std::uint32_t v : lower) addInside(side, v, node);
        for (const std::uint32_t v : higher) addInside(side, v, node);
      }
    }
  }

  /// All pieces of a rigid body that lie inside leave together: one region. A piece with crossings but no
  /// segment of a contour, as rounding makes them, may be inside already.
  void findContained(int side) {
    if (!sides_[1 - side].isSolid()) return;
    const Mesh& mesh = pair_[side].mesh();
    Stamps& touched = scratch_.component_touched[side];
    touched.reset(mesh.componentVertices().size());
    for (const ContourSegment& s : scratch_.segments)
      touched.insert(mesh.componentOf(mesh.corners(s.face[side])[0]));
    const PointInSolid solid(pair_[1 - side]);
    const auto node = static_cast<std::uint32_t>(sets_.size());
    const std::size_t first = scratch_.inside[side].size();
    for (const std::uint32_t v : mesh.componentVertices()) {
      if (touched.contains(mesh.componentOf(v)) || scratch_.inside_vertices[side].contains(v)) continue;
      if (!solid.contains(pair_[side].vertex(v))) continue;
      addInside(side, v, node);
    }
    if (scratch_.inside[side].size() == first) return;
    sets_.add();
    flood(side, first);
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
    for (auto& inside : scratch_.inside)
      for (InsideVertex& v : inside) v.region = number[v.region];

    scratch_.crossings_of.build(crossings.size(), count, [&](std::size_t i) { return crossings[i].region; });
    scratch_.segments_of.build(scratch_.segments.size(), count,
                               [&](std::size_t i) { return crossings[scratch_.segments[i].from].region; });
    for (int side = 0; side < 2; ++side)
      scratch_.inside_of[side].build(scratch_.inside[side].size(), count,
                                     [&](std::size_t i) { return scratch_.inside[side][i].region; });
    return count;
  }

  const MeshPair& pair_;
  const std::array<SheetSide, 2>& sides_;
  ContactScratch& scratch_;
  DisjointSets& sets_;
};

}  // namespace

std::uint32_t findRegions(const MeshPair& pair, const std::array<SheetSide, 2>& sides,
                          ContactScratch& scratch) {
  return RegionFinder(pair, sides, scratch).run();
}

}  // namespace odemesh
