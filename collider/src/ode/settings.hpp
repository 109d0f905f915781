// The options in force and the counters, shared by the files of this folder.
#pragma once

#include <odemesh/odemesh.h>

#include <algorithm>
#include <atomic>
#include <cstring>

namespace odemesh::ode {

extern odemeshOptions current_options;  ///< to be read through `options()`

/// Written by odemeshSetOptions only, which is not to be called during collisions.
[[nodiscard]] inline const odemeshOptions& options() {
  return current_options;
}

struct Counters {
  std::atomic<unsigned long long> pairs{0}, colliding_pairs{0}, contacts{0}, contacts_dropped{0},
      meshes_built{0}, bad_triangles{0}, errors{0}, zero_area_triangles{0}, meshes_without_inside{0},
      contained_pairs{0}, unsound_contacts{0}, data_changes{0}, repeated_pairs{0};
};
extern Counters all_counters;  ///< to be reached through `counters()`

[[nodiscard]] inline Counters& counters() {
  return all_counters;
}

inline void add(std::atomic<unsigned long long>& counter, unsigned long long n) {
  if (n > 0) counter.fetch_add(n, std::memory_order_relaxed);  // most are zero in most calls
}

/// Is the size field of a program's struct set? 4096 bytes are more than any version will have.
template <typename T>
[[nodiscard]] bool isSized(const T* s) {
  return s != nullptr && s->size >= sizeof(s->size) && s->size <= 4096;
}

/// Fills a program's struct, which may be shorter or longer than that of this library: what it has beyond is
/// set to zero, and its size field is kept.
template <typename T>
void copySized(const T& from, T& to) {
  const std::size_t size = to.size;
  auto* const bytes = reinterpret_cast<unsigned char*>(&to);
  std::memcpy(bytes, &from, std::min(size, sizeof from));
  if (size > sizeof from) std::memset(bytes + sizeof from, 0, size - sizeof from);
  to.size = size;
}

}  // namespace odemesh::ode
