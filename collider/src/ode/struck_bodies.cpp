#include "ode/struck_bodies.hpp"

#include <algorithm>

#include "ode/deflected.hpp"
#include "ode/geom_motion.hpp"
#include "ode/operand.hpp"
#include "ode/trimesh_reader.hpp"

namespace odemesh::ode {

namespace {

/// Sweeps end when none changes a speed by more than this share of the greatest change.
constexpr double kSettled = 1e-3;
constexpr int kMostSweeps = 10;

}  // namespace

std::size_t StruckBodies::addPair(dGeomID g1, dGeomID g2) {
  pairs_.push_back({{g1, g2}, {stateOf(g1), stateOf(g2)}, {BodyResponse(g1), BodyResponse(g2)}});
  return pairs_.size() - 1;
}

void StruckBodies::add(std::size_t pair, const dContact& contact) {
  Pair& of = pairs_[pair];
  const Push push(of.response, contact, leastParting(contact.surface, approachSpeed(contact.geom)), dt_);
  if (push.canAct()) of.pushes.push_back(push);
}

void StruckBodies::settle() {
  settle(pairs_);
}

void StruckBodies::settle(std::size_t pair) {
  settle(std::span(pairs_).subspan(pair, 1));
}

/// After the first sweep, pairs are left out whose bodies the last one has not moved by enough to count.
void StruckBodies::settle(std::span<Pair> pairs) {
  double greatest = 0;
  bool is_settled = false;
  for (int sweep = 0; sweep < kMostSweeps && !is_settled; ++sweep) {
    is_settled = true;
    ++sweep_;
    for (Pair& pair : pairs) {
      if (sweep > 0 && lastMoved(pair) < sweep_ - 1) continue;
      const double changed = act(pair);
      greatest = std::max(greatest, changed);
      if (changed <= kSettled * greatest) continue;
      noteMoved(pair);
      is_settled = false;
    }
  }
}

int StruckBodies::lastMoved(const Pair& pair) const {
  int last = 0;
  for (const int state : pair.states)
    if (state >= 0) last = std::max(last, states_[std::size_t(state)].moved_in);
  return last;
}

void StruckBodies::noteMoved(const Pair& pair) {
  for (const int state : pair.states)
    if (state >= 0) states_[std::size_t(state)].moved_in = sweep_;
}

double StruckBodies::act(Pair& pair) {
  std::array<BodySpeed, 2> none{};
  const auto speedOf = [&](std::size_t side) -> BodySpeed& {
    return pair.states[side] < 0 ? none[side] : states_[std::size_t(pair.states[side])].speed;
  };
  BodySpeed &first = speedOf(0), &second = speedOf(1);
  double changed = 0;
  for (Push& push : pair.pushes) changed = std::max(changed, push.act(first, second));
  return changed;
}

/// Planes have no pose.
Motion StruckBodies::ownMotionOf(dGeomID geom) const {
  if (dGeomGetClass(geom) == dPlaneClass) return restOf(geom, {});
  CachedMesh keeper;
  const CachedMesh* const mesh = meshOf(geom, keeper);
  const Pose pose = poseOf(geom);
  return mesh != nullptr ? freeMotionOf(geom, *mesh->mesh, pose, dt_) : motionOf(geom, pose, dt_);
}

Motion StruckBodies::motionIn(dGeomID geom) const {
  const Motion own = ownMotionOf(geom);
  const State* const state = find(geom);
  return state != nullptr ? atSpeed(own, state->speed) : own;
}

std::array<Motion, 2> StruckBodies::motionsWithout(std::size_t pair) const {
  const Pair& p = pairs_[pair];
  std::array out{motionIn(p.geoms[0]), motionIn(p.geoms[1])};
  for (const Push& push : p.pushes)
    for (std::size_t side = 0; side < 2; ++side) {
      const BodySpeed given = push.given(side);
      out[side].velocity += -given.velocity;
      out[side].spin += -given.spin;
    }
  return out;
}

std::vector<dBodyID> StruckBodies::turnedAside() {
  std::vector<dBodyID> out;
  for (State& state : states_) {
    if (!isTurned(state)) continue;
    state.told = state.speed;
    out.push_back(state.body);
  }
  return out;
}

int StruckBodies::stateOf(dGeomID geom) {
  const dBodyID body = dGeomGetBody(geom);
  if (body == nullptr) return -1;
  const auto [entry, is_new] = numbers_.try_emplace(body, int(states_.size()));
  if (is_new) {
    const BodySpeed speed = speedOf(ownMotionOf(geom));
    states_.push_back({body, speed, speed});
  }
  return entry->second;
}

const StruckBodies::State* StruckBodies::find(dGeomID geom) const {
  const auto entry = numbers_.find(dGeomGetBody(geom));
  return entry != numbers_.end() ? &states_[std::size_t(entry->second)] : nullptr;
}

bool StruckBodies::isTurned(const State& state) const {
  for (dGeomID geom = dBodyGetFirstGeom(state.body); geom != nullptr; geom = dBodyGetNextGeom(geom)) {
    CachedMesh keeper;
    const CachedMesh* const mesh = meshOf(geom, keeper);
    if (mesh == nullptr) continue;
    const Motion now = motionIn(geom), told = atSpeed(now, state.told);
    if (isFast(*mesh->mesh, now, dt_) && isTurnedAside(*mesh->mesh, told, now, dt_)) return true;
  }
  return false;
}

}  // namespace odemesh::ode
