#include "viewer/picking.hpp"

#include <cmath>

namespace odemesh::viewer {
namespace {

constexpr double kSpringRate = 9;       // rad/s, of the body's mass on the spring
constexpr double kGreatestForce = 500;  // N per kg
constexpr double kGrazing = 1e-3;       // cosine below which a ray runs along the plane

// The distance along `ray` to the triangle (Moller and Trumbore 1997).
std::optional<double> meet(const Ray& ray, const Vec3& a, const Vec3& b, const Vec3& c) {
  const Vec3 ab = b - a;
  const Vec3 ac = c - a;
  const Vec3 p = cross(ray.direction, ac);
  const double det = dot(ab, p);
  if (det == 0) return std::nullopt;
  const Vec3 from_a = ray.origin - a;
  const double u = dot(from_a, p) / det;
  const Vec3 q = cross(from_a, ab);
  const double v = dot(ray.direction, q) / det;
  const double distance = dot(ac, q) / det;
  if (!(u >= 0 && v >= 0 && u + v <= 1 && distance > 0)) return std::nullopt;
  return distance;
}

void pickBody(const sim::DrawnBody& body, const Ray& ray, std::optional<Hit>& best) {
  const Pose to_mesh = body.pose.inverse();
  const Ray local{to_mesh.apply(ray.origin), to_mesh.rotate(ray.direction)};
  const auto& vertices = body.mesh->vertices;
  for (const auto& t : body.mesh->triangles) {
    const auto distance = meet(local, vertices[t[0]], vertices[t[1]], vertices[t[2]]);
    if (distance && (!best || *distance < best->distance))
      best = Hit{body.world_body, ray.origin + ray.direction * *distance, *distance};
  }
}

}  // namespace

std::optional<Hit> pick(const sim::Snapshot& snapshot, const Ray& ray) {
  std::optional<Hit> best;
  for (const sim::DrawnBody& body : snapshot.bodies)
    if (!body.surroundings && body.mesh != nullptr && isFinite(body.pose)) pickBody(body, ray, best);
  return best;
}

std::optional<Vec3> meetSurroundings(const sim::Snapshot& snapshot, const Ray& ray) {
  std::optional<Hit> best;
  for (const sim::DrawnBody& body : snapshot.bodies)
    if (body.surroundings && body.mesh != nullptr && isFinite(body.pose)) pickBody(body, ray, best);
  if (best) return best->point;
  if (!snapshot.ground || ray.direction.z == 0) return std::nullopt;
  const double distance = (snapshot.ground->height - ray.origin.z) / ray.direction.z;
  if (!(distance > 0)) return std::nullopt;
  return ray.origin + ray.direction * distance;
}

Drag::Drag(const sim::World& world, const Hit& hit, const Ray& ray, const Vec3& view_direction)
    : body_(hit.body),
      local_(world.body(hit.body).pose().inverse().apply(hit.point)),
      plane_normal_(view_direction),
      target_(hit.point) {
  moveTo(ray);
}

void Drag::moveTo(const Ray& ray) {
  const double cosine = dot(ray.direction, plane_normal_);
  if (std::abs(cosine) < kGrazing) return;
  const double distance = dot(target_ - ray.origin, plane_normal_) / cosine;
  if (distance > 0) target_ = ray.origin + ray.direction * distance;
}

Vec3 Drag::point(const sim::World& world) const {
  return world.body(body_).pose().apply(local_);
}

void Drag::apply(sim::World& world) const {
  sim::Body& body = world.body(body_);
  if (world.failure() || !body.isFinite()) return;
  const Vec3 at = point(world);
  const Vec3 velocity = body.linearVelocity() + cross(body.angularVelocity(), at - body.centreOfMass());
  Vec3 acceleration =
      (target_ - at) * (kSpringRate * kSpringRate) - velocity * (2 * kSpringRate) - world.settings().gravity;
  const double size = length(acceleration);
  if (size > kGreatestForce) acceleration *= kGreatestForce / size;
  body.addForceAt(acceleration * body.inertial().mass, at);
}

}  // namespace odemesh::viewer
