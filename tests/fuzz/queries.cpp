// Builds two meshes from the bytes, places them, and asks every query of the C++ interface about them.
#include <odemesh/bounding_boxes.hpp>
#include <odemesh/collide.hpp>
#include <odemesh/distance.hpp>
#include <odemesh/god_object.hpp>
#include <odemesh/methods.hpp>
#include <odemesh/penetration.hpp>
#include <odemesh/voxel.hpp>

#include "collide_pair.hpp"
#include "decode.hpp"
#include "require.hpp"

namespace odemesh::fuzz {
namespace {

/// Two meshes where they are, and what the contacts of the pair have to satisfy.
struct Case {
  std::shared_ptr<const Mesh> mesh1, mesh2;
  Pose pose1, pose2;
  std::size_t triangles1, triangles2;  ///< of the input
  bool is_rigid;
  double unit;  ///< the order of magnitude of the coordinates
};

[[nodiscard]] bool isUnit(const Vec3& v) {
  return std::abs(lengthSq(v) - 1) < 1e-6;
}

void requireSound(const Case& c, std::span<const Contact> contacts, double least_depth) {
  for (const Contact& contact : contacts) {
    require(contact.triangle1 < c.triangles1, "the triangle is one of mesh 1");
    require(contact.triangle2 < c.triangles2, "the triangle is one of mesh 2");
    if (!c.is_rigid) continue;
    require(isFinite(contact.position), "a contact's position is finite");
    require(isUnit(contact.normal), "a contact's normal is of unit length");
    require(std::isfinite(contact.depth) && contact.depth > least_depth, "a contact's depth is in range");
    require(contact.depth <= contacts.front().depth, "the deepest contact comes first");
  }
}

[[nodiscard]] bool areSame(std::span<const Contact> a, std::span<const Contact> b) {
  return std::ranges::equal(a, b, [](const Contact& x, const Contact& y) {
    return std::memcmp(&x.position, &y.position, sizeof x.position) == 0 && x.triangle1 == y.triangle1 &&
           x.triangle2 == y.triangle2 && std::memcmp(&x.depth, &y.depth, sizeof x.depth) == 0;
  });
}

void askContacts(const Case& c, ByteSource& in) {
  std::array<Contact, 64> room{};
  const std::size_t limit = in.below(65);
  const double margin = in.byte() < 192 ? 0 : in.number() * c.unit;
  const auto ask = [&](std::span<Contact> out) {
    return collide(*c.mesh1, c.pose1, *c.mesh2, c.pose2, out, nullptr, margin);
  };
  const std::size_t count = ask(std::span(room).first(limit));
  require(count <= limit, "there are no more contacts than wanted");
  // NaN or a negative margin counts as none.
  requireSound(c, std::span(room).first(count), margin > 0 ? -std::numeric_limits<double>::infinity() : 0);

  std::array<Contact, 64> again{};
  const std::size_t count_again = ask(std::span(again).first(limit));
  require(areSame(std::span(room).first(count), std::span(again).first(count_again)),
          "the same question has the same answer");
}

/// A pair that moves little by little, with what is kept of it from step to step and without.
void askSlowMotion(const Case& c, ByteSource& in) {
  const Vec3 step = decodeVector(in) * (1e-3 * std::min(c.mesh1->sphereRadius(), c.mesh2->sphereRadius()));
  const Vec3 turn = 1e-3 * decodeVector(in);
  Pose pose2 = c.pose2;
  NearPairs near;
  for (int i = 0; i < 6; ++i) {
    std::array<Contact, 64> kept{}, fresh{};
    QueryStats stats;
    const std::size_t count = collidePair(*c.mesh1, c.pose1, *c.mesh2, pose2, kept, stats, 0, &near);
    const std::size_t expected = collide(*c.mesh1, c.pose1, *c.mesh2, pose2, fresh);
    if (c.is_rigid)
      require(areSame(std::span(kept).first(count), std::span(fresh).first(expected)),
              "what is kept of a slow pair does not show");
    pose2.translation += step;
    for (Vec3& row : pose2.rotation.row) row = normalised(row + cross(turn, row), row);
  }
}

void askPlane(const Case& c, ByteSource& in) {
  std::array<Contact, 32> room{};
  const Vec3 any = decodeVector(in);
  const Vec3 normal = in.byte() < 224 && isFinite(any) ? normalised(any / (1 + length(any)), {0, 0, 1}) : any;
  const std::size_t limit = in.below(33);
  const std::size_t count =
      collidePlane(*c.mesh1, c.pose1, normal, in.number() * c.unit, std::span(room).first(limit), nullptr, 0);
  require(count <= limit, "there are no more contacts with a plane than wanted");
  for (const Contact& contact : std::span(room).first(count)) {
    require(contact.triangle1 < c.triangles1, "the triangle is one of the mesh");
    if (c.is_rigid && isUnit(normal)) {
      require(isFinite(contact.position), "a contact with a plane is finite");
      require(std::isfinite(contact.depth) && contact.depth > 0, "a contact with a plane has a depth");
    }
  }
}

void askIntersections(const Case& c, ByteSource& in) {
  std::vector<TrianglePair> pairs;
  intersectingTriangles(*c.mesh1, c.pose1, *c.mesh2, c.pose2, pairs);
  require(std::ranges::is_sorted(pairs), "pairs are in ascending order");
  require(intersects(*c.mesh1, c.pose1, *c.mesh2, c.pose2) == !pairs.empty(),
          "meshes intersect if there are triangles that do");
  const PairFinder finder(kMidPhases[in.below(kMidPhases.size())], c.mesh1, c.mesh2);
  std::vector<TrianglePair> found;
  finder.findAll(c.pose1, c.pose2, found);
  // Where one corner is so far off that the others fall together in its rounding, the answer is anyone's.
  const double radius = std::max(c.mesh1->sphereRadius(), c.mesh2->sphereRadius());
  const double away = std::max(length(c.pose1.translation), length(c.pose2.translation));
  if (c.is_rigid && std::max(radius, away) < 1e9 * c.unit)
    require(found == pairs, "every mid phase finds the same pairs");
  const bool is_any = finder.findAny(c.pose1, c.pose2).has_value();
  if (c.is_rigid) require(is_any == !found.empty(), "any pair is one of all");
}

void askDistances(const Case& c, ByteSource& in) {
  const auto closest = meshDistance(*c.mesh1, c.pose1, *c.mesh2, c.pose2);
  if (c.is_rigid && closest) {
    require(std::isfinite(closest->distance) && closest->distance >= 0, "a distance is not negative");
    require(isFinite(closest->witness1) && isFinite(closest->witness2), "witness points are finite");
  }
  const double limit = in.number() * c.unit;
  std::vector<SurfaceDistance> pairs;
  closePairs(*c.mesh1, c.pose1, *c.mesh2, c.pose2, limit, pairs);
  for (const SurfaceDistance& pair : pairs)
    require(pair.triangle1 < c.triangles1 && pair.triangle2 < c.triangles2, "close triangles exist");
}

void askPointsAndRays(const Case& c, ByteSource& in) {
  const Vec3 from = c.unit * decodeVector(in);
  const Vec3 to = c.unit * decodeVector(in);
  const auto nearest = closestPoint(*c.mesh1, c.pose1, from);
  if (nearest) require(nearest->triangle < c.triangles1, "the closest triangle exists");
  if (nearest && c.is_rigid) require(nearest->distance >= 0, "a distance from a point is not negative");
  std::vector<CastHit> hits;
  castSegmentAll(*c.mesh1, c.pose1, from, to, hits);
  require(castSegment(*c.mesh1, c.pose1, from, to).has_value() == !hits.empty(),
          "the first hit is one of all");
  hits.clear();
  castRayAll(*c.mesh1, c.pose1, from, to - from, hits);
  for (const CastHit& hit : hits) require(hit.triangle < c.triangles1 && hit.t >= 0, "a hit is on the ray");
  GodObject object(c.mesh1, c.pose1, from);
  const GodObject::State state = object.moveTo(c.pose2, to);
  require(state.constraints >= 0 && state.constraints <= 3, "at most three surfaces hold a god-object");
}

void askPenetration(const Case& c, ByteSource&) {
  std::array<Contact, 16> room{};
  for (const CrossingSearch search : {CrossingSearch::kTrees, CrossingSearch::kSpatialHash}) {
    std::vector<PenetratingVertex> vertices;
    penetratingVertices(*c.mesh1, c.pose1, *c.mesh2, c.pose2, vertices, search);
    require(collideByPenetration(*c.mesh1, c.pose1, *c.mesh2, c.pose2, room, search) <= room.size(),
            "there are no more contacts by penetration than wanted");
  }
}

void askVoxels(const Case& c, ByteSource& in) {
  static constexpr std::array kParts{0.25, 0.5, 1.0, 3.0, 0.0, -1.0, 1e-9, 1e300};
  const double radius = std::max(c.mesh1->sphereRadius(), c.mesh2->sphereRadius());
  const double size = kParts[in.below(kParts.size())] * radius;
  const auto map = VoxelMap::build(*c.mesh1, size);
  const std::vector<ShellPoint> shell = buildPointShell(*c.mesh2, size);
  if (!map) return;
  static_cast<void>(map->at(decodeVector(in) * c.unit));
  std::vector<VoxelContact> contacts;
  require(voxelContacts(*map, c.pose1, shell, c.pose2, contacts) <= shell.size(), "points are counted once");
}

void askBoxes(const Case& c, ByteSource& in) {
  const std::size_t level = in.below(8);
  require(boundingBoxes(*c.mesh1, level).size() <= std::size_t{1} << 3 * level,
          "a level has at most 8^level boxes");
}

/// The contacts, and one other question: a few at a time leave time for more inputs.
void ask(const Case& c, unsigned question, ByteSource& in) {
  askContacts(c, in);
  switch (question / 2 % 12) {
    case 0:
      askPlane(c, in);
      break;
    case 1:
      askIntersections(c, in);
      break;
    case 2:
      askDistances(c, in);
      break;
    case 3:
      askPointsAndRays(c, in);
      break;
    case 4:
      askPenetration(c, in);
      break;
    case 5:
      askVoxels(c, in);
      break;
    case 6:
      askBoxes(c, in);
      break;
    case 7:
    case 8:
      askSlowMotion(c, in);
      break;
    default:
      break;
  }
}

}  // namespace
}  // namespace odemesh::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace odemesh::fuzz;
  ByteSource in({data, size});
  const unsigned question = in.byte();
  const double unit = decodeScale(in);
  Soup soup1 = decodeMesh(in);
  Soup soup2 = decodeMesh(in);
  scale(soup1, unit);
  scale(soup2, unit);
  const auto flat_parts = question % 2 == 0 ? odemesh::FlatParts::kMerge : odemesh::FlatParts::kKeep;
  const odemesh::Mesh::Built built1 = odemesh::Mesh::build(soup1.vertices, soup1.indices, flat_parts);
  const odemesh::Mesh::Built built2 = odemesh::Mesh::build(soup2.vertices, soup2.indices, flat_parts);
  for (const odemesh::MeshProblem& problem : built1.problems) require(!problem.text().empty(), "a text");
  if (!built1.mesh || !built2.mesh) return 0;
  const DecodedPose pose1 = decodePose(in, unit);
  const DecodedPose pose2 = decodePose(in, unit);
  ask({built1.mesh, built2.mesh, pose1.pose, pose2.pose, soup1.indices.size() / 3, soup2.indices.size() / 3,
       pose1.is_rigid && pose2.is_rigid, unit},
      question, in);
  return 0;
}
