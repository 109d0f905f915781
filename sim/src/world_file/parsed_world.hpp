// A world as its file describes it, before any mesh is loaded: what libsdformat's process hands over.
#pragma once

#include <odemesh/sim/world_file.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace odemesh::sim {

/// A part that becomes a mesh; until then its geometry is a MeshGeometry without one.
struct PendingMesh {
  enum class Kind { kFile, kHeightmap, kEllipsoid };
  Kind kind = Kind::kFile;
  std::size_t body = 0, part = 0;
  std::string owner{};    ///< the collision's name, for messages
  std::string file{};     ///< a mesh file or an image
  std::string submesh{};  ///< empty: all of the file
  bool is_centred = false;
  Vec3 size{1, 1, 1};  ///< factors of a file, extents of a heightmap, radii of an ellipsoid
};

struct ParsedWorld {
  WorldDescription world;
  std::vector<PendingMesh> meshes;
};

/// Reads a file with libsdformat, in this process. Throws InputError as `loadWorldFile` does, but not for
/// what is wrong with meshes; libsdformat may crash, throw anything or not come back.
[[nodiscard]] ParsedWorld parseWorldFile(const std::filesystem::path& path, const WorldFileOptions& options);

/// With its meshes, read by `loadMesh`. Throws InputError, naming `path`, for what is wrong with them, and
/// for what no world can be made of.
[[nodiscard]] WorldDescription completed(ParsedWorld parsed, const std::filesystem::path& path);

/// As bytes; geometries that have a mesh lose it.
[[nodiscard]] std::string packed(const ParsedWorld& parsed);

/// From what `packed` gave; throws std::length_error if it is not whole.
[[nodiscard]] ParsedWorld unpackedWorld(std::string_view bytes);

}  // namespace odemesh::sim
