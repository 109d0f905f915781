#include "contact/pair/within_margin.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include "reduction/select.hpp"
#include "separation/closest_triangles.hpp"

namespace odemesh {

namespace {

/// A contact knows the closest points if its gap is longer than theirs by no more than this share.
constexpr double kLikeGap = 1e-3;

/// Contacts are at the same place if they are closer than this, in units of the smaller mesh's radius, and
/// their normals have a greater cosine.
constexpr double kSamePlace = 1e-3;
constexpr double kSameNormal = 0.9;

/// Of a face that lies across a direction, the least cosine of its normal (0.1 degrees).
constexpr double kAcross = 1 - 1.5e-6;

/// Keeps those that `stays` tells of, and the patches that have any.
template <typename Stays>
void keepContacts(ContactScratch& scratch, Stays&& stays) {
  std::size_t begin = 0, contacts = 0, patches = 0;
  for (const std::size_t end : scratch.patch_end) {
    const std::size_t before = contacts;
    for (std::size_t i = begin; i < end; ++i)
      if (stays(scratch.contacts[i])) scratch.contacts[contacts++] = scratch.contacts[i];
    if (contacts > before) scratch.patch_end[patches++] = contacts;
    begin = end;
  }
  scratch.contacts.resize(contacts);
  scratch.patch_end.resize(patches);
}

[[nodiscard]] double greatestDepth(const ContactScratch& scratch) {
  double greatest = -std::numeric_limits<double>::infinity();
  for (const Contact& c : scratch.contacts) greatest = std::max(greatest, c.depth);
  return greatest;
}

[[nodiscard]] std::optional<ClosestTriangles> closestWithin(const MeshPair& pair, double margin) {
  QueryStats stats;
  return closestTriangles(pair, {.upper_bound = margin}, stats);
}

/// From mesh 2 to mesh 1, in the frame of contacts. The square of a great distance overflows.
[[nodiscard]] Vec3 directionOf(const TriangleSeparation& s) {
  return normalised(s.from2to1 / s.distance);
}

[[nodiscard]] Contact contactAt(const ClosestTriangles& closest, const MeshPair& pair) {
  const TriangleSeparation& s = closest.separation;
  return {pair.toWorld().apply(0.5 * (s.witness1 + s.witness2)), pair.toWorld().rotate(directionOf(s)),
          pair.tolerances().reported(-s.distance), pair[0].inputTriangleAt(closest.first, s.witness1),
          pair[1].inputTriangleAt(closest.second, s.witness2)};
}

[[nodiscard]] bool hasSolid(const MeshPair& pair) {
  return pair[0].mesh().isSolid() || pair[1].mesh().isSolid();
}

/// Does a face at one of the corners of triangle `t` lie across `direction`, a unit vector?
[[nodiscard]] bool hasFaceAcross(const PlacedMesh& placed, std::uint32_t t, const Vec3& direction) {
  const Mesh& mesh = placed.mesh();
  const auto isAcross = [&](std::uint32_t face) {
    return face != Mesh::kNone && std::abs(dot(placed.normal(face), direction)) > kAcross;
  };
  for (int i = 0; i < 3; ++i)
    for (const std::uint32_t e : mesh.edgesAt(mesh.corners(t)[i]))
      if (std::ranges::any_of(mesh.edges()[e].triangle, isAcross)) return true;
  return false;
}

[[nodiscard]] bool areAlike(const Contact& a, const Contact& b, double size) {
  return lengthSq(a.position - b.position) < kSamePlace * kSamePlace * size * size &&
         dot(a.normal, b.normal) > kSameNormal;
}

}  // namespace

std::optional<ClosestContact> closestContact(const MeshPair& pair, double margin) {
  if (!hasSolid(pair)) return std::nullopt;
  const auto closest = closestWithin(pair, margin);
  if (!closest || !(closest->separation.distance > 0)) return std::nullopt;
  const Vec3 direction = directionOf(closest->separation);
  return ClosestContact{contactAt(*closest, pair), hasFaceAcross(pair[0], closest->first, direction) &&
                                                       hasFaceAcross(pair[1], closest->second, direction)};
}

void holdAgainstGap(const MeshPair& pair, double margin, ContactScratch& scratch) {
  scratch.contained = 0;
  const auto closest = closestWithin(pair, margin);
  const double gap = closest ? closest->separation.distance : margin, slack = 2 * pair.tolerances().touching;
  keepContacts(scratch, [&](const Contact& c) { return c.depth <= slack - gap; });
  if (!closest || !(gap > 0) || greatestDepth(scratch) >= -(1 + kLikeGap) * gap - slack) return;
  if (!hasSolid(pair)) return;
  scratch.contacts.push_back(contactAt(*closest, pair));
  scratch.patch_end.push_back(scratch.contacts.size());
}

void takeApart(ContactScratch& scratch) {
  keepContacts(scratch, [](const Contact& c) { return c.depth < 0; });
  scratch.apart.swap(scratch.contacts);
}

void dropKnown(const MeshPair& pair, ContactScratch& scratch) {
  std::erase_if(scratch.apart, [&](const Contact& c) {
    return std::ranges::any_of(scratch.contacts,
                               [&](const Contact& known) { return areAlike(c, known, pair.size()); });
  });
}

std::size_t selectApart(ContactScratch& scratch, std::span<Contact> out) {
  scratch.contacts.swap(scratch.apart);
  scratch.patch_end.assign(1, scratch.contacts.size());
  return selectContacts(scratch, out);
}

}  // namespace odemesh
