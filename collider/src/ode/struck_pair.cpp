#include "ode/struck_pair.hpp"

#include <algorithm>
#include <utility>

#include "motion/sweep.hpp"
#include "ode/deflected_impacts.hpp"
#include "ode/delivery.hpp"
#include "ode/operand.hpp"
#include "ode/plane_impacts.hpp"

namespace odemesh::ode {

namespace {

[[nodiscard]] StruckPair*& inHand() {
  static thread_local StruckPair* pair = nullptr;
  return pair;
}

[[nodiscard]] int addOfMeshes(const SpeculativeCall& r, int count, const std::array<Motion, 2>& motions) {
  Operand a(r.g1), b(r.g2);
  if (!a.isUsable() || !b.isUsable()) return count;
  a.keep();
  b.keep();
  const Mesh &mesh1 = a.mesh(), &mesh2 = b.mesh();
  const double thickness = std::min(mesh1.thickness(), mesh2.thickness());
  Deflection deflection(r.contacts, motions, r.dt);
  const int then = addBehind(
      r, count, deflection, thickness, [&](Front front, const Deflected& after, std::span<Impact> room) {
        return isEitherFast(mesh1, after[0], mesh2, after[1], r.dt)
                   ? findImpactsBehind(front, mesh1, after[0], mesh2, after[1], r.dt, room)
                   : 0;
      });
  return addOfOverlaps(r, then, deflection, mesh1, mesh2);
}

[[nodiscard]] int addOfPlane(const SpeculativeCall& r, int count, const std::array<Motion, 2>& motions) {
  const bool mesh_is_first = dGeomGetClass(r.g1) == dTriMeshClass;
  Operand mesh(mesh_is_first ? r.g1 : r.g2);
  if (!mesh.isUsable()) return count;
  mesh.keep();
  const HalfSpace plane = halfSpaceOf(mesh_is_first ? r.g2 : r.g1);
  const PlaneImpacts search{mesh.mesh(), plane, mesh_is_first, r.dt};
  Deflection deflection(r.contacts, motions, r.dt);
  return addBehind(r, count, deflection, mesh.mesh().thickness(),
                   [&](Front front, const Deflected& after, std::span<Impact> room) {
                     const Motion& left = after[mesh_is_first ? 0 : 1];
                     return isFast(mesh.mesh(), left, r.dt) ? search.find(front, left, room) : 0;
                   });
}

/// ODE bounces what approaches before the step. What is struck comes near only by it, and bounces in the
/// next one.
[[nodiscard]] dSurfaceParameters withoutBounce(dSurfaceParameters surface) {
  surface.mode &= ~dContactBounce;
  return surface;
}

}  // namespace

PairInHand::PairInHand(StruckPair& pair) : outer_(std::exchange(inHand(), &pair)) {}

PairInHand::~PairInHand() {
  inHand() = outer_;
}

StruckPair* PairInHand::of(dGeomID g1, dGeomID g2) {
  StruckPair* const pair = inHand();
  const bool is_same =
      pair != nullptr && ((pair->g1 == g1 && pair->g2 == g2) || (pair->g1 == g2 && pair->g2 == g1));
  return is_same ? pair : nullptr;
}

int collideStruck(const SpeculativeCall& r, StruckPair& pair) {
  const auto standing = int(pair.contacts.size());
  const int room = standing + roomBeside(standing, r.room);
  pair.contacts.resize(std::size_t(room));
  const dSurfaceParameters surface = withoutBounce(r.surfaceOrNone());
  const SpeculativeCall all{
      pair.g1, pair.g2, r.dt, r.flags, room, &surface, {pair.contacts.data(), sizeof(dContact)}};
  const bool has_plane = dGeomGetClass(pair.g1) == dPlaneClass || dGeomGetClass(pair.g2) == dPlaneClass;
  const int count = (has_plane ? addOfPlane : addOfMeshes)(all, standing, pair.motions);
  pair.contacts.resize(std::size_t(count));
  for (int i = standing; i < count; ++i) {
    dContact& to = r.at(i - standing);
    to.geom = all.at(i).geom;
    to.surface = all.at(i).surface;
    if (r.g1 != pair.g1) turnRound(to.geom);
  }
  return count - standing;
}

}  // namespace odemesh::ode
