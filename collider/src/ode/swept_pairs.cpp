// odemeshSpaceCollideSwept: pairs whose boxes do not meet yet, but will on the way of one of them.
#include <odemesh/odemesh.h>

#include <algorithm>
#include <cmath>
#include <odemesh/motion.hpp>
#include <vector>

#include "ode/errors.hpp"
#include "ode/geom_motion.hpp"
#include "ode/operand.hpp"
#include "ode/trimesh_reader.hpp"

namespace odemesh::ode {

namespace {

struct Box {
  dReal side[6];

  [[nodiscard]] bool meets(const Box& b) const {
    for (int axis = 0; axis < 6; axis += 2)
      if (!(side[axis] <= b.side[axis + 1] && b.side[axis] <= side[axis + 1])) return false;
    return true;
  }
};

[[nodiscard]] Box boxOf(dGeomID geom) {
  Box box;
  dGeomGetAABB(geom, box.side);
  return box;
}

struct FastGeom {
  dGeomID geom;
  Box box, swept;
};

/// A sphere around the mesh, swept.
[[nodiscard]] Box sweptBox(const Mesh& mesh, const Motion& motion, double dt) {
  const Vec3 begin = motion.pose.apply(mesh.sphereCentre()), end = motion.at(dt).apply(mesh.sphereCentre());
  // Between the two the centre may leave the straight line by less than its arm.
  const double arm = length(motion.spin) > 0 ? length(begin - motion.centre) : 0;
  const double reach = mesh.sphereRadius() + arm;
  Box out;
  for (int axis = 0; axis < 3; ++axis) {
    dReal* side = &out.side[std::size_t(axis) * 2];
    side[0] = dReal(std::min(begin[axis], end[axis]) - reach);
    side[1] = dReal(std::max(begin[axis], end[axis]) + reach);
  }
  return out;
}

[[nodiscard]] bool isFinite(const Box& box) {
  return std::ranges::all_of(box.side, [](dReal x) { return std::isfinite(x) && std::abs(x) < 1e30; });
}

void gatherIfFast(dGeomID geom, double dt, SlowGeoms& slow, std::vector<FastGeom>& out) {
  if (dGeomGetBody(geom) == nullptr) return;
  CachedMesh keeper;
  const CachedMesh* const cached = borrowMesh(geom, keeper);
  if (cached == nullptr || slow.contain(geom, *cached->mesh)) return;
  const Mesh& mesh = *cached->mesh;
  const Motion motion = motionOf(geom, poseOf(geom), dt);
  if (!isFast(mesh, motion, dt) || !checkPose(geom, motion.pose)) return;
  const Box swept = sweptBox(mesh, motion, dt);
  if (isFinite(swept)) out.push_back({geom, boxOf(geom), swept});
}

void gatherFast(dSpaceID space, double dt, SlowGeoms& slow, std::vector<FastGeom>& out) {
  const int count = dSpaceGetNumGeoms(space);
  for (int i = 0; i < count; ++i) {
    const dGeomID geom = dSpaceGetGeom(space, i);
    if (dGeomIsEnabled(geom) == 0) continue;
    const int geom_class = dGeomGetClass(geom);
    if (geom_class == dTriMeshClass)
      gatherIfFast(geom, dt, slow, out);
    else if (geom_class >= dFirstSpaceClass && geom_class <= dLastSpaceClass)
      gatherFast(reinterpret_cast<dSpaceID>(geom), dt, slow, out);
  }
}

struct GeomPair {
  dGeomID a, b;
};

/// What dSpaceCollide2 finds in the swept box of one fast geom.
struct Neighbours {
  const std::vector<FastGeom>* fast;
  const FastGeom* mover;
  std::vector<GeomPair>* pairs;
};

[[nodiscard]] bool areFiltered(dGeomID a, dGeomID b) {
  const dBodyID body = dGeomGetBody(a);
  return a == b || (body != nullptr && body == dGeomGetBody(b)) ||
         ((dGeomGetCategoryBits(a) & dGeomGetCollideBits(b)) == 0 &&
          (dGeomGetCategoryBits(b) & dGeomGetCollideBits(a)) == 0);
}

/// A sweep-and-prune space reports geoms without bounds (planes) with all others.
[[nodiscard]] bool isAlwaysReported(dGeomID geom, const Box& box) {
  const bool unbounded = box.side[1] == dInfinity || box.side[3] == dInfinity || box.side[5] == dInfinity;
  const dSpaceID space = dGeomGetSpace(geom);
  return unbounded && space != nullptr && dSpaceGetClass(space) == dSweepAndPruneSpaceClass;
}

/// Keeps what ODE's space has not reported already. Pairs of fast geoms are looked at on their own.
void onNeighbour(void* data, dGeomID g1, dGeomID g2) {
  auto& n = *static_cast<Neighbours*>(data);
  const bool first_is_space = dGeomIsSpace(g1) != 0;
  if (first_is_space || dGeomIsSpace(g2) != 0) return dSpaceCollide2(g1, g2, data, onNeighbour);
  const auto isFastOne = [&](dGeomID g) {
    return std::ranges::any_of(*n.fast, [&](const FastGeom& f) { return f.geom == g; });
  };
  // One of the two is the box that stands for the mover.
  const dGeomID other = dGeomGetClass(g1) == dBoxClass && dGeomGetData(g1) == data ? g2 : g1;
  if (isFastOne(other) || areFiltered(n.mover->geom, other)) return;
  const Box box = boxOf(other);
  if (box.meets(n.mover->box) || isAlwaysReported(other, box)) return;
  n.pairs->push_back({n.mover->geom, other});
}

void addNeighbours(dSpaceID space, const std::vector<FastGeom>& fast, const FastGeom& mover,
                   std::vector<GeomPair>& pairs) {
  Neighbours neighbours{&fast, &mover, &pairs};
  const dReal* s = mover.swept.side;
  const dGeomID box = dCreateBox(nullptr, s[1] - s[0], s[3] - s[2], s[5] - s[4]);
  dGeomSetPosition(box, (s[0] + s[1]) / 2, (s[2] + s[3]) / 2, (s[4] + s[5]) / 2);
  dGeomSetData(box, &neighbours);
  dSpaceCollide2(box, reinterpret_cast<dGeomID>(space), &neighbours, onNeighbour);
  dGeomDestroy(box);
}

int collideSwept(dSpaceID space, double dt, void* data, dNearCallback* callback) {
  std::vector<FastGeom> fast;
  SlowGeoms slow(dt);
  gatherFast(space, dt, slow, fast);
  std::vector<GeomPair> pairs;
  for (std::size_t i = 0; i < fast.size(); ++i) {
    addNeighbours(space, fast, fast[i], pairs);
    for (std::size_t j = i + 1; j < fast.size(); ++j)
      if (fast[i].swept.meets(fast[j].swept) && !fast[i].box.meets(fast[j].box) &&
          !areFiltered(fast[i].geom, fast[j].geom))
        pairs.push_back({fast[i].geom, fast[j].geom});
  }
  for (const GeomPair& pair : pairs) callback(data, pair.a, pair.b);
  return ODEMESH_OK;
}

}  // namespace

}  // namespace odemesh::ode

using namespace odemesh::ode;

extern "C" int odemeshSpaceCollideSwept(dSpaceID space, dReal dt, void* data, dNearCallback* callback) {
  if (space == nullptr || callback == nullptr || !(dt > 0) || !std::isfinite(dt))
    return fail(ODEMESH_ERROR_ARGUMENT, "odemeshSpaceCollideSwept: give it a space, a callback and dt > 0");
  try {
    return collideSwept(space, double(dt), data, callback);
  } catch (...) {
    return fail(ODEMESH_ERROR_MEMORY, "odemeshSpaceCollideSwept");
  }
}
