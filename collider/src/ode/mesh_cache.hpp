// The preprocessed mesh of every dTriMeshDataID, built at first use, shared by all geoms, never stale.
//
// Which mechanism notices which change of data that is watched (see data_watch.hpp):
//   destroyed, another allocated at the same address  - the watched calls of Destroy and Create
//   rebuilt by Build*, edited in place and updated    - the watched calls of Build* and Update
//   edited in place without dGeomTriMeshDataUpdate    - odemeshMeshChanged, or ODEMESH_FRESHNESS_COMPARE
// of data that is not watched:
//   any of these                                      - the comparison of the whole content at each use
//   destroyed, for good                               - ODE's free handler
// and of both:
//   swapped by dGeomTriMeshSetData                    - each call asks the geom for its data
#pragma once

#include <odemesh/odemesh.h>

#include <array>
#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <odemesh/mesh.hpp>
#include <shared_mutex>
#include <string>
#include <unordered_map>

namespace odemesh::ode {

/// One preprocessed mesh. `mesh` is empty if no triangle was usable.
struct CachedMesh {
  std::shared_ptr<const Mesh> mesh;
  std::uint64_t serial = 0;  ///< no other mesh of this process has the same
  std::size_t bad_triangles = 0;
  MeshProblem problem{MeshProblem::Kind::kNoTriangles, 0};  ///< the first, of a mesh that has one
  std::uint64_t fingerprint = 0;  ///< of the corners that it was built from; 0 unless content is compared
};

/// Why there is no mesh, with the remedy.
[[nodiscard]] std::string whyUnusable(const CachedMesh& cached);

/// All functions may be called from any number of threads at once.
class MeshCache {
 public:
  /// The mesh of `data`, built now if it is new or has changed. Two threads that ask at once build it once.
  /// `freshness` is one of ODEMESH_FRESHNESS_...; under AUTO, data that is not watched is compared.
  [[nodiscard]] CachedMesh get(dTriMeshDataID data, int freshness);
  /// The same without a copy, if it has a mesh and this thread asked for it of late; else null. Stays until
  /// the data changes, which it may do in any callback of the program's.
  [[nodiscard]] const CachedMesh* recall(const void* data, int freshness) const {
    const std::uint64_t state = state_.load(std::memory_order_acquire);
    for (const Recent& recent : recentOf(data).entries)
      if (recent.data == data && recent.freshness == freshness && recent.state == state) return recent.cached;
    return nullptr;
  }

  /// `data` is new, and every change of it will be told to `forget` and `erase`.
  void watch(const void* data) noexcept;
  /// Drops the mesh of `data`, if there is one, and keeps in mind whether it is watched.
  void forget(const void* data) noexcept;
  /// `data` is gone. `data` may be any address; cheap if nothing is known of it.
  void erase(const void* data) noexcept;
  /// Drops all meshes.
  void clear() noexcept;

  /// Meshes held at present.
  [[nodiscard]] std::size_t meshCount() const;

 private:
  struct Entry {
    CachedMesh cached;
    bool built = false;
    bool watched = false;
  };

  /// What this thread asked for of late; holds while `state` is that of the cache.
  struct Recent {
    const void* data = nullptr;
    std::uint64_t state = 0;
    int freshness = 0;
    const CachedMesh* cached = nullptr;
  };
  /// Two whose addresses fall together do not drive each other out.
  struct RecentSet {
    std::array<Recent, 2> entries;
    void add(const Recent& recent) {
      entries[1] = entries[0];
      entries[0] = recent;
    }
  };
  [[nodiscard]] static RecentSet& recentOf(const void* data);
  void remember(const void* data, int freshness) const;

  /// To be called before any entry changes, with `mutex_` held.
  void changeState() noexcept { state_.store(++last_state, std::memory_order_release); }

  [[nodiscard]] Entry lookUp(const void* data) const;
  [[nodiscard]] CachedMesh build(dTriMeshDataID data, std::uint64_t fingerprint);
  void store(const void* data, CachedMesh cached);

  mutable std::shared_mutex mutex_;  ///< guards `entries_`
  std::mutex build_mutex_;           ///< held while a mesh is built
  std::uint64_t last_serial_ = 0;    ///< guarded by `build_mutex_`
  std::unordered_map<const void*, Entry> entries_;

  static inline std::atomic<std::uint64_t> last_state{0};
  std::atomic<std::uint64_t> state_{++last_state};  ///< no other one, of any cache, had the same
};

/// The one of this process. It is never destroyed: a program's static destructors may still free ODE's data.
[[nodiscard]] MeshCache& meshCache();

}  // namespace odemesh::ode
