// Where two moving meshes will meet within a step: what speculative contacts are made of.
#pragma once

#include <odemesh/export.h>

#include <cstddef>
#include <cstdint>
#include <odemesh/mesh.hpp>
#include <odemesh/pose.hpp>
#include <span>

namespace odemesh {

/// A mesh that moves with constant velocity and spin.
struct Motion {
  Pose pose;              ///< of the mesh at time 0, in the world
  Vec3 centre;            ///< the point that it turns about, in the world at time 0
  Vec3 velocity;          ///< of that point
  Vec3 spin;              ///< angular velocity, rad a unit of time, in the world
  bool is_fixed = false;  ///< takes no impulse, so that no contact needs to be right for its leverage
  Vec3 gain{};            ///< what of `velocity` forces bring in this step if nothing carries the mesh

  /// The pose of the mesh after `time`.
  [[nodiscard]] ODEMESH_API Pose at(double time) const;
};

/// One point at which the motions bring the surfaces together. A contact at `position` that lets the bodies
/// approach along `normal` no faster than `gap` / dt stops them there and does nothing else.
struct Impact {
  double time = 0;  ///< 0 to dt
  Vec3 position;    ///< in the world at time 0, with the leverage that both bodies have on the way
  Vec3 normal;      ///< unit length, into mesh 1, as it is at `time`
  double gap = 0;   ///< along the normal at time 0, at least 0
  std::uint32_t triangle1 = 0;  ///< index in the input of mesh 1
  std::uint32_t triangle2 = 0;  ///< index in the input of mesh 2
  bool is_smooth = false;       ///< without friction: of a centre, or not along the surface's normal
  bool is_guard = false;        ///< keeps the centre of a mesh from passing the other one's surface
};

/// Does the mesh move by more within `dt` than discrete collision copes with: a quarter of the radius of the
/// sphere that has its ratio of volume to area (for a sheet, a fortieth of its radius)?
[[nodiscard]] ODEMESH_API bool isFast(const Mesh& mesh, const Motion& motion, double dt);

/// Writes up to `out.size()` impacts within the time `dt` and returns how many; the earliest comes first, and
/// the others are spread. The meshes may overlap at the start: only what crosses a surface from outside
/// counts, by a vertex through a face or an edge through an edge, where both surfaces bulge towards each
/// other. So bodies that rest, slide or part have none, nor what rolls, as it turns up again. What does not
/// fall has none that come about by `Motion::gain` alone, either: the floor on which it slides from tile to
/// tile carries it. Also counted is the centre of a solid that would cross a surface, which keeps it on its
/// side whatever its corners do. None if neither mesh is fast, or for values that are not finite. Where there
/// is no room for all, such a centre comes second, or has the only place, unless those that land around it
/// keep it as well. Of meshes that have 8,192 triangles or more together, only what meets first and soon
/// after that. Linear in the number of features near the sweep, with a descent of a tree for each.
[[nodiscard]] ODEMESH_API std::size_t findImpacts(const Mesh& mesh1, const Motion& motion1, const Mesh& mesh2,
                                                  const Motion& motion2, double dt, std::span<Impact> out);

/// Impacts that there would be if one of the meshes were stopped at the beginning of the step by something
/// else, the other one not: links of a chain that falls, or a stack that lands, follow each other so closely
/// that each would run deep into the one in front. None unless both move by more than a fiftieth of the
/// thickness that `isFast` measures by, and neither is fixed. What their motions bring about in any case is
/// left out. Costs two searches of `findImpacts`.
[[nodiscard]] ODEMESH_API std::size_t findImpactsIfStopped(const Mesh& mesh1, const Motion& motion1,
                                                           const Mesh& mesh2, const Motion& motion2,
                                                           double dt, std::span<Impact> out);

/// As `findImpacts`, with the half space of `collidePlane`, which does not move. What rolls on it has none.
[[nodiscard]] ODEMESH_API std::size_t findImpactsWithPlane(const Mesh& mesh, const Motion& motion,
                                                           const Vec3& plane_normal, double plane_offset,
                                                           double dt, std::span<Impact> out);

/// Impacts of gap 0 for the smaller mesh (for both if they are of one size), unless it is fixed, if its
/// centre has come nearer to the surface of the other one from outside than nine tenths of
/// `Mesh::innerRadius`: the side on which the centre is decides where it is pushed, however deep a thin plate
/// has cut into it. At most two; constant time for what is apart.
[[nodiscard]] ODEMESH_API std::size_t findCentreGuards(const Mesh& mesh1, const Motion& motion1,
                                                       const Mesh& mesh2, const Motion& motion2,
                                                       std::span<Impact> out);

}  // namespace odemesh
