#include "mid_phase/wide_pairs.hpp"

#include <algorithm>
#include <cmath>

#include "bvh/aabb.hpp"
#include "cofactors.hpp"
#include "mid_phase/wide_searches.hpp"
#include "vector_norms.hpp"

namespace odemesh {

namespace {

/// Units of float rounding to spare, relative to the numbers that are added up.
constexpr double kRelative = 1e-6;
/// The same for the centres of boxes, seen along any axis: six roundings of 6e-8 each, and some to spare.
constexpr double kCentre = 1e-6;

[[nodiscard]] Mat3 inverseOf(const Mat3& m) {
  const Mat3 cofactors = cofactorsOf(m);
  const double share = 1 / determinantOf(m, cofactors);
  return cofactors.transposed() * Mat3{{{share, 0, 0}, {0, share, 0}, {0, 0, share}}};
}

/// Into the frame of `to` from that of `from`: x -> linear * x + shift, in the meshes' units of length.
/// `margin` and `rounding` are lengths.
[[nodiscard]] TreePlacement placementInto(const WideTree& to, const WideTree& from, const Mat3& linear,
                                          const Vec3& shift, double margin, double rounding) {
  TreePlacement out{};
  const double unit = from.scale() / to.scale();
  const Vec3 origin = (linear * from.origin() + shift - to.origin()) / to.scale();
  const Mat3 columns = linear.transposed();
  double stretch_sq = 1, row_sum = 0;
  for (int i = 0; i < 3; ++i) {
    stretch_sq = std::max({stretch_sq, lengthSq(linear.row[i]), lengthSq(columns.row[i])});
    row_sum = std::max(row_sum, unit * sumOfComponents(linear.row[i]));
    out.shift[i] = origin[i];
    out.centre_shift[i] = static_cast<float>(origin[i]);
    for (int j = 0; j < 3; ++j) {
      const double entry = linear.row[i][j];
      // What is to spare covers rounding to float too.
      const double spared = std::abs(entry) * (1 + kRelative) + kRelative;
      out.linear[i][j] = unit * entry;
      out.centre[j][i] = static_cast<float>(unit * entry);
      out.reach[j][i] = static_cast<float>(unit * spared);
      out.axis[i][j] = static_cast<float>(entry);
      out.abs_axis[i][j] = static_cast<float>(spared);
    }
    // The reaches along the axes here take a share of each other along with the tilted axes.
    for (int j = 0; j <= i; ++j) {
      const double gram = std::abs(dot(columns.row[i], columns.row[j])) * (1 + kRelative) + 4 * kRelative;
      out.reach[j][3 + i] = out.reach[i][3 + j] = static_cast<float>(unit * gram);
    }
  }
  const double clearance = std::sqrt(stretch_sq) * (1 + kRelative) * (margin + rounding) / to.scale();
  out.margin = floatAbove(clearance);
  out.spare = floatAbove(clearance + kCentre * (greatestComponent(origin) + row_sum));
  std::fill_n(out.slack, 6, out.spare);
  out.row_sum = floatAbove(row_sum * (1 + kRelative));
  return out;
}

/// Lets what is placed move by `half_way`, along the axes and in the unit that it is taken to, forth and
/// back.
void letMove(TreePlacement& place, const Vec3& half_way) {
  const double rounding = 4 * kRelative * length(half_way);
  const auto lengthen = [&](float& slack, double by) { slack = floatAbove(double(slack) + by + rounding); };
  for (int i = 0; i < 3; ++i) {
    const Vec3 own_axis{place.axis[0][i], place.axis[1][i], place.axis[2][i]};
    place.half_way[i] = static_cast<float>(half_way[i]);
    lengthen(place.slack[i], std::abs(half_way[i]));
    lengthen(place.slack[3 + i], std::abs(dot(half_way, own_axis)));
  }
  lengthen(place.margin, 0);
  lengthen(place.spare, length(half_way));
}

/// What placing a vertex in double may lose, relative to the coordinates and offsets involved: some dozens of
/// roundings of 1e-16.
constexpr double kPlacingError = 8e-15;

/// How far placing a vertex in double may move it.
[[nodiscard]] double placingError(const WideTree& a, const WideTree& b, const Pose& b_in_a) {
  return kPlacingError *
         (length(a.origin()) + length(b.origin()) + a.scale() + b.scale() + length(b_in_a.translation));
}

[[nodiscard]] WideQuery queryOf(const WideTree& a, const WideTree& b, const Pose& b_in_a, double margin,
                                SearchKind kind) {
  const double rounding = placingError(a, b, b_in_a);
  const Mat3 back = inverseOf(b_in_a.rotation);
  return {
      {{a.nodes(), a.leaves(), placementInto(a, b, b_in_a.rotation, b_in_a.translation, margin, rounding)},
       {b.nodes(), b.leaves(), placementInto(b, a, back, -(back * b_in_a.translation), margin, rounding)}},
      static_cast<float>(b.scale() / a.scale()),
      kind};
}

/// At least the square of the greatest factor by which `m` or its transposed stretches a vector.
[[nodiscard]] double greatestStretchSq(const Mat3& m) {
  double most = 1;
  for (const Vec3& a : m.row) {
    double sum = 0;
    for (const Vec3& b : m.row) sum += std::abs(dot(a, b));
    if (!(sum <= most)) most = sum;  // a NaN stays one, and leaves nothing out
  }
  return most;
}

}  // namespace

SearchCounts searchTrianglePairs(const WideTree& a, const WideTree& b, const Pose& b_in_a, double margin,
                                 bool any, const PairSink& sink) {
  return wideSearches().pairs(queryOf(a, b, b_in_a, margin, any ? SearchKind::kAny : SearchKind::kAll), sink);
}

SearchCounts searchSweptPairs(const WideTree& a, const WideTree& b, const Pose& b_in_a, const Vec3& half_way,
                              double margin, const PairSink& sink) {
  WideQuery query = queryOf(a, b, b_in_a, margin, SearchKind::kSwept);
  const auto& [x, y, z] = query.tree[1].from_other.linear;
  const Vec3 in_a = half_way / a.scale();
  const Vec3 in_b{dot({x[0], x[1], x[2]}, in_a), dot({y[0], y[1], y[2]}, in_a),
                  dot({z[0], z[1], z[2]}, in_a)};
  letMove(query.tree[0].from_other, in_a);
  letMove(query.tree[1].from_other, in_b);
  return wideSearches().pairs(query, sink);
}

ClosestSoFar DistanceFrame::closest(double distance, const Vec3& direction, bool done) const {
  // Squares of less are not told apart from zero.
  constexpr double kLeastSq = 1e-30;
  const auto inUnit = [&](double unit, double stretch_sq) {
    const double length = distance / unit;
    return floatAbove(std::max(length * length * stretch_sq * (1 + 1e-5), kLeastSq));
  };
  ClosestSoFar out{floatAbove(distance / unit_b_ * (1 + 1e-6)),
                   {inUnit(unit_a_, stretch_sq_), inUnit(unit_b_, stretch_sq_)},
                   {},
                   0,
                   0,
                   done};
  const Vec3 line = direction * (1 - 1e-6);
  const Vec3 axis[2] = {line * (unit_a_ / unit_b_), rotation_.transposed() * line};
  const double ahead = dot(line, between_) / unit_b_;
  const double sum = sumOfComponents(axis[0]) + sumOfComponents(axis[1]) + std::abs(ahead);
  if (!(sum < 1e30)) return out;
  for (int tree = 0; tree < 2; ++tree)
    for (int i = 0; i < 3; ++i) out.axis[tree][i] = static_cast<float>(axis[tree][i]);
  out.ahead = static_cast<float>(ahead);
  out.slack = floatAbove(2e-6 * sum + rounding_ / unit_b_);
  return out;
}

DistanceFrame::DistanceFrame(const WideTree& a, const WideTree& b, const Pose& b_in_a)
    : rotation_(b_in_a.rotation),
      between_(b_in_a.apply(b.origin()) - a.origin()),
      unit_a_(a.scale()),
      unit_b_(b.scale()),
      rounding_(placingError(a, b, b_in_a)) {
  const double there = greatestStretchSq(rotation_), back = greatestStretchSq(inverseOf(rotation_));
  stretch_sq_ = there * back * back;
}

SearchCounts searchClosestTriangles(const WideTree& a, const WideTree& b, const Pose& b_in_a,
                                    const ClosestSoFar& closest, const DistanceSink& sink) {
  return wideSearches().distance(queryOf(a, b, b_in_a, 0, SearchKind::kAll), closest, sink);
}

}  // namespace odemesh
