#include "mesh/mesh_builder.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <numeric>
#include <tuple>

#include "bvh/bvh.hpp"
#include "bvh/wide_tree.hpp"
#include "constants.hpp"
#include "mesh/part_index.hpp"

namespace odemesh {

namespace {

using Index = std::uint32_t;

[[nodiscard]] double greatestComponent(const Vec3& v) {
  return std::max({std::abs(v.x), std::abs(v.y), std::abs(v.z)});
}

/// Numbers distinct points in the order in which they come: a hash table with open addressing.
class PointSet {
 public:
  explicit PointSet(std::span<const Vec3> all) : all_(all), slots_(1024, Mesh::kNone) {}

  /// The number of the point that equals all[i].
  Index add(Index i) {
    if (2 * (points_.size() + 1) > slots_.size()) grow();
    Index& slot = find(all_[i]);
    if (slot == Mesh::kNone) {
      slot = static_cast<Index>(points_.size());
      points_.push_back(i);
    }
    return slot;
  }
  /// The first of `all` that was added for each number.
  [[nodiscard]] const std::vector<Index>& points() const { return points_; }

 private:
  [[nodiscard]] static std::uint64_t hashOf(const Vec3& p) {
    std::uint64_t h = 0;
    for (const double x : {p.x, p.y, p.z}) {
      h = (h ^ std::bit_cast<std::uint64_t>(x + 0.0)) * 0x9e3779b97f4a7c15ull;  // the same for 0 and -0
      h ^= h >> 32;
    }
    return h;
  }
  Index& find(const Vec3& p) {
    std::size_t i = hashOf(p) & (slots_.size() - 1);
    while (slots_[i] != Mesh::kNone && !(all_[points_[slots_[i]]] == p)) i = (i + 1) & (slots_.size() - 1);
    return slots_[i];
  }
  void grow() {
    slots_.assign(slots_.size() * 2, Mesh::kNone);
    for (Index n = 0; n < points_.size(); ++n) find(all_[points_[n]]) = n;
  }

  std::span<const Vec3> all_;
  std::vector<Index> slots_;
  std::vector<Index> points_;
};

/// Follows the links of a union-find forest to the root, halving the path.
[[nodiscard]] Index findRoot(std::vector<Index>& parent, Index i) {
  while (parent[i] != i) i = parent[i] = parent[parent[i]];
  return i;
}

}  // namespace

Vec3 triangleNormal(const Vec3& a, const Vec3& b, const Vec3& c) {
  const Vec3 ab = b - a;
  const Vec3 ac = c - a;
  const double scale_ab = greatestComponent(ab);
  const double scale_ac = greatestComponent(ac);
  if (scale_ab == 0 || scale_ac == 0) return {};
  return normalised(cross(ab / scale_ab, ac / scale_ac));
}

MeshBuilder::MeshBuilder(std::span<const Vec3> vertices, std::span<const std::uint32_t> indices)
    : input_vertices_(vertices), input_indices_(indices), mesh_(new Mesh) {}

Mesh::Built MeshBuilder::build(std::span<const Vec3> vertices, std::span<const std::uint32_t> indices,
                               FlatParts flat_parts) {
  MeshBuilder b(vertices, indices);
  if (!b.checkSizes()) return {nullptr, std::move(b.problems_)};
  b.takeUsableTriangles();
  if (b.mesh_->triangles_.empty()) {
    b.report(MeshProblem::Kind::kNoTriangles, indices.size() / 3);
    return {nullptr, std::move(b.problems_)};
  }
  b.weldVertices();
  b.computeNormals();
  b.buildEdges();
  if (flat_parts == FlatParts::kMerge) b.mergeFlat();
  b.computeVertexNormals();
  b.buildVertexEdges();
  b.findFlatVertices();
  b.findComponents();
  b.buildTree();
  b.measure();
  return {std::move(b.mesh_), std::move(b.problems_)};
}

bool MeshBuilder::checkSizes() {
  // Sides are numbered triangle * 4 + side in 32 bits.
  constexpr std::size_t kMost = std::numeric_limits<Index>::max() / 4;
  if (input_indices_.size() % 3 != 0) {
    report(MeshProblem::Kind::kIndexCount, input_indices_.size());
    return false;
  }
  const std::size_t count = std::max(input_indices_.size() / 3, input_vertices_.size());
  if (count > kMost) {
    report(MeshProblem::Kind::kTooManyTriangles, count);
    return false;
  }
  return true;
}

void MeshBuilder::takeUsableTriangles() {
  const std::size_t count = input_indices_.size() / 3;
  mesh_->triangles_.reserve(count);
  mesh_->input_triangle_.reserve(count);
  for (std::size_t t = 0; t < count; ++t) {
    if (!isUsable(t)) continue;
    const Index* corner = &input_indices_[3 * t];
    mesh_->triangles_.push_back({{corner[0], corner[1], corner[2]}, {}});
    mesh_->input_triangle_.push_back(static_cast<Index>(t));
  }
}

bool MeshBuilder::isUsable(std::size_t triangle) {
  Vec3 p[3];
  for (int i = 0; i < 3; ++i) {
    const Index index = input_indices_[3 * triangle + i];
    if (index >= input_vertices_.size()) {
      report(MeshProblem::Kind::kIndexOutOfRange, triangle);
      return false;
    }
    p[i] = input_vertices_[index];
    if (!isFinite(p[i])) {
      report(MeshProblem::Kind::kVertexNotFinite, triangle);
      return false;
    }
    if (greatestComponent(p[i]) > kGreatestCoordinate) {
      report(MeshProblem::Kind::kVertexTooLarge, triangle);
      return false;
    }
  }
  if (triangleNormal(p[0], p[1], p[2]) == Vec3{}) {
    report(MeshProblem::Kind::kZeroArea, triangle);
    return false;
  }
  return true;
}

/// Vertices with equal coordinates become one (0 and -0 are equal); unused ones go. They are numbered in
/// sorted order, so that nothing depends on the order of the input.
void MeshBuilder::weldVertices() {
  PointSet distinct(input_vertices_);
  std::vector<Index> new_index(input_vertices_.size(), Mesh::kNone);
  for (Mesh::Triangle& t : mesh_->triangles_)
    for (Index& corner : t.corner) {
      if (new_index[corner] == Mesh::kNone) new_index[corner] = distinct.add(corner);
      corner = new_index[corner];
    }
  const std::vector<Index>& points = distinct.points();
  std::vector<Index> order(points.size());
  std::iota(order.begin(), order.end(), 0U);
  std::sort(order.begin(), order.end(), [&](Index a, Index b) {
    const Vec3& p = input_vertices_[points[a]];
    const Vec3& q = input_vertices_[points[b]];
    return std::tie(p.x, p.y, p.z) < std::tie(q.x, q.y, q.z);
  });
  std::vector<Index> rank(order.size());
  mesh_->vertices_.reserve(order.size());
  for (const Index i : order) {
    rank[i] = static_cast<Index>(mesh_->vertices_.size());
    const Vec3& p = input_vertices_[points[i]];
    mesh_->vertices_.push_back({p.x + 0.0, p.y + 0.0, p.z + 0.0});  // -0 becomes 0
  }
  for (Mesh::Triangle& t : mesh_->triangles_)
    for (Index& corner : t.corner) corner = rank[corner];
}

void MeshBuilder::computeNormals() {
  const std::size_t count = mesh_->triangles_.size();
  mesh_->normals_.resize(count);
  for (std::size_t t = 0; t < count; ++t)
    mesh_->normals_[t] = triangleNormal(mesh_->vertex(t, 0), mesh_->vertex(t, 1), mesh_->vertex(t, 2));
}

/// Face normals weighted by the angle of the face at the vertex, so that it does not matter how a flat face
/// is cut (Thuermer and Wuethrich 1998).
void MeshBuilder::computeVertexNormals() {
  std::vector<Vec3> sum(mesh_->vertices_.size());
  for (std::size_t t = 0; t < mesh_->triangles_.size(); ++t)
    for (int i = 0; i < 3; ++i) {
      const Vec3& p = mesh_->vertex(t, i);
      const Vec3 a = normalised(mesh_->vertex(t, (i + 1) % 3) - p);
      const Vec3 b = normalised(mesh_->vertex(t, (i + 2) % 3) - p);
      sum[mesh_->corners(t)[i]] += mesh_->normals_[t] * std::acos(std::clamp(dot(a, b), -1.0, 1.0));
    }
  mesh_->vertex_normals_.reserve(sum.size());
  for (const Vec3& s : sum) {
    const Vec3 n = normalised(s);
    mesh_->vertex_normals_.push_back(
        {static_cast<float>(n.x), static_cast<float>(n.y), static_cast<float>(n.z)});
  }
}

/// Sorts the three sides of every triangle by their end points; equal neighbours share an edge. Sides are few
/// at one vertex, so that they are dealt out by their lower end first.
void MeshBuilder::buildEdges() {
  struct Side {
    Index low, high;  // end points
    Index slot;       // triangle * 4 + side
    [[nodiscard]] bool sameEdge(const Side& b) const { return low == b.low && high == b.high; }
  };
  const auto ends = [&](std::size_t t, Index i) {
    return std::minmax(mesh_->corners(t)[i], mesh_->corners(t)[i == 2 ? 0 : i + 1]);
  };
  std::vector<Index> run_end(mesh_->vertices_.size() + 1, 0);
  for (std::size_t t = 0; t < mesh_->triangles_.size(); ++t)
    for (Index i = 0; i < 3; ++i) ++run_end[ends(t, i).first + 1];
  std::partial_sum(run_end.begin(), run_end.end(), run_end.begin());
  std::vector<Side> sides(mesh_->triangles_.size() * 3);
  for (std::size_t t = 0; t < mesh_->triangles_.size(); ++t)
    for (Index i = 0; i < 3; ++i) {
      const auto [low, high] = ends(t, i);
      sides[run_end[low]++] = {low, high, static_cast<Index>(t * 4 + i)};
    }
  const auto less = [](const Side& a, const Side& b) {
    return std::tie(a.high, a.slot) < std::tie(b.high, b.slot);
  };
  for (std::size_t v = 0, begin = 0; v < mesh_->vertices_.size(); begin = run_end[v++])
    std::sort(sides.begin() + begin, sides.begin() + run_end[v], less);
  const auto runsUp = [&](const Side& s) { return mesh_->corners(s.slot / 4)[s.slot % 4] == s.low; };

  mesh_->edges_.reserve(sides.size() / 2);
  for (std::size_t begin = 0; begin < sides.size();) {
    std::size_t end = begin;
    while (end < sides.size() && sides[end].sameEdge(sides[begin])) {
      mesh_->triangles_[sides[end].slot / 4].edge[sides[end].slot % 4] =
          static_cast<Index>(mesh_->edges_.size());
      ++end;
    }
    const bool border = end - begin == 1;
    mesh_->edges_.push_back({{sides[begin].low, sides[begin].high},
                             {sides[begin].slot / 4, border ? Mesh::kNone : sides[begin + 1].slot / 4}});
    if (border) ++mesh_->topology_.border_edges;
    if (end - begin > 2) ++mesh_->topology_.non_manifold_edges;
    if (end - begin == 2 && runsUp(sides[begin]) == runsUp(sides[begin + 1]))
      ++mesh_->topology_.flipped_edges;
    begin = end;
  }
  mesh_->edges_.shrink_to_fit();
}

void MeshBuilder::mergeFlat() {
  if (mesh_->topology_.non_manifold_edges > 0 || !mayHaveFlatParts(*mesh_)) return;
  const FlatPartition parts = partitionFlat(*mesh_);
  const std::vector<MergedTriangle> merged = mergeFlatParts(*mesh_, parts);
  if (merged.empty()) return;
  mesh_->part_index_ = std::make_unique<PartIndex>(*mesh_, parts, merged);
  takeMerged(merged);
}

/// Puts the merged triangles in the place of the given ones, and drops the vertices that went.
void MeshBuilder::takeMerged(std::span<const MergedTriangle> merged) {
  std::vector<Index> new_index(mesh_->vertices_.size(), Mesh::kNone);
  for (const MergedTriangle& t : merged)
    for (const Index v : t.corner) new_index[v] = 0;
  std::vector<Vec3> vertices;
  for (std::size_t v = 0; v < new_index.size(); ++v) {
    if (new_index[v] == Mesh::kNone) continue;
    new_index[v] = static_cast<Index>(vertices.size());
    vertices.push_back(mesh_->vertices_[v]);
  }
  mesh_->vertices_ = std::move(vertices);
  mesh_->triangles_.clear();
  mesh_->input_triangle_.clear();
  for (std::size_t t = 0; t < merged.size(); ++t) {
    const auto& c = merged[t].corner;
    mesh_->triangles_.push_back({{new_index[c[0]], new_index[c[1]], new_index[c[2]]}, {}});
    mesh_->input_triangle_.push_back(mesh_->part_index_->first(t));
  }
  mesh_->triangles_.shrink_to_fit();
  mesh_->input_triangle_.shrink_to_fit();
  mesh_->edges_.clear();
  mesh_->topology_ = {};
  computeNormals();
  buildEdges();
}

void MeshBuilder::buildVertexEdges() {
  auto& begin = mesh_->vertex_edges_begin_;
  begin.assign(mesh_->vertices_.size() + 1, 0);
  for (const MeshEdge& e : mesh_->edges_)
    for (const Index v : e.v) ++begin[v + 1];
  std::partial_sum(begin.begin(), begin.end(), begin.begin());
  mesh_->vertex_edges_.resize(begin.back());
  std::vector<Index> next(begin.begin(), begin.end() - 1);
  for (std::size_t e = 0; e < mesh_->edges_.size(); ++e)
    for (const Index v : mesh_->edges_[e].v) mesh_->vertex_edges_[next[v]++] = static_cast<Index>(e);
}

/// A vertex is flat if every edge at it is: shared by two faces with the same normal.
void MeshBuilder::findFlatVertices() {
  const auto isFlatEdge = [&](const MeshEdge& e) {
    return e.triangle[1] != Mesh::kNone &&
           dot(mesh_->normals_[e.triangle[0]], mesh_->normals_[e.triangle[1]]) > kFlatCosine;
  };
  mesh_->vertex_is_flat_.assign(mesh_->vertices_.size(), 1);
  for (const MeshEdge& e : mesh_->edges_)
    if (!isFlatEdge(e))
      for (const Index v : e.v) mesh_->vertex_is_flat_[v] = 0;
}

void MeshBuilder::findComponents() {
  std::vector<Index> parent(mesh_->vertices_.size());
  std::iota(parent.begin(), parent.end(), 0U);
  for (const MeshEdge& e : mesh_->edges_) {
    const Index a = findRoot(parent, e.v[0]);
    const Index b = findRoot(parent, e.v[1]);
    parent[std::max(a, b)] = std::min(a, b);
  }
  mesh_->component_of_.resize(parent.size());
  for (Index v = 0; v < parent.size(); ++v) {
    const Index root = findRoot(parent, v);  // never above v, so its number is known already
    if (root == v) {
      mesh_->component_of_[v] = static_cast<Index>(mesh_->component_vertex_.size());
      mesh_->component_vertex_.push_back(v);
    } else {
      mesh_->component_of_[v] = mesh_->component_of_[root];
    }
  }
  mesh_->topology_.components = mesh_->component_vertex_.size();
}

void MeshBuilder::buildTree() {
  std::vector<Aabb> boxes(mesh_->triangles_.size());
  Aabb all;
  for (std::size_t t = 0; t < boxes.size(); ++t) {
    for (int i = 0; i < 3; ++i) boxes[t].grow(mesh_->vertex(t, i));
    all.grow(boxes[t]);
  }
  mesh_->bvh_ = std::make_unique<Bvh>(boxes);
  std::vector<Index> corners;
  corners.reserve(3 * boxes.size());
  for (const Mesh::Triangle& t : mesh_->triangles_) corners.insert(corners.end(), t.corner, t.corner + 3);
  mesh_->wide_tree_ = std::make_unique<WideTree>(*mesh_->bvh_, mesh_->vertices_, corners);
  mesh_->sphere_centre_ = all.centre();
  double radius = 0;
  for (const Vec3& p : mesh_->vertices_) radius = std::max(radius, length(p - mesh_->sphere_centre_));
  mesh_->sphere_radius_ = radius;
}

/// The area, and by the divergence theorem the volume: the signed volumes of the tetrahedra over all faces,
/// with the centre as the common apex.
void MeshBuilder::measure() {
  double six_volumes = 0;
  for (std::size_t t = 0; t < mesh_->triangles_.size(); ++t) {
    const Vec3 a = mesh_->vertex(t, 0) - mesh_->sphere_centre_;
    const Vec3 b = mesh_->vertex(t, 1) - mesh_->sphere_centre_;
    const Vec3 c = mesh_->vertex(t, 2) - mesh_->sphere_centre_;
    six_volumes += dot(a, cross(b, c));
    mesh_->topology_.area += 0.5 * length(cross(b - a, c - a));
  }
  mesh_->topology_.volume = six_volumes / 6;
}

}  // namespace odemesh
