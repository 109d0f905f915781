#include <png.h>

#include <cstdint>
#include <odemesh/sim/input_error.hpp>

#include "heightmap.hpp"

namespace odemesh::sim {
namespace {

/// libpng's description of an image, freed at the end of the scope.
struct PngImage {
  png_image header{};
  PngImage() { header.version = PNG_IMAGE_VERSION; }
  ~PngImage() { png_image_free(&header); }
  PngImage(const PngImage&) = delete;
  PngImage& operator=(const PngImage&) = delete;
};

// In the format that has been chosen in the header; the values are those of the file.
template <class Sample>
std::vector<float> samplesOf(PngImage& png, const std::filesystem::path& file) {
  std::vector<Sample> values(PNG_IMAGE_SIZE(png.header) / sizeof(Sample));
  const png_color black{0, 0, 0};  // under what is transparent
  if (png_image_finish_read(&png.header, &black, values.data(), 0, nullptr) == 0)
    throw InputError(file.string() + ": the PNG file is damaged (" + png.header.message +
                     "); export it again");
  std::vector<float> out;
  out.reserve(values.size());
  constexpr auto kWhite = static_cast<float>(static_cast<Sample>(-1));
  for (const Sample value : values) out.push_back(static_cast<float>(value) / kWhite);
  return out;
}

}  // namespace

bool canReadImages() {
  return true;
}

// libpng takes samples of 16 bits as linear, and would convert those of 8 bits if they were asked for so.
GreyImage readGreyImage(const std::filesystem::path& file) {
  PngImage png;
  if (png_image_begin_read_from_file(&png.header, file.c_str()) == 0)
    throw InputError(file.string() + ": not a readable PNG file (" + png.header.message +
                     "); give a grey PNG image");
  GreyImage out{png.header.width, png.header.height, {}};
  for (const std::size_t side : {out.width, out.height})
    if (side < 2 || side > kMostHeights)
      throw InputError(file.string() + ": is of " + std::to_string(out.width) + " x " +
                       std::to_string(out.height) + " samples; a heightmap takes 2 to " +
                       std::to_string(kMostHeights) + " a side");
  const bool deep = (png.header.format & PNG_FORMAT_FLAG_LINEAR) != 0;
  png.header.format = deep ? PNG_FORMAT_LINEAR_Y : PNG_FORMAT_GRAY;
  out.samples = deep ? samplesOf<std::uint16_t>(png, file) : samplesOf<std::uint8_t>(png, file);
  return out;
}

}  // namespace odemesh::sim
