#include "ode/impulse_row.hpp"

#include <algorithm>
#include <cmath>

#include "ode/vec3.hpp"

namespace odemesh::ode {

ImpulseRow::ImpulseRow(const PairResponse& pair, const dContactGeom& c, const Vec3& along)
    : direction(along),
      lever{cross(vec3(c.pos) - pair[0].centre(), along), cross(vec3(c.pos) - pair[1].centre(), along)},
      unit(pair, c, along),
      parting(unit.partingAt(c, along)) {}

double ImpulseRow::approachOf(const BodySpeed& first, const BodySpeed& second) const {
  return dot(direction, second.velocity - first.velocity) + dot(lever[1], second.spin) -
         dot(lever[0], first.spin);
}

void ImpulseRow::give(double more, BodySpeed& first, BodySpeed& second) const {
  first.velocity += unit.of(0).velocity * more;
  first.spin += unit.of(0).spin * more;
  second.velocity += unit.of(1).velocity * more;
  second.spin += unit.of(1).spin * more;
}

double ImpulseRow::act(double wanted, double least, double most, BodySpeed& first, BodySpeed& second) {
  const double approach = approachOf(first, second);
  const double more = std::clamp(impulse + (wanted + approach) / parting, least, most) - impulse;
  if (more == 0) return 0;
  add(more, first, second);
  return std::abs(more) * parting;
}

}  // namespace odemesh::ode
