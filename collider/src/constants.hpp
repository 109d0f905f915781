// The tolerances that stages of the collider share, each with its unit and its reason. Nothing here is an
// absolute length: what has to be compared with a length is multiplied by a size of the meshes in hand.
#pragma once

#include <cstddef>

namespace odemesh {

/// Triangles smaller than this count as points: the square of what is a thousandth of it is still above zero.
inline constexpr double kLeastExtent = 1e-100;

/// Slack of box tests in units of the sizes involved: far above the rounding of a few double operations
/// (about 1e-15), far below the float rounding of the boxes themselves (6e-8).
inline constexpr double kBoxSlack = 1e-12;

/// Shift of mesh 2, in units of the smaller mesh's radius, used only to decide which edges cross which faces.
/// It takes aligned boxes out of the degenerate position; depths and positions never see it.
inline constexpr double kCrossingShift = 1e-9;

/// Solids are blown up by this, in units of the smaller mesh's radius, for the same decisions: a face that
/// rests on another keeps all its corners in the manifold while the bodies rock by less than that.
inline constexpr double kInflation = 1e-5;

/// The first of two sheets that rest on each other grows at its borders by this, in the same unit, for the
/// same decisions.
inline constexpr double kBorderGrowth = 1e-4;

/// Surfaces closer than this, in units of the smaller mesh's radius, touch, and reported depths are less by
/// it. ODE keeps vertices as floats but the boxes of its spaces in double: bodies that were pushed apart to
/// depth 0 could lose each other's boxes by the difference (6e-8), fall, and be pushed apart again.
inline constexpr double kTouching = 1e-7;

/// Of overlaps around this, in the same unit, ODE's solver is told half; of ten times as much all but 1e-4 of
/// it, and of much less next to nothing. What rests then stays this little overlapped, with all contacts of a
/// manifold at hand. Corrected to depth 0, they would be lost one by one, and what they carried would fall by
/// the gravity of a step and be pushed out again. Queries in C++ report what they measure.
inline constexpr double kUncorrected = 5e-5;

/// A corner that is apart by less than this, in the same unit, touches where others of its patch overlap:
/// what is open by as little as what rests is in. Between the stones of an arch, which press on each other
/// with the weight of a hundred, the joint at a corner that came and went by as much as QuickStep errs in a
/// step would open within the next one by as much as they fall freely.
inline constexpr double kCornerGap = kUncorrected;

/// The depth that is reported, in the same unit, where surfaces touch without overlapping.
inline constexpr double kLeastDepth = 1e-12;

/// Two faces seen along the contact direction share no ground if what they share is thinner than this, in
/// units of the height of one of them: neighbours on a common plane touch along their edges only.
inline constexpr double kSliver = 1e-9;

/// Regions that are deeper than this, in units of the smaller mesh's radius, do not graze. Of others,
/// the depth matters to less than the inflation.
inline constexpr double kMostGraze = 8 * kInflation;

/// A region bends if leaving it takes this many times the thickness that it has along the best direction.
inline constexpr double kBentRegion = 2;

/// Faces of a bent region whose directions lie within this cone (25 degrees) share a patch, and faces that
/// look away from its direction by up to 35 degrees may carry its contacts.
inline constexpr double kClusterCosine = 0.906;
inline constexpr double kClusterFacingCosine = 0.819;

/// Neighbouring faces whose normals have a greater cosine lie in one plane (4e-5 degrees; the coordinates are
/// floats).
inline constexpr double kFlatCosine = 1 - 2.5e-13;

/// Triangles lie in one plane if their corners are no farther from it than this, in units of the mesh's
/// greatest coordinate: twice what storing the coordinates as floats may move them.
inline constexpr double kFlatness = 2.5e-7;

/// Corners shallower than this share of a patch's depth (less the inflation) lie where the overlap begins,
/// and say only that it ends there.
inline constexpr double kShallowShare = 0.1;

/// A rounded tip is a ridge, along which it carries at both ends, if what is about as deep as its deepest
/// point is this share as long as the patch. Of others it is less than half, however lengthy they are.
inline constexpr double kRidgeSpan = 0.7;

/// Of the vertices of a side of a region, about so many are asked for their way out.
inline constexpr std::size_t kMostProbes = 64;

/// Faces whose normal is closer to perpendicular to the contact direction than this (a cosine) neither bound
/// the overlap along it nor give a stable height.
inline constexpr double kSideFaceCosine = 1e-3;

/// What looks against a direction has a lesser cosine with it than this. Of two walls that do so to each
/// other, each leans over the way off the other one.
inline constexpr double kLooksAgainst = -0.1;

/// Directions with a greater cosine are alike (about 0.8 degrees).
inline constexpr double kSameDirectionCosine = 0.9999;

/// Corners of a flat patch of contact that are kept beside its deepest point: twelve span 95% of a disc.
inline constexpr int kPatchCorners = 12;

/// A corner, or a sample, stands for a deeper one beside it that is left out if it is no less deep than this
/// share of that.
inline constexpr double kAsDeep = 0.975;

/// A mesh is fast if it moves by this share of its thickness in a step; slower ones overlap what they meet by
/// so little that the side from which they came is plain.
inline constexpr double kFastShare = 0.25;

/// Approach along a normal within a step that is left to discrete contacts, in units of the faster mesh's
/// thickness.
inline constexpr double kSlowApproach = 0.05;

/// A mesh is brisk if it moves by this share of its thickness in a step: what follows it closely would
/// overlap it by as much if it were stopped, and more from body to body along a chain.
inline constexpr double kBriskShare = 0.02;

/// Surfaces bulge towards each other if no neighbour is nearer by more than this sine.
inline constexpr double kBulgeSlack = 0.02;

/// Edges at a smaller angle (a sine) have no normal between them.
inline constexpr double kLeastCrossing = 1e-3;

/// The centre of a fast solid is kept this share of its distance from its own surface in front of others.
inline constexpr double kGuardedShare = 0.9;

/// Impacts of one pair that are kept.
inline constexpr std::size_t kMostImpacts = 16;

/// Neighbouring faces at a lesser cosine have a sharp edge, behind which the surface turns away.
inline constexpr double kSharpCosine = 0.8;

}  // namespace odemesh
