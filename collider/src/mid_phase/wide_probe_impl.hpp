// A template on the type of eight floats, under the rules of wide_search_impl.hpp.
#pragma once

#include "mesh/probe.hpp"
#include "mid_phase/wide_search.hpp"

namespace odemesh {

template <typename F>
class WideProber {
 public:
  explicit WideProber(const WideProbeQuery& query)
      : solid_(*query.solid),
        surface_(*query.surface),
        row_{F::all(query.linear[0][0]), F::all(query.linear[0][1]), F::all(query.linear[0][2]),
             F::all(query.linear[1][0]), F::all(query.linear[1][1]), F::all(query.linear[1][2]),
             F::all(query.linear[2][0]), F::all(query.linear[2][1]), F::all(query.linear[2][2])},
        shift_{F::all(query.shift[0]), F::all(query.shift[1]), F::all(query.shift[2])},
        slack_(query.slack) {}

  [[nodiscard]] bool passesThrough() const { return hasPointInBall() && hasPointOutside(); }

 private:
  /// Eight points of the surface, along one axis of the solid.
  [[nodiscard]] F placed(std::size_t i, int axis) const {
    return F::load(surface_.point[0] + i) * row_[3 * axis] +
           F::load(surface_.point[1] + i) * row_[3 * axis + 1] +
           F::load(surface_.point[2] + i) * row_[3 * axis + 2] + shift_[axis];
  }

  [[nodiscard]] bool hasPointInBall() const {
    for (std::size_t i = 0; i < Probe::kPoints; i += 8) {
      const F at[3] = {placed(i, 0), placed(i, 1), placed(i, 2)};
      unsigned points = ~clearOf(solid_.balls_low, solid_.balls_high, 0, at) & 0xffU;
      if (points == 0) continue;
      float x[3][8];
      for (int axis = 0; axis < 3; ++axis) at[axis].store(x[axis]);
      for (; points != 0; points &= points - 1) {
        const int lane = __builtin_ctz(points);
        if (isInBall(x[0][lane], x[1][lane], x[2][lane])) return true;
      }
    }
    return false;
  }

  [[nodiscard]] bool hasPointOutside() const {
    for (std::size_t i = 0; i < Probe::kPoints; i += 8) {
      const F at[3] = {placed(i, 0), placed(i, 1), placed(i, 2)};
      if (clearOf(solid_.low, solid_.high, slack_, at) != 0) return true;
    }
    return false;
  }

  /// One bit for each point that is not in a box, `slack` wider.
  [[nodiscard]] static unsigned clearOf(const float low[3], const float high[3], float slack, const F at[3]) {
    Mask clear = (F::all(low[0] - slack) > at[0]) | (at[0] > F::all(high[0] + slack));
    for (int axis = 1; axis < 3; ++axis)
      clear = clear | (F::all(low[axis] - slack) > at[axis]) | (at[axis] > F::all(high[axis] + slack));
    return clear.bits();
  }

  [[nodiscard]] bool isInBall(float x, float y, float z) const {
    for (std::size_t i = 0; i < Probe::kBalls; i += 8) {
      const F dx = F::load(solid_.centre[0] + i) - F::all(x), dy = F::load(solid_.centre[1] + i) - F::all(y),
              dz = F::load(solid_.centre[2] + i) - F::all(z);
      const F reach = max(F::load(solid_.radius + i) - F::all(slack_), F::all(0));
      if ((reach * reach > dx * dx + dy * dy + dz * dz).bits() != 0) return true;
    }
    return false;
  }

  using Mask = typename F::Mask;
  const Probe &solid_, &surface_;
  F row_[9], shift_[3];
  float slack_;
};

template <typename F>
bool wideProbe(const WideProbeQuery& query) {
  return WideProber<F>(query).passesThrough();
}

}  // namespace odemesh
