#include <png.h>

#include <odemesh/sim/input_error.hpp>
#include <odemesh/sim/render/image.hpp>

namespace odemesh::sim {

namespace {

/// libpng's description of an image, freed at the end of the scope.
struct PngImage {
  png_image header{};
  PngImage() {
    header.version = PNG_IMAGE_VERSION;
    header.format = PNG_FORMAT_RGBA;
  }
  ~PngImage() { png_image_free(&header); }
  PngImage(const PngImage&) = delete;
  PngImage& operator=(const PngImage&) = delete;
};

[[noreturn]] void fail(const std::filesystem::path& file, const char* what, const char* why) {
  throw InputError(file.string() + ": " + what + " (" + why + ")");
}

}  // namespace

Colour Image::at(int x, int y) const {
  if (x < 0 || y < 0 || x >= width || y >= height) throw std::out_of_range("pixel outside the image");
  const std::size_t first = 4 * (static_cast<std::size_t>(y) * width + x);
  const auto channel = [&](std::size_t i) { return static_cast<float>(rgba.at(first + i)) / 255.0F; };
  return {channel(0), channel(1), channel(2), channel(3)};
}

void savePng(const Image& image, const std::filesystem::path& file) {
  const auto bytes = 4 * static_cast<std::size_t>(image.width) * image.height;
  if (image.width <= 0 || image.height <= 0 || image.rgba.size() != bytes)
    fail(file, "there is no picture to write", "the image is empty or its size does not fit its pixels");
  PngImage png;
  png.header.width = image.width;
  png.header.height = image.height;
  if (png_image_write_to_file(&png.header, file.c_str(), 0, image.rgba.data(), 0, nullptr) == 0)
    fail(file, "the PNG file can't be written; give a file in a folder that exists", png.header.message);
}

Image loadPng(const std::filesystem::path& file) {
  PngImage png;
  if (png_image_begin_read_from_file(&png.header, file.c_str()) == 0)
    fail(file, "not a readable PNG file", png.header.message);
  png.header.format = PNG_FORMAT_RGBA;
  Image image{static_cast<int>(png.header.width), static_cast<int>(png.header.height), {}};
  image.rgba.resize(PNG_IMAGE_SIZE(png.header));
  if (png_image_finish_read(&png.header, nullptr, image.rgba.data(), 0, nullptr) == 0)
    fail(file, "the PNG file is damaged", png.header.message);
  return image;
}

}  // namespace odemesh::sim
