#include "mesh/edge_fan.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace odemesh {

SidesAtEdges::SidesAtEdges(const Mesh& mesh)
    : mesh_(mesh), edges_(mesh.edges()), begin_(edges_.size() + 1, 0), side_(3 * mesh.triangleCount()) {
  const auto count = static_cast<std::uint32_t>(side_.size());
  for (std::uint32_t s = 0; s < count; ++s) ++begin_[edgeOf(s) + 1];
  std::partial_sum(begin_.begin(), begin_.end(), begin_.begin());
  std::vector<std::uint32_t> next(begin_.begin(), begin_.end() - 1);
  for (std::uint32_t s = 0; s < count; ++s) side_[next[edgeOf(s)]++] = s;
}

bool EdgeFan::open(std::size_t e) {
  if (sides_.at(e).size() > kMostSides) return false;
  sort(sides_.edge(e), sides_.at(e));
  const auto up = std::ranges::count_if(blades_, &Blade::runs_up);
  return 2 * up == std::ssize(blades_) && !hasDuplicates() && findWedges();
}

void EdgeFan::sort(const MeshEdge& edge, std::span<const std::uint32_t> sides) {
  const Vec3& low = mesh_.vertices()[edge.v[0]];
  const Vec3 along = normalised(mesh_.vertices()[edge.v[1]] - low);
  Vec3 u;
  blades_.clear();
  for (const std::uint32_t s : sides) {
    const std::uint32_t apex = mesh_.corners(s / 3)[(s % 3 + 2) % 3];
    const Vec3 off = mesh_.vertices()[apex] - low;
    const Vec3 out = off - along * dot(along, off);
    if (blades_.empty()) u = normalised(out);
    const bool runs_up = sides_.runsUp(edge, s);
    const double angle = std::atan2(dot(cross(along, u), out), dot(u, out)) + (runs_up ? 0 : kSameAngle);
    blades_.push_back({angle, s, apex, runs_up});
  }
  std::sort(blades_.begin(), blades_.end());
}

bool EdgeFan::hasDuplicates() const {
  for (auto a = blades_.begin(); a != blades_.end(); ++a)
    if (std::any_of(a + 1, blades_.end(),
                    [&](const Blade& b) { return b.apex == a->apex && b.runs_up == a->runs_up; }))
      return true;
  return false;
}

bool EdgeFan::findWedges() {
  std::size_t start = 0;
  int open = 0, fewest = 0;
  for (std::size_t i = 0; i < blades_.size(); ++i) {
    open += blades_[i].runs_up ? -1 : 1;
    if (open >= fewest) continue;
    fewest = open;
    start = i + 1;
  }
  std::rotate(blades_.begin(), blades_.begin() + static_cast<std::ptrdiff_t>(start), blades_.end());
  wedges_.clear();
  double inside = 0;
  auto begins = blades_.begin();
  for (const Blade& ends : blades_) {
    if (!ends.runs_up) continue;
    while (begins->runs_up) ++begins;
    wedges_.push_back({begins->side, ends.side});
    inside += turnTo(*begins, ends);
    ++begins;
  }
  return inside < 2 * std::numbers::pi + kSameAngle;
}

}  // namespace odemesh
