#include "contact/patch/candidates.hpp"

#include <algorithm>

#include "contact/patch/clusters.hpp"
#include "reduction/reduce.hpp"

namespace odemesh {

double greatestDepth(const ContactScratch& scratch) {
  double depth = 0;
  for (const Candidate& c : scratch.candidates) depth = std::max(depth, c.depth);
  return depth;
}

void addCandidate(const Vec3& position, const Vec3& normal, double depth, ContactScratch& scratch) {
  const auto& [first, second] = scratch.faces;
  if (first.empty() || second.empty()) return;
  scratch.candidates.push_back({position, normal, depth, {first.front().face, second.front().face}});
}

void appendPatch(const MeshPair& pair, ContactScratch& scratch) {
  for (const Candidate& c : scratch.candidates)
    scratch.contacts.push_back({pair.toWorld().apply(c.position), pair.toWorld().rotate(c.normal), c.depth,
                                pair[0].inputTriangleAt(c.face[0], c.position),
                                pair[1].inputTriangleAt(c.face[1], c.position)});
  scratch.patch_end.push_back(scratch.contacts.size());
}

void closePatch(const MeshPair& pair, const Vec3& direction, ContactScratch& scratch) {
  if (reducePatch(direction, pair.tolerances(), scratch)) appendPatch(pair, scratch);
}

void closePatches(const MeshPair& pair, std::span<const Vec3> directions, ContactScratch& scratch) {
  auto& all = scratch.gathered;
  all.swap(scratch.candidates);
  scratch.patch_of.clear();
  for (const Candidate& c : all) scratch.patch_of.push_back(nearestOf(directions, c.normal));
  for (std::size_t k = 0; k < directions.size(); ++k) {
    scratch.candidates.clear();
    for (std::size_t i = 0; i < all.size(); ++i)
      if (scratch.patch_of[i] == k) scratch.candidates.push_back(all[i]);
    closePatch(pair, directions[k], scratch);
  }
}

}  // namespace odemesh
