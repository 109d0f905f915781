// Two meshes in FCL, as trees of oriented boxes, or of these and swept spheres: its fastest for rigid meshes.
#pragma once

#include <fcl/geometry/bvh/BVH_model.h>
#include <fcl/narrowphase/collision.h>
#include <fcl/narrowphase/distance.h>

#include <memory>

#include "bench/speed/shapes.hpp"

namespace odemesh::bench {

template <typename Volume>
class FclPair {
 public:
  FclPair(const Shape& a, const Shape& b) : a_(build(a)), b_(build(b)) {}

  /// The number of pairs that FCL gives for mesh b at `pose`, at most `most`.
  [[nodiscard]] std::size_t collide(const Pose& pose, std::size_t most) const {
    return collide(pose, most, false);
  }
  /// The same with a contact for each pair.
  [[nodiscard]] std::size_t contacts(const Pose& pose, std::size_t most) const {
    return collide(pose, most, true);
  }

  [[nodiscard]] double distance(const Pose& pose) const {
    const fcl::DistanceRequestd request;
    fcl::DistanceResultd result;
    return fcl::distance(a_.get(), fcl::Transform3d::Identity(), b_.get(), placement(pose), request, result);
  }

 private:
  [[nodiscard]] std::size_t collide(const Pose& pose, std::size_t most, bool contacts) const {
    fcl::CollisionRequestd request;
    request.num_max_contacts = most;
    request.enable_contact = contacts;
    fcl::CollisionResultd result;
    return fcl::collide(a_.get(), fcl::Transform3d::Identity(), b_.get(), placement(pose), request, result);
  }

  using Model = fcl::BVHModel<Volume>;

  [[nodiscard]] static fcl::Transform3d placement(const Pose& pose) {
    fcl::Transform3d place = fcl::Transform3d::Identity();
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) place.linear()(i, j) = pose.rotation.row[i][j];
    place.translation() = fcl::Vector3d(pose.translation.x, pose.translation.y, pose.translation.z);
    return place;
  }

  [[nodiscard]] static std::shared_ptr<Model> build(const Shape& shape) {
    std::vector<fcl::Vector3d> vertices;
    for (const Vec3& v : shape.vertices) vertices.emplace_back(v.x, v.y, v.z);
    std::vector<fcl::Triangle> triangles;
    for (std::size_t i = 0; i < shape.indices.size(); i += 3)
      triangles.emplace_back(shape.indices[i], shape.indices[i + 1], shape.indices[i + 2]);
    auto model = std::make_shared<Model>();
    model->beginModel();
    model->addSubModel(vertices, triangles);
    model->endModel();
    return model;
  }

  std::shared_ptr<Model> a_, b_;
};

}  // namespace odemesh::bench
