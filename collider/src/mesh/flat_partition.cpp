#include "mesh/flat_partition.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "constants.hpp"
#include "vector_norms.hpp"

namespace odemesh {

namespace {

using Index = std::uint32_t;

/// Triangles that are turned from the plane of a part by more than this (a cosine) are none of it, however
/// thin.
constexpr double kFlatPartCosine = 0.9;

class PartGrower {
 public:
  PartGrower(const Mesh& mesh, const std::vector<bool>& loose)
      : mesh_(mesh), loose_(loose), flatness_(flatnessOf(mesh)) {
    parts_.part_of.assign(mesh.triangleCount(), Mesh::kNone);
  }

  FlatPartition run() {
    for (const auto& [area, seed] : largestFirst())
      if (parts_.part_of[seed] == Mesh::kNone) growFrom(seed);
    for (Index t = 0; t < parts_.part_of.size(); ++t)
      if (parts_.part_of[t] == Mesh::kNone) makePartOf(t);
    return std::move(parts_);
  }

 private:
  [[nodiscard]] Vec3 areaVector(Index t) const {
    const Vec3& a = mesh_.vertex(t, 0);
    return 0.5 * cross(mesh_.vertex(t, 1) - a, mesh_.vertex(t, 2) - a);
  }

  [[nodiscard]] bool isLoose(Index t) const {
    const Index* c = mesh_.corners(t);
    return loose_[c[0]] || loose_[c[1]] || loose_[c[2]];
  }

  /// Triangles at loose vertices, each behind its area, which is squared and negative.
  [[nodiscard]] std::vector<std::pair<double, Index>> largestFirst() const {
    std::vector<std::pair<double, Index>> seeds;
    for (Index t = 0; t < mesh_.triangleCount(); ++t)
      if (isLoose(t)) seeds.emplace_back(-lengthSq(areaVector(t)), t);
    std::ranges::sort(seeds);
    return seeds;
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
    for (const Index t : members_) makePartOf(t);
  }

  void makePartOf(Index t) {
    parts_.part_of[t] = static_cast<Index>(parts_.normals.size());
    parts_.normals.push_back(mesh_.normal(t));
  }

  const Mesh& mesh_;
  const std::vector<bool>& loose_;
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

bool isBetween(const Mesh& mesh, Index v, Index a, Index b, double flatness) {
  const Vec3& p = mesh.vertices()[v];
  const Vec3 to_a = mesh.vertices()[a] - p, to_b = mesh.vertices()[b] - p;
  return dot(to_a, to_b) < 0 && lengthSq(cross(to_a, to_b)) <= flatness * flatness * lengthSq(to_b - to_a);
}

std::vector<bool> looseVertices(const Mesh& mesh) {
  struct Bends {
    std::uint8_t count = 0;
    std::array<Index, 2> along{};  ///< the far ends of the first ones
    void add(Index to) {
      if (count < 2) along[count] = to;
      if (count < 3) ++count;
    }
  };
  // Both triangles may be off the plane of their part, and the plane of a small triangle is tilted.
  const double flatness = flatnessOf(mesh), flat = 4 * flatness;
  const auto isBent = [&](const MeshEdge& e) {
    if (e.triangle[1] == Mesh::kNone) return true;
    const Vec3& n = mesh.normal(e.triangle[0]);
    for (int i = 0; i < 3; ++i)
      if (std::abs(dot(n, mesh.vertex(e.triangle[1], i) - mesh.vertices()[e.v[0]])) > flat) return true;
    return false;
  };
  std::vector<Bends> bends(mesh.vertexCount());
  for (const MeshEdge& e : mesh.edges()) {
    if (bends[e.v[0]].count > 2 && bends[e.v[1]].count > 2) continue;
    if (!isBent(e)) continue;
    bends[e.v[0]].add(e.v[1]);
    bends[e.v[1]].add(e.v[0]);
  }
  std::vector<bool> loose(bends.size());
  for (Index v = 0; v < bends.size(); ++v) {
    const auto& [count, along] = bends[v];
    loose[v] = count < 2 || (count == 2 && isBetween(mesh, v, along[0], along[1], flatness));
  }
  if (std::ranges::find(loose, true) == loose.end()) return {};
  return loose;
}

FlatPartition partitionFlat(const Mesh& mesh, const std::vector<bool>& loose) {
  return PartGrower(mesh, loose).run();
}

}  // namespace odemesh
