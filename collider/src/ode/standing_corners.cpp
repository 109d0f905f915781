#include "ode/standing_corners.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <limits>
#include <span>

#include "ode/vec3.hpp"

namespace odemesh::ode {

namespace {

/// Meshes of more vertices, and contacts of which there are more, cost as much as the search.
constexpr std::size_t kMostVertices = 128;
constexpr std::size_t kMostContacts = 16;

/// How far a face rises along another one, for its length: normals that look the same way differ by no more.
constexpr double kRise = 0.05;

/// A contact this near is a corner's, in units of the mesh's radius.
constexpr double kSame = 1e-2;

}  // namespace

bool doAllCornersStand(const GeomArray& contacts, int count, std::size_t side, const Mesh& mesh,
                       const Pose& pose, double margin) {
  if (count == 0 || std::size_t(count) > kMostContacts || mesh.vertexCount() > kMostVertices) return false;
  const double radius = mesh.sphereRadius();
  const Mat3 back = pose.rotation.transposed();
  const Vec3 up = back * vec3(contacts[0].normal) * (side == 0 ? 1 : -1);
  std::array<Vec3, kMostContacts> at;
  double low = -std::numeric_limits<double>::infinity();
  for (int i = 0; i < count; ++i) {
    at[std::size_t(i)] = back * (vec3(contacts[i].pos) - pose.translation);
    low = std::max(low, dot(up, at[std::size_t(i)]));
  }
  low += margin + kRise * 2 * radius;
  const std::span<const Vec3> standing = std::span(at).first(std::size_t(count));
  return std::ranges::all_of(mesh.vertices(), [&](const Vec3& corner) {
    const auto is_here = [&](const Vec3& p) { return length(p - corner) < kSame * radius; };
    return dot(up, corner) >= low || std::ranges::any_of(standing, is_here);
  });
}

}  // namespace odemesh::ode
