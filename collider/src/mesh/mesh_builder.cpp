#include "mesh/mesh_builder.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <limits>
#include <numeric>
#include <odemesh/distance.hpp>
#include <tuple>

#include "bvh/aabb.hpp"
#include "bvh/bvh.hpp"
#include "bvh/wide_tree.hpp"
#include "constants.hpp"
#include "contact/placed_mesh.hpp"
#include "contact/point_in_solid.hpp"
#include "mesh/orientation.hpp"
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

/// Every third bit, from the lowest 21 bits of `x`.
[[nodiscard]] std::uint64_t spreadBits(std::uint64_t x) {
  x = (x | x << 32) & 0x001f00000000ffffull;
  x = (x | x << 16) & 0x001f0000ff0000ffull;
  x = (x | x << 8) & 0x100f00f00f00f00full;
  x = (x | x << 4) & 0x10c30c30c30c30c3ull;
  return (x | x << 2) & 0x1249249249249249ull;
}

/// The numbers of `points`, indices into `all`, sorted along a Z-order curve (Morton 1966) through their
/// bounding box, and by coordinates where that does not tell them apart.
[[nodiscard]] std::vector<Index> zOrder(std::span<const Vec3> all, const std::vector<Index>& points) {
  Aabb bounds;
  for (const Index i : points) bounds.grow(all[i]);
  constexpr double kMostCells = 0x1fffff;
  struct Entry {
    std::uint64_t key;
    Index number;
  };
  std::vector<Entry> entries(points.size());
  for (Index n = 0; n < points.size(); ++n) {
    entries[n] = {0, n};
    for (int axis = 0; axis < 3; ++axis) {
      const double extent = bounds.hi[axis] - bounds.lo[axis];
      if (!(extent > 0)) continue;
      const double cell = kMostCells * ((all[points[n]][axis] - bounds.lo[axis]) / extent);
      entries[n].key |= spreadBits(static_cast<std::uint64_t>(cell)) << axis;
    }
  }
  std::sort(entries.begin(), entries.end(), [&](const Entry& a, const Entry& b) {
    if (a.key != b.key) return a.key < b.key;
    const Vec3& p = all[points[a.number]];
    const Vec3& q = all[points[b.number]];
    return std::tie(p.x, p.y, p.z) < std::tie(q.x, q.y, q.z);
  });
  std::vector<Index> order(entries.size());
  std::ranges::transform(entries, order.begin(), &Entry::number);
  return order;
}

[[nodiscard]] constexpr int next(int i) {
  return i == 2 ? 0 : i + 1;
}

/// Follows the links of a union-find forest to the root, halving the path.
[[nodiscard]] Index findRoot(std::vector<Index>& parent, Index i) {
  while (parent[i] != i) i = parent[i] = parent[parent[i]];
  return i;
}

}  // namespace

Vec3 triangleNormal(const Vec3& a, const Vec3& b, const Vec3& c) {
  const Vec3 ab = b - a;
  const Vec3 ac = c - a;
  const Vec3 normal = cross(ab, ac);
  const double length_sq = lengthSq(normal);
  if (length_sq > 1e-200 && length_sq < 1e200) return normal / std::sqrt(length_sq);
  const double scale_ab = greatestComponent(ab);
  const double scale_ac = greatestComponent(ac);
  if (scale_ab == 0 || scale_ac == 0 || std::max(scale_ab, scale_ac) < kLeastExtent) return {};
  return normalised(cross(ab / scale_ab, ac / scale_ac));
}

MeshBuilder::MeshBuilder(std::span<const Vec3> vertices, std::span<const std::uint32_t> indices)
    : input_vertices_(vertices), input_indices_(indices), mesh_(new Mesh) {}

Mesh::Built MeshBuilder::build(std::span<const Vec3> vertices, std::span<const std::uint32_t> indices,
                               FlatParts flat_parts) {
  MeshBuilder b(vertices, indices);
  if (!b.checkSizes()) return {nullptr, std::move(b.problems_)};
  b.takeUsableTriangles();
  if (b.mesh_->input_triangle_.empty()) {
    b.report(MeshProblem::Kind::kNoTriangles, indices.size() / 3);
    return {nullptr, std::move(b.problems_)};
  }
  b.weldVertices();
  b.buildTree();
  b.computeNormals();
  b.buildEdges();
  b.windConsistently();
  if (flat_parts == FlatParts::kMerge) b.mergeFlat();
  b.computeVertexNormals();
  b.listLowerEnds();
  b.findFlatVertices();
  b.findComponents();
  b.measure();
  b.findInnerRadius();
  b.findConvexity();
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
  mesh_->corners_.reserve(3 * count);
  mesh_->input_triangle_.reserve(count);
  for (std::size_t t = 0; t < count; ++t) {
    if (!isUsable(t)) continue;
    const Index* corner = &input_indices_[3 * t];
    mesh_->corners_.insert(mesh_->corners_.end(), corner, corner + 3);
    mesh_->input_triangle_.push_back(static_cast<Index>(t));
  }
  mesh_->corners_.shrink_to_fit();
  mesh_->input_triangle_.shrink_to_fit();
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

/// Vertices with equal coordinates become one (0 and -0 are equal); unused ones go. They are numbered along a
/// Z-order curve, so that neighbours lie close in memory and nothing depends on the order of the input.
void MeshBuilder::weldVertices() {
  PointSet distinct(input_vertices_);
  std::vector<Index> new_index(input_vertices_.size(), Mesh::kNone);
  for (Index& corner : mesh_->corners_) {
    if (new_index[corner] == Mesh::kNone) new_index[corner] = distinct.add(corner);
    corner = new_index[corner];
  }
  const std::vector<Index>& points = distinct.points();
  const std::vector<Index> order = zOrder(input_vertices_, points);
  std::vector<Index> rank(order.size());
  mesh_->vertices_.reserve(order.size());
  for (const Index i : order) {
    rank[i] = static_cast<Index>(mesh_->vertices_.size());
    const Vec3& p = input_vertices_[points[i]];
    mesh_->vertices_.push_back({p.x + 0.0, p.y + 0.0, p.z + 0.0});  // -0 becomes 0
  }
  for (Index& corner : mesh_->corners_) corner = rank[corner];
}

/// The binary tree over the triangles gives them their order and becomes the wide tree, which is kept.
void MeshBuilder::buildTree() {
  std::vector<Aabb> boxes(mesh_->triangleCount());
  Aabb all;
  for (std::size_t t = 0; t < boxes.size(); ++t) {
    for (int i = 0; i < 3; ++i) boxes[t].grow(mesh_->vertex(t, i));
    all.grow(boxes[t]);
  }
  const Bvh bvh(boxes, WideTree::kWidth);
  takeOrder(bvh.items());
  mesh_->wide_tree_ = std::make_unique<WideTree>(bvh, mesh_->vertices_, mesh_->corners_);
  mesh_->sphere_centre_ = all.centre();
  mesh_->box_half_extent_ = 0.5 * all.hi - 0.5 * all.lo;
  double radius_sq = 0;
  for (const Vec3& p : mesh_->vertices_) radius_sq = std::max(radius_sq, lengthSq(p - mesh_->sphere_centre_));
  mesh_->sphere_radius_ = std::sqrt(radius_sq);
}

/// Triangle i is from now on the one that was order[i].
void MeshBuilder::takeOrder(std::span<const Index> order) {
  std::vector<Index> corners, input;
  corners.reserve(3 * order.size());
  input.reserve(order.size());
  for (const Index t : order) {
    corners.insert(corners.end(), mesh_->corners(t), mesh_->corners(t) + 3);
    input.push_back(mesh_->input_triangle_[t]);
  }
  mesh_->corners_ = std::move(corners);
  mesh_->input_triangle_ = std::move(input);
}

void MeshBuilder::computeNormals() {
  normals_.resize(mesh_->triangleCount());
  for (std::size_t t = 0; t < normals_.size(); ++t) normals_[t] = mesh_->normal(t);
}

/// Face normals weighted by the angle of the face at the vertex, so that it does not matter how a flat face
/// is cut (Thuermer and Wuethrich 1998).
void MeshBuilder::computeVertexNormals() {
  std::vector<Vec3> sum(mesh_->vertices_.size());
  for (std::size_t t = 0; t < normals_.size(); ++t) {
    Vec3 along[3];
    for (int i = 0; i < 3; ++i) along[i] = normalised(mesh_->vertex(t, next(i)) - mesh_->vertex(t, i));
    for (int i = 0; i < 3; ++i) {
      const double cosine = -dot(along[i], along[next(next(i))]);
      sum[mesh_->corners(t)[i]] += normals_[t] * std::acos(std::clamp(cosine, -1.0, 1.0));
    }
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
    Index high;  // the higher end
    Index slot;  // triangle * 4 + side
  };
  const std::size_t count = mesh_->triangleCount();
  const auto ends = [&](std::size_t t, int i) {
    return std::minmax(mesh_->corners(t)[i], mesh_->corners(t)[next(i)]);
  };
  std::vector<Index> run_end(mesh_->vertices_.size() + 1, 0);
  for (std::size_t t = 0; t < count; ++t)
    for (int i = 0; i < 3; ++i) ++run_end[ends(t, i).first + 1];
  std::partial_sum(run_end.begin(), run_end.end(), run_end.begin());
  std::vector<Side> sides(count * 3);
  for (std::size_t t = 0; t < count; ++t)
    for (int i = 0; i < 3; ++i) {
      const auto [low, high] = ends(t, i);
      sides[run_end[low]++] = {high, static_cast<Index>(t * 4) + static_cast<Index>(i)};
    }
  const auto less = [](const Side& a, const Side& b) {
    return std::tie(a.high, a.slot) < std::tie(b.high, b.slot);
  };
  const auto runsUp = [&](const Side& s) { return mesh_->corners(s.slot / 4)[s.slot % 4] != s.high; };

  mesh_->edges_.reserve(sides.size() / 2);
  mesh_->higher_end_.reserve(sides.size() / 2);
  mesh_->edge_begin_.reserve(mesh_->vertices_.size() + 1);
  mesh_->triangle_edges_.resize(sides.size());
  for (std::size_t v = 0, begin = 0; v < mesh_->vertices_.size(); ++v) {
    const std::size_t run = run_end[v];
    std::sort(sides.begin() + static_cast<std::ptrdiff_t>(begin),
              sides.begin() + static_cast<std::ptrdiff_t>(run), less);
    mesh_->edge_begin_.push_back(static_cast<Index>(mesh_->edges_.size()));
    while (begin < run) {
      const std::size_t first = begin;
      for (; begin < run && sides[begin].high == sides[first].high; ++begin)
        mesh_->triangle_edges_[3 * (sides[begin].slot / 4) + sides[begin].slot % 4] =
            static_cast<Index>(mesh_->edges_.size());
      const std::size_t shared = begin - first;
      mesh_->higher_end_.push_back(sides[first].high);
      mesh_->edges_.push_back({sides[first].slot, shared == 1 ? Mesh::kNone : sides[first + 1].slot});
      if (shared == 1) ++mesh_->topology_.border_edges;
      if (shared > 2) ++mesh_->topology_.non_manifold_edges;
      if (shared == 2 && runsUp(sides[first]) == runsUp(sides[first + 1])) ++mesh_->topology_.flipped_edges;
    }
  }
  mesh_->edge_begin_.push_back(static_cast<Index>(mesh_->edges_.size()));
  mesh_->edges_.shrink_to_fit();
  mesh_->higher_end_.shrink_to_fit();
}

/// A triangle that is wound against all its neighbours was hardly meant so.
void MeshBuilder::windConsistently() {
  if (mesh_->topology_.flipped_edges == 0) return;
  const Orientation orientation = findOrientation(*mesh_);
  MeshTopology found = mesh_->topology_;
  found.is_one_sided = orientation.is_one_sided;
  for (std::size_t t = 0; t < orientation.turned.size(); ++t) {
    if (!orientation.turned[t]) continue;
    std::swap(mesh_->corners_[3 * t + 1], mesh_->corners_[3 * t + 2]);
    ++found.turned_triangles;
  }
  rebuildSurface();
  mesh_->topology_ = found;
}

/// Of triangles with the same corners and winding, the first of the input stays: repeated, they leave a solid
/// without an inside.
void MeshBuilder::dropDuplicates() {
  using Corners = std::array<Index, 3>;
  struct Entry {
    Corners corner;  // from the least one on
    Index input;
    [[nodiscard]] bool operator<(const Entry& b) const {
      return std::tie(corner, input) < std::tie(b.corner, b.input);
    }
  };
  std::vector<Entry> entries;
  for (Index t = 0; t < mesh_->triangleCount(); ++t) {
    Corners c{mesh_->corners(t)[0], mesh_->corners(t)[1], mesh_->corners(t)[2]};
    std::rotate(c.begin(), std::min_element(c.begin(), c.end()), c.end());
    entries.push_back({c, mesh_->input_triangle_[t]});
  }
  std::sort(entries.begin(), entries.end());
  const auto last = std::unique(entries.begin(), entries.end(),
                                [](const Entry& a, const Entry& b) { return a.corner == b.corner; });
  if (last == entries.end()) return;
  entries.erase(last, entries.end());
  mesh_->corners_.clear();
  mesh_->input_triangle_.clear();
  for (const Entry& e : entries) {
    mesh_->corners_.insert(mesh_->corners_.end(), e.corner.begin(), e.corner.end());
    mesh_->input_triangle_.push_back(e.input);
  }
  rebuildSurface();
}

void MeshBuilder::mergeFlat() {
  if (mesh_->topology_.non_manifold_edges > 0) dropDuplicates();
  if (mesh_->topology_.non_manifold_edges > 0 || !mayHaveFlatParts(*mesh_)) return;
  const FlatPartition parts = partitionFlat(*mesh_);
  const std::vector<MergedTriangle> merged = mergeFlatParts(*mesh_, parts);
  if (merged.empty()) return;
  auto part_index = std::make_unique<PartIndex>(*mesh_, parts, merged);
  takeMerged(merged);
  part_index->takeOrder(mesh_->input_triangle_);
  for (std::size_t t = 0; t < merged.size(); ++t) mesh_->input_triangle_[t] = part_index->first(t);
  mesh_->part_index_ = std::move(part_index);
}

/// Puts the merged triangles, by their numbers, in the place of the given ones, and drops the vertices that
/// went.
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
  vertices.shrink_to_fit();
  mesh_->vertices_ = std::move(vertices);
  mesh_->corners_.clear();
  for (const MergedTriangle& t : merged)
    for (const Index v : t.corner) mesh_->corners_.push_back(new_index[v]);
  mesh_->input_triangle_.resize(merged.size());
  std::iota(mesh_->input_triangle_.begin(), mesh_->input_triangle_.end(), 0U);
  rebuildSurface();
}

/// After a change of corners_ and input_triangle_.
void MeshBuilder::rebuildSurface() {
  mesh_->edges_.clear();
  mesh_->higher_end_.clear();
  mesh_->edge_begin_.clear();
  mesh_->topology_ = {};
  buildTree();
  computeNormals();
  buildEdges();
}

void MeshBuilder::listLowerEnds() {
  const auto& higher = mesh_->higher_end_;
  auto& begin = mesh_->lower_end_begin_;
  begin.assign(mesh_->vertices_.size() + 1, 0);
  for (const Index v : higher) ++begin[v + 1];
  std::partial_sum(begin.begin(), begin.end(), begin.begin());
  mesh_->lower_end_.resize(higher.size());
  std::vector<Index> next(begin.begin(), begin.end() - 1);
  for (std::size_t low = 0; low < mesh_->vertices_.size(); ++low)
    for (std::size_t e = mesh_->edge_begin_[low]; e < mesh_->edge_begin_[low + 1]; ++e)
      mesh_->lower_end_[next[higher[e]]++] = static_cast<Index>(low);
}

void MeshBuilder::findInnerRadius() {
  const Vec3& centre = mesh_->sphereCentre();
  if (!mesh_->isSolid() || !PointInSolid(PlacedMesh(*mesh_, {})).contains(centre)) return;
  if (const auto nearest = closestPoint(*mesh_, {}, centre)) mesh_->inner_radius_ = nearest->distance;
}

/// A closed surface in one piece that bulges at every edge bounds a convex body (Nakajima 1928, Tietze 1928).
/// Heights are compared with what storing the coordinates as floats may do.
void MeshBuilder::findConvexity() {
  if (!mesh_->isSolid() || mesh_->topology().components != 1) return;
  const double rounding = 2 * kFlatness * (mesh_->sphere_radius_ + length(mesh_->sphere_centre_));
  if (rounding > kConvexSlack * mesh_->sphere_radius_) return;
  const auto isDent = [&](const MeshEdge& e) {
    const Index* c = mesh_->corners(e.triangle[1]);
    const Index apex = *std::find_if(c, c + 3, [&](Index v) { return v != e.v[0] && v != e.v[1]; });
    return dot(normals_[e.triangle[0]], mesh_->vertices_[apex] - mesh_->vertices_[e.v[0]]) > rounding;
  };
  const Mesh::Edges edges = mesh_->edges();
  for (const MeshEdge& e : edges)
    if (isDent(e)) return;
  mesh_->is_convex_ = true;
}

/// A vertex is flat if every edge at it is: shared by two faces with the same normal.
void MeshBuilder::findFlatVertices() {
  const Mesh::Edges edges = mesh_->edges();
  mesh_->vertex_is_flat_.assign(mesh_->vertices_.size(), 1);
  for (const MeshEdge& e : edges) {
    const bool flat =
        e.triangle[1] != Mesh::kNone && dot(normals_[e.triangle[0]], normals_[e.triangle[1]]) > kFlatCosine;
    if (flat) continue;
    for (const Index v : e.v) mesh_->vertex_is_flat_[v] = 0;
  }
}

void MeshBuilder::findComponents() {
  const Mesh::Edges edges = mesh_->edges();
  std::vector<Index> parent(mesh_->vertices_.size());
  std::iota(parent.begin(), parent.end(), 0U);
  for (const MeshEdge& e : edges) {
    const Index a = findRoot(parent, e.v[0]);
    const Index b = findRoot(parent, e.v[1]);
    parent[std::max(a, b)] = std::min(a, b);
  }
  std::vector<Index> component_of(parent.size());
  for (Index v = 0; v < parent.size(); ++v) {
    const Index root = findRoot(parent, v);  // never above v, so its number is known already
    if (root == v) {
      component_of[v] = static_cast<Index>(mesh_->component_vertex_.size());
      mesh_->component_vertex_.push_back(v);
    } else {
      component_of[v] = component_of[root];
    }
  }
  mesh_->component_vertex_.shrink_to_fit();
  mesh_->topology_.components = mesh_->component_vertex_.size();
  if (mesh_->topology_.components > 1) mesh_->component_of_ = std::move(component_of);
}

/// The area, and by the divergence theorem the volume: the signed volumes of the tetrahedra over all faces,
/// with the centre as the common apex.
void MeshBuilder::measure() {
  double six_volumes = 0;
  for (std::size_t t = 0; t < mesh_->triangleCount(); ++t) {
    const Vec3 a = mesh_->vertex(t, 0) - mesh_->sphere_centre_;
    const Vec3 b = mesh_->vertex(t, 1) - mesh_->sphere_centre_;
    const Vec3 c = mesh_->vertex(t, 2) - mesh_->sphere_centre_;
    six_volumes += dot(a, cross(b, c));
    mesh_->topology_.area += 0.5 * length(cross(b - a, c - a));
  }
  const MeshTopology& topology = mesh_->topology_;
  mesh_->topology_.volume = six_volumes / 6;
  mesh_->thickness_ = (mesh_->isSolid() || mesh_->isShell()) && topology.area > 0
                          ? 3 * std::abs(topology.volume) / topology.area
                          : kSheetThickness * mesh_->sphereRadius();
}

}  // namespace odemesh
