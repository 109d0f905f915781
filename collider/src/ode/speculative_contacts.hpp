// What contacts of meshes and of planes share, on the way to those of odemeshCollideSpeculative.
#pragma once

#include <cstddef>
#include <odemesh/motion.hpp>
#include <span>

#include "motion/centre_guards.hpp"
#include "ode/held_impacts.hpp"
#include "ode/speculative_call.hpp"

namespace odemesh::ode {

/// Of one pair, in this thread's list. Those of the guards come first.
struct Impacts {
  std::span<Impact> room;  ///< what the list may hold
  std::size_t count = 0;
  CentreGuards guards{};

  /// Where there is room for few contacts, up to half of it, and the only place if something is fast, goes to
  /// impacts.
  [[nodiscard]] static Impacts beside(const SpeculativeCall& r, int touching, bool are_slow);

  [[nodiscard]] std::span<Impact> all() const { return room.first(count); }
  [[nodiscard]] std::span<Impact> left() const { return room.subspan(count); }
  void add(const CentreGuards& found);
};

/// Gives `count` contacts the caller's surface. Returns how many they are.
int dress(const SpeculativeCall& r, int count);

/// What dCollide finds, with the caller's surface. Pairs that are told apart without it count all the same.
[[nodiscard]] int touchingOf(const SpeculativeCall& r, bool may_touch);

/// Writes the impacts that `standing` contacts do not prevent behind these, the first of them if there is no
/// room for all. Returns how many contacts there are.
[[nodiscard]] int finish(const SpeculativeCall& r, int standing, Impacts impacts, const PairMotion& motion);

}  // namespace odemesh::ode
