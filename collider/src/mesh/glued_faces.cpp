#include "mesh/glued_faces.hpp"

#include <algorithm>
#include <cstdint>
#include <span>

#include "mesh/disjoint_sets.hpp"
#include "mesh/edge_fan.hpp"
#include "mesh/shell.hpp"

namespace odemesh {

namespace {

using Index = std::uint32_t;

/// Finds sets of triangles that are connected within a face, or glued to each other at its outline.
class GluedFaces {
 public:
  explicit GluedFaces(const Mesh& mesh)
      : mesh_(mesh),
        sides_(mesh),
        sets_(mesh.triangleCount()),
        is_glued_(3 * mesh.triangleCount(), false),
        is_rim_(mesh.triangleCount(), false),
        has_outline_(mesh.triangleCount(), false) {}

  std::vector<bool> run() {
    joinTriangles();
    return takeFlat();
  }

 private:
  void joinTriangles() {
    EdgeFan fan(mesh_, sides_);
    for (std::size_t e = 0; e < sides_.edgeCount(); ++e) {
      const std::span<const Index> sides = sides_.at(e);
      if (sides.size() == 2) {
        sets_.join(sides[0] / 3, sides[1] / 3);
        if (areFolded(sides[0] / 3, sides[1] / 3)) is_rim_[sides[0] / 3] = true;
      }
      if (sides.size() > 2 && fan.open(e)) joinGlued(fan, sides);
    }
  }

  /// Where all sides of an edge lie on each other, the two layers go on beyond it, as in the midst of a sheet
  /// that is given with both windings; elsewhere other faces of the shells begin.
  void joinGlued(const EdgeFan& fan, std::span<const Index> sides) {
    std::size_t glued = 0;
    fan.forEachGlued([&](Index a, Index b) {
      sets_.join(a / 3, b / 3);
      is_glued_[a] = is_glued_[b] = true;
      glued += 2;
    });
    const bool go_on = glued == sides.size();
    for (const Index s : sides) {
      if (go_on)
        sets_.join(s / 3, sides[0] / 3);
      else if (is_glued_[s])
        has_outline_[s / 3] = true;
    }
  }

  /// The free rim of two layers.
  [[nodiscard]] bool areFolded(Index t, Index u) const {
    return dot(mesh_.normal(t), mesh_.normal(u)) < -1 + 0.5 * EdgeFan::kSameAngle * EdgeFan::kSameAngle;
  }

  /// The sets of two flush layers all of whose sides at shared edges are glued, and that end at other faces.
  [[nodiscard]] std::vector<bool> takeFlat() {
    struct Set {
      Shell shell;
      bool has_outline = false, is_loose = false;
    };
    std::vector<Set> sets(mesh_.triangleCount());
    for (Index t = 0; t < mesh_.triangleCount(); ++t) {
      const Index root = sets_.root(t);
      const Vec3& origin = mesh_.vertex(root, 0);
      sets[root].shell.take(mesh_.vertex(t, 0) - origin, mesh_.vertex(t, 1) - origin,
                            mesh_.vertex(t, 2) - origin);
      sets[root].is_loose |= is_rim_[t];
      sets[root].has_outline |= has_outline_[t];
      for (int i = 0; i < 3; ++i) {
        const bool is_glued = is_glued_[3 * t + static_cast<Index>(i)];
        sets[root].is_loose |= !is_glued && sides_.at(mesh_.edgeOf(t, i)).size() != 2;
      }
    }
    std::vector<bool> out(mesh_.triangleCount());
    for (Index t = 0; t < mesh_.triangleCount(); ++t) {
      const Set& set = sets[sets_.root(t)];
      out[t] = set.has_outline && !set.is_loose && set.shell.isFlat();
    }
    const bool has_glued = std::ranges::find(out, true) != out.end();
    const bool has_others = std::ranges::find(out, false) != out.end();
    return has_glued && has_others ? out : std::vector<bool>{};
  }

  const Mesh& mesh_;
  const SidesAtEdges sides_;
  DisjointSets sets_;              ///< of triangles
  std::vector<bool> is_glued_;     ///< by side
  std::vector<bool> is_rim_;       ///< by triangle: the surface folds back there
  std::vector<bool> has_outline_;  ///< by triangle: it ends at other faces than those it is glued to
};

}  // namespace

std::vector<bool> findGluedFaces(const Mesh& mesh) {
  return GluedFaces(mesh).run();
}

}  // namespace odemesh
