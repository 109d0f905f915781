// Pictures of several worlds next to each other.
#pragma once

#include <odemesh/sim/render/image.hpp>
#include <odemesh/sim/render/renderer.hpp>
#include <vector>

namespace odemesh::viewer {

/// Steps of the wheel back from the first world, to see what leaves its place in the others.
inline constexpr double kRoomSteps = 4;

/// `count` columns of equal width, from the left, a few pixels apart. `width` is at least 4 * count.
[[nodiscard]] std::vector<sim::Viewport> columnsOf(int width, int height, std::size_t count);

/// Pictures of those sizes as one, white between them.
[[nodiscard]] sim::Image joined(const std::vector<sim::Image>& columns, int width);

}  // namespace odemesh::viewer
