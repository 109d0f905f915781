// Colours, and the palette that bodies are told apart by.
#pragma once

#include <cstddef>

namespace odemesh::sim {

/// sRGB with opacity, each 0 to 1; the renderer clamps what lies outside.
struct Colour {
  float r = 0, g = 0, b = 0, a = 1;
  friend constexpr bool operator==(const Colour&, const Colour&) = default;
};

/// The colour of the `index`-th body: neighbours differ clearly, and after kPaletteSize they repeat.
[[nodiscard]] Colour bodyColour(std::size_t index);
inline constexpr std::size_t kPaletteSize = 10;

/// The neutral colour of the ground and of other static bodies.
[[nodiscard]] Colour groundColour();

/// Yellow for a contact that only touches, over orange to deep red at `reference_depth` (> 0) and beyond.
[[nodiscard]] Colour depthColour(double depth, double reference_depth);

}  // namespace odemesh::sim
