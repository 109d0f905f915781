#include <map>
#include <new>
#include <odemesh/sim/input_error.hpp>
#include <odemesh/sim/mesh_check.hpp>
#include <odemesh/sim/mesh_file.hpp>
#include <odemesh/sim/shapes.hpp>
#include <set>
#include <system_error>
#include <tuple>
#include <utility>

#include "heightmap.hpp"
#include "isolated.hpp"
#include "parsed_world.hpp"

namespace odemesh::sim {
namespace {

namespace fs = std::filesystem;

// Scaled along the axes of its frame; a mirroring scale turns the winding over.
void scale(TriangleMesh& mesh, const Vec3& factors) {
  for (Vec3& v : mesh.vertices) v = {v.x * factors.x, v.y * factors.y, v.z * factors.z};
  if (factors.x * factors.y * factors.z < 0)
    for (auto& triangle : mesh.triangles) std::swap(triangle[1], triangle[2]);
}

void moveToCentre(TriangleMesh& mesh) {
  const Vec3 centre = boundsOf(mesh).centre();
  for (Vec3& v : mesh.vertices) v -= centre;
}

/// Loads the meshes that a world waits for; equal ones are loaded and prepared once.
class MeshLoader {
 public:
  explicit MeshLoader(std::string file) : file_(std::move(file)) {}

  void fill(ParsedWorld& parsed) {
    for (const PendingMesh& pending : parsed.meshes)
      parsed.world.bodies.at(pending.body).parts.at(pending.part).geometry = MeshGeometry{load(pending)};
    for (std::string& text : warnings_) parsed.world.warnings.push_back(std::move(text));
  }

 private:
  using Key = std::tuple<PendingMesh::Kind, std::string, std::string, bool, double, double, double>;
  using MeshPointer = std::shared_ptr<const CollisionMesh>;

  MeshPointer load(const PendingMesh& mesh) {
    const Vec3& size = mesh.size;
    MeshPointer& entry =
        meshes_[Key(mesh.kind, mesh.file, mesh.submesh, mesh.is_centred, size.x, size.y, size.z)];
    if (entry) return entry;
    try {
      return entry = CollisionMesh::make(trianglesOf(mesh));
    } catch (const InputError& error) {
      throw InputError(file_ + ": the <" + elementOf(mesh.kind) + "> of '" + mesh.owner +
                       "': " + error.what());
    }
  }

  static std::string elementOf(PendingMesh::Kind kind) {
    if (kind == PendingMesh::Kind::kEllipsoid) return "ellipsoid";
    return kind == PendingMesh::Kind::kHeightmap ? "heightmap" : "mesh";
  }

  TriangleMesh trianglesOf(const PendingMesh& mesh) {
    if (mesh.kind == PendingMesh::Kind::kEllipsoid) return ellipsoid(mesh.size);
    return mesh.kind == PendingMesh::Kind::kHeightmap ? heightmap(mesh) : fromFile(mesh);
  }

  static TriangleMesh ellipsoid(const Vec3& radii) {
    TriangleMesh shape = makeIcosphere(1, 3);
    scale(shape, radii);
    shape.name = "ellipsoid";
    return shape;
  }

  static TriangleMesh heightmap(const PendingMesh& mesh) {
    TriangleMesh terrain = terrainOf(readGreyImage(mesh.file), mesh.size);
    terrain.name = "heightmap";
    return terrain;
  }

  TriangleMesh fromFile(const PendingMesh& mesh) {
    LoadOptions options;
    options.submesh = mesh.submesh;
    LoadedMesh loaded = loadMesh(mesh.file, options);
    for (std::string& text : loaded.warnings)
      if (said_.insert(text).second) warnings_.push_back(std::move(text));
    if (mesh.is_centred && !mesh.submesh.empty()) moveToCentre(loaded.mesh);
    scale(loaded.mesh, mesh.size);
    return std::move(loaded.mesh);
  }

  std::string file_;
  std::map<Key, MeshPointer> meshes_;
  std::set<std::string> said_;
  std::vector<std::string> warnings_;
};

/// For a thousand included models libsdformat needs 25 s and 2.5 GB.
IsolatedLimits limitsFor(const fs::path& path) {
  std::error_code error;
  const std::uintmax_t size = fs::file_size(path, error);
  IsolatedLimits out;
  out.cpu_seconds = 120;
  out.wall_seconds = 3 * out.cpu_seconds;
  out.bytes = (std::uint64_t{4} << 30) + (error ? 0 : 100 * size);
  return out;
}

/// libsdformat does not come back from models that include themselves, among others.
ParsedWorld parseIsolated(const fs::path& path, const WorldFileOptions& options) try {
  return unpackedWorld(runIsolated([&] { return packed(parseWorldFile(path, options)); }, limitsFor(path)));
} catch (const IsolatedFailure& failure) {
  throw InputError(path.string() + ": can't be read (libsdformat " + failure.what() + "); correct the file");
} catch (const std::bad_alloc&) {
  throw InputError(path.string() +
                   ": needs more memory than a world may take; divide it, if no model in it includes itself");
} catch (const std::system_error& error) {
  throw InputError(path.string() + ": can't be read (no process for it: " + error.what() + ")");
}

}  // namespace

bool canLoadWorldFiles() {
  return true;
}

WorldDescription completed(ParsedWorld parsed, const fs::path& path) {
  MeshLoader(path.string()).fill(parsed);
  try {
    static_cast<void>(makeWorld(parsed.world));
  } catch (const InputError& error) {
    throw InputError(path.string() + ": " + error.what());
  }
  return std::move(parsed.world);
}

WorldDescription loadWorldFile(const fs::path& path, const WorldFileOptions& options) {
  return completed(parseIsolated(path, options), path);
}

}  // namespace odemesh::sim
