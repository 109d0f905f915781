#include "contact/region/nested_shells.hpp"

#include <array>

namespace odemesh {

namespace {

/// Surfaces, and openings, that look the same way have normals of a greater cosine than this.
constexpr double kSameWay = 0.5;

[[nodiscard]] double outwardSign(const PlacedMesh& placed) {
  return placed.mesh().topology().volume < 0 ? -1 : 1;
}

/// Do the surfaces look the same way where they meet?
[[nodiscard]] bool runAlongEachOther(const MeshPair& pair, const ContactScratch& scratch) {
  double alike = 0, total = 0;
  for (const ContourSegment& s : scratch.segments) {
    const double share = length(scratch.crossings[s.to].point - scratch.crossings[s.from].point);
    alike += share * dot(pair[0].normal(s.face[0]), pair[1].normal(s.face[1]));
    total += share;
  }
  return alike * outwardSign(pair[0]) * outwardSign(pair[1]) > kSameWay * total;
}

}  // namespace

std::optional<int> innerShell(const MeshPair& pair, const ContactScratch& scratch) {
  if (scratch.segments.empty() || !isOpenShell(pair[0].mesh()) || !isOpenShell(pair[1].mesh()))
    return std::nullopt;
  std::array<Vec3, 2> out;
  for (int side = 0; side < 2; ++side)
    out[side] =
        normalised(pair[side].pose().rotate(pair[side].mesh().openingArea())) * outwardSign(pair[side]);
  if (!(dot(out[0], out[1]) > kSameWay) || !runAlongEachOther(pair, scratch)) return std::nullopt;
  const Vec3 axis = normalised(out[0] + out[1]);
  std::array<double, 2> floor;
  for (int side = 0; side < 2; ++side)
    floor[side] = dot(axis, pair[side].centre() - out[side] * pair[side].reach(out[side])) -
                  pair[side].mesh().sphereRadius();
  return floor[0] > floor[1] ? 0 : 1;
}

}  // namespace odemesh
