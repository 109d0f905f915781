// Finds the triangle of the input that a point of a merged flat part lies in.
#pragma once

#include <cstddef>
#include <cstdint>
#include <odemesh/mesh.hpp>
#include <span>
#include <vector>

#include "mesh/flat_merge.hpp"
#include "mesh/flat_partition.hpp"
#include "mesh/rectangle_grid.hpp"

namespace odemesh {

class PartIndex {
 public:
  /// Keeps the outlines of the triangles of `original`, as floats, of each part of which some went or moved.
  /// `merged` are the triangles that took their place.
  PartIndex(const Mesh& original, const FlatPartition& parts, std::span<const MergedTriangle> merged);

  /// From now on merged triangle i is the one that was order[i].
  void takeOrder(std::span<const std::uint32_t> order);

  /// Does merged triangle `t` lie in such a part? Others are triangles of the input, as they were.
  [[nodiscard]] bool holds(std::size_t t) const { return part_of_[t] != Mesh::kNone; }

  /// The first input triangle of the part that merged triangle `t` lies in, which it holds.
  [[nodiscard]] std::uint32_t first(std::size_t t) const { return outlines_[begin_[part_of_[t]]].input; }

  /// The input triangle at `point`, a point of merged triangle `t`, which it holds, in the mesh's frame; the
  /// nearest one if it lies in none. Of a part of many triangles of about one size, a few are looked at.
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
    /// Its bounds, and a hair around them.
    [[nodiscard]] Rectangle rectangle(double hair) const;
  };

  /// The outline that a point lies in, or is least outside of, so far.
  struct Nearest {
    double outside;  ///< the square of the distance
    std::uint32_t input;
    void look(const Outline& outline, double u, double v);
  };

  void takeOutlines(const Mesh& original, const FlatPartition& parts,
                    std::span<const std::uint32_t> number_of);
  [[nodiscard]] std::span<Outline> outlinesOf(std::uint32_t part) {
    return {outlines_.data() + begin_[part], outlines_.data() + begin_[part + 1]};
  }
  [[nodiscard]] std::span<const Outline> outlinesOf(std::uint32_t part) const {
    return {outlines_.data() + begin_[part], outlines_.data() + begin_[part + 1]};
  }
  void sort(std::uint32_t part);
  void addGrid(std::uint32_t part);
  [[nodiscard]] double hairOf(std::uint32_t part) const;
  [[nodiscard]] Nearest nearestInGrid(std::uint32_t part, double u, double v) const;
  [[nodiscard]] Nearest nearestInReach(std::uint32_t part, double u, double v) const;
  [[nodiscard]] Outline outlineOf(const Mesh& original, std::uint32_t t, int axis) const;
  [[nodiscard]] static double outsideness(const Outline& outline, double u, double v, double enough);

  std::vector<std::uint32_t> part_of_;  ///< by merged triangle, or `Mesh::kNone`; numbers of this index
  std::vector<std::uint32_t> begin_;    ///< by part, into outlines_, which ascend by low() within a part
  std::vector<std::uint8_t> axis_;      ///< by part
  std::vector<float> widest_;           ///< by part
  std::vector<Outline> outlines_;
  std::vector<std::uint32_t> grid_of_;  ///< by part, or `Mesh::kNone`
  std::vector<RectangleGrid> grids_;    ///< of outlines by their places within their part
};

}  // namespace odemesh
