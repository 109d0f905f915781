#include "contact/pair/within_margin.hpp"

#include <algorithm>
#include <limits>
#include <odemesh/distance.hpp>
#include <optional>

#include "reduction/select.hpp"

namespace odemesh {

namespace {

/// A contact knows the closest points if its gap is longer than theirs by no more than this share.
constexpr double kLikeGap = 1e-3;

/// Contacts are at the same place if they are closer than this, in units of the smaller mesh's radius, and
/// their normals have a greater cosine.
constexpr double kSamePlace = 1e-3;
constexpr double kSameNormal = 0.9;

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

/// In the frame of mesh 1, where a distant origin of the world costs nothing.
[[nodiscard]] std::optional<SurfaceDistance> closestPoints(const MeshPair& pair, double margin) {
  return meshDistance(pair[0].mesh(), {}, pair[1].mesh(), pair.mesh2InMesh1(), {.upper_bound = margin});
}

[[nodiscard]] Contact contactAt(const SurfaceDistance& closest, const MeshPair& pair) {
  const Vec3 middle = 0.5 * (closest.witness1 + closest.witness2) - pair[0].mesh().sphereCentre();
  return {pair.toWorld().apply(middle),
          // The square of a great distance overflows.
          pair.toWorld().rotate(normalised((closest.witness1 - closest.witness2) / closest.distance)),
          pair.tolerances().reported(-closest.distance), closest.triangle1, closest.triangle2};
}

[[nodiscard]] bool areAlike(const Contact& a, const Contact& b, double size) {
  return lengthSq(a.position - b.position) < kSamePlace * kSamePlace * size * size &&
         dot(a.normal, b.normal) > kSameNormal;
}

}  // namespace

void holdAgainstGap(const MeshPair& pair, double margin, ContactScratch& scratch) {
  scratch.contained = 0;
  const auto closest = closestPoints(pair, margin);
  const double gap = closest ? closest->distance : margin, slack = 2 * pair.tolerances().touching;
  keepContacts(scratch, [&](const Contact& c) { return c.depth <= slack - gap; });
  if (!closest || !(gap > 0) || greatestDepth(scratch) >= -(1 + kLikeGap) * gap - slack) return;
  if (!pair[0].mesh().isSolid() && !pair[1].mesh().isSolid()) return;
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
