// Every tolerance of the collider in one place, each with its unit and its reason. Nothing here is an
// absolute length: what has to be compared with a length is multiplied by a size of the meshes in hand.
#pragma once

namespace odemesh {

/// Coordinates beyond this are refused: products of three of them, as in a volume, still fit a double.
inline constexpr double kGreatestCoordinate = 1e100;

/// Slack of box tests in units of the sizes involved: far above the rounding of a few double operations
/// (about 1e-15), far below the float rounding of the boxes themselves (6e-8).
inline constexpr double kBoxSlack = 1e-12;

/// Shift of mesh 2, in units of the smaller mesh's radius, used only to decide which edges cross which faces.
/// It takes aligned boxes out of the degenerate position; depths and positions never see it.
inline constexpr double kCrossingShift = 1e-9;

/// Faces whose normal is closer to perpendicular to the contact direction than this (a cosine) neither bound
/// the overlap along it nor give a stable height.
inline constexpr double kSideFaceCosine = 1e-3;

/// Two directions with a greater cosine count as one when candidate directions are gathered (about 0.8
/// degrees).
inline constexpr double kSameDirectionCosine = 0.9999;

/// Corners of a flat patch of contact that are kept beside its deepest point.
inline constexpr int kPatchCorners = 8;

}  // namespace odemesh
