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
  bool is_whole_step;
  Front front;

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

/// What meets what on the way of `passage`, which may be off by `hair`. If it is the whole step, only those
/// vertices count that come down by `least`, from which on it makes an impact, and arrive in front of their
/// neighbours, unless those have been stopped. If the step has several parts, all count: a vertex that only
/// follows in this part may have led in another. `seen` is for use by the function.
[[nodiscard]] Met metOnWay(const Passage& passage, double least, double hair, Stamps& seen);

}  // namespace odemesh
