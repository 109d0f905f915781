// Two meshes in FCL, as trees of oriented boxes: its fastest for rigid meshes.
#pragma once

#include <fcl/geometry/bvh/BVH_model.h>
#include <fcl/narrowphase/collision.h>

#include <memory>

#include "bench/bench_meshes.hpp"

namespace odemesh::bench {

class FclPair {
 public:
  FclPair(const Shape& a, const Shape& b) : a_(build(a)), b_(build(b)) {}

  /// The number of contacts that FCL gives for mesh b at `pose`, at most `most`.
  [[nodiscard]] std::size_t collide(const Pose& pose, std::size_t most) const {
    fcl::Transform3d place = fcl::Transform3d::Identity();
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) place.linear()(i, j) = pose.rotation.row[i][j];
    place.translation() = fcl::Vector3d(pose.translation.x, pose.translation.y, pose.translation.z);
    fcl::CollisionRequestd request;
    request.num_max_contacts = most;
    fcl::CollisionResultd result;
    return fcl::collide(a_.get(), fcl::Transform3d::Identity(), b_.get(), place, request, result);
  }

 private:
  using Model = fcl::BVHModel<fcl::OBBd>;

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
