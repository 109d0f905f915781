#include "contact/patch.hpp"

#include <algorithm>
#include <limits>

#include "constants.hpp"
#include "contact/direction.hpp"
#include "contact/graze.hpp"
#include "contact/overlay.hpp"
#include "contact/reduce.hpp"

namespace odemesh {

namespace {

class PatchMaker {
 public:
  PatchMaker(const MeshPair& pair, const std::array<SheetSide, 2>& sides, std::uint32_t region,
             ContactScratch& scratch)
      : pair_(pair), sides_(sides), region_(region), scratch_(scratch) {}

  void run() {
    clear();
    gatherContour();
    gatherInside();
    if (contour_points_ > 0)
      addTouching();
    else
      addContained();
  }

 private:
  void clear() {
    scratch_.candidates.clear();
    for (int side = 0; side < 2; ++side) {
      scratch_.faces[side].clear();
      scratch_.points[side].clear();
      scratch_.face_seen[side].reset(pair_[side].mesh().triangleCount());
    }
  }

  void gatherContour() {
    for (const std::uint32_t i : scratch_.crossings_of.of(region_)) {
      const Crossing& c = scratch_.crossings[i];
      for (auto& points : scratch_.points) points.push_back(c.point);
      if (c.degree != 2) contour_is_closed_ = false;
      middle_ += c.point;
      ++contour_points_;
    }
    if (contour_points_ == 0) return;
    middle_ *= 1.0 / double(contour_points_);
    for (const std::uint32_t i : scratch_.segments_of.of(region_)) {
      const ContourSegment& s = scratch_.segments[i];
      const Vec3 area =
          0.5 * cross(scratch_.crossings[s.from].point - middle_, scratch_.crossings[s.to].point - middle_);
      area_vector_ += sides_[0].isFlipped(s.face[0]) == sides_[1].isFlipped(s.face[1]) ? area : -area;
      for (int side = 0; side < 2; ++side) addFace(side, s.face[side]);
    }
  }

  void gatherInside() {
    for (int side = 0; side < 2; ++side) {
      const Mesh& mesh = pair_[side].mesh();
      for (const std::uint32_t i : scratch_.inside_of[side].of(region_)) {
        const std::uint32_t v = scratch_.inside[side][i].vertex;
        if (!mesh.isFlat(v)) scratch_.points[side].push_back(pair_[side].vertex(v));
        for (const std::uint32_t e : mesh.edgesAt(v))
          for (const std::uint32_t t : mesh.edges()[e].triangle) addFace(side, t);
      }
    }
  }

  void addFace(int side, std::uint32_t t) {
    if (t != Mesh::kNone && scratch_.face_seen[side].insert(t)) scratch_.faces[side].push_back(t);
  }

  /// One direction serves if moving along it resolves the region with about the thickness that is seen along
  /// it. If the way is much longer, the region bends (a body in a corner, a peg in a hole) and is split by
  /// directions.
  void addTouching() {
    const Separation separation = findSeparation(sides_, pair_, area_vector_, contour_is_closed_, scratch_);
    if (separation.depth < 8 * kInflation * pair_.size() && isParallelEdgeGraze(pair_, sides_, scratch_))
      return;
    overlayFaces(pair_, sides_, separation.direction, {}, scratch_);
    const double thickness = greatestDepth();
    const double slack = 2 * pair_.tolerances().slack;
    if (separation.depth > kBentRegion * thickness + slack && splitByDirection()) return;
    if (scratch_.candidates.empty() && separation.depth > slack) addResidual(separation);
    closePatch(separation.direction);
  }

  [[nodiscard]] double greatestDepth() const {
    double depth = 0;
    for (const Candidate& c : scratch_.candidates) depth = std::max(depth, c.depth);
    return depth;
  }

  /// Makes a patch for each cluster of face directions; true if there was any contact.
  [[nodiscard]] bool splitByDirection() {
    const std::size_t patches_before = scratch_.patch_end.size();
    clusterDirections(sides_, pair_, scratch_);
    for (std::size_t k = 0; k < scratch_.clusters.size(); ++k) {
      const Vec3 direction = scratch_.clusters[k];
      scratch_.candidates.clear();
      overlayFaces(pair_, sides_, direction, {kClusterFacingCosine, true}, scratch_);
      std::erase_if(scratch_.candidates,
                    [&](const Candidate& c) { return nearestCluster(c.normal, scratch_) != k; });
      closePatch(direction);
    }
    return scratch_.patch_end.size() > patches_before;
  }

  /// One body lies wholly inside the other: it leaves by the shortest way, and the half of it that has the
  /// longest way to go carries the contacts.
  void addContained() {
    const int inner = scratch_.points[0].empty() ? 1 : 0;
    const int outer = 1 - inner;
    for (std::uint32_t v = 0; v < pair_[outer].mesh().vertexCount(); ++v)
      scratch_.points[outer].push_back(pair_[outer].vertex(v));
    const Separation separation = findExit(pair_, scratch_);
    ++scratch_.contained;

    const Vec3 outwards = inner == 0 ? separation.direction : -separation.direction;
    double surface = -std::numeric_limits<double>::infinity();
    for (const Vec3& p : scratch_.points[outer]) surface = std::max(surface, dot(outwards, p));
    std::uint32_t face[2] = {0, 0};
    face[inner] = scratch_.faces[inner].front();
    for (const Vec3& p : scratch_.points[inner]) {
      const double depth = surface - dot(outwards, p);
      if (depth >= 0.5 * separation.depth)
        scratch_.candidates.push_back(
            {p + outwards * (0.5 * depth), separation.direction, depth, {face[0], face[1]}});
    }
    closePatch(separation.direction);
  }

  /// No opposing faces share ground (a blade met edge-on, say): one contact, so that no region goes
  /// unanswered.
  void addResidual(const Separation& separation) {
    if (scratch_.faces[0].empty() || scratch_.faces[1].empty()) return;
    scratch_.candidates.push_back({middle_,
                                   separation.direction,
                                   separation.depth,
                                   {scratch_.faces[0].front(), scratch_.faces[1].front()}});
  }

  /// Reduces the candidates and appends them as a patch, if they touch at all.
  void closePatch(const Vec3& direction) {
    if (!reducePatch(direction, pair_.tolerances(), scratch_)) return;
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
  Vec3 middle_;
  bool contour_is_closed_ = true;
  std::size_t contour_points_ = 0;
};

}  // namespace

void addPatch(const MeshPair& pair, const std::array<SheetSide, 2>& sides, std::uint32_t region,
              ContactScratch& scratch) {
  PatchMaker(pair, sides, region, scratch).run();
}

}  // namespace odemesh
