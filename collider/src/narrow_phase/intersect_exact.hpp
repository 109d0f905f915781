// The collider's own test of two triangles: by signs of orientations alone, so it is never wrong.
#pragma once

#include "narrow_phase/triangle.hpp"

namespace odemesh {

/// Do the triangles share a point? Touching counts, coplanar pairs are handled, and winding does not matter.
/// A triangle without area counts as the segment or point that it is. Any finite double is allowed; a
/// triangle with a coordinate that isn't finite meets nothing. Symmetric in its arguments. Guigue and
/// Devillers 2003.
[[nodiscard]] bool trianglesIntersect(const Triangle& a, const Triangle& b);

}  // namespace odemesh
