#include "robot_cell/arm.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <odemesh/sim/shapes.hpp>

namespace robot_cell {

using odemesh::Mat3;
using odemesh::Pose;
using odemesh::Vec3;
namespace sim = odemesh::sim;

namespace {

enum Part { kJoint1, kJoint2, kJoint3, kPitch, kYaw, kRoll, kGripper };

/// Between parts that move against each other, and above the table: parts that touched would collide.
constexpr double kGap = 0.005;
constexpr double kUpperArm = 0.35, kForearm = 0.30, kShoulderHeight = 0.27;

[[nodiscard]] Pose at(double x, double y, double z) {
  return {{}, {x, y, z}};
}

/// A turn of `degrees` about x, y or z (0, 1, 2).
[[nodiscard]] Pose turned(int axis, double degrees) {
  const double c = std::cos(degrees * std::numbers::pi / 180), s = std::sin(degrees * std::numbers::pi / 180);
  if (axis == 0) return {{{{1, 0, 0}, {0, c, -s}, {0, s, c}}}, {}};
  if (axis == 1) return {{{{c, 0, s}, {0, 1, 0}, {-s, 0, c}}}, {}};
  return {{{{c, -s, 0}, {s, c, 0}, {0, 0, 1}}}, {}};
}

/// An arm along x from its pivot, which lies `overhang` from either end.
[[nodiscard]] Shape link(double length, double width, double overhang) {
  return makeShape(sim::makeBox({length + 2 * overhang, width, width}), at(0.5 * length, 0, 0));
}

[[nodiscard]] std::vector<Shape> shapesOf(Part part) {
  switch (part) {
    case kJoint1:
      return {makeShape(sim::makeCylinder(0.06, 0.3), at(0, 0, 0.15 + kGap))};
    case kJoint2:
      return {link(kUpperArm, 0.05, 0.03)};
    case kJoint3:
      return {link(kForearm, 0.05, 0.025)};
    case kPitch:
      return {link(0.05, 0.04, 0.02)};
    case kYaw:
      return {makeShape(sim::makeCylinder(0.02, 0.04), {})};
    case kRoll:
      return {makeShape(sim::makeCylinder(0.02, 0.04), at(0.02, 0, 0) * turned(1, 90))};
    case kGripper:
      return {makeShape(sim::makeBox({0.06, 0.01, 0.02}), {}),
              makeShape(sim::makeBox({0.06, 0.01, 0.02}), {})};
  }
  return {};
}

/// Where each part is mounted on the one before it. Links lie side by side along y, so that they can pass
/// each other.
[[nodiscard]] Pose mountOf(Part part) {
  switch (part) {
    case kJoint1:
      return {};
    case kJoint2:
      return at(0, 0.085 + kGap, kShoulderHeight);
    case kJoint3:
      return at(kUpperArm, -0.05 - kGap, 0);
    case kPitch:
      return at(kForearm, -0.045 - kGap, 0);
    case kYaw:
      return at(0.09 + kGap, 0, 0);
    case kRoll:
      return at(0.02 + kGap, 0, 0);
    case kGripper:
      return at(0.04 + kGap, 0, 0);
  }
  return {};
}

[[nodiscard]] Pose driven(Part part, double value) {
  switch (part) {
    case kJoint1:
    case kYaw:
      return turned(2, value);
    case kJoint2:
    case kJoint3:
    case kPitch:
      return turned(1, -value);  // upwards is positive
    case kRoll:
      return turned(0, value);
    case kGripper:
      return {};
  }
  return {};
}

}  // namespace

std::optional<std::size_t> findPart(std::string_view name) {
  const auto found =
      std::find_if(kDrives.begin(), kDrives.end(), [&](const Drive& d) { return name == d.name; });
  if (found == kDrives.end()) return std::nullopt;
  return static_cast<std::size_t>(found - kDrives.begin());
}

RobotCell::RobotCell() {
  for (std::size_t part = 0; part < kDrives.size(); ++part)
    objects_.push_back({kDrives[part].name, false, shapesOf(static_cast<Part>(part)), {}});
  // The cylinders stand on the table and touch it: static objects are not tested against each other.
  const auto fixed = [&](const char* name, const sim::TriangleMesh& mesh, const Pose& pose) {
    objects_.push_back({name, true, {makeShape(mesh, {})}, pose});
  };
  fixed("table", sim::makeBox({1.6, 1.6, 0.05}), at(0, 0, -0.025));
  fixed("cylinder1", sim::makeCylinder(0.04, 0.15), at(0.45, 0.2, 0.075));
  fixed("cylinder2", sim::makeCylinder(0.04, 0.15), at(0.45, -0.25, 0.075));
  values_[kGripper] = 20;
  place();
}

void RobotCell::place() {
  Pose pose;
  for (std::size_t part = 0; part < kDrives.size(); ++part) {
    pose = pose * mountOf(static_cast<Part>(part)) * driven(static_cast<Part>(part), values_[part]);
    objects_[part].pose = pose;
  }
  const double half = 0.0005 * values_[kGripper] + 0.005;  // to the middle of a finger
  objects_[kGripper].shapes[0].in_object = at(0.03, half, 0);
  objects_[kGripper].shapes[1].in_object = at(0.03, -half, 0);
}

std::optional<Refusal> RobotCell::move(std::size_t part, double amount, Mode mode) {
  const Drive& drive = kDrives[part];
  const double from = values_[part], to = from + amount;
  if (!(to >= drive.least && to <= drive.greatest)) return Refusal{to, {}};
  const int steps = static_cast<int>(std::ceil(std::abs(amount) / drive.step));
  for (int k = 1; k <= steps; ++k) {
    values_[part] = from + amount * k / steps;
    place();
    std::vector<Collision> collisions = findCollisions(objects_, mode);
    if (collisions.empty()) continue;
    Refusal refusal{values_[part], std::move(collisions)};
    values_[part] = from;
    place();
    return refusal;
  }
  return std::nullopt;
}

}  // namespace robot_cell
