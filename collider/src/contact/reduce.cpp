#include "contact/reduce.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <limits>
#include <optional>
#include <span>
#include <tuple>
#include <utility>

#include "constants.hpp"
#include "contact/projection.hpp"

namespace odemesh {

namespace {

struct Projected : ShadowPoint {
  std::uint32_t candidate;
};

/// Spans, whose size is at hand, where vectors would divide by that of a point whenever they are asked.
using Points = std::span<Projected>;

/// What a reduction works with.
struct Workspace {
  std::vector<Projected> sorted_points, hull_points;
  std::vector<double> corner_costs;
};

/// Not inline: else the compiler looks the thread's variable up anew wherever it is used.
[[nodiscard, gnu::noinline]] Workspace& threadWorkspace() {
  static thread_local Workspace workspace;
  return workspace;
}

/// Room for so many, which only grows.
[[nodiscard]] Points roomFor(std::size_t count, std::vector<Projected>& room) {
  if (room.size() < count) room.resize(count);
  return Points(room).first(count);
}

/// Lower and upper chains (Andrew 1979); collinear points are left out. Returns the part of `room` that the
/// corners take, which has to be twice as large as there are points, and one more.
[[nodiscard]] Points convexHull(Points points, Points room) {
  Projected* const hull = room.data();
  std::size_t count = 0;
  const auto addChain = [&](auto begin, auto end) {
    const std::size_t base = count;
    for (auto it = begin; it != end; ++it) {
      while (count >= base + 2 && turn(hull[count - 2], hull[count - 1], *it) <= 0) --count;
      hull[count++] = *it;
    }
    if (count > base + 1) --count;
  };
  addChain(points.begin(), points.end());
  addChain(points.rbegin(), points.rend());
  return room.first(count);
}

[[nodiscard]] const Projected& before(Points hull, std::size_t i) {
  return hull[i == 0 ? hull.size() - 1 : i - 1];
}

[[nodiscard]] const Projected& after(Points hull, std::size_t i) {
  return hull[i + 1 == hull.size() ? 0 : i + 1];
}

/// Is corner `i` farther from the line through its neighbours than `least` by much?
[[nodiscard]] bool isSharp(Points hull, std::size_t i, double least) {
  const Projected& a = before(hull, i);
  const Projected& b = after(hull, i);
  const double area = turn(a, hull[i], b), du = b.u - a.u, dv = b.v - a.v;
  return area * area > 4 * least * least * (du * du + dv * dv);
}

/// Distance of corner `i` from the segment between its neighbours; any number above `least` where it is much
/// more than that.
[[nodiscard]] double sharpness(Points hull, std::size_t i, double least) {
  if (isSharp(hull, i, least)) return std::numeric_limits<double>::infinity();
  const Projected& p = hull[i];
  const Projected& a = before(hull, i);
  const Projected& b = after(hull, i);
  const double du = b.u - a.u;
  const double dv = b.v - a.v;
  const double length_sq = du * du + dv * dv;
  const double along =
      length_sq > 0 ? std::clamp(((p.u - a.u) * du + (p.v - a.v) * dv) / length_sq, 0.0, 1.0) : 0.0;
  return std::hypot(p.u - a.u - along * du, p.v - a.v - along * dv);
}

/// Area that the hull loses with corner `i`.
[[nodiscard]] double areaLoss(Points hull, std::size_t i) {
  return turn(before(hull, i), hull[i], after(hull, i));
}

/// Drops the corner that costs least, again and again while `goes_on(its cost)`. Dropping one changes what
/// its neighbours cost, and no others.
template <typename Cost, typename GoesOn>
void dropCorners(Points& hull, std::vector<double>& costs, Cost&& cost, GoesOn&& goes_on) {
  costs.resize(hull.size());
  for (std::size_t i = 0; i < hull.size(); ++i) costs[i] = cost(i);
  while (!hull.empty()) {
    const auto cheapest = std::min_element(costs.begin(), costs.end());
    if (!goes_on(*cheapest)) return;
    const auto at = cheapest - costs.begin();
    std::copy(hull.begin() + at + 1, hull.end(), hull.begin() + at);
    hull = hull.first(hull.size() - 1);
    costs.erase(cheapest);
    if (hull.empty()) return;
    const std::size_t next = static_cast<std::size_t>(at) % hull.size();
    const std::size_t last = (static_cast<std::size_t>(at) + hull.size() - 1) % hull.size();
    costs[next] = cost(next);
    costs[last] = cost(last);
  }
}

/// Drops corners that lie within `least` of the line between their neighbours.
void dropFlatCorners(double least, Points& hull, std::vector<double>& costs) {
  const auto isFlat = [&](std::size_t i) { return sharpness(hull, i, least) <= least; };
  bool any = false;
  for (std::size_t i = 0; i < hull.size() && !any; ++i) any = isFlat(i);
  if (!any) return;
  dropCorners(
      hull, costs, [&](std::size_t i) { return sharpness(hull, i, least); },
      [&](double distance) { return hull.size() > 2 && distance <= least; });
}

/// The most by which one is off the first along an axis.
[[nodiscard]] double sizeOf(Points hull) {
  double size = 0;
  for (const Projected& p : hull)
    size = std::max({size, std::abs(p.u - hull[0].u), std::abs(p.v - hull[0].v)});
  return size;
}

/// Drops corners that say nothing new, then those that cost the least area until few enough are left. Points
/// closer than `same` are one. Returns the distance within which a corner stands for other points.
double cutHull(std::size_t most, double same, Points& hull, std::vector<double>& costs) {
  const double size = sizeOf(hull);
  const double least = std::max(kSameCorner * size, same);
  dropFlatCorners(least, hull, costs);
  if (hull.size() == 2 && size <= same) hull = hull.first(1);
  if (hull.size() > most)
    dropCorners(
        hull, costs, [&](std::size_t i) { return areaLoss(hull, i); },
        [&](double) { return hull.size() > most; });
  return least;
}

/// Corners, and the distance within which one stands for other points.
struct Corners {
  Points hull;
  double least;
};

[[nodiscard]] Corners cornersOf(Points sorted, double same, Workspace& workspace) {
  Points hull = convexHull(sorted, roomFor(2 * sorted.size() + 1, workspace.hull_points));
  const double least = cutHull(kPatchCorners, same, hull, workspace.corner_costs);
  return {hull, least};
}

[[nodiscard]] bool isPlacedBefore(const ShadowPoint& a, const ShadowPoint& b) {
  return a.u != b.u ? a.u < b.u : a.v < b.v;
}

/// Four points sorted by place and put into the order of a hull around them, if they have one.
void putAround(Points q) {
  for (const auto& [i, k] :
       {std::pair(0, 1), std::pair(2, 3), std::pair(0, 2), std::pair(1, 3), std::pair(1, 2)})
    if (isPlacedBefore(q[std::size_t(k)], q[std::size_t(i)])) std::swap(q[std::size_t(i)], q[std::size_t(k)]);
  // The first and the last part the two between them, or have both on one side.
  const bool is_above1 = turn(q[0], q[3], q[1]) > 0, is_above2 = turn(q[0], q[3], q[2]) > 0;
  if (is_above1) std::swap(q[1], q[3]);
  if (is_above1 != is_above2) std::swap(q[2], q[is_above1 ? 1 : 3]);
}

/// The same as `cornersOf` of four points that are corners beyond doubt, as those of a box mostly are,
/// without the machinery for more; nothing for others.
[[nodiscard]] std::optional<Corners> cornersOfFour(Points points, double same, Workspace& workspace) {
  const Points hull = roomFor(4, workspace.hull_points);
  std::ranges::copy(points, hull.begin());
  putAround(hull);
  const double least = std::max(kSameCorner * sizeOf(hull), same);
  for (std::size_t i = 0; i < 4; ++i)
    if (areaLoss(hull, i) <= 0 || !isSharp(hull, i, least)) return std::nullopt;
  return Corners{hull, least};
}

/// Corners that are apart leave their place to the deepest of the candidates that they stand for. A hair
/// beside the corner of a face that rests may lie one of a face that stands nearly upright on it, and be as
/// much farther off as that is steep.
void replaceApart(const Vec3& direction, double least, double touching, std::span<const Candidate> candidates,
                  Points hull) {
  for (Projected& p : hull) {
    if (candidates[p.candidate].depth > -touching) continue;
    const Vec3 corner = candidates[p.candidate].position;
    for (std::uint32_t i = 0; i < candidates.size(); ++i) {
      if (candidates[i].depth <= candidates[p.candidate].depth) continue;
      const Vec3 off = candidates[i].position - corner;
      const double up = dot(off, direction);
      if (lengthSq(off) - up * up <= least * least) p.candidate = i;
    }
  }
}

/// Numbers overflow where meshes are larger than what a double can cube.
[[nodiscard]] bool isSound(const Candidate& c) {
  return isFinite(c.position) && std::isfinite(c.depth) && std::abs(lengthSq(c.normal) - 1) < 1e-4;
}

/// Rotations that come from single precision leave a normal up to some 1e-6 longer or shorter than 1.
void makeUnit(Vec3& normal) {
  const double length_sq = lengthSq(normal);
  if (std::abs(length_sq - 1) > 1e-9) normal = normal / std::sqrt(length_sq);
}

/// What is no number can't be compared with others, and goes.
void dropUnsound(ContactScratch& scratch) {
  if (std::ranges::all_of(scratch.candidates, isSound)) return;
  scratch.unsound_contacts +=
      std::erase_if(scratch.candidates, [](const Candidate& c) { return !isSound(c); });
}

[[nodiscard]] double greatestDepth(const std::vector<Candidate>& candidates) {
  double greatest = -std::numeric_limits<double>::infinity();
  for (const Candidate& c : candidates) greatest = std::max(greatest, c.depth);
  return greatest;
}

/// Leaves what a caller may be given. Corners of a patch that are apart, within the slack, shape its hull;
/// only a caller with a margin hears of them.
void dropUnreportable(const Tolerances& tolerances, ContactScratch& scratch) {
  if (tolerances.margin > 0) return;
  std::erase_if(scratch.candidates, [](const Candidate& c) { return c.depth <= 0; });
}

/// Of so many points, those well inside are left out before they are sorted.
constexpr std::size_t kManyPoints = 32;

/// Those that lie farthest in eight directions, counter-clockwise; of equals the first.
[[nodiscard]] std::array<ShadowPoint, 8> farthestOf(Points points) {
  std::array<double, 8> most;
  most.fill(-std::numeric_limits<double>::infinity());
  std::array<std::size_t, 8> at{};
  for (std::size_t i = 0; i < points.size(); ++i) {
    const auto [u, v] = ShadowPoint(points[i]);
    const double along[8] = {u, u + v, v, v - u, -u, -u - v, -v, u - v};
    for (std::size_t k = 0; k < 8; ++k)
      if (along[k] > most[k]) {
        most[k] = along[k];
        at[k] = i;
      }
  }
  std::array<ShadowPoint, 8> out;
  for (std::size_t k = 0; k < 8; ++k) out[k] = points[at[k]];
  return out;
}

/// Leaves out points inside the polygon of those that lie farthest in eight directions: they are no corners
/// of the hull (Akl and Toussaint 1978).
[[nodiscard]] Points dropInnerPoints(Points points) {
  if (points.size() < kManyPoints) return points;
  const std::array<ShadowPoint, 8> farthest = farthestOf(points);
  const auto areSame = [](const ShadowPoint& p, const ShadowPoint& q) { return p.u == q.u && p.v == q.v; };
  std::array<std::array<ShadowPoint, 2>, 8> sides;
  std::size_t count = 0;
  for (std::size_t k = 0; k < 8; ++k) {
    const ShadowPoint &from = farthest[k], &to = farthest[(k + 1) % 8];
    if (!areSame(from, to)) sides[count++] = {from, to};
  }
  if (count == 0) return points;  // no polygon to be inside of
  const auto end = std::remove_if(points.begin(), points.end(), [&](const ShadowPoint& p) {
    return std::all_of(sides.begin(), sides.begin() + static_cast<std::ptrdiff_t>(count),
                       [&](const auto& side) { return turn(side[0], side[1], p) > 0; });
  });
  return points.first(std::size_t(end - points.begin()));
}

void projectCandidates(const Vec3& direction, std::span<const Candidate> candidates, Points points) {
  const auto [u, v] = tangentsOf(direction);
  for (std::uint32_t i = 0; i < candidates.size(); ++i)
    points[i] = {{dot(u, candidates[i].position), dot(v, candidates[i].position)}, i};
}

/// The deepest of all points; of equals one that does not hang on their order.
[[nodiscard]] Projected deepestPoint(std::span<const Candidate> candidates, Points points) {
  const auto isBefore = [&](const Projected& a, const Projected& b) {
    const Candidate& x = candidates[a.candidate];
    const Candidate& y = candidates[b.candidate];
    if (x.depth != y.depth) return x.depth > y.depth;
    return std::tie(a.u, a.v, x.face[0], x.face[1]) < std::tie(b.u, b.v, y.face[0], y.face[1]);
  };
  return *std::min_element(points.begin(), points.end(), isBefore);
}

/// By place, and each place once.
[[nodiscard]] Points sortPoints(std::span<const Candidate> candidates, Points points) {
  // Of coincident points the deepest comes first, and the hull keeps the first.
  std::sort(points.begin(), points.end(), [&](const Projected& a, const Projected& b) {
    if (a.u != b.u) return a.u < b.u;
    if (a.v != b.v) return a.v < b.v;
    const Candidate& x = candidates[a.candidate];
    const Candidate& y = candidates[b.candidate];
    return std::tie(y.depth, x.face[0], x.face[1]) < std::tie(x.depth, y.face[0], y.face[1]);
  });
  const auto end = std::unique(points.begin(), points.end(), [](const Projected& a, const Projected& b) {
    return a.u == b.u && a.v == b.v;
  });
  return points.first(std::size_t(end - points.begin()));
}

/// Puts a point in front of a hull, behind which there is room for one.
[[nodiscard]] Points withFirst(const Projected& point, Points hull) {
  std::copy_backward(hull.begin(), hull.end(), hull.end() + 1);
  hull.front() = point;
  return {hull.data(), hull.size() + 1};
}

/// The corners of a hull from one of them on, once around.
class Ring {
 public:
  Ring(Points hull, std::size_t first) : hull_(hull), first_(first) {}

  [[nodiscard]] std::size_t size() const { return hull_.size(); }
  [[nodiscard]] const Projected& operator[](std::size_t i) const {
    const std::size_t at = first_ + i;
    return hull_[at < hull_.size() ? at : at - hull_.size()];
  }

 private:
  Points hull_;
  std::size_t first_;
};

/// The corner behind the first that lies farthest from it; of equals the first.
[[nodiscard]] std::size_t farthestCorner(const Ring& corners) {
  const Projected& from = corners[0];
  double greatest = -1;
  std::size_t farthest = 1;
  for (std::size_t i = 1; i < corners.size(); ++i) {
    const double du = corners[i].u - from.u, dv = corners[i].v - from.v, square = du * du + dv * dv;
    if (square <= greatest) continue;
    greatest = square;
    farthest = i;
  }
  return farthest;
}

/// A bit for each corner that is kept: those of the hull, and the deepest point.
using CornerSet = std::uint32_t;
static_assert(kPatchCorners + 1 < 32);

[[nodiscard]] bool contains(CornerSet corners, std::size_t i) {
  return (corners >> i & 1) != 0;
}

/// The corner that adds most to the area spanned by those that are `taken`, the first among them; of equals
/// the first.
[[nodiscard]] std::size_t widestCorner(const Ring& corners, CornerSet taken) {
  double greatest = -1;
  std::size_t widest = 0;
  for (std::size_t i = 1, before = 0; i < corners.size(); ++i) {
    if (contains(taken, i)) {
      before = i;
      continue;
    }
    std::size_t after = i + 1;
    while (after < corners.size() && !contains(taken, after)) ++after;
    const double gain =
        std::abs(turn(corners[before], corners[i], corners[after < corners.size() ? after : 0]));
    if (gain <= greatest) continue;
    greatest = gain;
    widest = i;
  }
  return widest;
}

/// Appends the candidates at the corners: the first, then the others in an order in which each adds most to
/// what those before it span: a caller that takes only some of them, the first, gets those that carry the
/// patch.
void takeBySpan(const Ring& corners, std::span<const Candidate> candidates, std::vector<Candidate>& out) {
  CornerSet taken = 0;
  const auto take = [&](std::size_t i) {
    taken |= CornerSet(1) << i;
    out.push_back(candidates[corners[i].candidate]);
  };
  take(0);
  if (corners.size() > 1) take(farthestCorner(corners));
  for (std::size_t left = corners.size(); left > 3; --left) take(widestCorner(corners, taken));
  if (corners.size() > 2) take(std::size_t(std::countr_one(taken)));
}

}  // namespace

bool reducePatch(const Vec3& direction, const Tolerances& tolerances, ContactScratch& scratch) {
  auto& candidates = scratch.candidates;
  scratch.is_tip = false;
  dropUnsound(scratch);
  const double greatest = greatestDepth(candidates);
  if (greatest <= -(tolerances.touching + tolerances.margin)) {
    candidates.clear();
    return false;
  }
  const double shallowest =
      kShallowShare * std::max(greatest, 0.0) - std::max(tolerances.slack, kUncorrected * tolerances.size);
  std::erase_if(candidates, [&](const Candidate& c) { return c.depth < shallowest; });
  Workspace& workspace = threadWorkspace();
  const Points points = roomFor(candidates.size(), workspace.sorted_points);
  projectCandidates(direction, candidates, points);
  auto corners = points.size() == 4 ? cornersOfFour(points, tolerances.touching, workspace) : std::nullopt;
  const Projected deepest = corners ? Projected{} : deepestPoint(candidates, points);
  if (!corners)
    corners = cornersOf(sortPoints(candidates, dropInnerPoints(points)), tolerances.touching, workspace);
  Points hull = corners->hull;
  replaceApart(direction, corners->least, tolerances.touching, candidates, hull);

  const auto depthAt = [&](const Projected& p) { return candidates[p.candidate].depth; };
  auto front = std::ranges::max_element(hull, {}, depthAt);
  // Where a corner is as deep as any point but for rounding, it stands for the deepest.
  if (depthAt(*front) < greatest - tolerances.touching) {
    scratch.is_tip = greatest > kTipDepth * tolerances.size && depthAt(*front) < kTipShare * greatest;
    hull = withFirst(deepest, hull);
    front = hull.begin();
  }
  std::vector<Candidate>& kept = scratch.kept;
  kept.clear();
  takeBySpan(Ring(hull, std::size_t(front - hull.begin())), candidates, kept);
  candidates.swap(kept);
  for (Candidate& c : candidates) {
    c.depth = tolerances.reported(c.depth);
    makeUnit(c.normal);
  }
  dropUnreportable(tolerances, scratch);
  return !candidates.empty();
}

void keepDeepestOver(const Vec3& middle, const Vec3& direction, ContactScratch& scratch) {
  scratch.candidates.resize(1);
  Vec3& position = scratch.candidates.front().position;
  position = middle + direction * dot(direction, position - middle);
}

}  // namespace odemesh
