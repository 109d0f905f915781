#include "contact/patch.hpp"

#include <algorithm>
#include <limits>
#include <optional>

#include "constants.hpp"
#include "contact/corner.hpp"
#include "contact/direction.hpp"
#include "contact/graze.hpp"
#include "contact/layers.hpp"
#include "contact/overlap_centre.hpp"
#include "contact/overlay.hpp"
#include "contact/reduce.hpp"
#include "contact/samples.hpp"

namespace odemesh {

namespace {

/// A point on the rim of a region is looked at this share of the way to the middle.
constexpr double kProbeInset = 0.01;

/// An area vector has a meaning if it is at least this share of the area that its contour goes around.
constexpr double kSimpleContour = 0.25;

/// Seen along a direction, a contour encloses something if that is at least this share of its size squared.
constexpr double kLeastContour = 1e-3;

/// Faces look away from each other if their normals' cosine is less than this.
constexpr double kOpposedCosine = -0.5;

/// A body sticks through the other if the edges that do so make this share of the crossings.
constexpr double kThroughShare = 0.1;

/// The distance of two faces is the thickness of one layer if a ray finds the same but for this share.
constexpr double kLayerSlack = 0.2;

/// A ray that looks for layers starts no farther from the candidate than this, in units of its depth.
constexpr double kLayerInset = 0.1;

/// The same beside a rim that hangs over, from under which such a ray would start outside; and the depth, in
/// units of the smaller mesh's radius, up to which that is the likely reason.
constexpr double kUndercutInset = 1;
constexpr double kUndercutDepth = 0.02;
constexpr double kFlushCosine = 0.9999;

/// Faces closer than this, in units of the smaller mesh's radius, are taken for those of one layer.
constexpr double kLeastLayer = 1e-3;

/// A split that is thinner than this, in units of the depth along the single direction, may have missed
/// vertices inside.
constexpr double kThinSplit = 0.1;

/// Of a region that is sampled, the faces of about so many places of the contour are looked at.
constexpr std::size_t kMostContourFaces = 64;

/// About so many vertices of a side are looked at.
constexpr std::size_t kMostProbes = 64;

class PatchMaker {
 public:
  PatchMaker(const MeshPair& pair, const std::array<SheetSide, 2>& sides, std::uint32_t region,
             ContactScratch& scratch)
      : pair_(pair), sides_(sides), region_(region), scratch_(scratch) {}

  void run() {
    clear();
    gatherContour();
    scratch_.is_sampled = scratch_.contour_points > 0 &&
                          takeSamples(pair_, sides_, region_, normalised(area_vector_, {0, 0, 1}), scratch_);
    gatherContourFaces();
    if (scratch_.is_sampled)
      gatherSamples();
    else
      gatherInside();
    if (scratch_.contour_points > 0)
      addTouching();
    else
      addContained();
  }

 private:
  void clear() {
    scratch_.candidates.clear();
    scratch_.contour_points = 0;
    scratch_.ways_out.clear();
    scratch_.meets_border = {};
    scratch_.is_convex_through = false;
    for (int side = 0; side < 2; ++side) {
      scratch_.faces[side].clear();
      scratch_.points[side].clear();
      scratch_.inside_points[side].clear();
      scratch_.inside_middles[side].clear();
      scratch_.edges_through[side].clear();
      scratch_.face_seen[side].reset(pair_[side].mesh().triangleCount());
    }
  }

  void gatherContour() {
    for (const std::uint32_t i : scratch_.crossings_of.of(region_)) {
      const Crossing& c = scratch_.crossings[i];
      for (auto& points : scratch_.points) points.push_back(c.point);
      addEdge(c);
      if (c.degree != 2) scratch_.meets_border[c.side] = true;
      if (c.contour != scratch_.crossings[scratch_.crossings_of.of(region_)[0]].contour)
        scratch_.is_convex_through = areConvex();
      middle_ += c.point;
      ++scratch_.contour_points;
    }
    if (scratch_.contour_points == 0) return;
    middle_ *= 1.0 / double(scratch_.contour_points);
    dropStrayEdges();
    for (const std::uint32_t i : scratch_.segments_of.of(region_)) {
      const ContourSegment& s = scratch_.segments[i];
      const Vec3 area =
          0.5 * cross(scratch_.crossings[s.from].point - middle_, scratch_.crossings[s.to].point - middle_);
      area_vector_ += sides_[0].isFlipped(s.face[0]) == sides_[1].isFlipped(s.face[1]) ? area : -area;
      area_ += length(area);
    }
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
    for (int side = 0; side < 2; ++side) {
      const Mesh& mesh = pair_[side].mesh();
      for (const std::uint32_t i : scratch_.inside_of[side].of(region_)) {
        const std::uint32_t v = scratch_.inside[side][i].vertex;
        if (!mesh.isFlat(v)) scratch_.inside_points[side].push_back(pair_[side].vertex(v));
        for (const std::uint32_t e : mesh.edgesAt(v))
          for (const std::uint32_t t : mesh.edges()[e].triangle) addFace(side, t);
      }
      const auto& inside = scratch_.inside_points[side];
      scratch_.points[side].insert(scratch_.points[side].end(), inside.begin(), inside.end());
    }
  }

  /// The contours of a body that pokes through a plate, one on each side, cancel out.
  [[nodiscard]] bool contourIsSimple() const {
    return !scratch_.meets_border[0] && !scratch_.meets_border[1] &&
           length(area_vector_) > kSimpleContour * area_;
  }

  /// An edge with both ends outside. If it goes in and comes out by different contours, and by faces that
  /// look away from each other, it runs right through the other body, as through a plate.
  void addEdge(const Crossing& in) {
    if (in.partner == Mesh::kNone) return;
    const Crossing& out = scratch_.crossings[in.partner];
    const Vec3 middle = 0.5 * (in.point + out.point);
    scratch_.inside_middles[in.side].push_back(middle);
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
    if (t != Mesh::kNone && scratch_.face_seen[side].insert(t))
      scratch_.faces[side].push_back({t, sides_[side].normal(t), triangleArea(pair_[side].mesh(), t)});
  }

  /// One direction serves unless the region bends (a body in a corner, a peg in a hole): then moving out
  /// along any one is a much longer way than the overlap is thick along the local ones.
  void addTouching() {
    const Separation separation = findSeparation(pair_, area_vector_, contourIsSimple(), scratch_);
    if (separation.depth < 8 * kInflation * pair_.size() &&
        (isParallelEdgeGraze(pair_, sides_, scratch_) ||
         isPointGraze(pair_, sides_, separation.depth, scratch_)))
      return;
    const double slack = 2 * pair_.tolerances().slack;
    if (scratch_.is_sampled)
      probeSamples(pair_, separation, scratch_);
    else
      overlayLayers(separation.direction, 0, {.reach = reachOf(separation)});
    const double seen = greatestDepth();
    const bool looks_bent =
        !areConvex() && (scratch_.is_sampled || separation.depth > kBentRegion * seen + slack ||
                         (hasVertices() && isDeepAndSmall(separation.depth, pair_, scratch_)));
    if (looks_bent && !separation.is_through &&
        (scratch_.is_sampled ? splitSamples(separation) : splitByDirection(separation)))
      return;
    addSingle(separation, seen, slack);
  }

  /// Of what sticks through the other body, the end beyond it has to come back.
  [[nodiscard]] double reachOf(const Separation& separation) const {
    const auto& [first, second] = scratch_.edges_through;
    const bool comes_out = scratch_.is_convex_through || !first.empty() || !second.empty();
    return comes_out ? separation.depth + pair_.tolerances().slack : 0;
  }

  /// Convex bodies overlap in one layer, and leave each other along one direction.
  [[nodiscard]] bool areConvex() const { return pair_[0].mesh().isConvex() && pair_[1].mesh().isConvex(); }

  [[nodiscard]] bool hasVertices() const {
    return !scratch_.inside_points[0].empty() || !scratch_.inside_points[1].empty();
  }

  /// The contacts of a region that leaves along one direction.
  void addSingle(const Separation& separation, double seen, double slack) {
    const bool sees_all = seen >= separation.depth - slack && !scratch_.is_sampled && !has_layers_;
    if (seen < separation.depth - slack && !scratch_.is_sampled) addVertices(separation);
    const double thickness = greatestDepth();
    if (!separation.is_through && thickness <= 0 && separation.depth > slack) addResidual(separation);
    if ((sees_all || scratch_.is_sampled) && !separation.is_through) return closeSeen(separation.direction);
    closePatch(separation.direction);
    if (!separation.is_through) return;
    // The far end alone would let the body turn about it, and the rest pass.
    scratch_.candidates.clear();
    addCandidate(middle_, separation.direction, separation.depth);
    closePatch(separation.direction);
  }

  /// Between two faces of an overlay there may be more than one layer of the bodies, as between turns of a
  /// thread; then their distance is not the thickness of an overlap. If that is so for the deepest candidate,
  /// all are looked at: what the faces of the region tell of each, and what the deepest that are left meet of
  /// other faces.
  void overlayLayers(const Vec3& direction, double least_facing, const OverlayOptions& options) {
    const Facing& facing = facing_.emplace(pair_, direction, least_facing, scratch_);
    overlayFaces(pair_, facing, options, scratch_);
    if (areConvex() || deepestIsOneLayer(direction)) return;
    has_layers_ = true;
    auto& candidates = scratch_.candidates;
    const Layers layers(pair_, direction, scratch_);
    std::erase_if(candidates, [&](const Candidate& c) {
      return c.depth > pair_.tolerances().slack && !layers.isOne(spanAt(c, direction));
    });
    while (!deepestIsOneLayer(direction)) candidates.erase(deepestCandidate());
  }

  [[nodiscard]] std::vector<Candidate>::iterator deepestCandidate() const {
    return std::max_element(scratch_.candidates.begin(), scratch_.candidates.end(),
                            [](const Candidate& a, const Candidate& b) { return a.depth < b.depth; });
  }

  /// True, too, where there is nothing that could be more.
  [[nodiscard]] bool deepestIsOneLayer(const Vec3& direction) const {
    const auto deepest = deepestCandidate();
    return deepest == scratch_.candidates.end() || deepest->depth < kLeastLayer * pair_.size() ||
           isOneLayer(pair_, direction, spanAt(*deepest, direction)) ||
           isOneLayerByUndercut(*deepest, direction);
  }

  /// Of the two rays that look for layers, one may start outside because its body narrows from the rim on.
  [[nodiscard]] bool isOneLayerByUndercut(const Candidate& c, const Vec3& direction) const {
    const bool is_flush = dot(sides_[0].normal(c.face[0]), direction) < -kFlushCosine &&
                          dot(sides_[1].normal(c.face[1]), direction) > kFlushCosine;
    return is_flush && c.depth < kUndercutDepth * pair_.size() &&
           startsOutside(pair_, direction, spanAt(c, direction)) &&
           isOneLayer(pair_, direction, spanAt(c, direction, kUndercutInset));
  }

  /// Between the two faces of a candidate. A little further in, since a ray along the border meets faces
  /// edge-on.
  [[nodiscard]] LayerSpan spanAt(const Candidate& c, const Vec3& direction,
                                 double inset = kLayerInset) const {
    const double thickness = c.depth / dot(c.normal, direction);
    const Vec3 inwards = middle_ - c.position;
    const double share = std::min(kProbeInset, inset * thickness / std::max(length(inwards), thickness));
    return {c.position + inwards * share, thickness, kLayerSlack * thickness + pair_.tolerances().slack};
  }

  [[nodiscard]] double greatestDepth() const {
    double depth = 0;
    for (const Candidate& c : scratch_.candidates) depth = std::max(depth, c.depth);
    return depth;
  }

  /// The greatest thickness, measured across the faces that bound it instead of along the direction. Of those
  /// that meet at a corner, any may do so.
  [[nodiscard]] double greatestDepthAcross() const {
    const double reach = pair_.tolerances().touching;
    double depth = 0;
    for (const Candidate& c : scratch_.candidates) {
      if (c.depth <= depth) continue;
      const ShadowPoint at = facing_->onto().of(c.position);
      facing_->forEachPairAt(at, [&](const Shadow& a, const Shadow& b) {
        if (std::abs(thicknessAt(at, a, b) - c.depth) > reach) return;
        const Vec3 across = normalised(b.normal - a.normal, c.normal);
        depth = std::max(depth, c.depth * dot(across, c.normal));
      });
    }
    return depth;
  }

  /// Would contacts of this depth let everything inside out?
  [[nodiscard]] bool explains(double depth) const {
    return leaveLocally(pair_, scratch_.inside_points, depth, scratch_) &&
           leaveLocally(pair_, scratch_.inside_middles, depth, scratch_);
  }

  /// Makes a patch for each cluster of face directions. What is thicker than the whole region along its best
  /// direction does not belong to it. False, with no patch made, if that is not much better than one
  /// direction.
  [[nodiscard]] bool splitByDirection(const Separation& separation) {
    clusterDirections(scratch_);
    const double longest = separation.depth / kBentRegion;
    if (!leaveLocally(pair_, scratch_.inside_points, longest, scratch_)) return false;
    const double across = greatestDepthAcross();
    scratch_.single.swap(scratch_.candidates);
    scratch_.corner_points.clear();
    const std::size_t contacts_before = scratch_.contacts.size();
    const std::size_t patches_before = scratch_.patch_end.size();
    do {
      const double most = kBentRegion * makeClusterPatches(separation);
      if (answers(most, separation, across)) {
        if (scratch_.corner_points.empty() && hasVertices()) answerVertices(longest);
        return true;
      }
      scratch_.contacts.resize(contacts_before);
      scratch_.patch_end.resize(patches_before);
    } while (scratch_.corner_points.empty() && findCornerPoints(pair_, longest, scratch_));
    scratch_.candidates.swap(scratch_.single);
    return false;
  }

  /// The faces that lie over each other may be too steep for the cluster of a floor or wall that a vertex has
  /// passed: it gets a contact of its own.
  void answerVertices(double longest) {
    findUnansweredPoints(pair_, longest, scratch_);
    for (std::size_t k = 0; k < scratch_.clusters.size(); ++k) makeCornerPatch({k, k});
    makeCornerPatches();
  }

  /// The patches of the clusters and of `scratch.corner_points`. Returns the depth of the deepest contact.
  [[nodiscard]] double makeClusterPatches(const Separation& separation) {
    const std::size_t first = scratch_.contacts.size();
    const double greatest = separation.depth + pair_.tolerances().slack;
    scratch_.cluster_depths.clear();
    for (std::size_t k = 0; k < scratch_.clusters.size(); ++k) {
      const Vec3 direction = scratch_.clusters[k];
      scratch_.candidates.clear();
      overlayLayers(direction, kClusterFacingCosine, {.local_normals = true, .cluster = k});
      std::erase_if(scratch_.candidates, [&](const Candidate& c) { return c.depth > greatest; });
      addCornerPoints({k, k});
      const std::size_t before = scratch_.contacts.size();
      closePatch(direction);
      scratch_.cluster_depths.push_back(deepestContactFrom(before));
    }
    makeCornerPatches();
    return deepestContactFrom(first);
  }

  [[nodiscard]] double deepestContactFrom(std::size_t first) const {
    double deepest = 0;
    for (std::size_t i = first; i < scratch_.contacts.size(); ++i)
      deepest = std::max(deepest, scratch_.contacts[i].depth);
    return deepest;
  }

  /// Do the patches of a split, half as deep as `most`, tell what there is, and much better than the single
  /// direction, along which the faces are `across` apart?
  [[nodiscard]] bool answers(double most, const Separation& separation, double across) const {
    if (most <= 0 || separation.depth <= most) return false;
    const bool knows_vertices =
        !hasVertices() || !scratch_.corner_points.empty() || most > kThinSplit * separation.depth;
    return (knows_vertices && most > across) || (hasVertices() && explains(most));
  }

  void addCornerPoints(const std::array<std::size_t, 2>& clusters) {
    for (const CornerPoint& point : scratch_.corner_points)
      if (point.clusters == clusters) addCandidate(point.position, point.direction, point.depth);
  }

  void makeCornerPatches() {
    for (std::size_t i = 0; i < std::min(scratch_.clusters.size(), kMostCorners); ++i)
      for (std::size_t j = 0; j < i; ++j) makeCornerPatch({i, j});
  }

  void makeCornerPatch(const std::array<std::size_t, 2>& clusters) {
    scratch_.candidates.clear();
    addCornerPoints(clusters);
    if (!scratch_.candidates.empty()) closePatch(scratch_.candidates.front().normal);
  }

  /// As above, for a region that is sampled: each sample along its own way out.
  [[nodiscard]] bool splitSamples(const Separation& separation) {
    scratch_.single.swap(scratch_.candidates);
    scratch_.candidates.clear();
    const double most = separation.depth / kBentRegion;
    const bool is_local = probeSamplesLocally(pair_, most, scratch_);
    if (!is_local || greatestDepth() <= 0) {
      scratch_.candidates.swap(scratch_.single);
      return false;
    }
    clusterDirections(scratch_);
    scratch_.single.swap(scratch_.candidates);
    for (std::size_t k = 0; k < scratch_.clusters.size(); ++k) {
      scratch_.candidates.clear();
      for (const Candidate& c : scratch_.single)
        if (nearestCluster(c.normal, scratch_) == k) scratch_.candidates.push_back(c);
      closePatch(scratch_.clusters[k]);
    }
    return true;
  }

  /// One body lies wholly inside the other: it leaves by the shortest way, and the half of it that has the
  /// longest way to go carries the contacts.
  void addContained() {
    const int inner = scratch_.points[0].empty() ? 1 : 0;
    if (scratch_.points[inner].empty()) return;  // nothing but vertices in the middle of flat parts
    const PlacedMesh& outer = pair_[1 - inner];
    auto& surface = scratch_.points[1 - inner];
    if (outer.mesh().isConvex())
      for (std::uint32_t v = 0; v < outer.mesh().vertexCount(); ++v) surface.push_back(outer.vertex(v));
    const Separation separation = findExit(pair_, inner, scratch_);
    ++scratch_.contained;

    const Vec3 outwards = inner == 0 ? separation.direction : -separation.direction;
    double level = -std::numeric_limits<double>::infinity();
    for (const Vec3& p : surface) level = std::max(level, dot(outwards, p));
    const auto& points = scratch_.points[inner];
    const std::size_t stride = surface.empty() ? points.size() / kMostProbes + 1 : 1;
    for (std::size_t i = 0; i < points.size(); i += stride) {
      const Vec3& p = points[i];
      const double depth = surface.empty() ? wayOut(pair_, inner, p, outwards) : level - dot(outwards, p);
      if (depth >= 0.5 * separation.depth)
        addContainedCandidate(inner, p + outwards * (0.5 * depth), separation.direction, depth);
    }
    closePatch(separation.direction);
  }

  void addContainedCandidate(int inner, const Vec3& position, const Vec3& normal, double depth) {
    std::uint32_t face[2] = {0, 0};
    face[inner] = scratch_.faces[inner].front().face;
    scratch_.candidates.push_back({position, normal, depth, {face[0], face[1]}});
  }

  /// The tip of a leaning body may lie under faces that the region does not know: the vertices inside look
  /// for their way out through the whole of the other mesh. Of many, some.
  void addVertices(const Separation& separation) {
    for (int side = 0; side < 2; ++side) {
      const auto& points = scratch_.inside_points[side];
      const std::size_t stride = points.size() / kMostProbes + 1;
      for (std::size_t i = 0; i < points.size(); i += stride)
        addProbe(side, points[i], points[i], separation);
    }
  }

  /// No opposing faces share ground (a blade met edge-on, say): beside the vertices inside, the points where
  /// the region begins carry the contacts, looked at a little further in. One in the middle, if there is
  /// none.
  void addResidual(const Separation& separation) {
    addVertices(separation);
    for (int side = 0; side < 2; ++side) {
      if (scratch_.inside_points[side].empty()) continue;
      for (std::size_t i = 0; i < scratch_.contour_points; ++i) {
        const Vec3& p = scratch_.points[side][i];
        addProbe(side, p, p + (middle_ - p) * kProbeInset, separation);
      }
    }
    if (greatestDepth() <= 0) addCandidate(middle_, separation.direction, separation.depth);
  }

  void addProbe(int side, const Vec3& p, const Vec3& looked_at, const Separation& separation) {
    const Vec3 way = side == 0 ? separation.direction : -separation.direction;
    const double depth = wayOut(pair_, side, looked_at, way);
    if (depth > 0 && depth <= separation.depth + pair_.tolerances().slack)
      addCandidate(p + way * (0.5 * depth), separation.direction, depth);
  }

  void addCandidate(const Vec3& position, const Vec3& normal, double depth) {
    if (scratch_.faces[0].empty() || scratch_.faces[1].empty()) return;  // crossings without a contour
    scratch_.candidates.push_back(
        {position, normal, depth, {scratch_.faces[0].front().face, scratch_.faces[1].front().face}});
  }

  /// Reduces the candidates and appends them as a patch, if they touch at all.
  void closePatch(const Vec3& direction) {
    if (reducePatch(direction, pair_.tolerances(), scratch_)) appendPatch();
  }

  /// As above, where the overlay or samples have told all that overlaps: a tip carries in its middle.
  void closeSeen(const Vec3& direction) {
    if (!reducePatch(direction, pair_.tolerances(), scratch_)) return;
    if (scratch_.is_tip) keepMiddle(direction);
    appendPatch();
  }

  void keepMiddle(const Vec3& direction) {
    const auto middle = middleOfTip(direction);
    if (middle) keepDeepestOver(*middle, direction, scratch_);
  }

  [[nodiscard]] std::optional<Vec3> middleOfTip(const Vec3& direction) {
    // A contour as far off as a margin does not close what overlaps.
    if (scratch_.is_sampled || pair_.tolerances().margin > 0) return middleOfContour(direction);
    const auto centre = overlapCentre(pair_, sides_, region_, middle_, scratch_);
    return centre && isAmongPoints(*centre) ? centre : middleOfContour(direction);
  }

  /// Is a point no farther from the middle than the contour and what lies inside?
  [[nodiscard]] bool isAmongPoints(const Vec3& p) const {
    const double distance_sq = lengthSq(p - middle_);
    return std::ranges::any_of(scratch_.points, [&](const std::vector<Vec3>& points) {
      return std::ranges::any_of(points, [&](const Vec3& q) { return lengthSq(q - middle_) >= distance_sq; });
    });
  }

  [[nodiscard]] bool hasOneContour() const {
    const auto crossings = scratch_.crossings_of.of(region_);
    const std::uint32_t contour = scratch_.crossings[crossings[0]].contour;
    return !scratch_.meets_border[0] && !scratch_.meets_border[1] &&
           std::all_of(crossings.begin(), crossings.end(),
                       [&](std::uint32_t i) { return scratch_.crossings[i].contour == contour; });
  }

  /// The centroid of what the contour encloses, seen along the direction, if there is one closed contour.
  [[nodiscard]] std::optional<Vec3> middleOfContour(const Vec3& direction) const {
    if (!hasOneContour()) return std::nullopt;
    double area = 0, size_sq = 0;
    Vec3 moment;
    for (const std::uint32_t i : scratch_.segments_of.of(region_)) {
      const ContourSegment& s = scratch_.segments[i];
      const Vec3 from = scratch_.crossings[s.from].point - middle_;
      const Vec3 to = scratch_.crossings[s.to].point - middle_;
      const double share = dot(direction, cross(from, to));
      area += share;
      moment += (from + to) * share;
      size_sq = std::max(size_sq, lengthSq(from));
    }
    if (std::abs(area) < kLeastContour * size_sq) return std::nullopt;
    return middle_ + moment / (3 * area);
  }

  void appendPatch() {
    for (const Candidate& c : scratch_.candidates)
      scratch_.contacts.push_back({pair_.toWorld().apply(c.position), pair_.toWorld().rotate(c.normal),
                                   c.depth, pair_[0].inputTriangleAt(c.face[0], c.position),
                                   pair_[1].inputTriangleAt(c.face[1], c.position)});
    scratch_.patch_end.push_back(scratch_.contacts.size());
  }

  const MeshPair& pair_;
  const std::array<SheetSide, 2>& sides_;
  std::uint32_t region_;
  ContactScratch& scratch_;
  Vec3 area_vector_;
  double area_ = 0;  ///< of the triangles between the contour and its middle
  Vec3 middle_;
  bool has_layers_ = false;       ///< faces of the region see others through more than what overlaps
  std::optional<Facing> facing_;  ///< of the last overlay
};

}  // namespace

void addPatch(const MeshPair& pair, const std::array<SheetSide, 2>& sides, std::uint32_t region,
              ContactScratch& scratch) {
  PatchMaker(pair, sides, region, scratch).run();
}

}  // namespace odemesh
