#include "scenes/overlap.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <odemesh/sim/mesh_check.hpp>
#include <odemesh/sim/shapes.hpp>
#include <utility>
#include <vector>

namespace odemesh::sim {
namespace {

struct Box {
  Vec3 low{1e300, 1e300, 1e300}, high{-1e300, -1e300, -1e300};

  void add(const Vec3& p) {
    low = {std::min(low.x, p.x), std::min(low.y, p.y), std::min(low.z, p.z)};
    high = {std::max(high.x, p.x), std::max(high.y, p.y), std::max(high.z, p.z)};
  }
  [[nodiscard]] bool contains(const Vec3& p) const {
    return p.x >= low.x && p.y >= low.y && p.z >= low.z && p.x <= high.x && p.y <= high.y && p.z <= high.z;
  }
  [[nodiscard]] bool overlaps(const Box& b) const {
    return low.x <= b.high.x && b.low.x <= high.x && low.y <= b.high.y && b.low.y <= high.y &&
           low.z <= b.high.z && b.low.z <= high.z;
  }
};

/// A part's surface in the world.
struct PlacedSurface {
  std::vector<Vec3> vertices;
  std::vector<std::array<std::uint32_t, 3>> triangles;
  Box bounds;
};

TriangleMesh surfaceMesh(const Geometry& geometry) {
  struct Visitor {
    TriangleMesh operator()(const MeshGeometry& g) const {
      TriangleMesh mesh = g.mesh->mesh();
      for (Vec3& v : mesh.vertices) v += g.mesh->origin();
      return mesh;
    }
    TriangleMesh operator()(const BoxGeometry& g) const { return makeBox(g.size, 3); }
    TriangleMesh operator()(const SphereGeometry& g) const { return makeIcosphere(g.radius, 4); }
    TriangleMesh operator()(const CylinderGeometry& g) const { return makeCylinder(g.radius, g.length, 96); }
    TriangleMesh operator()(const CapsuleGeometry& g) const {
      return makeCapsule(g.radius, g.length, 48, 12);
    }
    TriangleMesh operator()(const PlaneGeometry&) const { return {}; }
  };
  return std::visit(Visitor{}, geometry);
}

PlacedSurface placed(const Body& body, std::size_t part) {
  const TriangleMesh mesh = surfaceMesh(body.parts()[part].geometry);
  const Pose pose = body.partPose(part);
  PlacedSurface out;
  out.triangles = mesh.triangles;
  for (const Vec3& v : mesh.vertices) {
    out.vertices.push_back(pose.apply(v));
    out.bounds.add(out.vertices.back());
  }
  return out;
}

// The solid angle of a triangle (Van Oosterom and Strackee, "The solid angle of a plane triangle", 1983).
double solidAngle(const Vec3& a, const Vec3& b, const Vec3& c) {
  const double la = length(a), lb = length(b), lc = length(c);
  const double below = la * lb * lc + dot(a, b) * lc + dot(b, c) * la + dot(c, a) * lb;
  return 2 * std::atan2(dot(a, cross(b, c)), below);
}

double windingNumber(const PlacedSurface& surface, const Vec3& p) {
  double angle = 0;
  for (const auto& [a, b, c] : surface.triangles)
    angle += solidAngle(surface.vertices[a] - p, surface.vertices[b] - p, surface.vertices[c] - p);
  return angle / (4 * std::numbers::pi);
}

// Ericson, "Real-Time Collision Detection", section 5.1.5, for the point at the origin.
Vec3 closestToOrigin(const Vec3& a, const Vec3& b, const Vec3& c) {
  const Vec3 ab = b - a, ac = c - a;
  const double d1 = -dot(ab, a), d2 = -dot(ac, a);
  if (d1 <= 0 && d2 <= 0) return a;
  const double d3 = -dot(ab, b), d4 = -dot(ac, b);
  if (d3 >= 0 && d4 <= d3) return b;
  const double vc = d1 * d4 - d3 * d2;
  if (vc <= 0 && d1 >= 0 && d3 <= 0) return a + ab * (d1 / (d1 - d3));
  const double d5 = -dot(ab, c), d6 = -dot(ac, c);
  if (d6 >= 0 && d5 <= d6) return c;
  const double vb = d5 * d2 - d1 * d6;
  if (vb <= 0 && d2 >= 0 && d6 <= 0) return a + ac * (d2 / (d2 - d6));
  const double va = d3 * d6 - d5 * d4;
  if (va <= 0 && d4 - d3 >= 0 && d5 - d6 >= 0) return b + (c - b) * ((d4 - d3) / ((d4 - d3) + (d5 - d6)));
  return a + ab * (vb / (va + vb + vc)) + ac * (vc / (va + vb + vc));
}

double distanceTo(const PlacedSurface& surface, const Vec3& p) {
  double best_sq = std::numeric_limits<double>::infinity();
  for (const auto& [a, b, c] : surface.triangles)
    best_sq = std::min(best_sq, lengthSq(closestToOrigin(surface.vertices[a] - p, surface.vertices[b] - p,
                                                         surface.vertices[c] - p)));
  return std::sqrt(best_sq);
}

double depthAt(const PlacedSurface& solid, const Vec3& p, double deepest) {
  if (!solid.bounds.contains(p)) return 0;
  // Distances are cheaper than winding numbers and rule most points out.
  const double distance = distanceTo(solid, p);
  return distance > deepest && windingNumber(solid, p) > 0.5 ? distance : 0;
}

using Corners = std::array<Vec3, 3>;

/// Tells what is outside of a solid by balls that hold nothing of it, each found by a point asked about
/// before.
class Outside {
 public:
  explicit Outside(const PlacedSurface& solid)
      : solid_(solid),
        is_closed_(countEdges(welded({.name = {}, .vertices = solid.vertices, .triangles = solid.triangles}))
                       .isClosed()) {}

  /// Whether no point of the triangle is deeper in the solid than `deepest`, as far as one distance tells.
  [[nodiscard]] bool holds(const Corners& triangle, double deepest) {
    const auto is_around = [&](const Ball& ball) {
      return std::ranges::all_of(
          triangle, [&](const Vec3& corner) { return length(corner - ball.centre) < ball.radius; });
    };
    if (std::ranges::any_of(balls_, is_around)) return true;
    const Vec3 middle = (triangle[0] + triangle[1] + triangle[2]) / 3;
    const Ball ball{middle, distanceTo(solid_, middle)};
    double reach = 0;
    for (const Vec3& corner : triangle) reach = std::max(reach, length(corner - middle));
    if (ball.radius + reach <= deepest) return true;
    if (!is_closed_ || !is_around(ball) || windingNumber(solid_, middle) > 0.5) return false;
    balls_.push_back(ball);
    return true;
  }

 private:
  struct Ball {
    Vec3 centre;
    double radius;
  };
  const PlacedSurface& solid_;
  bool is_closed_;  ///< the winding number changes at the surface alone
  std::vector<Ball> balls_;
};

double depthOf(const PlacedSurface& solid, const Corners& triangle, double deepest) {
  const auto& [a, b, c] = triangle;
  const auto look = [&](const Vec3& p) { deepest = std::max(deepest, depthAt(solid, p, deepest)); };
  look((a + b + c) / 3);
  for (const auto& [from, to] : {std::pair{a, b}, {b, c}, {c, a}})
    for (const double t : {0.0, 0.25, 0.5, 0.75}) look(from + (to - from) * t);
  return deepest;
}

double samplesInside(const PlacedSurface& sampled, const PlacedSurface& solid, double deepest) {
  if (!sampled.bounds.overlaps(solid.bounds)) return deepest;
  Outside outside(solid);
  for (const auto& [a, b, c] : sampled.triangles) {
    const Corners triangle{sampled.vertices[a], sampled.vertices[b], sampled.vertices[c]};
    Box bounds;
    for (const Vec3& corner : triangle) bounds.add(corner);
    if (!bounds.overlaps(solid.bounds) || outside.holds(triangle, deepest)) continue;
    deepest = depthOf(solid, triangle, deepest);
  }
  return deepest;
}

const PlaneGeometry* planeOf(const Body& body, std::size_t part) {
  return std::get_if<PlaneGeometry>(&body.parts()[part].geometry);
}

double depthBelow(const Body& body, const Pose& pose, const PlaneGeometry& plane) {
  const Vec3 normal = normalised(pose.rotate(plane.normal));
  const double level = plane.offset / length(plane.normal) + dot(normal, pose.translation);
  return std::max(0.0, level + body.support(-normal));
}

double partOverlap(const Body& a, std::size_t part_a, const Body& b, std::size_t part_b) {
  if (const PlaneGeometry* plane = planeOf(b, part_b)) return depthBelow(a, b.partPose(part_b), *plane);
  if (const PlaneGeometry* plane = planeOf(a, part_a)) return depthBelow(b, a.partPose(part_a), *plane);
  const PlacedSurface first = placed(a, part_a), second = placed(b, part_b);
  return samplesInside(second, first, samplesInside(first, second, 0));
}

bool mayTouch(const Body& a, const Body& b) {
  const double reach = a.boundingRadius() + b.boundingRadius();
  // A static body's centre of mass is not known; its surface is looked at in any case.
  return a.isStatic() || b.isStatic() || length(a.centreOfMass() - b.centreOfMass()) <= reach;
}

}  // namespace

double overlapDepth(const Body& a, const Body& b) {
  double deepest = 0;
  for (std::size_t i = 0; i < a.parts().size(); ++i)
    for (std::size_t j = 0; j < b.parts().size(); ++j) deepest = std::max(deepest, partOverlap(a, i, b, j));
  return deepest;
}

double greatestOverlap(const World& world) {
  double deepest = 0;
  for (std::size_t i = 0; i < world.bodyCount(); ++i)
    for (std::size_t j = i + 1; j < world.bodyCount(); ++j) {
      const Body &a = world.body(i), &b = world.body(j);
      if ((a.isStatic() && b.isStatic()) || !mayTouch(a, b)) continue;
      deepest = std::max(deepest, overlapDepth(a, b));
    }
  return deepest;
}

}  // namespace odemesh::sim
