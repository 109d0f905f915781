// Meshes and poses for the tests of the collider.
#pragma once

#include <array>
#include <memory>
#include <numbers>
#include <odemesh/mesh.hpp>
#include <odemesh/pose.hpp>
#include <random>
#include <vector>

namespace odemesh::test {

using MeshPtr = std::shared_ptr<const Mesh>;

/// Vertices and indices, three a triangle.
struct Soup {
  std::vector<Vec3> vertices;
  std::vector<std::uint32_t> indices;

  void addTriangle(const Vec3& a, const Vec3& b, const Vec3& c) {
    for (const Vec3& p : {a, b, c}) {
      indices.push_back(static_cast<std::uint32_t>(vertices.size()));
      vertices.push_back(p);
    }
  }
  void add(const Soup& other) {
    const auto first = static_cast<std::uint32_t>(vertices.size());
    vertices.insert(vertices.end(), other.vertices.begin(), other.vertices.end());
    for (const std::uint32_t v : other.indices) indices.push_back(first + v);
  }
  void transform(const Pose& pose, double scale = 1) {
    for (Vec3& v : vertices) v = pose.apply(v * scale);
  }
  void turnInsideOut() {
    for (std::size_t i = 0; i < indices.size(); i += 3) std::swap(indices[i], indices[i + 1]);
  }
  [[nodiscard]] MeshPtr build() const { return Mesh::build(vertices, indices).mesh; }
  /// As ODE's meshes are built.
  [[nodiscard]] MeshPtr buildMerged() const { return Mesh::build(vertices, indices, FlatParts::kMerge).mesh; }
};

/// Of four corners, of which the fourth is behind the face of the others.
[[nodiscard]] inline Soup tetrahedronSoup(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d) {
  Soup out;
  out.addTriangle(a, b, c);
  out.addTriangle(a, d, b);
  out.addTriangle(b, d, c);
  out.addTriangle(c, d, a);
  return out;
}

/// A box of edge lengths `size` around the origin, each face cut into cells x cells squares.
[[nodiscard]] inline Soup boxSoup(const Vec3& size, int cells = 1) {
  Soup out;
  const double h[3] = {0.5 * size.x, 0.5 * size.y, 0.5 * size.z};
  const auto along = [&](int axis, int i) { return h[axis] * (2.0 * i / cells - 1); };
  for (int axis = 0; axis < 3; ++axis) {
    const int u = (axis + 1) % 3, v = (axis + 2) % 3;
    for (const double side : {-1.0, 1.0}) {
      const auto at = [&](int i, int j) {
        double p[3];
        p[axis] = side * h[axis];
        p[u] = along(u, i);
        p[v] = along(v, j);
        return Vec3{p[0], p[1], p[2]};
      };
      for (int i = 0; i < cells; ++i) {
        for (int j = 0; j < cells; ++j) {
          const Vec3 a = at(i, j), b = at(i + 1, j), c = at(i + 1, j + 1), d = at(i, j + 1);
          side > 0 ? out.addTriangle(a, b, c) : out.addTriangle(a, c, b);
          side > 0 ? out.addTriangle(a, c, d) : out.addTriangle(a, d, c);
        }
      }
    }
  }
  return out;
}

/// The same box without its upper face: a crate of sheet.
[[nodiscard]] inline Soup crateSoup(const Vec3& size) {
  const Soup box = boxSoup(size);
  Soup out;
  for (std::size_t k = 0; k < box.indices.size(); k += 3) {
    const Vec3 &a = box.vertices[box.indices[k]], &b = box.vertices[box.indices[k + 1]],
               &c = box.vertices[box.indices[k + 2]];
    if (a.z < 0 || b.z < 0 || c.z < 0) out.addTriangle(a, b, c);
  }
  return out;
}

/// A square sheet of side 0.4 around the origin.
[[nodiscard]] inline Soup tileSoup() {
  Soup out;
  out.addTriangle({-0.2, -0.2, 0}, {0.2, -0.2, 0}, {0.2, 0.2, 0});
  out.addTriangle({-0.2, -0.2, 0}, {0.2, 0.2, 0}, {-0.2, 0.2, 0});
  return out;
}

/// The same with a wall of sheet, 0.3 high, along its side at y = -0.2.
[[nodiscard]] inline Soup angleSoup() {
  Soup out = tileSoup();
  out.addTriangle({-0.2, -0.2, 0}, {-0.2, -0.2, 0.3}, {0.2, -0.2, 0.3});
  out.addTriangle({-0.2, -0.2, 0}, {0.2, -0.2, 0.3}, {0.2, -0.2, 0});
  return out;
}

/// The faces between cells of a grid that are filled and those that are not. `planes` bound the cells along
/// each axis; `isFilled(i, j, k)` tells of the cell after plane i, j and k.
template <typename IsFilled>
[[nodiscard]] Soup cellSoup(const std::array<std::vector<double>, 3>& planes, IsFilled&& isFilled) {
  Soup out;
  std::size_t at[3];
  const auto isFilledBeside = [&](int axis, int side) {
    if (side < 0 ? at[axis] == 0 : at[axis] + 2 == planes[axis].size()) return false;
    std::size_t beside[3] = {at[0], at[1], at[2]};
    beside[axis] += side < 0 ? std::size_t(-1) : 1;
    return bool(isFilled(beside[0], beside[1], beside[2]));
  };
  for (at[0] = 0; at[0] + 1 < planes[0].size(); ++at[0])
    for (at[1] = 0; at[1] + 1 < planes[1].size(); ++at[1])
      for (at[2] = 0; at[2] + 1 < planes[2].size(); ++at[2]) {
        if (!isFilled(at[0], at[1], at[2])) continue;
        const auto corner = [&](std::size_t i, std::size_t j, std::size_t k) {
          return Vec3{planes[0][at[0] + i], planes[1][at[1] + j], planes[2][at[2] + k]};
        };
        for (int axis = 0; axis < 3; ++axis)
          for (const int side : {-1, 1}) {
            if (isFilledBeside(axis, side)) continue;
            const auto on = [&](std::size_t u, std::size_t v) {
              std::size_t of[3];
              of[axis] = side > 0 ? 1 : 0;
              of[(axis + 1) % 3] = u;
              of[(axis + 2) % 3] = v;
              return corner(of[0], of[1], of[2]);
            };
            const Vec3 a = on(0, 0), b = side > 0 ? on(1, 0) : on(0, 1), c = on(1, 1),
                       d = side > 0 ? on(0, 1) : on(1, 0);
            out.addTriangle(a, b, c);
            out.addTriangle(a, c, d);
          }
      }
  return out;
}

struct Point2 {
  double x, z;
};

/// A prism of `length` along y over an outline that runs counter-clockwise, seen from -y, and the triangles
/// of its ends.
[[nodiscard]] inline Soup prismSoup(const std::vector<Point2>& outline,
                                    const std::vector<std::array<std::size_t, 3>>& ends, double length) {
  const auto at = [&](std::size_t i, double y) {
    return Vec3{outline[i % outline.size()].x, y * length, outline[i % outline.size()].z};
  };
  Soup out;
  for (std::size_t i = 0; i < outline.size(); ++i) {
    out.addTriangle(at(i, -0.5), at(i + 1, 0.5), at(i + 1, -0.5));
    out.addTriangle(at(i, -0.5), at(i, 0.5), at(i + 1, 0.5));
  }
  for (const auto& [a, b, c] : ends) {
    out.addTriangle(at(a, -0.5), at(b, -0.5), at(c, -0.5));
    out.addTriangle(at(a, 0.5), at(c, 0.5), at(b, 0.5));
  }
  return out;
}

/// A block with a crack along y whose bottom is the y axis.
[[nodiscard]] inline Soup crackSoup(double half_width, double height) {
  return prismSoup(
      {{-1, -0.2}, {1, -0.2}, {1, height}, {half_width, height}, {0, 0}, {-half_width, height}, {-1, height}},
      {{0, 1, 4}, {1, 2, 3}, {1, 3, 4}, {0, 4, 5}, {0, 5, 6}}, 1);
}

/// What fits into it, or into one of another angle, with its edge on the y axis.
[[nodiscard]] inline Soup wedgeSoup(double half_width, double height, double length) {
  return prismSoup({{0, 0}, {half_width, height}, {-half_width, height}}, {{0, 1, 2}}, length);
}

/// A surface of revolution about z: `rings` bands from the south pole to the north pole around a sphere.
[[nodiscard]] inline Soup sphereSoup(double radius, int segments, int rings) {
  Soup out;
  const auto at = [&](int i, int j) {
    if (j == 0 || j == rings) return Vec3{0, 0, j == 0 ? -radius : radius};
    const double u = 2 * std::numbers::pi * (i % segments) / segments, v = std::numbers::pi * j / rings;
    return Vec3{radius * std::sin(v) * std::cos(u), radius * std::sin(v) * std::sin(u),
                -radius * std::cos(v)};
  };
  for (int i = 0; i < segments; ++i) {
    for (int j = 0; j < rings; ++j) {
      if (j > 0) out.addTriangle(at(i, j), at(i + 1, j), at(i + 1, j + 1));
      if (j < rings - 1) out.addTriangle(at(i, j), at(i + 1, j + 1), at(i, j + 1));
    }
  }
  return out;
}

/// What an outline in the plane of x and z sweeps that goes around z: a pipe, a cup.
[[nodiscard]] inline Soup revolvedSoup(const std::vector<std::array<double, 2>>& outline, int segments) {
  Soup out;
  const auto at = [&](std::size_t i, int k) {
    const auto [r, z] = outline[i % outline.size()];
    const double angle = 2 * std::numbers::pi * (k % segments) / segments;
    return Vec3{r * std::cos(angle), r * std::sin(angle), z};
  };
  for (std::size_t i = 0; i < outline.size(); ++i)
    for (int k = 0; k < segments; ++k) {
      if (outline[i][0] > 0) out.addTriangle(at(i, k), at(i, k + 1), at(i + 1, k));
      if (outline[(i + 1) % outline.size()][0] > 0)
        out.addTriangle(at(i, k + 1), at(i + 1, k + 1), at(i + 1, k));
    }
  return out;
}

/// A ring around z, of a tube around the circle of `radius`; vertices lie on both x half axes if `segments`
/// is even.
[[nodiscard]] inline Soup torusSoup(double radius, double tube, int segments, int sides) {
  Soup out;
  const auto at = [&](int i, int k) {
    const double a = 2 * std::numbers::pi * (i % segments) / segments;
    const double b = 2 * std::numbers::pi * (k % sides) / sides, r = radius + tube * std::cos(b);
    return Vec3{r * std::cos(a), r * std::sin(a), tube * std::sin(b)};
  };
  for (int i = 0; i < segments; ++i)
    for (int k = 0; k < sides; ++k) {
      out.addTriangle(at(i, k), at(i + 1, k), at(i + 1, k + 1));
      out.addTriangle(at(i, k), at(i + 1, k + 1), at(i, k + 1));
    }
  return out;
}

/// Triangles of very different shapes and sizes, slivers among them, in a unit cube around the origin.
[[nodiscard]] inline Soup randomSoup(std::mt19937_64& random, int triangles) {
  std::uniform_real_distribution<double> uniform(-0.5, 0.5);
  const auto point = [&] { return Vec3{uniform(random), uniform(random), uniform(random)}; };
  Soup out;
  for (int t = 0; t < triangles; ++t) {
    const double size = std::exp(4 * uniform(random) - 1);
    const Vec3 a = point(), b = a + size * point();
    const Vec3 c =
        t % 4 == 0 ? a + (b - a) * (2 * uniform(random)) + 1e-6 * size * point() : a + size * point();
    out.addTriangle(a, b, c);
  }
  return out;
}

/// A prism over a star of `tips`, around the origin.
[[nodiscard]] inline Soup starSoup(int tips, double tip, double dent, double height) {
  Soup out;
  const auto at = [&](int i, double z) {
    const double angle = std::numbers::pi * (i % (2 * tips)) / tips, r = i % 2 == 0 ? tip : dent;
    return Vec3{r * std::cos(angle), r * std::sin(angle), z * height};
  };
  for (int i = 0; i < 2 * tips; ++i) {
    out.addTriangle({0, 0, 0.5 * height}, at(i, 0.5), at(i + 1, 0.5));
    out.addTriangle({0, 0, -0.5 * height}, at(i + 1, -0.5), at(i, -0.5));
    out.addTriangle(at(i, -0.5), at(i + 1, -0.5), at(i + 1, 0.5));
    out.addTriangle(at(i, -0.5), at(i + 1, 0.5), at(i, 0.5));
  }
  return out;
}

[[nodiscard]] inline Mat3 randomRotation(std::mt19937_64& random) {
  std::normal_distribution<double> normal;
  double w = normal(random), x = normal(random), y = normal(random), z = normal(random);
  const double n = std::sqrt(w * w + x * x + y * y + z * z);
  w /= n, x /= n, y /= n, z /= n;
  return {{{1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)},
           {2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)},
           {2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)}}};
}

/// Any rotation, and a translation within a cube of edge `reach` around the origin.
[[nodiscard]] inline Pose randomPose(std::mt19937_64& random, double reach) {
  std::uniform_real_distribution<double> uniform(-0.5 * reach, 0.5 * reach);
  return {randomRotation(random), {uniform(random), uniform(random), uniform(random)}};
}

}  // namespace odemesh::test
