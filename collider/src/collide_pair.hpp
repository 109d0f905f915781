// The query for contacts as the boundary asks it: about a pair that may have been asked about before.
#pragma once

#include <odemesh/collide.hpp>

#include "contact/region/near_pairs.hpp"
#include "contact/relative_motion.hpp"
#include "half_space.hpp"

namespace odemesh {

/// Contacts for whoever calls the other mesh the first.
void turnRound(std::span<Contact> contacts);

/// Whether `mayCollide` has not told the meshes apart already.
enum class Bounds { kUnknown, kMeet };

/// `collide` of odemesh/collide.hpp. `near` may be null, and so may `motion`: it tells which way corners that
/// overlap by a hair go past each other, and what rolls.
[[nodiscard]] std::size_t collidePair(const Mesh& mesh1, const Pose& pose1, const Mesh& mesh2,
                                      const Pose& pose2, std::span<Contact> out, QueryStats& stats,
                                      double margin, NearPairs* near, Bounds bounds = Bounds::kUnknown,
                                      const RelativeMotion* motion = nullptr);

/// `collidePlane` of odemesh/collide.hpp. `motion`, of the mesh, may be null: it tells whether that rolls.
[[nodiscard]] std::size_t collideHalfSpace(const Mesh& mesh, const Pose& pose, const HalfSpace& plane,
                                           std::span<Contact> out, QueryStats& stats, double margin,
                                           const RelativeMotion* motion = nullptr);

/// Of meshes that overlap, the contacts where they are apart by less than `margin`, above 0. As told of
/// bodies that are blown up by it: some may be farther apart than their depth says.
[[nodiscard]] std::size_t collideApart(const Mesh& mesh1, const Pose& pose1, const Mesh& mesh2,
                                       const Pose& pose2, std::span<Contact> out, double margin);

/// Of meshes that do not overlap, one of which is a solid, the contact at their closest points if these are
/// apart by less than `margin`, above 0; where two faces lie along each other there, all contacts that are.
[[nodiscard]] std::size_t collideClosest(const Mesh& mesh1, const Pose& pose1, const Mesh& mesh2,
                                         const Pose& pose2, std::span<Contact> out, double margin);

/// For callers whom any contact serves: that of the first two faces that are found to meet, without a look at
/// the others. Returns 1, or 0 if the surfaces do not meet, as those of a mesh inside another do not.
[[nodiscard]] std::size_t collideAny(const Mesh& mesh1, const Pose& pose1, const Mesh& mesh2,
                                     const Pose& pose2, Contact& out, QueryStats& stats);

}  // namespace odemesh
