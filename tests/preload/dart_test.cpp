// Mesh bodies in DART, collided by DART's ODE detector; knows nothing of odemesh. Prints a line for each
// scene and ends with 0 if they came out as is to be expected of odemesh (where it is preloaded) or of ODE's
// own collider. DART limits the speed at which a contact pushes, so that one does not throw a stack apart
// here; it lets it creep.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <dart/collision/ode/ode.hpp>
#include <dart/constraint/ConstraintSolver.hpp>
#include <dart/dynamics/BodyNode.hpp>
#include <dart/dynamics/FreeJoint.hpp>
#include <dart/dynamics/MeshShape.hpp>
#include <dart/dynamics/Skeleton.hpp>
#include <dart/simulation/World.hpp>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "scene.hpp"

namespace {

namespace fs = std::filesystem;
using dart::dynamics::SkeletonPtr;
using dart::simulation::WorldPtr;

/// A folder of its own for this process's mesh files.
[[nodiscard]] fs::path folder() {
  static const fs::path path = [] {
    std::string name = (fs::temp_directory_path() / "dart-meshes-XXXXXX").string();
    return fs::path(mkdtemp(name.data()));
  }();
  return path;
}

[[nodiscard]] std::string writeObj(const std::string& name, const float* xyz, std::size_t vertices,
                                   const dTriIndex* indices, std::size_t triangles) {
  const fs::path file = folder() / (name + ".obj");
  std::ofstream out(file);
  for (std::size_t v = 0; v < vertices; ++v)
    out << "v " << xyz[3 * v] << ' ' << xyz[3 * v + 1] << ' ' << xyz[3 * v + 2] << '\n';
  for (std::size_t t = 0; t < triangles; ++t)
    out << "f " << indices[3 * t] + 1 << ' ' << indices[3 * t + 1] + 1 << ' ' << indices[3 * t + 2] + 1
        << '\n';
  return file.string();
}

[[nodiscard]] std::string writeBox(const std::string& name, float x, float y, float z) {
  const odemesh::test::Box box(x, y, z);
  return writeObj(name, box.xyz.data(), 8, box.indices.data(), 12);
}

[[nodiscard]] WorldPtr newWorld() {
  const WorldPtr world = dart::simulation::World::create();
  world->setTimeStep(1.0 / 500);
  world->getConstraintSolver()->setCollisionDetector(dart::collision::OdeCollisionDetector::create());
  return world;
}

SkeletonPtr addMesh(const WorldPtr& world, const std::string& file, const std::string& name,
                    const Eigen::Vector3d& position) {
  const auto shape = std::make_shared<dart::dynamics::MeshShape>(
      Eigen::Vector3d::Ones(), dart::dynamics::MeshShape::loadMesh(file), dart::common::Uri(file));
  const SkeletonPtr skeleton = dart::dynamics::Skeleton::create(name);
  const auto [joint, body] = skeleton->createJointAndBodyNodePair<dart::dynamics::FreeJoint>();
  body->createShapeNodeWith<dart::dynamics::CollisionAspect, dart::dynamics::DynamicsAspect>(shape);
  body->setInertia(dart::dynamics::Inertia(1, Eigen::Vector3d::Zero(), Eigen::Matrix3d::Identity() / 6));
  Eigen::Isometry3d pose = Eigen::Isometry3d::Identity();
  pose.translation() = position;
  joint->setPositions(dart::dynamics::FreeJoint::convertToPositions(pose));
  world->addSkeleton(skeleton);
  return skeleton;
}

void run(const WorldPtr& world, double seconds) {
  for (int step = 0; step < std::lround(seconds / world->getTimeStep()); ++step) world->step();
}

[[nodiscard]] Eigen::Vector3d positionOf(const SkeletonPtr& skeleton) {
  return skeleton->getBodyNode(0)->getWorldTransform().translation();
}

/// Five mesh boxes on a mesh slab, 3 s: the farthest that one of them has moved.
[[nodiscard]] double driftOfStack() {
  const WorldPtr world = newWorld();
  addMesh(world, writeBox("slab", 5, 5, 0.5F), "slab", {0, 0, -0.5})->setMobile(false);
  const std::string box = writeBox("box", 0.5F, 0.5F, 0.5F);
  std::vector<SkeletonPtr> boxes;
  for (int i = 0; i < 5; ++i)
    boxes.push_back(addMesh(world, box, "box" + std::to_string(i), {0, 0, 0.5 + i}));
  run(world, 3);
  double drift = 0;
  for (std::size_t i = 0; i < boxes.size(); ++i)
    drift = std::max(drift, (positionOf(boxes[i]) - Eigen::Vector3d(0, 0, 0.5 + double(i))).norm());
  return drift;
}

/// A mesh box dropped onto a ground of one triangle, which ODE's own collider never collides: error in
/// height.
[[nodiscard]] double errorOnOneTriangle() {
  const WorldPtr world = newWorld();
  const float xyz[] = {-20, -20, 0, 20, -20, 0, 0, 20, 0};
  const dTriIndex indices[] = {0, 1, 2};
  addMesh(world, writeObj("triangle", xyz, 3, indices, 1), "triangle", {0, 0, 0})->setMobile(false);
  const SkeletonPtr box = addMesh(world, writeBox("box", 0.5F, 0.5F, 0.5F), "box", {0, 0, 0.6});
  run(world, 2);
  return std::abs(positionOf(box)[2] - 0.5);
}

/// Prints an error; is it below what odemesh stays below, or above what ODE's own collider exceeds?
[[nodiscard]] bool check(const char* scene, double error, double below, double above) {
  std::printf("%s: %.7f m from where it ought to be\n", scene, error);
  return odemesh::test::expectsOdemesh() ? error < below : error > above;
}

}  // namespace

int main() {
  const bool stack = check("stack", driftOfStack(), 1e-4, 1e-3);
  const bool triangle = check("one triangle", errorOnOneTriangle(), 1e-4, 1);
  fs::remove_all(folder());
  return stack && triangle ? 0 : 1;
}
