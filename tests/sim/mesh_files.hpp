// Small mesh files, written at run time: one tetrahedron in every format.
#pragma once

#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <odemesh/sim/triangle_mesh.hpp>
#include <sstream>
#include <stdexcept>
#include <string>
#include <string_view>

namespace odemesh::sim::test {

/// A folder of its own, removed with everything in it.
class TemporaryFolder {
 public:
  TemporaryFolder() {
    std::string pattern = (std::filesystem::temp_directory_path() / "odemesh-XXXXXX").string();
    if (mkdtemp(pattern.data()) == nullptr) throw std::runtime_error("no temporary folder");
    path_ = pattern;
  }
  ~TemporaryFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;

  [[nodiscard]] const std::filesystem::path& path() const { return path_; }

  [[nodiscard]] std::filesystem::path write(const std::string& name, const std::string& content) const {
    std::ofstream(path_ / name, std::ios::binary) << content;
    return path_ / name;
  }

 private:
  std::filesystem::path path_;
};

/// Corners on the axes at 1, 2 and 3: volume 1, centre (1/4, 1/2, 3/4).
inline TriangleMesh cornerTetrahedron() {
  return {"tetrahedron",
          {{0, 0, 0}, {1, 0, 0}, {0, 2, 0}, {0, 0, 3}},
          {{0, 2, 1}, {0, 1, 3}, {0, 3, 2}, {1, 2, 3}}};
}

template <typename T>
void appendBytes(std::string& out, T value) {
  char bytes[sizeof value];
  std::memcpy(bytes, &value, sizeof value);
  out.append(bytes, sizeof value);
}

inline std::string asciiStl(const TriangleMesh& mesh) {
  std::ostringstream out;
  out << "solid test\n";
  for (const auto& triangle : mesh.triangles) {
    out << "facet normal 0 0 0\nouter loop\n";
    for (const auto v : triangle)
      out << "vertex " << mesh.vertices[v].x << ' ' << mesh.vertices[v].y << ' ' << mesh.vertices[v].z
          << '\n';
    out << "endloop\nendfacet\n";
  }
  out << "endsolid test\n";
  return out.str();
}

inline std::string binaryStl(const TriangleMesh& mesh, std::uint32_t count,
                             const std::string& header = "binary") {
  std::string out = header;
  out.resize(80, ' ');
  appendBytes(out, count);
  for (const auto& triangle : mesh.triangles) {
    for (int i = 0; i < 3; ++i) appendBytes(out, 0.0F);
    for (const auto v : triangle)
      for (int i = 0; i < 3; ++i) appendBytes(out, static_cast<float>(mesh.vertices[v][i]));
    appendBytes(out, std::uint16_t{0});
  }
  return out;
}

inline std::string binaryStl(const TriangleMesh& mesh) {
  return binaryStl(mesh, static_cast<std::uint32_t>(mesh.triangles.size()));
}

inline std::string obj(const TriangleMesh& mesh) {
  std::ostringstream out;
  for (const Vec3& v : mesh.vertices) out << "v " << v.x << ' ' << v.y << ' ' << v.z << '\n';
  for (const auto& [a, b, c] : mesh.triangles) out << "f " << a + 1 << ' ' << b + 1 << ' ' << c + 1 << '\n';
  return out.str();
}

inline std::string off(const TriangleMesh& mesh) {
  std::ostringstream out;
  out << "OFF\n# a comment\n" << mesh.vertices.size() << ' ' << mesh.triangles.size() << " 0\n";
  for (const Vec3& v : mesh.vertices) out << v.x << ' ' << v.y << ' ' << v.z << '\n';
  for (const auto& [a, b, c] : mesh.triangles) out << "3 " << a << ' ' << b << ' ' << c << '\n';
  return out.str();
}

inline std::string plyHeader(const TriangleMesh& mesh, const std::string& format) {
  return "ply\nformat " + format + " 1.0\ncomment test\nelement vertex " +
         std::to_string(mesh.vertices.size()) +
         "\nproperty float x\nproperty float y\nproperty float z\nelement face " +
         std::to_string(mesh.triangles.size()) + "\nproperty list uchar int vertex_indices\nend_header\n";
}

inline std::string asciiPly(const TriangleMesh& mesh) {
  std::ostringstream out;
  out << plyHeader(mesh, "ascii");
  for (const Vec3& v : mesh.vertices) out << v.x << ' ' << v.y << ' ' << v.z << '\n';
  for (const auto& [a, b, c] : mesh.triangles) out << "3 " << a << ' ' << b << ' ' << c << '\n';
  return out.str();
}

/// The machine's own byte order has to be the little-endian one.
inline std::string binaryPly(const TriangleMesh& mesh) {
  std::string out = plyHeader(mesh, "binary_little_endian");
  for (const Vec3& v : mesh.vertices)
    for (int i = 0; i < 3; ++i) appendBytes(out, static_cast<float>(v[i]));
  for (const auto& triangle : mesh.triangles) {
    appendBytes(out, std::uint8_t{3});
    for (const auto v : triangle) appendBytes(out, v);
  }
  return out;
}

inline std::string base64(std::string_view bytes) {
  constexpr std::string_view kDigits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string out;
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    std::uint32_t group = 0;
    for (std::size_t k = 0; k < 3; ++k)
      group = group << 8 | (i + k < bytes.size() ? static_cast<unsigned char>(bytes[i + k]) : 0);
    for (std::size_t k = 0; k < 4; ++k)
      out += i + k <= bytes.size() ? kDigits[group >> (18 - 6 * k) & 63] : '=';
  }
  return out;
}

/// Positions as floats, then indices as 16-bit numbers.
inline std::string gltfBuffer(const TriangleMesh& mesh) {
  std::string out;
  for (const Vec3& v : mesh.vertices)
    for (int i = 0; i < 3; ++i) appendBytes(out, static_cast<float>(v[i]));
  for (const auto& triangle : mesh.triangles)
    for (const auto v : triangle) appendBytes(out, static_cast<std::uint16_t>(v));
  return out;
}

/// The scene's JSON; `node` is the node's content beside its mesh, `uri` the buffer's.
inline std::string gltfJson(const TriangleMesh& mesh, const std::string& node, const std::string& uri) {
  const std::size_t positions = mesh.vertices.size() * 12, indices = mesh.triangles.size() * 6;
  std::ostringstream out;
  out << R"({"asset":{"version":"2.0"},"scene":0,"scenes":[{"nodes":[0]}],"nodes":[{"mesh":0)" << node
      << R"(}],"meshes":[{"primitives":[{"attributes":{"POSITION":0},"indices":1}]}],"buffers":[{"byteLength":)"
      << positions + indices << uri << R"(}],"bufferViews":[{"buffer":0,"byteOffset":0,"byteLength":)"
      << positions << R"(},{"buffer":0,"byteOffset":)" << positions << R"(,"byteLength":)" << indices
      << R"(}],"accessors":[{"bufferView":0,"componentType":5126,"count":)" << mesh.vertices.size()
      << R"(,"type":"VEC3","min":[0,0,0],"max":[1,2,3]},{"bufferView":1,"componentType":5123,"count":)"
      << 3 * mesh.triangles.size() << R"(,"type":"SCALAR"}]})";
  return out.str();
}

inline std::string gltf(const TriangleMesh& mesh, const std::string& node = "") {
  return gltfJson(mesh, node,
                  R"(,"uri":"data:application/octet-stream;base64,)" + base64(gltfBuffer(mesh)) + "\"");
}

inline std::string glb(const TriangleMesh& mesh) {
  std::string json = gltfJson(mesh, "", ""), buffer = gltfBuffer(mesh);
  json.resize((json.size() + 3) / 4 * 4, ' ');
  buffer.resize((buffer.size() + 3) / 4 * 4, '\0');
  std::string out = "glTF";
  appendBytes(out, std::uint32_t{2});
  appendBytes(out, static_cast<std::uint32_t>(12 + 8 + json.size() + 8 + buffer.size()));
  appendBytes(out, static_cast<std::uint32_t>(json.size()));
  out += "JSON" + json;
  appendBytes(out, static_cast<std::uint32_t>(buffer.size()));
  out.append("BIN\0", 4).append(buffer);
  return out;
}

/// `asset` holds the unit and the up axis; `count` is what the array of positions says of its length.
inline std::string dae(const TriangleMesh& mesh, const std::string& asset, const std::string& node = "",
                       const std::string& count = "12") {
  std::ostringstream out;
  out << R"(<?xml version="1.0"?><COLLADA xmlns="http://www.collada.org/2005/11/COLLADASchema" version="1.4.1"><asset>)"
      << asset
      << R"(</asset><library_geometries><geometry id="g"><mesh><source id="s"><float_array id="a" count=")"
      << count << "\">";
  for (const Vec3& v : mesh.vertices) out << v.x << ' ' << v.y << ' ' << v.z << ' ';
  out << R"(</float_array><technique_common><accessor source="#a" count=")" << mesh.vertices.size()
      << R"(" stride="3"><param name="X" type="float"/><param name="Y" type="float"/><param name="Z" type="float"/>)"
      << R"(</accessor></technique_common></source><vertices id="v"><input semantic="POSITION" source="#s"/></vertices>)"
      << "<triangles count=\"" << mesh.triangles.size()
      << R"("><input semantic="VERTEX" source="#v" offset="0"/><p>)";
  for (const auto& [a, b, c] : mesh.triangles) out << a << ' ' << b << ' ' << c << ' ';
  out << R"(</p></triangles></mesh></geometry></library_geometries><library_visual_scenes><visual_scene id="scene"><node>)"
      << node << R"(<instance_geometry url="#g"/></node></visual_scene></library_visual_scenes>)"
      << R"(<scene><instance_visual_scene url="#scene"/></scene></COLLADA>)";
  return out.str();
}

}  // namespace odemesh::sim::test
