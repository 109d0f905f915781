#include "contact/patch/overlap_centre.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace odemesh {

namespace {

/// Seen along a direction, a contour encloses something if that is at least this share of its size squared.
constexpr double kLeastContour = 1e-3;

/// What lies inside the other body of the surface of one: a side of the volume that both share. Each face
/// there is a fan of triangles around the foot of the origin on its plane, and each triangle the base of a
/// tetrahedron whose tip is the origin. (Crossings lie off the face by the inflation: around a corner far
/// away, that would weigh more than what overlaps.) In the frame of the mesh, in units of its partner's size.
class InsideSurface {
 public:
  InsideSurface(const MeshPair& pair, int side, const SheetSide& outside, const Vec3& origin)
      : mesh_(pair[side].mesh()),
        outside_(outside),
        to_local_(pair[side].pose().inverse()),
        origin_(to_local_.apply(origin)),
        per_length_(1 / pair.size()),
        is_second_(side == 1) {}

  /// A face, and the foot of the origin on its plane.
  struct Face {
    std::uint32_t index = Mesh::kNone;
    Vec3 foot;
  };
  /// Until the next one is asked for.
  [[nodiscard]] const Face& face(std::uint32_t t) {
    Face& face = recent_[t % recent_.size()];
    if (face.index == t) return face;
    const std::uint32_t* c = mesh_.corners(t);
    const Vec3 corner = vertex(c[0]);
    const Vec3 normal = cross(vertex(c[1]) - corner, vertex(c[2]) - corner);
    return face = {t, normal * (dot(normal, corner) / lengthSq(normal))};
  }

  /// The piece of an edge of a face from its first vertex to a point, `end` of its length from there. What
  /// lies between two points is the difference.
  void addEdge(const Face& f, const MeshEdge& edge, double end, double sign) {
    const Vec3 from = vertex(edge.v[0]), along = vertex(edge.v[1]) - from;
    const bool runs_back = runsAgainst(edge, f.index) != outside_.isFlipped(f.index);
    add((runs_back ? -sign : sign) * end * dot(f.foot, cross(from, along)), f.foot + 2 * from + end * along);
  }

  /// A piece of the contour on a face; with its sign, it runs counter-clockwise around what is inside.
  void addSegment(const Face& f, const Vec3& from, const Vec3& to, double sign) {
    const Vec3 p = inUnits(to_local_.apply(from)), q = inUnits(to_local_.apply(to));
    add((is_second_ ? sign : -sign) * dot(f.foot, cross(p, q)), f.foot + p + q);
  }

  [[nodiscard]] const Mesh& mesh() const { return mesh_; }
  [[nodiscard]] double volume() const { return volume_; }
  /// In the frame of the pair, less the origin.
  [[nodiscard]] Vec3 moment() const {
    return to_local_.rotation.transposed() * moment_ * (1 / (4 * per_length_));
  }

 private:
  [[nodiscard]] Vec3 inUnits(const Vec3& p) const { return (p - origin_) * per_length_; }
  [[nodiscard]] Vec3 vertex(std::uint32_t v) const { return inUnits(mesh_.vertices()[v]); }

  [[nodiscard]] bool runsAgainst(const MeshEdge& edge, std::uint32_t t) const {
    const std::uint32_t* c = mesh_.corners(t);
    return c[0] == edge.v[0] ? c[1] != edge.v[1] : c[1] == edge.v[0] ? c[2] != edge.v[1] : c[0] != edge.v[1];
  }

  void add(double volume, const Vec3& corners) {
    volume_ += volume;
    moment_ += corners * volume;
  }

  const Mesh& mesh_;
  const SheetSide& outside_;
  Pose to_local_;
  Vec3 origin_;
  double per_length_;
  bool is_second_;
  std::array<Face, 32> recent_;  ///< each is asked for at all of its edges
  double volume_ = 0;            ///< six times it
  Vec3 moment_;                  ///< four times that
};

/// A piece of the contour, and of the edges of its face that it ends on.
void addSegment(const ContourSegment& s, int side, double sign, const std::array<SheetSide, 2>& sides,
                const ContactScratch& scratch, InsideSurface& surface) {
  const Crossing &from = scratch.crossings[s.from], &to = scratch.crossings[s.to];
  const InsideSurface::Face& face = surface.face(s.face[side]);
  surface.addSegment(face, from.point, to.point, sign);
  for (const Crossing* c : {&from, &to}) {
    if (c->side != side) continue;
    surface.addEdge(face, surface.mesh().edges()[c->edge], c->t, leaves(*c, sides) ? 1 : -1);
  }
}

/// The edges that end at a vertex inside. False on a border.
[[nodiscard]] bool addVertex(const Mesh& mesh, std::uint32_t v, InsideSurface& surface) {
  for (const std::uint32_t e : mesh.edgesAt(v)) {
    const MeshEdge edge = mesh.edges()[e];
    if (edge.triangle[1] == Mesh::kNone) return false;
    if (edge.v[1] != v) continue;
    for (const std::uint32_t t : edge.triangle) surface.addEdge(surface.face(t), edge, 1, 1);
  }
  return true;
}

[[nodiscard]] bool isClosed(const ContactScratch& scratch) {
  return !scratch.meets_border[0] && !scratch.meets_border[1];
}

[[nodiscard]] bool isManifold(const Mesh& mesh) {
  return mesh.topology().non_manifold_edges == 0;
}

/// Is what lies `off` the middle no farther from it than the contour and what lies inside?
[[nodiscard]] bool isAmongPoints(const Vec3& off, const Vec3& middle, const ContactScratch& scratch) {
  return std::ranges::any_of(scratch.points, [&](const std::vector<Vec3>& points) {
    return std::ranges::any_of(points, [&](const Vec3& p) { return lengthSq(p - middle) >= lengthSq(off); });
  });
}

[[nodiscard]] bool hasOneContour(std::uint32_t region, const ContactScratch& scratch) {
  const auto crossings = scratch.crossings_of.of(region);
  const std::uint32_t contour = scratch.crossings[crossings[0]].contour;
  return isClosed(scratch) && std::ranges::all_of(crossings, [&](std::uint32_t i) {
           return scratch.crossings[i].contour == contour;
         });
}

}  // namespace

std::optional<Vec3> overlapCentre(const MeshPair& pair, const std::array<SheetSide, 2>& sides,
                                  std::uint32_t region, const Vec3& middle, const ContactScratch& scratch) {
  if (!isClosed(scratch) || !isManifold(pair[0].mesh()) || !isManifold(pair[1].mesh())) return std::nullopt;
  InsideSurface surfaces[2] = {{pair, 0, sides[0], middle}, {pair, 1, sides[1], middle}};
  bool is_closed = true;
  for (int side = 0; side < 2; ++side)
    scratch.inside[side].forEachOf(pair[side].mesh(), region, [&](std::uint32_t v) {
      is_closed = is_closed && addVertex(pair[side].mesh(), v, surfaces[side]);
    });
  if (!is_closed) return std::nullopt;
  for (const std::uint32_t i : scratch.segments_of.of(region)) {
    const ContourSegment& s = scratch.segments[i];
    for (int side = 0; side < 2; ++side)
      addSegment(s, side, runsBack(s, sides) ? -1 : 1, sides, scratch, surfaces[side]);
  }
  const double volume = surfaces[0].volume() + surfaces[1].volume();
  if (!(volume > 0)) return std::nullopt;
  const Vec3 off = (surfaces[0].moment() + surfaces[1].moment()) / volume;
  return isAmongPoints(off, middle, scratch) ? std::optional(middle + off) : std::nullopt;
}

std::optional<Vec3> contourCentre(std::uint32_t region, const Vec3& middle, const Vec3& direction,
                                  const ContactScratch& scratch) {
  if (!hasOneContour(region, scratch)) return std::nullopt;
  double area = 0, size_sq = 0;
  Vec3 moment;
  for (const std::uint32_t i : scratch.segments_of.of(region)) {
    const ContourSegment& s = scratch.segments[i];
    const Vec3 from = scratch.crossings[s.from].point - middle;
    const Vec3 to = scratch.crossings[s.to].point - middle;
    const double share = dot(direction, cross(from, to));
    area += share;
    moment += (from + to) * share;
    size_sq = std::max(size_sq, lengthSq(from));
  }
  if (std::abs(area) < kLeastContour * size_sq) return std::nullopt;
  return middle + moment / (3 * area);
}

}  // namespace odemesh
