// How far meshes are from each other and from points, and where segments and rays meet them. Poses take each
// mesh to the world; points, directions and results are in the world frame, in the meshes' unit of length.
// Surfaces are meant throughout: a mesh inside a closed one has a distance from its surface.
//
// With a pose, point or direction that is not finite nothing is found.
#pragma once

#include <odemesh/export.h>

#include <cstdint>
#include <limits>
#include <odemesh/collide.hpp>
#include <odemesh/mesh.hpp>
#include <odemesh/pose.hpp>
#include <optional>
#include <vector>

namespace odemesh {

/// The closest points of two meshes, or of two of their triangles. `witness1` lies on mesh 1, `witness2` on
/// mesh 2; the vector of separation, by Nathan's convention, is witness1 - witness2.
struct SurfaceDistance {
  double distance = 0;          ///< 0 where the surfaces meet; the witnesses are then one common point
  Vec3 witness1;                ///< on mesh 1
  Vec3 witness2;                ///< on mesh 2
  std::uint32_t triangle1 = 0;  ///< index in the input of mesh 1
  std::uint32_t triangle2 = 0;  ///< index in the input of mesh 2
};

/// Where meshDistance may stop.
struct DistanceOptions {
  /// Only pairs that are no farther apart are looked for. Not negative.
  double upper_bound = std::numeric_limits<double>::infinity();
  /// A pair this close is good enough: the search stops and gives it. Not negative.
  double stop_at = 0;
  /// The result may exceed the least distance by this part of it. Not negative.
  double relative_tolerance = 0;
};

/// The least distance of two surfaces, over the trees of both, the closest pair of boxes first (Larsen et al.
/// 1999). Empty if they are farther apart than the upper bound, and for poses that are not finite or so far
/// apart that a point or the distance would not be; an option that is negative or NaN counts as its default.
/// Of several equally close pairs it always gives the same one.
[[nodiscard]] ODEMESH_API std::optional<SurfaceDistance> meshDistance(const Mesh& mesh1, const Pose& pose1,
                                                                      const Mesh& mesh2, const Pose& pose2,
                                                                      const DistanceOptions& options = {},
                                                                      QueryStats* stats = nullptr);

/// Appends every pair of triangles that are no farther apart than `limit`, with its closest points, to `out`,
/// in ascending order of the triangles. A limit below zero or NaN finds nothing.
ODEMESH_API void closePairs(const Mesh& mesh1, const Pose& pose1, const Mesh& mesh2, const Pose& pose2,
                            double limit, std::vector<SurfaceDistance>& out, QueryStats* stats = nullptr);

/// The point of a surface that is closest to a given one.
struct SurfacePoint {
  double distance = 0;  ///< from the given point
  Vec3 point;           ///< on the surface
  /// Unit normal of the triangle: of several that are as near, as at an edge, the one whose plane is farthest
  /// from the point, so that it tells on which side of the surface that is.
  Vec3 normal;
  std::uint32_t triangle = 0;  ///< index in the input of the mesh
};

/// Empty if all points of the surface are farther off than `upper_bound`.
[[nodiscard]] ODEMESH_API std::optional<SurfacePoint> closestPoint(
    const Mesh& mesh, const Pose& pose, const Vec3& point,
    double upper_bound = std::numeric_limits<double>::infinity());

/// Where a segment or ray passes through a triangle.
struct CastHit {
  double t = 0;                ///< along the segment from 0 to 1, or along the ray in units of its direction
  Vec3 point;                  ///< where it passes through
  Vec3 normal;                 ///< unit normal of the triangle, on its outer side whichever way the ray comes
  std::uint32_t triangle = 0;  ///< index in the input of the mesh
};

/// The first triangle on the way from `from` to `to`, from either side (CS277, Moller and Trumbore 1997).
/// Edges belong to both of their triangles, so that nothing slips between them; of equal hits the triangle
/// that faces the start is given, then the lower index. A triangle that is parallel to the segment is not
/// hit.
[[nodiscard]] ODEMESH_API std::optional<CastHit> castSegment(const Mesh& mesh, const Pose& pose,
                                                             const Vec3& from, const Vec3& to);

/// Appends all of them to `out`, in the order in which they are met.
ODEMESH_API void castSegmentAll(const Mesh& mesh, const Pose& pose, const Vec3& from, const Vec3& to,
                                std::vector<CastHit>& out);

/// The same for the ray origin + t direction, t >= 0. The direction may have any length but zero.
[[nodiscard]] ODEMESH_API std::optional<CastHit> castRay(const Mesh& mesh, const Pose& pose,
                                                         const Vec3& origin, const Vec3& direction);

/// All of them, in the order in which they are met.
ODEMESH_API void castRayAll(const Mesh& mesh, const Pose& pose, const Vec3& origin, const Vec3& direction,
                            std::vector<CastHit>& out);

}  // namespace odemesh
