#include "penetration/edge_crossings.hpp"

#include <algorithm>
#include <tuple>

#include "bvh/aabb.hpp"
#include "constants.hpp"
#include "mid_phase/centred_placement.hpp"
#include "mid_phase/methods/spatial_hash.hpp"
#include "mid_phase/wide_pairs.hpp"
#include "narrow_phase/triangle.hpp"

namespace odemesh {

namespace {

/// Aligned with nothing that meshes are usually aligned with.
constexpr Vec3 kShiftDirection{0.5436891, 0.6180340, 0.5675871};

[[nodiscard]] double volume(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d) {
  return dot(b - a, cross(c - a, d - a));
}

class CrossingFinder {
 public:
  CrossingFinder(const MeshPair& pair, QueryStats& stats)
      : pair_(pair), stats_(stats), shift_(kShiftDirection * (kCrossingShift * pair.size())) {}

  void searchTrees() {
    const double margin = CentredPlacement(pair_).slack + 2 * kCrossingShift * pair_.size();
    const SearchCounts counts =
        searchTrianglePairs(mesh(0).wideTree(), mesh(1).wideTree(), pair_.mesh2InMesh1(), margin, false,
                            [&](std::uint32_t t1, std::uint32_t t2, bool) {
                              testTriangles(t1, t2);
                              return false;
                            });
    stats_.box_tests += counts.box_tests;
  }

  /// The faces of one mesh go into the table and the edges of the other look them up, and the other way
  /// round; only what lies where the bounding boxes overlap takes part.
  void searchHash() {
    const Aabb overlap = shared(boundsOf(0), boundsOf(1));
    for (const int side : {0, 1}) {
      const int other = 1 - side;
      std::vector<std::uint32_t> faces;
      std::vector<Aabb> boxes;
      for (std::uint32_t t = 0; t < mesh(other).triangleCount(); ++t) {
        const Aabb box = boxOf(other, {mesh(other).corners(t), 3});
        if (!box.meets(overlap)) continue;
        faces.push_back(t);
        boxes.push_back(box);
      }
      const SpatialHash table(boxes);
      for (std::uint32_t e = 0; e < mesh(side).edges().size(); ++e) {
        const MeshEdge edge = mesh(side).edges()[e];
        const Aabb box = boxOf(side, edge.v);
        if (!box.meets(overlap)) continue;
        stats_.box_tests += table.forEachNear(box, [&](std::uint32_t k) { testEdge(side, e, faces[k]); });
      }
    }
  }

  [[nodiscard]] EdgeCrossings take() {
    for (std::vector<EdgeCrossing>& list : found_.of) {
      std::sort(list.begin(), list.end(), [](const EdgeCrossing& a, const EdgeCrossing& b) {
        return std::tie(a.edge, a.along, a.face) < std::tie(b.edge, b.along, b.face);
      });
    }
    return std::move(found_);
  }

 private:
  [[nodiscard]] const Mesh& mesh(int side) const { return pair_[side].mesh(); }
  [[nodiscard]] Vec3 vertex(int side, std::uint32_t v) const {
    return side == 0 ? pair_[0].vertex(v) : pair_[1].vertex(v) + shift_;
  }

  /// An edge is tested with the first of its triangles.
  void testTriangles(std::uint32_t t1, std::uint32_t t2) {
    for (int i = 0; i < 3; ++i) {
      const std::uint32_t e1 = mesh(0).edgeOf(t1, i), e2 = mesh(1).edgeOf(t2, i);
      if (mesh(0).edges()[e1].triangle[0] == t1) testEdge(0, e1, t2);
      if (mesh(1).edges()[e2].triangle[0] == t2) testEdge(1, e2, t1);
    }
  }

  /// The signs are those of volumes, zero counting as positive, and each volume is computed from its edges
  /// as the mesh directs them: both faces at an edge get the same number, so that a crossing is neither lost
  /// nor found twice.
  void testEdge(int side, std::uint32_t e, std::uint32_t face) {
    ++stats_.triangle_tests;
    const int other = 1 - side;
    const MeshEdge edge = mesh(side).edges()[e];
    const std::uint32_t* ends = edge.v;
    const std::uint32_t* corners = mesh(other).corners(face);
    const Vec3 p = vertex(side, ends[0]), q = vertex(side, ends[1]);
    const Vec3 a = vertex(other, corners[0]);
    const Vec3 normal = pair_[other].normal(face);
    const double at_p = dot(normal, p - a), at_q = dot(normal, q - a);
    if ((at_p >= 0) == (at_q >= 0)) return;
    bool left[3];
    for (int i = 0; i < 3; ++i) {
      const std::uint32_t from = corners[i], to = corners[nextCorner(i)];
      const Vec3 low = vertex(other, std::min(from, to)), high = vertex(other, std::max(from, to));
      // As seen from mesh 1 in both cases, so that the two searches agree on an edge against an edge.
      const double v = side == 0 ? volume(p, q, low, high) : volume(low, high, p, q);
      left[i] = (v >= 0) == (from < to);
    }
    if (left[0] != left[1] || left[1] != left[2]) return;
    const double along = at_p / (at_p - at_q);
    found_.of[side].push_back({e, face, along, at_p >= 0, crossingPoint(side, ends, other, face)});
  }

  /// Where the edge passes through the plane of the face, without the shift.
  [[nodiscard]] Vec3 crossingPoint(int side, const std::uint32_t* ends, int other, std::uint32_t face) const {
    const Vec3 p = pair_[side].vertex(ends[0]), q = pair_[side].vertex(ends[1]);
    const Vec3 a = pair_[other].corner(face, 0), normal = pair_[other].normal(face);
    const double at_p = dot(normal, p - a), at_q = dot(normal, q - a);
    return at_p == at_q ? p : p + std::clamp(at_p / (at_p - at_q), 0.0, 1.0) * (q - p);
  }

  [[nodiscard]] Aabb boxOf(int side, std::span<const std::uint32_t> vertices) const {
    Aabb box;
    for (const std::uint32_t v : vertices) box.grow(vertex(side, v));
    return box;
  }
  [[nodiscard]] Aabb boundsOf(int side) const {
    Aabb box;
    for (std::uint32_t v = 0; v < mesh(side).vertexCount(); ++v) box.grow(vertex(side, v));
    return box;
  }

  const MeshPair& pair_;
  QueryStats& stats_;
  Vec3 shift_;
  EdgeCrossings found_;
};

}  // namespace

EdgeCrossings findEdgeCrossings(const MeshPair& pair, CrossingSearch search, QueryStats& stats) {
  CrossingFinder finder(pair, stats);
  if (search == CrossingSearch::kSpatialHash)
    finder.searchHash();
  else
    finder.searchTrees();
  return finder.take();
}

}  // namespace odemesh
