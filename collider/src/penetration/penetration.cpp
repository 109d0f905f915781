#include <algorithm>
#include <odemesh/penetration.hpp>

#include "penetration/edge_crossings.hpp"

namespace odemesh {

namespace {

enum class Side : std::uint8_t { kUnknown, kOutside, kInside };

/// Depth and direction at a vertex, in the frame of the pair.
struct Estimate {
  Vec3 direction;
  double depth = 0;
  std::uint32_t layer = Mesh::kNone;  ///< kNone until it is known
  std::uint32_t face = 0;             ///< of the input
};

/// A mean that counts near things more: weights are inverse squares of distances.
class NearMean {
 public:
  void add(double distance_sq, double depth, const Vec3& direction, std::uint32_t face) {
    // On the spot the weight would be infinite; this one leaves nothing else to see.
    const double weight = 1 / std::max(distance_sq, 1e-280);
    weights_ += weight;
    depth_ += weight * depth;
    direction_ += weight * direction;
    if (weight <= heaviest_) return;
    heaviest_ = weight;
    nearest_ = direction;
    face_ = face;
  }
  [[nodiscard]] bool empty() const { return heaviest_ == 0; }
  [[nodiscard]] Estimate result(std::uint32_t layer) const {
    return {normalised(direction_ / weights_, nearest_), depth_ / weights_, layer, face_};
  }

 private:
  double weights_ = 0, depth_ = 0, heaviest_ = 0;
  Vec3 direction_, nearest_;
  std::uint32_t face_ = 0;
};

/// The three steps for the vertices of one mesh in the other.
class Penetration {
 public:
  Penetration(const PlacedMesh& mesh, const PlacedMesh& solid, const std::vector<EdgeCrossing>& crossings)
      : placed_(mesh),
        mesh_(mesh.mesh()),
        solid_(solid),
        crossings_(crossings),
        side_(mesh_.vertexCount(), Side::kUnknown),
        estimate_(mesh_.vertexCount()) {}

  void run() {
    indexCrossings();
    classifyEnds();
    spreadSides();
    estimateBorder();
    propagate();
  }

  /// Vertices with an estimate, in ascending order.
  [[nodiscard]] const std::vector<std::uint32_t>& known() {
    std::sort(known_.begin(), known_.end());
    return known_;
  }
  [[nodiscard]] const Estimate& estimate(std::uint32_t v) const { return estimate_[v]; }

 private:
  using Crossings = std::span<const EdgeCrossing>;

  void indexCrossings() {
    first_.assign(mesh_.edges().size() + 1, 0);
    for (const EdgeCrossing& c : crossings_) ++first_[c.edge + 1];
    for (std::size_t e = 0; e < mesh_.edges().size(); ++e) first_[e + 1] += first_[e];
  }
  [[nodiscard]] Crossings on(std::uint32_t edge) const {
    return {crossings_.data() + first_[edge], crossings_.data() + first_[edge + 1]};
  }

  /// The crossing next to an end says on which side that end is.
  void classifyEnds() {
    for (std::size_t k = 0; k < crossings_.size(); ++k) {
      const EdgeCrossing& c = crossings_[k];
      const MeshEdge& edge = mesh_.edges()[c.edge];
      if (k == 0 || crossings_[k - 1].edge != c.edge) setSide(edge.v[0], c.inward);
      if (k + 1 == crossings_.size() || crossings_[k + 1].edge != c.edge) setSide(edge.v[1], !c.inward);
    }
  }
  void setSide(std::uint32_t v, bool outside) {
    if (side_[v] != Side::kUnknown) return;
    side_[v] = outside ? Side::kOutside : Side::kInside;
    sided_.push_back(v);
  }

  /// An edge that crosses nothing has both ends on the same side.
  void spreadSides() {
    // The list grows meanwhile, so it is walked by index.
    for (std::size_t k = 0; k < sided_.size(); ++k) {  // NOLINT(modernize-loop-convert)
      const std::uint32_t v = sided_[k];
      for (const std::uint32_t e : mesh_.edgesAt(v)) {
        if (on(e).empty()) setSide(mesh_.otherEnd(e, v), side_[v] == Side::kOutside);
      }
    }
  }

  /// Equations 1 and 2 of the paper: from the crossing next to the vertex on each of its edges.
  void estimateBorder() {
    for (const std::uint32_t v : sided_) {
      if (side_[v] != Side::kInside) continue;
      const Vec3 p = placed_.vertex(v);
      NearMean mean;
      for (const std::uint32_t e : mesh_.edgesAt(v)) {
        const Crossings crossings = on(e);
        if (crossings.empty()) continue;
        const EdgeCrossing& c = mesh_.edges()[e].v[0] == v ? crossings.front() : crossings.back();
        const Vec3 normal = solid_.normal(c.face);
        mean.add(lengthSq(c.point - p), dot(c.point - p, normal), normal,
                 solid_.inputTriangleAt(c.face, c.point));
      }
      if (!mean.empty()) keep(v, mean.result(0));
    }
  }

  /// Equations 3 and 4: each layer from the ones before it.
  void propagate() {
    std::size_t begin = 0;
    for (std::uint32_t layer = 1; begin < known_.size(); ++layer) {
      const std::size_t end = known_.size();
      std::vector<std::uint32_t> next;
      for (std::size_t k = begin; k < end; ++k) {
        for (const std::uint32_t e : mesh_.edgesAt(known_[k])) {
          const std::uint32_t v = mesh_.otherEnd(e, known_[k]);
          if (on(e).empty() && side_[v] == Side::kInside && estimate_[v].layer == Mesh::kNone)
            next.push_back(v);
        }
      }
      std::sort(next.begin(), next.end());
      next.erase(std::unique(next.begin(), next.end()), next.end());
      for (const std::uint32_t v : next) keep(v, fromNeighbours(v, layer));
      begin = end;
    }
  }

  [[nodiscard]] Estimate fromNeighbours(std::uint32_t v, std::uint32_t layer) const {
    const Vec3 p = placed_.vertex(v);
    NearMean mean;
    for (const std::uint32_t e : mesh_.edgesAt(v)) {
      const std::uint32_t n = mesh_.otherEnd(e, v);
      const Estimate& from = estimate_[n];
      if (from.layer >= layer || !on(e).empty()) continue;
      const Vec3 d = placed_.vertex(n) - p;
      mean.add(lengthSq(d), dot(d, from.direction) + from.depth, from.direction, from.face);
    }
    return mean.result(layer);
  }

  void keep(std::uint32_t v, const Estimate& estimate) {
    estimate_[v] = estimate;
    known_.push_back(v);
  }

  const PlacedMesh& placed_;
  const Mesh& mesh_;
  const PlacedMesh& solid_;
  const std::vector<EdgeCrossing>& crossings_;
  std::vector<std::size_t> first_;  ///< of each edge in `crossings_`
  std::vector<Side> side_;
  std::vector<std::uint32_t> sided_;
  std::vector<Estimate> estimate_;
  std::vector<std::uint32_t> known_;
};

[[nodiscard]] std::uint32_t anyTriangleAt(const Mesh& mesh, std::uint32_t vertex) {
  return mesh.inputTriangleAt(mesh.triangleAt(vertex), mesh.vertices()[vertex]);
}

}  // namespace

void penetratingVertices(const Mesh& mesh1, const Pose& pose1, const Mesh& mesh2, const Pose& pose2,
                         std::vector<PenetratingVertex>& out, CrossingSearch search, QueryStats* stats) {
  QueryStats local;
  if (isFinite(pose1) && isFinite(pose2)) {
    const MeshPair pair(mesh1, pose1, mesh2, pose2);
    const EdgeCrossings crossings =
        spheresMeet(pair, 0) ? findEdgeCrossings(pair, search, local) : EdgeCrossings{};
    for (const int side : {0, 1}) {
      const PlacedMesh& solid = pair[1 - side];
      if (crossings.of[side].empty() || !solid.mesh().isSolid()) continue;
      Penetration penetration(pair[side], solid, crossings.of[side]);
      penetration.run();
      for (const std::uint32_t v : penetration.known()) {
        const Estimate& e = penetration.estimate(v);
        out.push_back({side + 1, v, pair.toWorld().apply(pair[side].vertex(v)),
                       pair.toWorld().rotate(e.direction), e.depth, e.layer, e.face});
      }
    }
  }
  if (stats != nullptr) *stats = local;
}

std::size_t collideByPenetration(const Mesh& mesh1, const Pose& pose1, const Mesh& mesh2, const Pose& pose2,
                                 std::span<Contact> out, CrossingSearch search, QueryStats* stats) {
  std::vector<PenetratingVertex> vertices;
  penetratingVertices(mesh1, pose1, mesh2, pose2, vertices, search, stats);
  std::erase_if(vertices, [](const PenetratingVertex& v) { return !(v.depth > 0); });
  std::stable_sort(vertices.begin(), vertices.end(),
                   [](const PenetratingVertex& a, const PenetratingVertex& b) { return a.depth > b.depth; });
  const std::size_t count = std::min(vertices.size(), out.size());
  for (std::size_t k = 0; k < count; ++k) {
    const PenetratingVertex& v = vertices[k];
    const bool first = v.mesh == 1;
    const std::uint32_t own = anyTriangleAt(first ? mesh1 : mesh2, v.vertex);
    out[k] = {v.position + v.direction * (0.5 * v.depth), first ? v.direction : -v.direction, v.depth,
              first ? own : v.face, first ? v.face : own};
  }
  if (stats != nullptr) stats->contacts_found = vertices.size();
  return count;
}

}  // namespace odemesh
