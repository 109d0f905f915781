// Mass, centre and inertia of a triangle mesh, in plain doubles.
#pragma once

#include <cstddef>
#include <odemesh/sim/triangle_mesh.hpp>
#include <string>
#include <vector>

namespace odemesh::sim {

/// The solid that stands in for a mesh.
enum class MassModel {
  kSolid,  ///< what the closed surface encloses, filled
  kShell,  ///< the surface itself as a sheet, for meshes that enclose nothing definite
  kBox,    ///< the bounding box, for triangles that all lie on one line
};

/// In SI units and the mesh's own frame. `inertia` is about `centre`, along the mesh's axes, symmetric and
/// positive definite; all numbers are finite and `mass` is positive.
struct MassProperties {
  double mass = 0;    ///< kg
  double volume = 0;  ///< m^3 of the model; `mass` is density * volume
  Vec3 centre;        ///< m
  Mat3 inertia;       ///< kg m^2
  MassModel model = MassModel::kSolid;
  bool inside_out =
      false;  ///< closed, but wound inwards; the sign was put right here, the mesh was not changed
  std::size_t open_edges = 0;  ///< edges that keep the mesh from being closed
  /// Sentences for the user, each naming the mesh, what was wrong, what was done and the remedy.
  std::vector<std::string> warnings;

  /// The same body with another mass, spread in the same way. `total` > 0, else InputError.
  [[nodiscard]] MassProperties withMass(double total) const;
};

/// A shell is this fraction of the bounding box's diagonal thick.
inline constexpr double kShellThickness = 0.01;

/// No body is slimmer than this fraction of its bounding box's diagonal as far as its inertia goes; it bounds
/// the ratio of its principal moments, which solvers divide by.
inline constexpr double kMinThickness = 1e-3;

/// Mass properties of `mesh` at a uniform `density` in kg/m^3, 1e-6 to 1e12.
///
/// A closed surface gets the volume integrals of its inside, summed over the signed tetrahedra between each
/// triangle and the middle of the mesh. They equal the integrals of Mirtich, "Fast and accurate computation
/// of polyhedral mass properties" (1996), and Eberly, "Polyhedral mass properties (revisited)"; the
/// tetrahedron's closed form is in Blow and Binstock, "How to find the inertia tensor (or other mass
/// properties) of a 3D solid body represented by a triangle mesh" (2004). Vertices of equal position count as
/// one. Parts that overlap count twice.
///
/// A surface that isn't closed, or whose parts are wound against each other, has no inside to integrate over,
/// and becomes a shell: its mass lies evenly on the surface, kShellThickness of the diagonal thick. Of the
/// fall-backs (the bounding box and the convex hull are others) it needs no guess about how the holes should
/// be closed, turns with the mesh, has the right centre and inertia for what open surfaces mostly are
/// (sheets, cups, scanned skins), and its inertia errs to the large side, which keeps a simulation calm. The
/// mass is usually below that of the filled body; give the mass itself (`withMass`) where it matters.
/// Triangles without any area become their bounding box, at least as thick as a shell.
///
/// Throws InputError for meshes that `requireUsable` refuses and for a bad density. O(n log n).
[[nodiscard]] MassProperties massProperties(const TriangleMesh& mesh, double density = 1000);

}  // namespace odemesh::sim
