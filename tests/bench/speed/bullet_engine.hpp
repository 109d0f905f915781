// Two meshes in Bullet, as GImpact shapes: what it has for moving meshes against each other. In floats, and
// with contacts of its own making, so that its counts can't be compared.
#pragma once

#include <BulletCollision/Gimpact/btGImpactCollisionAlgorithm.h>
#include <BulletCollision/Gimpact/btGImpactShape.h>
#include <btBulletCollisionCommon.h>

#include <chrono>
#include <memory>

#include "bench/speed/shapes.hpp"

namespace odemesh::bench {

class BulletPair {
 public:
  BulletPair(const Shape& a, const Shape& b) : a_(a), b_(b) {
    btGImpactCollisionAlgorithm::registerAlgorithm(&dispatcher_);
    world_.addCollisionObject(&a_.object);
    world_.addCollisionObject(&b_.object);
  }

  /// The number of contacts for mesh b at `pose`.
  [[nodiscard]] std::size_t collide(const Pose& pose) {
    const auto scalar = [](double x) { return static_cast<btScalar>(x); };
    const auto row = [&](int i) {
      const Vec3& r = pose.rotation.row[i];
      return btVector3(scalar(r.x), scalar(r.y), scalar(r.z));
    };
    btMatrix3x3 turn;
    for (int i = 0; i < 3; ++i) turn[i] = row(i);
    const Vec3& t = pose.translation;
    b_.object.setWorldTransform(btTransform(turn, btVector3(scalar(t.x), scalar(t.y), scalar(t.z))));
    world_.performDiscreteCollisionDetection();
    std::size_t count = 0;
    for (int i = 0; i < dispatcher_.getNumManifolds(); ++i)
      count += static_cast<std::size_t>(dispatcher_.getManifoldByIndexInternal(i)->getNumContacts());
    return count;
  }
  [[nodiscard]] double buildMs() const { return a_.build_ms + b_.build_ms; }

 private:
  struct Body {
    btTriangleMesh triangles{true, false};
    std::unique_ptr<btGImpactMeshShape> shape;
    btCollisionObject object;
    double build_ms = 0;

    explicit Body(const Shape& mesh) {
      const auto at = [&](std::size_t i) {
        const Vec3& p = mesh.vertices[mesh.indices[i]];
        return btVector3(btScalar(p.x), btScalar(p.y), btScalar(p.z));
      };
      for (std::size_t i = 0; i < mesh.indices.size(); i += 3)
        triangles.addTriangle(at(i), at(i + 1), at(i + 2));
      const auto begin = std::chrono::steady_clock::now();
      shape = std::make_unique<btGImpactMeshShape>(&triangles);
      shape->setMargin(0);
      shape->updateBound();
      build_ms = std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin).count();
      object.setCollisionShape(shape.get());
    }
  };

  Body a_, b_;  // these have to outlive the world
  btDefaultCollisionConfiguration configuration_;
  btCollisionDispatcher dispatcher_{&configuration_};
  btDbvtBroadphase broadphase_;
  btCollisionWorld world_{&dispatcher_, &broadphase_, &configuration_};
};

}  // namespace odemesh::bench
