// odemeshSpaceCollideSwept: pairs whose boxes do not meet yet, but will on the way of one of them.
#include "ode/swept_pairs.hpp"

#include <algorithm>
#include <cmath>
#include <exception>
#include <odemesh/motion.hpp>

#include "ode/errors.hpp"
#include "ode/operand.hpp"
#include "ode/space_geoms.hpp"
#include "ode/trimesh_reader.hpp"

namespace odemesh::ode {

namespace {

/// What the box of a mesh that moves little sweeps over: tighter than that of its sphere.
[[nodiscard]] Box shiftedBox(const Mesh& mesh, const Motion& motion, const Box& box, double dt) {
  const Vec3 way = motion.velocity * dt;
  const double turn = greatestMotion(mesh, motion, dt) - length(way);
  Box out;
  for (int axis = 0; axis < 3; ++axis) {
    const std::size_t low = std::size_t(axis) * 2, high = low + 1;
    out.side[low] = dReal(double(box.side[low]) + std::min(way[axis], 0.0) - turn);
    out.side[high] = dReal(double(box.side[high]) + std::max(way[axis], 0.0) + turn);
  }
  return out;
}

[[nodiscard]] bool isFinite(const Box& box) {
  return std::ranges::all_of(box.side, [](dReal x) { return std::isfinite(x) && std::abs(x) < 1e30; });
}

/// What dSpaceCollide2 finds in the swept box of one fast geom.
struct Neighbours {
  const std::vector<MovingGeom>* fast;
  const MovingGeom* mover;
  std::vector<GeomPair>* pairs;
  std::exception_ptr failure{};  ///< not to be thrown through ODE
};

/// A sweep-and-prune space reports geoms without bounds (planes) with all others.
[[nodiscard]] bool isAlwaysReported(dGeomID geom, const Box& box) {
  const bool unbounded = box.side[1] == dInfinity || box.side[3] == dInfinity || box.side[5] == dInfinity;
  const dSpaceID space = dGeomGetSpace(geom);
  return unbounded && space != nullptr && dSpaceGetClass(space) == dSweepAndPruneSpaceClass;
}

/// Keeps what ODE's space has not reported already. Pairs of fast geoms are looked at on their own.
void keepNeighbour(Neighbours& n, dGeomID g1, dGeomID g2) {
  // One of the two is the box that stands for the mover.
  const dGeomID other = dGeomGetClass(g1) == dBoxClass && dGeomGetData(g1) == &n ? g2 : g1;
  if (std::ranges::find(*n.fast, other, &MovingGeom::geom) != n.fast->end()) return;
  if (areFiltered(n.mover->geom, other)) return;
  const Box box = boxOf(other);
  if (box.meets(n.mover->box) || isAlwaysReported(other, box)) return;
  n.pairs->push_back({n.mover->geom, other});
}

void onNeighbour(void* data, dGeomID g1, dGeomID g2) {
  auto& n = *static_cast<Neighbours*>(data);
  const bool first_is_space = dGeomIsSpace(g1) != 0;
  if (first_is_space || dGeomIsSpace(g2) != 0) return dSpaceCollide2(g1, g2, data, onNeighbour);
  try {
    keepNeighbour(n, g1, g2);
  } catch (...) {
    n.failure = std::current_exception();
  }
}

/// Do what they sweep over meet, though they do not yet?
[[nodiscard]] bool meetOnTheWay(const MovingGeom& a, const MovingGeom& b) {
  return a.swept.meets(b.swept) && !a.box.meets(b.box) && !areFiltered(a.geom, b.geom);
}

int collideSwept(dSpaceID space, double dt, void* data, dNearCallback* callback) {
  MovingRoom room;
  MovingGeoms moving(dt, room);
  moving.addAll(space);
  std::vector<GeomPair> pairs;
  for (std::size_t i = 0; i < moving.fast().size(); ++i) {
    moving.addNeighbours(space, moving.fast()[i], pairs);
    moving.addFastPairs(i, pairs);
  }
  moving.addFollowing(pairs);
  for (const GeomPair& pair : pairs) callback(data, pair.a, pair.b);
  return ODEMESH_OK;
}

}  // namespace

Box SweptBall::box() const {
  const Vec3 end = begin + way;
  Box out;
  for (int axis = 0; axis < 3; ++axis) {
    dReal* side = &out.side[std::size_t(axis) * 2];
    side[0] = dReal(std::min(begin[axis], end[axis]) - radius);
    side[1] = dReal(std::max(begin[axis], end[axis]) + radius);
  }
  return out;
}

/// The centre of the bounding sphere stays as far as it is from the point that the mesh turns about, wherever
/// on a circle: the sphere is grown by that distance.
SweptBall sweptBall(const Mesh& mesh, const Motion& motion, double dt) {
  const Vec3 middle = motion.pose.apply(mesh.sphereCentre());
  const bool is_turning = !(motion.spin == Vec3{});
  const Vec3 begin = is_turning ? motion.centre : middle;
  return {begin, motion.velocity * dt, mesh.sphereRadius() + length(middle - begin)};
}

Pace MovingGeoms::add(dGeomID trimesh, const Mesh* known) {
  if (dGeomGetBody(trimesh) == nullptr) return Pace::kSlow;
  if (known != nullptr) return addMoving(trimesh, *known);
  CachedMesh keeper;
  const CachedMesh* const cached = borrowMesh(trimesh, keeper);
  return cached != nullptr ? addMoving(trimesh, *cached->mesh) : Pace::kSlow;
}

Pace MovingGeoms::addMoving(dGeomID trimesh, const Mesh& mesh) {
  if (paces_.of(trimesh, mesh) == Pace::kSlow) return Pace::kSlow;
  const Motion motion = freeMotionOf(trimesh, mesh, poseOf(trimesh), dt_);
  const bool is_fast = isFast(mesh, motion, dt_);
  if ((!is_fast && !isBrisk(mesh, motion, dt_)) || !checkPose(trimesh, motion.pose)) return Pace::kSlow;
  const Box box = boxOf(trimesh);
  const SweptBall ball = sweptBall(mesh, motion, dt_);
  const Box swept = is_fast ? ball.box() : shiftedBox(mesh, motion, box, dt_);
  if (!isFinite(swept)) return Pace::kSlow;
  (is_fast ? room_.fast : room_.brisk).push_back({trimesh, box, swept, ball, motion});
  return is_fast ? Pace::kFast : Pace::kBrisk;
}

void MovingGeoms::addAll(dSpaceID space) {
  forEachGeom(space, [this](dGeomID geom) {
    const int geom_class = dGeomGetClass(geom);
    if (geom_class == dTriMeshClass)
      add(geom, nullptr);
    else if (isSpaceClass(geom_class))
      addAll(reinterpret_cast<dSpaceID>(geom));
  });
}

void MovingGeoms::addNeighbours(dSpaceID space, const MovingGeom& mover, std::vector<GeomPair>& pairs) const {
  Neighbours neighbours{&room_.fast, &mover, &pairs};
  const dReal* s = mover.swept.side;
  const dGeomID box = dCreateBox(nullptr, s[1] - s[0], s[3] - s[2], s[5] - s[4]);
  dGeomSetPosition(box, (s[0] + s[1]) / 2, (s[2] + s[3]) / 2, (s[4] + s[5]) / 2);
  dGeomSetData(box, &neighbours);
  dSpaceCollide2(box, reinterpret_cast<dGeomID>(space), &neighbours, onNeighbour);
  dGeomDestroy(box);
  if (neighbours.failure) std::rethrow_exception(neighbours.failure);
}

void MovingGeoms::addFastPairs(std::size_t mover, std::vector<GeomPair>& pairs) const {
  const MovingGeom& a = room_.fast[mover];
  for (std::size_t i = mover + 1; i < room_.fast.size(); ++i)
    if (meetOnTheWay(a, room_.fast[i])) pairs.push_back({a.geom, room_.fast[i].geom});
}

void MovingGeoms::addFollowing(std::vector<GeomPair>& pairs) {
  if (room_.brisk.empty()) return;
  sortAndSweep(
      room_.fast.size() + room_.brisk.size(), room_.order,
      [this](std::uint32_t i) -> const Box& { return at(i).swept; },
      [&](std::uint32_t i, std::uint32_t j) {
        const bool is_first_fast = isFastAt(i), is_second_fast = isFastAt(j);
        if (is_first_fast && is_second_fast) return;
        const MovingGeom &first = at(i), &second = at(j);
        const bool is_reported = (is_first_fast && first.swept.meets(second.box)) ||
                                 (is_second_fast && second.swept.meets(first.box));
        if (!is_reported && meetOnTheWay(first, second)) pairs.push_back({first.geom, second.geom});
      });
}

bool areFiltered(dGeomID a, dGeomID b) {
  const dBodyID body = dGeomGetBody(a);
  return a == b || (body != nullptr && body == dGeomGetBody(b)) ||
         ((dGeomGetCategoryBits(a) & dGeomGetCollideBits(b)) == 0 &&
          (dGeomGetCategoryBits(b) & dGeomGetCollideBits(a)) == 0);
}

}  // namespace odemesh::ode

using namespace odemesh::ode;

extern "C" int odemeshSpaceCollideSwept(dSpaceID space, dReal dt, void* data, dNearCallback* callback) {
  if (!canPassOver(space, dt, callback))
    return fail(ODEMESH_ERROR_ARGUMENT, "odemeshSpaceCollideSwept: give it a space, a callback and dt > 0");
  try {
    return collideSwept(space, double(dt), data, callback);
  } catch (...) {
    return failAfterCallback("odemeshSpaceCollideSwept");
  }
}
