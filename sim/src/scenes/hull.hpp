// Convex hulls of points in a plane.
#pragma once

#include <odemesh/pose.hpp>
#include <vector>

namespace odemesh::sim {

/// Area of the convex hull of the points' projections along `normal`. O(n log n), by Andrew's monotone chain
/// ("Another efficient algorithm for convex hulls in two dimensions", 1979).
[[nodiscard]] double hullArea(const std::vector<Vec3>& points, const Vec3& normal);

}  // namespace odemesh::sim
