#include "mesh/touching_shells.hpp"

#include <algorithm>
#include <numeric>
#include <span>
#include <utility>

#include "mesh/cut_triangle.hpp"
#include "mesh/disjoint_sets.hpp"
#include "mesh/edge_fan.hpp"
#include "mesh/shell.hpp"
#include "narrow_phase/triangle.hpp"

namespace odemesh {

namespace {

using Index = std::uint32_t;

class ShellParter {
 public:
  explicit ShellParter(const Mesh& mesh) : mesh_(mesh), sides_(mesh), sets_(3 * mesh.triangleCount()) {}

  std::optional<PartedShells> run() {
    if (!joinCorners()) return std::nullopt;
    PartedShells out = numberCorners();
    if (!encloseVolumes(out)) return std::nullopt;
    partAlongEdges(out);
    return out;
  }

 private:
  /// An edge of many faces, as one of its wedges has it.
  struct WedgeEdge {
    Index low, high;  ///< corners
    EdgeFan::Wedge wedge;
  };

  /// Joins the corners of sides that belong together. False if an edge can't be resolved.
  [[nodiscard]] bool joinCorners() {
    EdgeFan fan(mesh_, sides_);
    for (std::size_t e = 0; e < sides_.edgeCount(); ++e) {
      const MeshEdge edge = sides_.edge(e);
      const std::span<const Index> sides = sides_.at(e);
      if (sides.size() == 2) {
        if (sides_.runsUp(edge, sides[0]) == sides_.runsUp(edge, sides[1])) return false;
        join(edge, sides[0], sides[1]);
        continue;
      }
      if (sides.size() < 2 || !fan.open(e)) return false;
      for (const EdgeFan::Wedge& w : fan.wedges()) {
        join(edge, w.begins, w.ends);
        edges_.push_back({cornerAt(w.begins, edge.v[0]), cornerAt(w.begins, edge.v[1]), w});
      }
    }
    return true;
  }

  void join(const MeshEdge& edge, Index a, Index b) {
    for (const Index v : edge.v) sets_.join(cornerAt(a, v), cornerAt(b, v));
  }

  /// The corner of a side's triangle that lies at vertex `v`, an end of the side.
  [[nodiscard]] Index cornerAt(Index side, Index v) const {
    const Index other = 3 * (side / 3) + static_cast<Index>(nextCorner(static_cast<int>(side % 3)));
    return sides_.vertexAt(side) == v ? side : other;
  }

  /// A vertex for each set of corners.
  [[nodiscard]] PartedShells numberCorners() {
    const auto count = static_cast<Index>(3 * mesh_.triangleCount());
    std::vector<Index> roots;
    for (Index c = 0; c < count; ++c)
      if (sets_.root(c) == c) roots.push_back(c);
    std::ranges::sort(roots, {}, [&](Index c) { return std::pair(sides_.vertexAt(c), c); });
    PartedShells out;
    std::vector<Index> number(count);
    for (const Index r : roots) {
      number[r] = static_cast<Index>(out.vertices.size());
      out.vertices.push_back(mesh_.vertices()[sides_.vertexAt(r)]);
    }
    for (Index c = 0; c < count; ++c) out.corners.push_back(number[sets_.root(c)]);
    out.from.resize(mesh_.triangleCount());
    std::iota(out.from.begin(), out.from.end(), 0U);
    return out;
  }

  /// Wedges whose shells join again at both ends have the same edge: all but one of them get another, around
  /// a vertex of their own.
  void partAlongEdges(PartedShells& parted) {
    const auto ends = [&](const WedgeEdge& e) {
      return std::pair(parted.corners[e.low], parted.corners[e.high]);
    };
    std::ranges::sort(edges_, [&](const WedgeEdge& a, const WedgeEdge& b) {
      return std::pair(ends(a), a.wedge.begins) < std::pair(ends(b), b.wedge.begins);
    });
    std::vector<Index> on_side;  // by side: the vertex in its middle, or none
    for (std::size_t i = 1; i < edges_.size(); ++i) {
      if (ends(edges_[i]) != ends(edges_[i - 1])) continue;
      on_side.resize(3 * mesh_.triangleCount(), Mesh::kNone);
      for (const Index side : {edges_[i].wedge.begins, edges_[i].wedge.ends})
        on_side[side] = static_cast<Index>(parted.vertices.size());
      const auto [low, high] = ends(edges_[i]);
      parted.vertices.push_back(0.5 * parted.vertices[low] + 0.5 * parted.vertices[high]);
    }
    if (!on_side.empty()) cut(parted, on_side);
  }

  void cut(PartedShells& parted, const std::vector<Index>& on_side) const {
    const std::vector<Index> whole = std::move(parted.corners);
    parted.corners.clear();
    parted.from.clear();
    for (std::size_t t = 0; t < whole.size() / 3; ++t) {
      CutTriangle triangle{{whole[3 * t], whole[3 * t + 1], whole[3 * t + 2]}, {}};
      for (int i = 0; i < 3; ++i)
        if (const Index& v = on_side[3 * t + static_cast<std::size_t>(i)]; v != Mesh::kNone)
          triangle.on[i] = std::span(&v, 1);
      forEachPiece(triangle, [&](const std::array<Index, 3>& corner) {
        parted.corners.insert(parted.corners.end(), corner.begin(), corner.end());
        parted.from.push_back(static_cast<Index>(t));
      });
    }
  }

  [[nodiscard]] bool encloseVolumes(const PartedShells& parted) const {
    DisjointSets sets(parted.vertices.size());
    const auto& corners = parted.corners;
    for (std::size_t c = 0; c < corners.size(); c += 3)
      for (const std::size_t i : {c + 1, c + 2}) sets.join(corners[c], corners[i]);
    std::vector<Shell> shells(parted.vertices.size());
    for (std::size_t t = 0; t < mesh_.triangleCount(); ++t) {
      const Index root = sets.root(corners[3 * t]);
      const Vec3& origin = parted.vertices[root];
      shells[root].take(mesh_.vertex(t, 0) - origin, mesh_.vertex(t, 1) - origin,
                        mesh_.vertex(t, 2) - origin);
    }
    return std::ranges::none_of(shells, [](const Shell& s) { return s.area > 0 && s.isFlat(); });
  }

  const Mesh& mesh_;
  const SidesAtEdges sides_;
  DisjointSets sets_;  ///< of corners
  std::vector<WedgeEdge> edges_;
};

}  // namespace

bool touchesAtVertices(const Mesh& mesh) {
  std::vector<bool> is_known(mesh.vertexCount()), is_gone_around(3 * mesh.triangleCount());
  const auto cornerOf = [&](std::size_t t, Index v) {
    return static_cast<std::size_t>(std::find(mesh.corners(t), mesh.corners(t) + 3, v) - mesh.corners(t));
  };
  for (std::size_t first = 0; first < is_gone_around.size(); ++first) {
    if (is_gone_around[first]) continue;
    const Index v = mesh.corners(first / 3)[first % 3];
    if (is_known[v]) return true;
    is_known[v] = true;
    for (std::size_t corner = first; !is_gone_around[corner];) {
      is_gone_around[corner] = true;
      const std::size_t t = corner / 3;
      const MeshEdge edge = mesh.edges()[mesh.edgeOf(t, static_cast<int>(corner % 3))];
      const std::size_t next = edge.triangle[edge.triangle[0] == t ? 1 : 0];
      corner = 3 * next + cornerOf(next, v);
    }
  }
  return false;
}

std::optional<PartedShells> partTouchingShells(const Mesh& mesh) {
  return ShellParter(mesh).run();
}

}  // namespace odemesh
