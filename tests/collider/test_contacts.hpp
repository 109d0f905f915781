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

/// The motion of the first body that answers all contacts (Kaczmarz 1937).
[[nodiscard]] inline Vec3 answerTo(std::span<const Contact> contacts) {
  Vec3 way;
  for (int i = 0; i < 200; ++i)
    for (const Contact& c : contacts) way += c.normal * std::max(0.0, c.depth - dot(c.normal, way));
  return way;
}

/// How high the plane through `p`, across `normal`, is at a place.
[[nodiscard]] inline double heightAt(const Vec3& p, const Vec3& normal, double x, double y) {
  return p.z - (normal.x * (x - p.x) + normal.y * (y - p.y)) / normal.z;
}

}  // namespace odemesh::test
