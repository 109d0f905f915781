// Coherence: bodies at rest or in slow motion have much the same triangles near each other at every step.
#pragma once

#include <cstddef>
#include <cstdint>
#include <odemesh/pose.hpp>
#include <vector>

#include "contact/placed_mesh.hpp"

namespace odemesh {

/// The pairs of triangles that were near each other at some pose of two meshes, kept for the poses around it.
/// For queries about the same two meshes with the same margin; `forget` comes between those and others. What
/// is found is the same with and without: more pairs are kept than may cross, in the order in which a search
/// finds them.
class NearPairs {
 public:
  /// Are all pairs that may cross at this pose among those kept?
  [[nodiscard]] bool cover(const MeshPair& pair) noexcept;

  /// Calls `on_pair(first, second)` for those pairs; to be called when `cover` has said so.
  template <typename OnPair>
  void forEach(OnPair&& on_pair) const {
    for (const NearPair& pair : pairs_)
      if (!(pair.clearance > moved_)) on_pair(pair.first, pair.second);
  }

  /// Are the pairs of the last query kept? Then calls `on_pair(first, second)` for all of them: they may
  /// cross at its pose where the meshes are blown up less far.
  ///@{
  [[nodiscard]] bool areKept() const noexcept { return reach_ > 0; }
  template <typename OnPair>
  void forEachKept(OnPair&& on_pair) const {
    for (const NearPair& pair : pairs_) on_pair(pair.first, pair.second);
  }
  ///@}

  /// To be told after a query whether it found that no surface crosses the other and nothing is inside.
  void noteApart(bool are_apart) noexcept {
    was_apart_ = are_apart;
    are_apart_ = are_apart && moved_ < least_clearance_;
  }
  /// Is that still so at this pose? Nothing that has moved by less than the least clearance can have come to
  /// cross, or have got inside without. Once it is not, only a query can tell again.
  [[nodiscard]] bool areApart(const MeshPair& pair) noexcept;

  /// Is it, and would it still be if one of the meshes moved on by `ahead`? Where it is not known now, a
  /// search that finds nothing near reaches farther for it.
  [[nodiscard]] bool stayApart(const MeshPair& pair, double ahead) noexcept;

  /// Starts anew at this pose. Returns how much farther than usual a search has to reach to find what
  /// `keep` should be told of: 0 for pairs that move fast near each other.
  [[nodiscard]] double startAt(const MeshPair& pair) noexcept;
  /// `clearance`: the two can't cross until they have moved by that much.
  void keep(std::uint32_t first, std::uint32_t second, double clearance) noexcept;

  /// Also frees the memory.
  void forget() noexcept { *this = {}; }

 private:
  struct NearPair {
    std::uint32_t first, second;
    float clearance;
  };

  /// Pairs that are kept at most, 12 bytes each. Parts that stand flush on each other have some thousands.
  static constexpr std::size_t kMost = 8192;

  /// Are the numbers of triangles those of this pair, rather than of one in the other order?
  [[nodiscard]] bool areOf(const MeshPair& pair) const noexcept { return first_ == &pair[0].mesh(); }
  [[nodiscard]] double reachFor(double moved, double size) const noexcept;
  void giveUp() noexcept;

  const Mesh* first_ = nullptr;
  Pose pose_;                   ///< of mesh 2 in the frame of contacts
  double reach_ = 0;            ///< points may move by this much from there
  double moved_ = 0;            ///< how far they have, at the last query
  double ahead_ = 0;            ///< that was last asked about
  double least_clearance_ = 0;  ///< of those kept; infinite if there are none
  bool are_apart_ = false;
  bool reaches_too_little_ = false;  ///< though nothing was near, to know of staying apart
  bool was_apart_ = false;           ///< at the last query that was answered without knowing
  std::int64_t queries_ = -1;        ///< since then; negative before the first one
  int pause_ = 0;                    ///< queries until the next attempt, where there was too much to keep
  std::vector<NearPair> pairs_;
};

}  // namespace odemesh
