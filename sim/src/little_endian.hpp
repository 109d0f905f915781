// Numbers in binary files.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

namespace odemesh::sim {

/// The number of 4 bytes, the least first, from `offset` on; `bytes` has that many.
[[nodiscard]] inline std::uint32_t littleEndian32(const std::string& bytes, std::size_t offset) {
  std::uint32_t value = 0;
  for (std::size_t i = 4; i-- > 0;) value = value << 8 | static_cast<unsigned char>(bytes[offset + i]);
  return value;
}

}  // namespace odemesh::sim
