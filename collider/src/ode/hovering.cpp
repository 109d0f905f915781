#include "ode/hovering.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

#include "ode/body_motion.hpp"
#include "ode/geom_motion.hpp"
#include "ode/impact_contacts.hpp"
#include "ode/settings.hpp"
#include "ode/vec3.hpp"

namespace odemesh::ode {

namespace {

/// Triangles of what stands on corners. What is finer is mostly so round that it stands on one point, beside
/// which there is always another: of that, the closest points are looked for where it stands on none. This
/// also bounds what looking costs.
constexpr std::size_t kMostFacets = 256;

/// What moves by less in a step rests, in units of the smaller mesh's radius: where the contacts are in a
/// line, and where they span an area. There, most have all their corners.
constexpr double kRestsInLine = 1e-5;
constexpr double kRestsSpread = 1e-4;

/// Contacts are in a line if twice the area between any two and the first is less, in units of the square of
/// that radius: those of two legs of a table are.
constexpr double kInLine = 0.1;

/// Of normals that look the same way, the least cosine.
constexpr double kAlike = 0.999;

/// No corner is looked for farther away, in units of the smaller mesh's radius.
constexpr double kMostGap = 1e-2;

/// In units of the speed that gravity gives in a step: what turns faster does not rock, what touches nowhere
/// and moves faster passes by, and what approaches faster does not hover.
constexpr double kMostTurn = 1;
constexpr double kMostSpeed = 1;
constexpr double kMostApproach = 0.5;

[[nodiscard]] bool isCoarse(const HoveringPair& pair, int standing) {
  return (standing < 2 ? pair.more : pair.fewer) <= kMostFacets;
}

[[nodiscard]] double wayOf(const RelativeMotion& motion, const Vec3& point, double radius, double dt) {
  return (length(motion.at(point)) + length(motion.spin) * radius) * dt;
}

/// What is fine has come no farther from where it touched in the step before than it has moved since.
[[nodiscard]] double reachOf(const HoveringPair& pair, int standing, const RelativeMotion& motion,
                             double dt) {
  const double reach = std::min(motion.gravity * dt * dt, kMostGap * pair.radius);
  if (isCoarse(pair, standing)) return reach;
  return standing == 0 ? std::min(reach, wayOf(motion, pair.middle, pair.radius, dt)) : 0;
}

[[nodiscard]] bool areAlike(const GeomArray& contacts, int count) {
  for (int i = 1; i < count; ++i)
    if (dot(vec3(contacts[i].normal), vec3(contacts[0].normal)) < kAlike) return false;
  return true;
}

[[nodiscard]] bool areInLine(const GeomArray& contacts, int count, double radius) {
  if (count < 3) return true;
  const Vec3 normal = vec3(contacts[0].normal), first = vec3(contacts[0].pos);
  for (int i = 2; i < count; ++i) {
    const Vec3 across = cross(normal, vec3(contacts[i].pos) - first);
    for (int j = 1; j < i; ++j)
      if (std::abs(dot(across, vec3(contacts[j].pos) - first)) > kInLine * radius * radius) return false;
  }
  return true;
}

}  // namespace

double hoveringReach(const HoveringPair& pair, dGeomID g1, dGeomID g2, double dt) {
  const std::optional<RelativeMotion> motion = relativeMotionOf(g1, g2);
  return motion ? reachOf(pair, 0, *motion, dt) : 0;
}

Hovering::Hovering(const SpeculativeCall& r, int standing, const HoveringPair& pair)
    : r_(r), standing_(standing), is_of_one_point_(!isCoarse(pair, standing)) {
  // With a margin of the program's, what is apart is among the contacts that it gets.
  if (standing >= r.room || options().contact_margin > 0) return;
  if (is_of_one_point_ && standing > 0) return;
  const std::optional<RelativeMotion> motion = relativeMotionOf(r.g1, r.g2);
  if (!motion) return;
  fall_ = motion->gravity * r.dt;
  if (mayRock(*motion, pair)) margin_ = reachOf(pair, standing, *motion, r.dt);
}

bool Hovering::mayRock(const RelativeMotion& motion, const HoveringPair& pair) const {
  const GeomArray contacts = r_.contacts.geoms();
  const Vec3 point = standing_ > 0 ? vec3(contacts[0].pos) : pair.middle;
  const double way = wayOf(motion, point, pair.radius, r_.dt);
  if (length(motion.spin) * pair.radius > kMostTurn * fall_ || way <= kRestsInLine * pair.radius)
    return false;
  if (standing_ == 0) return length(motion.at(point)) <= kMostSpeed * fall_;
  return areAlike(contacts, standing_) &&
         (way > kRestsSpread * pair.radius || areInLine(contacts, standing_, pair.radius));
}

int Hovering::add(std::span<const Contact> near) const {
  const Vec3 normal = standing_ > 0 ? vec3(r_.at(0).geom.normal) : Vec3{};
  int count = standing_;
  for (const Contact& c : near) {
    if (count == r_.room) break;
    if (c.depth >= 0 || (standing_ > 0 && dot(c.normal, normal) < kAlike)) continue;
    dContact& to = r_.at(count);
    writeImpact({.position = c.position,
                 .normal = c.normal,
                 .gap = -c.depth,
                 .triangle1 = c.triangle1,
                 .triangle2 = c.triangle2},
                r_, to);
    to.surface.mode &= ~dContactBounce;
    if (approachSpeed(to.geom) <= kMostApproach * fall_) ++count;
  }
  return count;
}

}  // namespace odemesh::ode
