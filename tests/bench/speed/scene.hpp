// Two meshes, as odemesh and ODE have them, and the poses in which they are asked about.
#pragma once

#include <ode/ode.h>

#include <memory>
#include <odemesh/mesh.hpp>
#include <odemesh/sim/ode_handles.hpp>
#include <string>
#include <vector>

#include "bench/speed/shapes.hpp"

namespace odemesh::bench {

inline constexpr int kRegimes = 4;
inline constexpr const char* kRegimeName[kRegimes] = {"separated", "touching", "shallow", "deep"};

struct NamedShape {
  std::string name;
  Shape shape;
};

/// A mesh of radius 1, and how long both take to build it: the best of three.
class Body {
 public:
  /// Throws std::runtime_error if no triangle has an area.
  Body(std::string name, const Shape& shape);

  [[nodiscard]] const std::string& name() const { return name_; }
  [[nodiscard]] const Shape& shape() const { return shape_; }
  [[nodiscard]] const Mesh& mesh() const { return *mesh_; }
  [[nodiscard]] const std::shared_ptr<const Mesh>& sharedMesh() const { return mesh_; }
  [[nodiscard]] dTriMeshDataID data() const { return data_.get(); }
  [[nodiscard]] dGeomID geom() const { return geom_.get(); }
  [[nodiscard]] double buildMs() const { return build_ms_; }
  [[nodiscard]] double odeBuildMs() const { return ode_build_ms_; }

 private:
  void buildMesh();
  void buildGeom();

  std::string name_;
  Shape shape_;
  std::shared_ptr<const Mesh> mesh_;
  std::vector<double> ode_vertices_;
  std::vector<dTriIndex> ode_indices_;
  sim::TriMeshDataHandle data_;
  sim::GeomHandle geom_;
  double build_ms_ = 0, ode_build_ms_ = 0;
};

struct Scene {
  /// Mesh b slides around mesh a while it turns; at each of `count` places it stops at four distances along
  /// the way in.
  Scene(const NamedShape& first, const NamedShape& second, int count);

  [[nodiscard]] std::string name() const { return a.name() + " x " + b.name(); }

  Body a, b;
  std::vector<Pose> poses[kRegimes];  ///< of mesh b; mesh a stays at the origin
};

/// Motions that begin at each of the poses: `steps` steps of `length`, and turns by as much (in radians; the
/// radius is 1), one motion after the other.
[[nodiscard]] std::vector<Pose> slowMotions(const std::vector<Pose>& starts, double length, int steps);

/// The first steps of all motions, then the second ones, and so on.
[[nodiscard]] std::vector<Pose> inTurn(const std::vector<Pose>& motions, int steps);

}  // namespace odemesh::bench
