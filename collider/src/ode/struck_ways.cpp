#include "ode/struck_ways.hpp"

#include <algorithm>

#include "ode/operand.hpp"
#include "ode/space_geoms.hpp"
#include "ode/trimesh_reader.hpp"

namespace odemesh::ode {

namespace {

[[nodiscard]] double distanceSq(const Box& a, const Box& b) {
  double out = 0;
  for (std::size_t low = 0; low < 6; low += 2) {
    const double gap = std::max(
        {double(a.side[low]) - double(b.side[low + 1]), double(b.side[low]) - double(a.side[low + 1]), 0.0});
    out += gap * gap;
  }
  return out;
}

}  // namespace

StruckWays::StruckWays(dSpaceID space, const StruckBodies& bodies, double dt) : bodies_(bodies), dt_(dt) {
  add(space);
}

void StruckWays::add(dSpaceID space) {
  forEachGeom(space, [this](dGeomID geom) {
    if (isSpaceClass(dGeomGetClass(geom))) return add(reinterpret_cast<dSpaceID>(geom));
    const Box box = boxOf(geom);
    setOut(ways_.emplace_back(Way{geom, box, box}));
  });
}

void StruckWays::setOut(Way& way) const {
  CachedMesh keeper;
  const CachedMesh* const cached = meshOf(way.geom, keeper);
  if (cached == nullptr) return;
  const Mesh& mesh = *cached->mesh;
  const Motion motion = bodies_.motionIn(way.geom);
  way.ball = sweptBall(mesh, motion, dt_);
  way.is_fast = isFast(mesh, motion, dt_);
  way.reach = way.is_fast ? way.ball->box() : way.box;
}

void StruckWays::update(std::span<const dBodyID> turned, std::set<Encounter>& encounters) {
  const auto is_turned = [&](const Way& way) {
    return std::ranges::find(turned, dGeomGetBody(way.geom)) != turned.end();
  };
  for (Way& way : ways_)
    if (is_turned(way)) setOut(way);
  for (std::uint32_t i = 0; i < ways_.size(); ++i)
    if (is_turned(ways_[i])) addEncounters(i, encounters);
}

void StruckWays::addEncounters(std::uint32_t mover, std::set<Encounter>& encounters) const {
  const Way& way = ways_[mover];
  for (std::uint32_t i = 0; way.is_fast && i < ways_.size(); ++i)
    if (!areFiltered(way.geom, ways_[i].geom) && meet(way, ways_[i]))
      encounters.insert({distanceSq(way.box, ways_[i].box), mover, i});
}

bool StruckWays::mayMeet(const Encounter& e) const {
  return ways_[e.mover].is_fast && meet(ways_[e.mover], ways_[e.other]);
}

bool StruckWays::meet(const SweptBall& a, const SweptBall& b) {
  const Vec3 between = b.begin - a.begin, way = b.way - a.way;
  const double way_sq = lengthSq(way), reach = a.radius + b.radius;
  const double share = way_sq > 0 ? std::clamp(-dot(between, way) / way_sq, 0.0, 1.0) : 0.0;
  return lengthSq(between + way * share) <= reach * reach;
}

bool StruckWays::meet(const Way& a, const Way& b) {
  return a.reach.meets(b.reach) && (!a.ball || !b.ball || meet(*a.ball, *b.ball));
}

}  // namespace odemesh::ode
