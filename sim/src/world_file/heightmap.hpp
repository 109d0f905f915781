// Terrain from grey images.
#pragma once

#include <filesystem>
#include <odemesh/sim/triangle_mesh.hpp>
#include <vector>

namespace odemesh::sim {

/// Samples of 0 to 1, rows from the top.
struct GreyImage {
  std::size_t width = 0;
  std::size_t height = 0;
  std::vector<float> samples;
};

/// Whether this build reads images; without libpng it does not.
[[nodiscard]] bool canReadImages();

/// A PNG file, as grey values of 8 or 16 bits. Throws InputError that names the file.
[[nodiscard]] GreyImage readGreyImage(const std::filesystem::path& file);

/// A solid with the image as its upper side, seen from above with the first row at the greatest y: size.x by
/// size.y around the origin, z from 0 at black to size.z at the image's brightest sample: the surface that
/// Gazebo classic makes of it with ODE's heightfield, twice as fine as the image. Images of more than
/// kMostRefined samples a side stay as coarse as they are, which differs between the samples alone. It
/// reaches a twentieth of its width down below z = 0. Needs 2 to kMostHeights samples a side.
[[nodiscard]] TriangleMesh terrainOf(const GreyImage& image, const Vec3& size);
inline constexpr std::size_t kMostRefined = 257;
inline constexpr std::size_t kMostHeights = 1025;

}  // namespace odemesh::sim
