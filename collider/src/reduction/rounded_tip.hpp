// Patches that are deep in their middle alone: a rounded tip carries there, a ridge at both its ends.
#pragma once

#include <span>

#include "contact/placed_mesh.hpp"
#include "contact/scratch.hpp"
#include "reduction/patch_hull.hpp"

namespace odemesh {

/// A patch may be a rounded tip if it is deeper than this: than what rests, unless it rolls.
[[nodiscard]] double leastTipDepth(const Tolerances& tolerances, const ContactScratch& scratch);

/// Tells by `scratch.is_tip` whether the patch of `scratch.candidates`, whose deepest point and hull across
/// `direction` these are, is that of a rounded tip: pressed in deeper than what rests, or rolling, and well
/// within much shallower corners. Of a tip, `scratch.tip` becomes the deepest point and the corners around
/// it, and `scratch.ridge` the ends of what is as deep, as along a cylinder that lies, if that is long. The
/// `rim` is where the overlap begins, if the patch is all of that and it is known.
void noteTip(const Projected& deepest, const Vec3& direction, const Tolerances& tolerances, Points hull,
             std::span<const Vec3> rim, ContactScratch& scratch);

/// The same ends, into `scratch.ridge`, where a ridge is pressed in no deeper than what rests, and carries at
/// them beside its corners.
void findRidgeAtRest(const Projected& deepest, const Vec3& direction, const Tolerances& tolerances,
                     Points hull, ContactScratch& scratch);

/// Is the patch that `reducePatch` has just taken for a tip hollow, that is, somewhere less thick than
/// straight between its deepest point and its corners? Convex bodies overlap in a convex one; beside a boss
/// under a plate, or within a ring, there is less, and the corners carry, too.
[[nodiscard]] bool isHollowTip(const Vec3& direction, const ContactScratch& scratch);

/// The same at a point that need not be a candidate.
[[nodiscard]] bool isHollowAt(const LayerPoint& point, const ContactScratch& scratch);

/// Of the candidates of a rounded tip leaves the first, the deepest, moved across `direction` to `middle`; of
/// those of a ridge the ends, moved there across the ridge.
void keepDeepestOver(const Vec3& middle, const Vec3& direction, ContactScratch& scratch);

}  // namespace odemesh
