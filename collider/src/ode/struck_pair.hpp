// A pair of geoms of which one is set in motion within the step by what strikes it.
#pragma once

#include <array>
#include <odemesh/motion.hpp>
#include <vector>

#include "ode/speculative_call.hpp"

namespace odemesh::ode {

/// What the near callback of a strike pass asks odemeshCollideSpeculative about.
struct StruckPair {
  dGeomID g1, g2;
  std::array<Motion, 2> motions;   ///< as the contacts of other pairs leave them
  std::vector<dContact> contacts;  ///< of this pair, for (g1, g2)
};

/// The pair in hand on this thread, as long as this lives.
class PairInHand {
 public:
  explicit PairInHand(StruckPair& pair);
  ~PairInHand();
  PairInHand(const PairInHand&) = delete;
  PairInHand& operator=(const PairInHand&) = delete;

  /// If it is of these geoms, in whatever order; else null.
  [[nodiscard]] static StruckPair* of(dGeomID g1, dGeomID g2);

 private:
  StruckPair* outer_;
};

/// Of two meshes, or a mesh and a plane: writes what the motions of the pair bring together and its contacts
/// do not prevent, and adds it to these. Returns how many contacts were written.
[[nodiscard]] int collideStruck(const SpeculativeCall& r, StruckPair& pair);

}  // namespace odemesh::ode
