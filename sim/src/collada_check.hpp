// What Assimp's DAE importer takes on trust and reads out of bounds where it is wrong.
#pragma once

#include <filesystem>

namespace odemesh::sim {

/// Throws InputError, naming the file and the element, unless a DAE file is well-formed XML whose arrays hold
/// as many values as they say and whose accessors stay inside of them. O(size of the file).
void requireSoundCollada(const std::filesystem::path& path);

}  // namespace odemesh::sim
