// Corners that hover beside those on which a pair stands.
#pragma once

#include <algorithm>
#include <cstddef>
#include <odemesh/collide.hpp>
#include <span>

#include "contact/relative_motion.hpp"
#include "ode/speculative_call.hpp"

namespace odemesh::ode {

/// As `Hovering` looks at it. A plane counts as a mesh without triangles.
struct HoveringPair {
  [[nodiscard]] static HoveringPair of(const Mesh& mesh1, const Pose& pose1, const Mesh& mesh2,
                                       const Pose& pose2) {
    const std::size_t triangles1 = mesh1.triangleCount(), triangles2 = mesh2.triangleCount();
    const double radius1 = mesh1.sphereRadius(), radius2 = mesh2.sphereRadius();
    const Vec3 centre1 = pose1.apply(mesh1.sphereCentre()), centre2 = pose2.apply(mesh2.sphereCentre());
    return {std::min(radius1, radius2), std::min(triangles1, triangles2), std::max(triangles1, triangles2),
            (centre1 * radius2 + centre2 * radius1) / (radius1 + radius2)};
  }

  double radius;      ///< the smaller mesh's
  std::size_t fewer;  ///< triangles, of the mesh that has fewer
  std::size_t more;   ///< of the other one
  Vec3 middle;        ///< between the meshes, where spheres of their sizes touch
};

/// How far apart meshes that touch nowhere may be for `Hovering` to look at them, in the world's unit.
[[nodiscard]] double hoveringReach(const HoveringPair& pair, dGeomID g1, dGeomID g2, double dt);

/// What stands on some of its corners and rocks a little, or has just lost the last of them, of a pair that
/// is not fast. A solver that iterates leaves such bodies a hair apart here and there. There is no contact
/// then, so that they fall by what gravity gives in a step, and are stopped by the next one: a table with a
/// load shakes, and the stones of an arch work their way out. Those corners get contacts that let them come
/// down, and no farther. Of fine meshes, which touch in few points, those are looked at that have lost the
/// last of them in the step before, as links of a chain do that hangs.
class Hovering {
 public:
  /// Most contacts that need to be looked at.
  static constexpr std::size_t kMostNear = 64;

  /// `standing` contacts are written already, and overlap.
  Hovering(const SpeculativeCall& r, int standing, const HoveringPair& pair);

  /// How far apart corners may hover, in the world's unit; 0 if there is no need to look.
  [[nodiscard]] double margin() const { return margin_; }

  /// Are the closest points all that there is to look for?
  [[nodiscard]] bool isOfOnePoint() const { return is_of_one_point_; }

  /// Writes those of `near`, contacts of the pair in the caller's order, that hover. Returns how many
  /// contacts there are then.
  [[nodiscard]] int add(std::span<const Contact> near) const;

 private:
  [[nodiscard]] bool mayRock(const RelativeMotion& motion, const HoveringPair& pair) const;

  const SpeculativeCall& r_;
  int standing_;
  bool is_of_one_point_;
  double fall_ = 0;  ///< the speed that gravity gives in a step
  double margin_ = 0;
};

}  // namespace odemesh::ode
