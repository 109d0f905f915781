#include "render/overlay_shapes.hpp"

#include <algorithm>
#include <cstddef>
#include <span>
#include <vector>

namespace odemesh::sim::render {

namespace {

struct Vertex {
  float position[3];
  float colour[4];
};

void add(std::vector<Vertex>& out, std::span<const Vec3> points, const Colour& colour, const Vec3& origin) {
  if (!std::all_of(points.begin(), points.end(), [](const Vec3& p) { return isFinite(p); })) return;
  for (const Vec3& point : points) {
    const Vec3 p = point - origin;
    out.push_back({{static_cast<float>(p.x), static_cast<float>(p.y), static_cast<float>(p.z)},
                   {colour.r, colour.g, colour.b, colour.a}});
  }
}

}  // namespace

OverlayShapes::OverlayShapes()
    : array_(generate<VertexArray>(glGenVertexArrays)), vertices_(generate<Buffer>(glGenBuffers)) {
  glBindVertexArray(array_.get());
  glBindBuffer(GL_ARRAY_BUFFER, vertices_.get());
  setAttribute(0, 3, sizeof(Vertex), offsetof(Vertex, position));
  setAttribute(1, 4, sizeof(Vertex), offsetof(Vertex, colour));
  glBindVertexArray(0);
}

std::size_t OverlayShapes::upload(const Snapshot& snapshot, const Vec3& origin) {
  std::vector<Vertex> vertices;
  for (const DrawnTriangle& triangle : snapshot.triangles)
    add(vertices, triangle.corner, triangle.colour, origin);
  triangle_vertices_ = static_cast<GLsizei>(vertices.size());
  for (const DrawnLine& line : snapshot.lines) add(vertices, line.end, line.colour, origin);
  line_vertices_ = static_cast<GLsizei>(vertices.size()) - triangle_vertices_;
  glBindBuffer(GL_ARRAY_BUFFER, vertices_.get());
  glBufferData(GL_ARRAY_BUFFER, static_cast<GLsizeiptr>(vertices.size() * sizeof(Vertex)), vertices.data(),
               GL_STREAM_DRAW);
  return vertices.size() * sizeof(Vertex);
}

void OverlayShapes::draw() const {
  glBindVertexArray(array_.get());
  glDrawArrays(GL_TRIANGLES, 0, triangle_vertices_);
  glDrawArrays(GL_LINES, triangle_vertices_, line_vertices_);
}

}  // namespace odemesh::sim::render
