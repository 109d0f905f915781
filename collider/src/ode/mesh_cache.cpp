#include "ode/mesh_cache.hpp"

#include <bit>
#include <cstdio>
#include <mutex>
#include <numeric>

#include "ode/errors.hpp"
#include "ode/settings.hpp"
#include "ode/trimesh_reader.hpp"

namespace odemesh::ode {

namespace {

/// A 64-bit mix of every bit of every coordinate; 0 is never returned.
[[nodiscard]] std::uint64_t fingerprintOf(const std::vector<Vec3>& corners) {
  std::uint64_t h = 0x9e3779b97f4a7c15ull ^ corners.size();
  for (const Vec3& p : corners)
    for (int axis = 0; axis < 3; ++axis) {
      h = (h ^ std::bit_cast<std::uint64_t>(p[axis])) * 0xff51afd7ed558ccdull;
      h ^= h >> 32;
    }
  return h | 1;
}

void warnOfBadTriangles(const std::vector<MeshProblem>& problems) {
  char message[256];
  std::snprintf(message, sizeof message, "mesh: %s; %zu problem(s) in all", problems.front().text().c_str(),
                problems.size());
  warn(message);
}

}  // namespace

CachedMesh MeshCache::get(dTriMeshDataID data, bool compare_content) {
  CachedMesh cached;
  std::vector<Vec3> corners;
  std::uint64_t fingerprint = 0;
  if (compare_content) {
    readCorners(data, corners);
    fingerprint = fingerprintOf(corners);
  }
  const auto isCurrent = [&] {
    return find(data, cached) && (!compare_content || cached.fingerprint == fingerprint);
  };
  if (isCurrent()) return cached;

  const std::scoped_lock build_lock(build_mutex_);
  if (isCurrent()) return cached;
  if (!compare_content) readCorners(data, corners);
  cached = build(data, corners);
  cached.fingerprint = fingerprint;
  const std::unique_lock lock(mutex_);
  meshes_[data] = cached;
  count_ = meshes_.size();
  return cached;
}

bool MeshCache::find(dTriMeshDataID data, CachedMesh& out) {
  const std::shared_lock lock(mutex_);
  const auto it = meshes_.find(data);
  if (it == meshes_.end()) return false;
  out = it->second;
  return true;
}

CachedMesh MeshCache::build(dTriMeshDataID, const std::vector<Vec3>& corners) {
  std::vector<std::uint32_t> indices(corners.size());
  std::iota(indices.begin(), indices.end(), 0U);
  Mesh::Built built = Mesh::build(corners, indices);
  CachedMesh out{std::move(built.mesh), built.problems.size(), 0};
  add(counters().meshes_built, 1);
  add(counters().bad_triangles, out.bad_triangles);
  if (!built.problems.empty()) warnOfBadTriangles(built.problems);
  return out;
}

void MeshCache::forget(const void* data) noexcept {
  if (count_ == 0) return;
  CachedMesh dropped;  // freed after the lock
  const std::unique_lock lock(mutex_);
  const auto it = meshes_.find(data);
  if (it == meshes_.end()) return;
  dropped = std::move(it->second);
  meshes_.erase(it);
  count_ = meshes_.size();
}

void MeshCache::clear() noexcept {
  const std::unique_lock lock(mutex_);
  meshes_.clear();
  count_ = 0;
}

MeshCache& meshCache() {
  static MeshCache cache;
  return cache;
}

}  // namespace odemesh::ode
