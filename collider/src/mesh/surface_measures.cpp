// What a finished surface says about itself: the last steps of a build.
#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <odemesh/distance.hpp>

#include "constants.hpp"
#include "contact/placed_mesh.hpp"
#include "contact/region/point_in_solid.hpp"
#include "eigenvectors.hpp"
#include "mesh/disjoint_sets.hpp"
#include "mesh/mesh_bounds.hpp"
#include "mesh/mesh_builder.hpp"
#include "narrow_phase/triangle.hpp"

namespace odemesh {

namespace {

using Index = std::uint32_t;

/// A mesh is convex if no dent at an edge is deeper than rounding makes it, and rounding does not make more
/// than this, in units of the mesh's radius.
constexpr double kConvexSlack = 1e-5;

/// The thickness that a sheet counts with, in units of its radius.
constexpr double kSheetThickness = 0.1;

/// A surface is thin if its variance along the thinnest axis is less than this share of those along others.
constexpr double kThin = 0.5;

/// Its slab is worth a look if the bounding box reaches farther by more than this share.
constexpr double kSlabShare = 0.5;

}  // namespace

/// Face normals weighted by the angle of the face at the vertex, so that it does not matter how a flat face
/// is cut (Thuermer and Wuethrich 1998).
void MeshBuilder::computeVertexNormals() {
  std::vector<Vec3> sum(mesh_->vertices_.size());
  for (std::size_t t = 0; t < normals_.size(); ++t) {
    Vec3 along[3];
    for (int i = 0; i < 3; ++i) along[i] = normalised(mesh_->vertex(t, nextCorner(i)) - mesh_->vertex(t, i));
    for (int i = 0; i < 3; ++i) {
      const double cosine = -dot(along[i], along[nextCorner(nextCorner(i))]);
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

/// A vertex is flat if every edge at it is: shared by two faces with the same normal. It lies on the border
/// if an edge at it does.
void MeshBuilder::findVertexKinds() {
  using enum Mesh::VertexKind;
  auto& kinds = mesh_->vertex_kinds_;
  kinds.assign(mesh_->vertices_.size(), kFlat);
  for (const MeshEdge& e : mesh_->edges()) {
    const bool is_border = e.triangle[1] == Mesh::kNone;
    if (!is_border && dot(normals_[e.triangle[0]], normals_[e.triangle[1]]) > kFlatCosine) continue;
    for (const Index v : e.v)
      if (kinds[v] != kBorder) kinds[v] = is_border ? kBorder : kOther;
  }
}

void MeshBuilder::findComponents() {
  DisjointSets pieces(mesh_->vertices_.size());
  for (const MeshEdge& e : mesh_->edges()) pieces.join(e.v[0], e.v[1]);
  std::vector<Index> component_of(mesh_->vertices_.size());
  for (Index v = 0; v < component_of.size(); ++v) {
    const Index root = pieces.root(v);  // never above v, so its number is known already
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
/// with the centre as the common apex. What is flat has none, whatever the rounding of its coordinates says.
void MeshBuilder::measure() {
  double six_volumes = 0;
  for (std::size_t t = 0; t < mesh_->triangleCount(); ++t) {
    const Vec3 a = mesh_->vertex(t, 0) - mesh_->sphere_centre_;
    const Vec3 b = mesh_->vertex(t, 1) - mesh_->sphere_centre_;
    const Vec3 c = mesh_->vertex(t, 2) - mesh_->sphere_centre_;
    six_volumes += dot(a, cross(b, c));
    const Vec3 area = 0.5 * cross(b - a, c - a);
    mesh_->topology_.area += length(area);
    mesh_->opening_area_ -= area;
  }
  const MeshTopology& topology = mesh_->topology_;
  const double rounding = kFlatness * (mesh_->sphere_radius_ + length(mesh_->sphere_centre_));
  const double volume = six_volumes / 6;
  mesh_->topology_.volume = std::abs(volume) <= rounding * topology.area ? 0 : volume;
  mesh_->thickness_ = (mesh_->isSolid() || mesh_->isShell()) && topology.area > 0
                          ? 3 * std::abs(topology.volume) / topology.area
                          : kSheetThickness * mesh_->sphereRadius();
}

/// By the second moments of the surface's area, so that it does not matter how a face is cut. Coordinates are
/// scaled to about one, so that their products stay in range.
void MeshBuilder::findThinAxis() {
  const double unit = 1 / mesh_->sphere_radius_;
  double area = 0;
  Vec3 first;
  Mat3 second{{{}, {}, {}}};
  for (std::size_t t = 0; t < mesh_->triangleCount(); ++t) {
    std::array<Vec3, 3> corner;
    for (int i = 0; i < 3; ++i) corner[i] = (mesh_->vertex(t, i) - mesh_->sphere_centre_) * unit;
    const double share = 0.5 * length(cross(corner[1] - corner[0], corner[2] - corner[0]));
    const Vec3 sum = corner[0] + corner[1] + corner[2];
    area += share;
    first += sum * (share / 3);
    addSquare(second, sum, share / 12);
    for (const Vec3& c : corner) addSquare(second, c, share / 12);
  }
  if (!(area > 0)) return;
  addSquare(second, first, -1 / area);
  const Mat3 axes = eigenvectors(second);
  const auto variance = [&](const Vec3& axis) { return dot(axis, second * axis); };
  std::array<Vec3, 3> by_variance{axes.row[0], axes.row[1], axes.row[2]};
  std::ranges::sort(by_variance, {}, variance);
  if (variance(by_variance[0]) < kThin * variance(by_variance[1])) setThinAxis(by_variance[0]);
}

void MeshBuilder::setThinAxis(const Vec3& axis) {
  const MeshBounds box(*mesh_);  // without a slab yet
  mesh_->thin_axis_ = axis;
  double reach = 0;
  for (const Vec3& v : mesh_->vertices_)
    reach = std::max(reach, std::abs(dot(axis, v - mesh_->sphere_centre_)));
  reach += kBoxSlack * mesh_->sphere_radius_;
  if (reach < kSlabShare * box.reach(axis)) mesh_->thin_reach_ = reach;
}

}  // namespace odemesh
