#include "contact/deep.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace odemesh {

namespace {

/// Contacts are deep from this share of the thinner body's volume over its area on: of a plate, three eighths
/// of how thick it is, of a ball, a quarter of the radius.
constexpr double kDeepShare = 0.75;

}  // namespace

bool isSheet(const Mesh& mesh) {
  return !mesh.isSolid() && !mesh.isShell();
}

double deepOf(const MeshPair& pair) {
  double least = std::numeric_limits<double>::infinity();
  for (int side = 0; side < 2; ++side) {
    const Mesh& mesh = pair[side].mesh();
    if (!isSheet(mesh)) least = std::min(least, std::abs(mesh.topology().volume) / mesh.topology().area);
  }
  return kDeepShare * least;
}

}  // namespace odemesh
