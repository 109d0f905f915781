// The generated meshes of the speed benchmark.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <map>
#include <numbers>
#include <odemesh/pose.hpp>
#include <vector>

namespace odemesh::bench {

struct Shape {
  std::vector<Vec3> vertices;
  std::vector<std::uint32_t> indices;

  [[nodiscard]] std::size_t triangleCount() const { return indices.size() / 3; }
};

/// Moves the centre of the bounding box to the origin and scales the farthest vertex to distance 1. The
/// vertices are rounded to float, as ODE keeps them.
inline Shape normalise(Shape shape) {
  Vec3 lo = shape.vertices.front(), hi = lo;
  for (const Vec3& v : shape.vertices) {
    lo = {std::min(lo.x, v.x), std::min(lo.y, v.y), std::min(lo.z, v.z)};
    hi = {std::max(hi.x, v.x), std::max(hi.y, v.y), std::max(hi.z, v.z)};
  }
  const Vec3 centre = 0.5 * (lo + hi);
  double radius = 0;
  for (const Vec3& v : shape.vertices) radius = std::max(radius, length(v - centre));
  for (Vec3& v : shape.vertices) {
    v = (v - centre) / radius;
    v = {double(float(v.x)), double(float(v.y)), double(float(v.z))};
  }
  return shape;
}

/// A closed grid of rows x columns quads, wrapped both ways; `at(u, v)` with u, v in [0, 1).
template <typename At>
Shape wrappedGrid(int rows, int columns, At&& at) {
  Shape out;
  for (int i = 0; i < rows; ++i)
    for (int j = 0; j < columns; ++j) out.vertices.push_back(at(double(i) / rows, double(j) / columns));
  const auto index = [&](int i, int j) {
    return static_cast<std::uint32_t>((i % rows) * columns + j % columns);
  };
  for (int i = 0; i < rows; ++i)
    for (int j = 0; j < columns; ++j)
      for (const std::uint32_t k : {index(i, j), index(i + 1, j), index(i + 1, j + 1), index(i, j),
                                    index(i + 1, j + 1), index(i, j + 1)})
        out.indices.push_back(k);
  return out;
}

inline Shape torus(int triangles) {
  const int columns = std::max(3, int(std::sqrt(triangles / 6.0)));
  const int rows = std::max(3, triangles / 2 / columns);
  return wrappedGrid(rows, columns, [](double u, double v) {
    const double a = 2 * std::numbers::pi * u, b = 2 * std::numbers::pi * v;
    const double r = 1 + 0.4 * std::cos(b);
    return Vec3{r * std::cos(a), r * std::sin(a), 0.4 * std::sin(b)};
  });
}

/// A tube along the (p, q) torus knot.
inline Shape knot(int p, int q, int triangles) {
  const int columns = std::max(3, int(std::sqrt(triangles / 40.0)));
  const int rows = std::max(3, triangles / 2 / columns);
  const auto centre = [&](double a) {
    const double r = 1 + 0.45 * std::cos(q * a);
    return Vec3{r * std::cos(p * a), r * std::sin(p * a), 0.45 * std::sin(q * a)};
  };
  return wrappedGrid(rows, columns, [&](double u, double v) {
    const double a = 2 * std::numbers::pi * u, b = 2 * std::numbers::pi * v;
    const Vec3 along = normalised(centre(a + 1e-4) - centre(a - 1e-4));
    const Vec3 side = normalised(cross(along, {0, 0, 1}));
    return centre(a) + 0.13 * (std::cos(b) * side + std::sin(b) * cross(side, along));
  });
}

/// The sphere of the icosahedron whose edges are cut into `cuts` parts: 20 cuts^2 triangles.
inline Shape icosphere(int triangles) {
  const int cuts = std::max(1, int(std::lround(std::sqrt(triangles / 20.0))));
  const double g = std::numbers::phi;
  const std::array<Vec3, 12> corner{{{-1, g, 0},
                                     {1, g, 0},
                                     {-1, -g, 0},
                                     {1, -g, 0},
                                     {0, -1, g},
                                     {0, 1, g},
                                     {0, -1, -g},
                                     {0, 1, -g},
                                     {g, 0, -1},
                                     {g, 0, 1},
                                     {-g, 0, -1},
                                     {-g, 0, 1}}};
  constexpr int kFaces[20][3] = {{0, 11, 5}, {0, 5, 1},  {0, 1, 7},   {0, 7, 10}, {0, 10, 11},
                                 {1, 5, 9},  {5, 11, 4}, {11, 10, 2}, {10, 7, 6}, {7, 1, 8},
                                 {3, 9, 4},  {3, 4, 2},  {3, 2, 6},   {3, 6, 8},  {3, 8, 9},
                                 {4, 9, 5},  {2, 4, 11}, {6, 2, 10},  {8, 6, 7},  {9, 8, 1}};
  Shape out;
  std::map<std::array<long, 3>, std::uint32_t> known;
  const auto add = [&](const Vec3& p) {
    const Vec3 n = normalised(p);
    const std::array<long, 3> key{std::lround(n.x * 1e7), std::lround(n.y * 1e7), std::lround(n.z * 1e7)};
    const auto [it, fresh] = known.try_emplace(key, static_cast<std::uint32_t>(out.vertices.size()));
    if (fresh) out.vertices.push_back(n);
    out.indices.push_back(it->second);
  };
  for (const auto& face : kFaces) {
    const Vec3 a = corner[face[0]], u = (corner[face[1]] - a) / cuts, v = (corner[face[2]] - a) / cuts;
    const auto at = [&](int i, int j) { return a + u * i + v * j; };
    for (int i = 0; i < cuts; ++i)
      for (int j = 0; i + j < cuts; ++j) {
        for (const Vec3& p : {at(i, j), at(i + 1, j), at(i, j + 1)}) add(p);
        if (i + j + 1 < cuts)
          for (const Vec3& p : {at(i + 1, j), at(i + 1, j + 1), at(i, j + 1)}) add(p);
      }
  }
  return out;
}

}  // namespace odemesh::bench
