#include <assimp/config.h>
#include <assimp/scene.h>

#include <algorithm>
#include <array>
#include <assimp/Importer.hpp>
#include <cctype>
#include <cmath>
#include <limits>
#include <new>
#include <odemesh/sim/input_error.hpp>
#include <odemesh/sim/mesh_check.hpp>
#include <odemesh/sim/mesh_file.hpp>
#include <odemesh/sim/polygon.hpp>
#include <optional>
#include <sstream>
#include <system_error>
#include <utility>

#include "isolated.hpp"
#include "mesh_preflight.hpp"
#include "obj_text.hpp"
#include "off_file.hpp"
#include "raw_mesh.hpp"
#include "stl_text.hpp"
#include "text_file.hpp"

namespace odemesh::sim {
namespace {

using Transform = aiMatrix4x4t<double>;

constexpr std::array<std::string_view, 7> kExtensions = {"stl", "obj", "ply", "gltf", "glb", "dae", "off"};
constexpr std::size_t kMaxTriangles = 50'000'000;

// What rounding to single precision may do to a shape, as a share of its diagonal: beyond the one, finely cut
// surfaces turn rough; beyond the other, it is no longer the shape of the file.
constexpr double kRoughShare = 1e-4;
constexpr double kLostShare = 1e-2;

std::string lowerExtension(const std::filesystem::path& path) {
  std::string extension = path.extension().string();
  if (!extension.empty()) extension.erase(0, 1);
  std::transform(extension.begin(), extension.end(), extension.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return extension;
}

void requireOptions(const LoadOptions& options) {
  if (options.scale >= 1e-6 && options.scale <= 1e6) return;
  std::ostringstream text;
  text << "scale is " << options.scale << "; give 1e-6 to 1e6 metres a unit";
  throw InputError(text.str());
}

/// The file's axes to z up, and its unit to metres. Assimp turns DAE files to y up by what they declare.
Transform baseTransform(const LoadOptions& options, const std::string& extension) {
  const bool y_by_format = extension == "gltf" || extension == "glb" || extension == "dae";
  const UpAxis up = options.up != UpAxis::kFromFile ? options.up : y_by_format ? UpAxis::kY : UpAxis::kZ;
  const double s = options.scale;
  if (up == UpAxis::kX) return {0, s, 0, 0, 0, 0, s, 0, s, 0, 0, 0, 0, 0, 0, 1};
  if (up == UpAxis::kY) return {s, 0, 0, 0, 0, 0, -s, 0, 0, s, 0, 0, 0, 0, 0, 1};
  return {s, 0, 0, 0, 0, s, 0, 0, 0, 0, s, 0, 0, 0, 0, 1};
}

void requireCount(const std::string& file, std::size_t triangles) {
  if (triangles <= kMaxTriangles) return;
  throw InputError(file + ": has more than 50 million triangles; simplify the mesh");
}

/// Collects the sub-meshes of one file.
class Collector {
 public:
  Collector(std::string file, std::string submesh) : file_(std::move(file)), submesh_(std::move(submesh)) {}

  /// Throws unless every face of every sub-mesh names vertices that exist and are finite. To be called before
  /// any of Assimp's own steps touch the faces: not every importer checks the indices it reads.
  void requireSound(const aiScene& scene) const {
    for (unsigned i = 0; i < scene.mNumMeshes; ++i) requireSound(*scene.mMeshes[i], i);
  }

  /// Appends the triangles of a node's sub-meshes and of those of its children.
  void appendTree(const aiScene& scene, const Transform& base) {
    if (scene.mRootNode == nullptr) return;
    std::vector<std::pair<const aiNode*, Transform>> pending = {{scene.mRootNode, base}};
    while (!pending.empty()) {
      const auto [node, parent] = pending.back();
      pending.pop_back();
      const Transform transform = parent * Transform(node->mTransformation);
      for (unsigned i = 0; i < node->mNumMeshes; ++i) {
        const aiMesh& part = *scene.mMeshes[node->mMeshes[i]];
        if (isWanted(*node, part)) append(part, transform);
      }
      // Pushed in reverse, so that they are visited in the order of the file.
      for (unsigned i = node->mNumChildren; i-- > 0;) pending.emplace_back(node->mChildren[i], transform);
    }
  }

  /// Throws if a sub-mesh was asked for by a name that none has.
  void requireSubmesh() const {
    if (submesh_.empty() || found_) return;
    throw InputError(file_ + ": has no sub-mesh '" + submesh_ + "'; there are: " + names_);
  }

  RawMesh out;

 private:
  void requireSound(const aiMesh& part, unsigned part_index) const {
    for (unsigned f = 0; f < part.mNumFaces; ++f)
      for (unsigned i = 0; i < part.mFaces[f].mNumIndices; ++i) {
        const unsigned vertex = part.mFaces[f].mIndices[i];
        const auto refuse = [&](const std::string& what) {
          throw InputError(file_ + ": sub-mesh " + std::to_string(part_index) + ", face " +
                           std::to_string(f) + ": vertex " + std::to_string(vertex) + what +
                           "; repair the file or export it again");
        };
        if (vertex >= part.mNumVertices)
          refuse(" does not exist, there are " + std::to_string(part.mNumVertices));
        const aiVector3D& p = part.mVertices[vertex];
        if (!isFinite(Vec3{p.x, p.y, p.z})) refuse(" has a NaN or infinite coordinate");
      }
  }

  void append(const aiMesh& part, const Transform& transform) {
    requireCount(file_, out.mesh.triangles.size() + part.mNumFaces);
    const auto offset = static_cast<std::uint32_t>(out.mesh.vertices.size());
    for (unsigned i = 0; i < part.mNumVertices; ++i) {
      const aiVector3D& p = part.mVertices[i];
      const aiVector3t<double> moved = transform * aiVector3t<double>(p.x, p.y, p.z);
      out.mesh.vertices.push_back({moved.x, moved.y, moved.z});
    }
    const double volume_scale = transform.Determinant();
    for (unsigned i = 0; i < part.mNumFaces; ++i) appendFace(part.mFaces[i], offset, volume_scale < 0);
    constexpr double kHalfPlace = std::numeric_limits<float>::epsilon() / 2;
    out.rounding =
        std::max(out.rounding, kHalfPlace * farthestCorner(part) * std::cbrt(std::abs(volume_scale)));
  }

  // The greatest coordinate that a face uses.
  static double farthestCorner(const aiMesh& part) {
    double most = 0;
    for (unsigned f = 0; f < part.mNumFaces; ++f)
      for (unsigned i = 0; i < part.mFaces[f].mNumIndices; ++i) {
        const aiVector3D& p = part.mVertices[part.mFaces[f].mIndices[i]];
        most = std::max<double>(most, std::max({std::abs(p.x), std::abs(p.y), std::abs(p.z)}));
      }
    return most;
  }

  void appendFace(const aiFace& face, std::uint32_t offset, bool mirrored) {
    if (face.mNumIndices < 3) {
      ++out.points_and_lines;
      return;
    }
    corners_.assign(face.mIndices, face.mIndices + face.mNumIndices);
    for (std::uint32_t& corner : corners_) corner += offset;
    if (mirrored) std::reverse(corners_.begin(), corners_.end());
    appendPolygon(out.mesh, corners_);
  }

  bool isWanted(const aiNode& node, const aiMesh& part) {
    if (submesh_.empty()) return true;
    const std::string name = part.mName.C_Str();
    names_ += (names_.empty() ? "'" : ", '") + name + "'";
    const bool wanted = name == submesh_ || node.mName.C_Str() == submesh_;
    found_ = found_ || wanted;
    return wanted;
  }

  std::string file_;
  std::string submesh_;
  std::string names_;  ///< of the sub-meshes that were met, for the message
  bool found_ = false;
  std::vector<std::uint32_t> corners_;  ///< of one face; kept for its storage
};

const aiScene& requireScene(const aiScene* scene, const Assimp::Importer& importer, const std::string& file) {
  if (scene != nullptr) return *scene;
  throw InputError(file + ": can't be read (" + importer.GetErrorString() +
                   "); check that its content fits its extension, and export it again");
}

/// The text of a file that Assimp would misread, as it reads it; nothing for all others.
std::optional<std::string> plainText(const std::filesystem::path& path, const std::string& extension) {
  if (extension == "obj") return plainObj(path);
  if (extension == "stl") return plainStl(path);
  std::ifstream file(path, std::ios::binary);
  if (extension == "ply" && skipByteOrderMark(file)) return contentOf(path).substr(kByteOrderMark.size());
  return std::nullopt;
}

/// What the file holds, under its nodes' transforms and the caller's options.
RawMesh readScene(const std::filesystem::path& path, const LoadOptions& options,
                  const std::string& extension) {
  const std::string file = path.string();
  Assimp::Importer importer;
  // DAE files are turned only where the caller left it to the file. None of Assimp's later steps is asked
  // for: its triangulation, for one, aborts the program at a face without corners.
  importer.SetPropertyBool(AI_CONFIG_IMPORT_COLLADA_IGNORE_UP_DIRECTION, options.up != UpAxis::kFromFile);
  Collector collector(file, options.submesh);
  const std::optional<std::string> rewritten = plainText(path, extension);
  const aiScene& scene = requireScene(
      rewritten ? importer.ReadFileFromMemory(rewritten->data(), rewritten->size(), 0, extension.c_str())
                : importer.ReadFile(file, 0),
      importer, file);
  collector.requireSound(scene);
  collector.appendTree(scene, baseTransform(options, extension));
  collector.requireSubmesh();
  return std::move(collector.out);
}

/// Enough for any honest file of the size: Assimp reads some megabytes a second, into some dozens of bytes a
/// byte.
IsolatedLimits limitsFor(const std::filesystem::path& path) {
  const std::uintmax_t size = std::filesystem::file_size(path);
  IsolatedLimits out;
  out.cpu_seconds = static_cast<unsigned>(20 + (size >> 19));
  out.wall_seconds = 3 * out.cpu_seconds;
  out.bytes = (std::uint64_t{1} << 30) + 100 * size;
  return out;
}

/// Assimp has been seen to crash, and not to come back, on damaged files of every format; where it does, the
/// file is refused.
RawMesh readIsolated(const std::filesystem::path& path, const LoadOptions& options,
                     const std::string& extension) try {
  return unpacked(runIsolated([&] { return packed(readScene(path, options, extension)); }, limitsFor(path)));
} catch (const IsolatedFailure& failure) {
  throw InputError(path.string() + ": can't be read (Assimp " + failure.what() +
                   "); it is damaged, export it again or in another format");
} catch (const std::system_error& error) {
  throw InputError(path.string() + ": can't be read (no process for it: " + error.what() + ")");
}

RawMesh readOffMesh(const std::filesystem::path& path, const LoadOptions& options) {
  if (!options.submesh.empty())
    throw InputError(path.string() + ": has no sub-mesh '" + options.submesh +
                     "'; OFF files have no parts with names");
  RawMesh out = readOff(path);
  requireCount(path.string(), out.mesh.triangles.size());
  const Transform base = baseTransform(options, "off");
  for (Vec3& v : out.mesh.vertices) {
    const aiVector3t<double> moved = base * aiVector3t<double>(v.x, v.y, v.z);
    v = {moved.x, moved.y, moved.z};
  }
  return out;
}

/// A warning where single precision has made the shape rough, or nothing. Throws where it has taken it away.
std::optional<std::string> roundingWarning(const RawMesh& raw) {
  const Bounds bounds = boundsOf(raw.mesh);
  const double size = bounds.diagonal();
  if (!(raw.rounding > kRoughShare * size)) return std::nullopt;
  const Vec3 centre = bounds.centre();
  std::ostringstream text;
  text << raw.mesh.name << ": lies around (" << centre.x << ", " << centre.y << ", " << centre.z
       << "), where single precision puts vertices up to " << raw.rounding << " m off, and as read is "
       << size << " m across; export it around its own origin, and place it by the pose of its body";
  if (raw.rounding > kLostShare * size) throw InputError(text.str());
  return text.str();
}

std::string countOf(std::size_t count, const std::string& one, const std::string& many) {
  return std::to_string(count) + " " + (count == 1 ? one : many);
}

}  // namespace

std::span<const std::string_view> meshFileExtensions() {
  return kExtensions;
}

LoadedMesh loadMesh(const std::filesystem::path& path, const LoadOptions& options) try {
  requireOptions(options);
  const std::string extension = lowerExtension(path);
  LoadedMesh out;
  out.warnings = preflight(path, extension);
  RawMesh collected =
      extension == "off" ? readOffMesh(path, options) : readIsolated(path, options, extension);
  collected.mesh.name = path.string();  // whole in messages from here on
  if (std::optional<std::string> warning = roundingWarning(collected)) out.warnings.push_back(*warning);
  requireUsable(collected.mesh);
  out.mesh = welded(collected.mesh);

  const std::size_t collapsed = collected.mesh.triangles.size() - out.mesh.triangles.size();
  if (collected.points_and_lines > 0)
    out.warnings.push_back(path.string() + ": left out " +
                           countOf(collected.points_and_lines, "point or line", "points and lines") +
                           "; only its surface is used");
  if (collapsed > 0)
    out.warnings.push_back(path.string() + ": left out " +
                           countOf(collapsed, "triangle that uses", "triangles that use") +
                           " a vertex twice; nothing is lost by it");
  requireUsable(out.mesh);
  if (turnOutward(out.mesh))
    out.warnings.push_back(path.string() +
                           ": was inside out and its winding has been reversed; export it with " +
                           "normals that point outwards");
  out.mesh.name = path.filename().string();
  return out;
} catch (const std::bad_alloc&) {
  throw InputError(path.string() + ": needs more memory than there is; simplify the mesh");
} catch (const std::length_error&) {
  throw InputError(path.string() + ": needs more memory than there is; simplify the mesh");
}

}  // namespace odemesh::sim
