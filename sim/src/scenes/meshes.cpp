#include "scenes/meshes.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <numbers>
#include <odemesh/sim/polygon.hpp>
#include <utility>
#include <vector>

namespace odemesh::sim {
namespace {

using Lattice = std::array<int, 3>;

/// Gives each lattice point its vertex, once.
class LatticeVertices {
 public:
  LatticeVertices(TriangleMesh& mesh, const std::vector<double>& xs, const std::vector<double>& ys,
                  const std::vector<double>& zs)
      : mesh_(mesh), axes_{&xs, &ys, &zs} {}

  std::uint32_t at(const Lattice& p) {
    const auto [entry, is_new] = known_.try_emplace(p, static_cast<std::uint32_t>(mesh_.vertices.size()));
    if (is_new) mesh_.vertices.push_back({(*axes_[0])[p[0]], (*axes_[1])[p[1]], (*axes_[2])[p[2]]});
    return entry->second;
  }

 private:
  TriangleMesh& mesh_;
  std::array<const std::vector<double>*, 3> axes_;
  std::map<Lattice, std::uint32_t> known_;
};

// The square of a cell's face: across `axis`, on its low or high side, facing away from the cell.
void appendFace(TriangleMesh& mesh, LatticeVertices& vertices, const Lattice& cell, int axis, bool high) {
  const int u = (axis + 1) % 3, v = (axis + 2) % 3;
  std::array<std::uint32_t, 4> corners{};
  for (int i = 0; i < 4; ++i) {
    Lattice p = cell;
    p[axis] += high ? 1 : 0;
    const bool on_u = i == 1 || i == 2, on_v = i >= 2;
    p[high ? u : v] += on_u ? 1 : 0;
    p[high ? v : u] += on_v ? 1 : 0;
    corners[i] = vertices.at(p);
  }
  appendPolygon(mesh, corners);
}

constexpr std::uint32_t kThreadSegments = 32;
constexpr int kRowsPerTurn = 10;

Vec3 onCircle(double radius, std::uint32_t segment, double z) {
  const double angle = 2 * std::numbers::pi * segment / kThreadSegments;
  return {radius * std::cos(angle), radius * std::sin(angle), z};
}

int threadRows(const ThreadSize& size, double length) {
  return static_cast<int>(std::lround(length / size.pitch * kRowsPerTurn));
}

// Rows of vertices from the lower end to the upper one, joined, facing away from the axis.
void appendThread(TriangleMesh& mesh, const ThreadSize& size, double clearance, double length, int rows) {
  for (int row = 0; row <= rows; ++row)
    for (std::uint32_t i = 0; i < kThreadSegments; ++i) {
      const double z = length * row / rows - length / 2;
      const double turns = z / size.pitch - static_cast<double>(i) / kThreadSegments;
      const double part = turns - std::floor(turns);
      const double height = size.depth * (1 - std::abs(2 * part - 1));
      mesh.vertices.push_back(onCircle(size.radius + clearance + height, i, z));
    }
  for (int row = 0; row < rows; ++row)
    for (std::uint32_t i = 0; i < kThreadSegments; ++i) {
      const std::uint32_t next = (i + 1) % kThreadSegments, low = row * kThreadSegments;
      appendPolygon(mesh,
                    std::array{low + i, low + next, low + kThreadSegments + next, low + kThreadSegments + i});
    }
}

// The corners of a flat thread's section: where its flanks begin and end in units of the pitch, and how far
// they stand out.
constexpr std::uint32_t kFlatCorners = 5;
constexpr double kFlatRise[kFlatCorners] = {-0.5, -9.0 / 32, -7.0 / 32, 7.0 / 32, 9.0 / 32};
constexpr double kFlatHeight[kFlatCorners] = {0, 0, 1, 1, 0};

/// The vertices of a flat thread. Row j winds up around the axis, and after one turn goes on as row j + 5.
class FlatThread {
 public:
  FlatThread(TriangleMesh& mesh, const ThreadSize& size, double clearance, int turns)
      : rows_(kFlatCorners * static_cast<std::uint32_t>(turns)) {
    const auto addVertex = [&](std::uint32_t row, std::uint32_t i) {
      const std::uint32_t corner = row % kFlatCorners, turns_below = row / kFlatCorners;
      const double turn = turns_below + kFlatRise[corner] - 0.5 * turns;
      mesh.vertices.push_back(onCircle(size.radius + clearance + size.depth * kFlatHeight[corner], i,
                                       size.pitch * (turn + double(i) / kThreadSegments)));
    };
    for (std::uint32_t row = 0; row <= rows_; ++row)
      for (std::uint32_t i = 0; i < kThreadSegments; ++i) addVertex(row, i);
    for (std::uint32_t row = rows_ + 1; row <= rows_ + kFlatCorners; ++row) addVertex(row, 0);
    for (std::uint32_t row = 0; row < rows_; ++row)
      for (std::uint32_t i = 0; i < kThreadSegments; ++i)
        appendPolygon(mesh, std::array{at(row, i), at(row, i + 1), at(row + 1, i + 1), at(row + 1, i)});
  }

  [[nodiscard]] std::uint32_t at(std::uint32_t row, std::uint32_t segment) const {
    if (segment == kThreadSegments) return at(row + kFlatCorners, 0);
    return row <= rows_ ? row * kThreadSegments + segment : (rows_ + 1) * kThreadSegments + (row - rows_ - 1);
  }
  [[nodiscard]] std::uint32_t rows() const { return rows_; }

 private:
  std::uint32_t rows_;
};

}  // namespace

TriangleMesh inverted(TriangleMesh mesh) {
  for (auto& triangle : mesh.triangles) std::swap(triangle[1], triangle[2]);
  return mesh;
}

void append(TriangleMesh& mesh, const TriangleMesh& part, const Pose& pose) {
  const auto first = static_cast<std::uint32_t>(mesh.vertices.size());
  for (const Vec3& v : part.vertices) mesh.vertices.push_back(pose.apply(v));
  for (const auto& [a, b, c] : part.triangles) mesh.triangles.push_back({first + a, first + b, first + c});
}

TriangleMesh transformed(TriangleMesh mesh, const Pose& pose) {
  for (Vec3& v : mesh.vertices) v = pose.apply(v);
  return mesh;
}

TriangleMesh extruded(const std::vector<Point2>& outline, double height) {
  TriangleMesh mesh;
  mesh.name = "prism";
  const auto n = static_cast<std::uint32_t>(outline.size());
  for (const double z : {-height / 2, height / 2})
    for (const Point2& p : outline) mesh.vertices.push_back({p.x, p.y, z});
  std::vector<std::uint32_t> bottom, top;
  for (std::uint32_t i = 0; i < n; ++i) {
    bottom.push_back(n - 1 - i);
    top.push_back(n + i);
    const std::uint32_t next = (i + 1) % n;
    appendPolygon(mesh, std::array{i, next, n + next, n + i});
  }
  appendPolygon(mesh, bottom);
  appendPolygon(mesh, top);
  return mesh;
}

TriangleMesh archStone(double inner, double outer, double from_angle, double to_angle, double depth) {
  // In the x-z plane, seen along -y, so that the outline runs counter-clockwise.
  const auto at = [](double radius, double angle) {
    return Point2{radius * std::cos(angle), radius * std::sin(angle)};
  };
  TriangleMesh stone = extruded(
      {at(inner, from_angle), at(outer, from_angle), at(outer, to_angle), at(inner, to_angle)}, depth);
  for (Vec3& v : stone.vertices) v = {v.x, -v.z, v.y};
  return stone;
}

TriangleMesh star5(double tip, double dent, double height) {
  std::vector<Point2> outline;
  for (int i = 0; i < 10; ++i) {
    const double radius = i % 2 == 0 ? tip : dent, angle = std::numbers::pi * i / 5;
    outline.push_back({radius * std::cos(angle), radius * std::sin(angle)});
  }
  return extruded(outline, height);
}

TriangleMesh jack(double length, double width) {
  const std::vector<double> planes = {-length / 2, -width / 2, width / 2, length / 2};
  return cellSolid(planes, planes, planes,
                   [](int i, int j, int k) { return (i == 1) + (j == 1) + (k == 1) >= 2; });
}

TriangleMesh trefoil(const TrefoilSize& size, int segments, int sides) {
  TriangleMesh mesh;
  mesh.name = "trefoil";
  const auto n = static_cast<std::uint32_t>(segments), m = static_cast<std::uint32_t>(sides);
  for (std::uint32_t i = 0; i < n; ++i) {
    const double t = 2 * std::numbers::pi * i / n, u = 2 * t, v = 3 * t;
    const double around = size.major + size.minor * std::cos(v);
    const Vec3 outwards{std::cos(u), std::sin(u), 0}, along{-std::sin(u), std::cos(u), 0};
    // The torus that the knot winds around gives each section a frame that closes.
    const Vec3 normal = outwards * std::cos(v) + Vec3{0, 0, std::sin(v)};
    const Vec3 meridian = Vec3{0, 0, std::cos(v)} - outwards * std::sin(v);
    const Vec3 across = cross(normalised(along * (2 * around) + meridian * (3 * size.minor)), normal);
    const Vec3 centre = outwards * around + Vec3{0, 0, size.minor * std::sin(v)};
    for (std::uint32_t j = 0; j < m; ++j) {
      const double angle = 2 * std::numbers::pi * j / m;
      mesh.vertices.push_back(centre + (normal * std::cos(angle) + across * std::sin(angle)) * size.tube);
    }
  }
  for (std::uint32_t i = 0; i < n; ++i)
    for (std::uint32_t j = 0; j < m; ++j) {
      const std::uint32_t next = (i + 1) % n, beside = (j + 1) % m;
      appendPolygon(mesh, std::array{i * m + j, i * m + beside, next * m + beside, next * m + j});
    }
  return mesh;
}

TriangleMesh bin(const Vec3& inner, double wall) {
  const auto planes = [wall](double size) {
    return std::vector<double>{-size / 2 - wall, -size / 2, size / 2, size / 2 + wall};
  };
  return cellSolid(planes(inner.x), planes(inner.y), {-wall, 0, inner.z},
                   [](int i, int j, int k) { return k == 0 || i != 1 || j != 1; });
}

TriangleMesh cup(const CupSize& size, int segments) {
  TriangleMesh mesh;
  mesh.name = "cup";
  const auto n = static_cast<std::uint32_t>(segments);
  const Point2 outline[] = {{size.bottom, 0},
                            {size.rim, size.height},
                            {size.rim - size.wall, size.height},
                            {size.bottom - size.wall, size.wall}};
  for (const Point2& p : outline)
    for (std::uint32_t i = 0; i < n; ++i) {
      const double angle = 2 * std::numbers::pi * i / n;
      mesh.vertices.push_back({p.x * std::cos(angle), p.x * std::sin(angle), p.y});
    }
  const std::uint32_t below = 4 * n, inside = below + 1, last = 3 * n;
  mesh.vertices.push_back({0, 0, 0});
  mesh.vertices.push_back({0, 0, size.wall});
  for (std::uint32_t i = 0; i < n; ++i) {
    const std::uint32_t next = (i + 1) % n;
    mesh.triangles.push_back({below, next, i});
    for (std::uint32_t row = 0; row < last; row += n)
      appendPolygon(mesh, std::array{row + i, row + next, row + n + next, row + n + i});
    mesh.triangles.push_back({last + i, last + next, inside});
  }
  return mesh;
}

TriangleMesh threadedBolt(const ThreadSize& size, double length) {
  TriangleMesh mesh;
  mesh.name = "bolt";
  const int rows = threadRows(size, length);
  appendThread(mesh, size, 0, length, rows);
  for (const bool top : {false, true}) {
    const std::uint32_t first = top ? rows * kThreadSegments : 0;
    const auto middle = static_cast<std::uint32_t>(mesh.vertices.size());
    mesh.vertices.push_back({0, 0, top ? length / 2 : -length / 2});
    for (std::uint32_t i = 0; i < kThreadSegments; ++i) {
      const std::uint32_t a = first + i, b = first + (i + 1) % kThreadSegments;
      mesh.triangles.push_back({middle, top ? a : b, top ? b : a});
    }
  }
  return mesh;
}

TriangleMesh threadedNut(const ThreadSize& size, double clearance, double length, double outer_radius) {
  TriangleMesh mesh;
  mesh.name = "nut";
  const int rows = threadRows(size, length);
  appendThread(mesh, size, clearance, length, rows);
  for (auto& triangle : mesh.triangles) std::swap(triangle[1], triangle[2]);  // the solid lies outside
  const auto outer = static_cast<std::uint32_t>(mesh.vertices.size());
  for (const double z : {-length / 2, length / 2})
    for (std::uint32_t i = 0; i < kThreadSegments; ++i) mesh.vertices.push_back(onCircle(outer_radius, i, z));
  for (std::uint32_t i = 0; i < kThreadSegments; ++i) {
    const std::uint32_t next = (i + 1) % kThreadSegments, n = kThreadSegments, top = rows * n;
    appendPolygon(mesh, std::array{outer + i, outer + next, outer + n + next, outer + n + i});
    appendPolygon(mesh, std::array{i, next, outer + next, outer + i});
    appendPolygon(mesh, std::array{top + i, outer + n + i, outer + n + next, top + next});
  }
  return mesh;
}

TriangleMesh flatThreadedBolt(const ThreadSize& size, int turns) {
  TriangleMesh mesh;
  mesh.name = "bolt";
  const FlatThread thread(mesh, size, 0, turns);
  for (const std::uint32_t row : {0U, thread.rows()}) {
    const auto middle = static_cast<std::uint32_t>(mesh.vertices.size());
    mesh.vertices.push_back({0, 0, size.pitch * (row == 0 ? -0.5 * turns : 0.5 * turns)});
    const auto addEnd = [&](std::uint32_t a, std::uint32_t b) {
      mesh.triangles.push_back(row == 0 ? std::array{middle, b, a} : std::array{middle, a, b});
    };
    for (std::uint32_t i = 0; i < kThreadSegments; ++i) addEnd(thread.at(row, i), thread.at(row, i + 1));
    for (std::uint32_t j = kFlatCorners; j > 0; --j) addEnd(thread.at(row + j, 0), thread.at(row + j - 1, 0));
  }
  return mesh;
}

TriangleMesh flatThreadedNut(const ThreadSize& size, double clearance, int turns, double outer_radius) {
  TriangleMesh mesh;
  mesh.name = "nut";
  const FlatThread thread(mesh, size, clearance, turns);
  const auto outer = static_cast<std::uint32_t>(mesh.vertices.size());
  const auto outside = [outer](bool top, std::uint32_t i) {
    return outer + (top ? kThreadSegments : 0) + i % kThreadSegments;
  };
  for (const double turn : {-0.5 * turns, 0.5 * turns})
    for (std::uint32_t i = 0; i < kThreadSegments; ++i)
      mesh.vertices.push_back(onCircle(outer_radius, i, size.pitch * turn));
  for (std::uint32_t i = 0; i < kThreadSegments; ++i)
    appendPolygon(
        mesh, std::array{outside(true, i), outside(true, i + 1), outside(false, i + 1), outside(false, i)});
  for (const bool top : {false, true}) {
    const std::uint32_t row = top ? thread.rows() : 0;
    const auto addEnd = [&](std::uint32_t a, std::uint32_t b, std::uint32_t c) {
      mesh.triangles.push_back(top ? std::array{a, b, c} : std::array{a, c, b});
    };
    for (std::uint32_t i = 0; i < kThreadSegments; ++i) {
      addEnd(thread.at(row, i), thread.at(row, i + 1), outside(top, i));
      addEnd(outside(top, i), thread.at(row, i + 1), outside(top, i + 1));
    }
    std::vector<std::uint32_t> step{outside(top, 0)};  // from the end of the turn to its beginning
    for (std::uint32_t j = 0; j <= kFlatCorners; ++j) step.push_back(thread.at(row + j, 0));
    if (top) std::reverse(step.begin(), step.end());
    appendPolygon(mesh, step);
  }
  return inverted(std::move(mesh));  // the solid lies outside
}

TriangleMesh cellSolid(const std::vector<double>& xs, const std::vector<double>& ys,
                       const std::vector<double>& zs, const std::function<bool(int, int, int)>& solid) {
  const Lattice count = {static_cast<int>(xs.size()) - 1, static_cast<int>(ys.size()) - 1,
                         static_cast<int>(zs.size()) - 1};
  const auto isSolid = [&](const Lattice& c) {
    for (int axis = 0; axis < 3; ++axis)
      if (c[axis] < 0 || c[axis] >= count[axis]) return false;
    return solid(c[0], c[1], c[2]);
  };
  TriangleMesh mesh;
  mesh.name = "cells";
  LatticeVertices vertices(mesh, xs, ys, zs);
  for (Lattice c{}; c[0] < count[0]; ++c[0])
    for (c[1] = 0; c[1] < count[1]; ++c[1])
      for (c[2] = 0; c[2] < count[2]; ++c[2]) {
        if (!isSolid(c)) continue;
        for (int axis = 0; axis < 3; ++axis)
          for (const bool high : {false, true}) {
            Lattice neighbour = c;
            neighbour[axis] += high ? 1 : -1;
            if (!isSolid(neighbour)) appendFace(mesh, vertices, c, axis, high);
          }
      }
  return mesh;
}

}  // namespace odemesh::sim
