// A look at the numbers in a recording before tinygltf reads it.
#pragma once

#include <filesystem>

namespace odemesh::sim {

/// Throws InputError if `file`, a whole .glb, names a list of numbers for its meshes that is not there, or
/// has images, of which a recording has none: tinygltf (2.5, of images the newer ones, too) would read and
/// write where such numbers point. What is no JSON is left to it.
void requireSoundNumbers(const std::filesystem::path& file);

}  // namespace odemesh::sim
