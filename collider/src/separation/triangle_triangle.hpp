// How far are two triangles apart, and where?
#pragma once

#include "narrow_phase/triangle.hpp"

namespace odemesh {

/// The least distance of two triangles.
struct TriangleSeparation {
  double distance = 0;  ///< 0 if the triangles share a point
  Vec3 from2to1;        ///< from the witness of triangle 2 to that of triangle 1; its length is `distance`
  Vec3 witness1;        ///< the point of triangle 1 that is closest to triangle 2
  Vec3 witness2;        ///< the point of triangle 2 that is closest to triangle 1
};

/// The separation of two triangles: the least over the 9 pairs of edges and the 6 pairs of corner and face
/// (Nathan's step 3), ended as soon as a pair of edges proves to be the closest (Larsen et al. 1999). If they
/// intersect, which is decided exactly, both witnesses are one common point, up to rounding (which nearly
/// parallel planes magnify). Triangles may lack area. Finite coordinates up to 1e100.
[[nodiscard]] TriangleSeparation triangleSeparation(const Triangle& triangle1, const Triangle& triangle2);

}  // namespace odemesh
