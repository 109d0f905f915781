#include "mesh/touching_shells.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>
#include <span>
#include <tuple>

#include "narrow_phase/triangle.hpp"

namespace odemesh {

namespace {

using Index = std::uint32_t;

/// Faces that are turned from each other by less (radians) lie on each other, whatever rounding says.
constexpr double kSameAngle = 1e-5;
/// A shell that encloses less than this share of its area times its radius consists of two flush layers.
constexpr double kLeastVolume = 1e-9;

/// An edge with more sides than this is left as it is.
constexpr std::size_t kMostSides = 64;

/// A union-find forest.
class Sets {
 public:
  explicit Sets(std::size_t count) : parent_(count) { std::iota(parent_.begin(), parent_.end(), 0U); }
  [[nodiscard]] Index root(Index i) {
    while (parent_[i] != i) i = parent_[i] = parent_[parent_[i]];
    return i;
  }
  void join(Index a, Index b) {
    a = root(a);
    b = root(b);
    parent_[std::max(a, b)] = std::min(a, b);
  }

 private:
  std::vector<Index> parent_;
};

/// What a set of triangles encloses.
struct Shell {
  double volume = 0, area = 0, radius = 0;

  void take(const Vec3& a, const Vec3& b, const Vec3& c) {
    volume += dot(a, cross(b, c)) / 6;
    area += 0.5 * length(cross(b - a, c - a));
    radius = std::max({radius, length(a), length(b), length(c)});
  }
  [[nodiscard]] bool isFlat() const { return std::abs(volume) <= kLeastVolume * area * radius; }
};

/// The sides of all triangles, numbered 3 * triangle + side, by the edge that they lie on.
class SidesAtEdges {
 public:
  explicit SidesAtEdges(const Mesh& mesh)
      : mesh_(mesh), edges_(mesh.edges()), begin_(edges_.size() + 1, 0), side_(3 * mesh.triangleCount()) {
    const auto count = static_cast<Index>(side_.size());
    for (Index s = 0; s < count; ++s) ++begin_[edgeOf(s) + 1];
    std::partial_sum(begin_.begin(), begin_.end(), begin_.begin());
    std::vector<Index> next(begin_.begin(), begin_.end() - 1);
    for (Index s = 0; s < count; ++s) side_[next[edgeOf(s)]++] = s;
  }

  [[nodiscard]] std::size_t edgeCount() const { return edges_.size(); }
  [[nodiscard]] MeshEdge edge(std::size_t e) const { return edges_[e]; }
  [[nodiscard]] std::span<const Index> at(std::size_t e) const {
    return std::span(side_).subspan(begin_[e], begin_[e + 1] - begin_[e]);
  }
  [[nodiscard]] Index vertexAt(Index corner) const { return mesh_.corners(corner / 3)[corner % 3]; }
  [[nodiscard]] bool runsUp(const MeshEdge& edge, Index side) const { return vertexAt(side) == edge.v[0]; }

 private:
  [[nodiscard]] Index edgeOf(Index side) const { return mesh_.edgeOf(side / 3, static_cast<int>(side % 3)); }

  const Mesh& mesh_;
  const Mesh::Edges edges_;
  std::vector<Index> begin_, side_;
};

/// The sides at one edge of a closed surface, by their angles about it. The inside lies between those that
/// run down the edge and those that come after them and run up.
class Fan {
 public:
  /// Part of the inside: the sides where it begins and ends.
  struct Wedge {
    Index begins, ends;
  };

  Fan(const Mesh& mesh, const SidesAtEdges& sides) : mesh_(mesh), sides_(sides) {}

  /// Looks at edge `e`. False if it can't be resolved: as many sides have to run up as down, none may be
  /// given twice, and where two faces lie on each other, there has to be inside on both sides of them.
  [[nodiscard]] bool open(std::size_t e) {
    if (sides_.at(e).size() > kMostSides) return false;
    sort(sides_.edge(e), sides_.at(e));
    const auto up = std::ranges::count_if(blades_, &Blade::runs_up);
    return 2 * up == std::ssize(blades_) && !hasDuplicates() && findWedges();
  }

  [[nodiscard]] const std::vector<Wedge>& wedges() const { return wedges_; }

  /// Calls `on_pair` for every two sides whose faces lie on each other with no space between.
  template <typename OnPair>
  void forEachGlued(OnPair&& on_pair) const {
    for (std::size_t i = 0; i < blades_.size(); ++i) {
      const Blade &a = blades_[i], &b = blades_[(i + 1) % blades_.size()];
      if (a.runs_up && !b.runs_up && turnTo(a, b) < 2 * kSameAngle) on_pair(a.side, b.side);
    }
  }

 private:
  struct Blade {
    double angle;
    Index side;
    Index apex;  ///< the vertex of the triangle that does not lie on the edge
    bool runs_up;
    [[nodiscard]] bool operator<(const Blade& b) const {
      return std::tie(angle, side) < std::tie(b.angle, b.side);
    }
  };

  [[nodiscard]] static double turnTo(const Blade& from, const Blade& to) {
    const double turn = to.angle - from.angle;
    return turn < 0 ? turn + 2 * std::numbers::pi : turn;
  }

  /// Of faces that lie on each other, the end of a wedge comes before the beginning of the next.
  void sort(const MeshEdge& edge, std::span<const Index> sides) {
    const Vec3& low = mesh_.vertices()[edge.v[0]];
    const Vec3 along = normalised(mesh_.vertices()[edge.v[1]] - low);
    Vec3 u;
    blades_.clear();
    for (const Index s : sides) {
      const Index apex = mesh_.corners(s / 3)[(s % 3 + 2) % 3];
      const Vec3 off = mesh_.vertices()[apex] - low;
      const Vec3 out = off - along * dot(along, off);
      if (blades_.empty()) u = normalised(out);
      const bool runs_up = sides_.runsUp(edge, s);
      const double angle = std::atan2(dot(cross(along, u), out), dot(u, out)) + (runs_up ? 0 : kSameAngle);
      blades_.push_back({angle, s, apex, runs_up});
    }
    std::sort(blades_.begin(), blades_.end());
  }

  [[nodiscard]] bool hasDuplicates() const {
    for (auto a = blades_.begin(); a != blades_.end(); ++a)
      if (std::any_of(a + 1, blades_.end(),
                      [&](const Blade& b) { return b.apex == a->apex && b.runs_up == a->runs_up; }))
        return true;
    return false;
  }

  /// The first side that begins a wedge goes with the first that ends one, starting where the fewest wedges
  /// are open. At the foot of a fin, that takes the space beside it for inside: more than there is around an
  /// edge.
  [[nodiscard]] bool findWedges() {
    std::size_t start = 0;
    int open = 0, fewest = 0;
    for (std::size_t i = 0; i < blades_.size(); ++i) {
      open += blades_[i].runs_up ? -1 : 1;
      if (open >= fewest) continue;
      fewest = open;
      start = i + 1;
    }
    std::rotate(blades_.begin(), blades_.begin() + static_cast<std::ptrdiff_t>(start), blades_.end());
    wedges_.clear();
    double inside = 0;
    auto begins = blades_.begin();
    for (const Blade& ends : blades_) {
      if (!ends.runs_up) continue;
      while (begins->runs_up) ++begins;
      wedges_.push_back({begins->side, ends.side});
      inside += turnTo(*begins, ends);
      ++begins;
    }
    return inside < 2 * std::numbers::pi + kSameAngle;
  }

  const Mesh& mesh_;
  const SidesAtEdges& sides_;
  std::vector<Blade> blades_;
  std::vector<Wedge> wedges_;
};

/// Finds sets of triangles that are connected within a face, or glued to each other at its outline.
class GluedFaces {
 public:
  explicit GluedFaces(const Mesh& mesh)
      : mesh_(mesh),
        sides_(mesh),
        sets_(mesh.triangleCount()),
        is_glued_(3 * mesh.triangleCount(), false),
        is_rim_(mesh.triangleCount(), false) {}

  std::vector<bool> run() {
    joinTriangles();
    return takeFlat();
  }

 private:
  void joinTriangles() {
    Fan fan(mesh_, sides_);
    for (std::size_t e = 0; e < sides_.edgeCount(); ++e) {
      const std::span<const Index> sides = sides_.at(e);
      if (sides.size() == 2) {
        sets_.join(sides[0] / 3, sides[1] / 3);
        if (areFolded(sides[0] / 3, sides[1] / 3)) is_rim_[sides[0] / 3] = true;
      }
      if (sides.size() <= 2 || !fan.open(e)) continue;
      fan.forEachGlued([&](Index a, Index b) {
        sets_.join(a / 3, b / 3);
        is_glued_[a] = is_glued_[b] = true;
      });
    }
  }

  /// The free rim of two layers.
  [[nodiscard]] bool areFolded(Index t, Index u) const {
    return dot(mesh_.normal(t), mesh_.normal(u)) < -1 + 0.5 * kSameAngle * kSameAngle;
  }

  /// The sets of two flush layers all of whose sides at shared edges are glued.
  [[nodiscard]] std::vector<bool> takeFlat() {
    struct Set {
      Shell shell;
      bool is_glued = false, is_loose = false;
    };
    std::vector<Set> sets(mesh_.triangleCount());
    for (Index t = 0; t < mesh_.triangleCount(); ++t) {
      const Index root = sets_.root(t);
      const Vec3& origin = mesh_.vertex(root, 0);
      sets[root].shell.take(mesh_.vertex(t, 0) - origin, mesh_.vertex(t, 1) - origin,
                            mesh_.vertex(t, 2) - origin);
      sets[root].is_loose |= is_rim_[t];
      for (int i = 0; i < 3; ++i) {
        const bool is_glued = is_glued_[3 * t + static_cast<Index>(i)];
        sets[root].is_glued |= is_glued;
        sets[root].is_loose |= !is_glued && sides_.at(mesh_.edgeOf(t, i)).size() != 2;
      }
    }
    std::vector<bool> out(mesh_.triangleCount());
    for (Index t = 0; t < mesh_.triangleCount(); ++t) {
      const Set& set = sets[sets_.root(t)];
      out[t] = set.is_glued && !set.is_loose && set.shell.isFlat();
    }
    const bool has_glued = std::ranges::find(out, true) != out.end();
    const bool has_others = std::ranges::find(out, false) != out.end();
    return has_glued && has_others ? out : std::vector<bool>{};
  }

  const Mesh& mesh_;
  const SidesAtEdges sides_;
  Sets sets_;                   ///< of triangles
  std::vector<bool> is_glued_;  ///< by side
  std::vector<bool> is_rim_;    ///< by triangle: the surface folds back there
};

class ShellParter {
 public:
  explicit ShellParter(const Mesh& mesh) : mesh_(mesh), sides_(mesh), sets_(3 * mesh.triangleCount()) {}

  std::optional<PartedShells> run() {
    if (!joinCorners()) return std::nullopt;
    PartedShells out = numberCorners();
    if (!areParted(out) || !encloseVolumes(out)) return std::nullopt;
    return out;
  }

 private:
  /// An end of an edge that a wedge has for itself.
  struct SharedEdge {
    Index low, high;
  };

  /// Joins the corners of sides that belong together. False if an edge can't be resolved.
  [[nodiscard]] bool joinCorners() {
    Fan fan(mesh_, sides_);
    for (std::size_t e = 0; e < sides_.edgeCount(); ++e) {
      const MeshEdge edge = sides_.edge(e);
      const std::span<const Index> sides = sides_.at(e);
      if (sides.size() == 2) {
        if (sides_.runsUp(edge, sides[0]) == sides_.runsUp(edge, sides[1])) return false;
        join(edge, sides[0], sides[1]);
        continue;
      }
      if (sides.size() < 2 || !fan.open(e)) return false;
      for (const Fan::Wedge& w : fan.wedges()) {
        join(edge, w.begins, w.ends);
        shared_.push_back({cornerAt(w.begins, edge.v[0]), cornerAt(w.begins, edge.v[1])});
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
    return out;
  }

  /// Has each wedge an edge of its own? Those whose shells join again at both ends have not.
  [[nodiscard]] bool areParted(const PartedShells& parted) {
    const auto ends = [&](const SharedEdge& s) {
      return std::pair(parted.corners[s.low], parted.corners[s.high]);
    };
    std::ranges::sort(shared_, {}, ends);
    return std::ranges::adjacent_find(shared_, {}, ends) == shared_.end();
  }

  [[nodiscard]] bool encloseVolumes(const PartedShells& parted) const {
    Sets sets(parted.vertices.size());
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
  Sets sets_;  ///< of corners
  std::vector<SharedEdge> shared_;
};

}  // namespace

std::vector<bool> findGluedFaces(const Mesh& mesh) {
  return GluedFaces(mesh).run();
}

std::optional<PartedShells> partTouchingShells(const Mesh& mesh) {
  return ShellParter(mesh).run();
}

}  // namespace odemesh
