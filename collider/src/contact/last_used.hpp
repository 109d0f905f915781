// A small memory of what was worked out for triangles or vertices.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <odemesh/mesh.hpp>

namespace odemesh {

/// What was worked out last for elements of a mesh, by number: a search comes back to the triangles of a leaf
/// several times, and a vertex belongs to some six triangles.
template <typename Value, std::size_t kSlots>
class LastUsed {
 public:
  void forget() { index_.fill(Mesh::kNone); }

  template <typename WorkOut>
  [[nodiscard]] const Value& get(std::uint32_t i, WorkOut&& work_out) {
    const std::size_t slot = i % kSlots;
    if (index_[slot] != i) {
      index_[slot] = i;
      value_[slot] = work_out(i);
    }
    return value_[slot];
  }

 private:
  std::array<std::uint32_t, kSlots> index_;
  std::array<Value, kSlots> value_;
};

}  // namespace odemesh
