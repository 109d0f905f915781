#include "mesh/weld.hpp"

#include <algorithm>
#include <bit>
#include <tuple>

#include "bvh/aabb.hpp"

namespace odemesh {

namespace {

using Index = std::uint32_t;
constexpr Index kNone = ~Index{0};

/// Numbers distinct points in the order in which they come: a hash table with open addressing.
class PointSet {
 public:
  explicit PointSet(std::span<const Vec3> all) : all_(all), slots_(1024, kNone) {}

  /// The number of the point that equals all[i].
  Index add(Index i) {
    if (2 * (points_.size() + 1) > slots_.size()) grow();
    Index& slot = find(all_[i]);
    if (slot == kNone) {
      slot = static_cast<Index>(points_.size());
      points_.push_back(i);
    }
    return slot;
  }
  /// The first of `all` that was added for each number.
  [[nodiscard]] const std::vector<Index>& points() const { return points_; }

 private:
  [[nodiscard]] static std::uint64_t hashOf(const Vec3& p) {
    std::uint64_t h = 0;
    for (const double x : {p.x, p.y, p.z}) {
      h = (h ^ std::bit_cast<std::uint64_t>(x + 0.0)) * 0x9e3779b97f4a7c15ull;  // the same for 0 and -0
      h ^= h >> 32;
    }
    return h;
  }
  Index& find(const Vec3& p) {
    std::size_t i = hashOf(p) & (slots_.size() - 1);
    while (slots_[i] != kNone && !(all_[points_[slots_[i]]] == p)) i = (i + 1) & (slots_.size() - 1);
    return slots_[i];
  }
  void grow() {
    slots_.assign(slots_.size() * 2, kNone);
    for (Index n = 0; n < points_.size(); ++n) find(all_[points_[n]]) = n;
  }

  std::span<const Vec3> all_;
  std::vector<Index> slots_;
  std::vector<Index> points_;
};

/// Every third bit, from the lowest 21 bits of `x`.
[[nodiscard]] std::uint64_t spreadBits(std::uint64_t x) {
  x = (x | x << 32) & 0x001f00000000ffffull;
  x = (x | x << 16) & 0x001f0000ff0000ffull;
  x = (x | x << 8) & 0x100f00f00f00f00full;
  x = (x | x << 4) & 0x10c30c30c30c30c3ull;
  return (x | x << 2) & 0x1249249249249249ull;
}

/// The numbers of `points`, indices into `all`, in the order of the curve, and of their coordinates where
/// that does not tell them apart.
[[nodiscard]] std::vector<Index> zOrder(std::span<const Vec3> all, const std::vector<Index>& points) {
  Aabb bounds;
  for (const Index i : points) bounds.grow(all[i]);
  constexpr double kMostCells = 0x1fffff;
  struct Entry {
    std::uint64_t key;
    Index number;
  };
  std::vector<Entry> entries(points.size());
  for (Index n = 0; n < points.size(); ++n) {
    entries[n] = {0, n};
    for (int axis = 0; axis < 3; ++axis) {
      const double extent = bounds.hi[axis] - bounds.lo[axis];
      if (!(extent > 0)) continue;
      const double cell = kMostCells * ((all[points[n]][axis] - bounds.lo[axis]) / extent);
      entries[n].key |= spreadBits(static_cast<std::uint64_t>(cell)) << axis;
    }
  }
  std::sort(entries.begin(), entries.end(), [&](const Entry& a, const Entry& b) {
    if (a.key != b.key) return a.key < b.key;
    const Vec3& p = all[points[a.number]];
    const Vec3& q = all[points[b.number]];
    return std::tie(p.x, p.y, p.z) < std::tie(q.x, q.y, q.z);
  });
  std::vector<Index> order(entries.size());
  std::ranges::transform(entries, order.begin(), &Entry::number);
  return order;
}

}  // namespace

std::vector<Vec3> weld(std::span<const Vec3> vertices, std::vector<std::uint32_t>& corners) {
  PointSet distinct(vertices);
  std::vector<Index> new_index(vertices.size(), kNone);
  for (Index& corner : corners) {
    if (new_index[corner] == kNone) new_index[corner] = distinct.add(corner);
    corner = new_index[corner];
  }
  const std::vector<Index> order = zOrder(vertices, distinct.points());
  std::vector<Index> rank(order.size());
  std::vector<Vec3> out;
  out.reserve(order.size());
  for (const Index i : order) {
    rank[i] = static_cast<Index>(out.size());
    const Vec3& p = vertices[distinct.points()[i]];
    out.push_back({p.x + 0.0, p.y + 0.0, p.z + 0.0});  // -0 becomes 0
  }
  for (Index& corner : corners) corner = rank[corner];
  return out;
}

}  // namespace odemesh
