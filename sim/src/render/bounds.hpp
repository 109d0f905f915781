// The part of a snapshot that a picture is about: the bodies that are not surroundings.
#pragma once

#include <algorithm>
#include <odemesh/sim/render/snapshot.hpp>

namespace odemesh::sim::render {

/// An axis-aligned box that is empty at first.
class Bounds {
 public:
  void add(const Vec3& p) {
    min_ = empty_ ? p : Vec3{std::min(min_.x, p.x), std::min(min_.y, p.y), std::min(min_.z, p.z)};
    max_ = empty_ ? p : Vec3{std::max(max_.x, p.x), std::max(max_.y, p.y), std::max(max_.z, p.z)};
    empty_ = false;
  }
  /// The origin if the box is empty.
  [[nodiscard]] Vec3 centre() const { return (min_ + max_) * 0.5; }
  /// Of the sphere around the box; 1 if the box is empty.
  [[nodiscard]] double radius() const { return empty_ ? 1 : length(max_ - min_) * 0.5; }

 private:
  bool empty_ = true;
  Vec3 min_, max_;
};

[[nodiscard]] inline bool isDrawable(const DrawnBody& body) {
  const Mat3& r = body.pose.rotation;
  return body.mesh != nullptr && isFinite(body.pose.translation) && isFinite(r.row[0]) &&
         isFinite(r.row[1]) && isFinite(r.row[2]);
}

/// Calls `visit` with the world position of every finite vertex of every body that is not surroundings.
template <class Visit>
void forEachDrawnVertex(const Snapshot& snapshot, Visit&& visit) {
  for (const DrawnBody& body : snapshot.bodies) {
    if (body.surroundings || !isDrawable(body)) continue;
    for (const Vec3& vertex : body.mesh->vertices)
      if (isFinite(vertex)) visit(body.pose.apply(vertex));
  }
}

[[nodiscard]] inline Bounds boundsOf(const Snapshot& snapshot) {
  Bounds bounds;
  forEachDrawnVertex(snapshot, [&](const Vec3& vertex) { bounds.add(vertex); });
  return bounds;
}

}  // namespace odemesh::sim::render
