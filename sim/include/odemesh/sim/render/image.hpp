// Pictures in memory, and PNG files of them.
#pragma once

#include <cstdint>
#include <filesystem>
#include <odemesh/sim/render/colour.hpp>
#include <vector>

namespace odemesh::sim {

/// An sRGB picture, 8 bits a channel, rows from the top, four bytes (R, G, B, A) a pixel.
struct Image {
  int width = 0;
  int height = 0;
  std::vector<std::uint8_t> rgba;  ///< 4 * width * height bytes

  /// The pixel in column `x` (from the left) and row `y` (from the top); throws std::out_of_range outside.
  [[nodiscard]] Colour at(int x, int y) const;
  friend bool operator==(const Image&, const Image&) = default;
};

/// Writes `image` as a PNG. Throws InputError that names the file if it can't be written or the image is
/// empty.
void savePng(const Image& image, const std::filesystem::path& file);

/// Reads a PNG file. Throws InputError that names the file.
[[nodiscard]] Image loadPng(const std::filesystem::path& file);

}  // namespace odemesh::sim
