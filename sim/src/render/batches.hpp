// The bodies of a snapshot, those that look alike together.
#pragma once

#include <vector>

#include "render/gpu_mesh.hpp"
#include "render/instances.hpp"
#include "render/view.hpp"

namespace odemesh::sim::render {

/// Bodies that one call draws.
struct Batch {
  const PreparedMesh* mesh;
  bool surroundings;
  bool opaque;
  std::size_t first = 0;    ///< of its instances among all
  std::size_t visible = 0;  ///< from the first on; the others are beside the picture
  std::size_t count = 0;
};

struct Batches {
  std::vector<Batch> batches;  ///< in the order in which they are drawn
  std::vector<Instance> instances;
};

/// The bodies that can be drawn: opaque bodies first, then opaque surroundings, which they hide parts of, and
/// then the others; otherwise in the order of their first one in the snapshot.
[[nodiscard]] Batches batchesOf(const Snapshot& snapshot, const View& view, MeshCache& meshes);

}  // namespace odemesh::sim::render
