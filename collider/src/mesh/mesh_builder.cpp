#include "mesh/mesh_builder.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <tuple>
#include <utility>

#include "bvh/aabb.hpp"
#include "bvh/wide_tree.hpp"
#include "mesh/touching_shells.hpp"
#include "mesh/triangle_normal.hpp"
#include "mesh/vertex_groups.hpp"
#include "mesh/weld.hpp"
#include "narrow_phase/triangle.hpp"

namespace odemesh {

namespace {

using Index = std::uint32_t;

/// Coordinates beyond this are refused: products of three of them, as in a volume, still fit a double.
constexpr double kGreatestCoordinate = 1e100;

}  // namespace

struct MeshBuilder::Side {
  Index high;  ///< the higher end
  Index slot;  ///< triangle * 4 + side
};

/// Sides are few at one vertex, so that they are dealt out before they are sorted.
MeshBuilder::SidesByVertex MeshBuilder::sidesByLowerEnd(const Mesh& mesh) {
  const std::size_t count = mesh.triangleCount();
  const auto ends = [&](std::size_t t, int i) {
    return std::minmax(mesh.corners(t)[i], mesh.corners(t)[nextCorner(i)]);
  };
  std::vector<Index> end(mesh.vertexCount() + 1, 0);  // of the vertex before, until that is dealt out
  for (std::size_t t = 0; t < count; ++t)
    for (int i = 0; i < 3; ++i) ++end[ends(t, i).first + 1];
  std::partial_sum(end.begin(), end.end(), end.begin());
  std::vector<Side> sides(count * 3);
  for (std::size_t t = 0; t < count; ++t)
    for (int i = 0; i < 3; ++i) {
      const auto [low, high] = ends(t, i);
      sides[end[low]++] = {high, static_cast<Index>(t * 4) + static_cast<Index>(i)};
    }
  return {std::move(sides), std::move(end)};
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
  if (flat_parts == FlatParts::kMerge) b.cutOneSided();
  if (b.mesh_->topology_.non_manifold_edges > 0) b.joinShells(flat_parts);
  if (flat_parts == FlatParts::kMerge) b.dropSecondLayers();
  if (b.mesh_->topology_.isWatertight() && touchesAtVertices(*b.mesh_)) b.partShells();
  if (flat_parts == FlatParts::kMerge) b.mergeFlat();
  b.widenTree();
  b.computeVertexNormals();
  b.listLowerEnds();
  b.groupVertices();
  b.findVertexKinds();
  b.findComponents();
  b.measure();
  b.findThinAxis();
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

/// Each begins with its lowest vertex, and they follow each other by that, then by the others, from the last
/// on: the tree, and all that is found by it, is the same in whatever order the caller gives them. Triangles
/// are few at one vertex, so that they are dealt out by it first.
void MeshBuilder::orderTriangles() {
  const std::size_t count = mesh_->triangleCount();
  std::vector<Index> run_end(mesh_->vertices_.size() + 1, 0), order(count);
  for (std::size_t t = 0; t < count; ++t) {
    Index* corner = &mesh_->corners_[3 * t];
    std::rotate(corner, std::min_element(corner, corner + 3), corner + 3);
    ++run_end[*corner + 1];
  }
  std::partial_sum(run_end.begin(), run_end.end(), run_end.begin());
  for (std::size_t t = 0; t < count; ++t) order[run_end[*mesh_->corners(t)]++] = static_cast<Index>(t);
  const auto less = [&](Index a, Index b) {
    const Index *p = mesh_->corners(a), *q = mesh_->corners(b);
    return std::tie(p[1], p[2], a) < std::tie(q[1], q[2], b);
  };
  auto begin = order.begin();
  for (std::size_t v = 0; v < mesh_->vertices_.size(); ++v) {
    const auto end = order.begin() + static_cast<std::ptrdiff_t>(run_end[v]);
    std::sort(begin, end, less);
    begin = end;
  }
  std::ranges::reverse(order);
  takeOrder(order);
}

/// The binary tree over the triangles gives them their order.
void MeshBuilder::buildTree() {
  orderTriangles();
  std::vector<Aabb> boxes(mesh_->triangleCount());
  Aabb all;
  for (std::size_t t = 0; t < boxes.size(); ++t) {
    for (int i = 0; i < 3; ++i) boxes[t].grow(mesh_->vertex(t, i));
    all.grow(boxes[t]);
  }
  tree_.emplace(boxes, WideTree::kWidth);
  takeOrder(tree_->items());
  mesh_->sphere_centre_ = all.centre();
  mesh_->box_half_extent_ = 0.5 * all.hi - 0.5 * all.lo;
  double radius_sq = 0;
  for (const Vec3& p : mesh_->vertices_) radius_sq = std::max(radius_sq, lengthSq(p - mesh_->sphere_centre_));
  mesh_->sphere_radius_ = std::sqrt(radius_sq);
}

/// The tree of the surface as it is in the end becomes the wide tree, which is kept.
void MeshBuilder::widenTree() {
  mesh_->wide_tree_ = std::make_unique<WideTree>(*tree_, mesh_->vertices_, mesh_->corners_);
  tree_.reset();
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

/// Sorts the three sides of every triangle by their end points; equal neighbours share an edge.
void MeshBuilder::buildEdges() {
  SidesByVertex dealt = sidesByLowerEnd(*mesh_);
  const std::span<Side> sides(dealt.sides);
  flips_ = 0;
  mesh_->edges_.reserve(sides.size() / 2);
  mesh_->higher_end_.reserve(sides.size() / 2);
  mesh_->edge_begin_.reserve(mesh_->vertices_.size() + 1);
  mesh_->triangle_edges_.resize(sides.size());
  for (std::size_t v = 0, begin = 0; v < mesh_->vertices_.size(); ++v) {
    const std::size_t end = dealt.end[v];
    std::ranges::sort(sides.subspan(begin, end - begin), {},
                      [](const Side& s) { return std::tie(s.high, s.slot); });
    mesh_->edge_begin_.push_back(static_cast<Index>(mesh_->edges_.size()));
    while (begin < end) {
      const std::size_t first = begin;
      while (begin < end && sides[begin].high == sides[first].high) ++begin;
      addEdge(sides.subspan(first, begin - first));
    }
  }
  mesh_->edge_begin_.push_back(static_cast<Index>(mesh_->edges_.size()));
  mesh_->edges_.shrink_to_fit();
  mesh_->higher_end_.shrink_to_fit();
}

/// `shared` are the sides that lie on it.
void MeshBuilder::addEdge(std::span<const Side> shared) {
  for (const Side& s : shared)
    mesh_->triangle_edges_[3 * (s.slot / 4) + s.slot % 4] = static_cast<Index>(mesh_->edges_.size());
  mesh_->higher_end_.push_back(shared[0].high);
  mesh_->edges_.push_back({shared[0].slot, shared.size() == 1 ? Mesh::kNone : shared[1].slot});
  const auto runsUp = [&](const Side& s) { return mesh_->corners(s.slot / 4)[s.slot % 4] != s.high; };
  if (shared.size() == 1) ++mesh_->topology_.border_edges;
  if (shared.size() > 2) ++mesh_->topology_.non_manifold_edges;
  if (shared.size() == 2 && runsUp(shared[0]) == runsUp(shared[1])) ++flips_;
}

void MeshBuilder::groupVertices() {
  if (mesh_->vertexCount() >= VertexGroups::kFewVertices)
    mesh_->vertex_groups_ = std::make_unique<const VertexGroups>(*mesh_);
}

}  // namespace odemesh
