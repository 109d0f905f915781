// Vertices at the same place become one.
#pragma once

#include <cstdint>
#include <odemesh/pose.hpp>
#include <span>
#include <vector>

namespace odemesh {

/// The distinct ones of `vertices` that `corners`, indices into them, refer to; `corners` then are indices
/// into what is returned. 0 and -0 are equal. Vertices are numbered along a Z-order curve (Morton 1966)
/// through their bounding box, so that neighbours lie close in memory and nothing depends on the order of the
/// input. All have to be finite. O(n log n).
[[nodiscard]] std::vector<Vec3> weld(std::span<const Vec3> vertices, std::vector<std::uint32_t>& corners);

}  // namespace odemesh
