#include "mesh/flat_partition.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <tuple>

#include "constants.hpp"
#include "vector_norms.hpp"

namespace odemesh {

namespace {

using Index = std::uint32_t;

class PartGrower {
 public:
  explicit PartGrower(const Mesh& mesh) : mesh_(mesh), flatness_(flatnessOf(mesh)) {
    parts_.part_of.assign(mesh.triangleCount(), Mesh::kNone);
  }

  FlatPartition run() {
    for (const Index seed : largestFirst())
      if (parts_.part_of[seed] == Mesh::kNone) growFrom(seed);
    return std::move(parts_);
  }

 private:
  [[nodiscard]] Vec3 areaVector(Index t) const {
    const Vec3& a = mesh_.vertex(t, 0);
    return 0.5 * cross(mesh_.vertex(t, 1) - a, mesh_.vertex(t, 2) - a);
  }

  [[nodiscard]] std::vector<Index> largestFirst() const {
    std::vector<double> area(mesh_.triangleCount());
    for (Index t = 0; t < area.size(); ++t) area[t] = lengthSq(areaVector(t));
    std::vector<Index> order(area.size());
    std::iota(order.begin(), order.end(), 0U);
    std::sort(order.begin(), order.end(),
              [&](Index a, Index b) { return std::tie(area[b], a) < std::tie(area[a], b); });
    return order;
  }

  void growFrom(Index seed) {
    const auto part = static_cast<Index>(parts_.normals.size());
    members_.clear();
    area_vector_ = {};
    moment_ = {};
    weight_ = 0;
    normal_ = mesh_.normal(seed);
    anchor_ = mesh_.vertex(seed, 0);
    add(seed, part);
    std::size_t refit_at = 2;
    for (std::size_t looked_at = 0; looked_at < members_.size();) {
      const Index from = members_[looked_at++];
      for (int side = 0; side < 3; ++side) {
        const Index other = acrossSide(from, side);
        if (other == Mesh::kNone || parts_.part_of[other] != Mesh::kNone || !fits(other)) continue;
        add(other, part);
        if (members_.size() >= refit_at) {
          refit();
          refit_at *= 2;
        }
      }
    }
    refit();
    parts_.normals.push_back(normal_);
    if (!std::all_of(members_.begin(), members_.end(), [&](Index t) { return fits(t); })) breakUp();
  }

  [[nodiscard]] Index acrossSide(Index t, int side) const {
    const MeshEdge& e = mesh_.edges()[mesh_.edgeOf(t, side)];
    return e.triangle[0] == t ? e.triangle[1] : e.triangle[0];
  }

  void add(Index t, Index part) {
    parts_.part_of[t] = part;
    members_.push_back(t);
    const Vec3 area = areaVector(t);
    const double weight = length(area);
    area_vector_ += area;
    moment_ += (mesh_.vertex(t, 0) + mesh_.vertex(t, 1) + mesh_.vertex(t, 2)) * (weight / 3);
    weight_ += weight;
  }

  void refit() {
    if (members_.size() == 1 || !(weight_ > 0)) return;
    normal_ = normalised(area_vector_, normal_);
    anchor_ = moment_ / weight_;
  }

  [[nodiscard]] bool fits(Index t) const {
    if (dot(mesh_.normal(t), normal_) < kFlatPartCosine) return false;
    for (int i = 0; i < 3; ++i)
      if (std::abs(dot(mesh_.vertex(t, i) - anchor_, normal_)) > flatness_) return false;
    return true;
  }

  /// The plane that was fitted last does not hold for all: each triangle is a part of its own.
  void breakUp() {
    parts_.normals.pop_back();
    for (const Index t : members_) {
      parts_.part_of[t] = static_cast<Index>(parts_.normals.size());
      parts_.normals.push_back(mesh_.normal(t));
    }
  }

  const Mesh& mesh_;
  double flatness_;
  FlatPartition parts_;
  std::vector<Index> members_;
  Vec3 area_vector_, moment_, normal_, anchor_;
  double weight_ = 0;
};

}  // namespace

double flatnessOf(const Mesh& mesh) {
  double greatest = 0;
  for (const Vec3& p : mesh.vertices()) greatest = std::max(greatest, greatestComponent(p));
  return kFlatness * greatest;
}

bool mayHaveFlatParts(const Mesh& mesh) {
  // Both triangles may be off the plane of their part, and the plane of a small triangle is tilted.
  const double flat = 4 * flatnessOf(mesh);
  const auto isBent = [&](const MeshEdge& e) {
    if (e.triangle[1] == Mesh::kNone) return true;
    const Vec3& n = mesh.normal(e.triangle[0]);
    for (int i = 0; i < 3; ++i)
      if (std::abs(dot(n, mesh.vertex(e.triangle[1], i) - mesh.vertices()[e.v[0]])) > flat) return true;
    return false;
  };
  std::vector<std::uint8_t> bent_edges(mesh.vertexCount(), 0);
  for (const MeshEdge& e : mesh.edges())
    if (isBent(e))
      for (const Index v : e.v) bent_edges[v] = static_cast<std::uint8_t>(std::min(bent_edges[v] + 1, 3));
  return std::any_of(bent_edges.begin(), bent_edges.end(), [](std::uint8_t n) { return n <= 2; });
}

FlatPartition partitionFlat(const Mesh& mesh) {
  return PartGrower(mesh).run();
}

}  // namespace odemesh
