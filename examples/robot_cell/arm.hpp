// An arm of seven moving parts over a table with two cylinders, and moves that are made only if nothing would
// collide.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "robot_cell/cell.hpp"

namespace robot_cell {

/// What a part can do: turn about an axis, in degrees, or open, in millimetres.
struct Drive {
  const char* name;
  const char* unit;
  double least, greatest;
  double step;  ///< a move is checked at places no farther apart than this
};

inline constexpr std::array<Drive, 7> kDrives{{{"joint1", "deg", -170, 170, 1},
                                               {"joint2", "deg", -120, 120, 1},
                                               {"joint3", "deg", -150, 150, 1},
                                               {"pitch", "deg", -120, 120, 1},
                                               {"yaw", "deg", -90, 90, 1},
                                               {"roll", "deg", -180, 180, 1},
                                               {"gripper", "mm", 0, 60, 1}}};

/// The index of a part in kDrives.
[[nodiscard]] std::optional<std::size_t> findPart(std::string_view name);

/// Why a move was refused.
struct Refusal {
  double at;                          ///< the value of the drive at which it would have happened
  std::vector<Collision> collisions;  ///< empty if the drive has no such range
};

class RobotCell {
 public:
  /// The arm stretched out along x, 0.27 m above the table.
  RobotCell();

  [[nodiscard]] const std::vector<Object>& objects() const { return objects_; }
  [[nodiscard]] double value(std::size_t part) const { return values_[part]; }

  /// Moves a part, and all that it carries, by `amount`. If anything would collide on the way the arm stays
  /// where it was and the first place where it would is returned.
  [[nodiscard]] std::optional<Refusal> move(std::size_t part, double amount, Mode mode);

 private:
  void place();

  std::vector<Object> objects_;  ///< the seven parts in the order of kDrives, then what is static
  std::array<double, 7> values_{};
};

}  // namespace robot_cell
