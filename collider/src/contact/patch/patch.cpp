#include "contact/patch/patch.hpp"

#include <algorithm>
#include <optional>
#include <span>

#include "constants.hpp"
#include "contact/patch/bent_region.hpp"
#include "contact/patch/candidates.hpp"
#include "contact/patch/contained.hpp"
#include "contact/patch/gather.hpp"
#include "contact/patch/graze.hpp"
#include "contact/patch/layered_overlay.hpp"
#include "contact/patch/overlap_centre.hpp"
#include "contact/patch/samples.hpp"
#include "contact/patch/way_past.hpp"
#include "contact/way_out/convex_exit.hpp"
#include "contact/way_out/direction.hpp"
#include "contact/way_out/way_out.hpp"
#include "reduction/reduce.hpp"
#include "reduction/rounded_tip.hpp"

namespace odemesh {

namespace {

/// A region that is less thick than this share of the way out leaves past an edge. By a little less, so are
/// those of curved bodies, of which thickness and way out are measured at other points.
constexpr double kPastEdge = 0.95;

/// What lies in a notch leaves along the area vector if it is no thicker there than this, in units of the way
/// out along another direction.
constexpr double kThinnerAlongArea = 0.75;

class PatchMaker {
 public:
  PatchMaker(const MeshPair& pair, const std::array<SheetSide, 2>& sides, std::uint32_t region,
             ContactScratch& scratch)
      : pair_(pair),
        sides_(sides),
        region_(region),
        scratch_(scratch),
        outline_(gatherRegion(pair, sides, region, scratch)),
        overlay_(pair, outline_.middle, scratch) {}

  void run() {
    if (scratch_.contour_points > 0) return addTouching();
    const Vec3 direction = addContained(pair_, scratch_);
    closePatch(pair_, direction, scratch_);
  }

 private:
  /// One direction serves unless the region bends.
  void addTouching() {
    const Separation separation = findSeparation(pair_, outline_.area_vector, outline_.is_simple, scratch_);
    if (separation.depth < kMostGraze * pair_.size() &&
        (isParallelEdgeGraze(pair_, sides_, scratch_) ||
         isPointGraze(pair_, sides_, separation.depth, scratch_)))
      return;
    if (const auto way = findWayPast(pair_, sides_, separation, scratch_)) return addAlong(*way);
    if (scratch_.is_sampled)
      probeSamples(pair_, separation, scratch_);
    else
      overlay_.lay(separation.direction, 0, {.reach = reachOf(separation)});
    const double seen = greatestDepth(scratch_);
    BentRegion bent(pair_, sides_, outline_, separation, overlay_, scratch_);
    if (bent.isLikely(seen) && bent.split()) {
      scratch_.split_depth = std::max(scratch_.split_depth, separation.depth);
      return;
    }
    if (bent.isPinched()) return addAlongArea();
    if (mayLieInNotch(separation) && addOutOfNotch(separation)) return;
    addSingle(separation, seen);
  }

  /// Does all that is inside come out along the area vector much sooner than along the direction that the
  /// region as a whole has?
  [[nodiscard]] bool mayLieInNotch(const Separation& separation) {
    if (!outline_.is_simple || !scratch_.hasVerticesInside() || pair_.areConvex()) return false;
    const Vec3 direction = outline_.alongArea();
    return isDeepAndSmall(separation.depth, pair_, scratch_) &&
           dot(direction, separation.direction) < kSameDirectionCosine &&
           leavesWithin(kThinnerAlongArea * separation.depth, direction) && !isConvexHere(pair_, scratch_);
  }

  /// Along the area vector, the walls of a notch seem to hold what lies between them as far as the region
  /// reaches up beside it. How thick it is there tells how far it has to move.
  [[nodiscard]] bool addOutOfNotch(const Separation& separation) {
    const Vec3 direction = outline_.alongArea();
    LayeredOverlay overlay(pair_, outline_.middle, scratch_);
    scratch_.single.swap(scratch_.candidates);
    scratch_.candidates.clear();
    overlay.lay(direction, 0, {});
    const double depth = greatestDepth(scratch_);
    const bool is_shorter = depth < kThinnerAlongArea * separation.depth;
    if (is_shorter && !overlay.hasLayers() && leavesWithin(depth, direction)) {
      addSingle({direction, depth, depth}, depth);
      return true;
    }
    scratch_.candidates.swap(scratch_.single);
    return false;
  }

  /// Does what is inside come out along `direction` by moving no more than `most`?
  [[nodiscard]] bool leavesWithin(double most, const Vec3& direction) {
    for (int side = 0; side < 2; ++side) {
      const Vec3 way = side == 0 ? direction : -direction;
      const auto leaves = [&](const auto& p) {
        return wayOutPast(pair_, side, p, way, scratch_) <= most + pair_.tolerances().slack;
      };
      if (!forMeasured(scratch_.inside_points[side], leaves)) return false;
      if (!forMeasured(scratch_.inside_edges[side], leaves)) return false;
    }
    return true;
  }

  /// Convex bodies leave along the area vector, no farther than the region is thick there.
  void addAlongArea() { addAlong(outline_.alongArea()); }

  void addAlong(const Vec3& direction) {
    const double depth = mostApart(direction, scratch_.points);
    scratch_.candidates.clear();
    overlay_.lay(direction, 0, {});
    addSingle({direction, depth, depth}, greatestDepth(scratch_));
  }

  /// Of what sticks through the other body, the end beyond it has to come back. Faces lie over a sheet up to
  /// its border, beyond which the region knows no corner of them.
  [[nodiscard]] double reachOf(const Separation& separation) const {
    const auto& [first, second] = scratch_.edges_through;
    const bool comes_out = scratch_.is_convex_through || !first.empty() || !second.empty();
    const bool meets_border = scratch_.meets_border[0] || scratch_.meets_border[1];
    return comes_out || meets_border ? separation.depth + pair_.tolerances().slack : 0;
  }

  /// The contacts of a region that leaves along one direction.
  void addSingle(const Separation& separation, double seen) {
    const double slack = 2 * pair_.tolerances().slack;
    const bool sees_all = (pair_.areConvex() || seen >= separation.depth - slack) && !scratch_.is_sampled &&
                          !overlay_.hasLayers();
    // The rim of a sheet has no face that looks along the direction, nor is a sheet blown up.
    const bool is_rim_alone =
        scratch_.candidates.empty() && (scratch_.meets_border[0] || scratch_.meets_border[1]);
    if ((seen < separation.depth - slack || is_rim_alone) && !scratch_.is_sampled) addVertices(separation);
    if (!separation.is_through && separation.depth > (is_rim_alone ? pair_.tolerances().inflation : slack)) {
      const double deepest = greatestDepth(scratch_);
      if (deepest <= 0 || (is_rim_alone && kBentRegion * deepest < separation.depth)) addResidual(separation);
      // Of edges that cross, the faces beside them may lie over each other by much less than they overlap.
      if (kBentRegion * greatestDepth(scratch_) < separation.depth) addEdges(separation);
    }
    if (seen < separation.depth - slack) deepenToExit(separation);
    if (seen < kPastEdge * separation.depth && !pair_.areConvex()) scratch_.leaves_past_edge = true;
    if ((sees_all || scratch_.is_sampled) && !separation.is_through) return closeSeen(separation.direction);
    closePatch(pair_, separation.direction, scratch_);
    if (!separation.is_through) return;
    // The far end alone would let the body turn about it, and the rest pass.
    scratch_.candidates.clear();
    addMiddle(separation);
    closePatch(pair_, separation.direction, scratch_);
  }

  /// Past an edge, a body leaves by faces that the region does not know: the way out is longer than what
  /// overlaps is thick. All points that are the deepest but for rounding are told so: several may be one.
  void deepenToExit(const Separation& separation) {
    const double exit = separation.is_through ? 0 : std::min(wayOutAlong(separation), separation.depth);
    const double deepest = greatestDepth(scratch_);
    if (exit <= deepest) return;
    for (Candidate& c : scratch_.candidates)
      if (c.depth >= deepest - pair_.tolerances().touching) c.depth = exit;
  }

  /// How far the bodies have to move, or what is inside has to; 0 if that is not known.
  [[nodiscard]] double wayOutAlong(const Separation& separation) const {
    if (!pair_.areConvex()) return pair_.areSolid() ? separation.way_out : 0;
    return separation.ray_exit ? *separation.ray_exit
                               : rayExit(pair_, separation.direction, 0).value_or(RayExit{}).depth;
  }

  /// Those of convex bodies meet in the middle. Others lie in the other body from where they enter to where
  /// they leave, as the nose of a step does in what leans on it.
  void addEdges(const Separation& separation) {
    if (isConvexHere(pair_, scratch_)) return addMiddle(separation);
    if (scratch_.is_sampled) return;
    for (int side = 0; side < 2; ++side)
      if (!scratch_.inside_edges[side].empty()) addContour(side, separation);
  }

  void addMiddle(const Separation& separation) {
    addCandidate(outline_.middle, separation.direction, separation.depth, scratch_);
  }

  /// The tip of a leaning body may lie under faces that the region does not know: the vertices inside look
  /// for their way out through the whole of the other mesh. Of many, some.
  void addVertices(const Separation& separation) {
    for (int side = 0; side < 2; ++side) {
      const auto& points = scratch_.inside_points[side];
      const std::size_t stride = points.size() / kMostProbes + 1;
      for (std::size_t i = 0; i < points.size(); i += stride)
        addProbe(side, points[i], overGrown(points[i]), separation);
    }
  }

  /// A point that hangs over the border of a sheet that has grown is looked at as far within that.
  [[nodiscard]] Vec3 overGrown(const Vec3& p) const {
    return pair_.growth() > 0 ? p + normalised(outline_.middle - p) * pair_.growth() : p;
  }

  /// No opposing faces share ground (a blade met edge-on, say): beside the vertices inside, the points where
  /// the region begins carry the contacts. One in the middle, if there is none.
  void addResidual(const Separation& separation) {
    addVertices(separation);
    for (int side = 0; side < 2; ++side) {
      const bool has_edges = !pair_[side].mesh().isSolid() && !scratch_.inside_edges[side].empty();
      if (scratch_.inside_points[side].empty() && !has_edges) continue;
      addContour(side, separation);
    }
    if (greatestDepth(scratch_) <= 0) addMiddle(separation);
  }

  /// The points where the region begins, looked at a little further in.
  void addContour(int side, const Separation& separation) {
    for (std::size_t i = 0; i < scratch_.contour_points; ++i) {
      const Vec3& p = scratch_.points[side][i];
      addProbe(side, p, p + (outline_.middle - p) * kRimInset, separation);
    }
  }

  void addProbe(int side, const Vec3& p, const Vec3& looked_at, const Separation& separation) {
    const Vec3 way = side == 0 ? separation.direction : -separation.direction;
    const double depth = wayOutPast(pair_, side, looked_at, way, scratch_);
    if (depth > 0 && depth <= separation.depth + pair_.tolerances().slack)
      addCandidate(p + way * (0.5 * depth), separation.direction, depth, scratch_);
  }

  /// Closes a patch of which the overlay or samples have told all that overlaps: a rounded tip carries in
  /// its middle.
  void closeSeen(const Vec3& direction) {
    if (!reducePatch(direction, pair_.tolerances(), scratch_, convexRim())) return;
    if (scratch_.is_tip && (pair_.areConvex() || !isHollowTip(direction, scratch_))) keepMiddle(direction);
    appendPatch(pair_, scratch_);
  }

  /// Where the overlap begins, if nothing in it is hollow.
  [[nodiscard]] std::span<const Vec3> convexRim() const {
    return std::span(scratch_.points[0]).first(pair_.areConvex() ? scratch_.contour_points : 0);
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

  const MeshPair& pair_;
  const std::array<SheetSide, 2>& sides_;
  std::uint32_t region_;
  ContactScratch& scratch_;
  RegionOutline outline_;
  LayeredOverlay overlay_;
};

}  // namespace

void addPatch(const MeshPair& pair, const std::array<SheetSide, 2>& sides, std::uint32_t region,
              ContactScratch& scratch) {
  PatchMaker(pair, sides, region, scratch).run();
}

}  // namespace odemesh
