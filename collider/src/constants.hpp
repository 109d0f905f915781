// The tolerances that stages of the collider share, each with its unit and its reason. Nothing here is an
// absolute length: what has to be compared with a length is multiplied by a size of the meshes in hand.
#pragma once

#include <cstddef>

namespace odemesh {

/// Coordinates beyond this are refused: products of three of them, as in a volume, still fit a double.
inline constexpr double kGreatestCoordinate = 1e100;

/// Triangles smaller than this count as points: the square of what is a thousandth of it is still above zero.
inline constexpr double kLeastExtent = 1e-100;

/// Slack of box tests in units of the sizes involved: far above the rounding of a few double operations
/// (about 1e-15), far below the float rounding of the boxes themselves (6e-8).
inline constexpr double kBoxSlack = 1e-12;

/// What placing a vertex in double may lose, relative to the coordinates and offsets involved: some dozens of
/// roundings of 1e-16.
inline constexpr double kPlacingError = 8e-15;

/// Shift of mesh 2, in units of the smaller mesh's radius, used only to decide which edges cross which faces.
/// It takes aligned boxes out of the degenerate position; depths and positions never see it.
inline constexpr double kCrossingShift = 1e-9;

/// Solids are blown up by this, in units of the smaller mesh's radius, for the same decisions: a face that
/// rests on another keeps all its corners in the manifold while the bodies rock by less than that.
inline constexpr double kInflation = 1e-5;

/// Surfaces closer than this, in units of the smaller mesh's radius, touch, and reported depths are less by
/// it. ODE keeps vertices as floats but the boxes of its spaces in double: bodies that were pushed apart to
/// depth 0 could lose each other's boxes by the difference (6e-8), fall, and be pushed apart again.
inline constexpr double kTouching = 1e-7;

/// Of overlaps around this, in the same unit, ODE's solver is told half; of ten times as much all but 1e-4 of
/// it, and of much less next to nothing. What rests then stays this little overlapped, with all contacts of a
/// manifold at hand. Corrected to depth 0, they would be lost one by one, and what they carried would fall by
/// the gravity of a step and be pushed out again. Queries in C++ report what they measure.
inline constexpr double kUncorrected = 5e-5;

/// The depth that is reported, in the same unit, where surfaces touch without overlapping.
inline constexpr double kLeastDepth = 1e-12;

/// Two faces seen along the contact direction share no ground if what they share is thinner than this, in
/// units of the height of one of them: neighbours on a common plane touch along their edges only.
inline constexpr double kSliver = 1e-9;

/// Regions that are deeper than this, in units of the smaller mesh's radius, do not graze. Of others,
/// the depth matters to less than the inflation.
inline constexpr double kMostGraze = 8 * kInflation;

/// A graze along an edge is at least this long, in units of the smaller mesh's radius.
inline constexpr double kGrazeLength = 1e-3;

/// Corners of a patch that are closer together than this, in units of the patch's size, count as one.
inline constexpr double kSameCorner = 1e-5;

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
/// Gaps in a surface that are no wider than this, in units of the mesh's radius, were hardly meant where they
/// are all that it lacks to be closed: programs that cut curved faces into triangles one by one leave such.
inline constexpr double kGap = 1e-3;
/// Triangles that are turned from the plane by more than this (a cosine) are no part of it, however thin.
inline constexpr double kFlatPartCosine = 0.9;
/// A mesh is convex if no dent at an edge is deeper than rounding makes it, and rounding does not make more
/// than this, in units of the mesh's radius.
inline constexpr double kConvexSlack = 1e-5;
/// Merging a flat part makes no triangle lower than this share of the lowest one that it had.
inline constexpr double kMergedHeight = 0.5;

/// Corners shallower than this share of a patch's depth (less the inflation) lie where the overlap begins,
/// and say only that it ends there.
inline constexpr double kShallowShare = 0.1;

/// A patch that is deeper than this, in units of the smaller mesh's radius, and whose corners are all less
/// deep than this share of that, is a rounded tip: it carries in one point, the middle of what it overlaps.
/// Corners around that say nothing more, and an iterative solver that takes one after the other makes spin of
/// them; those ahead of a wheel kick it up. What rests overlaps by less, and keeps its corners.
inline constexpr double kTipDepth = 2 * kUncorrected;
inline constexpr double kTipShare = 0.8;

/// A deep corner does not speak against a tip if it sticks out from the line between its neighbours by less
/// than the first share of the patch's size, and is farther from both of them than the second share of the
/// distance between them.
inline constexpr double kBluntCorner = 0.02;
inline constexpr double kMidway = 0.15;

/// It is hollow, and no tip, where it is less thick than its deepest point and its corners tell by this share
/// of its depth.
inline constexpr double kTipHollow = 0.1;

/// A patch like that is no tip but a ridge, along which it carries at both ends, if what has that share of
/// its depth is this share as long as the patch. Of a rounded tip it is less than half, however lengthy that
/// is. An end reaches by the next share of that length inwards, and one of the ends is as deep as the deepest
/// point but for what is left by the last share: a barrel stands on its belly.
inline constexpr double kRidgeSpan = 0.7;
inline constexpr double kRidgeEnd = 0.1;
inline constexpr double kRidgeLevel = 0.95;

/// Of the vertices of a side of a region, about so many are asked for their way out.
inline constexpr std::size_t kMostProbes = 64;

/// From this many faces on both sides, a patch is sampled at its vertices instead of at the corners of the
/// faces' overlay.
inline constexpr std::size_t kFineFaces = 48;

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

/// The thickness that a sheet counts with, in units of its radius.
inline constexpr double kSheetThickness = 0.1;

/// Approach along a normal within a step that is left to discrete contacts, in units of the faster mesh's
/// thickness.
inline constexpr double kSlowApproach = 0.05;

/// A mesh is brisk if it moves by this share of its thickness in a step: what follows it closely would
/// overlap it by as much if it were stopped, and more from body to body along a chain.
inline constexpr double kBriskShare = 0.02;

/// A fast mesh that overlaps another one sideways by less than this, in units of the lesser thickness, passes
/// it: what slides along a floor does not strike the seams in it.
inline constexpr double kPassingOverlap = 0.01;

/// What moves at a smaller angle to the forces on it than this cosine falls, and lands on what it meets.
inline constexpr double kFallCosine = 0.7;

/// What comes down on a ridge or a tip meets all faces there that it runs into at a greater sine than this.
inline constexpr double kHeadOn = 0.5;

/// Radians by which meshes may turn while the ways of their points count as straight.
inline constexpr double kStraightTurn = 0.3;
inline constexpr int kMostParts = 64;

/// Surfaces bulge towards each other if no neighbour is nearer by more than this sine.
inline constexpr double kBulgeSlack = 0.02;

/// Edges at a smaller angle (a sine) have no normal between them.
inline constexpr double kLeastCrossing = 1e-3;

/// The centre of a fast solid is kept this share of its distance from its own surface in front of others.
inline constexpr double kGuardedShare = 0.9;

/// Contacts whose normal is at a lesser cosine with that of a guard contradict it.
inline constexpr double kContradiction = -0.2;

/// Vertices follow others that meet a surface of this normal (a cosine).
inline constexpr double kFollowCosine = 0.9;

/// Motion sideways until an impact, in units of the smaller radius, that does not spoil its leverage.
inline constexpr double kSidewaysShare = 0.1;

/// The same where the way makes a smaller angle with the surface than this cosine with its normal: impulses
/// are small then.
inline constexpr double kGrazingShare = 1;
inline constexpr double kGrazingCosine = 0.3;

/// Impacts of one pair that are kept.
inline constexpr std::size_t kMostImpacts = 16;

/// Neighbouring faces at a lesser cosine have a sharp edge, behind which the surface turns away.
inline constexpr double kSharpCosine = 0.8;

}  // namespace odemesh
