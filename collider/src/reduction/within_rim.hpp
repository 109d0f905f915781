// Is a patch deep in its middle alone, though the corners that it has are deep?
#pragma once

#include <optional>
#include <span>

#include "contact/scratch.hpp"

namespace odemesh {

/// The direction along which the candidates that are at least so deep lie in the middle half of what `rim`
/// spans, where the overlap begins, if there is one; across it they do, too, or reach from side to side. As a
/// wheel of flat facets has rolled on to the middle of one of them, its deepest points are corners of all
/// that the faces share, but the overlap goes on beyond them.
[[nodiscard]] std::optional<ShadowPoint> axisWithinRim(std::span<const Vec3> rim, const Vec3& direction,
                                                       double least_depth, ContactScratch& scratch);

}  // namespace odemesh
