#include "bench/speed/bin_scene.hpp"

#include <ode/ode.h>
#include <odemesh/odemesh.h>

#include <algorithm>
#include <cstdio>
#include <ctime>
#include <vector>

#include "bench/speed/shapes.hpp"

namespace odemesh::bench {

namespace {

constexpr double kStep = 0.01;
constexpr int kMostContacts = 64;
constexpr double kHalfWidth = 4.4, kHeight = 18, kWall = 0.5;

/// Processor seconds of this thread: on a shared machine the clock on the wall says little.
[[nodiscard]] double processorTime() {
  timespec t{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return double(t.tv_sec) + 1e-9 * double(t.tv_nsec);
}

/// Mesh data of ODE, and what it points to.
class MeshData {
 public:
  explicit MeshData(const Shape& shape) : id_(dGeomTriMeshDataCreate()) {
    for (const Vec3& v : shape.vertices) vertices_.insert(vertices_.end(), {v.x, v.y, v.z});
    indices_.assign(shape.indices.begin(), shape.indices.end());
    dGeomTriMeshDataBuildDouble(id_, vertices_.data(), 3 * sizeof(double), int(vertices_.size() / 3),
                                indices_.data(), int(indices_.size()), 3 * sizeof(dTriIndex));
    dGeomTriMeshDataPreprocess2(id_, 1U << dTRIDATAPREPROCESS_BUILD_FACE_ANGLES, nullptr);
  }
  ~MeshData() { dGeomTriMeshDataDestroy(id_); }
  MeshData(const MeshData&) = delete;
  MeshData& operator=(const MeshData&) = delete;
  [[nodiscard]] dTriMeshDataID id() const { return id_; }

 private:
  std::vector<double> vertices_;
  std::vector<dTriIndex> indices_;
  dTriMeshDataID id_;
};

[[nodiscard]] Shape box(const Vec3& centre, const Vec3& half) {
  Shape out;
  for (int i = 0; i < 8; ++i)
    out.vertices.push_back(
        centre + Vec3{i & 1 ? half.x : -half.x, i & 2 ? half.y : -half.y, i & 4 ? half.z : -half.z});
  out.indices = {0, 2, 3, 0, 3, 1, 4, 5, 7, 4, 7, 6, 0, 1, 5, 0, 5, 4,
                 2, 6, 7, 2, 7, 3, 0, 4, 6, 0, 6, 2, 1, 3, 7, 1, 7, 5};
  return out;
}

void append(Shape& to, const Shape& shape) {
  const auto first = static_cast<std::uint32_t>(to.vertices.size());
  to.vertices.insert(to.vertices.end(), shape.vertices.begin(), shape.vertices.end());
  for (const std::uint32_t i : shape.indices) to.indices.push_back(first + i);
}

/// A floor and four walls.
[[nodiscard]] Shape binShape() {
  Shape out = box({0, 0, -kWall}, {kHalfWidth + 2 * kWall, kHalfWidth + 2 * kWall, kWall});
  const double at = kHalfWidth + kWall, h = kHeight / 2;
  append(out, box({-at, 0, h}, {kWall, kHalfWidth + 2 * kWall, h}));
  append(out, box({at, 0, h}, {kWall, kHalfWidth + 2 * kWall, h}));
  append(out, box({0, -at, h}, {kHalfWidth, kWall, h}));
  append(out, box({0, at, h}, {kHalfWidth, kWall, h}));
  return out;
}

struct Cost {
  double collision = 0, step = 0;
  std::size_t contacts = 0;
  double highest = 0, lowest = 0;
};

class Bin {
 public:
  Bin() : data_{MeshData(normalise(icosphere(1000))), MeshData(normalise(torus(1000)))}, walls_(binShape()) {
    dWorldSetGravity(world_, 0, 0, -9.81);
    dWorldSetQuickStepNumIterations(world_, 20);
    dCreateTriMesh(space_, walls_.id(), nullptr, nullptr, nullptr);
    for (int i = 0; i < 100; ++i) addBody(i);
  }
  ~Bin() {
    dSpaceDestroy(space_);
    dJointGroupDestroy(joints_);
    dWorldDestroy(world_);
  }
  Bin(const Bin&) = delete;
  Bin& operator=(const Bin&) = delete;

  [[nodiscard]] Cost run(int steps) {
    for (int i = 0; i < steps; ++i) {
      const double begin = processorTime();
      dSpaceCollide(space_, this, near);
      cost_.collision += processorTime() - begin;
      dWorldQuickStep(world_, kStep);
      cost_.step += processorTime() - begin;
      dJointGroupEmpty(joints_);
    }
    for (const dBodyID body : bodies_) {
      cost_.highest = std::max(cost_.highest, double(dBodyGetPosition(body)[2]));
      cost_.lowest = std::min(cost_.lowest, double(dBodyGetPosition(body)[2]));
    }
    return cost_;
  }

 private:
  void addBody(int i) {
    const dGeomID geom = dCreateTriMesh(space_, data_[i % 2].id(), nullptr, nullptr, nullptr);
    const dBodyID body = dBodyCreate(world_);
    dMass mass;
    dMassSetSphere(&mass, 1, 0.8);
    dBodySetMass(body, &mass);
    dGeomSetBody(geom, body);
    const int layer = i / 16, x = i % 4, y = i / 4 % 4;
    dBodySetPosition(body, 2.1 * (x - 1.5) + 0.05 * (i % 3), 2.1 * (y - 1.5) - 0.05 * (i % 4),
                     1.2 + 2.2 * layer);
    dMatrix3 turn;
    dRFromEulerAngles(turn, 0.7 * i, 1.1 * i, 1.9 * i);
    dBodySetRotation(body, turn);
    bodies_.push_back(body);
  }

  static void near(void* self, dGeomID a, dGeomID b) { static_cast<Bin*>(self)->meet(a, b); }
  void meet(dGeomID a, dGeomID b) {
    dContact contact[kMostContacts];
    const int count = dCollide(a, b, kMostContacts, &contact[0].geom, sizeof contact[0]);
    cost_.contacts += static_cast<std::size_t>(count);
    for (int i = 0; i < count; ++i) {
      contact[i].surface = {};
      contact[i].surface.mode = dContactApprox1;
      contact[i].surface.mu = 0.5;
      dJointAttach(dJointCreateContact(world_, joints_, &contact[i]), dGeomGetBody(a), dGeomGetBody(b));
    }
  }

  MeshData data_[2];
  MeshData walls_;
  dWorldID world_ = dWorldCreate();
  dSpaceID space_ = dHashSpaceCreate(nullptr);
  dJointGroupID joints_ = dJointGroupCreate(0);
  std::vector<dBodyID> bodies_;
  Cost cost_;
};

}  // namespace

void compareInBin(int steps) {
  std::printf("\n100 meshes of about 1,000 triangles in a bin, %d steps of %g s\n", steps, kStep);
  Cost cost[2];
  for (const bool ours : {true, false}) {
    if (ours)
      odemeshInstall();
    else
      odemeshUninstall();
    Cost& c = cost[ours ? 0 : 1];
    c = Bin().run(steps);
    std::printf(
        "  %-8s collision %8.3f ms a step, whole step %8.3f ms, %6.1f contacts a step, heights %.2f to "
        "%.2f\n",
        ours ? "odemesh" : "ODE", 1e3 * c.collision / steps, 1e3 * c.step / steps, double(c.contacts) / steps,
        c.lowest, c.highest);
    std::fflush(stdout);
  }
  std::printf("  ratio    collision %8.2f, whole step %8.2f\n", cost[1].collision / cost[0].collision,
              cost[1].step / cost[0].step);
}

}  // namespace odemesh::bench
