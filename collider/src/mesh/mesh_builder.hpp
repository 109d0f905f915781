// Stage 1 of the pipeline: from raw vertices and indices to an immutable Mesh.
#pragma once

#include <odemesh/mesh.hpp>
#include <optional>
#include <span>
#include <vector>

#include "bvh/bvh.hpp"
#include "mesh/flat_merge.hpp"
#include "mesh/stitch.hpp"
#include "mesh/touching_shells.hpp"

namespace odemesh {

/// One call of `Mesh::build`; the steps run in the order in which they are declared.
class MeshBuilder {
 public:
  [[nodiscard]] static Mesh::Built build(std::span<const Vec3> vertices,
                                         std::span<const std::uint32_t> indices, FlatParts flat_parts);

 private:
  /// What was found of the winding, and what was done about it.
  struct Winding {
    std::size_t flipped_edges = 0, turned_triangles = 0;
    bool is_one_sided = false;
  };

  /// A side of a triangle, by which it lies on an edge.
  struct Side;

  /// The sides of all triangles by their lower ends: those of vertex v are before `end[v]`, and behind those
  /// of the vertex before.
  struct SidesByVertex {
    std::vector<Side> sides;
    std::vector<std::uint32_t> end;
  };

  MeshBuilder(std::span<const Vec3> vertices, std::span<const std::uint32_t> indices);

  [[nodiscard]] bool checkSizes();
  void takeUsableTriangles();
  [[nodiscard]] bool isUsable(std::size_t triangle);
  void weldVertices();
  void orderTriangles();
  void buildTree();
  void takeOrder(std::span<const std::uint32_t> order);
  void computeNormals();
  [[nodiscard]] static SidesByVertex sidesByLowerEnd(const Mesh& mesh);
  void buildEdges();
  void addEdge(std::span<const Side> shared);
  void stitchBorders();
  bool stitchBorders(double tolerance, double widest);
  bool takeStitched(std::optional<StitchedSurface> surface);
  void windConsistently();
  void cutOneSided();
  void joinShells(FlatParts flat_parts);
  void partShells();
  void takeParted(PartedShells parted);
  void dropDuplicates();
  void dropGluedFaces();
  void dropSecondLayers();
  bool drop(const std::vector<bool>& is_dropped);
  void mergeFlat();
  void takeMerged(std::span<const MergedTriangle> merged);
  void dropUnusedVertices();
  void rebuildSurface();
  void widenTree();
  void computeVertexNormals();
  void listLowerEnds();
  void groupVertices();
  void findVertexKinds();
  void findComponents();
  void findInnerRadius();
  void findConvexity();
  void measure();
  void findThinAxis();
  void setThinAxis(const Vec3& axis);

  void report(MeshProblem::Kind kind, std::size_t element) { problems_.push_back({kind, element}); }

  std::span<const Vec3> input_vertices_;
  std::span<const std::uint32_t> input_indices_;
  std::shared_ptr<Mesh> mesh_;
  std::optional<Bvh> tree_;    ///< until it is widened
  std::vector<Vec3> normals_;  ///< of the triangles
  std::size_t flips_ = 0;      ///< edges across which the winding changes now
  Winding winding_;
  std::vector<MeshProblem> problems_;
};

}  // namespace odemesh
