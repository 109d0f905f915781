// The sides of triangles around edges at which more than two faces may meet.
#pragma once

#include <cstddef>
#include <cstdint>
#include <numbers>
#include <odemesh/mesh.hpp>
#include <span>
#include <tuple>
#include <vector>

namespace odemesh {

/// The sides of all triangles, numbered 3 * triangle + side, by the edge that they lie on.
class SidesAtEdges {
 public:
  explicit SidesAtEdges(const Mesh& mesh);

  [[nodiscard]] std::size_t edgeCount() const { return edges_.size(); }
  [[nodiscard]] MeshEdge edge(std::size_t e) const { return edges_[e]; }
  [[nodiscard]] std::span<const std::uint32_t> at(std::size_t e) const {
    return std::span(side_).subspan(begin_[e], begin_[e + 1] - begin_[e]);
  }
  [[nodiscard]] std::uint32_t vertexAt(std::uint32_t corner) const {
    return mesh_.corners(corner / 3)[corner % 3];
  }
  [[nodiscard]] bool runsUp(const MeshEdge& edge, std::uint32_t side) const {
    return vertexAt(side) == edge.v[0];
  }

 private:
  [[nodiscard]] std::uint32_t edgeOf(std::uint32_t side) const {
    return mesh_.edgeOf(side / 3, static_cast<int>(side % 3));
  }

  const Mesh& mesh_;
  const Mesh::Edges edges_;
  std::vector<std::uint32_t> begin_, side_;
};

/// The sides at one edge of a closed surface, by their angles about it. The inside lies between those that
/// run down the edge and those that come after them and run up.
class EdgeFan {
 public:
  /// Faces that are turned from each other by less (radians) lie on each other, whatever rounding says.
  static constexpr double kSameAngle = 1e-5;

  /// Part of the inside: the sides where it begins and ends.
  struct Wedge {
    std::uint32_t begins, ends;
  };

  EdgeFan(const Mesh& mesh, const SidesAtEdges& sides) : mesh_(mesh), sides_(sides) {}

  /// Looks at edge `e`. False if it can't be resolved: as many sides have to run up as down, none may be
  /// given twice, and where two faces lie on each other, there has to be inside on both sides of them.
  [[nodiscard]] bool open(std::size_t e);

  [[nodiscard]] const std::vector<Wedge>& wedges() const { return wedges_; }

  /// Calls `on_pair` for every two sides whose faces lie on each other with no space between.
  template <typename OnPair>
  void forEachGlued(OnPair&& on_pair) const {
    for (std::size_t i = 0; i < blades_.size(); ++i) {
      const Blade &a = blades_[i], &b = blades_[(i + 1) % blades_.size()];
      if (a.runs_up && !b.runs_up && turnTo(a, b) < 2 * kSameAngle) on_pair(a.side, b.side);
    }
  }

 private:
  /// An edge with more sides than this is left as it is.
  static constexpr std::size_t kMostSides = 64;

  struct Blade {
    double angle;
    std::uint32_t side;
    std::uint32_t apex;  ///< the vertex of the triangle that does not lie on the edge
    bool runs_up;
    [[nodiscard]] bool operator<(const Blade& b) const {
      return std::tie(angle, side) < std::tie(b.angle, b.side);
    }
  };

  [[nodiscard]] static double turnTo(const Blade& from, const Blade& to) {
    const double turn = to.angle - from.angle;
    return turn < 0 ? turn + 2 * std::numbers::pi : turn;
  }

  /// Of faces that lie on each other, the end of a wedge comes before the beginning of the next.
  void sort(const MeshEdge& edge, std::span<const std::uint32_t> sides);
  [[nodiscard]] bool hasDuplicates() const;
  /// Pairs sides in the order of their angles, the first that begins a wedge with the first that ends one,
  /// starting where the fewest wedges are open. False if the wedges add up to more than a full turn, as at
  /// the foot of a fin, of which the space on both sides would be inside.
  [[nodiscard]] bool findWedges();

  const Mesh& mesh_;
  const SidesAtEdges& sides_;
  std::vector<Blade> blades_;
  std::vector<Wedge> wedges_;
};

}  // namespace odemesh
