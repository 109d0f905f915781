#include "contact/deep.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace odemesh {

namespace {

/// Contacts are deep from this share of the thinner body's volume over its area on: of a plate, three eighths
/// of how thick it is, of a ball, a quarter of the radius.
constexpr double kDeepShare = 0.75;

/// Two sheets without thickness are deep in each other from this share of the smaller one's radius on.
constexpr double kDeepInSheet = 2e-3;

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
  return areSheets(pair) ? kDeepInSheet * pair.size() : kDeepShare * least;
}

bool areSheets(const MeshPair& pair) {
  return isSheet(pair[0].mesh()) && isSheet(pair[1].mesh());
}

}  // namespace odemesh
