// The least way off several walls at once.
#pragma once

#include <array>
#include <cstddef>
#include <odemesh/pose.hpp>
#include <optional>

namespace odemesh {

/// A half-space of ways that leave a face: those with dot(normal, way) >= depth.
struct Wall {
  Vec3 normal;
  double depth = 0;
};

/// The least way off the walls seen so far, and those of them that it is due to.
class LeastWay {
 public:
  [[nodiscard]] const Vec3& way() const { return way_; }

  /// Takes in a wall that the way does not leave. False if rounding leaves no basis.
  [[nodiscard]] bool add(const Wall& wall, double slack);

 private:
  struct Chosen {
    std::array<Wall, 4> walls;
    std::size_t size = 0;
  };

  [[nodiscard]] Chosen choose(const std::array<Wall, 4>& all, unsigned subset) const;
  [[nodiscard]] bool leaves(const Vec3& way, const std::array<Wall, 4>& all, double slack) const;

  std::array<Wall, 3> basis_;
  std::size_t size_ = 0;
  Chosen best_;
  Vec3 way_;
};

/// The least way off all walls, of which `findWorst(way)` gives the one that `way` leaves least, or none if
/// it leaves all but for `slack`.
template <typename FindWorst>
[[nodiscard]] std::optional<Vec3> leastWayOff(double slack, FindWorst&& findWorst) {
  /// A basis is exchanged at most so often; each time the way grows.
  constexpr int kMostExchanges = 24;
  LeastWay out;
  for (int i = 0; i < kMostExchanges; ++i) {
    const std::optional<Wall> worst = findWorst(out.way());
    if (!worst) return out.way();
    if (!out.add(*worst, slack)) return std::nullopt;
  }
  return std::nullopt;
}

}  // namespace odemesh
