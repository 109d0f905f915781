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

/// The shortest way on which mesh 1 comes free, of those along `scratch.directions` (unit vectors), to which
/// the axes of both meshes are added; one that passes through a body only if there is no other. Tries lengths
/// from `least` to four times the radius of the smaller mesh; none if that is not enough. Points that are
/// `inside` of both tell sooner where it does not.
[[nodiscard]] std::optional<Vec3> shortestFreeWay(const MeshPair& pair, std::span<const Vec3> inside,
                                                  double least, ContactScratch& scratch);

}  // namespace odemesh
