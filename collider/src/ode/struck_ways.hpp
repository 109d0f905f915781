// What lies on the ways of bodies that are struck.
#pragma once

#include <odemesh/odemesh.h>

#include <cstdint>
#include <optional>
#include <set>
#include <span>
#include <vector>

#include "ode/struck_bodies.hpp"
#include "ode/swept_pairs.hpp"

namespace odemesh::ode {

/// A fast mesh, and a geom on its way. Those that are nearest at the beginning of the step come first: they
/// take from the motion what the others are not struck with.
struct Encounter {
  double distance_sq;
  std::uint32_t mover, other;  ///< as StruckWays numbers them

  friend auto operator<=>(const Encounter&, const Encounter&) = default;
};

/// The ways of the geoms of a space and its subspaces.
class StruckWays {
 public:
  StruckWays(dSpaceID space, const StruckBodies& bodies, double dt);

  /// These bodies go elsewhere now. Adds what that brings about.
  void update(std::span<const dBodyID> turned, std::set<Encounter>& encounters);
  /// Is the mover still fast, and does it come near the other?
  [[nodiscard]] bool mayMeet(const Encounter& e) const;
  [[nodiscard]] dGeomID geomAt(std::uint32_t number) const { return ways_[number].geom; }

 private:
  struct Way {
    dGeomID geom;
    Box box;                          ///< where it begins
    Box reach;                        ///< that it sweeps over
    std::optional<SweptBall> ball{};  ///< of a mesh
    bool is_fast = false;
  };

  void add(dSpaceID space);
  void setOut(Way& way) const;
  void addEncounters(std::uint32_t mover, std::set<Encounter>& encounters) const;
  [[nodiscard]] static bool meet(const SweptBall& a, const SweptBall& b);
  [[nodiscard]] static bool meet(const Way& a, const Way& b);

  const StruckBodies& bodies_;
  double dt_;
  std::vector<Way> ways_;
};

}  // namespace odemesh::ode
