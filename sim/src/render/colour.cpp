#include <algorithm>
#include <odemesh/sim/render/colour.hpp>

namespace odemesh::sim {

namespace {

constexpr Colour fromHex(unsigned rgb) {
  const auto channel = [&](int shift) { return static_cast<float>(rgb >> shift & 0xffU) / 255.0F; };
  return {channel(16), channel(8), channel(0), 1};
}

// Muted, of similar lightness, warm and cool in turn so that neighbours stand out from each other.
constexpr Colour kPalette[kPaletteSize] = {
    fromHex(0xe07a4f), fromHex(0x4f8fc0), fromHex(0xe5b44c), fromHex(0x6a9f6b), fromHex(0xc95d63),
    fromHex(0x5fb0ac), fromHex(0xd98fa6), fromHex(0x8375b8), fromHex(0xb7b65a), fromHex(0x7f8fa6),
};

constexpr Colour mixed(const Colour& a, const Colour& b, float t) {
  return {a.r + (b.r - a.r) * t, a.g + (b.g - a.g) * t, a.b + (b.b - a.b) * t, a.a + (b.a - a.a) * t};
}

}  // namespace

Colour bodyColour(std::size_t index) {
  return kPalette[index % kPaletteSize];
}

Colour groundColour() {
  return fromHex(0xd5d8dc);
}

Colour depthColour(double depth, double reference_depth) {
  const double share = reference_depth > 0 ? depth / reference_depth : 1;
  const auto t = static_cast<float>(share > 0 ? std::min(share, 1.0) : 0.0);
  constexpr Colour kShallow = fromHex(0xffd92f);
  constexpr Colour kMiddle = fromHex(0xf46d25);
  constexpr Colour kDeep = fromHex(0xa50026);
  return t < 0.5F ? mixed(kShallow, kMiddle, 2 * t) : mixed(kMiddle, kDeep, 2 * t - 1);
}

}  // namespace odemesh::sim
