#include "ode/deflected.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <vector>

#include "constants.hpp"
#include "motion/sweep.hpp"
#include "ode/geom_motion.hpp"
#include "ode/unit_impulse.hpp"

namespace odemesh::ode {

namespace {

/// Sweeps over the contacts end when none changes a speed by more than this share of the greatest approach.
constexpr double kSettled = 1e-4;
constexpr int kMostSweeps = 30;

/// What the bodies get along one direction of a contact.
struct Row {
  Vec3 direction;
  UnitImpulse unit;
  double parting;  ///< the speed that a unit impulse gives
  double impulse = 0;

  Row(const dContactGeom& c, const Vec3& along)
      : direction(along), unit(c, along), parting(unit.partingAt(c, along)) {}
};

/// Across the normal, as ODE has them.
[[nodiscard]] std::array<Vec3, 2> tangentsOf(const dContact& c) {
  if ((c.surface.mode & dContactFDir1) != 0)
    return {vec3(c.fdir1), cross(vec3(c.geom.normal), vec3(c.fdir1))};
  dVector3 first, second;
  dPlaneSpace(c.geom.normal, first, second);
  return {vec3(first), vec3(second)};
}

/// What they get by one contact.
class Push {
 public:
  Push(const dContact& c, const std::array<Vec3, 2>& tangents, double wanted, double dt)
      : contact_(c),
        wanted_(wanted),
        dt_(dt),
        normal_(c.geom, vec3(c.geom.normal)),
        sideways_{Row{c.geom, tangents[0]}, Row{c.geom, tangents[1]}} {}

  [[nodiscard]] bool canAct() const { return normal_.parting > 0; }

  /// Calls `give(row, wanted, least, most)` for each row: the speed of parting that is wanted, and the bounds
  /// of its impulse.
  template <typename Give>
  void forEachRow(const Give& give) {
    constexpr double kNoBound = std::numeric_limits<double>::infinity();
    give(normal_, wanted_, 0.0, kNoBound);
    for (std::size_t i = 0; i < 2; ++i)
      if (const double most = mostFriction(i); most > 0) give(sideways_[i], 0.0, -most, most);
  }
  [[nodiscard]] Vec3 place() const { return vec3(contact_.geom.pos); }

 private:
  [[nodiscard]] double mostFriction(std::size_t i) const {
    const dSurfaceParameters& s = contact_.surface;
    const auto mu = double(i == 1 && (s.mode & dContactMu2) != 0 ? s.mu2 : s.mu);
    if ((s.mode & dContactApprox1) == 0) return mu * dt_;
    return normal_.impulse > 0 ? mu * normal_.impulse : 0;
  }

  const dContact& contact_;
  double wanted_;  ///< the least speed of parting
  double dt_;
  Row normal_;
  std::array<Row, 2> sideways_;
};

void change(Motion& m, const BodyChange& by_unit, double impulse) {
  m.velocity += by_unit.velocity * impulse;
  m.spin += by_unit.spin * impulse;
}

}  // namespace

Deflected::Deflected(const ContactArray& contacts, int count, const std::array<Motion, 2>& motions, double dt)
    : motions_(motions) {
  static thread_local std::vector<Push> pushes;
  pushes.clear();
  double greatest = 0;
  for (int i = 0; i < count; ++i) {
    greatest = std::max(greatest, std::abs(approachAt(contacts[i].geom)));
    pushes.emplace_back(contacts[i], tangentsOf(contacts[i]), wantedOf(contacts[i]), dt);
    if (!pushes.back().canAct()) pushes.pop_back();
  }
  double changed = greatest;
  for (int sweep = 0; sweep < kMostSweeps && changed > kSettled * greatest; ++sweep) {
    changed = 0;
    for (Push& push : pushes)
      push.forEachRow([&, at = push.place()](Row& row, double wanted, double least, double most) {
        const double missing =
            (wanted + approachAlong(motions_[0], motions_[1], at, row.direction)) / row.parting;
        const double more = std::clamp(row.impulse + missing, least, most) - row.impulse;
        row.impulse += more;
        for (std::size_t side = 0; side < 2; ++side) change(motions_[side], row.unit.of(side), more);
        changed = std::max(changed, std::abs(more) * row.parting);
      });
  }
}

double Deflected::approachAt(const dContactGeom& c) const {
  return approachAlong(motions_[0], motions_[1], vec3(c.pos), vec3(c.normal));
}

/// As ODE's contact joint has it, but for what corrects the depth.
double Deflected::wantedOf(const dContact& c) const {
  const dSurfaceParameters& s = c.surface;
  const double motion = (s.mode & dContactMotionN) != 0 ? double(s.motionN) : 0;
  const double excess = approachAt(c.geom) + motion;
  const bool bounces = (s.mode & dContactBounce) != 0 && excess > double(s.bounce_vel);
  return bounces ? motion + double(s.bounce) * excess : motion;
}

bool isTurnedAside(const Mesh& mesh, const Motion& before, const Motion& after, double dt) {
  Motion change = after;
  change.velocity = after.velocity - before.velocity;
  change.spin = after.spin - before.spin;
  return greatestMotion(mesh, change, dt) > kSlowApproach * mesh.thickness();
}

}  // namespace odemesh::ode
