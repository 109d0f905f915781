#include "ode/mesh_cache.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstdio>
#include <numeric>
#include <utility>

#include "ode/errors.hpp"
#include "ode/settings.hpp"
#include "ode/trimesh_reader.hpp"

namespace odemesh::ode {

namespace {

/// A 64-bit mix of every bit of every coordinate; 0 is never returned. Meshes that differ in one coordinate
/// always differ in it, as each step is one to one.
[[nodiscard]] std::uint64_t fingerprintOf(const TrimeshReader& reader) {
  std::uint64_t h = 0x9e3779b97f4a7c15ull ^ reader.triangleCount();
  for (std::size_t t = 0; t < reader.triangleCount(); ++t)
    for (const Vec3& p : reader.corners(t))
      for (int axis = 0; axis < 3; ++axis) {
        h = (h ^ std::bit_cast<std::uint64_t>(p[axis])) * 0xff51afd7ed558ccdull;
        h ^= h >> 32;
      }
  return h != 0 ? h : 1;
}

[[nodiscard]] std::size_t countBadTriangles(const std::vector<MeshProblem>& problems) {
  return static_cast<std::size_t>(std::ranges::count_if(
      problems, [](const MeshProblem& p) { return p.kind != MeshProblem::Kind::kNoTriangles; }));
}

void countBuilt(const Mesh::Built& built) {
  add(counters().meshes_built, 1);
  add(counters().bad_triangles, countBadTriangles(built.problems));
  add(counters().zero_area_triangles, static_cast<std::size_t>(std::ranges::count(
                                          built.problems, MeshProblem::Kind::kZeroArea, &MeshProblem::kind)));
  if (built.mesh && !built.mesh->isSolid()) add(counters().meshes_without_inside, 1);
}

void warnOfBadTriangles(const void* data, const std::vector<MeshProblem>& problems) {
  char message[384];
  std::snprintf(message, sizeof message, "mesh data %p: %s (the first of %zu)", data,
                problems.front().text().c_str(), problems.size());
  warn(message);
}

}  // namespace

std::string whyUnusable(const CachedMesh& cached) {
  if (cached.problem.kind == MeshProblem::Kind::kNoTriangles)
    return "there are no triangles in the data; fill it by a call of dGeomTriMeshDataBuild...";
  return "no triangle is usable; " + cached.problem.text();
}

// The mutex and the map cost as much as telling two boxes apart. A program that changes or destroys data
// while it is collided with has a race already, so an entry that is asked for does not change meanwhile.
MeshCache::RecentSet& MeshCache::recentOf(const void* data) {
  constexpr int kSetBits = 7;
  static thread_local std::array<RecentSet, 1 << kSetBits> sets;
  return sets[(reinterpret_cast<std::uintptr_t>(data) * 0x9e3779b97f4a7c15ull) >> (64 - kSetBits)];
}

void MeshCache::remember(const void* data, int freshness) const {
  const std::shared_lock lock(mutex_);
  const auto it = entries_.find(data);
  if (it != entries_.end() && it->second.built && it->second.cached.mesh)
    recentOf(data).add({data, state_, freshness, &it->second.cached});
}

CachedMesh MeshCache::get(dTriMeshDataID data, int freshness) {
  if (const CachedMesh* recent = recall(data, freshness)) return *recent;
  Entry entry = lookUp(data);
  const bool compare =
      freshness == ODEMESH_FRESHNESS_COMPARE || (freshness == ODEMESH_FRESHNESS_AUTO && !entry.watched);
  if (entry.built && !compare) {
    remember(data, freshness);
    return std::move(entry.cached);
  }
  const std::uint64_t fingerprint = compare ? fingerprintOf(TrimeshReader(data)) : 0;
  const auto isCurrent = [&] { return entry.built && (!compare || entry.cached.fingerprint == fingerprint); };
  if (isCurrent()) return std::move(entry.cached);

  const std::scoped_lock build_lock(build_mutex_);
  entry = lookUp(data);  // another thread may have built it meanwhile
  if (isCurrent()) return std::move(entry.cached);
  return build(data, fingerprint);
}

CachedMesh MeshCache::build(dTriMeshDataID data, std::uint64_t fingerprint) {
  const std::vector<Vec3> corners = TrimeshReader(data).allCorners();
  if (corners.empty()) {  // never built, or empty: nothing to keep, and cheap to find out again
    forget(data);
    return {};
  }
  std::vector<std::uint32_t> indices(corners.size());
  std::iota(indices.begin(), indices.end(), 0U);
  Mesh::Built built = Mesh::build(corners, indices, FlatParts::kMerge);
  countBuilt(built);
  CachedMesh cached{.mesh = std::move(built.mesh),
                    .serial = ++last_serial_,
                    .bad_triangles = countBadTriangles(built.problems),
                    .fingerprint = fingerprint};
  if (!built.problems.empty()) cached.problem = built.problems.front();
  store(data, cached);
  if (!built.problems.empty()) warnOfBadTriangles(data, built.problems);
  return cached;
}

// A mesh that goes is freed after the lock is given back, `dropped` outliving it, but where all go at once.

void MeshCache::store(const void* data, CachedMesh cached) {
  const std::unique_lock lock(mutex_);
  changeState();
  Entry& entry = entries_[data];
  std::swap(entry.cached, cached);
  if (std::exchange(entry.built, true)) add(counters().data_changes, 1);
}

MeshCache::Entry MeshCache::lookUp(const void* data) const {
  const std::shared_lock lock(mutex_);
  const auto it = entries_.find(data);
  return it != entries_.end() ? it->second : Entry{};
}

void MeshCache::watch(const void* data) noexcept {
  CachedMesh dropped;
  const std::unique_lock lock(mutex_);
  changeState();
  try {
    Entry& entry = entries_[data];
    dropped = std::exchange(entry.cached, {});
    if (std::exchange(entry.built, false)) add(counters().data_changes, 1);
    entry.watched = true;
  } catch (...) {  // out of memory: not watched, hence compared
  }
}

void MeshCache::forget(const void* data) noexcept {
  CachedMesh dropped;
  const std::unique_lock lock(mutex_);
  const auto it = entries_.find(data);
  if (it == entries_.end()) return;
  changeState();
  dropped = std::exchange(it->second.cached, {});
  if (std::exchange(it->second.built, false)) add(counters().data_changes, 1);
}

void MeshCache::erase(const void* data) noexcept {
  {
    const std::shared_lock lock(mutex_);  // nearly all of ODE's frees end here
    if (!entries_.contains(data)) return;
  }
  CachedMesh dropped;
  const std::unique_lock lock(mutex_);
  const auto it = entries_.find(data);
  if (it == entries_.end()) return;
  changeState();
  dropped = std::move(it->second.cached);
  entries_.erase(it);
}

void MeshCache::clear() noexcept {
  const std::unique_lock lock(mutex_);
  changeState();
  std::erase_if(entries_, [](const auto& entry) { return !entry.second.watched; });
  for (auto& [data, entry] : entries_) {
    entry = Entry{};
    entry.watched = true;
  }
}

std::size_t MeshCache::meshCount() const {
  const std::shared_lock lock(mutex_);
  return static_cast<std::size_t>(
      std::ranges::count_if(entries_, [](const auto& entry) { return entry.second.built; }));
}

MeshCache& meshCache() {
  static auto& cache = *new MeshCache;
  return cache;
}

}  // namespace odemesh::ode
