#include "contact/way_out/least_way.hpp"

#include <algorithm>
#include <limits>
#include <span>

namespace odemesh {

namespace {

/// Normals of a basis whose Gram determinant is less are taken for dependent.
constexpr double kLeastGram = 1e-9;

/// The least vector with dot(normal, way) == depth for all of `walls`, of which there are one to three; none
/// if one of them pulls instead of pushing, or if they depend on each other.
[[nodiscard]] std::optional<Vec3> leastOnto(std::span<const Wall> walls) {
  const Vec3 &a = walls[0].normal, &b = walls[walls.size() > 1 ? 1 : 0].normal;
  if (walls.size() == 1) return a * walls[0].depth;
  if (walls.size() == 2) {
    const double cosine = dot(a, b), gram = 1 - cosine * cosine;
    if (gram < kLeastGram) return std::nullopt;
    const double along_a = walls[0].depth - cosine * walls[1].depth;
    const double along_b = walls[1].depth - cosine * walls[0].depth;
    if (along_a < 0 || along_b < 0) return std::nullopt;
    return (a * along_a + b * along_b) / gram;
  }
  const Vec3& c = walls[2].normal;
  const Vec3 bc = cross(b, c), ca = cross(c, a), ab = cross(a, b);
  const double volume = dot(a, bc);
  if (volume * volume < kLeastGram) return std::nullopt;
  const Vec3 way = (bc * walls[0].depth + ca * walls[1].depth + ab * walls[2].depth) / volume;
  if (dot(way, bc) * volume < 0 || dot(way, ca) * volume < 0 || dot(way, ab) * volume < 0)
    return std::nullopt;
  return way;
}

}  // namespace

bool LeastWay::add(const Wall& wall, double slack) {
  constexpr double kNone = std::numeric_limits<double>::infinity();
  const std::array<Wall, 4> all{wall, basis_[0], basis_[1], basis_[2]};
  double least_sq = kNone;
  for (unsigned subset = 0; subset < (1U << size_); ++subset) {
    const Chosen chosen = choose(all, subset);
    if (chosen.size > 3) continue;
    const auto way = leastOnto(std::span(chosen.walls).first(chosen.size));
    if (!way || lengthSq(*way) >= least_sq || !leaves(*way, all, slack)) continue;
    least_sq = lengthSq(*way);
    best_ = chosen;
    way_ = *way;
  }
  if (least_sq == kNone) return false;
  size_ = best_.size;
  std::copy_n(best_.walls.begin(), 3, basis_.begin());
  return true;
}

/// The first of `all`, and those of the basis whose bit is set.
LeastWay::Chosen LeastWay::choose(const std::array<Wall, 4>& all, unsigned subset) const {
  Chosen out;
  out.walls[out.size++] = all[0];
  for (std::size_t i = 0; i < size_; ++i)
    if ((subset >> i & 1U) != 0) out.walls[out.size++] = all[i + 1];
  return out;
}

bool LeastWay::leaves(const Vec3& way, const std::array<Wall, 4>& all, double slack) const {
  return std::ranges::all_of(std::span(all).first(size_ + 1),
                             [&](const Wall& w) { return dot(w.normal, way) >= w.depth - slack; });
}

}  // namespace odemesh
