// The few directions that stand for the faces of a region that bends.
#pragma once

#include <cstddef>
#include <span>

#include "contact/scratch.hpp"

namespace odemesh {

/// Fills `scratch.clusters` with directions such that every face of `scratch.faces` lies within the cone of
/// one. For regions that bend; at most 64.
void clusterDirections(ContactScratch& scratch);

/// The same or, if these are too many to be walls and the vertices inside are those of one mesh alone, of the
/// other one's faces, if they are fewer: the rim of a cup has all directions, but leaves by those of the
/// floor and the wall that it touches.
void clusterWalls(ContactScratch& scratch);

/// If one cone holds all faces, as where two round bars cross, its axis takes the place of the clusters: they
/// become `scratch.joined_clusters`, which is empty otherwise.
void joinClusters(ContactScratch& scratch);

/// Which of `directions` is closest to `direction`; of those that are so but for rounding the first.
[[nodiscard]] std::size_t nearestOf(std::span<const Vec3> directions, const Vec3& direction);

/// The cluster whose direction is closest to `direction`.
[[nodiscard]] inline std::size_t nearestCluster(const Vec3& direction, const ContactScratch& scratch) {
  return nearestOf(scratch.clusters, direction);
}

}  // namespace odemesh
