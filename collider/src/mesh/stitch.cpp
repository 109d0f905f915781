#include "mesh/stitch.hpp"

#include <algorithm>
#include <array>

#include "bvh/box_query.hpp"
#include "mesh/cut_triangle.hpp"
#include "mesh/triangle_normal.hpp"
#include "narrow_phase/triangle.hpp"

namespace odemesh {

namespace {

using Index = std::uint32_t;

/// A vertex moves by no more than this share of the shortest edge at it.
constexpr double kShareMoved = 0.1;
/// A vertex lies on an edge if it is no farther from it than this share of its distance from the edge's ends.
constexpr double kShareBeside = 0.4;

/// So many vertices are looked at, and so many more for each vertex of the border. Where thousands of loose
/// triangles meet at one place, every one has all the others near it; what they leave open stays open.
constexpr std::size_t kMostVisits = 10'000'000, kMostVisitsEach = 200;

[[nodiscard]] Aabb boxAround(const Vec3& a, const Vec3& b, double margin) {
  const Vec3 reach{margin, margin, margin};
  Aabb box;
  box.grow(a);
  box.grow(b);
  return {box.lo - reach, box.hi + reach};
}

/// The vertices of the border, with a tree to find them by their place.
class Border {
 public:
  explicit Border(const Mesh& mesh) : mesh_(mesh), vertices_(verticesOf(mesh)), tree_(boxes()) {}

  [[nodiscard]] const std::vector<Index>& vertices() const { return vertices_; }

  /// Calls `on_vertex(v)` for each vertex of the border that may be in `box`; for none, once too many were.
  template <typename OnVertex>
  void forEachIn(const Aabb& box, OnVertex&& on_vertex) const {
    if (visits_ > kMostVisits + kMostVisitsEach * vertices_.size()) return;
    forEachInBox(tree_, box, [&](Index i) {
      ++visits_;
      on_vertex(vertices_[i]);
    });
  }

  /// Calls `on_vertex(v)` for those other than the edge's ends that are no farther from it than `gap`.
  template <typename OnVertex>
  void forEachBeside(const MeshEdge& edge, double gap, OnVertex&& on_vertex) const {
    const Vec3 from = mesh_.vertices()[edge.v[0]], along = mesh_.vertices()[edge.v[1]] - from;
    forEachIn(boxAround(from, from + along, gap), [&](Index v) {
      if (v == edge.v[0] || v == edge.v[1]) return;
      const Vec3 to = mesh_.vertices()[v] - from;
      const double at = std::clamp(dot(to, along) / lengthSq(along), 0.0, 1.0);
      if (length(to - at * along) <= gap) on_vertex(v);
    });
  }

 private:
  [[nodiscard]] static std::vector<Index> verticesOf(const Mesh& mesh) {
    std::vector<Index> out;
    for (const MeshEdge& e : mesh.edges())
      if (e.triangle[1] == Mesh::kNone) out.insert(out.end(), {e.v[0], e.v[1]});
    std::ranges::sort(out);
    out.erase(std::unique(out.begin(), out.end()), out.end());
    return out;
  }
  [[nodiscard]] std::vector<Aabb> boxes() const {
    std::vector<Aabb> out(vertices_.size());
    for (std::size_t i = 0; i < out.size(); ++i) out[i].grow(mesh_.vertices()[vertices_[i]]);
    return out;
  }

  const Mesh& mesh_;
  std::vector<Index> vertices_;
  Bvh tree_;
  mutable std::size_t visits_ = 0;
};

/// How far each vertex may move, but no farther than `most`.
[[nodiscard]] std::vector<double> reachOfVertices(const Mesh& mesh, double most) {
  std::vector<double> reach(mesh.vertexCount(), most);
  for (const MeshEdge& e : mesh.edges()) {
    const double share = kShareMoved * length(mesh.vertices()[e.v[1]] - mesh.vertices()[e.v[0]]);
    for (const Index v : e.v) reach[v] = std::min(reach[v], share);
  }
  return reach;
}

/// Adds a triangle of `input` unless its corners lie on a line.
void add(StitchedSurface& out, const std::array<Index, 3>& corner, Index input) {
  const Vec3 &a = out.vertices[corner[0]], &b = out.vertices[corner[1]], &c = out.vertices[corner[2]];
  if (triangleNormal(a, b, c) == Vec3{}) return;
  out.corners.insert(out.corners.end(), corner.begin(), corner.end());
  out.input.push_back(input);
}

class BorderWelder {
 public:
  BorderWelder(const Mesh& mesh, double tolerance)
      : mesh_(mesh),
        border_(mesh),
        new_index_(mesh.vertexCount()),
        reach_(reachOfVertices(mesh, tolerance)) {}

  std::optional<StitchedSurface> run() {
    for (Index v = 0; v < new_index_.size(); ++v) new_index_[v] = v;
    bool any = false;
    for (const Index v : border_.vertices())
      if (new_index_[v] == v && gather(v)) any = true;
    if (!any) return std::nullopt;
    StitchedSurface out;
    out.vertices.assign(mesh_.vertices().begin(), mesh_.vertices().end());
    for (std::size_t t = 0; t < mesh_.triangleCount(); ++t) {
      const Index* c = mesh_.corners(t);
      add(out, {new_index_[c[0]], new_index_[c[1]], new_index_[c[2]]}, mesh_.inputTriangle(t));
    }
    return out;
  }

 private:
  /// Gives the number of `v` to later vertices beside it that have no other yet. False if there are none.
  bool gather(Index v) {
    bool any = false;
    const Vec3& p = mesh_.vertices()[v];
    border_.forEachIn(boxAround(p, p, reach_[v]), [&](Index w) {
      const double reach = std::min(reach_[v], reach_[w]);
      if (w <= v || new_index_[w] != w || lengthSq(mesh_.vertices()[w] - p) > reach * reach) return;
      new_index_[w] = v;
      any = true;
    });
    return any;
  }

  const Mesh& mesh_;
  Border border_;
  std::vector<Index> new_index_;
  std::vector<double> reach_;
};

class BorderCutter {
 public:
  BorderCutter(const Mesh& mesh, double tolerance, double to_weld)
      : mesh_(mesh), border_(mesh), tolerance_(tolerance), reach_(reachOfVertices(mesh, to_weld)) {}

  std::optional<StitchedSurface> run() {
    std::size_t first_cut = 0;
    while (first_cut < mesh_.triangleCount() && !findOnSides(first_cut)) ++first_cut;
    if (first_cut == mesh_.triangleCount()) return std::nullopt;
    StitchedSurface out;
    out.vertices.assign(mesh_.vertices().begin(), mesh_.vertices().end());
    for (std::size_t t = 0; t < mesh_.triangleCount(); ++t) {
      findOnSides(t);
      const CutTriangle whole{cornersOf(t), {on_side_[0], on_side_[1], on_side_[2]}};
      forEachPiece(whole,
                   [&](const std::array<Index, 3>& corner) { add(out, corner, mesh_.inputTriangle(t)); });
    }
    return out;
  }

 private:
  struct OnEdge {
    double along;  ///< from 0 to 1
    Index v;
  };

  [[nodiscard]] std::array<Index, 3> cornersOf(std::size_t t) const {
    const Index* c = mesh_.corners(t);
    return {c[0], c[1], c[2]};
  }

  /// Lists what lies on the sides of triangle `t`. False if nothing does.
  bool findOnSides(std::size_t t) {
    bool any = false;
    for (int i = 0; i < 3; ++i) {
      on_side_[i].clear();
      if (mesh_.edges()[mesh_.edgeOf(t, i)].triangle[1] == Mesh::kNone) findOnSide(cornersOf(t), i);
      if (!on_side_[i].empty()) any = true;
    }
    return any;
  }

  /// Lists what lies on side `i` of a triangle with these corners, from its corner i on.
  void findOnSide(const std::array<Index, 3>& corner, int i) {
    const Index a = corner[i], b = corner[nextCorner(i)], apex = corner[nextCorner(nextCorner(i))];
    const Vec3 from = mesh_.vertices()[a], ab = mesh_.vertices()[b] - from;
    found_.clear();
    border_.forEachIn(boxAround(from, from + ab, tolerance_), [&](Index v) {
      if (v == a || v == b || v == apex) return;
      const Vec3 to = mesh_.vertices()[v] - from;
      const double along = dot(to, ab) / lengthSq(ab);
      const double most = std::min(tolerance_, kShareBeside * std::min(along, 1 - along) * length(ab));
      if (along > 0 && along < 1 && length(to - along * ab) <= most && !mayWeld(v))
        found_.push_back({along, v});
    });
    std::ranges::sort(found_, {}, &OnEdge::along);
    for (const OnEdge& on : found_) on_side_[i].push_back(on.v);
  }

  /// Beside another, to which an edge from it would be so short that they would never be one.
  [[nodiscard]] bool mayWeld(Index v) const {
    bool may = false;
    const Vec3& p = mesh_.vertices()[v];
    border_.forEachIn(boxAround(p, p, reach_[v]), [&](Index w) {
      if (w != v && length(mesh_.vertices()[w] - p) <= std::min(reach_[v], reach_[w])) may = true;
    });
    return may;
  }

  const Mesh& mesh_;
  Border border_;
  double tolerance_;
  std::vector<double> reach_;
  std::vector<OnEdge> found_;                  ///< on the side in hand
  std::array<std::vector<Index>, 3> on_side_;  ///< of the triangle in hand
};

}  // namespace

bool mayClose(const Mesh& mesh, double gap) {
  const Border border(mesh);
  std::vector<bool> is_beside(mesh.vertexCount());
  std::vector<MeshEdge> alone;
  for (const MeshEdge& e : mesh.edges()) {
    if (e.triangle[1] != Mesh::kNone) continue;
    bool has = false;
    border.forEachBeside(e, gap, [&](Index v) { has = is_beside[v] = true; });
    if (!has) alone.push_back(e);
  }
  return std::ranges::all_of(alone,
                             [&](const MeshEdge& e) { return is_beside[e.v[0]] || is_beside[e.v[1]]; });
}

std::optional<StitchedSurface> weldBorders(const Mesh& mesh, double tolerance) {
  return BorderWelder(mesh, tolerance).run();
}

std::optional<StitchedSurface> cutAtBorders(const Mesh& mesh, double tolerance, double to_weld) {
  return BorderCutter(mesh, tolerance, to_weld).run();
}

}  // namespace odemesh
