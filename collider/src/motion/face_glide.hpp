// What slides or rolls along a flat face is fast, but strikes nothing: a look at the vertices that come down
// to the face in place of a search.
#pragma once

#include <odemesh/mesh.hpp>
#include <odemesh/motion.hpp>

#include "contact/stamps.hpp"
#include "motion/impact_search.hpp"

namespace odemesh {

/// A mesh that moves, and a solid at rest by which it passes.
struct Glide {
  const Mesh& moving;
  const Motion& motion;
  const Mesh& still;
  const StepPart& step;  ///< all of the step
  int side;              ///< of the mesh that moves

  /// In the frame of the solid.
  ///@{
  [[nodiscard]] const Pose& begin() const { return step.begin[std::size_t(side)]; }
  [[nodiscard]] const Pose& end() const { return step.end[std::size_t(side)]; }
  ///@}
};

/// True if all that the mesh may meet of the solid within the step lies in faces of one direction, and no
/// vertex comes down to them that is in front of its neighbours, and by so much that it makes an impact: by
/// `least`. Ways may be off by `hair`. False of many of which this is true. `seen` is for use by the
/// function.
[[nodiscard]] bool glidesAlongFaces(const Glide& glide, double least, double hair, Stamps& seen);

}  // namespace odemesh
