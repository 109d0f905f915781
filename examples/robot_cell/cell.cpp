#include "robot_cell/cell.hpp"

#include <odemesh/collide.hpp>
#include <stdexcept>

namespace robot_cell {

namespace {

[[nodiscard]] bool collide(const Object& a, const Object& b) {
  for (const Shape& s : a.shapes) {
    for (const Shape& t : b.shapes) {
      if (odemesh::intersects(*s.mesh, a.pose * s.in_object, *t.mesh, b.pose * t.in_object)) return true;
    }
  }
  return false;
}

}  // namespace

std::vector<Collision> findCollisions(const std::vector<Object>& objects, Mode mode) {
  std::vector<Collision> found;
  for (std::size_t i = 0; i < objects.size(); ++i) {
    for (std::size_t j = i + 1; j < objects.size(); ++j) {
      if ((objects[i].is_static && objects[j].is_static) || !collide(objects[i], objects[j])) continue;
      found.push_back({i, j});
      if (mode == Mode::kStopAtFirst) return found;
    }
  }
  return found;
}

Shape makeShape(const odemesh::sim::TriangleMesh& mesh, const odemesh::Pose& in_object) {
  std::vector<std::uint32_t> indices;
  for (const auto& triangle : mesh.triangles) indices.insert(indices.end(), triangle.begin(), triangle.end());
  const odemesh::Mesh::Built built = odemesh::Mesh::build(mesh.vertices, indices);
  if (!built.mesh) throw std::runtime_error(mesh.name + ": " + built.problems.front().text());
  return {built.mesh, in_object};
}

}  // namespace robot_cell
