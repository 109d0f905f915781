#include <algorithm>
#include <cmath>
#include <odemesh/distance.hpp>
#include <odemesh/voxel.hpp>

#include "bvh/aabb.hpp"

namespace odemesh {

namespace {

/// Do a triangle and the cube of half width `half` around the origin meet? The axes of Akenine-Moller (2001).
[[nodiscard]] bool triangleMeetsCube(const Vec3& a, const Vec3& b, const Vec3& c, double half) {
  const auto parted = [&](const Vec3& axis) {
    const double pa = dot(axis, a), pb = dot(axis, b), pc = dot(axis, c);
    const double reach = half * (std::abs(axis.x) + std::abs(axis.y) + std::abs(axis.z));
    return std::min({pa, pb, pc}) > reach || std::max({pa, pb, pc}) < -reach;
  };
  const Vec3 faces[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, edges[3] = {b - a, c - b, a - c};
  if (std::any_of(faces, faces + 3, parted) || parted(cross(edges[0], edges[1]))) return false;
  for (const Vec3& edge : edges)
    for (const Vec3& face : faces)
      if (parted(cross(face, edge))) return false;
  return true;
}

[[nodiscard]] Aabb boundsOf(const Mesh& mesh) {
  Aabb box;
  for (const Vec3& p : mesh.vertices()) box.grow(p);
  return box;
}

}  // namespace

std::optional<VoxelMap> VoxelMap::build(const Mesh& mesh, double voxel_size) {
  if (!(voxel_size > 0) || !std::isfinite(voxel_size)) return std::nullopt;
  const Aabb box = boundsOf(mesh);
  VoxelMap map;
  map.size_ = voxel_size;
  // A layer of free voxels all around: the outside hangs together.
  map.origin_ = box.lo - Vec3{1.5, 1.5, 1.5} * voxel_size;
  double voxels = 1;
  for (int axis = 0; axis < 3; ++axis) {
    const double count = std::ceil(box.extent()[axis] / voxel_size) + 3;
    voxels *= count;
    if (!(voxels <= double(kMaxVoxels))) return std::nullopt;
    map.count_[std::size_t(axis)] = static_cast<std::size_t>(count);
  }
  map.voxels_.assign(map.count_[0] * map.count_[1] * map.count_[2], Voxel::kInterior);
  map.markSurface(mesh);
  map.markInterior();
  return map;
}

void VoxelMap::markSurface(const Mesh& mesh) {
  // Rounding may not open a hole in the surface.
  const double half = 0.5 * size_ * (1 + 1e-9);
  for (std::size_t t = 0; t < mesh.triangleCount(); ++t) {
    const Vec3 a = mesh.vertex(t, 0) - origin_, b = mesh.vertex(t, 1) - origin_,
               c = mesh.vertex(t, 2) - origin_;
    Aabb box;
    for (const Vec3& p : {a, b, c}) box.grow(p);
    std::size_t lo[3], hi[3];
    for (int axis = 0; axis < 3; ++axis) {
      lo[axis] = static_cast<std::size_t>(box.lo[axis] / size_ * (1 - 1e-9));
      hi[axis] = std::min(static_cast<std::size_t>(box.hi[axis] / size_ * (1 + 1e-9)),
                          count_[std::size_t(axis)] - 1);
    }
    for (std::size_t z = lo[2]; z <= hi[2]; ++z) {
      for (std::size_t y = lo[1]; y <= hi[1]; ++y) {
        for (std::size_t x = lo[0]; x <= hi[0]; ++x) {
          const Vec3 centre = centreOf(x, y, z) - origin_;
          if (triangleMeetsCube(a - centre, b - centre, c - centre, half))
            voxels_[index(x, y, z)] = Voxel::kSurface;
        }
      }
    }
  }
}

/// Everything starts as interior; a flood from a corner, which is outside, takes what it can reach.
void VoxelMap::markInterior() {
  std::vector<std::size_t> flood{0};
  voxels_[0] = Voxel::kFree;
  const std::size_t step[3] = {1, count_[0], count_[0] * count_[1]};
  while (!flood.empty()) {
    const std::size_t at = flood.back();
    flood.pop_back();
    for (std::size_t axis = 0; axis < 3; ++axis) {
      const std::size_t place = at / step[axis] % count_[axis];
      const auto visit = [&](std::size_t next) {
        if (voxels_[next] != Voxel::kInterior) return;
        voxels_[next] = Voxel::kFree;
        flood.push_back(next);
      };
      if (place > 0) visit(at - step[axis]);
      if (place + 1 < count_[axis]) visit(at + step[axis]);
    }
  }
}

Voxel VoxelMap::at(const Vec3& point) const {
  std::size_t cell[3];
  for (int axis = 0; axis < 3; ++axis) {
    const double c = std::floor((point[axis] - origin_[axis]) / size_);
    if (!(c >= 0 && c < double(count_[std::size_t(axis)]))) return Voxel::kFree;
    cell[axis] = static_cast<std::size_t>(c);
  }
  return at(cell[0], cell[1], cell[2]);
}

Vec3 VoxelMap::centreOf(const Vec3& point) const {
  const Vec3 d = (point - origin_) / size_;
  return origin_ + size_ * Vec3{std::floor(d.x) + 0.5, std::floor(d.y) + 0.5, std::floor(d.z) + 0.5};
}

std::vector<ShellPoint> buildPointShell(const Mesh& mesh, double spacing) {
  std::vector<ShellPoint> shell;
  const std::optional<VoxelMap> map = VoxelMap::build(mesh, spacing);
  if (!map) return shell;
  const auto& count = map->counts();
  for (std::size_t z = 0; z < count[2]; ++z) {
    for (std::size_t y = 0; y < count[1]; ++y) {
      for (std::size_t x = 0; x < count[0]; ++x) {
        if (map->at(x, y, z) != Voxel::kSurface) continue;
        const std::optional<SurfacePoint> at = closestPoint(mesh, {}, map->centreOf(x, y, z));
        shell.push_back({at->point, -at->normal});
      }
    }
  }
  return shell;
}

std::size_t voxelContacts(const VoxelMap& map, const Pose& map_pose, std::span<const ShellPoint> shell,
                          const Pose& shell_pose, std::vector<VoxelContact>& out) {
  if (!isFinite(map_pose) || !isFinite(shell_pose)) return 0;
  const Pose to_map = relativePose(map_pose, shell_pose);
  std::size_t interior = 0;
  for (const ShellPoint& p : shell) {
    const Vec3 at = to_map.apply(p.position);
    const Voxel voxel = map.at(at);
    interior += voxel == Voxel::kInterior;
    if (voxel != Voxel::kSurface) continue;
    const double depth = dot(map.centreOf(at) - at, to_map.rotate(p.inward));
    if (depth > 0) out.push_back({shell_pose.apply(p.position), shell_pose.rotate(p.inward), depth});
  }
  return interior;
}

}  // namespace odemesh
