// The interface behind which the documented mid phases stand, and the part that they share: testing the
// candidates that they find.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <odemesh/collide.hpp>
#include <span>
#include <vector>

#include "contact/placed_mesh.hpp"
#include "contact/triangle_contact.hpp"
#include "mid_phase/centred_placement.hpp"
#include "narrow_phase/intersect_exact.hpp"

namespace odemesh {

enum class SearchMode { kAny, kAll };

/// Tests candidate pairs in the common frame of a query and keeps those that meet.
class PairCollector {
 public:
  PairCollector(const MeshPair& pair, SearchMode mode) : pair_(pair), mode_(mode) {}

  [[nodiscard]] SearchMode mode() const { return mode_; }
  [[nodiscard]] Triangle triangle(int side, std::uint32_t t) const { return pair_[side].triangle(t); }

  /// Each of these returns true once the search may end.
  bool test(std::span<const std::uint32_t> items1, std::span<const std::uint32_t> items2) {
    for (const std::uint32_t t1 : items1) {
      const Triangle a = triangle(0, t1);
      for (const std::uint32_t t2 : items2) {
        if (test(t1, a, t2, triangle(1, t2))) return true;
      }
    }
    return false;
  }
  bool test(std::uint32_t t1, const Triangle& a, std::uint32_t t2, const Triangle& b) {
    ++stats.triangle_tests;
    if (!trianglesIntersect(a, b)) return false;
    ++stats.intersecting_pairs;
    found.push_back(inputPair(pair_, t1, t2));
    return mode_ == SearchMode::kAny;
  }

  QueryStats stats;
  std::vector<TrianglePair> found;

 private:
  const MeshPair& pair_;
  SearchMode mode_;
};

/// One of the methods, built for two meshes.
class PairMethod {
 public:
  PairMethod() = default;
  PairMethod(const PairMethod&) = delete;
  PairMethod& operator=(const PairMethod&) = delete;
  virtual ~PairMethod() = default;

  /// Gives `collector` every pair of triangles that may meet, each once, until it has enough.
  virtual void search(const MeshPair& pair, PairCollector& collector) const = 0;
  [[nodiscard]] virtual std::size_t memoryBytes() const = 0;
};

[[nodiscard]] std::unique_ptr<const PairMethod> makeAllPairs();
[[nodiscard]] std::unique_ptr<const PairMethod> makeSphereTrees(const Mesh& mesh1, const Mesh& mesh2);
[[nodiscard]] std::unique_ptr<const PairMethod> makeAabbTrees(const Mesh& mesh1, const Mesh& mesh2);
[[nodiscard]] std::unique_ptr<const PairMethod> makeObbTrees(const Mesh& mesh1, const Mesh& mesh2);
[[nodiscard]] std::unique_ptr<const PairMethod> makeOctrees(const Mesh& mesh1, const Mesh& mesh2);
[[nodiscard]] std::unique_ptr<const PairMethod> makeUniformGrid(const Mesh& mesh1);

/// Corner `i` of triangle `t` from the centre of the mesh's bounding sphere. The volumes of these methods are
/// kept in such coordinates: they are those of the query's frame for mesh 1, and stay accurate for a mesh far
/// from its own origin.
[[nodiscard]] inline Vec3 centredCorner(const Mesh& mesh, std::uint32_t t, int i) {
  return mesh.vertex(t, i) - mesh.sphereCentre();
}

}  // namespace odemesh
