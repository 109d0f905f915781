#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <numbers>
#include <odemesh/sim/input_error.hpp>
#include <odemesh/sim/polygon.hpp>
#include <odemesh/sim/shapes.hpp>
#include <sstream>
#include <string>
#include <utility>

namespace odemesh::sim {
namespace {

constexpr double kMinLength = 1e-6;
constexpr double kMaxLength = 1e6;
constexpr double kPi = std::numbers::pi;

struct ProfilePoint {
  double r, z;
};
using Profile = std::vector<ProfilePoint>;

template <typename T>
[[noreturn]] void refuse(const char* shape, const char* parameter, T value, const std::string& expected) {
  std::ostringstream text;
  text << shape << ": " << parameter << " is " << value << "; give " << expected;
  throw InputError(text.str());
}

void requireLength(const char* shape, const char* parameter, double value) {
  // Negated so that NaN is refused too.
  if (!(value >= kMinLength && value <= kMaxLength))
    refuse(shape, parameter, value, "a length from 1e-6 to 1e6 metres");
}

void requireCount(const char* shape, const char* parameter, int value, int least,
                  int most = kMaxShapeDivisions) {
  if (value < least || value > most)
    refuse(shape, parameter, value,
           "a whole number from " + std::to_string(least) + " to " + std::to_string(most));
}

std::uint32_t addVertex(TriangleMesh& mesh, const Vec3& vertex) {
  mesh.vertices.push_back(vertex);
  return static_cast<std::uint32_t>(mesh.vertices.size() - 1);
}

using Ring = std::vector<std::uint32_t>;

/// The vertices that a profile point leaves on its way around the axis: one on the axis, `segments` off it.
Ring addRing(TriangleMesh& mesh, const ProfilePoint& point, int segments) {
  Ring ring;
  if (point.r == 0) {
    ring.assign(segments, addVertex(mesh, {0, 0, point.z}));
    return ring;
  }
  for (int i = 0; i < segments; ++i) {
    const double angle = 2 * kPi * i / segments;
    ring.push_back(addVertex(mesh, {point.r * std::cos(angle), point.r * std::sin(angle), point.z}));
  }
  return ring;
}

void joinRings(TriangleMesh& mesh, const Ring& lower, const Ring& upper) {
  for (std::size_t i = 0; i < lower.size(); ++i) {
    const std::size_t next = (i + 1) % lower.size();
    if (lower[i] == lower[next])
      appendPolygon(mesh, std::array{lower[i], upper[next], upper[i]});
    else if (upper[i] == upper[next])
      appendPolygon(mesh, std::array{lower[i], lower[next], upper[i]});
    else
      appendPolygon(mesh, std::array{lower[i], lower[next], upper[next], upper[i]});
  }
}

/// Turns a profile around z. The solid lies to the left of the profile as it runs in the (r, z) half plane.
/// It has to be a loop, or begin and end on the axis (r exactly 0), for the surface to be closed.
TriangleMesh revolve(const char* name, const Profile& profile, int segments, bool loop = false) {
  TriangleMesh mesh;
  mesh.name = name;
  std::vector<Ring> rings;
  for (const ProfilePoint& point : profile) rings.push_back(addRing(mesh, point, segments));
  for (std::size_t i = 0; i + 1 < rings.size(); ++i) joinRings(mesh, rings[i], rings[i + 1]);
  if (loop) joinRings(mesh, rings.back(), rings.front());
  return mesh;
}

/// Appends the points of a circle's arc at `steps + 1` equal angles (from -pi/2, the lowest point, to pi/2,
/// the highest). Points on the axis get r = 0 exactly.
void appendArc(Profile& profile, double centre_z, double radius, double from, double to, int steps) {
  for (int i = 0; i <= steps; ++i) {
    const double angle = from + (to - from) * i / steps;
    const bool pole = std::abs(std::abs(angle) - kPi / 2) < 1e-12;
    profile.push_back({pole ? 0 : radius * std::cos(angle), centre_z + radius * std::sin(angle)});
  }
}

/// One face of a cut box: a grid whose corners come from `vertexAt(i, j)`, wound so that i x j points
/// outwards.
template <typename VertexAt>
void appendGrid(TriangleMesh& mesh, int cells_i, int cells_j, const VertexAt& vertexAt) {
  for (int i = 0; i < cells_i; ++i)
    for (int j = 0; j < cells_j; ++j)
      appendPolygon(
          mesh, std::array{vertexAt(i, j), vertexAt(i + 1, j), vertexAt(i + 1, j + 1), vertexAt(i, j + 1)});
}

/// Makes the vertices of a box's surface lattice, each once however many faces it lies on.
class BoxLattice {
 public:
  BoxLattice(TriangleMesh& mesh, const Vec3& size, int cells) : mesh_(mesh), size_(size), cells_(cells) {}

  std::uint32_t at(const std::array<int, 3>& cell) {
    const auto [entry, is_new] = known_.try_emplace(cell, 0);
    if (is_new)
      entry->second = addVertex(
          mesh_, {coordinate(cell[0], size_.x), coordinate(cell[1], size_.y), coordinate(cell[2], size_.z)});
    return entry->second;
  }

 private:
  // Symmetric about zero in floating point too: the two ends are exactly +-size / 2.
  [[nodiscard]] double coordinate(int i, double size) const {
    return size * (2 * i - cells_) / (2.0 * cells_);
  }

  TriangleMesh& mesh_;
  Vec3 size_;
  int cells_;
  std::map<std::array<int, 3>, std::uint32_t> known_;
};

TriangleMesh icosahedron() {
  constexpr double kGolden = std::numbers::phi;
  TriangleMesh mesh;
  // Three golden rectangles, one in each coordinate plane.
  for (const double a : {-1.0, 1.0})
    for (const double b : {-kGolden, kGolden}) {
      mesh.vertices.push_back({0, a, b});
      mesh.vertices.push_back({a, b, 0});
      mesh.vertices.push_back({b, 0, a});
    }
  // The faces are the triples at mutual distance 2, wound away from the centre.
  const auto adjacent = [&mesh](std::uint32_t i, std::uint32_t j) {
    return lengthSq(mesh.vertices[i] - mesh.vertices[j]) < 4.5;
  };
  for (std::uint32_t i = 0; i < 12; ++i)
    for (std::uint32_t j = i + 1; j < 12; ++j)
      for (std::uint32_t k = j + 1; k < 12; ++k) {
        if (!adjacent(i, j) || !adjacent(j, k) || !adjacent(i, k)) continue;
        const bool outward = dot(mesh.vertices[i], cross(mesh.vertices[j], mesh.vertices[k])) > 0;
        mesh.triangles.push_back({i, outward ? j : k, outward ? k : j});
      }
  return mesh;
}

TriangleMesh subdivided(const TriangleMesh& coarse) {
  TriangleMesh fine;
  fine.vertices = coarse.vertices;
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> midpoints;
  const auto midpoint = [&](std::uint32_t a, std::uint32_t b) {
    const auto [entry, is_new] = midpoints.try_emplace(std::minmax(a, b), 0);
    if (is_new) entry->second = addVertex(fine, normalised(fine.vertices[a] + fine.vertices[b]));
    return entry->second;
  };
  for (const auto& [a, b, c] : coarse.triangles) {
    const std::uint32_t ab = midpoint(a, b), bc = midpoint(b, c), ca = midpoint(c, a);
    fine.triangles.push_back({a, ab, ca});
    fine.triangles.push_back({ab, b, bc});
    fine.triangles.push_back({ca, bc, c});
    fine.triangles.push_back({ab, bc, ca});
  }
  return fine;
}

}  // namespace

TriangleMesh makeBox(const Vec3& size, int cuts) {
  requireLength("box", "size x", size.x);
  requireLength("box", "size y", size.y);
  requireLength("box", "size z", size.z);
  requireCount("box", "the number of cuts", cuts, 0);
  TriangleMesh mesh;
  mesh.name = "box";
  const int cells = cuts + 1;
  BoxLattice lattice(mesh, size, cells);
  for (int axis = 0; axis < 3; ++axis)
    for (const int side : {0, cells})
      appendGrid(mesh, cells, cells, [&](int i, int j) {
        std::array<int, 3> cell{};
        cell[axis] = side;
        // The two other axes in cyclic order face along +axis; exchanged, along -axis.
        cell[(axis + 1) % 3] = side > 0 ? i : j;
        cell[(axis + 2) % 3] = side > 0 ? j : i;
        return lattice.at(cell);
      });
  return mesh;
}

TriangleMesh makeCylinder(double radius, double height, int segments) {
  requireLength("cylinder", "the radius", radius);
  requireLength("cylinder", "the height", height);
  requireCount("cylinder", "the number of segments", segments, 3);
  const double h = height / 2;
  return revolve("cylinder", {{0, -h}, {radius, -h}, {radius, h}, {0, h}}, segments);
}

TriangleMesh makeCone(double radius, double height, int segments) {
  requireLength("cone", "the radius", radius);
  requireLength("cone", "the height", height);
  requireCount("cone", "the number of segments", segments, 3);
  const double h = height / 2;
  return revolve("cone", {{0, -h}, {radius, -h}, {0, h}}, segments);
}

TriangleMesh makeSphere(double radius, int meridians, int parallels) {
  requireLength("sphere", "the radius", radius);
  requireCount("sphere", "the number of meridians", meridians, 3);
  requireCount("sphere", "the number of parallels", parallels, 1);
  Profile profile;
  appendArc(profile, 0, radius, -kPi / 2, kPi / 2, parallels + 1);
  return revolve("sphere", profile, meridians);
}

TriangleMesh makeIcosphere(double radius, int subdivisions) {
  requireLength("icosphere", "the radius", radius);
  requireCount("icosphere", "the number of subdivisions", subdivisions, 0, kMaxIcosphereSubdivisions);
  TriangleMesh mesh = icosahedron();
  for (Vec3& vertex : mesh.vertices) vertex = normalised(vertex);
  for (int i = 0; i < subdivisions; ++i) mesh = subdivided(mesh);
  for (Vec3& vertex : mesh.vertices) vertex *= radius;
  mesh.name = "icosphere";
  return mesh;
}

TriangleMesh makeTorus(double major_radius, double minor_radius, int segments, int sides) {
  requireLength("torus", "the major radius", major_radius);
  requireLength("torus", "the minor radius", minor_radius);
  // Nearly as large a tube would leave slivers around the axis.
  if (minor_radius > 0.999 * major_radius)
    refuse("torus", "the minor radius", minor_radius, "less than 0.999 of the major radius");
  requireCount("torus", "the number of segments", segments, 3);
  requireCount("torus", "the number of sides", sides, 3);
  Profile profile;
  for (int i = 0; i < sides; ++i) {
    const double angle = 2 * kPi * i / sides;
    profile.push_back({major_radius + minor_radius * std::cos(angle), minor_radius * std::sin(angle)});
  }
  return revolve("torus", profile, segments, true);
}

TriangleMesh makeCapsule(double radius, double height, int segments, int rings) {
  requireLength("capsule", "the radius", radius);
  requireLength("capsule", "the height", height);
  requireCount("capsule", "the number of segments", segments, 3);
  requireCount("capsule", "the number of rings", rings, 1);
  Profile profile;
  appendArc(profile, -height / 2, radius, -kPi / 2, 0, rings);
  appendArc(profile, height / 2, radius, 0, kPi / 2, rings);
  return revolve("capsule", profile, segments);
}

TriangleMesh makePlaneGrid(double size_x, double size_y, int cells_x, int cells_y) {
  requireLength("plane", "size x", size_x);
  requireLength("plane", "size y", size_y);
  requireCount("plane", "the number of cells along x", cells_x, 1);
  requireCount("plane", "the number of cells along y", cells_y, 1);
  TriangleMesh mesh;
  mesh.name = "plane";
  for (int i = 0; i <= cells_x; ++i)
    for (int j = 0; j <= cells_y; ++j)
      addVertex(mesh, {size_x * (2 * i - cells_x) / (2.0 * cells_x),
                       size_y * (2 * j - cells_y) / (2.0 * cells_y), 0});
  appendGrid(mesh, cells_x, cells_y,
             [&](int i, int j) { return static_cast<std::uint32_t>(i * (cells_y + 1) + j); });
  return mesh;
}

TriangleMesh makeBowl(double radius, double thickness, int segments, int rings) {
  requireLength("bowl", "the radius", radius);
  requireLength("bowl", "the thickness", thickness);
  if (thickness < radius / 1000)
    refuse("bowl", "the thickness", thickness, "at least a thousandth of the radius");
  requireCount("bowl", "the number of segments", segments, 3);
  requireCount("bowl", "the number of rings", rings, 1);
  Profile profile;
  appendArc(profile, radius, radius + thickness, -kPi / 2, 0, rings);
  appendArc(profile, radius, radius, 0, -kPi / 2, rings);
  return revolve("bowl", profile, segments);
}

}  // namespace odemesh::sim
