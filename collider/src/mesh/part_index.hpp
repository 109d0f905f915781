// Finds the triangle of the input that a point of a merged flat part lies in.
#pragma once

#include <cstddef>
#include <cstdint>
#include <odemesh/mesh.hpp>
#include <span>
#include <vector>

#include "mesh/flat_merge.hpp"
#include "mesh/flat_partition.hpp"

namespace odemesh {

class PartIndex {
 public:
  /// Keeps the outlines of the triangles of `original`, as floats, by part. `merged` are the triangles that
  /// took their place.
  PartIndex(const Mesh& original, const FlatPartition& parts, std::span<const MergedTriangle> merged);

  /// From now on merged triangle i is the one that was order[i].
  void takeOrder(std::span<const std::uint32_t> order);

  /// The first input triangle of the part that merged triangle `t` lies in.
  [[nodiscard]] std::uint32_t first(std::size_t t) const { return outlines_[begin_[part_of_[t]]].input; }

  /// The input triangle at `point`, a point of merged triangle `t` in the mesh's frame; the nearest one if it
  /// lies in none. O(sqrt(n)) for a part of n triangles of about one size.
  [[nodiscard]] std::uint32_t at(std::size_t t, const Vec3& point) const;

  [[nodiscard]] std::size_t memoryBytes() const;

 private:
  struct Point {
    float u, v;
  };
  /// An input triangle seen along the main axis of its part's normal.
  struct Outline {
    Point corner[3];  ///< counter-clockwise
    std::uint32_t input;
    [[nodiscard]] float low() const;
    [[nodiscard]] float high() const;
    /// Are all corners farther from the line of `v` than `reach`, and on one side of it?
    [[nodiscard]] bool isBeside(double v, double reach) const;
  };

  [[nodiscard]] Outline outlineOf(const Mesh& original, std::uint32_t t, int axis) const;
  [[nodiscard]] static double outsideness(const Outline& outline, double u, double v);

  std::vector<std::uint32_t> part_of_;  ///< by merged triangle
  std::vector<std::uint32_t> begin_;    ///< by part, into outlines_, which ascend by low() within a part
  std::vector<std::uint8_t> axis_;      ///< by part
  std::vector<float> widest_;           ///< by part
  std::vector<Outline> outlines_;
};

}  // namespace odemesh
