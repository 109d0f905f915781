// The queries of odemesh/motion.hpp.
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <odemesh/distance.hpp>
#include <optional>
#include <vector>

#include "constants.hpp"
#include "motion/centre_guards.hpp"
#include "motion/impact_choice.hpp"
#include "motion/impact_search.hpp"
#include "motion/impacts_behind.hpp"
#include "motion/sweep.hpp"

namespace odemesh {

namespace {

[[nodiscard]] bool isUsable(const Motion& m) {
  return isFinite(m.pose) && isFinite(m.centre) && isFinite(m.velocity) && isFinite(m.spin);
}

[[nodiscard]] bool isUsable(double dt) {
  return std::isfinite(dt) && dt > 0;
}

/// How far apart bounds have to stay, in units of the smaller radius, for there to be no impact: far more
/// than a search takes for nothing.
constexpr double kBoundsSlack = 1e-5;

/// When a vertex comes to a plane is found by so many halvings of the step.
constexpr int kPlaneHalvings = 8;

/// Do the bounds meet on the way?
[[nodiscard]] bool mayMeet(const Mesh& mesh1, const Motion& motion1, const Mesh& mesh2, const Motion& motion2,
                           double dt) {
  const Vec3 apart = motion1.pose.apply(mesh1.sphereCentre()) - motion2.pose.apply(mesh2.sphereCentre());
  const double reach = mesh1.sphereRadius() + mesh2.sphereRadius() + greatestMotion(mesh1, motion1, dt) +
                       greatestMotion(mesh2, motion2, dt);
  if (!(length(apart) <= reach)) return false;  // so for what overflows
  const double slack = kBoundsSlack * std::min(mesh1.sphereRadius(), mesh2.sphereRadius()) +
                       kBoxSlack * (length(motion1.pose.translation) + length(motion2.pose.translation));
  return !areParted({mesh1, motion1, dt}, {mesh2, motion2, dt}, slack);
}

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

/// Does a vertex that comes below a plane within the step get there before its neighbours? As it turns, its
/// way is no straight one.
[[nodiscard]] bool leads(const Mesh& mesh, std::uint32_t v, const Motion& motion, double dt,
                         const Vec3& plane_normal, double plane_offset) {
  double above = 0, below = dt;
  for (int i = 0; i < kPlaneHalvings; ++i) {
    const double middle = 0.5 * (above + below);
    const Vec3 point = motion.at(middle).apply(mesh.vertices()[v]);
    (dot(plane_normal, point) >= plane_offset ? above : below) = middle;
  }
  return bulges(mesh, v, motion.at(above), plane_normal);
}

/// The vertices of what rolls on a plane, or lands as it rolls: on their way down, they turn up again.
class Rolling {
 public:
  Rolling(const Motion& motion, double dt, const Vec3& plane_normal, double plane_offset)
      : motion_(carried(motion)),
        dt_(dt),
        normal_(plane_normal),
        offset_(plane_offset),
        middle_drop_(-dot(plane_normal, motion.velocity) * dt),
        carried_(std::max(-dot(plane_normal, motion.velocity - motion_.velocity) * dt, 0.0)) {}

  /// Is it nothing to a vertex that comes below the plane within the step? It sinks in by no more than the
  /// forces bring, which the plane takes up, or neither it nor the middle by `least` within another step.
  [[nodiscard]] bool turnsUp(const Vec3& vertex, double height, double end_height, double least) const {
    const double drop = height - end_height;
    if (drop > 2 * middle_drop_ && end_height + carried_ >= 0) return true;
    return middle_drop_ - carried_ < least && sinksBy(vertex, dt_ * height / drop) < least;
  }

 private:
  /// How deep a vertex comes below the plane within a step from `time` on.
  [[nodiscard]] double sinksBy(const Vec3& vertex, double time) const {
    return greatestDepthFrom(time, dt_,
                             [&](double t) { return offset_ - dot(normal_, motion_.at(t).apply(vertex)); });
  }

  /// Without what forces bring, unless it falls.
  [[nodiscard]] static Motion carried(Motion motion) {
    if (!fallsBy(motion.velocity, motion.gain)) motion.velocity -= motion.gain;
    return motion;
  }

  Motion motion_;
  double dt_;
  Vec3 normal_;
  double offset_;
  double middle_drop_;
  double carried_;  ///< what of it forces bring, unless it falls
};

/// Appends the impacts of motions that count to `found` of the scratch: of approach by more than
/// `least_share`. False if the meshes do not come near each other.
bool search(const Mesh& mesh1, const Motion& motion1, const Mesh& mesh2, const Motion& motion2, double dt,
            double least_share, Front front = {}) {
  return mayMeet(mesh1, motion1, mesh2, motion2, dt) &&
         ImpactSearch(mesh1, motion1, mesh2, motion2, dt, least_share, front).run();
}

[[nodiscard]] Motion stopped(Motion motion) {
  motion.velocity = motion.spin = motion.gain = {};
  return motion;
}

/// Do the motions use up the gap?
[[nodiscard]] bool comesAbout(const Impact& impact, const Motion& motion1, const Motion& motion2, double dt) {
  return approachAlong(motion1, motion2, impact.position, impact.normal) * dt > impact.gap;
}

/// As `search`, of what `ImpactSearch::runOnOverlaps` adds.
void searchOverlaps(Front front, const Mesh& mesh1, const Motion& motion1, const Mesh& mesh2,
                    const Motion& motion2, double dt) {
  ImpactSearch(mesh1, motion1, mesh2, motion2, dt, kSlowApproach, front).runOnOverlaps();
  std::erase_if(motionScratch().found, [&](const Impact& i) { return !comesAbout(i, motion1, motion2, dt); });
}

/// Those of the scratch's list that are chosen of what `search` appends to it.
template <typename Search>
[[nodiscard]] std::size_t chosenOf(const Mesh& mesh1, const Mesh& mesh2, std::span<Impact> out,
                                   const Search& search) {
  std::vector<Impact>& found = motionScratch().found;
  found.clear();
  search(found);
  return chooseImpacts(found, std::min(mesh1.sphereRadius(), mesh2.sphereRadius()), out);
}

/// Are the values sound, and is there a place for impacts?
[[nodiscard]] bool areSearchable(const Motion& motion1, const Motion& motion2, double dt,
                                 std::span<Impact> out) {
  return isUsable(motion1) && isUsable(motion2) && isUsable(dt) && !out.empty();
}

/// Is one of the meshes fast, too?
[[nodiscard]] bool areToBeSearched(const Mesh& mesh1, const Motion& motion1, const Mesh& mesh2,
                                   const Motion& motion2, double dt, std::span<Impact> out) {
  return areSearchable(motion1, motion2, dt, out) && isEitherFast(mesh1, motion1, mesh2, motion2, dt);
}

}  // namespace

std::size_t findImpacts(const Mesh& mesh1, const Motion& motion1, const Mesh& mesh2, const Motion& motion2,
                        double dt, std::span<Impact> out) {
  if (!areToBeSearched(mesh1, motion1, mesh2, motion2, dt, out)) return 0;
  return findImpactsBehind({}, mesh1, motion1, mesh2, motion2, dt, out);
}

std::size_t findImpactsBehind(Front front, const Mesh& mesh1, const Motion& motion1, const Mesh& mesh2,
                              const Motion& motion2, double dt, std::span<Impact> out) {
  if (!areSearchable(motion1, motion2, dt, out)) return 0;
  return chosenOf(mesh1, mesh2, out, [&](const std::vector<Impact>&) {
    search(mesh1, motion1, mesh2, motion2, dt, kSlowApproach, front);
  });
}

std::size_t findImpactsOrOverlaps(const Mesh& mesh1, const Motion& motion1, const Mesh& mesh2,
                                  const Motion& motion2, double dt, std::span<Impact> out) {
  if (!areToBeSearched(mesh1, motion1, mesh2, motion2, dt, out)) return 0;
  return chosenOf(mesh1, mesh2, out, [&](const std::vector<Impact>& found) {
    if (search(mesh1, motion1, mesh2, motion2, dt, kSlowApproach) && found.empty())
      searchOverlaps({}, mesh1, motion1, mesh2, motion2, dt);
  });
}

std::size_t findOverlapsBehind(Front front, const Mesh& mesh1, const Motion& motion1, const Mesh& mesh2,
                               const Motion& motion2, double dt, std::span<Impact> out) {
  if (!areToBeSearched(mesh1, motion1, mesh2, motion2, dt, out)) return 0;
  return chosenOf(mesh1, mesh2, out, [&](const std::vector<Impact>&) {
    if (mayMeet(mesh1, motion1, mesh2, motion2, dt))
      searchOverlaps(front, mesh1, motion1, mesh2, motion2, dt);
  });
}

std::size_t findImpactsIfStopped(const Mesh& mesh1, const Motion& motion1, const Mesh& mesh2,
                                 const Motion& motion2, double dt, std::span<Impact> out) {
  if (!isUsable(motion1) || !isUsable(motion2) || !isUsable(dt) || out.empty()) return 0;
  if (!isBrisk(mesh1, motion1, dt) || !isBrisk(mesh2, motion2, dt)) return 0;
  return chosenOf(mesh1, mesh2, out, [&](std::vector<Impact>& found) {
    search(mesh1, stopped(motion1), mesh2, motion2, dt, kBriskShare);
    search(mesh1, motion1, mesh2, stopped(motion2), dt, kBriskShare);
    std::erase_if(found, [&](const Impact& i) { return comesAbout(i, motion1, motion2, dt); });
  });
}

std::size_t findImpactsWithPlane(const Mesh& mesh, const Motion& motion, const Vec3& plane_normal,
                                 double plane_offset, double dt, std::span<Impact> out) {
  if (!isUsable(motion) || !isUsable(dt) || !isFast(mesh, motion, dt)) return 0;
  return findImpactsWithPlaneBehind({}, mesh, motion, plane_normal, plane_offset, dt, out);
}

std::size_t findImpactsWithPlaneBehind(Front front, const Mesh& mesh, const Motion& motion,
                                       const Vec3& plane_normal, double plane_offset, double dt,
                                       std::span<Impact> out) {
  if (!isUsable(motion) || !isUsable(dt) || !isFinite(plane_normal) || !std::isfinite(plane_offset)) return 0;
  if (out.empty()) return 0;
  const Vec3 centre = motion.pose.apply(mesh.sphereCentre());
  const double reach = mesh.sphereRadius() + greatestMotion(mesh, motion, dt);
  if (!(dot(plane_normal, centre) - plane_offset <= reach)) return 0;
  const Pose end = motion.at(dt);
  const double least_motion = kSlowApproach * mesh.thickness();
  const Rolling rolling(motion, dt, plane_normal, plane_offset);
  double sunk = 0;
  for (const Stop& s : front) sunk = std::max(sunk, s.depth);
  std::vector<Impact>& found = motionScratch().found;
  found.clear();
  double first_leader = std::numeric_limits<double>::infinity();
  for (std::uint32_t v = 0; v < mesh.vertexCount(); ++v) {
    if (mesh.isFlat(v) || mesh.edgesAt(v).size() == 0) continue;
    const Vec3 from = motion.pose.apply(mesh.vertices()[v]), to = end.apply(mesh.vertices()[v]);
    const double height = dot(plane_normal, from) - plane_offset;
    const double end_height = dot(plane_normal, to) - plane_offset;
    if (height < 0 || end_height >= 0 || height - end_height < least_motion) continue;
    if (rolling.turnsUp(mesh.vertices()[v], height, end_height, least_motion + sunk)) continue;
    const std::uint32_t t = mesh.inputTriangleAt(mesh.triangleAt(v), mesh.vertices()[v]);
    const double time = dt * height / (height - end_height);
    found.push_back({time, from, plane_normal, height + sunk, t, 0});
    if (front.empty() && time < first_leader && leads(mesh, v, motion, dt, plane_normal, plane_offset))
      first_leader = time;
  }
  // What rolls along the plane strikes nothing: others follow a vertex that is below it already.
  if (front.empty()) std::erase_if(found, [&](const Impact& i) { return i.time < first_leader; });
  return chooseImpacts(found, mesh.sphereRadius(), out);
}

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
