// Nathan's test of two preprocessed triangles: does an edge of one pierce the other? In plain doubles, kept
// for comparison. Coplanar pairs, which his document leaves to the neighbours, are tested in the plane: a
// mesh need not be convex, and faces at rest are coplanar.
#pragma once

#include "preprocess/triangle_record.hpp"

namespace odemesh {

/// Nathan's two ways to tell whether a point of a triangle's plane lies in the triangle.
enum class PointInTriangle {
  kEdgeNormals,  ///< on the inner side of all three edges
  kBarycentric   ///< from the stored F vectors and inverse determinant
};

/// Do the triangles share a point? Touching counts, within kRelativeTolerance of the size of the pair. A
/// triangle without area meets nothing.
[[nodiscard]] bool trianglesIntersectEdgePlane(const TriangleRecord& a, const TriangleRecord& b,
                                               PointInTriangle form = PointInTriangle::kBarycentric);

/// Is `p`, a point of the triangle's plane, in the triangle or within `tolerance` (a length) of it?
[[nodiscard]] bool insideByEdgeNormals(const TriangleRecord& triangle, const Vec3& p, double tolerance);

/// The same with a tolerance in barycentric coordinates, which is relative to the triangle.
[[nodiscard]] bool insideByBarycentric(const TriangleRecord& triangle, const Vec3& p, double tolerance);

}  // namespace odemesh
