// Ways out of a region that were measured before. Several questions ask the same points about the same
// directions, and a ray through the other mesh costs as much as some dozen look-ups.
#pragma once

#include <bit>
#include <cstdint>
#include <odemesh/pose.hpp>

#include "contact/stamped_table.hpp"

namespace odemesh {

class WayMemo {
 public:
  void clear() { lengths_.clear(); }

  /// How far `point` of mesh `side` has to move along `way`: by `measure()`, unless that was asked before.
  template <typename Measure>
  [[nodiscard]] double lengthOf(int side, const Vec3& point, const Vec3& way, Measure&& measure) {
    bool is_new = false;
    double& length = lengths_.at({point, way, side}, is_new);
    if (is_new) length = measure();
    return length;
  }

 private:
  struct Key {
    Vec3 point, way;
    int side;
    friend bool operator==(const Key&, const Key&) = default;
    [[nodiscard]] std::uint64_t hash() const {
      auto out = static_cast<std::uint64_t>(side);
      for (const double x : {point.x, point.y, point.z, way.x, way.y, way.z})
        out = out * 0x9e3779b97f4a7c15ULL + std::bit_cast<std::uint64_t>(x);
      return out;
    }
  };

  StampedTable<Key, double> lengths_;
};

}  // namespace odemesh
