#include "contact/patch/overlay.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <optional>

#include "constants.hpp"
#include "contact/patch/clusters.hpp"
#include "simd/double4.hpp"

namespace odemesh {

namespace {

// Sets of corners of one shadow have bit 4 * i for corner i; sets of its corners and the sides of another,
// bit 4 * corner + side.
constexpr unsigned kAllSides = 7;
constexpr unsigned kAllCorners = 0x111;

/// Neighbouring faces that are turned by less (a cosine) are those of something round.
constexpr double kRoundCosine = 0.7;

/// Where each corner of one shadow lies to the sides of another: positive inside, in units of twice the area
/// of the side and the corner.
struct Turns {
  double of[3][4];       ///< by corner and side
  unsigned outside = 0;  ///< those that are not inside by more than what makes a sliver
  unsigned beyond = 0;   ///< those outside by more than what counts as over the face

  Turns(const Shadow& corners, const Shadow& sides) {
    const Double4 from_u = Double4::load(sides.u), from_v = Double4::load(sides.v);
    const Double4 along_u = Double4::load(sides.along_u), along_v = Double4::load(sides.along_v);
    const Double4 inner = Double4::load(sides.inner_turn), outer = Double4::load(sides.outer_turn);
    for (int corner = 0; corner < 3; ++corner) {
      const Double4 turns = along_u * (Double4::all(corners.v[corner]) - from_v) -
                            along_v * (Double4::all(corners.u[corner]) - from_u);
      outside |= ((turns <= inner) & kAllSides) << (4 * corner);
      beyond |= ((turns < outer) & kAllSides) << (4 * corner);
      turns.store(of[corner]);
    }
  }

  /// A side has all corners outside.
  [[nodiscard]] bool areParted() const { return (outside & outside >> 4 & outside >> 8) != 0; }
};

/// The corners that the set has with any side.
constexpr unsigned cornersIn(unsigned set) {
  return (set | set >> 1 | set >> 2) & kAllCorners;
}

/// The same for those that it has with none.
constexpr unsigned cornersOutOf(unsigned set) {
  return ~cornersIn(set) & kAllCorners;
}

/// For each side of the corners' shadow, at the place of the corner where it begins, whether its ends differ.
constexpr unsigned straddling(unsigned outside) {
  return outside ^ ((outside >> 4 | outside << 8) & 0xfff);
}

/// Corners in place of sides, and the other way round.
constexpr unsigned transposed(unsigned set) {
  return (set & 0x421) | (set & 0x042) << 3 | (set & 0x210) >> 3 | (set & 0x004) << 6 | (set & 0x100) >> 6;
}

/// A set of sides, each at the place of the corner where it begins, with every side of the other shadow.
constexpr unsigned withAllSides(unsigned sides) {
  return sides * kAllSides;
}

/// Where the segments cross, if they do so between their ends. What touches at an end is a vertex in a
/// shadow.
[[nodiscard]] std::optional<ShadowPoint> crossingOf(const ShadowEdge& a, const ShadowEdge& b) {
  const double from = turn(b.from, b.to, a.from), to = turn(b.from, b.to, a.to);
  if (!(from * to < 0) || !(turn(a.from, a.to, b.from) * turn(a.from, a.to, b.to) < 0)) return std::nullopt;
  return between(a.from, a.to, from / (from - to));
}

class Overlay {
 public:
  Overlay(const MeshPair& pair, const Facing& facing, const OverlayOptions& options, ContactScratch& scratch)
      : pair_(pair),
        options_(options),
        facing_(facing),
        scratch_(scratch),
        slack_(pair.tolerances().slack),
        opening_(pair.tolerances().opening),
        reach_(pair.tolerances().touching) {
    if (options.local_normals)
      for (int side = 0; side < 2; ++side) is_flat_[side] = isFlat(side);
  }

  void run() {
    const bool is_fine = facing_.isFine();
    for (int side = 0; side < 2; ++side) {
      shareCorners(side);
      if (!is_fine) shareSides(side);
    }
    if (!is_fine && !facing_.isFlatAndMany()) return overlayPairs();
    for (int side = 0; side < 2; ++side) probeVertices(side);
    if (!is_fine) crossEdges();
  }

 private:
  void overlayPairs() {
    facing_.forEachPair([&](const Shadow& a, const Shadow& b) {
      // Over two planes the thickness is linear: nothing of note lies where neither flat part has a border.
      if ((!a.isInterior() || !b.isInterior()) && belong(a, b)) overlay(a, b);
    });
  }

  /// The thickness at a vertex, and where edges cross, is the same by all of their faces: one of them tells.
  /// With local normals, each has its say.
  ///@{
  void shareCorners(int side) {
    scratch_.vertex_probed.reset(pair_[side].mesh().vertexCount());
    for (Shadow& s : scratch_.shadows[side]) {
      s.own_corners = 0;
      for (int i = 0; i < 3; ++i) {
        const bool is_own = scratch_.vertex_probed.insert(s.vertex[i]) || options_.local_normals;
        s.own_corners |= unsigned(is_own) << (4 * i);
      }
    }
  }
  void shareSides(int side) {
    const Mesh& mesh = pair_[side].mesh();
    scratch_.side_of_edge.reset(mesh.edges().size());
    auto& shadows = scratch_.shadows[side];
    for (std::uint32_t k = 0; k < shadows.size(); ++k) {
      shadows[k].own_sides = 0;
      for (unsigned i = 0; i < 3; ++i)
        shareSide(mesh.edgeOf(shadows[k].face, shadows[k].meshSide(int(i))), 3 * k + i, shadows);
    }
  }
  ///@}

  /// What flat parts share has no corner where the edges within them cross, however they are cut.
  void shareSide(std::uint32_t edge, std::uint32_t shadow_side, std::vector<Shadow>& shadows) {
    const auto bit = [](std::uint32_t of) { return 1U << (4 * (of % 3)); };
    Shadow& s = shadows[shadow_side / 3];
    bool is_first = false;
    const std::uint32_t first = scratch_.side_of_edge.findOrInsert(edge, shadow_side, is_first);
    Shadow& other = shadows[first / 3];
    if (!is_first && dot(s.normal, other.normal) > kFlatCosine)
      other.own_sides &= ~bit(first);
    else if (is_first || options_.local_normals)
      s.own_sides |= bit(shadow_side);
  }

  /// The corners of what two faces share.
  void overlay(const Shadow& a, const Shadow& b) {
    const Turns a_in_b(a, b);
    if (a_in_b.areParted()) return;
    const Turns b_in_a(b, a);
    if (b_in_a.areParted()) return;
    const unsigned a_out = a_in_b.outside, b_out = b_in_a.outside;
    // At the border of a face, another one that shares the corner may be parted from it.
    addCorners(a, cornersOutOf(a_in_b.beyond) & (a.own_corners | cornersIn(a_out)), a, b);
    addCorners(b, cornersOutOf(b_in_a.beyond) & (b.own_corners | cornersIn(b_out)), a, b);
    unsigned crossings = straddling(a_out) & transposed(straddling(b_out));
    crossings &= withAllSides(a.own_sides) & transposed(withAllSides(b.own_sides));
    for (; crossings != 0; crossings &= crossings - 1) {
      const int i = std::countr_zero(crossings) / 4, j = std::countr_zero(crossings) % 4;
      const double from = a_in_b.of[i][j], to = a_in_b.of[nextCorner(i)][j];
      addPoint(between(a.corner(i), a.corner(nextCorner(i)), std::clamp(from / (from - to), 0.0, 1.0)), a, b);
    }
  }

  void addCorners(const Shadow& of, unsigned corners, const Shadow& a, const Shadow& b) {
    for (; corners != 0; corners &= corners - 1) addPoint(of.corner(std::countr_zero(corners) / 4), a, b);
  }

  /// The thickness at the vertices of the faces of one side. Within a flat part there is nothing of note.
  void probeVertices(int side) {
    ShadowGrid<Shadow>& grid = scratch_.shadow_grid[1 - side];
    grid.build(scratch_.shadows[1 - side], facing_.extent().lo, facing_.extent().hi, reach_);
    for (const Shadow& s : scratch_.shadows[side])
      for (int i = 0; i < 3; ++i) {
        if ((s.flat >> i & 1) != 0 || (s.own_corners >> (4 * i) & 1) == 0) continue;
        grid.at(s.corner(i), [&](const Shadow& other) {
          const Shadow &a = side == 0 ? s : other, &b = side == 0 ? other : s;
          if (belong(a, b)) addPoint(s.corner(i), a, b);
        });
      }
  }

  /// The thickness where edges cross. Sort and sweep.
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
        if (!belong(*a.shadow, *b.shadow)) continue;
        if (const auto at = crossingOf(a, b)) addPoint(*at, *a.shadow, *b.shadow);
      }
    }
  }

  void gatherEdges(int side) {
    auto& edges = scratch_.shadow_edges[side];
    edges.clear();
    for (const Shadow& s : scratch_.shadows[side])
      for (int i = 0; i < 3; ++i) {
        if ((s.own_sides >> (4 * i) & 1) == 0) continue;
        const ShadowPoint p = s.corner(i), q = s.corner(nextCorner(i));
        edges.push_back(
            {p, q, {std::min(p.u, q.u), std::min(p.v, q.v)}, {std::max(p.u, q.u), std::max(p.v, q.v)}, &s});
      }
    std::sort(edges.begin(), edges.end(),
              [](const ShadowEdge& a, const ShadowEdge& b) { return a.lo.u < b.lo.u; });
  }

  /// Do faces of a side lie within the cone of the cluster, and make one wall?
  [[nodiscard]] bool isFlat(int side) const {
    const Shadow* first = nullptr;
    const bool is_wall = std::ranges::all_of(scratch_.shadows[side], [&](const Shadow& s) {
      if (std::abs(dot(s.normal, facing_.onto().w)) <= kClusterCosine) return true;
      if (first == nullptr) first = &s;
      return dot(s.normal, first->normal) > kFlatCosine && !isFacet(pair_[side].mesh(), s.face);
    });
    return is_wall && first != nullptr;
  }

  /// Does a neighbour of the face bend away from it by little, as those on something round do?
  [[nodiscard]] bool isFacet(const Mesh& mesh, std::uint32_t face) const {
    const Vec3 normal = mesh.normal(face);
    const double level = dot(normal, mesh.vertex(face, 0)) - reach_;
    for (int i = 0; i < 3; ++i) {
      const MeshEdge edge = mesh.edges()[mesh.edgeOf(face, i)];
      const std::uint32_t other = edge.triangle[edge.triangle[0] == face ? 1 : 0];
      if (other == Mesh::kNone || dot(normal, mesh.normal(other)) < kRoundCosine) continue;
      for (int corner = 0; corner < 3; ++corner)
        if (dot(normal, mesh.vertex(other, corner)) < level) return true;
    }
    return false;
  }

  [[nodiscard]] Vec3 meanNormal(const Shadow& a, const Shadow& b) const {
    return normalised(b.normal - a.normal, facing_.onto().w);
  }

  /// That of contacts between two faces: of curved ones the mean. What is round, or has an edge there, leaves
  /// a flat wall along the wall's own normal: the mean would turn to one of its sides, and push it aside. Of
  /// two flat ones, the larger one is the wall.
  [[nodiscard]] Vec3 normalBetween(const Shadow& a, const Shadow& b) const {
    if (is_flat_[0] && is_flat_[1]) return facing_.onto().w;
    if (is_flat_[0]) return -a.normal;
    return is_flat_[1] ? b.normal : meanNormal(a, b);
  }

  /// Do these two make contacts of the cluster that is looked at?
  [[nodiscard]] bool belong(const Shadow& a, const Shadow& b) const {
    return !options_.local_normals || nearestCluster(meanNormal(a, b), scratch_) == options_.cluster;
  }

  /// Beyond the extent lies another region, unless the two faces are flush there.
  void addPoint(const ShadowPoint& p, const Shadow& a, const Shadow& b) {
    const double low = a.height(p);
    const double thickness = b.height(p) - low;
    if (thickness < -opening_ || thickness > std::max(facing_.height(), options_.reach)) return;
    if (!facing_.contains(p) && thickness > slack_) return;
    const Projection& onto = facing_.onto();
    const Vec3 position = onto.lift(p, low + 0.5 * thickness);
    if (!options_.local_normals) {
      scratch_.candidates.push_back({position, onto.w, thickness, {a.face, b.face}});
      return;
    }
    const Vec3 normal = normalBetween(a, b);
    scratch_.candidates.push_back({position, normal, thickness * dot(normal, onto.w), {a.face, b.face}});
  }

  const MeshPair& pair_;
  OverlayOptions options_;
  const Facing& facing_;
  ContactScratch& scratch_;
  double slack_, opening_;
  double reach_;                   ///< a point this far beside a face counts as over it
  std::array<bool, 2> is_flat_{};  ///< of each side, what is of the cluster
};

}  // namespace

void overlayFaces(const MeshPair& pair, const Facing& facing, const OverlayOptions& options,
                  ContactScratch& scratch) {
  Overlay(pair, facing, options, scratch).run();
}

}  // namespace odemesh
