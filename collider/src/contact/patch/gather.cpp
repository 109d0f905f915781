#include "contact/patch/gather.hpp"

#include <algorithm>
#include <optional>

#include "contact/patch/samples.hpp"
#include "contact/patch/walls_beside.hpp"
#include "mesh/triangle_normal.hpp"

namespace odemesh {

namespace {

/// An area vector has a meaning if it is at least this share of the area that its contour goes around.
constexpr double kSimpleContour = 0.25;

/// Faces look away from each other if their normals' cosine is less than this.
constexpr double kOpposedCosine = -0.5;

/// A body sticks through the other if the edges that do so make this share of the crossings.
constexpr double kThroughShare = 0.1;

/// The rim of a sheet is looked at where it comes into the other body: this share of the way from there to
/// the end or middle of what lies inside.
constexpr double kRimBegin = 1e-3;

/// Of a region that is sampled, the faces of about so many places of the contour are looked at.
constexpr std::size_t kMostContourFaces = 64;

/// Of two sheets that rest on each other and cut each other in two, what the one cuts off is left out if it
/// reaches behind it by more than so many times as far as what the other cuts off, and by more than this
/// share of the smaller radius: bumps in each other reach as far as they overlap.
constexpr double kGreaterPart = 4, kFarBehind = 0.1;

class RegionGatherer {
 public:
  RegionGatherer(const MeshPair& pair, const std::array<SheetSide, 2>& sides, std::uint32_t region,
                 ContactScratch& scratch)
      : pair_(pair), sides_(sides), region_(region), scratch_(scratch) {}

  [[nodiscard]] RegionOutline run() {
    clear();
    gatherContour();
    scratch_.is_sampled =
        scratch_.contour_points > 0 &&
        takeSamples(pair_, sides_, region_, normalised(outline_.area_vector, {0, 0, 1}), scratch_);
    gatherContourFaces();
    if (scratch_.is_sampled)
      gatherSamples();
    else
      gatherInside();
    // Around a border, what a contour goes around is not what overlaps.
    if (scratch_.meets_border[0] || scratch_.meets_border[1]) outline_.is_simple = false;
    scratch_.contour_middle = outline_.middle;
    scratch_.contour_area = outline_.is_simple ? outline_.area_vector : Vec3{};
    return outline_;
  }

 private:
  void clear() {
    scratch_.candidates.clear();
    scratch_.contour_points = 0;
    scratch_.ways_out.clear();
    scratch_.meets_border = {};
    scratch_.is_passed = {};
    scratch_.is_convex_through = false;
    for (int side = 0; side < 2; ++side) {
      scratch_.faces[side].clear();
      scratch_.points[side].clear();
      scratch_.extreme_points[side].clear();
      scratch_.inside_points[side].clear();
      scratch_.inside_edges[side].clear();
      scratch_.rim_ends[side].clear();
      scratch_.edges_through[side].clear();
      scratch_.face_seen[side].reset(pair_[side].mesh().triangleCount());
    }
  }

  /// The contours of a body that pokes through a plate, one on each side, cancel out: they are not simple.
  void gatherContour() {
    for (const std::uint32_t i : scratch_.crossings_of.of(region_)) {
      const Crossing& c = scratch_.crossings[i];
      for (auto& points : scratch_.points) points.push_back(c.point);
      addEdge(i);
      if (c.degree != 2) scratch_.meets_border[c.side] = true;
      const ContourKind kind = scratch_.contour_kind[c.contour];
      if (kind == ContourKind::kPassing || kind == ContourKind::kAroundBorder)
        for (int side = 0; side < 2; ++side)
          if (!sides_[side].isSolid() && sides_[1 - side].isSolid()) scratch_.is_passed[side] = true;
      if (c.contour != scratch_.crossings[scratch_.crossings_of.of(region_)[0]].contour)
        scratch_.is_convex_through = pair_.areConvex();
      outline_.middle += c.point;
      ++scratch_.contour_points;
    }
    if (scratch_.contour_points == 0) return;
    outline_.middle *= 1.0 / double(scratch_.contour_points);
    dropStrayEdges();
    double total = 0;  // of the triangles between the contour and its middle
    for (const std::uint32_t i : scratch_.segments_of.of(region_)) {
      const ContourSegment& s = scratch_.segments[i];
      const Vec3 area = 0.5 * cross(scratch_.crossings[s.from].point - outline_.middle,
                                    scratch_.crossings[s.to].point - outline_.middle);
      outline_.area_vector += runsBack(s, sides_) ? -area : area;
      total += length(area);
    }
    outline_.is_simple = length(outline_.area_vector) > kSimpleContour * total;
  }

  void gatherContourFaces() {
    const auto segments = scratch_.segments_of.of(region_);
    const std::size_t stride = scratch_.is_sampled ? segments.size() / kMostContourFaces + 1 : 1;
    for (std::size_t i = 0; i < segments.size(); i += stride)
      for (int side = 0; side < 2; ++side) addFace(side, scratch_.segments[segments[i]].face[side]);
  }

  void gatherSamples() {
    for (int side = 0; side < 2; ++side)
      for (const Sample& s : scratch_.samples[side]) {
        scratch_.inside_points[side].push_back(s.point);
        scratch_.points[side].push_back(s.point);
        addFace(side, s.face);
      }
  }

  void gatherInside() {
    const std::optional<int> left_out = pair_.growth() > 0 ? greaterPart() : std::nullopt;
    for (int side = 0; side < 2; ++side) {
      if (left_out == side) continue;
      const Mesh& mesh = pair_[side].mesh();
      scratch_.inside[side].forEachOf(mesh, region_, [&](std::uint32_t v) {
        if (!mesh.isFlat(v)) scratch_.inside_points[side].push_back(pair_[side].vertex(v));
        for (const std::uint32_t e : mesh.edgesAt(v))
          for (const std::uint32_t t : mesh.edges()[e].triangle) {
            addFace(side, t);
            if (t == Mesh::kNone) scratch_.meets_border[side] = true;
          }
      });
      if (!mesh.isSolid() && pair_[1 - side].mesh().isSolid()) addRim(side);
      const auto& inside = scratch_.inside_points[side];
      scratch_.points[side].insert(scratch_.points[side].end(), inside.begin(), inside.end());
    }
    for (int side = 0; side < 2; ++side) addWallsBeside(pair_, sides_, side, scratch_);
  }

  /// The side of two sheets of which far more is cut off: a card that stands across another cuts that in two
  /// as wide as it is itself, and leaves by as little as it has sunk in.
  [[nodiscard]] std::optional<int> greaterPart() const {
    const double reach[2] = {reachBehind(0), reachBehind(1)};
    const int greater = reach[0] > reach[1] ? 0 : 1;
    const double lesser = reach[1 - greater];
    const double least = std::max(kGreaterPart * lesser, kFarBehind * pair_.size());
    return lesser > 0 && reach[greater] > least ? std::optional(greater) : std::nullopt;
  }

  /// How far what is cut off of mesh `side` reaches behind the faces at the contour.
  [[nodiscard]] double reachBehind(int side) const {
    Vec3 normal;
    for (const std::uint32_t i : scratch_.segments_of.of(region_))
      normal += sides_[1 - side].normal(scratch_.segments[i].face[1 - side]);
    normal = normalised(normal);
    double reach = 0;
    scratch_.inside[side].forEachOf(pair_[side].mesh(), region_, [&](std::uint32_t v) {
      reach = std::max(reach, -dot(normal, pair_[side].vertex(v) - outline_.middle));
    });
    return reach;
  }

  /// Of the edges of a sheet's border that have one end inside: where they come in, since the rim carries
  /// from there on, and the middle of what lies inside, which is deeper than the end in a round body.
  void addRim(int side) {
    const PlacedMesh& placed = pair_[side];
    for (const std::uint32_t i : scratch_.crossings_of.of(region_)) {
      const Crossing& c = scratch_.crossings[i];
      if (c.side != side || c.degree == 2) continue;
      const std::uint32_t end = placed.mesh().edges()[c.edge].v[leaves(c, sides_) ? 0 : 1];
      if (!scratch_.inside[side].contains(placed.mesh(), end)) continue;
      const Vec3 inwards = placed.vertex(end) - c.point;
      for (const double share : {kRimBegin, 0.5})
        scratch_.inside_points[side].push_back(c.point + inwards * share);
    }
  }

  /// An edge with both ends outside. If it goes in and comes out by different contours, and by faces that
  /// look away from each other, it runs right through the other body, as through a plate.
  void addEdge(std::uint32_t entry) {
    const Crossing& in = scratch_.crossings[entry];
    if (in.partner == Mesh::kNone) return;
    const Crossing& out = scratch_.crossings[in.partner];
    const Vec3 middle = 0.5 * (in.point + out.point);
    scratch_.inside_edges[in.side].push_back({middle, entry});
    if (in.degree != 2)
      for (const Crossing* end : {&in, &out})
        scratch_.rim_ends[in.side].push_back(end->point + (middle - end->point) * kRimBegin);
    const SheetSide& other = sides_[1 - in.side];
    if (!other.isSolid() || in.contour == out.contour) return;
    const Vec3 in_normal = other.normal(in.face);
    const Vec3 out_normal = other.normal(out.face);
    if (dot(in_normal, out_normal) > kOpposedCosine) return;
    const PlacedMesh& placed = pair_[in.side];
    const MeshEdge& edge = placed.mesh().edges()[in.edge];
    const Vec3 ends[2] = {placed.vertex(edge.v[0]), placed.vertex(edge.v[1])};
    const Vec3 along = normalised(ends[1] - ends[0]);
    scratch_.edges_through[in.side].push_back({ends[0], out.point, out_normal, along, middle});
    scratch_.edges_through[in.side].push_back({ends[1], in.point, in_normal, along, middle});
  }

  /// A body that is stuck right through the other has a good share of its edges there do so. A few are the
  /// tips of teeth, say, that edges of the other cut off.
  void dropStrayEdges() {
    for (auto& edges : scratch_.edges_through)
      if (double(edges.size()) < kThroughShare * double(scratch_.contour_points)) edges.clear();
  }

  void addFace(int side, std::uint32_t t) {
    if (t != Mesh::kNone && !scratch_.face_seen[side].contains(t))  // most are
      addRegionFace(pair_, sides_, side, t, scratch_);
  }

  const MeshPair& pair_;
  const std::array<SheetSide, 2>& sides_;
  std::uint32_t region_;
  ContactScratch& scratch_;
  RegionOutline outline_;
};

}  // namespace

RegionFace regionFace(const PlacedMesh& placed, std::uint32_t t, bool is_flipped) {
  const Mesh& mesh = placed.mesh();
  const Pose& pose = placed.pose();
  const Vec3 &a = mesh.vertex(t, 0), &b = mesh.vertex(t, 1), &c = mesh.vertex(t, 2);
  const Vec3 normal = pose.rotate(triangleNormal(a, b, c));
  return {t,
          is_flipped ? -normal : normal,
          triangleArea(a, b, c),
          {{pose.apply(a), pose.apply(b), pose.apply(c)}}};
}

void addRegionFace(const MeshPair& pair, const std::array<SheetSide, 2>& sides, int side, std::uint32_t t,
                   ContactScratch& scratch) {
  if (scratch.face_seen[side].insert(t))
    scratch.faces[side].push_back(regionFace(pair[side], t, sides[side].isFlipped(t)));
}

RegionOutline gatherRegion(const MeshPair& pair, const std::array<SheetSide, 2>& sides, std::uint32_t region,
                           ContactScratch& scratch) {
  return RegionGatherer(pair, sides, region, scratch).run();
}

}  // namespace odemesh
