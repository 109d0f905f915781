// The steps of a build that change the surface: what is open is closed, what is turned over is turned back,
// what is doubled or glued goes, and flat parts become few triangles.
#include <algorithm>
#include <array>
#include <numeric>
#include <tuple>

#include "mesh/flat_partition.hpp"
#include "mesh/glued_faces.hpp"
#include "mesh/mesh_builder.hpp"
#include "mesh/one_sided.hpp"
#include "mesh/orientation.hpp"
#include "mesh/part_index.hpp"
#include "mesh/second_layers.hpp"
#include "mesh/touching_shells.hpp"

namespace odemesh {

namespace {

using Index = std::uint32_t;

/// Gaps in a surface that are no wider than this, in units of the mesh's radius, were hardly meant where they
/// are all that it lacks to be closed: programs that cut curved faces into triangles one by one leave such.
constexpr double kGap = 1e-3;

/// Each attempt at closing gaps is for gaps this many times as wide as the last.
constexpr double kStitchStep = 8;

}  // namespace

/// Gaps as wide as the rounding of floats are closed anyway, wider ones only if no border is left at all: the
/// narrow ones first, since what is wide beside them may lie across several.
void MeshBuilder::stitchBorders() {
  if (mesh_->topology_.border_edges == 0) return;
  const double rounding = flatnessOf(*mesh_), widest = std::max(rounding, kGap * mesh_->sphere_radius_);
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

/// False if there is none, or nothing left of it: of slivers as thin as a gap.
bool MeshBuilder::takeStitched(std::optional<StitchedSurface> surface) {
  if (!surface || surface->input.empty()) return false;
  mesh_->vertices_ = std::move(surface->vertices);
  mesh_->corners_ = std::move(surface->corners);
  mesh_->input_triangle_ = std::move(surface->input);
  dropUnusedVertices();
  rebuildSurface();
  return true;
}

/// A triangle that is wound against all its neighbours was hardly meant so.
void MeshBuilder::windConsistently() {
  if (flips_ == 0) return;
  const Orientation orientation = findOrientation(*mesh_);
  winding_.flipped_edges += flips_;
  winding_.is_one_sided = orientation.is_one_sided;
  for (std::size_t t = 0; t < orientation.turned.size(); ++t) {
    if (!orientation.turned[t]) continue;
    std::swap(mesh_->corners_[3 * t + 1], mesh_->corners_[3 * t + 2]);
    ++winding_.turned_triangles;
  }
  rebuildSurface();
}

/// The faces of a closed surface without two sides have none to agree on. Those of a sheet have.
void MeshBuilder::cutOneSided() {
  const MeshTopology& topology = mesh_->topology_;
  if (!winding_.is_one_sided || topology.border_edges > 0 || topology.non_manifold_edges > 0) return;
  winding_.is_one_sided = false;
  takeParted(odemesh::cutOneSided(*mesh_));
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
  if (std::optional<PartedShells> parted = partTouchingShells(*mesh_)) takeParted(std::move(*parted));
}

void MeshBuilder::takeParted(PartedShells parted) {
  mesh_->vertices_ = std::move(parted.vertices);
  mesh_->corners_ = std::move(parted.corners);
  for (Index& t : parted.from) t = mesh_->input_triangle_[t];
  mesh_->input_triangle_ = std::move(parted.from);
  rebuildSurface();
}

void MeshBuilder::dropGluedFaces() {
  if (mesh_->topology_.non_manifold_edges == 0 || mesh_->topology_.border_edges > 0) return;
  drop(findGluedFaces(*mesh_));
}

/// A sheet that is given from both sides is the one given once, which knows the greater part of a body at its
/// rim. Until then it had no borders to be joined.
void MeshBuilder::dropSecondLayers() {
  if (!drop(findSecondLayers(*mesh_, normals_))) return;
  stitchBorders();
  windConsistently();
}

/// False if there is nothing to drop.
bool MeshBuilder::drop(const std::vector<bool>& is_dropped) {
  if (is_dropped.empty()) return false;
  std::vector<Index> corners, input;
  for (std::size_t t = 0; t < is_dropped.size(); ++t) {
    if (is_dropped[t]) continue;
    corners.insert(corners.end(), mesh_->corners(t), mesh_->corners(t) + 3);
    input.push_back(mesh_->input_triangle_[t]);
  }
  mesh_->corners_ = std::move(corners);
  mesh_->input_triangle_ = std::move(input);
  dropUnusedVertices();
  rebuildSurface();
  return true;
}

void MeshBuilder::mergeFlat() {
  if (mesh_->topology_.non_manifold_edges > 0) return;
  const std::vector<bool> loose = looseVertices(*mesh_);
  if (loose.empty()) return;
  const FlatPartition parts = partitionFlat(*mesh_, loose);
  const std::vector<MergedTriangle> merged = mergeFlatParts(*mesh_, parts);
  if (merged.empty()) return;
  auto part_index = std::make_unique<PartIndex>(*mesh_, parts, merged);
  std::vector<Index> input;
  for (std::size_t t = 0; t < merged.size(); ++t)
    input.push_back(part_index->holds(t) ? part_index->first(t) : mesh_->input_triangle_[merged[t].from]);
  takeMerged(merged);
  part_index->takeOrder(mesh_->input_triangle_);
  for (Index& t : mesh_->input_triangle_) t = input[t];
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
  mesh_->topology_.flipped_edges = winding_.flipped_edges;
  mesh_->topology_.turned_triangles = winding_.turned_triangles;
  mesh_->topology_.is_one_sided = winding_.is_one_sided;
}

}  // namespace odemesh
