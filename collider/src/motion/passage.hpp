// A mesh that passes a solid at rest and comes near the middle of its faces only: their edges and corners
// need no search, and what slides or rolls along a face strikes nothing.
#pragma once

#include <odemesh/mesh.hpp>
#include <odemesh/motion.hpp>

#include "contact/stamps.hpp"
#include "motion/impact_search.hpp"

namespace odemesh {

/// A mesh that moves in a part of a step, and a solid at rest by which it passes.
struct Passage {
  const Mesh& moving;
  const Motion& motion;
  const Mesh& still;
  const StepPart& part;
  int side;  ///< of the mesh that moves

  /// In the frame of the solid.
  ///@{
  [[nodiscard]] const Pose& begin() const { return part.begin[std::size_t(side)]; }
  [[nodiscard]] const Pose& end() const { return part.end[std::size_t(side)]; }
  ///@}
};

/// What the mesh may meet of the solid on its way.
enum class Met {
  kNothing,
  kFaces,  ///< by its vertices, and no edge or vertex that is not in a flat part
  kMore,   ///< or not known
};

/// Ways may be off by `hair`. Of a whole step, only vertices count that arrive in front of their neighbours
/// and come down so far that it makes an impact: by `least`. In one part of several all do: others may follow
/// what leads in another part. `seen` is for use by the function.
[[nodiscard]] Met metOnWay(const Passage& passage, double least, double hair, bool is_whole_step,
                           Stamps& seen);

}  // namespace odemesh
