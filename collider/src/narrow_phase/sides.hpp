// On which sides of a plane do the corners of a triangle lie?
#pragma once

namespace odemesh {

/// One sign a corner: 0 in the plane. Which side is positive is the caller's affair.
struct Sides {
  int s[3];

  [[nodiscard]] bool onOneSide() const { return s[0] != 0 && s[0] == s[1] && s[0] == s[2]; }
  [[nodiscard]] bool inPlane() const { return s[0] == 0 && s[1] == 0 && s[2] == 0; }
};

/// The signed distances of a triangle's corners from a plane, and on which sides they lie.
struct Distances {
  double d[3];
  Sides sides;
};

/// The corner that the plane parts from the other two: both edges at it cross the plane, or end in it, in one
/// point. For sides that are neither all on one side nor all in the plane.
[[nodiscard]] inline int apexOf(const Sides& sides) {
  const auto& s = sides.s;
  for (int i = 0; i < 2; ++i) {
    const int j = i + 1, k = (i + 2) % 3;
    if (s[i] != s[j] && s[i] != s[k] && s[j] * s[k] >= 0) return i;
  }
  return 2;
}

}  // namespace odemesh
