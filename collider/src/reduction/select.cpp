#include "reduction/select.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace odemesh {

namespace {

/// A contact may stand for its patch if it is less deep than the deepest that is left of it by no more than
/// this share of that; of gaps, wider.
constexpr double kLessDeep = 0.5;

/// A contact is farther from those taken than another one if the square of its distance is greater by this
/// factor: rounding does not tell between contacts of what stands square.
constexpr double kFarther = 1 + 1e-6;

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

/// Of the contacts of a patch, those of a negative distance are taken.
struct PatchState {
  std::size_t taken = 0;
  double least_depth =
      std::numeric_limits<double>::infinity();  ///< of what may be next; none if all is taken
};

[[nodiscard]] PatchState stateOf(std::span<const Contact> contacts, std::span<const double> distance) {
  PatchState state;
  double deepest = -std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < contacts.size(); ++i)
    if (distance[i] < 0)
      ++state.taken;
    else
      deepest = std::max(deepest, contacts[i].depth);
  if (state.taken < contacts.size()) state.least_depth = deepest - kLessDeep * std::abs(deepest);
  return state;
}

/// The contact to take next: of the patches of which the fewest were taken, the one that is farthest from all
/// that were.
[[nodiscard]] std::size_t farthestOfFewest(const ContactScratch& scratch, std::span<const double> distance) {
  std::size_t fewest = scratch.contacts.size(), farthest = 0, begin = 0;
  double greatest = 0;
  for (const std::size_t end : scratch.patch_end) {
    const std::size_t first = begin, size = end - begin;
    begin = end;
    const auto contacts = std::span(scratch.contacts).subspan(first, size);
    const auto [taken, least_depth] = stateOf(contacts, distance.subspan(first, size));
    if (taken == size || taken > fewest) continue;
    for (std::size_t i = 0; i < size; ++i) {
      const double off = distance[first + i];
      if (off < 0 || contacts[i].depth < least_depth) continue;
      if (taken == fewest && off <= kFarther * greatest) continue;
      fewest = taken;
      greatest = off;
      farthest = first + i;
    }
  }
  return farthest;
}

/// Where there is no room for all, from each patch in turn the contact that is farthest from all that were
/// taken (Gonzalez 1985), where a turn of the normal by a radian is as far as the extent of all: the first of
/// each may lie on one line, as the same corner of each foot of a row.
[[nodiscard]] std::size_t takeFarthest(ContactScratch& scratch, const Contact& deepest,
                                       std::span<Contact> out) {
  const auto& all = scratch.contacts;
  auto& distance = scratch.weights;  // from those taken, squared; negative of what is one of them
  distance.assign(all.size(), std::numeric_limits<double>::infinity());
  double extent_sq = 0;
  for (const Contact& c : all) extent_sq = std::max(extent_sq, lengthSq(c.position - deepest.position));
  auto last = static_cast<std::size_t>(&deepest - all.data());
  out[0] = deepest;
  for (std::size_t count = 1; count < out.size(); ++count) {
    distance[last] = -1;
    for (std::size_t i = 0; i < all.size(); ++i) {
      const double off = lengthSq(all[i].position - all[last].position);
      distance[i] = std::min(distance[i], off + extent_sq * lengthSq(all[i].normal - all[last].normal));
    }
    last = farthestOfFewest(scratch, distance);
    out[count] = all[last];
  }
  return out.size();
}

}  // namespace

std::size_t selectContacts(ContactScratch& scratch, std::span<Contact> out) {
  const auto& all = scratch.contacts;
  if (all.empty() || out.empty()) return 0;
  const auto deepest = std::max_element(all.begin(), all.end(),
                                        [](const Contact& a, const Contact& b) { return a.depth < b.depth; });
  if (scratch.patch_end.size() > 1 && all.size() > out.size()) return takeFarthest(scratch, *deepest, out);
  return takeInTurn(scratch, *deepest, out);
}

}  // namespace odemesh
