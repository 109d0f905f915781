#include <tiny_gltf.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <fstream>
#include <limits>
#include <map>
#include <odemesh/sim/input_error.hpp>
#include <odemesh/sim/recording.hpp>
#include <odemesh/sim/shapes.hpp>

namespace odemesh::sim {
namespace {

using Quaternion = std::array<double, 4>;  // x, y, z, w, as glTF orders them

// The branch with the greatest component, which is never near zero (Shepperd 1978).
Quaternion quaternionOf(const Mat3& m) {
  const Vec3* r = m.row;
  const double diagonal[3] = {r[0].x, r[1].y, r[2].z};
  const double trace = diagonal[0] + diagonal[1] + diagonal[2];
  const int i = static_cast<int>(std::max_element(diagonal, diagonal + 3) - diagonal);
  Quaternion q{};
  if (trace >= diagonal[i]) {
    q = {r[2].y - r[1].z, r[0].z - r[2].x, r[1].x - r[0].y, 1 + trace};
  } else {
    const int j = (i + 1) % 3;
    const int k = (i + 2) % 3;
    q[static_cast<std::size_t>(i)] = 1 + 2 * diagonal[i] - trace;
    q[static_cast<std::size_t>(j)] = r[i][j] + r[j][i];
    q[static_cast<std::size_t>(k)] = r[i][k] + r[k][i];
    q[3] = r[k][j] - r[j][k];
  }
  const double norm = std::sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
  for (double& value : q) value /= norm;
  return q;
}

// Viewers interpolate between neighbours; of q and -q, the one that is nearer to the last.
void keepSign(Quaternion& q, const Quaternion& last) {
  double product = 0;
  for (std::size_t i = 0; i < 4; ++i) product += q[i] * last[i];
  if (product >= 0) return;
  for (double& value : q) value = -value;
}

TriangleMesh flatSquare(const PlaneGeometry& plane) {
  constexpr double kSide = 20;
  TriangleMesh mesh = makePlaneGrid(kSide, kSide);
  const Vec3 up = normalised(plane.normal);
  const Vec3 side = normalised(cross(std::abs(up.x) < 0.9 ? Vec3{1, 0, 0} : Vec3{0, 1, 0}, up));
  const Vec3 forward = cross(up, side);
  const Vec3 origin = up * (plane.offset / length(plane.normal));
  for (Vec3& v : mesh.vertices) v = origin + side * v.x + forward * v.y;
  return mesh;
}

TriangleMesh triangulated(const Geometry& geometry) {
  if (const auto* box = std::get_if<BoxGeometry>(&geometry)) return makeBox(box->size);
  if (const auto* sphere = std::get_if<SphereGeometry>(&geometry)) return makeIcosphere(sphere->radius, 3);
  if (const auto* rod = std::get_if<CylinderGeometry>(&geometry))
    return makeCylinder(rod->radius, rod->length, 32);
  if (const auto* pill = std::get_if<CapsuleGeometry>(&geometry))
    return makeCapsule(pill->radius, pill->length, 24);
  if (const auto* plane = std::get_if<PlaneGeometry>(&geometry)) return flatSquare(*plane);
  return std::get<MeshGeometry>(geometry).mesh->mesh();
}

/// Builds a glTF model with one buffer.
class Writer {
 public:
  explicit Writer(const Recording& recording) : recording_(recording) {
    model_.asset.version = "2.0";
    model_.asset.generator = "odemesh";
    tinygltf::Value::Object notes;
    for (const auto& [key, value] : recording.notes()) notes[key] = tinygltf::Value(value);
    model_.asset.extras = tinygltf::Value(tinygltf::Value::Object{{"odemesh", tinygltf::Value(notes)}});
    model_.buffers.resize(1);
  }

  tinygltf::Model build() {
    tinygltf::Node root;
    root.name = "z up";
    root.rotation = {-std::sqrt(0.5), 0, 0, std::sqrt(0.5)};
    model_.nodes.push_back(root);
    for (std::size_t i = 0; i < recording_.world().bodyCount(); ++i) {
      const int node = addBody(recording_.world().body(i));
      model_.nodes[0].children.push_back(node);
      body_nodes_.push_back(node);
    }
    model_.scenes.resize(1);
    model_.scenes[0].nodes = {0};
    model_.defaultScene = 0;
    addAnimation();
    return std::move(model_);
  }

 private:
  static int last(std::size_t size) { return static_cast<int>(size) - 1; }

  static void place(tinygltf::Node& node, const Pose& pose) {
    const Quaternion q = quaternionOf(pose.rotation);
    node.translation = {pose.translation.x, pose.translation.y, pose.translation.z};
    node.rotation = {q[0], q[1], q[2], q[3]};
  }

  int addBody(const Body& body) {
    tinygltf::Node node;
    node.name = body.name();
    place(node, recording_.poses(0)[body.index()]);
    for (const Part& part : body.parts()) {
      tinygltf::Node child;
      child.mesh = addMesh(part.geometry, body.isStatic());
      place(child, geomPose(part.geometry, part.pose));
      model_.nodes.push_back(child);
      node.children.push_back(last(model_.nodes.size()));
    }
    model_.nodes.push_back(node);
    return last(model_.nodes.size());
  }

  // One for each mesh of the world, in one colour for what stands still and another for what moves.
  int addMesh(const Geometry& geometry, bool is_static) {
    const auto* shared = std::get_if<MeshGeometry>(&geometry);
    const auto key = std::make_pair(shared == nullptr ? nullptr : shared->mesh.get(), is_static);
    if (const auto known = meshes_.find(key); shared != nullptr && known != meshes_.end())
      return known->second;
    const TriangleMesh shape = triangulated(geometry);
    tinygltf::Primitive primitive;
    primitive.mode = TINYGLTF_MODE_TRIANGLES;
    primitive.material = material(is_static);
    addTriangles(shape, primitive);
    tinygltf::Mesh mesh;
    mesh.name = shape.name;
    mesh.primitives = {primitive};
    model_.meshes.push_back(mesh);
    return meshes_[key] = last(model_.meshes.size());
  }

  int material(bool is_static) {
    if (model_.materials.empty()) {
      model_.materials.resize(2);
      model_.materials[0].name = "moving";
      model_.materials[0].pbrMetallicRoughness.baseColorFactor = {0.85, 0.45, 0.2, 1};
      model_.materials[1].name = "static";
      model_.materials[1].pbrMetallicRoughness.baseColorFactor = {0.6, 0.62, 0.65, 1};
      for (tinygltf::Material& each : model_.materials) each.pbrMetallicRoughness.metallicFactor = 0;
    }
    return is_static ? 1 : 0;
  }

  // Three vertices of their own for each triangle, with its normal: edges stay sharp.
  void addTriangles(const TriangleMesh& mesh, tinygltf::Primitive& primitive) {
    std::vector<float> positions;
    std::vector<float> normals;
    for (const auto& triangle : mesh.triangles) {
      const Vec3& a = mesh.vertices[triangle[0]];
      const Vec3 normal =
          normalised(cross(mesh.vertices[triangle[1]] - a, mesh.vertices[triangle[2]] - a), {0, 0, 1});
      for (const std::uint32_t corner : triangle) {
        append(mesh.vertices[corner], positions);
        append(normal, normals);
      }
    }
    primitive.attributes["POSITION"] =
        addAccessor(positions, 3, TINYGLTF_TYPE_VEC3, TINYGLTF_TARGET_ARRAY_BUFFER);
    primitive.attributes["NORMAL"] =
        addAccessor(normals, 3, TINYGLTF_TYPE_VEC3, TINYGLTF_TARGET_ARRAY_BUFFER);
  }

  static void append(const Vec3& v, std::vector<float>& out) {
    for (int axis = 0; axis < 3; ++axis) out.push_back(static_cast<float>(v[axis]));
  }

  // Appends the values to the buffer; glTF wants the bounds of positions and times.
  int addAccessor(const std::vector<float>& values, std::size_t width, int type, int target) {
    std::vector<unsigned char>& data = model_.buffers[0].data;
    tinygltf::BufferView view;
    view.buffer = 0;
    view.byteOffset = data.size();
    view.byteLength = values.size() * sizeof(float);
    view.target = target;
    data.resize(data.size() + view.byteLength);
    if (!values.empty()) std::memcpy(data.data() + view.byteOffset, values.data(), view.byteLength);
    model_.bufferViews.push_back(view);
    tinygltf::Accessor accessor;
    accessor.bufferView = last(model_.bufferViews.size());
    accessor.componentType = TINYGLTF_COMPONENT_TYPE_FLOAT;
    accessor.type = type;
    accessor.count = values.size() / width;
    accessor.minValues.assign(width, std::numeric_limits<double>::infinity());
    accessor.maxValues.assign(width, -std::numeric_limits<double>::infinity());
    for (std::size_t i = 0; i < values.size(); ++i) {
      const auto value = static_cast<double>(values[i]);
      accessor.minValues[i % width] = std::min(accessor.minValues[i % width], value);
      accessor.maxValues[i % width] = std::max(accessor.maxValues[i % width], value);
    }
    model_.accessors.push_back(accessor);
    return last(model_.accessors.size());
  }

  void addAnimation() {
    tinygltf::Animation animation;
    animation.name = "simulation";
    std::vector<float> times;
    for (std::size_t f = 0; f < recording_.frameCount(); ++f)
      times.push_back(static_cast<float>(recording_.time(f)));
    const int input = addAccessor(times, 1, TINYGLTF_TYPE_SCALAR, 0);
    for (std::size_t i = 0; i < body_nodes_.size(); ++i)
      if (!recording_.world().body(i).isStatic()) animate(i, input, animation);
    if (!animation.channels.empty()) model_.animations.push_back(animation);
  }

  void animate(std::size_t body, int input, tinygltf::Animation& animation) {
    std::vector<float> translations;
    std::vector<float> rotations;
    Quaternion before{0, 0, 0, 1};
    for (std::size_t f = 0; f < recording_.frameCount(); ++f) {
      const Pose& pose = recording_.poses(f)[body];
      append(pose.translation, translations);
      Quaternion q = quaternionOf(pose.rotation);
      keepSign(q, before);
      before = q;
      for (const double value : q) rotations.push_back(static_cast<float>(value));
    }
    addChannel(body_nodes_[body], "translation", input, addAccessor(translations, 3, TINYGLTF_TYPE_VEC3, 0),
               animation);
    addChannel(body_nodes_[body], "rotation", input, addAccessor(rotations, 4, TINYGLTF_TYPE_VEC4, 0),
               animation);
  }

  static void addChannel(int node, const std::string& path, int input, int output,
                         tinygltf::Animation& animation) {
    tinygltf::AnimationSampler sampler;
    sampler.input = input;
    sampler.output = output;
    sampler.interpolation = "LINEAR";
    animation.samplers.push_back(sampler);
    tinygltf::AnimationChannel channel;
    channel.sampler = last(animation.samplers.size());
    channel.target_node = node;
    channel.target_path = path;
    animation.channels.push_back(channel);
  }

  const Recording& recording_;
  tinygltf::Model model_;
  std::vector<int> body_nodes_;
  std::map<std::pair<const CollisionMesh*, bool>, int> meshes_;
};

}  // namespace

bool canSaveRecordings() {
  return true;
}

// tinygltf does not notice a file that can't be opened or a full disk.
void Recording::save(const std::filesystem::path& file) const {
  tinygltf::Model model = Writer(*this).build();  // not const: tinygltf 2.5 asks for that
  std::error_code error;
  const bool can_open = std::ofstream(file, std::ios::binary).good();
  tinygltf::TinyGLTF gltf;
  if (can_open && gltf.WriteGltfSceneToFile(&model, file.string(), true, true, false, true) &&
      std::filesystem::file_size(file, error) > model.buffers[0].data.size())
    return;
  throw InputError("'" + file.string() +
                   "' can't be written; give a file in a folder that exists, and see if the disk is full");
}

}  // namespace odemesh::sim
