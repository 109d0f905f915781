#include "motion/centre_guards.hpp"

#include <algorithm>
#include <odemesh/distance.hpp>
#include <optional>

#include "constants.hpp"
#include "motion/sweep.hpp"

namespace odemesh {

namespace {

/// The guard for `mesh`: its normal points into it.
[[nodiscard]] std::optional<SurfacePoint> guardOf(const Mesh& mesh, const Motion& motion, const Mesh& other,
                                                  const Motion& other_motion) {
  const double radius = kGuardedShare * mesh.innerRadius();
  if (radius == 0 || motion.is_fixed || mesh.sphereRadius() > other.sphereRadius()) return std::nullopt;
  const Vec3 centre = motion.pose.apply(mesh.sphereCentre());
  const double reach = (radius + other.sphereRadius()) * (1 + 1e-9);
  if (lengthSq(centre - other_motion.pose.apply(other.sphereCentre())) > reach * reach) return std::nullopt;
  std::optional<SurfacePoint> nearest = closestPoint(other, other_motion.pose, centre, radius);
  if (!nearest) return std::nullopt;
  const Vec3 away = normalised(centre - nearest->point);
  if (lengthSq(away) == 0) return std::nullopt;  // though the distance, rounded otherwise, may not be 0
  if (other.isSolid() && dot(away, nearest->normal) <= 0) return std::nullopt;
  nearest->normal = away;
  return nearest;
}

}  // namespace

CentreGuards guardCentres(const Mesh& mesh1, const Motion& motion1, const Mesh& mesh2,
                          const Motion& motion2) {
  CentreGuards guards;
  if (!isUsable(motion1) || !isUsable(motion2)) return guards;
  const auto add = [&](int side, const Mesh& mesh, const Motion& motion, const Impact& impact) {
    guards.list[guards.count++] = {impact, motion.pose.apply(mesh.sphereCentre()), side};
  };
  if (const auto nearest = guardOf(mesh1, motion1, mesh2, motion2))
    add(0, mesh1, motion1, {0, nearest->point, nearest->normal, 0, 0, nearest->triangle, true, true});
  if (const auto nearest = guardOf(mesh2, motion2, mesh1, motion1))
    add(1, mesh2, motion2, {0, nearest->point, -nearest->normal, 0, nearest->triangle, 0, true, true});
  return guards;
}

std::size_t findCentreGuards(const Mesh& mesh1, const Motion& motion1, const Mesh& mesh2,
                             const Motion& motion2, std::span<Impact> out) {
  const CentreGuards guards = guardCentres(mesh1, motion1, mesh2, motion2);
  const std::size_t count = std::min(guards.count, out.size());
  std::ranges::transform(guards.all().first(count), out.begin(), &CentreGuard::impact);
  return count;
}

}  // namespace odemesh
