#include "mesh/mesh_builder.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>
#include <tuple>

#include "bvh/aabb.hpp"
#include "bvh/bvh.hpp"
#include "bvh/wide_tree.hpp"
#include "constants.hpp"
#include "mesh/glued_faces.hpp"
#include "mesh/orientation.hpp"
#include "mesh/part_index.hpp"
#include "mesh/touching_shells.hpp"
#include "mesh/vertex_groups.hpp"
#include "mesh/weld.hpp"
#include "narrow_phase/triangle.hpp"

namespace odemesh {

namespace {

using Index = std::uint32_t;

[[nodiscard]] double greatestComponent(const Vec3& v) {
  return std::max({std::abs(v.x), std::abs(v.y), std::abs(v.z)});
}

/// Each attempt at closing gaps is for gaps this many times as wide as the last.
constexpr double kStitchStep = 8;

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
  if (flat_parts == FlatParts::kMerge) b.stitchBorders();
  b.windConsistently();
  if (b.mesh_->topology_.non_manifold_edges > 0) b.joinShells(flat_parts);
  if (b.mesh_->topology_.isWatertight() && touchesAtVertices(*b.mesh_)) b.partShells();
  if (flat_parts == FlatParts::kMerge) b.mergeFlat();
  b.computeVertexNormals();
  b.listLowerEnds();
  b.groupVertices();
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

void MeshBuilder::weldVertices() {
  mesh_->vertices_ = weld(input_vertices_, mesh_->corners_);
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

/// Sorts the three sides of every triangle by their end points; equal neighbours share an edge. Sides are few
/// at one vertex, so that they are dealt out by their lower end first.
void MeshBuilder::buildEdges() {
  struct Side {
    Index high;  // the higher end
    Index slot;  // triangle * 4 + side
  };
  const std::size_t count = mesh_->triangleCount();
  const auto ends = [&](std::size_t t, int i) {
    return std::minmax(mesh_->corners(t)[i], mesh_->corners(t)[nextCorner(i)]);
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

void MeshBuilder::groupVertices() {
  if (mesh_->vertexCount() >= VertexGroups::kFewVertices)
    mesh_->vertex_groups_ = std::make_unique<const VertexGroups>(*mesh_);
}

/// Gaps as wide as the rounding of floats are closed anyway, wider ones only if no border is left at all: the
/// narrow ones first, since what is wide beside them may lie across several.
void MeshBuilder::stitchBorders() {
  if (mesh_->topology_.border_edges == 0) return;
  double greatest = 0;
  for (const Vec3& p : mesh_->vertices_) greatest = std::max(greatest, greatestComponent(p));
  const double rounding = kFlatness * greatest, widest = std::max(rounding, kGap * mesh_->sphere_radius_);
  stitchBorders(rounding, widest);
  if (mesh_->topology_.border_edges == 0 || !mayClose(*mesh_, 2 * widest)) return;
  const StitchedSurface sure{mesh_->vertices_, mesh_->corners_, mesh_->input_triangle_};
  bool changed = false;
  for (double gap = rounding; gap < widest && mesh_->topology_.border_edges > 0;) {
    gap = std::min(kStitchStep * gap, widest);
    if (stitchBorders(gap, widest)) changed = true;
  }
  if (mesh_->topology_.border_edges > 0 && changed) takeStitched(sure);
}

/// False, and nothing has changed, if that does not lessen the borders or adds edges of many triangles.
bool MeshBuilder::stitchBorders(double tolerance, double widest) {
  const MeshTopology before = mesh_->topology_;
  const double to_weld = std::min(kStitchStep * tolerance, widest);
  StitchedSurface given{mesh_->vertices_, mesh_->corners_, mesh_->input_triangle_};
  bool changed = takeStitched(weldBorders(*mesh_, tolerance));
  if (mesh_->topology_.border_edges > 0 && takeStitched(cutAtBorders(*mesh_, tolerance, to_weld)))
    changed = true;
  if (!changed) return false;
  const MeshTopology& now = mesh_->topology_;
  if (now.border_edges < before.border_edges && now.non_manifold_edges <= before.non_manifold_edges)
    return true;
  takeStitched(std::move(given));
  return false;
}

/// False if there is none.
bool MeshBuilder::takeStitched(std::optional<StitchedSurface> surface) {
  if (!surface) return false;
  mesh_->vertices_ = std::move(surface->vertices);
  mesh_->corners_ = std::move(surface->corners);
  mesh_->input_triangle_ = std::move(surface->input);
  dropUnusedVertices();
  rebuildSurface();
  return true;
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

/// Boxes that touch each other along edges, or are glued to each other, are as solid as one of them.
void MeshBuilder::joinShells(FlatParts flat_parts) {
  if (flat_parts == FlatParts::kMerge) {
    dropDuplicates();
    dropGluedFaces();
  }
  if (mesh_->topology_.non_manifold_edges == 0 || mesh_->topology_.border_edges > 0) return;
  partShells();
}

void MeshBuilder::partShells() {
  std::optional<PartedShells> parted = partTouchingShells(*mesh_);
  if (!parted) return;
  mesh_->vertices_ = std::move(parted->vertices);
  mesh_->corners_ = std::move(parted->corners);
  for (Index& t : parted->from) t = mesh_->input_triangle_[t];
  mesh_->input_triangle_ = std::move(parted->from);
  rebuildSurface();
}

void MeshBuilder::dropGluedFaces() {
  if (mesh_->topology_.non_manifold_edges == 0 || mesh_->topology_.border_edges > 0) return;
  const std::vector<bool> is_glued = findGluedFaces(*mesh_);
  if (is_glued.empty()) return;
  std::vector<Index> corners, input;
  for (std::size_t t = 0; t < is_glued.size(); ++t) {
    if (is_glued[t]) continue;
    corners.insert(corners.end(), mesh_->corners(t), mesh_->corners(t) + 3);
    input.push_back(mesh_->input_triangle_[t]);
  }
  mesh_->corners_ = std::move(corners);
  mesh_->input_triangle_ = std::move(input);
  dropUnusedVertices();
  rebuildSurface();
}

void MeshBuilder::mergeFlat() {
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
  mesh_->corners_.clear();
  for (const MergedTriangle& t : merged)
    mesh_->corners_.insert(mesh_->corners_.end(), t.corner.begin(), t.corner.end());
  mesh_->input_triangle_.resize(merged.size());
  std::iota(mesh_->input_triangle_.begin(), mesh_->input_triangle_.end(), 0U);
  dropUnusedVertices();
  rebuildSurface();
}

/// Numbers those that are left in the same order.
void MeshBuilder::dropUnusedVertices() {
  std::vector<Index> new_index(mesh_->vertices_.size(), Mesh::kNone);
  for (const Index v : mesh_->corners_) new_index[v] = 0;
  std::vector<Vec3> vertices;
  for (std::size_t v = 0; v < new_index.size(); ++v) {
    if (new_index[v] == Mesh::kNone) continue;
    new_index[v] = static_cast<Index>(vertices.size());
    vertices.push_back(mesh_->vertices_[v]);
  }
  vertices.shrink_to_fit();
  mesh_->vertices_ = std::move(vertices);
  for (Index& v : mesh_->corners_) v = new_index[v];
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

}  // namespace odemesh
