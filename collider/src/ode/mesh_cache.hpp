// The preprocessed mesh of every dTriMeshDataID, built at first use, shared by all geoms, never stale.
//
// Which mechanism notices which change:
//   destroyed, another allocated at the same address  - data_watch (ODE's calls pass through this library),
//   else
//                                                       ODE's free handler and the comparison of content
//   rebuilt, or edited in place and updated            - data_watch, else the comparison of content
//   edited in place without dGeomTriMeshDataUpdate     - odemeshMeshChanged, or ODEMESH_FRESHNESS_COMPARE
//   swapped by dGeomTriMeshSetData                     - nothing is needed: the geom is asked for its data
//   each time
#pragma once

#include <odemesh/odemesh.h>

#include <atomic>
#include <cstdint>
#include <memory>
#include <odemesh/mesh.hpp>
#include <shared_mutex>
#include <unordered_map>
#include <vector>

namespace odemesh::ode {

/// One preprocessed mesh. `mesh` is empty if no triangle was usable.
struct CachedMesh {
  std::shared_ptr<const Mesh> mesh;
  std::size_t bad_triangles = 0;
  std::uint64_t fingerprint = 0;  ///< of the corners that it was built from; 0 unless content is compared
};

/// All functions may be called from any number of threads at once.
class MeshCache {
 public:
  /// The mesh of `data`, built now if it is new or has changed. Two threads that ask at once build it once.
  /// With `compare_content`, reads the whole content to see whether it has changed.
  [[nodiscard]] CachedMesh get(dTriMeshDataID data, bool compare_content);

  /// Drops the mesh of `data`, if there is one. Cheap if there is none.
  void forget(const void* data) noexcept;
  void clear() noexcept;

 private:
  [[nodiscard]] bool find(dTriMeshDataID data, CachedMesh& out);
  [[nodiscard]] CachedMesh build(dTriMeshDataID data, const std::vector<Vec3>& corners);

  std::shared_mutex mutex_;  ///< guards `meshes_`
  std::mutex build_mutex_;   ///< held while a mesh is built
  std::unordered_map<const void*, CachedMesh> meshes_;
  std::atomic<std::size_t> count_{0};
};

[[nodiscard]] MeshCache& meshCache();

}  // namespace odemesh::ode
