#include "ode/deflected_impacts.hpp"

#include <algorithm>
#include <vector>

#include "constants.hpp"
#include "ode/geom_motion.hpp"

namespace odemesh::ode {

namespace {

/// So often it is looked for overlaps that the contacts so far leave.
constexpr int kOverlapRounds = 3;

}  // namespace

Front frontOf(const SpeculativeCall& r, int count) {
  static thread_local std::vector<Stop> stops;
  stops.clear();
  for (int i = 0; i < count; ++i) stops.push_back({vec3(r.at(i).geom.normal), double(r.at(i).geom.depth)});
  return stops;
}

bool doStop(const SpeculativeCall& r, int count, double thickness) {
  const double least = kBriskShare * thickness / r.dt;
  for (int i = 0; i < count; ++i)
    if (approachSpeed(r.at(i).geom) > least) return true;
  return false;
}

int append(const SpeculativeCall& r, int count, std::span<const Impact> impacts, const Deflected& deflected,
           double thickness) {
  for (const Impact& impact : impacts) {
    dContact& to = r.at(count++);
    writeImpact(impact, r, to);
    const double approach = deflected.approachAt(to.geom);
    stopInTime(to, approach, thickness, r.dt);
    const bool bounces = (to.surface.mode & dContactBounce) != 0 && approach > double(to.surface.bounce_vel);
    if (bounces) to.surface.motionN -= dReal(kFastShare * thickness / r.dt);
    to.surface.mode &= ~dContactBounce;
  }
  return count;
}

int addOfOverlaps(const SpeculativeCall& r, int count, Deflection& deflection, const Mesh& mesh1,
                  const Mesh& mesh2) {
  const double thickness = std::min(mesh1.thickness(), mesh2.thickness());
  if (!deflection.mayBringNearer(mesh1, mesh2, kFastShare * thickness)) return count;
  for (int round = 0; round < kOverlapRounds && count < r.room; ++round) {
    const Deflected& deflected = deflection.by(count);
    const std::span<Impact> more = roomForImpacts(r.room - count);
    const std::size_t found =
        findOverlapsBehind(frontOf(r, count), mesh1, deflected[0], mesh2, deflected[1], r.dt, more);
    if (found == 0) break;
    count = append(r, count, more.first(found), deflected, thickness);
  }
  return count;
}

}  // namespace odemesh::ode
