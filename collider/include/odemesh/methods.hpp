// The documented ways to find the pairs of triangles that meet, side by side. All give the same pairs; they
// differ in what they build and in what they cost. `odemesh/collide.hpp` is the one to use: it walks the AABB
// tree collapsed to nodes of eight, with vector instructions. This header is for comparing.
#pragma once

#include <odemesh/export.h>

#include <array>
#include <cstddef>
#include <memory>
#include <odemesh/collide.hpp>
#include <odemesh/mesh.hpp>
#include <odemesh/pose.hpp>
#include <optional>
#include <string_view>
#include <vector>

namespace odemesh {

/// A mid phase: how candidate pairs of triangles are found. Names in brackets are those of the documents.
enum class MidPhase {
  kAllPairs,     ///< every triangle with every other one (Sinjur's "raw" method, CS277)
  kSphereTree,   ///< binary tree of spheres, Nathan's centroid sphere at the leaves (CS277, Quinlan 1994)
  kAabbTree,     ///< binary tree of axis-aligned boxes (CS277, van den Bergen 1997)
  kObbTree,      ///< boxes along the axes of covariance, test of 15 axes (CS277, Gottschalk et al. 1996)
  kOctree,       ///< cubes cut into eight, loosened to hold their triangles (Nathan, CS277)
  kUniformGrid,  ///< cells as large as the mean triangle along each axis (Sinjur)
};

/// All of them.
inline constexpr std::array<MidPhase, 6> kMidPhases{MidPhase::kAllPairs, MidPhase::kSphereTree,
                                                    MidPhase::kAabbTree, MidPhase::kObbTree,
                                                    MidPhase::kOctree,   MidPhase::kUniformGrid};

/// A short English name, such as "sphere tree".
[[nodiscard]] ODEMESH_API std::string_view name(MidPhase method);

class PairMethod;

/// Finds the pairs of triangles of two meshes that meet, by one method. Built once, then asked with any
/// poses, from any number of threads. Whether two triangles meet is decided by the collider's exact test, so
/// that every method returns the same pairs. There is no cull by the bounding spheres of the meshes in front,
/// so that the cost is the method's own.
class PairFinder {
 public:
  /// Builds what the method needs: nothing for all pairs, O(n log n) in the number of triangles for the
  /// others. The finder shares the meshes. With an empty pointer it finds nothing.
  ODEMESH_API PairFinder(MidPhase method, std::shared_ptr<const Mesh> mesh1,
                         std::shared_ptr<const Mesh> mesh2);
  ODEMESH_API ~PairFinder();
  /// A finder that was moved from may only be destroyed or assigned to.
  ///@{
  ODEMESH_API PairFinder(PairFinder&&) noexcept;
  ODEMESH_API PairFinder& operator=(PairFinder&&) noexcept;
  ///@}

  /// The one that it was built with.
  [[nodiscard]] MidPhase method() const { return method_; }

  /// Some pair that meets, by the triangles' indices in the input of their meshes; stops at the first one.
  /// The trees search greedily, the pair of volumes that overlaps deepest first: its key is the distance of
  /// the centres minus the sum of the radii (CS277, corrected). Poses take each mesh to the world, in the
  /// meshes' unit of length; with poses that are not finite nothing is found.
  [[nodiscard]] ODEMESH_API std::optional<TrianglePair> findAny(const Pose& pose1, const Pose& pose2,
                                                                QueryStats* stats = nullptr) const;

  /// Appends every pair that meets to `out`, in ascending order, as intersectingTriangles() does. Trees
  /// descend the larger volume. Counted in `stats`: pairs of volumes (for the grid, cells looked into) and
  /// pairs of triangles tested.
  ODEMESH_API void findAll(const Pose& pose1, const Pose& pose2, std::vector<TrianglePair>& out,
                           QueryStats* stats = nullptr) const;

  /// Bytes that the method holds beside the vertices and triangles of the meshes.
  [[nodiscard]] ODEMESH_API std::size_t memoryBytes() const;

 private:
  MidPhase method_;
  std::shared_ptr<const Mesh> mesh1_, mesh2_;
  std::unique_ptr<const PairMethod> search_;
};

}  // namespace odemesh
