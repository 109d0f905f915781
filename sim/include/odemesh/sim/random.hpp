// Seeded random numbers that are the same on every machine and with every standard library.
#pragma once

#include <cstdint>
#include <odemesh/pose.hpp>
#include <random>

namespace odemesh::sim {

/// Wraps the Mersenne twister, whose output the C++ standard fixes; its distributions are not fixed, so they
/// are here.
class Random {
 public:
  explicit Random(std::uint64_t seed) : engine_(seed) {}

  /// Uniform in [0, 1), in steps of 2^-53.
  [[nodiscard]] double uniform() { return static_cast<double>(engine_() >> 11) * 0x1p-53; }
  /// Uniform in [low, high).
  [[nodiscard]] double uniform(double low, double high) { return low + (high - low) * uniform(); }
  /// Uniform over all rotations (Shoemake, "Uniform random rotations", Graphics Gems III, 1992).
  [[nodiscard]] Mat3 rotation();

 private:
  std::mt19937_64 engine_;
};

}  // namespace odemesh::sim
