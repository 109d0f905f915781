// What is kept of pairs from step to step. Bodies that ODE has disabled, and static ones, are asked about at
// every step.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <memory>
#include <odemesh/collide.hpp>
#include <span>
#include <vector>

#include "contact/region/near_pairs.hpp"
#include "contact/relative_motion.hpp"

namespace odemesh::ode {

/// All that the answer to a call depends on; no padding.
struct PairQuestion {
  const void* geom1;
  const void* geom2;
  std::uint64_t mesh1, mesh2;  ///< serial numbers, which are never used again
  Pose pose1, pose2;
  double margin;
  std::uint64_t room;  ///< contacts that the caller has room for
  RelativeMotion motion;
};

/// What the triangles near each other depend on, beside the poses.
struct PairMatter {
  std::uint64_t mesh1, mesh2;  ///< serial numbers
  double margin;
  friend bool operator==(const PairMatter&, const PairMatter&) = default;
};

/// Keeps the answer to a question that was asked twice running about a pair of geoms, for the third time on,
/// and of pairs in slow motion the triangles that are near each other. Bounded: of pairs that share a slot,
/// the last one is remembered. The answer is the same with and without.
/// All functions may be called from any number of threads at once; a slot in use counts as empty.
class PairMemory {
 public:
  /// The answer that is kept for these geoms and `question()`, or else that of `compute(out, stats, near)`,
  /// which returns how many contacts it wrote; `near` may be null.
  template <typename Question, typename Compute>
  [[nodiscard]] std::size_t answer(const std::array<const void*, 2>& geoms, const PairMatter& matter,
                                   const Question& question, std::span<Contact> out, QueryStats& stats,
                                   const Compute& compute) {
    const Lease slot(slotOf(geoms[0], geoms[1]));
    if (!slot) return compute(out, stats, nullptr);
    if (slot->hasAnswer() && slot->recalls(question())) return slot->recall(out, stats);
    const std::size_t count =
        slot->computeWith(matter, [&](NearPairs& near) { return compute(out, stats, &near); });
    const bool was_work = stats.box_tests + stats.triangle_tests + count > 0;
    if (was_work) slot->keep(question(), out.first(count), stats);
    return count;
  }

  /// Did the last queries about these geoms find the meshes apart, and have they not come nearer since?
  [[nodiscard]] bool knowsApart(const std::array<const void*, 2>& geoms, const PairMatter& matter,
                                const MeshPair& pair) {
    const Lease slot(slotOf(geoms[0], geoms[1]));
    return slot && slot->knowsApart(matter, pair);
  }

  /// Did they, and will they stay apart if one of the meshes moves on by `ahead`?
  [[nodiscard]] bool knowsStayingApart(const std::array<const void*, 2>& geoms, const PairMatter& matter,
                                       const MeshPair& pair, double ahead) {
    const Lease slot(slotOf(geoms[0], geoms[1]));
    return slot && slot->knowsStayingApart(matter, pair, ahead);
  }

  /// Forgets all, and frees what it was kept in.
  void clear() noexcept;

 private:
  using Words = std::array<std::uint64_t, sizeof(PairQuestion) / sizeof(std::uint64_t)>;

  class Slot {
   public:
    [[nodiscard]] bool hasAnswer() const { return has_answer_; }
    [[nodiscard]] bool recalls(const PairQuestion& question) const;
    [[nodiscard]] std::size_t recall(std::span<Contact> out, QueryStats& stats) const;
    void keep(const PairQuestion& question, std::span<const Contact> contacts,
              const QueryStats& stats) noexcept;
    /// `compute(near)`, with the triangles that are near each other if they were of the same `matter`.
    template <typename Compute>
    [[nodiscard]] std::size_t computeWith(const PairMatter& matter, const Compute& compute) {
      try {
        return compute(nearPairs(matter));
      } catch (...) {  // in the midst of listing them
        near_pairs_.forget();
        throw;
      }
    }
    [[nodiscard]] bool knowsApart(const PairMatter& matter, const MeshPair& pair) noexcept {
      return matter == matter_ && near_pairs_.areApart(pair);
    }
    [[nodiscard]] bool knowsStayingApart(const PairMatter& matter, const MeshPair& pair,
                                         double ahead) noexcept {
      return matter == matter_ && near_pairs_.stayApart(pair, ahead);
    }
    void clear() noexcept;

    std::atomic_flag is_leased = ATOMIC_FLAG_INIT;

   private:
    [[nodiscard]] NearPairs& nearPairs(const PairMatter& matter) noexcept;

    std::uint64_t asked_ = 0;  ///< where the geoms were at the last question
    bool has_answer_ = false;
    Words question_{};
    QueryStats stats_;
    std::vector<Contact> contacts_;
    PairMatter matter_{};
    NearPairs near_pairs_;
  };

  /// A slot for oneself, if nobody else has it.
  class Lease {
   public:
    explicit Lease(Slot& slot)
        : slot_(slot.is_leased.test_and_set(std::memory_order_acquire) ? nullptr : &slot) {}
    ~Lease() {
      if (slot_ != nullptr) slot_->is_leased.clear(std::memory_order_release);
    }
    Lease(const Lease&) = delete;
    Lease& operator=(const Lease&) = delete;

    explicit operator bool() const { return slot_ != nullptr; }
    Slot* operator->() const { return slot_; }

   private:
    Slot* slot_;
  };

  static constexpr std::size_t kSlots = 4096;
  static constexpr std::size_t kMostContacts = 32;  ///< that a slot keeps

  [[nodiscard]] Slot& slotOf(const void* geom1, const void* geom2);

  std::array<Slot, kSlots> slots_;
};

/// The one of this process, never destroyed.
[[nodiscard]] PairMemory& pairMemory();

}  // namespace odemesh::ode
