// Triangles with further vertices on their sides.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>

#include "narrow_phase/triangle.hpp"

namespace odemesh {

/// A triangle whose side i, from corner i on, has the vertices `on[i]` on it, in this order.
struct CutTriangle {
  std::array<std::uint32_t, 3> corner;
  std::array<std::span<const std::uint32_t>, 3> on;
};

/// Calls `on_piece(corners)` for each triangle that it comes apart into: cut in two from the middle of what
/// lies on a side to the corner across, until nothing lies on any.
template <typename OnPiece>
void forEachPiece(const CutTriangle& t, OnPiece&& on_piece) {
  const auto side = std::ranges::find_if(t.on, [](const auto& on) { return !on.empty(); });
  if (side == t.on.end()) return on_piece(t.corner);
  const int i = static_cast<int>(side - t.on.begin()), next = nextCorner(i), apex = nextCorner(next);
  const std::size_t middle = side->size() / 2;
  const std::uint32_t v = (*side)[middle];
  forEachPiece({{t.corner[i], v, t.corner[apex]}, {side->first(middle), {}, t.on[apex]}}, on_piece);
  forEachPiece({{v, t.corner[next], t.corner[apex]}, {side->subspan(middle + 1), t.on[next], {}}}, on_piece);
}

}  // namespace odemesh
