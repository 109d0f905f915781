// Generated shapes, triangulated as in Sinjur, "Collision detection between moving objects using uniform
// space subdivision" (University of Maribor): the default counts are that paper's, and finer ones can be
// asked for.
//
// All lengths are in metres, from 1e-6 to 1e6; counts have their minimum at the parameter and
// kMaxShapeDivisions as their maximum. Anything else throws InputError. Triangles wind counter-clockwise seen
// from outside, none is degenerate, and every shape except planeGrid is closed (watertight). Shapes of
// revolution have z as their axis.
#pragma once

#include <odemesh/sim/triangle_mesh.hpp>

namespace odemesh::sim {

inline constexpr int kMaxShapeDivisions = 1000;
inline constexpr int kMaxIcosphereSubdivisions = 8;

/// Box of edge lengths `size` centred at the origin, each face cut into (cuts + 1)^2 squares: 12 (cuts + 1)^2
/// triangles, so 12 by default. `cuts` >= 0.
[[nodiscard]] TriangleMesh makeBox(const Vec3& size, int cuts = 0);

/// Solid cylinder centred at the origin: 4 * segments triangles, so 64 by default (16 a cap, 32 the side).
/// `segments` >= 3. The polygon's corners lie on the circle, so the solid is a little smaller than the
/// cylinder.
[[nodiscard]] TriangleMesh makeCylinder(double radius, double height, int segments = 16);

/// Solid cone with its base at z = -height / 2 and its apex at height / 2: 2 * segments triangles, so 32 by
/// default. `segments` >= 3.
[[nodiscard]] TriangleMesh makeCone(double radius, double height, int segments = 16);

/// Sphere of `meridians` half circles from pole to pole and `parallels` circles between the poles, which
/// leaves parallels - 1 bands of rectangles between two caps: 2 * meridians * parallels triangles, so 256 by
/// default. (The paper prints 288 for 16 meridians and 8 parallels; 2 * 16 in the caps and 7 * 32 in the
/// bands make 256, and 288 belongs to 9 parallels.) `meridians` >= 3, `parallels` >= 1.
[[nodiscard]] TriangleMesh makeSphere(double radius, int meridians = 16, int parallels = 8);

/// Icosahedron with each triangle cut into four `subdivisions` times, vertices on the sphere: 20 *
/// 4^subdivisions triangles of nearly equal size. 0 <= `subdivisions` <= kMaxIcosphereSubdivisions.
[[nodiscard]] TriangleMesh makeIcosphere(double radius, int subdivisions = 2);

/// Ring around z: `major_radius` from the axis to the middle of the tube, `minor_radius` of the tube, smaller
/// than the major one. 2 * segments * sides triangles. Both counts >= 3.
[[nodiscard]] TriangleMesh makeTorus(double major_radius, double minor_radius, int segments = 32,
                                     int sides = 16);

/// Cylinder of `height` with half a sphere on both ends (height + 2 * radius in all), each half of `rings`
/// bands: 4 * segments * rings triangles. `segments` >= 3, `rings` >= 1.
[[nodiscard]] TriangleMesh makeCapsule(double radius, double height, int segments = 16, int rings = 4);

/// Open sheet in the plane z = 0, centred at the origin and facing +z: 2 * cells_x * cells_y triangles.
/// Counts >= 1.
[[nodiscard]] TriangleMesh makePlaneGrid(double size_x, double size_y, int cells_x = 1, int cells_y = 1);

/// Solid bowl, open towards +z, between two concentric half spheres; a body lies in it. `radius` is the inner
/// one; the lowest inner point is the origin and the rim lies at z = radius. The wall is `thickness` thick,
/// at least radius / 1000. 2 * segments * (2 * rings) triangles. `segments` >= 3, `rings` >= 1.
[[nodiscard]] TriangleMesh makeBowl(double radius, double thickness, int segments = 48, int rings = 12);

}  // namespace odemesh::sim
