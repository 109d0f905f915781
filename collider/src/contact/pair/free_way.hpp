// The shortest way on which a body comes free of another as a whole.
#pragma once

#include <optional>
#include <span>

#include "contact/placed_mesh.hpp"
#include "contact/scratch.hpp"

namespace odemesh {

/// The length along `direction`, in units of it, from which on mesh 1 is free, between one that is too short
/// and one that is not. To a 64th of their difference.
[[nodiscard]] double halveToFree(const MeshPair& pair, const Vec3& direction, double too_short, double free);

/// Which ways are looked at.
struct WaysTried {
  double least;          ///< none is shorter
  double longest;        ///< or longer
  bool may_pass = true;  ///< those that pass through a body count too, if there are no others
};

/// The shortest way on which mesh 1 comes free, of those along `scratch.directions` (unit vectors), to which
/// the axes of both meshes, and those along which they are thin, are added; or a much shorter one near it.
/// Points that are `inside` of both tell sooner where it does not.
[[nodiscard]] std::optional<Vec3> shortestFreeWay(const MeshPair& pair, std::span<const Vec3> inside,
                                                  const WaysTried& tried, ContactScratch& scratch);

}  // namespace odemesh
