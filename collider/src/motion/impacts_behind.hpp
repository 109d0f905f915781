// The searches of odemesh/motion.hpp for bodies that something has stopped already.
#pragma once

#include <cstddef>
#include <odemesh/motion.hpp>
#include <span>

namespace odemesh {

/// A contact that stops a part of a mesh: others of that behind it may come as deep along its normal.
struct Stop {
  Vec3 normal;
  double depth;
};

/// Vertices that are behind others of their mesh go on only as far as those do: they make impacts if one in
/// front meets the same surface within the step, or has been stopped by one of these.
using Front = std::span<const Stop>;

/// As `findImpacts`, of motions that need not be fast.
[[nodiscard]] std::size_t findImpactsBehind(Front front, const Mesh& mesh1, const Motion& motion1,
                                            const Mesh& mesh2, const Motion& motion2, double dt,
                                            std::span<Impact> out);

/// As `findImpacts`, for meshes that are apart. Where these come near and it finds nothing, the impacts are
/// those of `findOverlapsBehind`.
[[nodiscard]] std::size_t findImpactsOrOverlaps(const Mesh& mesh1, const Motion& motion1, const Mesh& mesh2,
                                                const Motion& motion2, double dt, std::span<Impact> out);

/// Impacts that keep meshes from coming deeper into each other within the step than discrete collision copes
/// with, by more than they are: where they overlap first. `findImpacts` lets pass what overlaps an edge
/// sideways by little, and of meshes that both turn it takes ways for straight that are not.
[[nodiscard]] std::size_t findOverlapsBehind(Front front, const Mesh& mesh1, const Motion& motion1,
                                             const Mesh& mesh2, const Motion& motion2, double dt,
                                             std::span<Impact> out);

/// As `findImpactsWithPlane`, of a motion that need not be fast.
[[nodiscard]] std::size_t findImpactsWithPlaneBehind(Front front, const Mesh& mesh, const Motion& motion,
                                                     const Vec3& plane_normal, double plane_offset, double dt,
                                                     std::span<Impact> out);

}  // namespace odemesh
