#include <tiny_gltf.h>

#include <cmath>
#include <cstring>
#include <map>
#include <odemesh/sim/input_error.hpp>
#include <odemesh/sim/mesh_check.hpp>
#include <odemesh/sim/recorded_motion.hpp>
#include <odemesh/sim/recording.hpp>

#include "mesh_preflight.hpp"
#include "recording/glb_numbers.hpp"
#include "regular_file.hpp"

namespace odemesh::sim {
namespace {

/// Reads what Writer in gltf_file.cpp has written; nothing in the file is taken on trust.
class Reader {
 public:
  explicit Reader(const std::filesystem::path& file) : file_(file.string()) {
    requireRegularFile(file, "recording");
    requireWholeGlb(file);
    requireSoundNumbers(file);
    tinygltf::TinyGLTF gltf;
    std::string error;
    std::string warning;
    if (!gltf.LoadBinaryFromFile(&model_, &error, &warning, file_))
      throw InputError(file_ + ": can't be read as a recording (" + error.substr(0, error.find('\n')) +
                       "); give a whole .glb that --record wrote");
  }

  [[nodiscard]] std::map<std::string, std::string> notes() const {
    std::map<std::string, std::string> out;
    const tinygltf::Value& extras = model_.asset.extras;
    if (extras.IsObject() && extras.Has("odemesh"))
      for (const std::string& key : extras.Get("odemesh").Keys())
        if (extras.Get("odemesh").Get(key).IsString())
          out[key] = extras.Get("odemesh").Get(key).Get<std::string>();
    return out;
  }

  [[nodiscard]] RecordedMotion motion() {
    RecordedMotion out;
    out.notes = notes();
    out.times = {0};
    const tinygltf::Scene& scene = at(model_.scenes, model_.defaultScene, "scene");
    const tinygltf::Node& root = at(model_.nodes, scene.nodes.empty() ? -1 : scene.nodes[0], "node");
    readTimes(out);
    for (const int index : root.children) readBody(index, out);
    return out;
  }

 private:
  [[noreturn]] void refuse(const std::string& what) const {
    throw InputError(file_ + ": is damaged (" + what + "); record it again");
  }

  template <class T>
  const T& at(const std::vector<T>& list, int index, const char* what) const {
    if (index < 0 || static_cast<std::size_t>(index) >= list.size())
      refuse(std::string("it names a ") + what + " that does not exist");
    return list[static_cast<std::size_t>(index)];
  }

  // `width` floats an element.
  [[nodiscard]] std::vector<float> floatsOf(int index, std::size_t width) const {
    const tinygltf::Accessor& accessor = at(model_.accessors, index, "list of numbers");
    const tinygltf::BufferView& view = at(model_.bufferViews, accessor.bufferView, "part of its data");
    const tinygltf::Buffer& buffer = at(model_.buffers, view.buffer, "buffer");
    if (accessor.componentType != TINYGLTF_COMPONENT_TYPE_FLOAT ||
        tinygltf::GetNumComponentsInType(static_cast<std::uint32_t>(accessor.type)) !=
            static_cast<int>(width) ||
        view.byteStride != 0)
      refuse("a list of numbers is not of the kind that is needed");
    const std::size_t size = buffer.data.size();
    const std::size_t start = view.byteOffset + accessor.byteOffset;
    if (view.byteOffset > size || start > size || accessor.count > (size - start) / (width * sizeof(float)))
      refuse("a list of numbers goes beyond its data");
    std::vector<float> out(accessor.count * width);
    if (!out.empty()) std::memcpy(out.data(), buffer.data.data() + start, out.size() * sizeof(float));
    for (const float value : out)
      if (!std::isfinite(value)) refuse("a number is not finite");
    return out;
  }

  void readTimes(RecordedMotion& out) const {
    if (model_.animations.empty() || model_.animations[0].samplers.empty()) return;
    const std::vector<float> times = floatsOf(model_.animations[0].samplers[0].input, 1);
    if (times.empty()) refuse("its animation has no frames");
    out.times.assign(times.begin(), times.end());
    for (std::size_t i = 1; i < out.times.size(); ++i)
      if (!(out.times[i - 1] < out.times[i])) refuse("the times of its frames do not increase");
  }

  void readBody(int index, RecordedMotion& out) {
    const tinygltf::Node& node = at(model_.nodes, index, "node");
    BodySpec body;
    body.name = node.name;
    for (const int child : node.children) readPart(at(model_.nodes, child, "node"), body);
    RecordedMotion::Track track{{translationOf(node)}, {rotationOf(node)}};
    body.is_static = !readTrack(index, out.times.size(), track);
    if (!body.is_static) body.inertial = Inertial{1, {}, Mat3{}};
    out.tracks.push_back(std::move(track));
    out.bodies.push_back(std::move(body));
    out.bodies.back().pose = out.pose(out.bodies.size() - 1, 0);
  }

  void readPart(const tinygltf::Node& node, BodySpec& body) {
    RecordedMotion place;
    place.times = {0};
    place.tracks.push_back({{translationOf(node)}, {rotationOf(node)}});
    Part part;
    part.pose = place.pose(0, 0);
    part.geometry = MeshGeometry{meshOf(node.mesh)};
    body.parts.push_back(std::move(part));
  }

  [[nodiscard]] Vec3 translationOf(const tinygltf::Node& node) const {
    if (node.translation.empty()) return {};
    if (node.translation.size() != 3) refuse("a node has a place of other than 3 numbers");
    const Vec3 out{node.translation[0], node.translation[1], node.translation[2]};
    if (!isFinite(out)) refuse("a node's place is not finite");
    return out;
  }

  [[nodiscard]] std::array<double, 4> rotationOf(const tinygltf::Node& node) const {
    if (node.rotation.empty()) return {0, 0, 0, 1};
    if (node.rotation.size() != 4) refuse("a node has a rotation of other than 4 numbers");
    return unit({node.rotation[0], node.rotation[1], node.rotation[2], node.rotation[3]});
  }

  [[nodiscard]] std::array<double, 4> unit(std::array<double, 4> q) const {
    const double norm = std::sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
    if (!(norm > 0.5 && norm < 2)) refuse("a rotation is not of unit length");
    for (double& value : q) value /= norm;
    return q;
  }

  // False for a body that stands still.
  bool readTrack(int node, std::size_t frames, RecordedMotion::Track& out) const {
    if (model_.animations.empty()) return false;
    const tinygltf::Animation& animation = model_.animations[0];
    bool moves = false;
    for (const tinygltf::AnimationChannel& channel : animation.channels) {
      if (channel.target_node != node) continue;
      const int output = at(animation.samplers, channel.sampler, "sampler").output;
      if (channel.target_path == "translation") readTranslations(floatsOf(output, 3), frames, out);
      if (channel.target_path == "rotation") readRotations(floatsOf(output, 4), frames, out);
      moves = true;
    }
    if (moves && out.translations.size() != out.rotations.size())
      refuse("a body has places without rotations");
    return moves;
  }

  void readTranslations(const std::vector<float>& values, std::size_t frames,
                        RecordedMotion::Track& out) const {
    if (values.size() != 3 * frames) refuse("a body's places are not as many as the frames");
    out.translations.clear();
    for (std::size_t i = 0; i < values.size(); i += 3)
      out.translations.push_back({static_cast<double>(values[i]), static_cast<double>(values[i + 1]),
                                  static_cast<double>(values[i + 2])});
  }

  void readRotations(const std::vector<float>& values, std::size_t frames, RecordedMotion::Track& out) const {
    if (values.size() != 4 * frames) refuse("a body's rotations are not as many as the frames");
    out.rotations.clear();
    for (std::size_t i = 0; i < values.size(); i += 4) {
      std::array<double, 4> q{};
      for (std::size_t k = 0; k < 4; ++k) q[k] = static_cast<double>(values[i + k]);
      out.rotations.push_back(unit(q));
    }
  }

  std::shared_ptr<const CollisionMesh> meshOf(int index) {
    std::shared_ptr<const CollisionMesh>& entry = meshes_[index];
    if (entry) return entry;
    const tinygltf::Mesh& mesh = at(model_.meshes, index, "mesh");
    if (mesh.primitives.empty() || mesh.primitives[0].attributes.count("POSITION") == 0)
      refuse("a mesh has no triangles");
    const std::vector<float> values = floatsOf(mesh.primitives[0].attributes.at("POSITION"), 3);
    TriangleMesh triangles;
    triangles.name = file_;
    for (std::size_t i = 0; i + 8 < values.size(); i += 9) {
      const auto first = static_cast<std::uint32_t>(triangles.vertices.size());
      for (std::size_t k = i; k < i + 9; k += 3)
        triangles.vertices.push_back({static_cast<double>(values[k]), static_cast<double>(values[k + 1]),
                                      static_cast<double>(values[k + 2])});
      triangles.triangles.push_back({first, first + 1, first + 2});
    }
    requireUsable(triangles);
    triangles = welded(triangles);
    requireUsable(triangles);
    triangles.name = mesh.name;
    return entry = CollisionMesh::make(triangles);
  }

  std::string file_;
  tinygltf::Model model_;
  std::map<int, std::shared_ptr<const CollisionMesh>> meshes_;
};

}  // namespace

bool isRecording(const std::filesystem::path& file) {
  try {
    return !Reader(file).notes().empty();
  } catch (const InputError&) {
    return false;
  }
}

std::map<std::string, std::string> readRecordingNotes(const std::filesystem::path& file) {
  std::map<std::string, std::string> out = Reader(file).notes();
  if (out.empty())
    throw InputError(file.string() +
                     ": was not written by odemesh, so there is nothing to replay; give a .glb that " +
                     "--record wrote");
  return out;
}

RecordedMotion readRecording(const std::filesystem::path& file) {
  static_cast<void>(readRecordingNotes(file));
  return Reader(file).motion();
}

}  // namespace odemesh::sim
