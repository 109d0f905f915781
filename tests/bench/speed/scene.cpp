#include "bench/speed/scene.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <odemesh/collide.hpp>
#include <stdexcept>
#include <utility>

#include "bench/speed/timing.hpp"
#include "scenes/builder.hpp"

namespace odemesh::bench {

namespace {

/// How far mesh b is moved inwards from the place where the two first meet.
constexpr double kInwards[kRegimes] = {-0.02, 0.004, 0.04, 0.5};

/// The best of three, in milliseconds.
template <typename Work>
[[nodiscard]] double bestOfThree(Work&& work) {
  double best = microseconds(work);
  for (int i = 1; i < 3; ++i) best = std::min(best, microseconds(work));
  return 1e-3 * best;
}

using sim::rotationAbout;

}  // namespace

Body::Body(std::string name, const Shape& shape) : name_(std::move(name)), shape_(normalise(shape)) {
  buildMesh();
  buildGeom();
}

void Body::buildMesh() {
  build_ms_ = bestOfThree([&] { mesh_ = Mesh::build(shape_.vertices, shape_.indices).mesh; });
  if (!mesh_) throw std::runtime_error(name_ + ": no triangle of it has an area; give another mesh");
}

void Body::buildGeom() {
  for (const Vec3& v : shape_.vertices) ode_vertices_.insert(ode_vertices_.end(), {v.x, v.y, v.z});
  ode_indices_.assign(shape_.indices.begin(), shape_.indices.end());
  data_.reset(dGeomTriMeshDataCreate());
  ode_build_ms_ = bestOfThree([&] {
    dGeomTriMeshDataBuildDouble(data_.get(), ode_vertices_.data(), 3 * sizeof(double),
                                int(shape_.vertices.size()), ode_indices_.data(), int(ode_indices_.size()),
                                3 * sizeof(dTriIndex));
  });
  geom_.reset(dCreateTriMesh(nullptr, data_.get(), nullptr, nullptr, nullptr));
}

Scene::Scene(const NamedShape& first, const NamedShape& second, int count)
    : a(first.name, first.shape), b(second.name, second.shape) {
  const auto meets = [&](const Pose& p) { return intersects(a.mesh(), {}, b.mesh(), p); };
  for (int i = 0; i < count; ++i) {
    const double u = (i + 0.5) / count;
    const double height = 1.6 * u - 0.8, turn = 5 * 2 * std::numbers::pi * u;
    const double flat = std::sqrt(1 - height * height);
    const Vec3 direction{flat * std::cos(turn), flat * std::sin(turn), height};
    const Mat3 rotation = rotationAbout({1, 2, 3}, 7 * u) * rotationAbout({1, 0, 0}, 4 * u);
    const auto at = [&](double distance) { return Pose{rotation, direction * distance}; };
    double outside = 2.01;
    while (outside > 0.01 && !meets(at(outside - 0.01))) outside -= 0.01;
    double inside = outside - 0.01;
    for (int k = 0; k < 12; ++k)
      (meets(at(0.5 * (inside + outside))) ? inside : outside) = 0.5 * (inside + outside);
    for (int r = 0; r < kRegimes; ++r) poses[r].push_back(at(outside - kInwards[r]));
  }
}

std::vector<Pose> slowMotions(const std::vector<Pose>& starts, double length, int steps) {
  std::vector<Pose> out;
  for (const Pose& start : starts)
    for (int k = 0; k < steps; ++k)
      out.push_back({rotationAbout({3, 1, 2}, k * length) * start.rotation,
                     start.translation + Vec3{0.6, -0.8, 0} * (k * length)});
  return out;
}

std::vector<Pose> inTurn(const std::vector<Pose>& motions, int steps) {
  const std::size_t stride = static_cast<std::size_t>(steps);
  std::vector<Pose> out;
  for (std::size_t k = 0; k < stride; ++k)
    for (std::size_t i = k; i < motions.size(); i += stride) out.push_back(motions[i]);
  return out;
}

}  // namespace odemesh::bench
