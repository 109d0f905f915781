// How does what is inside leave along the walls around it: straight off one of them, or out of the corner of
// two?
#pragma once

#include <array>
#include <cstddef>
#include <vector>

#include "contact/placed_mesh.hpp"
#include "contact/scratch.hpp"

namespace odemesh {

/// What fills its hole most often overlaps the walls by no more than this, in units of the smaller mesh's
/// radius.
inline constexpr double kTightFit = 0.02;

/// Walls that are steeper than this (a cosine with the way out between them) count as opposite.
inline constexpr double kSteepestWall = 0.02;

/// Walls that are steeper than this (the same cosine) have to be near for the way between them to count.
inline constexpr double kSteepWall = 0.45;

/// A surface that bends all around, as a thread does, has more directions than this, and no corners.
inline constexpr std::size_t kMostWalls = 16;

/// Are the clusters few enough to stand for walls?
[[nodiscard]] inline bool areWalls(const ContactScratch& scratch) {
  return scratch.clusters.size() <= kMostWalls;
}

/// Do walls of these directions (unit vectors) face each other, so that there is no way out between them?
[[nodiscard]] inline bool areOpposite(const Vec3& first, const Vec3& second) {
  return lengthSq(first + second) <= 4 * kSteepestWall * kSteepestWall;
}

/// How far a point is behind the plane of a face; in front of it, negative.
[[nodiscard]] inline double depthBehind(const Vec3& point, const RegionFace& f) {
  return dot(f.normal, f.triangle.v[0] - point);
}

/// Do the points, or the edges inside, of each side (of many, some) all leave if they move `most` off the
/// walls that the clusters stand for, off one or off two at once, or off all that are near?
/// Out of a corner that is a longer way, the more so the steeper its walls are.
template <typename Point>
[[nodiscard]] bool leaveLocally(const MeshPair& pair, const std::array<std::vector<Point>, 2>& points,
                                double most, ContactScratch& scratch);

/// Does a point of mesh `side` that is behind the wall of cluster `k` by `depth` leave off that wall? No wall
/// that leans over it is near, and moving half as much off any of them, or off two, does not do.
/// For clusters that are walls.
[[nodiscard]] bool leavesOffWall(const MeshPair& pair, int side, const Vec3& point, std::size_t k,
                                 double depth, ContactScratch& scratch);

/// Fills `scratch.corner_points` with the vertices and edges inside (of many, some), each along its shortest
/// way out: the tip of a wedge in a crack leaves between the walls, though it lies under neither. Their depth
/// is that off the walls, not the whole way: between steep walls that one is many times what they overlap by,
/// and a solver that corrects it would throw the body out. False if one does not leave by moving `most` off
/// its walls, if there are none, or if the clusters are too many to be walls.
[[nodiscard]] bool findCornerPoints(const MeshPair& pair, double most, ContactScratch& scratch);

/// Fills `scratch.corner_points` with vertices inside that the clusters' own contacts, which are as deep as
/// `scratch.cluster_depths` says, do not send out: each by its shortest way. False if one of these is deeper
/// than `most`.
[[nodiscard]] bool findUnansweredPoints(const MeshPair& pair, double most, ContactScratch& scratch);

}  // namespace odemesh
