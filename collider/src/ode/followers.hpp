// Which of the bodies that fly behind others may run into them.
#pragma once

#include <odemesh/odemesh.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "ode/swept_pairs.hpp"

namespace odemesh::ode {

/// Two meshes that move and do not reach each other within the step can meet only if one is stopped. That
/// takes something else that it reaches, a joint, or another one in front of it that is stopped.
class Followers {
 public:
  /// Drops the pairs that nothing brings together, of all that a pass over `space` reports, and returns how
  /// many. What moves may be stopped by the other one of a pair that is `known_apart`, too: what is dropped
  /// does not depend on what is remembered. What is in a subspace, or meets one, may be stopped by what this
  /// does not see.
  [[nodiscard]] int drop(dSpaceID space, double dt, const MovingRoom& moving,
                         const std::vector<GeomPair>& known_apart, std::vector<GeomPair>& pairs);

 private:
  /// What a mesh takes up within the step, as it moves, and if it stays where it is.
  struct Room {
    SweptBounds moving, stopped;
  };
  struct Mover {
    dGeomID geom;
    const MovingGeom* moving;
    std::uint32_t body;  ///< by number
  };
  struct Following {
    std::size_t pair;  ///< by number
    const Mover *first, *second;
  };

  void list(dSpaceID space, const MovingRoom& moving);
  [[nodiscard]] const Mover* moverOf(dGeomID geom) const;
  [[nodiscard]] const Room& roomOf(const Mover& mover);
  [[nodiscard]] bool areFollowing(const Mover& first, const Mover& second);
  void findFollowing(const std::vector<GeomPair>& pairs);
  void stopWhatMeets(const GeomPair& pair);
  void spread();

  double dt_ = 0;
  std::vector<Mover> movers_;               ///< by geom
  std::vector<std::optional<Room>> rooms_;  ///< of each mover, once it is asked for
  std::vector<dBodyID> bodies_;
  std::vector<char> may_stop_;  ///< of each body
  std::vector<Following> following_;
  std::vector<char> is_dropped_;  ///< of each pair
};

}  // namespace odemesh::ode
