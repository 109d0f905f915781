// Triangle meshes from files, most of them through Assimp.
#pragma once

#include <filesystem>
#include <odemesh/sim/triangle_mesh.hpp>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace odemesh::sim {

/// Which axis of a file points up; the mesh is turned so that it becomes +z.
enum class UpAxis {
  kFromFile,  ///< y in glTF (its specification says so), what a DAE file declares, z in all others
  kX,
  kY,
  kZ,  ///< coordinates are taken as they stand
};

struct LoadOptions {
  /// Metres in a unit of the file, after what the file says itself: DAE files declare their unit and glTF is
  /// in metres. 1e-6 to 1e6.
  double scale = 1;
  UpAxis up = UpAxis::kFromFile;
  /// Only the sub-mesh, or the node's sub-meshes, of this name; empty: all. InputError lists the names if
  /// there is none such.
  std::string submesh{};
};

struct LoadedMesh {
  TriangleMesh mesh;
  /// Sentences for the user about what was left out or put right, each naming the file.
  std::vector<std::string> warnings;
};

/// The extensions that `loadMesh` takes, lower case, without the dot.
[[nodiscard]] std::span<const std::string_view> meshFileExtensions();

/// Loads STL (binary, ASCII), OBJ, PLY, glTF (.gltf, .glb), DAE and OFF files as one mesh, named after the
/// file (without its folder).
///
/// All sub-meshes of the default scene are merged under their nodes' transforms; polygons are triangulated,
/// concave ones too; vertices of equal position are joined whatever their normals and texture coordinates;
/// points, lines and triangles that use a vertex twice are left out with a warning. A closed surface that is
/// wound inside out is turned, with a warning. Open surfaces are taken as they are; Assimp makes one
/// of a glTF file with indices out of range, by leaving those triangles out. Assimp keeps coordinates
/// in single precision, seven digits, which is warned of for a shape so far from its origin that it turns
/// rough by that, and refused where it gets lost; OFF files are read without it.
///
/// Assimp runs in a process of its own, a fork of this one, for 20 seconds and two more for each megabyte of
/// the file at most: what it crashes on, or does not come back from, is refused like any other damaged file.
///
/// Throws InputError, naming the file, the element and the remedy, where nothing usable comes out: no such
/// file, a folder, an empty, truncated or damaged file, an unknown extension, NaN or infinite coordinates,
/// indices out of range, a PLY header or an OFF keyword that is not understood, counts that the file is too
/// small for, a file over 1 GiB, more than 50 million triangles, no triangles at all, or bad options.
[[nodiscard]] LoadedMesh loadMesh(const std::filesystem::path& path, const LoadOptions& options = {});

}  // namespace odemesh::sim
