#include "mesh/flat_merge.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace odemesh {

namespace {

using Index = std::uint32_t;

/// Merging a flat part makes no triangle lower than this share of the lowest one that it had.
constexpr double kMergedHeight = 0.5;

/// What holds a vertex in its place.
struct Freedom {
  enum class Kind : std::uint8_t {
    kFixed,   ///< a corner of the surface
    kCrease,  ///< on a straight crease or border, between its two neighbours there
    kInside,  ///< inside a flat part
  };
  Kind kind = Kind::kInside;
  std::uint8_t creases = 0;
  Index along[2] = {Mesh::kNone, Mesh::kNone};
};

/// A vertex with more triangles stays: to look where to move it takes time by the square of their number.
constexpr std::size_t kMostAround = 1024;

class Merger {
 public:
  Merger(const Mesh& mesh, const FlatPartition& parts)
      : mesh_(mesh), parts_(parts), flatness_(flatnessOf(mesh)), freedom_(mesh.vertexCount()) {}

  std::vector<MergedTriangle> run() {
    classify();
    if (!anyFree()) return {};
    load();
    bool changed = false;
    for (bool again = true; again;) {
      again = false;
      for (Index v = 0; v < freedom_.size(); ++v)
        if (freedom_[v].kind != Freedom::Kind::kFixed && remove(v)) again = changed = true;
    }
    if (!changed) return {};
    std::erase_if(triangles_, [](const MergedTriangle& t) { return t.part == Mesh::kNone; });
    return std::move(triangles_);
  }

 private:
  void classify() {
    for (const MeshEdge& e : mesh_.edges()) {
      if (e.triangle[1] != Mesh::kNone && parts_.part_of[e.triangle[0]] == parts_.part_of[e.triangle[1]])
        continue;
      addCrease(e.v[0], e.v[1]);
      addCrease(e.v[1], e.v[0]);
    }
    for (Index v = 0; v < freedom_.size(); ++v)
      if (freedom_[v].creases == 2 && isStraight(v)) freedom_[v].kind = Freedom::Kind::kCrease;
  }

  void addCrease(Index v, Index to) {
    Freedom& f = freedom_[v];
    f.kind = Freedom::Kind::kFixed;
    if (f.creases < 2) f.along[f.creases] = to;
    f.creases = static_cast<std::uint8_t>(std::min(f.creases + 1, 3));
  }

  /// Does `v` lie on the line between its neighbours along the crease?
  [[nodiscard]] bool isStraight(Index v) const {
    return isBetween(mesh_, v, freedom_[v].along[0], freedom_[v].along[1], flatness_);
  }

  [[nodiscard]] bool anyFree() const {
    return std::any_of(freedom_.begin(), freedom_.end(),
                       [](const Freedom& f) { return f.kind != Freedom::Kind::kFixed; });
  }

  void load() {
    star_.resize(mesh_.vertexCount());
    least_height_.assign(parts_.normals.size(), std::numeric_limits<double>::infinity());
    for (Index t = 0; t < mesh_.triangleCount(); ++t) {
      const Index* c = mesh_.corners(t);
      triangles_.push_back({{c[0], c[1], c[2]}, parts_.part_of[t], t});
      for (int i = 0; i < 3; ++i) star_[c[i]].push_back(t);
      double& least = least_height_[parts_.part_of[t]];
      least = std::min(least, kMergedHeight * heightOf(triangles_.back()));
    }
  }

  /// The least height of a triangle; negative if it faces away from the normal of its part.
  [[nodiscard]] double heightOf(const MergedTriangle& t) const {
    const Vec3& a = mesh_.vertices()[t.corner[0]];
    const Vec3& b = mesh_.vertices()[t.corner[1]];
    const Vec3& c = mesh_.vertices()[t.corner[2]];
    const double longest = std::sqrt(std::max({lengthSq(b - a), lengthSq(c - b), lengthSq(a - c)}));
    return dot(cross(b - a, c - a), parts_.normals[t.part]) / longest;
  }

  /// Moves `v` onto the neighbour that leaves the best triangles, if there is one.
  bool remove(Index v) {
    if (star_[v].size() > kMostAround) return false;
    const Freedom& f = freedom_[v];
    if (f.kind == Freedom::Kind::kCrease && !isStraight(v)) return false;
    findNeighbours(v);
    double best_height = 0;
    Index best = Mesh::kNone;
    const auto consider = [&](Index u) {
      const double height = heightAfter(v, u, best_height);
      if (height > best_height) {
        best_height = height;
        best = u;
      }
    };
    if (f.kind == Freedom::Kind::kCrease)
      for (const Index u : f.along) consider(u);
    else
      for (const Index u : neighbours_) consider(u);
    if (best == Mesh::kNone) return false;
    collapse(v, best);
    return true;
  }

  void findNeighbours(Index v) {
    neighbours_.clear();
    for (const Index t : star_[v])
      for (const Index c : triangles_[t].corner)
        if (c != v) neighbours_.push_back(c);
    std::ranges::sort(neighbours_);
    neighbours_.erase(std::unique(neighbours_.begin(), neighbours_.end()), neighbours_.end());
  }

  /// The least height among the triangles at `v`, once it has moved to `u`; 0 if it may not, or if that is no
  /// more than `enough`.
  [[nodiscard]] double heightAfter(Index v, Index u, double enough) const {
    double least = std::numeric_limits<double>::infinity();
    std::size_t shared = 0;
    for (const Index t : star_[v]) {
      MergedTriangle moved = triangles_[t];
      if (std::find(moved.corner.begin(), moved.corner.end(), u) != moved.corner.end()) {
        ++shared;
        continue;
      }
      std::replace(moved.corner.begin(), moved.corner.end(), v, u);
      const double height = heightOf(moved);
      if (!(height >= least_height_[moved.part]) || height <= enough) return 0;
      least = std::min(least, height);
    }
    return shared > 0 && keepsTopology(u, shared) ? least : 0;
  }

  /// The neighbours that both ends of an edge have, the vertex that goes and `u`, are those across its
  /// triangles, and no others: otherwise the collapse would pinch the surface (link condition, Dey et al.
  /// 1999).
  [[nodiscard]] bool keepsTopology(Index u, std::size_t shared) const {
    const auto common =
        std::ranges::count_if(neighbours_, [&](Index n) { return n != u && areNeighbours(n, u); });
    return std::size_t(common) == shared;
  }

  /// Asked at the vertex with fewer triangles: the other may be the hub of thousands.
  [[nodiscard]] bool areNeighbours(Index v, Index u) const {
    if (star_[u].size() < star_[v].size()) std::swap(u, v);
    return std::ranges::any_of(star_[v], [&](Index t) {
      const auto& c = triangles_[t].corner;
      return std::find(c.begin(), c.end(), u) != c.end();
    });
  }

  void collapse(Index v, Index u) {
    for (const Index t : star_[v]) {
      MergedTriangle& triangle = triangles_[t];
      if (std::find(triangle.corner.begin(), triangle.corner.end(), u) != triangle.corner.end()) {
        for (const Index c : triangle.corner)
          if (c != v) std::erase(star_[c], t);
        triangle.part = Mesh::kNone;
        continue;
      }
      std::replace(triangle.corner.begin(), triangle.corner.end(), v, u);
      star_[u].push_back(t);
    }
    star_[v].clear();
    if (freedom_[v].kind == Freedom::Kind::kCrease) closeCrease(v, u);
    freedom_[v].kind = Freedom::Kind::kFixed;
  }

  /// The neighbours of `v` along its crease become each other's.
  void closeCrease(Index v, Index u) {
    const Freedom& f = freedom_[v];
    const Index other = f.along[0] == u ? f.along[1] : f.along[0];
    for (const auto& [at, to] : {std::pair{u, other}, std::pair{other, u}})
      for (Index& along : freedom_[at].along)
        if (along == v) along = to;
  }

  const Mesh& mesh_;
  const FlatPartition& parts_;
  double flatness_;
  std::vector<Freedom> freedom_;
  std::vector<MergedTriangle> triangles_;
  std::vector<std::vector<Index>> star_;
  std::vector<double> least_height_;
  std::vector<Index> neighbours_;  ///< of the vertex that is looked at
};

}  // namespace

std::vector<MergedTriangle> mergeFlatParts(const Mesh& mesh, const FlatPartition& parts) {
  return Merger(mesh, parts).run();
}

}  // namespace odemesh
