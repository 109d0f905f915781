// Meshes and poses from a fuzzer's bytes: at most some dozens of triangles, so that many inputs are tried.
#pragma once

#include <cmath>
#include <odemesh/mesh.hpp>
#include <odemesh/pose.hpp>
#include <vector>

#include "byte_source.hpp"

namespace odemesh::fuzz {

struct Soup {
  std::vector<Vec3> vertices;
  std::vector<std::uint32_t> indices;

  void add(std::uint32_t a, std::uint32_t b, std::uint32_t c) { indices.insert(indices.end(), {a, b, c}); }
};

[[nodiscard]] inline Vec3 decodeVector(ByteSource& in) {
  const double x = in.number();
  const double y = in.number();
  return {x, y, in.number()};
}

[[nodiscard]] inline Vec3 decodeGridPoint(ByteSource& in) {
  const double x = in.onGrid();
  const double y = in.onGrid();
  return {x, y, in.onGrid()};
}

/// A box from corner to corner, inside out if the corners are in the other order.
[[nodiscard]] inline Soup boxBetween(const Vec3& low, const Vec3& high) {
  Soup box;
  for (unsigned corner = 0; corner < 8; ++corner)
    box.vertices.push_back(
        {(corner & 1 ? high : low).x, (corner & 2 ? high : low).y, (corner & 4 ? high : low).z});
  box.indices = {0, 2, 1, 1, 2, 3, 4, 5, 6, 5, 7, 6, 0, 1, 4, 1, 5, 4,
                 2, 6, 3, 3, 6, 7, 0, 4, 2, 2, 4, 6, 1, 3, 5, 3, 7, 5};
  return box;
}

/// A double pyramid over a polygon of `around` corners.
[[nodiscard]] inline Soup doublePyramid(std::uint32_t around, const Vec3& size) {
  Soup out;
  out.vertices = {{0, 0, -size.z}, {0, 0, size.z}};
  for (std::uint32_t i = 0; i < around; ++i) {
    const double angle = 6.283185307179586 * i / around;
    out.vertices.push_back({size.x * std::cos(angle), size.y * std::sin(angle), 0});
    const std::uint32_t here = 2 + i;
    const std::uint32_t next = 2 + (i + 1) % around;
    out.add(0, next, here);
    out.add(1, here, next);
  }
  return out;
}

/// A sheet of squares, bent upwards in the middle.
[[nodiscard]] inline Soup sheet(std::uint32_t cells, double step, double bend) {
  Soup out;
  const std::uint32_t row = cells + 1;
  for (std::uint32_t j = 0; j <= cells; ++j)
    for (std::uint32_t i = 0; i <= cells; ++i)
      out.vertices.push_back({i * step, j * step, bend * i * (cells - i)});
  for (std::uint32_t j = 0; j < cells; ++j)
    for (std::uint32_t i = 0; i < cells; ++i) {
      const std::uint32_t corner = j * row + i;
      out.add(corner, corner + 1, corner + row + 1);
      out.add(corner, corner + row + 1, corner + row);
    }
  return out;
}

[[nodiscard]] inline Soup decodeAnyTriangles(ByteSource& in) {
  Soup out;
  const unsigned vertices = in.below(24);
  const unsigned triangles = in.below(32);
  for (unsigned i = 0; i < vertices; ++i) out.vertices.push_back(decodeVector(in));
  for (unsigned i = 0; i < 3 * triangles; ++i) {
    const unsigned index = in.byte();
    out.indices.push_back(index < 250 && vertices > 0 ? index % vertices : in.value<std::uint32_t>());
  }
  return out;
}

/// Makes a sound mesh unsound: moved vertices, turned, doubled, missing and stray triangles.
inline void decodeDamage(ByteSource& in, Soup& mesh) {
  const unsigned edits = in.below(4);
  for (unsigned i = 0; i < edits && !mesh.vertices.empty() && mesh.indices.size() >= 3; ++i) {
    const std::size_t corner = in.byte() % mesh.indices.size();
    const std::size_t first = corner / 3 * 3;
    switch (in.below(6)) {
      case 0:
        mesh.vertices[corner % mesh.vertices.size()] = decodeVector(in);
        break;
      case 1:
        std::swap(mesh.indices[first], mesh.indices[first + 1]);
        break;
      case 2:
        mesh.add(mesh.indices[first], mesh.indices[first + 1], mesh.indices[first + 2]);
        break;
      case 3:
        mesh.indices.resize(mesh.indices.size() - 3);
        break;
      case 4:
        mesh.indices[corner] = in.byte() % static_cast<std::uint32_t>(mesh.vertices.size());
        break;
      default:
        mesh.vertices[corner % mesh.vertices.size()] = mesh.vertices[0];
        break;
    }
  }
}

[[nodiscard]] inline Soup decodeMesh(ByteSource& in) {
  Soup out;
  switch (in.below(6)) {
    case 0:
      out = decodeAnyTriangles(in);
      break;
    case 1:
      out = boxBetween(decodeGridPoint(in), decodeGridPoint(in));
      break;
    case 2:
      out = boxBetween({-1, -1, -1}, {1, 1, 1});
      break;
    case 3:
      out = doublePyramid(3 + in.below(14), decodeGridPoint(in));
      break;
    case 4:
      out = sheet(1 + in.below(4), in.onGrid(), in.onGrid());
      break;
    default:
      for (int i = 0; i < 4; ++i) out.vertices.push_back(decodeVector(in));
      out.indices = {0, 2, 1, 0, 1, 3, 1, 2, 3, 2, 0, 3};
  }
  decodeDamage(in, out);
  return out;
}

/// Most often 1; else a power of two between 2^-1016 and 2^1016.
[[nodiscard]] inline double decodeScale(ByteSource& in) {
  const unsigned exponent = in.byte();
  return exponent < 200 ? 1 : std::ldexp(1.0, 8 * int(std::int8_t(in.byte())));
}

inline void scale(Soup& mesh, double factor) {
  for (Vec3& v : mesh.vertices) v *= factor;
}

struct DecodedPose {
  Pose pose;
  bool is_rigid = true;
};

[[nodiscard]] inline Mat3 rotationOf(double w, double x, double y, double z) {
  const double n = std::sqrt(w * w + x * x + y * y + z * z);
  w /= n, x /= n, y /= n, z /= n;
  return {{{1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)},
           {2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)},
           {2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)}}};
}

/// Rigid most often; `unit` scales the translation, so that meshes of any size can meet.
[[nodiscard]] inline DecodedPose decodePose(ByteSource& in, double unit) {
  DecodedPose out;
  const unsigned kind = in.byte();
  if (kind >= 128 && kind < 248) {
    const double x = in.onGrid(), y = in.onGrid(), z = in.onGrid();
    out.pose.rotation = rotationOf(kind < 160 ? 1e6 : in.onGrid() + 9, x, y, z);
  } else if (kind >= 248) {
    for (Vec3& row : out.pose.rotation.row) row = decodeVector(in);
    out.is_rigid = false;
  }
  out.pose.translation = unit * (kind % 8 == 0 ? decodeVector(in) : decodeGridPoint(in));
  return out;
}

}  // namespace odemesh::fuzz
