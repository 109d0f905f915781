#include "contact/patch/bent_region.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <span>

#include "constants.hpp"
#include "contact/deep.hpp"
#include "contact/patch/candidates.hpp"
#include "contact/patch/clusters.hpp"
#include "contact/patch/corner.hpp"
#include "contact/patch/samples.hpp"
#include "contact/patch/thin_overlap.hpp"
#include "contact/patch/tip_in_corner.hpp"
#include "contact/way_out/direction.hpp"

namespace odemesh {

namespace {

/// The rim of a sheet is shallow in another body up to this depth, in units of the smaller mesh's radius.
constexpr double kShallowRim = 0.1;

/// A way out is long if it is so many times as long as the region is thick along its area vector, or as twice
/// what its patches tell.
constexpr double kLongWay = 4;

/// Faces lie on each other if what they share is so many times as wide as the region is deep.
constexpr double kFaceWidth = 10;

/// Bodies that lie on each other with a face bend from this factor on, in place of `kBentRegion`: off a floor
/// alone, what runs into a slope beside it would not be stopped.
constexpr double kBendsBesideFloor = 1.15;

/// A face looks along a direction if the cosine of its normal with that is more than this (5 degrees).
constexpr double kLooksAlong = 0.9962;

/// The way out between two walls is up to this many times as long as the contacts with them are deep.
constexpr double kBetweenWalls = std::numbers::sqrt2;

/// What hangs on a few contacts, as a chain does, sinks in by more than this, in units of the smaller mesh's
/// radius, where QuickStep's iterations do not suffice: it looks at each contact once an iteration.
constexpr double kSinksIn = 5e-4;

/// A contact leads out along a direction if the cosine of its normal with that is more than this.
constexpr double kLeadsOut = 0.1;

/// Points in one box, when many are held against many faces.
constexpr std::size_t kRun = 64;

/// Around each run of points.
void boxRuns(std::span<const Vec3> points, std::vector<Aabb>& boxes) {
  boxes.clear();
  for (std::size_t i = 0; i < points.size(); ++i) {
    if (i % kRun == 0) boxes.emplace_back();
    boxes.back().grow(points[i]);
  }
}

/// The most that a point of the box has along `direction`.
[[nodiscard]] double reachOf(const Aabb& box, const Vec3& direction) {
  return std::max(direction.x * box.lo.x, direction.x * box.hi.x) +
         std::max(direction.y * box.lo.y, direction.y * box.hi.y) +
         std::max(direction.z * box.lo.z, direction.z * box.hi.z);
}

/// Does no point of the region stand in front of one of its faces on this side?
[[nodiscard]] bool bulges(const MeshPair& pair, int side, ContactScratch& scratch) {
  if (pair[side].mesh().isConvex()) return true;
  const double slack = pair.tolerances().slack;
  const std::span points = scratch.points[side];
  auto& boxes = scratch.point_boxes;
  boxRuns(points, boxes);
  return std::ranges::all_of(scratch.faces[side], [&](const RegionFace& f) {
    const double level = dot(f.normal, f.triangle.v[0]) + slack;
    for (std::size_t i = 0; i < boxes.size(); ++i) {
      if (reachOf(boxes[i], f.normal) <= level) continue;
      const auto run = points.subspan(i * kRun, std::min(kRun, points.size() - i * kRun));
      if (!std::ranges::all_of(run, [&](const Vec3& p) { return dot(f.normal, p) <= level; })) return false;
    }
    return true;
  });
}

/// Does `holds(a, b)`, which may not tell them apart, hold for any two contacts?
template <typename Holds>
[[nodiscard]] bool forAllPairs(std::span<const Contact> contacts, Holds&& holds) {
  for (std::size_t i = 0; i < contacts.size(); ++i)
    for (std::size_t j = 0; j < i; ++j)
      if (!holds(contacts[i], contacts[j])) return false;
  return true;
}

}  // namespace

bool isConvexHere(const MeshPair& pair, ContactScratch& scratch) {
  return !scratch.is_sampled && bulges(pair, 0, scratch) && bulges(pair, 1, scratch);
}

bool BentRegion::isLikely(double seen) const {
  const double depth = separation_.depth;
  return !pair_.areConvex() &&
         (scratch_.is_sampled || depth > kBentRegion * seen + 2 * pair_.tolerances().slack ||
          (isDeepAndSmall(depth, pair_, scratch_) && mayLeaveLocally()));
}

bool BentRegion::split() {
  bends_from_ = liesOnFace() ? kBendsBesideFloor : kBentRegion;
  return mayBend() && (!separation_.is_through || comesOutWithin(separation_.depth / bends_from_)) &&
         (scratch_.is_sampled ? splitSamples() : splitByDirection());
}

/// May what is inside leave by much less than the single direction tells? So may each vertex, and so may
/// edges alone that are caught between two walls, or that lie on one of them and stick into another.
bool BentRegion::mayLeaveLocally() const {
  return scratch_.hasVerticesInside() || !isConvexHere(pair_, scratch_) ||
         (outline_.is_simple && separation_.depth > kLongWay * thicknessAlongArea());
}

/// Do faces of both solids look along the single direction, over a region that is wide for its depth?
bool BentRegion::liesOnFace() const {
  if (!pair_.areSolid()) return false;
  const Vec3& up = separation_.direction;
  for (int side = 0; side < 2; ++side)
    if (std::ranges::none_of(scratch_.faces[side], [&](const RegionFace& f) {
          return dot(side == 0 ? -f.normal : f.normal, up) > kLooksAlong;
        }))
      return false;
  const auto contour = std::span(scratch_.points[0]).first(scratch_.contour_points);
  const double least = kFaceWidth * separation_.depth;
  return std::ranges::any_of(
      contour, [&](const Vec3& p) { return lengthSq(cross(up, p - contour.front())) > least * least; });
}

double BentRegion::thicknessAlongArea() const {
  return mostApart(outline_.alongArea(), scratch_.points);
}

/// Where both bodies are convex around it, a region leaves along one direction, no farther than it is thick
/// along its area vector. If the way out is longer than that, it leads past other walls, which are not among
/// the faces of the region.
bool BentRegion::mayBend() const {
  return !outline_.is_simple || !isConvexHere(pair_, scratch_) ||
         separation_.depth > thicknessAlongArea() + pair_.tolerances().slack;
}

/// Does every edge that runs right through the other body come out by no more than `most`? Either back, of
/// its two ends by the nearer one, or by the walls along which it runs, as those of a peg that fills its
/// hole do.
bool BentRegion::comesOutWithin(double most) {
  const auto back = [](const EdgeThrough& e) { return dot(e.face_point - e.end, e.face_normal); };
  const double slip = std::min(most, std::max(kTightFit * pair_.size(), mostHeld()));
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

/// What is less deep, what fills its hole is held by all its walls. Of sheets, nothing is.
double BentRegion::mostHeld() const {
  return pair_.areSolid() ? deepOf(pair_) : 0;
}

/// May contacts, of which the deepest is half of `most`, push against each other, as those at both ends of a
/// peg do that leans in its hole? In a tight fit, and where the region as a whole has a long way out.
bool BentRegion::mayHold(double most) const {
  return most <= kTightFit * pair_.size() ||
         (separation_.depth > kLongWay * most && most <= kBentRegion * mostHeld());
}

/// Is a point of mesh `side` within `most` of the plane of a face of the other?
bool BentRegion::isNearFace(int side, const Vec3& point, double most) const {
  return std::ranges::any_of(scratch_.faces[1 - side],
                             [&](const RegionFace& f) { return std::abs(depthBehind(point, f)) <= most; });
}

/// Makes a patch for each cluster of face directions. What is thicker than the whole region along its best
/// direction, by more than directions within a cluster differ, does not belong to it.
bool BentRegion::splitByDirection() {
  clusterWalls(scratch_);
  joinClusters(scratch_);
  const double longest = separation_.depth / bends_from_;
  if (!leaveLocally(pair_, scratch_.inside_points, longest, scratch_)) return false;
  const double across = overlay_.greatestDepthAcross();
  scratch_.single.swap(scratch_.candidates);
  scratch_.corner_points.clear();
  const std::size_t contacts_before = scratch_.contacts.size();
  const std::size_t patches_before = scratch_.patch_end.size();
  do {
    const double told = makeClusterPatches();
    const double most = kBentRegion * told;
    const bool is_too_deep = separation_.depth <= bends_from_ * told;
    if (!is_too_deep && answers(most, across, contacts_before)) {
      if (!scratch_.corner_points.empty()) return true;
      addUndercuts(longest);
      if (!scratch_.hasVerticesInside() || answerVertices(longest)) {
        if (areWalls(scratch_)) addOutOfCorners(pair_, contacts_before, scratch_);
        return true;
      }
    }
    scratch_.contacts.resize(contacts_before);
    scratch_.patch_end.resize(patches_before);
    if (is_too_deep) break;  // further points make no patch less deep
  } while (scratch_.corner_points.empty() && findCornerPoints(pair_, longest, scratch_));
  scratch_.candidates.swap(scratch_.single);
  return false;
}

/// The same for a region that is sampled: each sample along its own way out.
bool BentRegion::splitSamples() {
  scratch_.single.swap(scratch_.candidates);
  scratch_.candidates.clear();
  const double most = separation_.depth / kBentRegion;
  const bool is_local = probeSamplesLocally(pair_, sides_, most, scratch_);
  const bool touches_only = is_local && greatestDepth(scratch_) <= 0;
  if (touches_only && pair_.areSolid() && separation_.depth > kLeastLayer * pair_.size())
    return true;  // all around, as a peg in its hole does: regions are those of the blown-up bodies
  if (!is_local || touches_only) {
    scratch_.candidates.swap(scratch_.single);
    return false;
  }
  clusterDirections(scratch_);
  closePatches(pair_, scratch_.clusters, scratch_);
  return true;
}

/// The patches of the clusters and of `scratch.corner_points`. Returns the depth of the deepest contact; if
/// one is too deep for an answer, that of any such.
double BentRegion::makeClusterPatches() {
  const std::size_t first = scratch_.contacts.size();
  scratch_.dropped.clear();
  scratch_.cluster_depths.assign(scratch_.clusters.size(), 0);
  // Most attempts fail, and nine of ten of these by the cluster that looks most like the single direction.
  const std::size_t likely = nearestCluster(separation_.direction, scratch_);
  if (makeClusterPatch(likely) || scratch_.clusters.size() == 1) return scratch_.cluster_depths[likely];
  scratch_.set_aside.assign(scratch_.contacts.begin() + std::ptrdiff_t(first), scratch_.contacts.end());
  if (!scratch_.set_aside.empty()) scratch_.patch_end.pop_back();
  scratch_.contacts.resize(first);
  for (std::size_t k = 0; k < scratch_.clusters.size(); ++k) {
    if (k == likely)
      restorePatch();
    else if (makeClusterPatch(k))
      return scratch_.cluster_depths[k];
  }
  makeCornerPatches();
  return deepestContactFrom(first);
}

/// Is it too deep for an answer?
bool BentRegion::makeClusterPatch(std::size_t k) {
  const double greatest = separation_.depth / kClusterCosine + pair_.tolerances().slack;
  const Vec3 direction = scratch_.clusters[k];
  scratch_.candidates.clear();
  overlay_.lay(direction, kClusterFacingCosine, {.local_normals = true, .cluster = k});
  std::erase_if(scratch_.candidates, [&](const Candidate& c) { return c.depth > greatest; });
  dropThin(pair_, k, scratch_);
  addCornerPoints({k, k});
  const std::size_t before = scratch_.contacts.size();
  closeCluster(direction);
  scratch_.cluster_depths[k] = deepestContactFrom(before);
  return separation_.depth <= bends_from_ * scratch_.cluster_depths[k];
}

/// Of a patch that stands for joined clusters, all of these carry once it sinks in.
void BentRegion::closeCluster(const Vec3& direction) {
  if (scratch_.joined_clusters.empty() || greatestDepth(scratch_) < kSinksIn * pair_.size())
    closePatch(pair_, direction, scratch_);
  else
    closePatches(pair_, scratch_.joined_clusters, scratch_);
}

/// Puts the patch that was set aside behind those so far.
void BentRegion::restorePatch() {
  if (scratch_.set_aside.empty()) return;
  scratch_.contacts.insert(scratch_.contacts.end(), scratch_.set_aside.begin(), scratch_.set_aside.end());
  scratch_.patch_end.push_back(scratch_.contacts.size());
}

/// What a wall holds at undercut corners, no deeper than `most`, was taken for what another layer does.
void BentRegion::addUndercuts(double most) {
  if (!areWalls(scratch_)) return;
  for (std::size_t k = 0; k < scratch_.clusters.size(); ++k) {
    scratch_.candidates.clear();
    for (const DroppedCandidate& d : scratch_.dropped)
      if (d.cluster == k && d.candidate.depth <= most && overlay_.isUndercutAtWall(d.candidate, k))
        scratch_.candidates.push_back(d.candidate);
    const std::size_t before = scratch_.contacts.size();
    if (!scratch_.candidates.empty()) closePatch(pair_, scratch_.clusters[k], scratch_);
    scratch_.cluster_depths[k] = std::max(scratch_.cluster_depths[k], deepestContactFrom(before));
  }
}

/// The faces that lie over each other may be too steep for the cluster of a floor or wall that a vertex has
/// passed: it gets a contact of its own. False if that is too deep for the region to bend.
bool BentRegion::answerVertices(double longest) {
  if (!findUnansweredPoints(pair_, longest, scratch_)) return false;
  for (std::size_t k = 0; k < scratch_.clusters.size(); ++k) makeCornerPatch({k, k});
  makeCornerPatches();
  return true;
}

void BentRegion::addCornerPoints(const std::array<std::size_t, 2>& clusters) {
  for (const CornerPoint& point : scratch_.corner_points)
    if (point.clusters == clusters) addCandidate(point.position, point.direction, point.depth, scratch_);
}

void BentRegion::makeCornerPatches() {
  if (scratch_.corner_points.empty()) return;
  for (std::size_t i = 0; i < scratch_.clusters.size(); ++i)
    for (std::size_t j = 0; j < i; ++j) makeCornerPatch({i, j});
}

void BentRegion::makeCornerPatch(const std::array<std::size_t, 2>& clusters) {
  scratch_.candidates.clear();
  addCornerPoints(clusters);
  if (!scratch_.candidates.empty()) closePatch(pair_, scratch_.candidates.front().normal, scratch_);
}

/// Do the patches of a split, half as deep as `most`, that are less deep than what the single direction has,
/// tell what there is? Along that direction the faces are `across` apart. Notes whether they pinch. If both
/// tell as much, what was left out as that of other layers may have told of an edge.
bool BentRegion::answers(double most, double across, std::size_t first) {
  const bool tells_across = most + pair_.tolerances().touching > across;  // contacts are told less that
  if (!tells_across && isFaceOnFace(across)) return false;
  if (most <= pair_.tolerances().touching && touchesOnly()) return true;
  if (most <= 0 || (isShallowRim() && !leadOutFrom(first))) return false;
  // A corner of a rim may graze a side of what the rim cuts into.
  if (scratch_.is_passed[0] || scratch_.is_passed[1]) return explains(most);
  is_pinched_ = outline_.is_simple && !leanTogetherFrom(first) && isConvexHere(pair_, scratch_);
  if (is_pinched_) return false;
  const bool has_corners = !scratch_.corner_points.empty();
  if (has_corners && !mayHold(most) && !agreeFrom(first)) return false;
  if (tells_across && !has_corners && !scratch_.dropped.empty())
    return explains(kBetweenWalls / kBentRegion * most + pair_.tolerances().slack);
  return has_corners || explains(most);
}

/// Do faces lie over each other along the single direction, by `across` or a tenth of that, over an area
/// that is wide for its depth? Tilted ones are deep at one corner. Vertices at the rim of one may each leave
/// by a side, but not all by the same. The rim of a cup is wide, too, but only a hair of it lies over the
/// cone that is wedged into it.
bool BentRegion::isFaceOnFace(double across) const {
  const Vec3& up = separation_.direction;
  auto& deep = scratch_.deep_points;
  deep.clear();
  for (const Candidate& c : scratch_.single)
    if (c.depth > kShallowShare * across) deep.push_back(c.position - up * dot(up, c.position));
  if (deep.empty()) return false;
  const Vec3 along =
      *std::ranges::max_element(deep, {}, [&](const Vec3& p) { return lengthSq(p - deep[0]); }) - deep[0];
  const double least = kFaceWidth * separation_.depth;
  if (length(along) <= least) return false;
  const Vec3 sideways = cross(up, normalised(along));
  const auto [low, high] = std::ranges::minmax(deep, {}, [&](const Vec3& p) { return dot(sideways, p); });
  return dot(sideways, high - low) > least &&
         overlay_.areaOverlapped(up, kShallowShare * across) > least * length(along);
}

/// Would contacts of this depth let everything inside out?
bool BentRegion::explains(double depth) const {
  return leaveLocally(pair_, scratch_.inside_points, depth, scratch_) &&
         leaveLocally(pair_, scratch_.inside_edges, depth, scratch_);
}

/// Is nothing of either solid inside the other one, though the region as a whole would have a long way out?
/// A cup that rests in a cup is one, around a bend, before anything overlaps: regions are those of the
/// blown-up bodies.
bool BentRegion::touchesOnly() const {
  return pair_.areSolid() && isDeepAndSmall(separation_.depth, pair_, scratch_) &&
         explains(pair_.tolerances().touching);
}

/// Do no two of the contacts push against each other? They would hold what is deep where it is.
bool BentRegion::agreeFrom(std::size_t first) const {
  const double least = pair_.tolerances().slack;
  return forAllPairs(std::span(scratch_.contacts).subspan(first), [&](const Contact& a, const Contact& b) {
    return !areOpposite(a.normal, b.normal) || std::min(a.depth, b.depth) <= least;
  });
}

/// Does any of the contacts, that does more than touch, push outwards along the single direction?
bool BentRegion::leadOutFrom(std::size_t first) const {
  const Vec3 out = pair_.toWorld().rotate(separation_.direction);
  return std::ranges::any_of(std::span(scratch_.contacts).subspan(first), [&](const Contact& c) {
    return dot(c.normal, out) > kLeadsOut && c.depth > pair_.tolerances().touching;
  });
}

/// Does the rim of a sheet reach by little into a solid that is convex there? Where it runs along the sides
/// of what stands on it, each place of it would leave by its side: by next to nothing, and the whole not at
/// all.
bool BentRegion::isShallowRim() const {
  const auto meets = [&](int sheet) {
    return scratch_.meets_border[sheet] && !pair_[sheet].mesh().isSolid() &&
           pair_[1 - sheet].mesh().isSolid() && bulges(pair_, 1 - sheet, scratch_);
  };
  return separation_.depth <= kShallowRim * pair_.size() && (meets(0) || meets(1));
}

/// Is no contact more than a right angle from another? Of two convex bodies, of which one pushes the other
/// one way, none is: the sides of a thin wedge that another one's tip has passed would hold it between them.
bool BentRegion::leanTogetherFrom(std::size_t first) const {
  return forAllPairs(std::span(scratch_.contacts).subspan(first),
                     [](const Contact& a, const Contact& b) { return dot(a.normal, b.normal) >= 0; });
}

double BentRegion::deepestContactFrom(std::size_t first) const {
  double deepest = 0;
  for (std::size_t i = first; i < scratch_.contacts.size(); ++i)
    deepest = std::max(deepest, scratch_.contacts[i].depth);
  return deepest;
}

}  // namespace odemesh
