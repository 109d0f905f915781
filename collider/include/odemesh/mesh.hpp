// A triangle mesh, preprocessed once for collision and immutable from then on.
#pragma once

#include <odemesh/export.h>

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <odemesh/pose.hpp>
#include <span>
#include <string>
#include <vector>

namespace odemesh {

/// Something that was wrong with the input of `Mesh::build`, one record a triangle or vertex.
struct MeshProblem {
  /// What was wrong, and what became of the input.
  enum class Kind {
    kNoTriangles,       ///< nothing left to collide with; no mesh is made
    kTooManyTriangles,  ///< 2^30 triangles or vertices and more; no mesh is made
    kIndexCount,        ///< the number of indices is not a multiple of three; no mesh is made
    kIndexOutOfRange,   ///< a triangle names a vertex that does not exist; the triangle is left out
    kVertexNotFinite,   ///< a triangle has a NaN or infinite coordinate; the triangle is left out
    kVertexTooLarge,    ///< a coordinate beyond 1e100, whose square would overflow; the triangle is left out
    kZeroArea,          ///< the corners lie on a line, or within 1e-100; the triangle is left out
  };
  Kind kind;            ///< what was wrong
  std::size_t element;  ///< index of the triangle, or the count that was wrong
  /// One sentence that names the element and the remedy.
  [[nodiscard]] ODEMESH_API std::string text() const;
};

/// An edge of the surface, between vertices `v[0] < v[1]`, with the triangles on both sides.
struct MeshEdge {
  std::uint32_t v[2];  ///< vertex indices, ascending
  /// The triangles that share the edge. `triangle[1]` is `kNone` on a border; where more than two triangles
  /// meet (a non-manifold edge), the first two are here and `MeshTopology::non_manifold_edges` counts it.
  std::uint32_t triangle[2];
};

/// What is known of the surface as a whole.
struct MeshTopology {
  std::size_t border_edges = 0;  ///< edges with a triangle on one side only
  /// Edges with more than two triangles: solids that touch each other or themselves have their own.
  std::size_t non_manifold_edges = 0;
  /// Edges of the input whose two triangles run along them in the same sense. Triangles are turned over so
  /// that none remain, where that can be done.
  std::size_t flipped_edges = 0;
  std::size_t turned_triangles = 0;  ///< those that were turned over
  bool is_one_sided = false;         ///< no winding suits all, as on a Moebius strip; none was turned there
  std::size_t components = 0;        ///< pieces connected by edges
  double area = 0;                   ///< of all triangles
  /// Signed, by the divergence theorem; meaningful for watertight meshes. 0 if it could be a flat surface's
  /// but for the rounding of its coordinates to floats.
  double volume = 0;

  /// Closed, manifold and wound consistently: "inside" has a meaning everywhere.
  [[nodiscard]] bool isWatertight() const {
    return border_edges == 0 && non_manifold_edges == 0 && !is_one_sided;
  }
};

/// Does a surface of this volume (of any sign), area and radius wrap a volume as a shell does, holes or not:
/// more than a tenth of what a sphere of its area and radius would hold?
[[nodiscard]] constexpr bool wrapsVolume(double volume, double area, double radius) {
  return (volume < 0 ? -volume : volume) > 0.1 * area * radius / 3;
}

class PartIndex;
struct Probe;
class VertexGroups;
class WideTree;

/// What `Mesh::build` does with flat parts of the surface that are cut into several triangles.
enum class FlatParts {
  kKeep,   ///< keeps them as they are given
  kMerge,  ///< cuts them into as few triangles as it can: the same shape, and cheaper contacts
};

/// An immutable triangle mesh with everything that collision needs: welded vertices, adjacency, a bounding
/// sphere and a bounding volume tree. Winding is counter-clockwise seen from outside. Triangles are numbered
/// in the order of the tree's leaves, and what can be worked out from a few of them is not stored.
class Mesh {
 public:
  static constexpr std::uint32_t kNone = 0xffffffffu;  ///< the index of no vertex, edge or triangle

  struct Built;

  /// The edges of a mesh, each worked out when it is asked for.
  class Edges {
   public:
    /// Of this mesh, which has to outlive the list.
    explicit Edges(const Mesh& mesh) : mesh_(&mesh) {}
    /// How many there are.
    [[nodiscard]] std::size_t size() const { return mesh_->edges_.size(); }
    /// Edge `e`, below size().
    [[nodiscard]] MeshEdge operator[](std::size_t e) const;

    /// For a range-based for loop.
    class Iterator {
     public:
      /// At edge `at` of `mesh`.
      Iterator(const Mesh& mesh, std::size_t at) : mesh_(&mesh), at_(at) {}
      /// What a range-based for loop asks of an iterator.
      ///@{
      [[nodiscard]] MeshEdge operator*() const { return Edges(*mesh_)[at_]; }
      Iterator& operator++() {
        ++at_;
        return *this;
      }
      [[nodiscard]] bool operator!=(const Iterator& other) const { return at_ != other.at_; }
      ///@}

     private:
      const Mesh* mesh_;
      std::size_t at_;
    };
    /// The range of all edges.
    ///@{
    [[nodiscard]] Iterator begin() const { return {*mesh_, 0}; }
    [[nodiscard]] Iterator end() const { return {*mesh_, size()}; }
    ///@}

   private:
    const Mesh* mesh_;
  };

  /// The numbers of the edges at one vertex: those of which it is the higher end, then a run of those of
  /// which it is the lower one.
  class EdgesAt {
   public:
    /// For a range-based for loop.
    class Iterator {
     public:
      /// At the edge from `*lower`, or, once these are through, at edge `run`.
      Iterator(const EdgesAt& edges, const std::uint32_t* lower, std::uint32_t run)
          : edges_(&edges), lower_(lower), run_(run) {}
      /// What a range-based for loop asks of an iterator.
      ///@{
      [[nodiscard]] std::uint32_t operator*() const {
        return isInRun() ? run_ : edges_->mesh_.edgeBetween(*lower_, edges_->v_);
      }
      Iterator& operator++() {
        if (isInRun())
          ++run_;
        else
          ++lower_;
        return *this;
      }
      [[nodiscard]] bool operator!=(const Iterator& other) const {
        return lower_ != other.lower_ || run_ != other.run_;
      }
      ///@}

     private:
      [[nodiscard]] bool isInRun() const { return lower_ == std::to_address(edges_->lower_.end()); }
      const EdgesAt* edges_;
      const std::uint32_t* lower_;
      std::uint32_t run_;
    };

    /// The edges of `mesh` at vertex `v`.
    EdgesAt(const Mesh& mesh, std::uint32_t v) : mesh_(mesh), v_(v), lower_(mesh.neighboursAt(v).lower) {}
    /// The range of all numbers.
    ///@{
    [[nodiscard]] Iterator begin() const { return {*this, lower_.data(), mesh_.edge_begin_[v_]}; }
    [[nodiscard]] Iterator end() const {
      return {*this, std::to_address(lower_.end()), mesh_.edge_begin_[v_ + 1]};
    }
    ///@}
    /// How many there are.
    [[nodiscard]] std::size_t size() const {
      return lower_.size() + mesh_.edge_begin_[v_ + 1] - mesh_.edge_begin_[v_];
    }
    /// The first; there is always one.
    [[nodiscard]] std::uint32_t front() const { return *begin(); }

   private:
    const Mesh& mesh_;
    std::uint32_t v_;
    std::span<const std::uint32_t> lower_;
  };

  /// The vertices that one edge joins to a vertex, those with lower numbers and those with higher ones; each
  /// in ascending order.
  struct Neighbours {
    std::span<const std::uint32_t> lower;   ///< vertices before it
    std::span<const std::uint32_t> higher;  ///< vertices after it
  };

  /// Builds a mesh from `vertices` (any unit, any frame) and `indices` (three a triangle). Vertices with
  /// equal coordinates are welded. Triangles that can't be used are left out and reported; for the others,
  /// `inputTriangle` knows the index they had in the input. `Built::mesh` is empty if nothing remains. O(n
  /// log n) in the number of triangles. Where a solid touches itself along an edge, triangles are cut in two,
  /// so that each of its parts has an edge of its own. With `FlatParts::kMerge`, vertices inside flat parts
  /// and on straight creases go; what remains deviates by less than 2.5e-7 of the greatest coordinate.
  /// Triangles that are given twice count once, faces that two closed pieces share are left out, of sheets
  /// that are given from both sides one layer is left, closed surfaces without two sides (Klein bottles) are
  /// cut, and surfaces that still have non-manifold edges are kept. Borders that miss each other by 2.5e-7 of
  /// the greatest coordinate are joined, and by up to 1e-3 of the mesh's radius if that closes the whole
  /// surface: vertices become one with others near them, and triangles are cut where the neighbour's vertices
  /// lie on their sides.
  [[nodiscard]] static ODEMESH_API Built build(std::span<const Vec3> vertices,
                                               std::span<const std::uint32_t> indices,
                                               FlatParts flat_parts = FlatParts::kKeep);

  ODEMESH_API ~Mesh();
  Mesh(const Mesh&) = delete;
  Mesh& operator=(const Mesh&) = delete;

  /// Triangles in use: fewer than were given where flat parts are merged, more where gaps are closed by cuts.
  [[nodiscard]] std::size_t triangleCount() const { return input_triangle_.size(); }
  /// Vertices after welding.
  [[nodiscard]] std::size_t vertexCount() const { return vertices_.size(); }
  /// The vertices after welding, in the mesh's frame.
  [[nodiscard]] std::span<const Vec3> vertices() const { return vertices_; }
  /// All edges, in ascending order of their end points.
  [[nodiscard]] Edges edges() const { return Edges(*this); }

  /// Corner indices of triangle `t`, counter-clockwise from outside. Where the winding of the input changes
  /// from one triangle to the next, some are turned over.
  [[nodiscard]] const std::uint32_t* corners(std::size_t t) const { return &corners_[3 * t]; }
  /// Corner 0, 1 or 2 of triangle `t`.
  [[nodiscard]] const Vec3& vertex(std::size_t t, int corner) const {
    return vertices_[corners_[3 * t + static_cast<std::size_t>(corner)]];
  }
  /// Edge `i` of triangle `t` runs from corner i to corner (i + 1) % 3.
  [[nodiscard]] std::uint32_t edgeOf(std::size_t t, int i) const {
    return triangle_edges_[3 * t + static_cast<std::size_t>(i)];
  }
  /// Unit normal of triangle `t`, outward for a mesh wound counter-clockwise. Worked out at each call.
  [[nodiscard]] ODEMESH_API Vec3 normal(std::size_t t) const;
  /// The index that triangle `t` had in the input of `build`; of a merged one, that of the first triangle of
  /// its flat part.
  [[nodiscard]] std::uint32_t inputTriangle(std::size_t t) const { return input_triangle_[t]; }
  /// The triangle of the input that a point of triangle `t`, in the mesh's frame, lies in.
  [[nodiscard]] ODEMESH_API std::uint32_t inputTriangleAt(std::size_t t, const Vec3& point) const;
  /// True if flat parts were merged, so that several triangles of the input may lie in one.
  [[nodiscard]] bool isMerged() const { return part_index_ != nullptr; }
  /// The mean direction of the faces around vertex `v`, of unit length (or zero where they cancel out).
  [[nodiscard]] Vec3 vertexNormal(std::size_t v) const {
    const FloatVec3& n = vertex_normals_[v];
    return {double(n.x), double(n.y), double(n.z)};
  }
  /// True if all faces around vertex `v` lie in one plane.
  [[nodiscard]] bool isFlat(std::size_t v) const { return vertex_kinds_[v] == VertexKind::kFlat; }
  /// True if vertex `v` is an end of an edge that has only one triangle.
  [[nodiscard]] bool isOnBorder(std::size_t v) const { return vertex_kinds_[v] == VertexKind::kBorder; }
  /// The edges that meet at vertex `v`, in ascending order.
  [[nodiscard]] EdgesAt edgesAt(std::size_t v) const { return {*this, static_cast<std::uint32_t>(v)}; }
  /// The vertices at the other ends of these edges, in the same order.
  [[nodiscard]] Neighbours neighboursAt(std::size_t v) const {
    return {{lower_end_.data() + lower_end_begin_[v], lower_end_.data() + lower_end_begin_[v + 1]},
            {higher_end_.data() + edge_begin_[v], higher_end_.data() + edge_begin_[v + 1]}};
  }
  /// Calls `on_vertex(w)` for each of these vertices.
  template <typename OnVertex>
  void forEachNeighbour(std::size_t v, OnVertex&& on_vertex) const {
    const auto [lower, higher] = neighboursAt(v);
    for (const std::uint32_t w : lower) on_vertex(w);
    for (const std::uint32_t w : higher) on_vertex(w);
  }
  /// The edge between vertices `a` and `b`, which has to exist.
  [[nodiscard]] std::uint32_t edgeBetween(std::uint32_t a, std::uint32_t b) const {
    const auto [low, high] = std::minmax(a, b);
    const auto begin = higher_end_.begin();  // the higher ends at a vertex are in ascending order
    return static_cast<std::uint32_t>(
        std::lower_bound(begin + edge_begin_[low], begin + edge_begin_[low + 1], high) - begin);
  }
  /// The other end of edge `e`, which meets vertex `v`.
  [[nodiscard]] std::uint32_t otherEnd(std::uint32_t e, std::uint32_t v) const {
    return higher_end_[e] != v ? higher_end_[e] : edges()[e].v[0];
  }
  /// A triangle at vertex `v`, which has to have edges.
  [[nodiscard]] std::uint32_t triangleAt(std::size_t v) const;
  /// One vertex of each piece of the surface that is connected by edges.
  [[nodiscard]] std::span<const std::uint32_t> componentVertices() const { return component_vertex_; }
  /// The piece that vertex `v` belongs to: an index into `componentVertices()`.
  [[nodiscard]] std::uint32_t componentOf(std::size_t v) const {
    return component_of_.empty() ? 0 : component_of_[v];
  }

  /// What is known of the surface as a whole.
  [[nodiscard]] const MeshTopology& topology() const { return topology_; }
  /// True if the mesh bounds a solid: watertight, with a positive volume. Any other mesh is a sheet: it has
  /// no inside, and holds other bodies on the side on which their greater part or their centre lies.
  [[nodiscard]] bool isSolid() const { return topology_.isWatertight() && topology_.volume > 0; }
  /// True if the mesh is a solid in one piece without dents, but for the rounding of its coordinates.
  [[nodiscard]] bool isConvex() const { return is_convex_; }
  /// True if the surface, holes or not, wraps a volume.
  [[nodiscard]] bool isShell() const { return wrapsVolume(topology_.volume, topology_.area, sphere_radius_); }
  /// The vector area of what would close its openings; out of them if the surface faces outwards.
  [[nodiscard]] const Vec3& openingArea() const { return opening_area_; }
  /// Centre of the bounding box.
  [[nodiscard]] const Vec3& sphereCentre() const { return sphere_centre_; }
  /// The distance from it to the farthest vertex.
  [[nodiscard]] double sphereRadius() const { return sphere_radius_; }
  /// Half the edge lengths of the bounding box around `sphereCentre()`.
  [[nodiscard]] const Vec3& boxHalfExtent() const { return box_half_extent_; }
  /// The radius of the sphere with the same ratio of volume to area; of sheets that wrap no volume a tenth of
  /// `sphereRadius()`.
  [[nodiscard]] double thickness() const { return thickness_; }
  /// The direction, of unit length, in which the surface spreads least, by its variance; zero unless that is
  /// less than half of that in any direction across it. What is thin leaves other bodies that way, however it
  /// lies in its frame.
  [[nodiscard]] const Vec3& thinAxis() const { return thin_axis_; }
  /// How far the surface reaches from `sphereCentre()` along that axis, to either side: it lies in a slab.
  /// 0 where the bounding box reaches hardly farther.
  [[nodiscard]] double thinReach() const { return thin_reach_; }
  /// Distance from that centre to the surface, if it is inside of a solid; else 0.
  [[nodiscard]] double innerRadius() const { return inner_radius_; }
  /// The tree of bounding volumes, of a type that is the library's own.
  [[nodiscard]] const WideTree& wideTree() const { return *wide_tree_; }
  /// Its vertices by groups, of a type that is the library's own; null if they are few.
  [[nodiscard]] const VertexGroups* vertexGroups() const { return vertex_groups_.get(); }
  /// What tells at a glance that it meets another one, of a type that is the library's own; null if its
  /// triangles are few. Worked out by the first who asks; from any thread.
  [[nodiscard]] const Probe* probe() const { return has_probe_.load() ? probe_.get() : findProbe(); }
  /// Bytes that this mesh occupies: every record and the tree.
  [[nodiscard]] ODEMESH_API std::size_t memoryBytes() const;

 private:
  struct FloatVec3 {
    float x, y, z;
  };
  enum class VertexKind : std::uint8_t { kBorder, kFlat, kOther };

  /// The first two sides that lie on an edge, as triangle * 4 + side; all else follows from them.
  struct EdgeSides {
    std::uint32_t first, second;  ///< `second` is `kNone` on a border
  };

  Mesh();
  [[nodiscard]] ODEMESH_API const Probe* findProbe() const;

  std::vector<Vec3> vertices_;
  std::vector<FloatVec3> vertex_normals_;
  std::vector<VertexKind> vertex_kinds_;
  std::vector<std::uint32_t> corners_;         ///< three a triangle
  std::vector<std::uint32_t> triangle_edges_;  ///< three a triangle
  std::vector<std::uint32_t> input_triangle_;
  std::vector<EdgeSides> edges_;
  std::vector<std::uint32_t> edge_begin_;  ///< edges whose lower end is vertex v begin here
  std::vector<std::uint32_t> higher_end_;  ///< of each edge
  std::vector<std::uint32_t>
      lower_end_begin_;                      ///< lower ends of edges whose higher end is vertex v begin here
  std::vector<std::uint32_t> lower_end_;     ///< in the next
  std::vector<std::uint32_t> component_of_;  ///< empty if there is one
  std::vector<std::uint32_t> component_vertex_;
  MeshTopology topology_;
  Vec3 opening_area_;
  Vec3 sphere_centre_;
  double sphere_radius_ = 0;
  Vec3 box_half_extent_;
  double thickness_ = 0;
  Vec3 thin_axis_;
  double thin_reach_ = 0;
  double inner_radius_ = 0;
  bool is_convex_ = false;
  std::unique_ptr<const WideTree> wide_tree_;
  std::unique_ptr<const VertexGroups> vertex_groups_;
  mutable std::atomic<bool> has_probe_ = false;
  mutable std::unique_ptr<const Probe> probe_;
  std::unique_ptr<const PartIndex> part_index_;  ///< of a merged surface alone

  friend class MeshBuilder;
};

inline MeshEdge Mesh::Edges::operator[](std::size_t e) const {
  const EdgeSides& sides = mesh_->edges_[e];
  const std::size_t t = sides.first / 4, side = sides.first % 4;
  const std::uint32_t high = mesh_->higher_end_[e], from = mesh_->corners_[3 * t + side];
  const std::uint32_t low = from != high ? from : mesh_->corners_[3 * t + (side == 2 ? 0 : side + 1)];
  return {{low, high}, {sides.first / 4, sides.second == kNone ? kNone : sides.second / 4}};
}

inline std::uint32_t Mesh::triangleAt(std::size_t v) const {
  return edges()[edgesAt(v).front()].triangle[0];
}

/// The result of `Mesh::build`.
struct Mesh::Built {
  std::shared_ptr<const Mesh> mesh;   ///< empty if the input has no usable triangle
  std::vector<MeshProblem> problems;  ///< in the order of the input
};

}  // namespace odemesh
