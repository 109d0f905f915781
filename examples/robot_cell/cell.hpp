// Objects made of meshes, and which of them collide (Sinjur, "Collision detection between moving objects
// using uniform space subdivision").
#pragma once

#include <cstddef>
#include <memory>
#include <odemesh/mesh.hpp>
#include <odemesh/sim/triangle_mesh.hpp>
#include <string>
#include <vector>

namespace robot_cell {

/// A rigid piece of an object.
struct Shape {
  std::shared_ptr<const odemesh::Mesh> mesh;
  odemesh::Pose in_object;
};

struct Object {
  std::string name;
  bool is_static;
  std::vector<Shape> shapes;
  odemesh::Pose pose;  ///< object to world, in metres
};

/// Indices of two objects, the lower one first.
struct Collision {
  std::size_t first, second;
};

enum class Mode { kStopAtFirst, kListAll };

/// The objects that collide. Two static objects are never tested, nor two shapes of one object.
[[nodiscard]] std::vector<Collision> findCollisions(const std::vector<Object>& objects, Mode mode);

/// Prepares a generated mesh for collision, `in_object` where its object wants it.
[[nodiscard]] Shape makeShape(const odemesh::sim::TriangleMesh& mesh, const odemesh::Pose& in_object);

}  // namespace robot_cell
