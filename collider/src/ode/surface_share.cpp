#include "ode/surface_share.hpp"

#include "ode/geom_motion.hpp"
#include "ode/unit_impulse.hpp"

namespace odemesh::ode {

namespace {

constexpr double kGivesWay = 0.05;
/// The softness of the world, as ODE's default, is none if contacts leave no more than this share by it.
constexpr double kNoYield = 1e-6;

[[nodiscard]] bool has(const dSurfaceParameters& s, int mode) {
  return (s.mode & mode) != 0;
}

[[nodiscard]] double massOf(dBodyID body) {
  dMass mass;
  dBodyGetMass(body, &mass);
  return double(mass.mass);
}

[[nodiscard]] double softnessOfWorld(const dContactGeom& c) {
  const dWorldID world = worldOf(c.g1, c.g2);
  return world != nullptr ? double(dWorldGetCFM(world)) : 0;
}

[[nodiscard]] double softnessOf(const dContact& c) {
  return has(c.surface, dContactSoftCFM) ? double(c.surface.soft_cfm) : softnessOfWorld(c.geom);
}

/// The softness that is worth as much as the bodies' mobility.
[[nodiscard]] double mobilityAt(const dContactGeom& c, double dt) {
  return dt * UnitImpulse(c, vec3(c.normal)).partingAt(c, vec3(c.normal));
}

/// No more than that, at less cost: what bodies take that do not turn.
[[nodiscard]] double leastMobility(const dContactGeom& c, double dt) {
  double per_mass = 0;
  for (const dGeomID geom : {c.g1, c.g2})
    if (!isFixed(geom)) per_mass += 1 / massOf(dGeomGetBody(geom));
  return dt * per_mass;
}

/// The share of an approach that is left.
[[nodiscard]] double yieldBy(double softness, const dContactGeom& c, double dt) {
  return softness > 0 ? softness / (softness + mobilityAt(c, dt)) : 0;
}

/// Softens what `mode` switches on, or the world has.
void soften(dSurfaceParameters& s, int mode, dReal dSurfaceParameters::*softness, int rows, double of_world) {
  const double of_one = has(s, mode) ? double(s.*softness) : of_world;
  if (of_one == 0) return;
  s.mode |= mode;
  s.*softness = dReal(rows * of_one);
}

/// Sets what ODE takes to be the same in both directions, and in both of rolling and in spinning.
void tellDirectionsApart(dSurfaceParameters& s) {
  if (has(s, dContactAxisDep)) return;
  s.mode |= dContactAxisDep;
  s.mu2 = s.mu;
  if (has(s, dContactRolling)) s.rho2 = s.rhoN = s.rho;
}

void shareOutForces(dSurfaceParameters& s, dReal rows) {
  if ((s.mode & dContactApprox1) == dContactApprox1) return;
  tellDirectionsApart(s);
  const bool rolls = has(s, dContactRolling);
  if (!has(s, dContactApprox1_1)) {
    s.mu /= rows;
    if (rolls) s.rho /= rows;
  }
  if (!has(s, dContactApprox1_2)) {
    s.mu2 /= rows;
    if (rolls) s.rho2 /= rows;
  }
  if (!has(s, dContactApprox1_N) && rolls) s.rhoN /= rows;
}

}  // namespace

bool givesWay(const dContact& c, double dt) {
  const double softness = softnessOf(c), most = softness * (1 - kGivesWay) / kGivesWay;
  return leastMobility(c.geom, dt) < most && mobilityAt(c.geom, dt) < most;
}

void limitYield(dContact& c, double most, double dt) {
  const double softness = softnessOf(c);
  if (yieldBy(softness, c.geom, dt) <= most) return;
  c.surface.mode |= dContactSoftCFM;
  c.surface.soft_cfm = dReal(mobilityAt(c.geom, dt) * most / (1 - most));
}

dSurfaceParameters shareOf(const dContact& c, int rows, double dt) {
  dSurfaceParameters s = c.surface;
  double of_world = softnessOfWorld(c.geom);
  if (yieldBy(of_world, c.geom, dt) <= kNoYield) of_world = 0;
  soften(s, dContactSoftCFM, &dSurfaceParameters::soft_cfm, rows, of_world);
  soften(s, dContactSlip1, &dSurfaceParameters::slip1, rows, of_world);
  soften(s, dContactSlip2, &dSurfaceParameters::slip2, rows, of_world);
  shareOutForces(s, dReal(rows));
  return s;
}

}  // namespace odemesh::ode
