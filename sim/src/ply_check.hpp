// What Assimp's PLY importer takes on trust, and crashes on where it is wrong.
#pragma once

#include <filesystem>

namespace odemesh::sim {

/// Throws InputError, naming the file and the line, or the element, unless a PLY file has a header that can
/// be understood to the last line, vertices with x, y and z, and all the values that the header promises: in
/// binary files with every list inside the file, in text files as numbers, a line for each element. O(size of
/// the file).
void requireSoundPly(const std::filesystem::path& path);

}  // namespace odemesh::sim
