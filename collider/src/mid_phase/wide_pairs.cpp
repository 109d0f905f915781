#include "mid_phase/wide_pairs.hpp"

#include <algorithm>
#include <cmath>

#include "bvh/aabb.hpp"
#include "constants.hpp"
#include "simd/simd_path.hpp"

namespace odemesh {

namespace {

/// Units of float rounding to spare, relative to the numbers that are added up.
constexpr double kRelative = 1e-6;
/// The same for the centres of boxes, seen along any axis: six roundings of 6e-8 each, and some to spare.
constexpr double kCentre = 1e-6;

[[nodiscard]] Mat3 inverseOf(const Mat3& m) {
  const Vec3 x = cross(m.row[1], m.row[2]), y = cross(m.row[2], m.row[0]), z = cross(m.row[0], m.row[1]);
  return Mat3{{x, y, z}}.transposed() *
         Mat3{{{1 / dot(m.row[0], x), 0, 0}, {0, 1 / dot(m.row[0], x), 0}, {0, 0, 1 / dot(m.row[0], x)}}};
}

[[nodiscard]] double greatest(const Vec3& v) {
  return std::max({std::abs(v.x), std::abs(v.y), std::abs(v.z)});
}

[[nodiscard]] double sumOfMagnitudes(const Vec3& v) {
  return std::abs(v.x) + std::abs(v.y) + std::abs(v.z);
}

/// Into the frame of `to` from that of `from`: x -> linear * x + shift, in the meshes' units of length.
/// `margin` and `rounding` are lengths.
[[nodiscard]] TreePlacement placementInto(const WideTree& to, const WideTree& from, const Mat3& linear,
                                          const Vec3& shift, double margin, double rounding) {
  TreePlacement out{};
  const double unit = from.scale() / to.scale();
  const Vec3 origin = (linear * from.origin() + shift - to.origin()) / to.scale();
  const Mat3 columns = linear.transposed();
  double stretch = 1, row_sum = 0;
  for (int i = 0; i < 3; ++i) {
    stretch = std::max({stretch, length(linear.row[i]), length(columns.row[i])});
    row_sum = std::max(row_sum, unit * sumOfMagnitudes(linear.row[i]));
    out.shift[i] = origin[i];
    out.centre_shift[i] = static_cast<float>(origin[i]);
    for (int j = 0; j < 3; ++j) {
      const double entry = linear.row[i][j];
      const double spared = std::abs(entry) * (1 + kRelative) + kRelative;
      // The reaches along the axes here take a share of each other along with the tilted axes.
      const double gram = std::abs(dot(columns.row[i], columns.row[j])) * (1 + kRelative) + 4 * kRelative;
      out.linear[i][j] = unit * entry;
      out.centre[j][i] = static_cast<float>(unit * entry);
      out.reach[j][i] = floatAbove(unit * spared);
      out.reach[j][3 + i] = floatAbove(unit * gram);
      out.axis[i][j] = static_cast<float>(entry);
      out.abs_axis[i][j] = floatAbove(spared);
    }
  }
  const double clearance = stretch * (1 + kRelative) * (margin + rounding) / to.scale();
  out.margin = floatAbove(clearance);
  std::fill_n(out.slack, 6, floatAbove(clearance + kCentre * (greatest(origin) + row_sum)));
  out.row_sum = floatAbove(row_sum * (1 + kRelative));
  return out;
}

[[nodiscard]] WideSearch searchFor(SimdPath path) {
  if (path == SimdPath::kAvx2) return wideSearchAvx2();
  return path == SimdPath::kSse2 ? wideSearchSse2() : wideSearchScalar();
}

}  // namespace

SearchCounts searchTrianglePairs(const WideTree& a, const WideTree& b, const Pose& b_in_a, double margin,
                                 bool any, const PairSink& sink) {
  const double rounding = kPlacingError * (length(a.origin()) + length(b.origin()) + a.scale() + b.scale() +
                                           length(b_in_a.translation));
  const Mat3 back = inverseOf(b_in_a.rotation);
  const WideQuery query{
      {{a.nodes(), a.leaves(), placementInto(a, b, b_in_a.rotation, b_in_a.translation, margin, rounding)},
       {b.nodes(), b.leaves(), placementInto(b, a, back, -(back * b_in_a.translation), margin, rounding)}},
      static_cast<float>(b.scale() / a.scale()),
      any};
  return searchFor(simdPath())(query, sink);
}

}  // namespace odemesh
