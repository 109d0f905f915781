#include "ode/held_impacts.hpp"

#include <algorithm>
#include <vector>

#include "constants.hpp"
#include "motion/stand_around.hpp"
#include "ode/surface_share.hpp"
#include "ode/vec3.hpp"

namespace odemesh::ode {

namespace {

/// A contact that gives way under load stops nothing.
[[nodiscard]] bool isHard(const dContact& c, double dt) {
  return (c.surface.mode & dContactMotionN) == 0 && !givesWay(c, dt);
}

/// What may be used up of a gap, and of bodies that touch, as much as they overlap at rest.
[[nodiscard]] double spareOf(const Impact& impact, double radius) {
  return kSpentGap * impact.gap + kUncorrected * radius;
}

/// Where hard contacts are that push as an impact would: with what their normals differ by, no motion in the
/// step takes more than `spare`.
[[nodiscard]] std::span<const Vec3> feetBelow(const Impact& impact, const ContactArray& contacts, int count,
                                              const PairMotion& m, double spare) {
  static thread_local std::vector<Vec3> feet;
  feet.clear();
  for (int i = 0; i < count; ++i) {
    const dContact& c = contacts[i];
    if (length(vec3(c.geom.normal) - impact.normal) * m.way <= spare && isHard(c, m.dt))
      feet.push_back(vec3(c.geom.pos));
  }
  return feet;
}

[[nodiscard]] bool carry(std::span<const Vec3> feet, const Motion& body, const Vec3& normal, double size) {
  static thread_local std::vector<Vec3> seen;
  if (body.is_fixed) return true;
  seen.assign(feet.begin(), feet.end());
  for (Vec3& foot : seen) foot = foot - body.centre;
  return standAround(seen, normal, size);
}

[[nodiscard]] bool isHeld(const Impact& impact, const ContactArray& contacts, int count,
                          const PairMotion& m) {
  const double spare = spareOf(impact, m.radius);
  const std::span<const Vec3> feet = feetBelow(impact, contacts, count, m, spare);
  if (feet.size() < 3) return false;
  double lever = 0;
  for (const Vec3& foot : feet) lever = std::max(lever, length(foot - impact.position));
  return length(m.first.spin - m.second.spin) * lever * m.dt <= spare &&
         carry(feet, m.first, impact.normal, m.radius) && carry(feet, m.second, impact.normal, m.radius);
}

}  // namespace

std::size_t dropHeld(std::span<Impact> impacts, const ContactArray& contacts, int count,
                     const PairMotion& motion) {
  const auto is_held = [&](const Impact& impact) { return isHeld(impact, contacts, count, motion); };
  return std::size_t(std::remove_if(impacts.begin(), impacts.end(), is_held) - impacts.begin());
}

}  // namespace odemesh::ode
