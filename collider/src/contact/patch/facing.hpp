// The faces of a region that face each other along a direction, as they are seen along it.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <odemesh/pose.hpp>
#include <vector>

#include "contact/placed_mesh.hpp"
#include "contact/projection.hpp"
#include "contact/scratch.hpp"

namespace odemesh {

/// Fills `scratch.shadows` with the faces of mesh 1 that look against a direction, and those of mesh 2 that
/// look along it, out of `scratch.faces`.
class Facing {
 public:
  /// `least_facing`: leaves out faces whose normal is at a lesser cosine with the direction.
  Facing(const MeshPair& pair, const Vec3& direction, double least_facing, ContactScratch& scratch);

  [[nodiscard]] const Projection& onto() const { return onto_; }

  /// Bounds of the region's crossings and inside vertices, and on all sides as much more as they are high.
  /// Nothing overlaps outside of them. Not known where no faces of the one mesh face those of the other.
  ///@{
  [[nodiscard]] const ShadowExtent& extent() const { return extent_; }
  [[nodiscard]] double height() const { return highest_ - lowest_; }
  [[nodiscard]] bool contains(const ShadowPoint& p) const {
    const auto& [lo, hi] = extent_;
    return p.u >= lo.u && p.u <= hi.u && p.v >= lo.v && p.v <= hi.v;
  }
  ///@}

  /// Both surfaces are curved and have many faces: their vertices tell the thickness well enough, and in
  /// linear time.
  [[nodiscard]] bool isFine() const;
  /// Flat parts that are cut into many faces on both sides (the ends of two cylinders): there are far fewer
  /// vertices and crossings of edges than pairs of faces.
  [[nodiscard]] bool isFlatAndMany() const;

  /// Calls `on_pair` for every face of one side and every face of the other whose bounds meet.
  template <typename OnPair>
  void forEachPair(OnPair&& on_pair) const {
    const auto& [first, second] = scratch_.shadows;
    const auto meet = [&](const Shadow& a, const Shadow& b) {
      return unsigned(b.lo.u < a.hi.u) & unsigned(b.hi.u > a.lo.u) & unsigned(b.lo.v < a.hi.v) &
             unsigned(b.hi.v > a.lo.v);
    };
    if (first.size() * second.size() > kFewPairs) {
      return sweep([&](const Shadow& a, const Shadow& b) {
        if (meet(a, b) != 0) on_pair(a, b);
      });
    }
    // Which ones meet is as good as random: listed without a branch, since each wrong guess costs as much as
    // five pairs.
    std::array<std::uint16_t, kFewPairs> met;
    for (const Shadow& a : first) {
      std::size_t count = 0;
      for (std::size_t k = 0; k < second.size(); ++k) {
        met[count] = static_cast<std::uint16_t>(k);
        count += meet(a, second[k]);
      }
      for (std::size_t k = 0; k < count; ++k) on_pair(a, second[met[k]]);
    }
  }

  /// Calls `on_pair` for every face of one side and every face of the other that a point lies over, or
  /// beside by up to `reach`.
  template <typename OnPair>
  void forEachPairAt(const ShadowPoint& p, double reach, OnPair&& on_pair) const {
    for (const Shadow& a : scratch_.shadows[0]) {
      if (!a.covers(p, reach)) continue;
      for (const Shadow& b : scratch_.shadows[1])
        if (b.covers(p, reach)) on_pair(a, b);
    }
  }

 private:
  static constexpr std::size_t kFewPairs = 1024;

  /// Sort and sweep along u.
  template <typename Visit>
  void sweep(Visit&& visit) const {
    for (int side = 0; side < 2; ++side) sortAlong(scratch_.shadows[side], scratch_.shadow_order[side]);
    const auto& [first, second] = scratch_.shadows;
    const auto& [order1, order2] = scratch_.shadow_order;
    double widest = 0;
    for (const Shadow& s : second) widest = std::max(widest, s.hi.u - s.lo.u);
    std::size_t begin = 0;
    for (const std::uint32_t i : order1) {
      const Shadow& a = first[i];
      while (begin < order2.size() && second[order2[begin]].lo.u < a.lo.u - widest) ++begin;
      for (std::size_t k = begin; k < order2.size() && second[order2[k]].lo.u < a.hi.u; ++k)
        visit(a, second[order2[k]]);
    }
  }

  /// That of a face's normal with the direction in which faces of its mesh have to look.
  [[nodiscard]] double cosineOf(int side, const RegionFace& f) const {
    return side == 0 ? -dot(f.normal, onto_.w) : dot(f.normal, onto_.w);
  }
  /// Numbers of shadows in the order of their lower bounds along u: they are too large to be moved.
  static void sortAlong(const std::vector<Shadow>& shadows, std::vector<std::uint32_t>& order);
  [[nodiscard]] bool hasFacing(int side, double least_facing) const;
  void boundPoints(double slack);
  void project(const MeshPair& pair, int side, double least_facing);

  Projection onto_;
  ContactScratch& scratch_;
  ShadowExtent extent_;
  double lowest_, highest_;
};

}  // namespace odemesh
