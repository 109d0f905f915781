// What tests ask of contacts.
#pragma once

#include <algorithm>
#include <odemesh/collide.hpp>
#include <span>

namespace odemesh::test {

/// The depth of the deepest contact; 0 of none.
[[nodiscard]] inline double deepestOf(std::span<const Contact> contacts) {
  double deepest = 0;
  for (const Contact& c : contacts) deepest = std::max(deepest, c.depth);
  return deepest;
}

/// The same of the depths that the contacts have along a unit vector.
[[nodiscard]] inline double deepestAlong(std::span<const Contact> contacts, const Vec3& direction) {
  double deepest = 0;
  for (const Contact& c : contacts) deepest = std::max(deepest, c.depth * dot(c.normal, direction));
  return deepest;
}

/// How high the plane through `p`, across `normal`, is at a place.
[[nodiscard]] inline double heightAt(const Vec3& p, const Vec3& normal, double x, double y) {
  return p.z - (normal.x * (x - p.x) + normal.y * (y - p.y)) / normal.z;
}

}  // namespace odemesh::test
