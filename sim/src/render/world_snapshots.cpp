#include <odemesh/sim/render/world_snapshots.hpp>
#include <odemesh/sim/shapes.hpp>

#include "overloaded.hpp"

namespace odemesh::sim {

namespace {

constexpr double kPlaneSide = 1000;  // m; of a plane that is not horizontal
constexpr int kRoundDivisions = 32;

/// Sizes that tell two primitives of one kind apart. Meshes have an identity of their own.
std::array<double, 3> sizesOf(const Geometry& geometry) {
  using Sizes = std::array<double, 3>;
  return std::visit(Overloaded{
                        [](const MeshGeometry&) { return Sizes{}; },
                        [](const BoxGeometry& box) {
                          return Sizes{box.size.x, box.size.y, box.size.z};
                        },
                        [](const SphereGeometry& sphere) { return Sizes{sphere.radius}; },
                        [](const CylinderGeometry& c) {
                          return Sizes{c.radius, c.length};
                        },
                        [](const CapsuleGeometry& c) {
                          return Sizes{c.radius, c.length};
                        },
                        [](const PlaneGeometry&) { return Sizes{}; },
                    },
                    geometry);
}

TriangleMesh makeShape(const Geometry& geometry) {
  return std::visit(
      Overloaded{
          [](const MeshGeometry&) { return TriangleMesh{}; },
          [](const BoxGeometry& box) { return makeBox(box.size); },
          [](const SphereGeometry& sphere) { return makeIcosphere(sphere.radius, 3); },
          [](const CylinderGeometry& c) { return makeCylinder(c.radius, c.length, kRoundDivisions); },
          [](const CapsuleGeometry& c) {
            return makeCapsule(c.radius, c.length, kRoundDivisions, kRoundDivisions / 4);
          },
          [](const PlaneGeometry&) { return makePlaneGrid(kPlaneSide, kPlaneSide); },
      },
      geometry);
}

/// The pose whose z axis is the plane's normal and whose origin lies in the plane, nearest to the plane's own
/// origin.
Pose poseInPlane(const PlaneGeometry& plane, const Pose& pose) {
  const Vec3 normal = normalised(plane.normal, {0, 0, 1});
  const Vec3 x = normalised(cross(std::abs(normal.x) < 0.9 ? Vec3{1, 0, 0} : Vec3{0, 1, 0}, normal));
  const Mat3 axes{{x, cross(normal, x), normal}};
  return pose * Pose{axes.transposed(), normal * (plane.offset / length(plane.normal))};
}

bool isHorizontal(const Pose& plane) {
  return plane.rotate({0, 0, 1}).z > 1 - 1e-12;
}

}  // namespace

Snapshot WorldSnapshots::take(const World& world) {
  Snapshot out;
  std::size_t dynamic_bodies = 0;
  for (std::size_t b = 0; b < world.bodyCount(); ++b) {
    const Body& body = world.body(b);
    const bool is_static = body.isStatic();
    const Colour colour = is_static ? groundColour() : bodyColour(dynamic_bodies++);
    for (std::size_t p = 0; p < body.parts().size(); ++p)
      addPart(body.parts()[p].geometry, body.partPose(p), {nullptr, {}, colour, is_static, b}, out);
  }
  out.contacts.reserve(world.contacts().size());
  for (const ContactRecord& contact : world.contacts())
    out.contacts.push_back({contact.position, contact.normal, contact.depth});
  return out;
}

void WorldSnapshots::addPart(const Geometry& geometry, const Pose& pose, DrawnBody body, Snapshot& out) {
  if (const auto* mesh = std::get_if<MeshGeometry>(&geometry)) {
    // Shares the collision mesh, whose vertices lie around its centre of mass.
    body.mesh = {mesh->mesh, &mesh->mesh->mesh()};
    body.pose = pose * Pose{{}, mesh->mesh->origin()};
  } else if (const auto* plane = std::get_if<PlaneGeometry>(&geometry)) {
    body.pose = poseInPlane(*plane, pose);
    if (!out.ground && isHorizontal(body.pose)) {
      out.ground = DrawnGround{body.pose.translation.z, body.colour};
      return;
    }
    body.mesh = shapeOf(geometry);
  } else {
    body.pose = pose;
    body.mesh = shapeOf(geometry);
  }
  out.bodies.push_back(std::move(body));
}

const std::shared_ptr<const TriangleMesh>& WorldSnapshots::shapeOf(const Geometry& geometry) {
  auto& shape = shapes_[{geometry.index(), sizesOf(geometry)}];
  if (shape == nullptr) shape = std::make_shared<const TriangleMesh>(makeShape(geometry));
  return shape;
}

}  // namespace odemesh::sim
