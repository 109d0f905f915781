// Meshes that only scenes need. Lengths in metres; all closed and wound outwards unless it says otherwise.
#pragma once

#include <functional>
#include <odemesh/sim/triangle_mesh.hpp>
#include <vector>

namespace odemesh::sim {

struct Point2 {
  double x, y;
};

/// The same surface with its inside out.
[[nodiscard]] TriangleMesh inverted(TriangleMesh mesh);

/// Appends `part`, placed at `pose`, as triangles of its own.
void append(TriangleMesh& mesh, const TriangleMesh& part, const Pose& pose = {});

[[nodiscard]] TriangleMesh transformed(TriangleMesh mesh, const Pose& pose);

/// A prism along z, centred there, over a simple polygon that runs counter-clockwise. Need not be convex.
[[nodiscard]] TriangleMesh extruded(const std::vector<Point2>& outline, double height);

/// The convex hull of a wedge stone of an arch: between two radii and two angles, `depth` along y.
[[nodiscard]] TriangleMesh archStone(double inner, double outer, double from_angle, double to_angle,
                                     double depth);

/// A prism along z, centred there, over a star of five tips at the radius `tip` and dents at `dent`. One tip
/// is on the x axis.
[[nodiscard]] TriangleMesh star5(double tip, double dent, double height);

/// Three crossed bars of length `length` and square section, as one surface without inner faces.
[[nodiscard]] TriangleMesh jack(double length, double width);

/// A tube that is knotted as a trefoil: it winds twice around z and three times around the circle of radius
/// `major` there, at the distance `minor` from it. 2 * segments * sides triangles.
struct TrefoilSize {
  double major, minor, tube;
};
[[nodiscard]] TriangleMesh trefoil(const TrefoilSize& size, int segments, int sides);

/// A box without lid, open at the top: one closed surface. Inner size; the inner floor is at z = 0.
[[nodiscard]] TriangleMesh bin(const Vec3& inner, double wall);

/// A cup along z, open at the top, that widens from its bottom, at z = 0, to its rim: one closed surface.
struct CupSize {
  double bottom, rim;  ///< outer radii
  double height, wall;
};
[[nodiscard]] TriangleMesh cup(const CupSize& size, int segments);

/// A thread of triangular section: radius at its root, how far its crest stands out, rise in a turn.
struct ThreadSize {
  double radius, depth, pitch;
};

/// A bolt along z, centred there, threaded over its whole length.
[[nodiscard]] TriangleMesh threadedBolt(const ThreadSize& size, double length);

/// A round nut along z, centred there, whose thread stands `clearance` off that of the bolt at the same
/// height.
[[nodiscard]] TriangleMesh threadedNut(const ThreadSize& size, double clearance, double length,
                                       double outer_radius);

/// A bolt along z whose thread has flat flanks, a sixteenth of the pitch high, between a crest and a root of
/// equal width. Its vertices follow the helix, and so do its ends. `turns` is even.
[[nodiscard]] TriangleMesh flatThreadedBolt(const ThreadSize& size, int turns);

/// A round nut for it, whose thread stands `clearance` farther out; `turns` is even.
[[nodiscard]] TriangleMesh flatThreadedNut(const ThreadSize& size, double clearance, int turns,
                                           double outer_radius);

/// The surface of the cells that `solid(i, j, k)` names, in the grid of planes at the given coordinates.
/// Cells that meet along an edge alone are not told apart there.
[[nodiscard]] TriangleMesh cellSolid(const std::vector<double>& xs, const std::vector<double>& ys,
                                     const std::vector<double>& zs,
                                     const std::function<bool(int, int, int)>& solid);

}  // namespace odemesh::sim
