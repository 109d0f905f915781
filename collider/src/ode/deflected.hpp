// What the contacts of a pair leave of the motions that its bodies bring along.
#pragma once

#include <array>
#include <odemesh/motion.hpp>
#include <optional>

#include "motion/sweep.hpp"
#include "ode/contact_array.hpp"

namespace odemesh::ode {

/// The motions of a pair's geoms after impulses at all of its contacts: a body that is stopped at one end
/// turns about it.
class Deflected {
 public:
  /// The first `count` contacts are complete. `motions` are those of their `g1` and `g2`. Sweeps of Gauss and
  /// Seidel over the contacts: it is an outlook, no solution.
  Deflected(const ContactArray& contacts, int count, const std::array<Motion, 2>& motions, double dt);

  [[nodiscard]] const Motion& operator[](std::size_t side) const { return motions_[side]; }
  /// At a contact of the same geoms.
  [[nodiscard]] double approachAt(const dContactGeom& c) const;

 private:
  std::array<Motion, 2> motions_;
};

/// May contacts of meshes that approach each other by so much within a step turn them aside by more than
/// `least`? A rod that is struck at one end turns, and its other end moves on faster, but not many times so.
[[nodiscard]] bool mayTurnAside(double approach, double least);

/// Does the mesh end a step elsewhere, by more than what counts as an impact?
[[nodiscard]] bool isTurnedAside(const Mesh& mesh, const Motion& before, const Motion& after, double dt);

/// The same of more and more contacts: worked out anew only where there are others than at the last question.
class Deflection {
 public:
  Deflection(const ContactArray& contacts, const std::array<Motion, 2>& motions, double dt)
      : contacts_(contacts), motions_(motions), dt_(dt) {}

  /// By the first `count` contacts.
  [[nodiscard]] const Deflected& by(int count);
  /// May it bring points of the meshes nearer to each other by more than `least`?
  [[nodiscard]] bool mayBringNearer(const Mesh& mesh1, const Mesh& mesh2, double least) const {
    return mayTurnAside(approachWithin(mesh1, motions_[0], mesh2, motions_[1], dt_).greatest(), least);
  }

 private:
  ContactArray contacts_;
  std::array<Motion, 2> motions_;
  double dt_;
  int count_ = 0;
  std::optional<Deflected> deflected_{};
};

}  // namespace odemesh::ode
