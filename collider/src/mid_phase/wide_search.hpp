// Stage 3 for two wide trees: finds the pairs of triangles that may meet. What crosses the border between the
// translation units, one for each instruction set, is plain data.
#pragma once

#include <cstddef>
#include <cstdint>

#include "bvh/wide_tree.hpp"

namespace odemesh {

struct Probe;

/// Takes boxes and triangles of one tree to the frame and unit of the other. Everything is affine, so that
/// rotations that have drifted do no harm.
struct TreePlacement {
  double linear[3][3];  ///< units included
  double shift[3];
  // Boxes are taken over by three columns at a time, one for each of their own axes; lane i < 3 is axis i
  // here.
  float centre[3][8];  ///< the columns of `linear`
  float centre_shift[8];
  // How far half an extent of 1 reaches: lanes 0 to 2 along the axes here, lanes 3 to 5 along its own axes.
  float reach[3][8];
  float slack[8];        ///< added to it: rounding of centres, the margin, and half of the way
  float axis[3][3];      ///< column j is what becomes of axis j, its length about 1
  float abs_axis[3][3];  ///< magnitudes, with a little to spare
  float margin;          ///< the margin, and what placing vertices in double may lose, along any axis
  float half_way[3];     ///< of the other tree, along the axes here; zero unless it is swept
  float spare;           ///< as `slack`, along any direction whose magnitudes add up to 1
  float row_sum;         ///< greatest sum of magnitudes of a row of `linear`
};

/// One tree and how the other's boxes come into its frame.
struct SearchTree {
  const WideNode* nodes;
  const WideLeaf* leaves;
  TreePlacement from_other;
};

enum class SearchKind {
  kAll,    ///< all pairs that come close
  kAny,    ///< walk towards the deepest overlap first: one pair is enough
  kSwept,  ///< all that come close while the trees move by half of the way, forth and back; none is sure
};

struct WideQuery {
  SearchTree tree[2];
  float unit;  ///< of the second tree, in that of the first
  SearchKind kind;
};

/// A pair of triangles.
struct CandidatePair {
  static constexpr std::uint32_t kSure = 1U << 31;
  std::uint32_t first;  ///< with kSure set if the two are proven to meet; margins count as none then
  std::uint32_t second;
};

struct PairSink {
  static constexpr std::size_t kMost = 64;  ///< pairs in one call
  /// Takes some pairs; the search ends if it returns true.
  bool (*take)(void* context, const CandidatePair* pairs, std::size_t count);
  void* context;
};

struct SearchCounts {
  std::size_t box_tests;
  std::size_t triangle_tests;
};

/// What is known of the least distance while it is searched for.
struct ClosestSoFar {
  float distance;        ///< in the unit of the second tree; only pairs that may be closer matter
  float distance_sq[2];  ///< its square in the unit of each tree, less what drifted rotations may distort
  /// Points in the frame and unit of tree i, multiplied by axis[i], are lengths in the unit of the second
  /// along a line on which the second mesh lies ahead of the first where they are closest. Zero if it is not
  /// known.
  float axis[2][3];
  float ahead;  ///< from the origin of the first tree to that of the second, along that line
  float slack;  ///< for the rounding of sums of these
  bool done;    ///< close enough
};

struct DistanceSink {
  /// Takes a pair of triangles; returns true if it is the closest so far, and then updates what is known.
  bool (*take)(void* context, std::uint32_t first, std::uint32_t second, ClosestSoFar& closest);
  void* context;
};

/// A ray in the frame and unit of a tree.
struct WideRay {
  const WideNode* nodes;
  const WideLeaf* leaves;
  float origin[3];
  float direction[3];  ///< unit
  float inverse[3];    ///< of the direction; never infinite
  float slack;         ///< by which boxes and triangles count as larger
};

/// Points of a surface, and balls inside a solid to whose tree's frame and unit they are taken.
struct WideProbeQuery {
  const Probe* solid;
  const Probe* surface;
  float linear[3][3];
  float shift[3];
  float slack;  ///< for rounding
};

struct RaySink {
  /// Takes a triangle; may lower the place on the ray up to which triangles matter.
  void (*take)(void* context, std::uint32_t triangle, float& limit);
  void* context;
};

using WideSearch = SearchCounts (*)(const WideQuery& query, const PairSink& sink);

/// `closest` holds what is known beforehand.
using WideDistance = SearchCounts (*)(const WideQuery& query, ClosestSoFar closest, const DistanceSink& sink);

/// Is the surface certain to pass through that of the solid?
using WideProbe = bool (*)(const WideProbeQuery& query);

using WideRaySearch = void (*)(const WideRay& ray, float limit, const RaySink& sink);

/// The searches for one set of instructions; the scalar ones where the compiler has none such.
struct WideSearches {
  WideSearch pairs;
  WideDistance distance;
  WideRaySearch ray;
  WideProbe probe;
};

[[nodiscard]] WideSearches wideSearchScalar();
[[nodiscard]] WideSearches wideSearchSse2();
[[nodiscard]] WideSearches wideSearchAvx2();
[[nodiscard]] WideSearches wideSearchAvx512();
[[nodiscard]] WideSearches wideSearchNeon();

}  // namespace odemesh
