#include "ode/followers.hpp"

#include <algorithm>
#include <functional>
#include <odemesh/distance.hpp>
#include <optional>
#include <utility>

#include "constants.hpp"
#include "motion/sweep.hpp"
#include "ode/operand.hpp"
#include "ode/settings.hpp"
#include "ode/trimesh_reader.hpp"

namespace odemesh::ode {

namespace {

/// Does a ball on its way come to the half space, or within `margin` of it?
[[nodiscard]] bool meets(const SweptBall& ball, const HalfSpace& plane, double margin) {
  const double begin = plane.heightOf(ball.begin);
  return std::min(begin, begin + dot(plane.normal, ball.way)) <= ball.radius + margin;
}

/// The same of a mesh: of its surface, or its inside.
[[nodiscard]] bool meets(const SweptBall& ball, const Mesh& mesh, const Pose& pose, double margin) {
  const Vec3 middle = ball.begin + 0.5 * ball.way, direction{0, 0, 1};
  if (closestPoint(mesh, pose, middle, ball.radius + 0.5 * length(ball.way) + margin)) return true;
  if (!mesh.isSolid()) return false;
  const std::optional<CastHit> above = castRay(mesh, pose, middle, direction);
  return above && dot(above->normal, direction) > 0;
}

/// May what moves touch a geom that does not, or hardly?
[[nodiscard]] bool mayTouch(const SweptBall& ball, dGeomID other) {
  const double margin = options().contact_margin;
  if (dGeomGetClass(other) == dPlaneClass) return meets(ball, halfSpaceOf(other), margin);
  CachedMesh keeper;
  const CachedMesh* const cached = meshOf(other, keeper);
  if (cached == nullptr) return true;
  const Mesh& mesh = *cached->mesh;
  return meets(ball, mesh, poseOf(other), margin + kBriskShare * mesh.thickness());
}

}  // namespace

int Followers::drop(dSpaceID space, double dt, const MovingRoom& moving,
                    const std::vector<GeomPair>& known_apart, std::vector<GeomPair>& pairs) {
  if (pairs.empty() || moving.fast.size() + moving.brisk.size() < 2) return 0;
  dt_ = dt;
  list(space, moving);
  findFollowing(pairs);
  if (following_.empty()) return 0;
  for (std::size_t i = 0; i < pairs.size(); ++i)
    if (is_dropped_[i] == 0) stopWhatMeets(pairs[i]);
  for (const GeomPair& pair : known_apart) stopWhatMeets(pair);
  spread();
  std::size_t kept = 0;
  for (std::size_t i = 0; i < pairs.size(); ++i)
    if (is_dropped_[i] == 0) pairs[kept++] = pairs[i];
  const std::size_t dropped = pairs.size() - kept;
  pairs.resize(kept);
  return int(dropped);
}

void Followers::list(dSpaceID space, const MovingRoom& moving) {
  movers_.clear();
  bodies_.clear();
  for (const auto* geoms : {&moving.fast, &moving.brisk})
    for (const MovingGeom& m : *geoms) {
      movers_.push_back({m.geom, &m, 0});
      bodies_.push_back(dGeomGetBody(m.geom));
    }
  std::ranges::sort(movers_, std::less{}, &Mover::geom);
  std::ranges::sort(bodies_, std::less{});
  bodies_.erase(std::unique(bodies_.begin(), bodies_.end()), bodies_.end());
  may_stop_.assign(bodies_.size(), 0);
  rooms_.clear();
  rooms_.resize(movers_.size());
  for (Mover& m : movers_) {
    const dBodyID body = dGeomGetBody(m.geom);
    m.body = std::uint32_t(std::ranges::lower_bound(bodies_, body, std::less{}) - bodies_.begin());
    if (dBodyGetNumJoints(body) > 0 || dGeomGetSpace(m.geom) != space) may_stop_[m.body] = 1;
  }
}

/// Null of what does not move, or hardly.
const Followers::Mover* Followers::moverOf(dGeomID geom) const {
  const auto at = std::ranges::lower_bound(movers_, geom, std::less{}, &Mover::geom);
  return at != movers_.end() && at->geom == geom ? &*at : nullptr;
}

const Followers::Room& Followers::roomOf(const Mover& mover) {
  std::optional<Room>& room = rooms_[std::size_t(&mover - movers_.data())];
  if (!room) {
    CachedMesh keeper;
    const Mesh& mesh = *meshOf(mover.geom, keeper)->mesh;  // which was found when the mover was listed
    const Motion& motion = mover.moving->motion;
    room.emplace(Room{{mesh, motion, dt_}, {mesh, restOf(mover.geom, motion.pose), dt_}});
  }
  return *room;
}

/// Do they stay apart as they move?
bool Followers::areFollowing(const Mover& first, const Mover& second) {
  return areParted(roomOf(first).moving, roomOf(second).moving, options().contact_margin);
}

void Followers::findFollowing(const std::vector<GeomPair>& pairs) {
  following_.clear();
  is_dropped_.assign(pairs.size(), 0);
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    const Mover *const first = moverOf(pairs[i].a), *const second = moverOf(pairs[i].b);
    if (first == nullptr || second == nullptr || !areFollowing(*first, *second)) continue;
    following_.push_back({i, first, second});
    is_dropped_[i] = 1;
  }
}

/// Marks what moves and reaches the other one.
void Followers::stopWhatMeets(const GeomPair& pair) {
  const Mover *const first = moverOf(pair.a), *const second = moverOf(pair.b);
  const bool do_both_move = first != nullptr && second != nullptr;
  for (const auto& [mover, other] : {std::pair(first, pair.b), std::pair(second, pair.a)})
    if (mover != nullptr && may_stop_[mover->body] == 0 &&
        (do_both_move || mayTouch(mover->moving->ball, other)))
      may_stop_[mover->body] = 1;
}

/// From what is in front to what is behind it, until nothing more is stopped.
void Followers::spread() {
  bool is_done = false;
  const auto pass_on = [&](const Mover& front, const Mover& behind) {
    if (may_stop_[front.body] == 0) return false;
    if (areParted(roomOf(front).stopped, roomOf(behind).moving, options().contact_margin)) return false;
    is_done = is_done && may_stop_[behind.body] != 0;
    may_stop_[behind.body] = 1;
    return true;
  };
  while (!is_done) {
    is_done = true;
    for (const auto& [pair, first, second] : following_) {
      const bool is_first_met = pass_on(*first, *second), is_second_met = pass_on(*second, *first);
      if (is_first_met || is_second_met) is_dropped_[pair] = 0;
    }
  }
}

}  // namespace odemesh::ode
