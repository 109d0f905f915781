#include "ode/pair_memory.hpp"

#include <algorithm>
#include <bit>
#include <utility>

#include "ode/settings.hpp"

namespace odemesh::ode {

namespace {

constexpr std::uint64_t kMultiplier = 0x9e3779b97f4a7c15ull;

[[nodiscard]] std::uint64_t mixed(std::uint64_t h, std::uint64_t word) {
  h = (h ^ word) * kMultiplier;
  return h ^ h >> 32;
}

/// A hash of where the geoms are, which is what changes from one question about them to the next.
[[nodiscard]] std::uint64_t traceOf(const PairQuestion& question) {
  std::uint64_t hash = 0, factor = kMultiplier;
  // Each number by an odd factor of its own, so that none waits for the others.
  const auto add = [&](const Vec3& v) {
    for (const double number : {v.x, v.y, v.z}) {
      const auto word = std::bit_cast<std::uint64_t>(number);
      hash += (word ^ word >> 32) * factor;
      factor += 2 * kMultiplier;
    }
  };
  for (const Pose* pose : {&question.pose1, &question.pose2}) {
    add(pose->translation);
    add(pose->rotation.row[0]);
    add(pose->rotation.row[1]);
  }
  return hash;
}

}  // namespace

bool PairMemory::Slot::recalls(const PairQuestion& question) const {
  return has_answer_ && question_ == std::bit_cast<Words>(question);
}

std::size_t PairMemory::Slot::recall(std::span<Contact> out, QueryStats& stats) const {
  stats = stats_;
  std::ranges::copy(contacts_, out.begin());
  add(counters().repeated_pairs, 1);
  return contacts_.size();
}

void PairMemory::Slot::keep(const PairQuestion& question, std::span<const Contact> contacts,
                            const QueryStats& stats) noexcept {
  const std::uint64_t trace = traceOf(question);
  const bool is_asked_again = trace == std::exchange(asked_, trace);
  has_answer_ = is_asked_again && contacts.size() <= kMostContacts;
  if (!has_answer_) return;  // most bodies move
  question_ = std::bit_cast<Words>(question);
  stats_ = stats;
  try {
    contacts_.assign(contacts.begin(), contacts.end());
  } catch (...) {  // out of memory: not kept
    has_answer_ = false;
  }
}

NearPairs& PairMemory::Slot::nearPairs(const PairMatter& matter) noexcept {
  if (!(matter == std::exchange(matter_, matter))) near_pairs_.forget();
  return near_pairs_;
}

void PairMemory::Slot::clear() noexcept {
  has_answer_ = false;
  asked_ = 0;
  contacts_ = {};
  near_pairs_.forget();
}

PairMemory::Slot& PairMemory::slotOf(const void* geom1, const void* geom2) {
  static_assert(std::has_single_bit(kSlots));
  const auto number = [](const void* geom) { return reinterpret_cast<std::uintptr_t>(geom); };
  return slots_[mixed(mixed(0, number(geom1)), number(geom2)) % kSlots];
}

void PairMemory::clear() noexcept {
  for (Slot& slot : slots_)
    if (const Lease lease(slot); lease) lease->clear();
}

PairMemory& pairMemory() {
  static auto& memory = *new PairMemory;
  return memory;
}

}  // namespace odemesh::ode
