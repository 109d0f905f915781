// Queries between two meshes, without ODE: do they meet, where, and which contacts hold them apart.
//
// The contact convention, said once: contacts are in the world frame. `normal` is of unit length and points
// into mesh 1, so that moving mesh 1 by normal * depth takes the two apart at that point. `depth` is positive
// where the solids overlap. `position` lies halfway between the two surfaces.
#pragma once

#include <odemesh/export.h>

#include <cstddef>
#include <cstdint>
#include <odemesh/mesh.hpp>
#include <odemesh/pose.hpp>
#include <span>
#include <vector>

namespace odemesh {

/// One point of contact; see the convention at the top of this file.
struct Contact {
  Vec3 position;                ///< world, halfway between the surfaces
  Vec3 normal;                  ///< world, of unit length, into mesh 1
  double depth = 0;             ///< positive where the solids overlap
  std::uint32_t triangle1 = 0;  ///< index in the input of mesh 1
  std::uint32_t triangle2 = 0;  ///< index in the input of mesh 2
};

/// A pair of triangles that meet, by their indices in the input of each mesh.
struct TrianglePair {
  std::uint32_t triangle1;  ///< of mesh 1
  std::uint32_t triangle2;  ///< of mesh 2
  /// By the triangle of mesh 1, then by that of mesh 2.
  friend constexpr auto operator<=>(const TrianglePair&, const TrianglePair&) = default;
};

/// What a query cost and what it met with. Counts are of that query alone.
struct QueryStats {
  std::size_t box_tests = 0;           ///< pairs of bounding volumes compared
  std::size_t triangle_tests = 0;      ///< pairs of triangles compared
  std::size_t intersecting_pairs = 0;  ///< pairs of triangles that meet
  std::size_t patches = 0;             ///< separate regions of contact
  std::size_t contacts_found = 0;      ///< before the reduction to the caller's limit
  std::size_t contained = 0;           ///< of the patches: a piece of one mesh lies wholly inside the other
  std::size_t unsound_contacts = 0;    ///< left out because a number in them was not finite
};

/// Do the surfaces meet anywhere? A mesh wholly inside another does not meet it. Looks whether a point of one
/// lies in a ball inside the other, and one outside of it; else stops at the first pair of triangles that
/// meet. Where the look suffices, `stats` counts nothing. The first call for a mesh of some hundred triangles
/// and more finds its balls, in half a millisecond at most.
[[nodiscard]] ODEMESH_API bool intersects(const Mesh& mesh1, const Pose& pose1, const Mesh& mesh2,
                                          const Pose& pose2, QueryStats* stats = nullptr);

/// Appends every pair of triangles that meet (touching counts) to `out`, in ascending order. Of merged flat
/// parts, one pair for each two merged triangles: those of the input at a point where these cross.
ODEMESH_API void intersectingTriangles(const Mesh& mesh1, const Pose& pose1, const Mesh& mesh2,
                                       const Pose& pose2, std::vector<TrianglePair>& out,
                                       QueryStats* stats = nullptr);

/// Writes up to `out.size()` contacts, the deepest first and then spread over the patches of contact, and
/// returns how many. A mesh wholly inside a watertight one gets contacts that push it out; two that are deep
/// in each other, and whose contacts would lead nowhere, get one along the shortest way out. Depths are
/// positive, unless a `margin` (a length) is given: then surfaces of solids that are closer than it give
/// contacts too, whose depth is minus the gap, behind those that there are without; beyond the smaller mesh's
/// radius one at the closest points. Depths are reported less 1e-7 of the smaller mesh's radius, so
/// that bodies come to rest with that much overlap and keep touching. Poses have to be finite; with others
/// there are no contacts. Of solids, swapped arguments give the same contacts turned round, bit for bit; but
/// of two of one size and number of triangles that lie as each other's images the order may decide what is as
/// good. Does not allocate once its thread has seen a query of the same size.
[[nodiscard]] ODEMESH_API std::size_t collide(const Mesh& mesh1, const Pose& pose1, const Mesh& mesh2,
                                              const Pose& pose2, std::span<Contact> out,
                                              QueryStats* stats = nullptr, double margin = 0);

/// False only where the bounds of the meshes are so far apart that `collide` finds nothing: bounding spheres,
/// then bounding boxes. Constant time.
[[nodiscard]] ODEMESH_API bool mayCollide(const Mesh& mesh1, const Pose& pose1, const Mesh& mesh2,
                                          const Pose& pose2, double margin = 0);

/// Contacts of a mesh with the half space of all points x with dot(plane_normal, x) <= plane_offset, in the
/// world frame; `plane_normal` is of unit length, and so are the contacts' normals: all equal to it.
/// `triangle2` is 0. They lie at the corners of the hull of all that is below the plane, but that each part
/// of the surface there that is a rounded tip, and deep, carries in its middle. Linear in the number of
/// vertices below the plane.
[[nodiscard]] ODEMESH_API std::size_t collidePlane(const Mesh& mesh, const Pose& pose,
                                                   const Vec3& plane_normal, double plane_offset,
                                                   std::span<Contact> out, QueryStats* stats = nullptr,
                                                   double margin = 0);

/// The same as `mayCollide` for `collidePlane`.
[[nodiscard]] ODEMESH_API bool mayCollidePlane(const Mesh& mesh, const Pose& pose, const Vec3& plane_normal,
                                               double plane_offset, double margin = 0);

}  // namespace odemesh
