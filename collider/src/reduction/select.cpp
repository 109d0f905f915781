#include "reduction/select.hpp"

#include <algorithm>
#include <limits>

namespace odemesh {

namespace {

/// The first contact of each patch, its deepest.
[[nodiscard]] const Contact& frontOf(const ContactScratch& scratch, std::size_t patch) {
  return scratch.contacts[patch == 0 ? 0 : scratch.patch_end[patch - 1]];
}

/// From each patch in turn its next contact, but for the deepest of all, which comes first.
[[nodiscard]] std::size_t takeInTurn(const ContactScratch& scratch, const Contact& deepest,
                                     std::span<Contact> out) {
  std::size_t count = 0;
  out[count++] = deepest;
  for (std::size_t rank = 0; count < out.size(); ++rank) {
    bool any = false;
    std::size_t begin = 0;
    for (const std::size_t end : scratch.patch_end) {
      const std::size_t i = begin + rank;
      begin = end;
      if (i >= end) continue;
      any = true;
      const Contact& next = scratch.contacts[i];
      if (&next != &deepest && count < out.size()) out[count++] = next;
    }
    if (!any) break;
  }
  return count;
}

/// One contact each of as many patches as there is room for: again and again the one that is farthest from
/// all that were taken (Gonzalez 1985), where a turn of the normal by a radian is as far as the extent of
/// all.
[[nodiscard]] std::size_t takeFarthest(ContactScratch& scratch, const Contact& deepest,
                                       std::span<Contact> out) {
  const std::size_t patches = scratch.patch_end.size();
  auto& distance = scratch.weights;  // of each patch from those taken, squared; negative if it is one of them
  distance.assign(patches, std::numeric_limits<double>::infinity());
  double extent_sq = 0;
  for (std::size_t k = 0; k < patches; ++k) {
    const Contact& front = frontOf(scratch, k);
    extent_sq = std::max(extent_sq, lengthSq(front.position - deepest.position));
    if (&front == &deepest) distance[k] = -1;
  }
  out[0] = deepest;
  for (std::size_t count = 1; count < out.size(); ++count) {
    const Contact& last = out[count - 1];
    for (std::size_t k = 0; k < patches; ++k) {
      const Contact& front = frontOf(scratch, k);
      const double off = lengthSq(front.position - last.position);
      distance[k] = std::min(distance[k], off + extent_sq * lengthSq(front.normal - last.normal));
    }
    const auto farthest = std::max_element(distance.begin(), distance.end());
    out[count] = frontOf(scratch, static_cast<std::size_t>(farthest - distance.begin()));
    *farthest = -1;
  }
  return out.size();
}

}  // namespace

std::size_t selectContacts(ContactScratch& scratch, std::span<Contact> out) {
  const auto& all = scratch.contacts;
  if (all.empty() || out.empty()) return 0;
  const auto deepest = std::max_element(all.begin(), all.end(),
                                        [](const Contact& a, const Contact& b) { return a.depth < b.depth; });
  if (scratch.patch_end.size() > out.size()) return takeFarthest(scratch, *deepest, out);
  return takeInTurn(scratch, *deepest, out);
}

}  // namespace odemesh
