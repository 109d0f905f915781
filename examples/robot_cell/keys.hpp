// Single keys from a terminal.
#pragma once

namespace robot_cell {

[[nodiscard]] bool isTerminal();

/// While it lives, keys arrive at once and are not echoed.
class RawKeys {
 public:
  RawKeys();
  ~RawKeys();
  RawKeys(const RawKeys&) = delete;
  RawKeys& operator=(const RawKeys&) = delete;

  /// Waits for a key; a negative number at the end of the input.
  [[nodiscard]] int next();
};

}  // namespace robot_cell
