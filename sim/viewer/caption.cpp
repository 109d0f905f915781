#include "viewer/caption.hpp"

#include <imgui.h>

#include <algorithm>
#include <cmath>
#include <string_view>

namespace odemesh::viewer {
namespace {

constexpr float kFontSize = 13;  // pixels; the built-in font is sharp at multiples of it
constexpr int kInk = 45;

/// The built-in font of Dear ImGui as pixels, without a window.
class CaptionFont {
 public:
  explicit CaptionFont(int picture_height) {
    ImFontConfig config;
    config.OversampleH = config.OversampleV = 1;  // a pixel of the atlas is one of the picture
    config.PixelSnapH = true;
    config.SizePixels = kFontSize * static_cast<float>(std::clamp(picture_height / 200, 1, 8));
    font_ = atlas_.AddFontDefault(&config);
    atlas_.GetTexDataAsAlpha8(&pixels_, &width_, &height_);
  }

  [[nodiscard]] float size() const { return font_->FontSize; }
  [[nodiscard]] float widthOf(std::string_view text) const {
    float width = 0;
    for (const char c : text) width += glyph(c).AdvanceX;
    return width;
  }
  void write(std::string_view text, float left, float top, sim::Image& image) const {
    for (const char c : text) {
      writeGlyph(glyph(c), left, top, image);
      left += glyph(c).AdvanceX;
    }
  }

 private:
  [[nodiscard]] const ImFontGlyph& glyph(char c) const {
    return *font_->FindGlyph(static_cast<ImWchar>(static_cast<unsigned char>(c)));
  }

  void writeGlyph(const ImFontGlyph& g, float left, float top, sim::Image& image) const {
    const auto pixel = [](float share, int size) {
      return static_cast<int>(std::lround(share * static_cast<float>(size)));
    };
    const int u = pixel(g.U0, width_);
    const int v = pixel(g.V0, height_);
    const int x0 = static_cast<int>(std::lround(left + g.X0));
    const int y0 = static_cast<int>(std::lround(top + g.Y0));
    for (int y = 0; y < pixel(g.V1, height_) - v; ++y)
      for (int x = 0; x < pixel(g.U1, width_) - u; ++x)
        blend(image, x0 + x, y0 + y, pixels_[(v + y) * width_ + u + x]);
  }

  static void blend(sim::Image& image, int x, int y, int alpha) {
    if (x < 0 || y < 0 || x >= image.width || y >= image.height) return;
    const std::size_t first = 4 * (static_cast<std::size_t>(y) * image.width + x);
    for (std::size_t i = first; i < first + 3; ++i)
      image.rgba[i] = static_cast<std::uint8_t>((image.rgba[i] * (255 - alpha) + kInk * alpha) / 255);
  }

  ImFontAtlas atlas_;
  ImFont* font_ = nullptr;
  unsigned char* pixels_ = nullptr;
  int width_ = 0;
  int height_ = 0;
};

/// A light band at the top of a column, on which ink can be read whatever is behind it.
void brighten(sim::Image& image, const sim::Viewport& column, float left, float right, float bottom) {
  const int first = std::max(column.x, static_cast<int>(left));
  const int last = std::min(column.x + column.width, static_cast<int>(right));
  const int height = std::min(image.height, static_cast<int>(bottom));
  for (int y = 0; y < height; ++y)
    for (int x = first; x < last; ++x)
      for (std::size_t i = 0; i < 3; ++i) {
        std::uint8_t& channel = image.rgba[4 * (static_cast<std::size_t>(y) * image.width + x) + i];
        channel = static_cast<std::uint8_t>((channel + 2 * 255) / 3);
      }
}

}  // namespace

const char* captionOf(sim::Collider collider) {
  return collider == sim::Collider::kOdemesh ? "odemesh" : "ODE's own collider";
}

const char* shortCaptionOf(sim::Collider collider) {
  return collider == sim::Collider::kOdemesh ? "odemesh" : "ODE";
}

void addCaption(sim::Collider collider, const sim::Viewport& column, sim::Image& image) {
  const CaptionFont font(image.height);
  const auto room = static_cast<float>(column.width);
  const char* text =
      font.widthOf(captionOf(collider)) <= room ? captionOf(collider) : shortCaptionOf(collider);
  if (font.widthOf(text) > room) return;
  const float middle = static_cast<float>(column.x) + 0.5F * room;
  const float left = middle - 0.5F * font.widthOf(text);
  brighten(image, column, left - 0.5F * font.size(), left + font.widthOf(text) + 0.5F * font.size(),
           1.9F * font.size());
  font.write(text, left, 0.5F * font.size(), image);
}

}  // namespace odemesh::viewer
