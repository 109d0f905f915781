// Builds two meshes from the bytes, sends them on their way, and asks what they will meet within a step.
#include <array>
#include <cmath>
#include <cstring>
#include <odemesh/motion.hpp>

#include "decode.hpp"
#include "require.hpp"

namespace odemesh::fuzz {
namespace {

struct Case {
  std::shared_ptr<const Mesh> mesh1, mesh2;
  Motion motion1, motion2;
  double dt;
  std::size_t triangles1, triangles2;  ///< of the input
  bool is_tame;                        ///< rigid, and of sizes at which nothing overflows
};

[[nodiscard]] Motion decodeMotion(ByteSource& in, const Pose& pose, double unit) {
  Motion out{pose, pose.translation, {}, {}};
  if (in.byte() < 64) out.centre += unit * decodeVector(in);
  out.velocity = 16 * unit * decodeVector(in);
  if (in.byte() < 160) out.spin = decodeVector(in);
  out.is_fixed = in.byte() < 64;
  return out;
}

[[nodiscard]] bool isTame(const Motion& m, double unit) {
  const auto isSmall = [](const Vec3& v, double most) {
    return std::abs(v.x) < most && std::abs(v.y) < most && std::abs(v.z) < most;
  };
  return isSmall(m.pose.translation, 1e6 * unit) && isSmall(m.centre, 1e6 * unit) &&
         isSmall(m.velocity, 1e6 * unit) && isSmall(m.spin, 1e6);
}

void requireSound(const Case& c, std::span<const Impact> impacts) {
  for (const Impact& impact : impacts) {
    require(impact.triangle1 < c.triangles1, "the triangle is one of mesh 1");
    require(impact.triangle2 < c.triangles2, "the triangle is one of mesh 2");
    if (!c.is_tame) continue;
    require(isFinite(impact.position), "an impact's position is finite");
    require(std::abs(lengthSq(impact.normal) - 1) < 1e-6, "an impact's normal is of unit length");
    require(std::isfinite(impact.gap) && impact.gap >= 0, "a gap is not negative");
    require(impact.time >= 0 && impact.time <= c.dt * (1 + 1e-12), "an impact is within the step");
  }
}

/// Asks twice, for the same answer.
template <typename Query>
void ask(const Case& c, std::size_t limit, Query&& query) {
  std::array<Impact, 32> room{}, again{};
  const std::span<Impact> out = std::span(room).first(limit);
  const std::size_t count = query(out);
  require(count <= limit, "there are no more impacts than wanted");
  requireSound(c, out.first(count));
  require(query(std::span(again).first(limit)) == count, "the same question has as many impacts");
  for (std::size_t i = 0; i < count; ++i)
    require(std::memcmp(&room[i].position, &again[i].position, sizeof(Vec3)) == 0 &&
                std::memcmp(&room[i].gap, &again[i].gap, sizeof(double)) == 0,
            "the same question has the same impacts");
}

void askAll(const Case& c, ByteSource& in) {
  const std::size_t limit = in.below(33);
  ask(c, limit, [&](std::span<Impact> out) {
    return findImpacts(*c.mesh1, c.motion1, *c.mesh2, c.motion2, c.dt, out);
  });
  ask(c, limit,
      [&](std::span<Impact> out) { return findCentreGuards(*c.mesh1, c.motion1, *c.mesh2, c.motion2, out); });
  Case on_plane = c;
  const Vec3 any = decodeVector(in);
  on_plane.is_tame &= isFinite(any) && length(any) < 1e6;
  const Vec3 normal = on_plane.is_tame ? normalised(any, {0, 0, 1}) : any;
  const double offset = in.onGrid();
  ask(on_plane, limit, [&](std::span<Impact> out) {
    return findImpactsWithPlane(*c.mesh1, c.motion1, normal, offset, c.dt, out);
  });
}

}  // namespace
}  // namespace odemesh::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace odemesh::fuzz;
  ByteSource in({data, size});
  const double unit = decodeScale(in);
  Soup soup1 = decodeMesh(in);
  Soup soup2 = decodeMesh(in);
  scale(soup1, unit);
  scale(soup2, unit);
  const odemesh::Mesh::Built built1 = odemesh::Mesh::build(soup1.vertices, soup1.indices);
  const odemesh::Mesh::Built built2 = odemesh::Mesh::build(soup2.vertices, soup2.indices);
  if (!built1.mesh || !built2.mesh) return 0;
  const DecodedPose pose1 = decodePose(in, unit), pose2 = decodePose(in, unit);
  const odemesh::Motion motion1 = decodeMotion(in, pose1.pose, unit);
  const odemesh::Motion motion2 = decodeMotion(in, pose2.pose, unit);
  const double dt = in.byte() < 224 ? 1.0 / (1 + in.byte()) : in.number();
  const bool is_tame = unit == 1 && pose1.is_rigid && pose2.is_rigid && isTame(motion1, unit) &&
                       isTame(motion2, unit) && built1.mesh->sphereRadius() < 1e6 &&
                       built2.mesh->sphereRadius() < 1e6 && dt > 1e-9 && dt < 1e3;
  askAll({built1.mesh, built2.mesh, motion1, motion2, dt, soup1.indices.size() / 3, soup2.indices.size() / 3,
          is_tame},
         in);
  return 0;
}
