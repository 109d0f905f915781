// Pairs of triangles on an integer grid, in every relation that is hard for floating point, and an oracle in
// integers that shares no idea with the kernels under test.
#pragma once

#include <array>
#include <cstdint>
#include <random>
#include <string>

#include "narrow_phase/triangle.hpp"

namespace odemesh::test {

__extension__ typedef __int128 Int128;

/// Coordinates stay below 2^29, so that every product of the oracle fits 128 bits.
struct IntPoint {
  std::int64_t x = 0, y = 0, z = 0;

  friend IntPoint operator+(IntPoint a, IntPoint b) { return {a.x + b.x, a.y + b.y, a.z + b.z}; }
  friend IntPoint operator-(IntPoint a, IntPoint b) { return {a.x - b.x, a.y - b.y, a.z - b.z}; }
  friend IntPoint operator*(std::int64_t s, IntPoint a) { return {s * a.x, s * a.y, s * a.z}; }
  friend bool operator==(const IntPoint&, const IntPoint&) = default;
};

using IntTriangle = std::array<IntPoint, 3>;

struct IntPair {
  IntTriangle a, b;
};

[[nodiscard]] Int128 dot(const IntPoint& a, const IntPoint& b);
[[nodiscard]] IntPoint cross(const IntPoint& a, const IntPoint& b);
[[nodiscard]] Int128 determinant(const IntPoint& a, const IntPoint& b, const IntPoint& c);

/// Do the triangles share a point? By Caratheodory's theorem on the Minkowski difference: they do if the
/// origin lies in a simplex of one to four of the nine differences of corners.
[[nodiscard]] bool oracleMeets(const IntTriangle& a, const IntTriangle& b);

enum class Family {
  kGeneric,     // large random coordinates
  kSmallGrid,   // coordinates from -2 to 2: coincidences of all kinds
  kMediumGrid,  // coordinates from -8 to 8
  kSharedVertex,
  kSharedEdge,
  kVertexOnFace,  // or on an edge, or at a corner
  kEdgeThroughVertex,
  kEdgeThroughEdge,
  kCoplanar,
  kCoplanarTouching,
  kStar,            // coplanar, crossing, no corner of one inside the other
  kNearlyCoplanar,  // one unit off the plane
  kSliver,
  kNeedle,
  kZeroArea,  // at least one is a segment or a point
  kCount
};

[[nodiscard]] std::string familyName(Family family);

/// One random pair of the family, slanted by a random integer map, its corners and triangles in random order.
[[nodiscard]] IntPair drawPair(Family family, std::mt19937_64& random);

/// (p + offset) * 2^exponent. Exact as long as the sum stays below 2^53 and the result in the range of
/// double.
[[nodiscard]] Triangle toTriangle(const IntTriangle& t, const IntPoint& offset = {}, int exponent = 0);

}  // namespace odemesh::test
