#include "contact/overlay.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <optional>
#include <span>

#include "constants.hpp"
#include "contact/clip.hpp"
#include "contact/direction.hpp"
#include "contact/layer_centre.hpp"
#include "contact/projection.hpp"

namespace odemesh {

namespace {

constexpr int next(int i) {
  return i == 2 ? 0 : i + 1;
}

/// Up to so many pairs of faces are clipped against each other; of more in flat parts (the ends of two
/// cylinders), only vertices and crossings of edges are looked at, which are far fewer.
constexpr std::size_t kFewPairs = 1024;

/// A convex polygon in the plane across the contact direction: a triangle clipped by a triangle and a
/// rectangle.
struct Polygon {
  static constexpr int kMost = 12;
  std::array<ShadowPoint, kMost> corner;
  int count = 0;

  void add(const ShadowPoint& p) {
    if (count < kMost) corner[count++] = p;
  }
  [[nodiscard]] std::span<const ShadowPoint> corners() const {
    return std::span(corner).first(static_cast<std::size_t>(count));
  }
};

/// The side of a line on which points p have value(p) <= 0.
struct HalfPlane {
  double nu, nv, offset;
  [[nodiscard]] double value(const ShadowPoint& p) const { return nu * p.u + nv * p.v - offset; }
};

/// Outside of side `i` of a shadow.
[[nodiscard]] HalfPlane sideOf(const Shadow& s, int i) {
  const ShadowPoint& p = s.corner[i];
  const ShadowPoint& q = s.corner[next(i)];
  const double nu = q.v - p.v;
  const double nv = p.u - q.u;
  return {nu, nv, nu * p.u + nv * p.v};
}

/// Keeps the part of `polygon` inside. Most often that is all of it.
void clip(Polygon& polygon, const HalfPlane& inside) {
  std::array<double, Polygon::kMost> value;
  bool is_cut = false;
  for (int i = 0; i < polygon.count; ++i) {
    value[i] = inside.value(polygon.corner[i]);
    is_cut |= !(value[i] <= 0);
  }
  if (!is_cut) return;
  Polygon out;
  clipConvex(
      polygon.corners(), [&](std::size_t i) { return value[i]; }, [&](const ShadowPoint& p) { out.add(p); });
  polygon.count = out.count;
  std::copy_n(out.corner.begin(), out.count, polygon.corner.begin());
}

/// Does a side of `a` have all of `b` on its outer side, but for a sliver?
[[nodiscard]] bool partedBySide(const Shadow& a, const Shadow& b) {
  for (int i = 0; i < 3; ++i) {
    const HalfPlane side = sideOf(a, i);
    const double sliver = -kSliver * (std::abs(side.value(a.corner[next(next(i))])));
    if (side.value(b.corner[0]) >= sliver && side.value(b.corner[1]) >= sliver &&
        side.value(b.corner[2]) >= sliver)
      return true;
  }
  return false;
}

/// Where the segments cross, if they do so between their ends. What touches at an end is a vertex in a
/// shadow.
[[nodiscard]] std::optional<ShadowPoint> crossingOf(const ShadowEdge& a, const ShadowEdge& b) {
  const double from = turn(b.from, b.to, a.from), to = turn(b.from, b.to, a.to);
  if (!(from * to < 0) || !(turn(a.from, a.to, b.from) * turn(a.from, a.to, b.to) < 0)) return std::nullopt;
  const double share = from / (from - to);
  return between(a.from, a.to, share);
}

class Overlay {
 public:
  Overlay(const MeshPair& pair, const Vec3& direction, const OverlayOptions& options, ContactScratch& scratch)
      : pair_(pair), onto_(Projection::along(direction)), options_(options), scratch_(scratch) {
    slack_ = pair.tolerances().slack;
    reach_ = pair.tolerances().touching;
  }

  void run() {
    boundPoints();
    for (int side = 0; side < 2; ++side) project(side);
    const bool is_fine = isFine();
    const bool clips_all = !is_fine && !isFlatAndMany();
    if (!options_.local_normals) startGround(clips_all);
    if (clips_all) {
      return sweep([&](const Shadow& a, const Shadow& b) {
        // Over two planes the thickness is linear: nothing of note lies where neither flat part has a border.
        if (a.isInterior() && b.isInterior())
          scratch_.ground.is_whole = false;
        else if (belong(a, b))
          overlay(a, b);
      });
    }
    for (int side = 0; side < 2; ++side) probeVertices(side);
    if (!is_fine) crossEdges();
  }

  [[nodiscard]] std::optional<Vec3> centre() {
    boundPoints();
    if (scratch_.ground.is_whole) return centreOfGround();
    for (int side = 0; side < 2; ++side) project(side);
    if (isFine() || isFlatAndMany()) return std::nullopt;
    startGround(true);
    sweep([&](const Shadow& a, const Shadow& b) { addToGround(sharedGround(a, b), a, b); });
    return centreOfGround();
  }

 private:
  /// Nothing overlaps outside the extent of the region's crossings and inside vertices.
  void boundPoints() {
    for (const auto& points : scratch_.points)
      for (const Vec3& p : points) {
        const double coordinate[3] = {dot(onto_.u, p), dot(onto_.v, p), onto_.height(p)};
        for (int i = 0; i < 3; ++i) {
          lo_[i] = std::min(lo_[i], coordinate[i] - slack_);
          hi_[i] = std::max(hi_[i], coordinate[i] + slack_);
        }
      }
  }

  /// Faces of mesh 1 that look against the direction, and faces of mesh 2 that look along it.
  void project(int side) {
    auto& shadows = scratch_.shadows[side];
    shadows.clear();
    const double least = std::max(options_.least_facing, kSideFaceCosine);
    for (const RegionFace& f : scratch_.faces[side]) {
      const double facing = side == 0 ? -dot(f.normal, onto_.w) : dot(f.normal, onto_.w);
      if (facing <= least) continue;
      const Shadow s = onto_.of(pair_[side], f);
      if (s.meets({lo_[0], lo_[1]}, {hi_[0], hi_[1]})) shadows.push_back(s);
    }
  }

  /// Where both surfaces are curved and have many faces, their vertices tell the thickness well enough, and
  /// in linear time.
  [[nodiscard]] bool isFine() const {
    return std::all_of(
        scratch_.shadows.begin(), scratch_.shadows.end(), [](const std::vector<Shadow>& shadows) {
          const auto curved = static_cast<std::size_t>(
              std::count_if(shadows.begin(), shadows.end(), [](const Shadow& s) { return s.isCurved(); }));
          return curved >= kFineFaces && 2 * curved >= shadows.size();
        });
  }

  /// Flat parts that are cut into many faces on both sides.
  [[nodiscard]] bool isFlatAndMany() const {
    const auto& [first, second] = scratch_.shadows;
    const auto isFlat = [](const std::vector<Shadow>& shadows) {
      return 2 * std::count_if(shadows.begin(), shadows.end(), [](const Shadow& s) { return s.isCurved(); }) <
             std::ssize(shadows);
    };
    return first.size() * second.size() > kFewPairs && isFlat(first) && isFlat(second);
  }

  /// The thickness at the vertices of the faces of one side. Within a flat part there is nothing of note.
  void probeVertices(int side) {
    const Mesh& mesh = pair_[side].mesh();
    ShadowGrid& grid = scratch_.shadow_grid[1 - side];
    grid.build(scratch_.shadows[1 - side], {lo_[0], lo_[1]}, {hi_[0], hi_[1]}, reach_);
    scratch_.vertex_probed.reset(mesh.vertexCount());
    for (const Shadow& s : scratch_.shadows[side])
      for (int i = 0; i < 3; ++i) {
        const std::uint32_t v = mesh.corners(s.face)[i];
        // With local normals, each of the faces at a vertex has its say.
        if (mesh.isFlat(v) || (!scratch_.vertex_probed.insert(v) && !options_.local_normals)) continue;
        const ShadowPoint at = onto_.of(pair_[side].vertex(v));
        grid.at(at,
                [&](const Shadow& other) { side == 0 ? addPoint(at, s, other) : addPoint(at, other, s); });
      }
  }

  /// The thickness where edges cross, but for those at which the surface goes on in the same plane. Sort and
  /// sweep.
  void crossEdges() {
    for (int side = 0; side < 2; ++side) gatherEdges(side);
    const auto& others = scratch_.shadow_edges[1];
    double widest = 0;
    for (const ShadowEdge& e : others) widest = std::max(widest, e.hi.u - e.lo.u);
    std::size_t first = 0;
    for (const ShadowEdge& a : scratch_.shadow_edges[0]) {
      while (first < others.size() && others[first].lo.u < a.lo.u - widest) ++first;
      for (std::size_t k = first; k < others.size() && others[k].lo.u < a.hi.u; ++k) {
        const ShadowEdge& b = others[k];
        if (b.hi.u <= a.lo.u || b.lo.v > a.hi.v || b.hi.v < a.lo.v) continue;
        if (const auto at = crossingOf(a, b)) addPoint(*at, *a.shadow, *b.shadow);
      }
    }
  }

  /// Does the surface go on in the same plane beyond side `i` of triangle `t`?
  [[nodiscard]] static bool goesOn(const Mesh& mesh, std::uint32_t t, int i) {
    const MeshEdge edge = mesh.edges()[mesh.edgeOf(t, i)];
    return edge.triangle[1] != Mesh::kNone &&
           dot(mesh.normal(edge.triangle[0]), mesh.normal(edge.triangle[1])) > kFlatCosine;
  }

  void gatherEdges(int side) {
    auto& edges = scratch_.shadow_edges[side];
    edges.clear();
    for (const Shadow& s : scratch_.shadows[side])
      for (int i = 0; i < 3; ++i) {
        if (goesOn(pair_[side].mesh(), s.face, s.is_mirrored ? 2 - i : i)) continue;
        const ShadowPoint &p = s.corner[i], &q = s.corner[next(i)];
        edges.push_back(
            {p, q, {std::min(p.u, q.u), std::min(p.v, q.v)}, {std::max(p.u, q.u), std::max(p.v, q.v)}, &s});
      }
    std::sort(edges.begin(), edges.end(),
              [](const ShadowEdge& a, const ShadowEdge& b) { return a.lo.u < b.lo.u; });
  }

  /// Calls `on_pair` for every face of one side and every face of the other that it may share ground with.
  template <typename OnPair>
  void sweep(OnPair&& on_pair) {
    for (auto& shadows : scratch_.shadows)
      std::sort(shadows.begin(), shadows.end(), [](const Shadow& a, const Shadow& b) {
        return a.lo.u != b.lo.u ? a.lo.u < b.lo.u : a.face < b.face;
      });
    std::size_t first = 0;
    const auto& others = scratch_.shadows[1];
    const double widest = widestOf(others);
    for (const Shadow& a : scratch_.shadows[0]) {
      while (first < others.size() && others[first].lo.u < a.lo.u - widest) ++first;
      for (std::size_t k = first; k < others.size() && others[k].lo.u < a.hi.u; ++k) {
        const Shadow& b = others[k];
        if (b.hi.u <= a.lo.u || b.lo.v >= a.hi.v || b.hi.v <= a.lo.v) continue;
        if (!partedBySide(a, b) && !partedBySide(b, a)) on_pair(a, b);
      }
    }
  }

  [[nodiscard]] static double widestOf(const std::vector<Shadow>& shadows) {
    double widest = 0;
    for (const Shadow& s : shadows) widest = std::max(widest, s.hi.u - s.lo.u);
    return widest;
  }

  void overlay(const Shadow& a, const Shadow& b) {
    const Polygon shared = sharedGround(a, b);
    for (int i = 0; i < shared.count; ++i) addCorner(shared.corner[i], a, b);
    if (!options_.local_normals) addToGround(shared, a, b);
  }

  void startGround(bool is_whole) {
    scratch_.ground.corner.clear();
    scratch_.ground.end.clear();
    scratch_.ground.is_whole = is_whole;
  }

  void addToGround(const Polygon& shared, const Shadow& a, const Shadow& b) {
    auto& [corner, end, is_whole] = scratch_.ground;
    for (int i = 0; i < shared.count; ++i)
      corner.push_back({shared.corner[i], b.height(shared.corner[i]) - a.height(shared.corner[i])});
    end.push_back(corner.size());
  }

  /// The middle of what overlaps. Faces that are too far apart bound no overlap.
  [[nodiscard]] std::optional<Vec3> centreOfGround() const {
    const auto& [corner, end, is_whole] = scratch_.ground;
    LayerCentre layer({lo_[0], lo_[1]}, {hi_[0], hi_[1]});
    std::size_t begin = 0;
    for (const std::size_t next_begin : end) {
      const std::span polygon(corner.data() + begin, corner.data() + next_begin);
      begin = next_begin;
      if (std::all_of(polygon.begin(), polygon.end(),
                      [&](const LayerPoint& p) { return p.thickness <= greatestThickness(); }))
        layer.addPolygon(polygon);
    }
    const auto at = layer.centre();
    return at ? std::optional(onto_.lift(*at, 0)) : std::nullopt;
  }

  /// Faces farther apart bound no overlap.
  [[nodiscard]] double greatestThickness() const { return std::max(hi_[2] - lo_[2], options_.reach); }

  /// What both faces cover, within the extent of the region.
  [[nodiscard]] Polygon sharedGround(const Shadow& a, const Shadow& b) const {
    Polygon shared;
    for (const ShadowPoint& p : a.corner) shared.add(p);
    for (int i = 0; i < 3; ++i) clip(shared, sideOf(b, i));
    if (!liesInExtent(shared) && !isFlush(shared, a, b)) {
      clip(shared, {1, 0, hi_[0]});
      clip(shared, {-1, 0, -lo_[0]});
      clip(shared, {0, 1, hi_[1]});
      clip(shared, {0, -1, -lo_[1]});
    }
    return shared;
  }

  [[nodiscard]] bool liesInExtent(const ShadowPoint& p) const {
    return p.u >= lo_[0] && p.u <= hi_[0] && p.v >= lo_[1] && p.v <= hi_[1];
  }

  [[nodiscard]] bool liesInExtent(const Polygon& polygon) const {
    return std::all_of(polygon.corner.begin(), polygon.corner.begin() + polygon.count,
                       [&](const ShadowPoint& p) { return liesInExtent(p); });
  }

  /// Do the two faces lie on each other all over what they share? Then the part that overlaps by a hair says
  /// nothing of how far the contact reaches.
  [[nodiscard]] bool isFlush(const Polygon& shared, const Shadow& a, const Shadow& b) const {
    for (int i = 0; i < shared.count; ++i)
      if (std::abs(b.height(shared.corner[i]) - a.height(shared.corner[i])) > slack_) return false;
    return true;
  }

  /// Beyond the extent lies another region, unless the two faces are flush there.
  void addPoint(const ShadowPoint& p, const Shadow& a, const Shadow& b) {
    if (!belong(a, b)) return;
    if (liesInExtent(p) || std::abs(b.height(p) - a.height(p)) <= slack_) addCorner(p, a, b);
  }

  /// That of contacts between two faces.
  [[nodiscard]] Vec3 normalBetween(const Shadow& a, const Shadow& b) const {
    return normalised(b.normal - a.normal, onto_.w);
  }

  /// Do these two make contacts of the cluster that is looked at?
  [[nodiscard]] bool belong(const Shadow& a, const Shadow& b) const {
    return !options_.local_normals || nearestCluster(normalBetween(a, b), scratch_) == options_.cluster;
  }

  void addCorner(const ShadowPoint& p, const Shadow& a, const Shadow& b) {
    const double low = a.height(p);
    const double thickness = b.height(p) - low;
    if (thickness < -slack_ || thickness > greatestThickness()) return;
    const Vec3 position = onto_.lift(p, low + 0.5 * thickness);
    if (!options_.local_normals) {
      scratch_.candidates.push_back({position, onto_.w, thickness, {a.face, b.face}});
      return;
    }
    const Vec3 normal = normalBetween(a, b);
    scratch_.candidates.push_back({position, normal, thickness * dot(normal, onto_.w), {a.face, b.face}});
  }

  const MeshPair& pair_;
  Projection onto_;
  OverlayOptions options_;
  ContactScratch& scratch_;
  double slack_ = 0;
  double reach_ = 0;  ///< a point this far beside a face counts as over it
  double lo_[3] = {std::numeric_limits<double>::infinity(), std::numeric_limits<double>::infinity(),
                   std::numeric_limits<double>::infinity()};
  double hi_[3] = {-lo_[0], -lo_[1], -lo_[2]};
};

}  // namespace

void overlayFaces(const MeshPair& pair, const Vec3& direction, const OverlayOptions& options,
                  ContactScratch& scratch) {
  Overlay(pair, direction, options, scratch).run();
}

std::optional<Vec3> overlapCentre(const MeshPair& pair, const Vec3& direction, const OverlayOptions& options,
                                  ContactScratch& scratch) {
  return Overlay(pair, direction, options, scratch).centre();
}

}  // namespace odemesh
