// Impacts of meshes that a search for features lets pass: by places at which they overlap on their way.
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <odemesh/collide.hpp>
#include <optional>

#include "constants.hpp"
#include "contact/way_out/farthest_vertex.hpp"
#include "motion/impact_search.hpp"
#include "motion/sweep.hpp"

namespace odemesh {

namespace {

/// The meshes are looked at each time they may have approached each other by this share of the lesser
/// thickness, and so often at most.
constexpr double kLookShare = 0.5;
constexpr int kMostLooks = 12;

/// An overlap of so many thicknesses is shallow enough to tell the surfaces that met. It is looked for by so
/// many halvings of the time.
constexpr double kFirstTouchShare = 0.02;
constexpr int kHalvings = 8;

/// How far a mesh's bounds reach from their middle along the unit vector `n`.
[[nodiscard]] double boundsReachOf(const Mesh& mesh, const Pose& pose, const Vec3& n) {
  return MeshBounds(mesh).reach(pose.rotation.transposed() * n);
}

/// How far the mesh itself does.
[[nodiscard]] double reachOf(const Mesh& mesh, const Pose& pose, const Vec3& n) {
  const Vec3 along = pose.rotation.transposed() * n;
  return dot(along, mesh.vertices()[farthestVertex(mesh, along)] - mesh.sphereCentre());
}

}  // namespace

void ImpactSearch::runOnOverlaps() {
  const double thin = std::min(mesh_[0]->thickness(), mesh_[1]->thickness()), deep = kFastShare * thin;
  const double approach = approach_.greatest();
  if (!(approach > deep)) return;  // so for what overflows
  const int looks = int(std::clamp(std::ceil(approach / (kLookShare * thin)), 1.0, double(kMostLooks)));
  std::optional<double> sunk;
  double before = 0;
  scratch_.overlap_count = 0;
  for (int i = 1; i <= looks; ++i) {
    const double time = dt_ * i / looks;
    const double depth = isShallowAt(time, deep) ? 0 : depthAt(time);
    if (depth > deep) {
      if (!sunk) sunk = depthAt(0);
      if (depth > *sunk + deep) return addFirstOverlap(before, time, *sunk, kFirstTouchShare * thin);
    }
    before = time;
  }
}

/// Is it plain from how far they reach that the meshes are no deeper in each other? Along the normals of
/// contacts that there are, or were when the meshes were last looked at: by their bounds, and by the meshes
/// themselves along the best of these.
bool ImpactSearch::isShallowAt(double time, double deep) const {
  const std::array<Pose, 2> pose{motion_[0].at(time), motion_[1].at(time)};
  const Vec3 apart = pose[0].apply(mesh_[0]->sphereCentre()) - pose[1].apply(mesh_[1]->sphereCentre());
  const auto overlapAlong = [&](const Vec3& n, const auto& reach) {
    return reach(*mesh_[0], pose[0], n) + reach(*mesh_[1], pose[1], n) - dot(n, apart);
  };
  Vec3 best{};
  double least = std::numeric_limits<double>::infinity();
  const auto look = [&](const Vec3& n) {
    const double overlap = overlapAlong(n, boundsReachOf);
    if (overlap >= least) return;
    least = overlap;
    best = n;
  };
  if (scratch_.overlap_count > 0) look(scratch_.overlaps[0].normal);
  for (const Stop& s : front_) look(s.normal);
  if (least <= deep) return true;
  return std::isfinite(least) && overlapAlong(best, reachOf) <= deep;
}

/// Of the contacts at that time, which are kept.
double ImpactSearch::depthAt(double time) {
  scratch_.overlap_count =
      collide(*mesh_[0], motion_[0].at(time), *mesh_[1], motion_[1].at(time), scratch_.overlaps);
  return scratch_.overlap_count > 0 ? scratch_.overlaps[0].depth : 0;
}

/// Adds the contacts of the meshes at a time at which they are deeper than `sunk`, as they are at `deep`, by
/// no more than `most`, or by as little as is found.
void ImpactSearch::addFirstOverlap(double apart, double deep, double sunk, double most) {
  double seen = apart;
  for (int i = 0; i < kHalvings; ++i) {
    seen = 0.5 * (apart + deep);
    const double depth = depthAt(seen);
    (depth > sunk ? deep : apart) = seen;
    if (depth > sunk && depth <= sunk + most) break;
  }
  if (seen != deep) depthAt(deep);
  for (std::size_t i = 0; i < scratch_.overlap_count; ++i) addOverlap(scratch_.overlaps[i], deep);
}

void ImpactSearch::addOverlap(const Contact& contact, double time) {
  const Pose pose = motion_[0].at(time), other_pose = motion_[1].at(time), to_other = other_pose.inverse();
  const Meeting meeting{0,
                        to_other.apply(contact.position),
                        to_other.rotate(contact.normal),
                        time,
                        pose,
                        other_pose,
                        Mesh::kNone,
                        Mesh::kNone};
  auto [impact, at, other_at, approach] = courseOf(meeting, localOf(meeting), time);
  impact.triangle1 = contact.triangle1;
  impact.triangle2 = contact.triangle2;
  if (!counts(impact, approach)) return;
  Impact braked = impact;
  brakeAlong(at, other_at, 0, braked);
  if (counts(braked, approach)) return scratch_.found.push_back(braked);
  // Of two points that are some way apart, the one between them does not approach as they do.
  const Vec3 between = velocityAt(0, impact.position) - velocityAt(1, impact.position);
  const double missed = dot(impact.normal, between - approach) * dt_;
  impact.gap = std::max(impact.gap - std::max(missed, 0.0), 0.0);
  scratch_.found.push_back(impact);
}

}  // namespace odemesh
