// The tolerance of the plain triangle tests, which round. The exact test needs none.
#pragma once

namespace odemesh {

/// What counts as zero, relative to the size of the triangles (lengths) or to one (barycentric coordinates
/// and parameters along an edge). Some thousand times the rounding of a double, and far below any real mesh's
/// accuracy.
constexpr double kRelativeTolerance = 1e-12;

}  // namespace odemesh
