#include "contact/region/point_in_solid.hpp"

#include <array>

#include "bvh/wide_walk.hpp"

namespace odemesh {

namespace {

constexpr std::array<Vec3, 3> kRayDirections{{{0.8017837, 0.2672612, 0.5345225},
                                              {-0.4242641, 0.5656854, 0.7071068},
                                              {0.1690309, -0.8451543, 0.5070926}}};

/// Does the ray from `from` along `along` (any length) meet the box, in the box's frame?
[[nodiscard]] bool rayMeetsBox(const Vec3& from, const Vec3& along, const WideBox& box) {
  double enter = 0;
  double leave = std::numeric_limits<double>::infinity();
  for (int axis = 0; axis < 3; ++axis) {
    const double t0 = (box.centre[axis] - box.half[axis] - from[axis]) / along[axis];
    const double t1 = (box.centre[axis] + box.half[axis] - from[axis]) / along[axis];
    enter = std::max(enter, std::min(t0, t1));
    leave = std::min(leave, std::max(t0, t1));
  }
  return enter <= leave * (1 + 1e-9) + 1e-9;
}

struct RayHit {
  int turns = 0;  ///< 1 out through the front, -1 in through it, 0 past
  bool near_edge = false;
};

/// Moeller-Trumbore without the division; a ray within a relative 1e-9 of an edge is reported as such.
[[nodiscard]] RayHit hitTriangle(const Vec3& from, const Vec3& along, const Vec3& a, const Vec3& b,
                                 const Vec3& c) {
  const Vec3 ab = b - a;
  const Vec3 ac = c - a;
  const Vec3 p = cross(along, ac);
  double det = dot(ab, p);
  const Vec3 s = from - a;
  const Vec3 q = cross(s, ab);
  double u = dot(s, p);
  double v = dot(along, q);
  double t = dot(ac, q);
  const int turns = det < 0 ? 1 : -1;
  if (det < 0) {
    det = -det;
    u = -u;
    v = -v;
    t = -t;
  }
  const double slack = 1e-9 * (det + length(along) * (length(ab) + length(ac)) * length(s) * 1e-6);
  if (u < -slack || v < -slack || u + v > det + slack || t < 0) return {};
  return {turns, u < slack || v < slack || u + v > det - slack};
}

/// How often the surface runs around a point: more than once where shells overlap.
struct Winding {
  int turns = 0;
  bool sure = true;
};

[[nodiscard]] Winding countTurns(const Mesh& mesh, const Vec3& point, const Vec3& along) {
  const WideTree& tree = mesh.wideTree();
  const Vec3 from = (point - tree.origin()) / tree.scale();
  Winding winding;
  walk(
      tree, [&](const WideBox& box) { return rayMeetsBox(from, along, box); },
      [&](std::uint32_t t) {
        const RayHit hit = hitTriangle(point, along, mesh.vertex(t, 0), mesh.vertex(t, 1), mesh.vertex(t, 2));
        winding.turns += hit.turns;
        if (hit.near_edge) winding.sure = false;
      });
  return winding;
}

}  // namespace

bool PointInSolid::contains(const Vec3& point) const {
  const Mesh& mesh = solid_.mesh();
  const Vec3 local = to_mesh_.apply(point);
  if (length(local - mesh.sphereCentre()) > mesh.sphereRadius()) return false;
  int votes = 0;
  for (const Vec3& along : kRayDirections) {
    const Winding winding = countTurns(mesh, local, along);
    if (winding.sure) return winding.turns != 0;
    votes += winding.turns != 0 ? 1 : -1;
  }
  return votes > 0;
}

}  // namespace odemesh
