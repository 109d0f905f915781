#include "render/shading_mesh.hpp"

#include <algorithm>
#include <cmath>
#include <compare>
#include <numbers>
#include <numeric>

#include "render/bounds.hpp"

namespace odemesh::sim::render {

namespace {

/// Where more corners than this meet, each keeps its face's normal: comparing all with all would take too
/// long.
constexpr std::size_t kMostSmoothed = 256;

using Triangle = std::array<std::uint32_t, 3>;

struct Face {
  const Vec3* corner[3];
  Vec3 normal;
};

bool isUsable(const TriangleMesh& mesh, const Triangle& triangle) {
  return std::all_of(triangle.begin(), triangle.end(),
                     [&](std::uint32_t v) { return v < mesh.vertices.size() && isFinite(mesh.vertices[v]); });
}

std::vector<Face> usableFaces(const TriangleMesh& mesh) {
  std::vector<Face> faces;
  faces.reserve(mesh.triangles.size());
  for (const Triangle& triangle : mesh.triangles) {
    if (!isUsable(mesh, triangle)) continue;
    Face face{{&mesh.vertices[triangle[0]], &mesh.vertices[triangle[1]], &mesh.vertices[triangle[2]]}, {}};
    const Vec3& origin = *face.corner[0];
    face.normal = normalised(cross(*face.corner[1] - origin, *face.corner[2] - origin));
    if (lengthSq(face.normal) > 0.5) faces.push_back(face);
  }
  return faces;
}

double angleAt(const Face& face, int corner) {
  const Vec3 along = normalised(*face.corner[(corner + 1) % 3] - *face.corner[corner]);
  const Vec3 back = normalised(*face.corner[(corner + 2) % 3] - *face.corner[corner]);
  return std::acos(std::clamp(dot(along, back), -1.0, 1.0));
}

/// Corner `c` stands for corner c % 3 of face c / 3.
const Vec3& positionOf(const std::vector<Face>& faces, std::size_t c) {
  return *faces[c / 3].corner[c % 3];
}

bool isBefore(const Vec3& a, const Vec3& b) {
  if (a.x != b.x) return a.x < b.x;
  return a.y != b.y ? a.y < b.y : a.z < b.z;
}

/// All corners, those at one position next to each other.
std::vector<std::size_t> cornersByPosition(const std::vector<Face>& faces) {
  std::vector<std::size_t> corners(3 * faces.size());
  std::iota(corners.begin(), corners.end(), std::size_t{0});
  std::sort(corners.begin(), corners.end(), [&](std::size_t a, std::size_t b) {
    return isBefore(positionOf(faces, a), positionOf(faces, b));
  });
  return corners;
}

/// Sets the normals of corners that share a position.
void smoothGroup(const std::vector<Face>& faces, const std::size_t* begin, const std::size_t* end,
                 double crease_cosine, std::vector<Vec3>& normals) {
  const bool is_too_large = static_cast<std::size_t>(end - begin) > kMostSmoothed;
  for (const std::size_t* c = begin; c != end; ++c) {
    const Vec3& own = faces[*c / 3].normal;
    normals[*c] = own;
    if (is_too_large) continue;
    Vec3 sum;
    for (const std::size_t* other = begin; other != end; ++other) {
      const Face& face = faces[*other / 3];
      if (dot(face.normal, own) >= crease_cosine)
        sum += face.normal * angleAt(face, static_cast<int>(*other % 3));
    }
    normals[*c] = normalised(sum, own);
  }
}

std::vector<Vec3> cornerNormals(const std::vector<Face>& faces, double crease_degrees) {
  const double crease_cosine = std::cos(crease_degrees * std::numbers::pi / 180);
  const std::vector<std::size_t> corners = cornersByPosition(faces);
  std::vector<Vec3> normals(corners.size());
  for (std::size_t first = 0; first < corners.size();) {
    std::size_t last = first + 1;
    while (last < corners.size() && positionOf(faces, corners[last]) == positionOf(faces, corners[first]))
      ++last;
    smoothGroup(faces, corners.data() + first, corners.data() + last, crease_cosine, normals);
    first = last;
  }
  return normals;
}

void store(const Vec3& from, float (&to)[3]) {
  for (int i = 0; i < 3; ++i) to[i] = static_cast<float>(from[i]);
}

}  // namespace

ShadingMesh shadingMesh(const TriangleMesh& mesh, double crease_degrees) {
  const std::vector<Face> faces = usableFaces(mesh);
  const std::vector<Vec3> normals = cornerNormals(faces, crease_degrees);
  Bounds bounds;
  for (std::size_t c = 0; c < normals.size(); ++c) bounds.add(positionOf(faces, c));
  ShadingMesh out;
  out.centre = bounds.centre();
  out.vertices.resize(normals.size());
  for (std::size_t c = 0; c < normals.size(); ++c) {
    const Vec3 position = positionOf(faces, c) - out.centre;
    out.radius = std::max(out.radius, length(position));
    store(position, out.vertices[c].position);
    store(normals[c], out.vertices[c].normal);
  }
  return out;
}

}  // namespace odemesh::sim::render
