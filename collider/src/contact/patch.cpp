#include "contact/patch.hpp"

#include <algorithm>
#include <limits>

#include "contact/direction.hpp"
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
    const Separation separation = contour_points_ > 0 ? fromContour() : fromContained();
    if (scratch_.candidates.empty()) addResidual(separation);
    reducePatch(separation.direction, scratch_);
    append(separation.direction);
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
    for (const Crossing& c : scratch_.crossings) {
      if (c.region != region_) continue;
      for (auto& points : scratch_.points) points.push_back(c.point);
      if (c.degree != 2) contour_is_closed_ = false;
      middle_ += c.point;
      ++contour_points_;
    }
    if (contour_points_ == 0) return;
    middle_ *= 1.0 / double(contour_points_);
    for (const ContourSegment& s : scratch_.segments) {
      if (scratch_.crossings[s.from].region != region_) continue;
      area_vector_ +=
          0.5 * cross(scratch_.crossings[s.from].point - middle_, scratch_.crossings[s.to].point - middle_);
      for (int side = 0; side < 2; ++side) addFace(side, s.face[side]);
    }
  }

  void gatherInside() {
    for (int side = 0; side < 2; ++side) {
      const Mesh& mesh = pair_[side].mesh();
      for (const InsideVertex& v : scratch_.inside[side]) {
        if (v.region != region_) continue;
        scratch_.points[side].push_back(pair_[side].vertex(v.vertex));
        for (const std::uint32_t e : mesh.edgesAt(v.vertex))
          for (const std::uint32_t t : mesh.edges()[e].triangle) addFace(side, t);
      }
      std::sort(scratch_.faces[side].begin(), scratch_.faces[side].end());
    }
  }

  void addFace(int side, std::uint32_t t) {
    if (t != Mesh::kNone && scratch_.face_seen[side].insert(t)) scratch_.faces[side].push_back(t);
  }

  [[nodiscard]] Separation fromContour() {
    const Separation separation = findSeparation(sides_, pair_, area_vector_, contour_is_closed_, scratch_);
    overlayFaces(pair_, sides_, separation.direction, scratch_);
    return separation;
  }

  /// One body lies wholly inside the other: it leaves by the shortest way, and the half of it that has the
  /// longest way to go carries the contacts.
  [[nodiscard]] Separation fromContained() {
    const int inner = scratch_.points[0].empty() ? 1 : 0;
    const int outer = 1 - inner;
    for (std::uint32_t v = 0; v < pair_[outer].mesh().vertexCount(); ++v)
      scratch_.points[outer].push_back(pair_[outer].vertex(v));
    const Separation separation = findExit(pair_, scratch_);

    const Vec3 outwards = inner == 0 ? separation.direction : -separation.direction;
    double surface = -std::numeric_limits<double>::infinity();
    for (const Vec3& p : scratch_.points[outer]) surface = std::max(surface, dot(outwards, p));
    std::uint32_t face[2] = {0, 0};
    face[inner] = scratch_.faces[inner].front();
    for (const Vec3& p : scratch_.points[inner]) {
      const double depth = surface - dot(outwards, p);
      if (depth >= 0.5 * separation.depth)
        scratch_.candidates.push_back({p + outwards * (0.5 * depth), depth, {face[0], face[1]}});
    }
    return separation;
  }

  /// No opposing faces share ground (a blade met edge-on, say): one contact, so that no region goes
  /// unanswered.
  void addResidual(const Separation& separation) {
    if (separation.depth <= 0 || scratch_.faces[0].empty() || scratch_.faces[1].empty()) return;
    scratch_.candidates.push_back(
        {middle_, separation.depth, {scratch_.faces[0].front(), scratch_.faces[1].front()}});
  }

  void append(const Vec3& direction) {
    for (const Candidate& c : scratch_.candidates)
      scratch_.contacts.push_back({pair_.toWorld().apply(c.position), pair_.toWorld().rotate(direction),
                                   c.depth, pair_[0].mesh().inputTriangle(c.face[0]),
                                   pair_[1].mesh().inputTriangle(c.face[1])});
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
