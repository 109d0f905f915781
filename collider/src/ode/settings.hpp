// The options in force and the counters, shared by the files of this folder.
#pragma once

#include <odemesh/odemesh.h>

#include <atomic>

namespace odemesh::ode {

/// Written by odemeshSetOptions only, which is not to be called during collisions.
[[nodiscard]] const odemeshOptions& options();

struct Counters {
  std::atomic<unsigned long long> pairs{0}, colliding_pairs{0}, contacts{0}, contacts_dropped{0},
      meshes_built{0}, bad_triangles{0}, errors{0};
};
[[nodiscard]] Counters& counters();

inline void add(std::atomic<unsigned long long>& counter, unsigned long long n) {
  counter.fetch_add(n, std::memory_order_relaxed);
}

}  // namespace odemesh::ode
