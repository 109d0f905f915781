#include "contact/patch/patch.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <span>

#include "constants.hpp"
#include "contact/patch/clusters.hpp"
#include "contact/patch/contained.hpp"
#include "contact/patch/corner.hpp"
#include "contact/patch/gather.hpp"
#include "contact/patch/graze.hpp"
#include "contact/patch/layers.hpp"
#include "contact/patch/overlap_centre.hpp"
#include "contact/patch/overlay.hpp"
#include "contact/patch/samples.hpp"
#include "contact/patch/thin_overlap.hpp"
#include "contact/way_out/direction.hpp"
#include "contact/way_out/way_out.hpp"
#include "reduction/reduce.hpp"

namespace odemesh {

namespace {

/// A point on the rim of a region is looked at this share of the way to the middle.
constexpr double kProbeInset = 0.01;

/// The distance of two faces is the thickness of one layer if a ray finds the same but for this share.
constexpr double kLayerSlack = 0.2;

/// A ray that looks for layers starts no farther from the candidate than this, in units of its depth.
constexpr double kLayerInset = 0.1;

/// The same beside a rim that hangs over, from under which such a ray would start outside; and the depth, in
/// units of the smaller mesh's radius, up to which that is the likely reason.
constexpr double kUndercutInset = 1;
constexpr double kUndercutDepth = 0.02;
constexpr double kFlushCosine = 0.9999;

/// A split that is thinner than this, in units of the depth along the single direction, may have missed
/// vertices inside.
constexpr double kThinSplit = 0.1;

class PatchMaker {
 public:
  PatchMaker(const MeshPair& pair, const std::array<SheetSide, 2>& sides, std::uint32_t region,
             ContactScratch& scratch)
      : pair_(pair), sides_(sides), region_(region), scratch_(scratch) {}

  void run() {
    outline_ = gatherRegion(pair_, sides_, region_, scratch_);
    if (scratch_.contour_points > 0) return addTouching();
    const Vec3 direction = addContained(pair_, scratch_);
    closePatch(direction);
  }

 private:
  /// One direction serves unless the region bends (a body in a corner, a peg in a hole): then moving out
  /// along any one is a much longer way than the overlap is thick along the local ones.
  void addTouching() {
    const Separation separation = findSeparation(pair_, outline_.area_vector, outline_.is_simple, scratch_);
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
        !pair_.areConvex() && (scratch_.is_sampled || separation.depth > kBentRegion * seen + slack ||
                               (hasVertices() && isDeepAndSmall(separation.depth, pair_, scratch_)));
    if (looks_bent && mayBend(separation) &&
        (!separation.is_through || comesOutWithin(separation.depth / kBentRegion)) &&
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

  /// Does every edge that runs right through the other body come out by no more than `most`? Either back, of
  /// its two ends by the nearer one, or by the walls along which it runs, as those of a peg that fills its
  /// hole do.
  [[nodiscard]] bool comesOutWithin(double most) {
    const auto back = [](const EdgeThrough& e) { return dot(e.face_point - e.end, e.face_normal); };
    const double slip = std::min(most, kTightFit * pair_.size());
    for (int side = 0; side < 2; ++side) {
      const auto& edges = scratch_.edges_through[side];
      scratch_.through_points[side].clear();
      for (std::size_t i = 0; i < edges.size(); i += 2) {
        if (std::min(back(edges[i]), back(edges[i + 1])) <= most) continue;
        // The faces that samples show may not be those near an edge.
        if (!scratch_.is_sampled && !isNearFace(side, edges[i].middle, slip)) return false;
        scratch_.through_points[side].push_back(edges[i].middle);
      }
    }
    if (scratch_.through_points[0].empty() && scratch_.through_points[1].empty()) return true;
    clusterDirections(scratch_);
    return leaveLocally(pair_, scratch_.through_points, slip, scratch_);
  }

  /// Is a point of mesh `side` within `most` of the plane of a face of the other?
  [[nodiscard]] bool isNearFace(int side, const Vec3& point, double most) const {
    return std::ranges::any_of(scratch_.faces[1 - side], [&](const RegionFace& f) {
      return std::abs(depthBehind(pair_, side, point, f)) <= most;
    });
  }

  /// Where both bodies are convex, a region leaves along one direction, as convex bodies do, and no farther
  /// than it is thick along its area vector. What has a longer way meets other walls, which the region does
  /// not know.
  [[nodiscard]] bool mayBend(const Separation& separation) const {
    return !outline_.is_simple || !isConvexHere() ||
           separation.depth >
               mostApart(normalised(outline_.area_vector), scratch_.points) + pair_.tolerances().slack;
  }

  /// Are both bodies convex, as far as the region shows? Samples do not show all faces.
  [[nodiscard]] bool isConvexHere() const { return !scratch_.is_sampled && bulges(0) && bulges(1); }

  /// Does no point of the region stand in front of one of its faces on this side?
  [[nodiscard]] bool bulges(int side) const {
    const double slack = pair_.tolerances().slack;
    return std::ranges::all_of(scratch_.faces[side], [&](const RegionFace& f) {
      const double level = dot(f.normal, pair_[side].corner(f.face, 0)) + slack;
      return std::ranges::all_of(scratch_.points[side],
                                 [&](const Vec3& p) { return dot(f.normal, p) <= level; });
    });
  }

  [[nodiscard]] bool hasVertices() const {
    return !scratch_.inside_points[0].empty() || !scratch_.inside_points[1].empty();
  }

  /// The contacts of a region that leaves along one direction.
  void addSingle(const Separation& separation, double seen, double slack) {
    const bool sees_all = seen >= separation.depth - slack && !scratch_.is_sampled && !has_layers_;
    // The rim of a sheet has no face that looks along the direction, nor is a sheet blown up.
    const bool is_rim_alone =
        scratch_.candidates.empty() && (scratch_.meets_border[0] || scratch_.meets_border[1]);
    if ((seen < separation.depth - slack || is_rim_alone) && !scratch_.is_sampled) addVertices(separation);
    if (!separation.is_through && separation.depth > (is_rim_alone ? pair_.tolerances().inflation : slack)) {
      if (greatestDepth() <= 0 || (is_rim_alone && kBentRegion * greatestDepth() < separation.depth))
        addResidual(separation);
      // Of edges that cross, the faces beside them may lie over each other by much less than they overlap.
      if (kBentRegion * greatestDepth() < separation.depth && isConvexHere())
        addCandidate(outline_.middle, separation.direction, separation.depth);
    }
    if ((sees_all || scratch_.is_sampled) && !separation.is_through) return closeSeen(separation.direction);
    closePatch(separation.direction);
    if (!separation.is_through) return;
    // The far end alone would let the body turn about it, and the rest pass.
    scratch_.candidates.clear();
    addCandidate(outline_.middle, separation.direction, separation.depth);
    closePatch(separation.direction);
  }

  /// Between two faces of an overlay there may be more than one layer of the bodies, as between turns of a
  /// thread; then their distance is not the thickness of an overlap. If that is so for the deepest candidate,
  /// all are looked at: what the faces of the region tell of each, and what the deepest that are left meet of
  /// other faces.
  void overlayLayers(const Vec3& direction, double least_facing, const OverlayOptions& options) {
    const Facing& facing = facing_.emplace(pair_, direction, least_facing, scratch_);
    overlayFaces(pair_, facing, options, scratch_);
    if (pair_.areConvex() || deepestIsOneLayer(direction)) return;
    has_layers_ = true;
    auto& candidates = scratch_.candidates;
    const auto note = [&](const Candidate& c) {
      if (options.local_normals) scratch_.dropped.push_back({c, options.cluster});
    };
    const Layers layers(pair_, direction, scratch_);
    std::erase_if(candidates, [&](const Candidate& c) {
      if (c.depth <= pair_.tolerances().slack || layers.isOne(spanAt(c, direction))) return false;
      note(c);
      return true;
    });
    while (!deepestIsOneLayer(direction)) {
      const auto deepest = deepestCandidate();
      note(*deepest);
      candidates.erase(deepest);
    }
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
           undercutSide(pair_, direction, spanAt(c, direction)) &&
           isOneLayer(pair_, direction, spanAt(c, direction, kUndercutInset));
  }

  /// The same at the corner of a wedge, however deep, along the wall that it is pressed into: its sides lean
  /// away from the wall's normal.
  [[nodiscard]] bool isUndercutAtWall(const Candidate& c, std::size_t k) const {
    const Vec3& direction = scratch_.clusters[k];
    const LayerSpan span = spanAt(c, direction);
    const auto side = undercutSide(pair_, direction, span);
    return side && leavesOffWall(pair_, *side, endOf(span, *side, direction), k, c.depth, scratch_);
  }

  /// Between the two faces of a candidate. A little further in, since a ray along the border meets faces
  /// edge-on.
  [[nodiscard]] LayerSpan spanAt(const Candidate& c, const Vec3& direction,
                                 double inset = kLayerInset) const {
    const double thickness = c.depth / dot(c.normal, direction);
    const Vec3 inwards = outline_.middle - c.position;
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
           leaveLocally(pair_, scratch_.inside_edges, depth, scratch_);
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
      const bool is_too_deep = separation.depth <= most;
      if (!is_too_deep && answers(most, separation, across, contacts_before)) {
        if (!scratch_.corner_points.empty()) return true;
        addUndercuts(longest);
        if (hasVertices()) answerVertices(longest);
        return true;
      }
      scratch_.contacts.resize(contacts_before);
      scratch_.patch_end.resize(patches_before);
      if (is_too_deep) break;  // further points make no patch less deep
    } while (scratch_.corner_points.empty() && findCornerPoints(pair_, longest, scratch_));
    scratch_.candidates.swap(scratch_.single);
    return false;
  }

  /// What a wall holds at undercut corners, no deeper than `most`, was taken for what another layer does.
  void addUndercuts(double most) {
    if (!areWalls(scratch_)) return;
    for (std::size_t k = 0; k < scratch_.clusters.size(); ++k) {
      scratch_.candidates.clear();
      for (const DroppedCandidate& d : scratch_.dropped)
        if (d.cluster == k && d.candidate.depth <= most && isUndercutAtWall(d.candidate, k))
          scratch_.candidates.push_back(d.candidate);
      const std::size_t before = scratch_.contacts.size();
      if (!scratch_.candidates.empty()) closePatch(scratch_.clusters[k]);
      scratch_.cluster_depths[k] = std::max(scratch_.cluster_depths[k], deepestContactFrom(before));
    }
  }

  /// The faces that lie over each other may be too steep for the cluster of a floor or wall that a vertex has
  /// passed: it gets a contact of its own.
  void answerVertices(double longest) {
    findUnansweredPoints(pair_, longest, scratch_);
    for (std::size_t k = 0; k < scratch_.clusters.size(); ++k) makeCornerPatch({k, k});
    makeCornerPatches();
  }

  /// The patches of the clusters and of `scratch.corner_points`. Returns the depth of the deepest contact; of
  /// those so far, if one is too deep for an answer.
  [[nodiscard]] double makeClusterPatches(const Separation& separation) {
    const std::size_t first = scratch_.contacts.size();
    const double greatest = separation.depth + pair_.tolerances().slack;
    scratch_.dropped.clear();
    scratch_.cluster_depths.clear();
    for (std::size_t k = 0; k < scratch_.clusters.size(); ++k) {
      const Vec3 direction = scratch_.clusters[k];
      scratch_.candidates.clear();
      overlayLayers(direction, kClusterFacingCosine, {.local_normals = true, .cluster = k});
      std::erase_if(scratch_.candidates, [&](const Candidate& c) { return c.depth > greatest; });
      dropThin(pair_, k, scratch_);
      addCornerPoints({k, k});
      const std::size_t before = scratch_.contacts.size();
      closePatch(direction);
      scratch_.cluster_depths.push_back(deepestContactFrom(before));
      if (separation.depth <= kBentRegion * scratch_.cluster_depths.back())
        return scratch_.cluster_depths.back();
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

  /// Do the patches of a split, half as deep as `most`, which is less than what the single direction has,
  /// tell what there is? Along that direction the faces are `across` apart.
  [[nodiscard]] bool answers(double most, const Separation& separation, double across,
                             std::size_t first) const {
    if (most <= pair_.tolerances().touching && touchesOnly(separation)) return true;
    if (most <= 0) return false;
    // A corner of a rim may graze a side of what the rim cuts into.
    if (scratch_.is_passed[0] || scratch_.is_passed[1]) return explains(most);
    const bool has_corners = !scratch_.corner_points.empty();
    const bool knows_vertices = !hasVertices() || has_corners || most > kThinSplit * separation.depth;
    const bool tells_across = most + pair_.tolerances().touching > across;  // contacts are told less that
    if (has_corners && most > kTightFit * pair_.size() && !agreeFrom(first)) return false;
    return (knows_vertices && tells_across) || (hasVertices() && (has_corners || explains(most)));
  }

  /// Is nothing of either solid inside the other one, though the region as a whole would have a long way out?
  /// A cup that rests in a cup is one, around a bend, before anything overlaps: regions are those of the
  /// blown-up bodies.
  [[nodiscard]] bool touchesOnly(const Separation& separation) const {
    return pair_.areSolid() && isDeepAndSmall(separation.depth, pair_, scratch_) &&
           explains(pair_.tolerances().touching);
  }

  /// Do no two of the contacts push against each other? They would hold what is deep where it is.
  [[nodiscard]] bool agreeFrom(std::size_t first) const {
    const auto contacts = std::span(scratch_.contacts).subspan(first);
    const double least = pair_.tolerances().slack;
    for (std::size_t i = 0; i < contacts.size(); ++i)
      for (std::size_t j = 0; j < i; ++j)
        if (areOpposite(contacts[i].normal, contacts[j].normal) &&
            std::min(contacts[i].depth, contacts[j].depth) > least)
          return false;
    return true;
  }

  void addCornerPoints(const std::array<std::size_t, 2>& clusters) {
    for (const CornerPoint& point : scratch_.corner_points)
      if (point.clusters == clusters) addCandidate(point.position, point.direction, point.depth);
  }

  void makeCornerPatches() {
    if (scratch_.corner_points.empty()) return;
    for (std::size_t i = 0; i < scratch_.clusters.size(); ++i)
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
    const bool touches_only = is_local && greatestDepth() <= 0;
    if (touches_only && pair_.areSolid() && separation.depth > kLeastLayer * pair_.size())
      return true;  // all around, as a peg in its hole does: regions are those of the blown-up bodies
    if (!is_local || touches_only) {
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
      const bool has_edges = !pair_[side].mesh().isSolid() && !scratch_.inside_edges[side].empty();
      if (scratch_.inside_points[side].empty() && !has_edges) continue;
      for (std::size_t i = 0; i < scratch_.contour_points; ++i) {
        const Vec3& p = scratch_.points[side][i];
        addProbe(side, p, p + (outline_.middle - p) * kProbeInset, separation);
      }
    }
    if (greatestDepth() <= 0) addCandidate(outline_.middle, separation.direction, separation.depth);
  }

  void addProbe(int side, const Vec3& p, const Vec3& looked_at, const Separation& separation) {
    const Vec3 way = side == 0 ? separation.direction : -separation.direction;
    const double depth = wayOutPast(pair_, side, looked_at, way, scratch_);
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
    std::optional<Vec3> centre;
    // A contour as far off as a margin does not close what overlaps.
    if (!scratch_.is_sampled && pair_.tolerances().margin == 0)
      centre = overlapCentre(pair_, sides_, region_, outline_.middle, scratch_);
    return centre ? centre : contourCentre(region_, outline_.middle, direction, scratch_);
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
  RegionOutline outline_;
  bool has_layers_ = false;       ///< faces of the region see others through more than what overlaps
  std::optional<Facing> facing_;  ///< of the last overlay
};

}  // namespace

void addPatch(const MeshPair& pair, const std::array<SheetSide, 2>& sides, std::uint32_t region,
              ContactScratch& scratch) {
  PatchMaker(pair, sides, region, scratch).run();
}

}  // namespace odemesh
