#include <odemesh/distance.hpp>
#include <odemesh/god_object.hpp>
#include <utility>

namespace odemesh {

namespace {

/// What it keeps from surfaces, in units of the mesh's radius: a start on the surface would hit at once.
constexpr double kSkin = 1e-6;
/// Planes closer to parallel than this (a sine) are one.
constexpr double kSamePlaneSine = 1e-6;

/// The point nearest to `goal` on the planes through `at`: a plane, then a line, then the point itself.
[[nodiscard]] Vec3 projectGoal(const Vec3& goal, const Vec3& at, const GodObject::State& state) {
  const Vec3 d = goal - at;
  const Vec3* n = state.normal;
  if (state.constraints == 1) return goal - dot(d, n[0]) * n[0];
  if (state.constraints == 3) return at;
  const Vec3 along = normalised(cross(n[0], n[1]));
  return at + dot(d, along) * along;
}

/// A plane like one that is there replaces it.
void addConstraint(GodObject::State& state, const Vec3& normal) {
  for (int i = 0; i < state.constraints; ++i) {
    if (length(cross(state.normal[i], normal)) > kSamePlaneSine) continue;
    state.normal[i] = normal;
    return;
  }
  state.normal[state.constraints++] = normal;
}

}  // namespace

GodObject::GodObject(std::shared_ptr<const Mesh> mesh, const Pose& pose, const Vec3& position)
    : mesh_(std::move(mesh)) {
  if (isFinite(pose)) pose_ = pose;
  local_ = pose_.rotation.transposed() * ((isFinite(position) ? position : Vec3{}) - pose_.translation);
}

GodObject::State GodObject::moveTo(const Pose& pose, const Vec3& goal) {
  State state;
  if (isFinite(pose) && isFinite(goal)) {
    pose_ = pose;
    const Vec3 local_goal = pose.rotation.transposed() * (goal - pose.translation);
    Vec3 target = local_goal;
    while (state.constraints < 3) {
      const auto hit = mesh_ ? castSegment(*mesh_, {}, local_, target) : std::nullopt;
      if (!hit) {
        local_ = target;
        break;
      }
      const Vec3 normal = dot(hit->normal, target - local_) < 0 ? hit->normal : -hit->normal;
      const Vec3 stop = hit->point + kSkin * mesh_->sphereRadius() * normal;
      if (!castSegment(*mesh_, {}, local_, stop)) local_ = stop;
      const int before = state.constraints;
      addConstraint(state, normal);
      if (state.constraints == before) break;  // the same plane again: there is no way along it
      target = projectGoal(local_goal, local_, state);
    }
  }
  for (int i = 0; i < state.constraints; ++i) state.normal[i] = pose_.rotate(state.normal[i]);
  state.position = pose_.apply(local_);
  return state;
}

}  // namespace odemesh
