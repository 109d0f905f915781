#include "ode/deflected.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "constants.hpp"
#include "motion/sweep.hpp"
#include "ode/geom_motion.hpp"
#include "ode/push.hpp"

namespace odemesh::ode {

namespace {

/// Sweeps over the contacts end when none changes a speed by more than this share of the greatest approach.
constexpr double kSettled = 1e-4;
constexpr int kMostSweeps = 30;

/// Contacts give no point of a mesh more than so many times the speed of approach.
constexpr double kMostLeverage = 4;

}  // namespace

Deflected::Deflected(const ContactArray& contacts, int count, const std::array<Motion, 2>& motions, double dt)
    : motions_(motions) {
  if (count == 0) return;
  static thread_local std::vector<Push> pushes;
  pushes.clear();
  double greatest = 0;
  const PairResponse pair{BodyResponse(contacts[0].geom.g1), BodyResponse(contacts[0].geom.g2)};
  for (int i = 0; i < count; ++i) {
    const double approach = approachAt(contacts[i].geom);
    greatest = std::max(greatest, std::abs(approach));
    pushes.emplace_back(pair, contacts[i], leastParting(contacts[i].surface, approach), dt);
    if (!pushes.back().canAct()) pushes.pop_back();
  }
  std::array<BodySpeed, 2> speeds{speedOf(motions_[0]), speedOf(motions_[1])};
  double changed = greatest;
  for (int sweep = 0; sweep < kMostSweeps && changed > kSettled * greatest; ++sweep) {
    changed = 0;
    for (Push& push : pushes) changed = std::max(changed, push.act(speeds[0], speeds[1]));
  }
  for (std::size_t side = 0; side < 2; ++side) motions_[side] = atSpeed(motions_[side], speeds[side]);
}

double Deflected::approachAt(const dContactGeom& c) const {
  return approachAlong(motions_[0], motions_[1], vec3(c.pos), vec3(c.normal));
}

const Deflected& Deflection::by(int count) {
  if (!deflected_ || count != count_) deflected_.emplace(contacts_, count, motions_, dt_);
  count_ = count;
  return *deflected_;
}

bool mayTurnAside(double approach, double least) {
  return !(kMostLeverage * approach <= least);
}

bool isTurnedAside(const Mesh& mesh, const Motion& before, const Motion& after, double dt) {
  Motion change = after;
  change.velocity = after.velocity - before.velocity;
  change.spin = after.spin - before.spin;
  return greatestMotion(mesh, change, dt) > kSlowApproach * mesh.thickness();
}

}  // namespace odemesh::ode
