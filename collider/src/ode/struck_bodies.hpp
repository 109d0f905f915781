// What the contacts of a step leave of the motions of many bodies.
#pragma once

#include <array>
#include <cstddef>
#include <odemesh/motion.hpp>
#include <span>
#include <unordered_map>
#include <vector>

#include "ode/push.hpp"

namespace odemesh::ode {

/// The motions of bodies after impulses at all contacts that are added: an outlook, no solution.
class StruckBodies {
 public:
  explicit StruckBodies(double dt) : dt_(dt) {}

  /// Two geoms, in the order of their contacts. Returns the number of the pair.
  [[nodiscard]] std::size_t addPair(dGeomID g1, dGeomID g2);
  /// A contact of the pair of this number, complete.
  void add(std::size_t pair, const dContact& contact);
  /// Lets all contacts act, by sweeps of Gauss and Seidel, from where they were.
  void settle();
  /// The same of those of one pair.
  void settle(std::size_t pair);

  /// That of a geom, as the contacts leave it.
  [[nodiscard]] Motion motionIn(dGeomID geom) const;
  /// That of a geom without any contact.
  [[nodiscard]] Motion ownMotionOf(dGeomID geom) const;
  /// Those of a pair's geoms as the contacts of others leave them.
  [[nodiscard]] std::array<Motion, 2> motionsWithout(std::size_t pair) const;
  /// The bodies with a mesh that is fast, and goes elsewhere than at the last call, or at first.
  [[nodiscard]] std::vector<dBodyID> turnedAside();

 private:
  struct State {
    dBodyID body;
    BodySpeed speed;
    BodySpeed told;    ///< at the last call of `turnedAside`
    int moved_in = 0;  ///< the last sweep that moved it by enough to count
  };
  struct Pair {
    std::array<dGeomID, 2> geoms;
    std::array<int, 2> states;  ///< negative of what has no body
    PairResponse response;
    std::vector<Push> pushes{};
  };

  [[nodiscard]] int stateOf(dGeomID geom);
  [[nodiscard]] const State* find(dGeomID geom) const;
  [[nodiscard]] double act(Pair& pair);
  void settle(std::span<Pair> pairs);
  [[nodiscard]] int lastMoved(const Pair& pair) const;
  void noteMoved(const Pair& pair);
  [[nodiscard]] bool isTurned(const State& state) const;

  double dt_;
  std::unordered_map<dBodyID, int> numbers_;
  std::vector<State> states_;
  std::vector<Pair> pairs_;
  int sweep_ = 0;  ///< since the first one
};

}  // namespace odemesh::ode
