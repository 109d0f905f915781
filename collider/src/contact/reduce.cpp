#include "contact/reduce.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <tuple>

#include "constants.hpp"
#include "contact/projection.hpp"

namespace odemesh {

namespace {

struct Projected : ShadowPoint {
  std::uint32_t candidate;
};

using Points = std::vector<Projected>;

/// What a reduction works with.
struct Workspace {
  Points sorted_points, hull_points;
  std::vector<double> corner_costs;
  std::vector<std::uint8_t> taken;  ///< by corner
};

/// Not inline: else the compiler looks the thread's variable up anew wherever it is used.
[[nodiscard, gnu::noinline]] Workspace& threadWorkspace() {
  static thread_local Workspace workspace;
  return workspace;
}

/// Lower and upper chains (Andrew 1979); collinear points are left out.
void convexHull(const Points& points, Points& hull) {
  hull.clear();
  const auto addChain = [&](auto begin, auto end) {
    const std::size_t base = hull.size();
    for (auto it = begin; it != end; ++it) {
      while (hull.size() >= base + 2 && turn(hull[hull.size() - 2], hull.back(), *it) <= 0) hull.pop_back();
      hull.push_back(*it);
    }
    if (hull.size() > base + 1) hull.pop_back();
  };
  addChain(points.begin(), points.end());
  addChain(points.rbegin(), points.rend());
}

[[nodiscard]] const Projected& before(const Points& hull, std::size_t i) {
  return hull[i == 0 ? hull.size() - 1 : i - 1];
}

[[nodiscard]] const Projected& after(const Points& hull, std::size_t i) {
  return hull[i + 1 == hull.size() ? 0 : i + 1];
}

/// Distance of corner `i` from the segment between its neighbours; exact where it is not much more than
/// `least`.
[[nodiscard]] double sharpness(const Points& hull, std::size_t i, double least) {
  const Projected& p = hull[i];
  const Projected& a = before(hull, i);
  const Projected& b = after(hull, i);
  const double du = b.u - a.u;
  const double dv = b.v - a.v;
  const double length_sq = du * du + dv * dv;
  const double along =
      length_sq > 0 ? std::clamp(((p.u - a.u) * du + (p.v - a.v) * dv) / length_sq, 0.0, 1.0) : 0.0;
  const double off_u = p.u - a.u - along * du;
  const double off_v = p.v - a.v - along * dv;
  const double square = off_u * off_u + off_v * off_v;
  return square > 4 * least * least ? std::sqrt(square) : std::hypot(off_u, off_v);
}

/// Area that the hull loses with corner `i`.
[[nodiscard]] double areaLoss(const Points& hull, std::size_t i) {
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
    hull.erase(hull.begin() + at);
    costs.erase(cheapest);
    if (hull.empty()) return;
    const std::size_t next = static_cast<std::size_t>(at) % hull.size();
    const std::size_t last = (static_cast<std::size_t>(at) + hull.size() - 1) % hull.size();
    costs[next] = cost(next);
    costs[last] = cost(last);
  }
}

/// Drops corners that say nothing new, then those that cost the least area until few enough are left. Points
/// closer than `same` are one. Returns the distance within which a corner stands for other points.
double cutHull(std::size_t most, double same, Workspace& workspace) {
  auto& hull = workspace.hull_points;
  auto& costs = workspace.corner_costs;
  double size = 0;
  for (const Projected& p : hull)
    size = std::max({size, std::abs(p.u - hull[0].u), std::abs(p.v - hull[0].v)});
  const double least = std::max(kSameCorner * size, same);
  dropCorners(
      hull, costs, [&](std::size_t i) { return sharpness(hull, i, least); },
      [&](double distance) { return hull.size() > 2 && distance <= least; });
  if (hull.size() == 2 && size <= same) hull.pop_back();
  if (hull.size() > most)
    dropCorners(
        hull, costs, [&](std::size_t i) { return areaLoss(hull, i); },
        [&](double) { return hull.size() > most; });
  return least;
}

/// Corners that are apart leave their place to the deepest of the candidates that they stand for. A hair
/// beside the corner of a face that rests may lie one of a face that stands nearly upright on it, and be as
/// much farther off as that is steep.
void replaceApart(const Vec3& direction, double least, double touching,
                  const std::vector<Candidate>& candidates, Points& hull) {
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

/// The greatest depth of what is sound. What is no number can't be compared with others, and goes.
[[nodiscard]] double dropUnsound(ContactScratch& scratch) {
  double greatest = -std::numeric_limits<double>::infinity();
  scratch.unsound_contacts += std::erase_if(scratch.candidates, [&](const Candidate& c) {
    if (!isSound(c)) return true;
    greatest = std::max(greatest, c.depth);
    return false;
  });
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
[[nodiscard]] std::array<ShadowPoint, 8> farthestOf(const Points& points) {
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
void dropInnerPoints(Points& points) {
  if (points.size() < kManyPoints) return;
  const std::array<ShadowPoint, 8> farthest = farthestOf(points);
  const auto areSame = [](const ShadowPoint& p, const ShadowPoint& q) { return p.u == q.u && p.v == q.v; };
  std::array<std::array<ShadowPoint, 2>, 8> sides;
  std::size_t count = 0;
  for (std::size_t k = 0; k < 8; ++k) {
    const ShadowPoint &from = farthest[k], &to = farthest[(k + 1) % 8];
    if (!areSame(from, to)) sides[count++] = {from, to};
  }
  if (count == 0) return;  // no polygon to be inside of
  std::erase_if(points, [&](const ShadowPoint& p) {
    return std::all_of(sides.begin(), sides.begin() + static_cast<std::ptrdiff_t>(count),
                       [&](const auto& side) { return turn(side[0], side[1], p) > 0; });
  });
}

void projectCandidates(const Vec3& direction, const std::vector<Candidate>& candidates, Points& points) {
  const auto [u, v] = tangentsOf(direction);
  points.resize(candidates.size());
  for (std::uint32_t i = 0; i < candidates.size(); ++i)
    points[i] = {{dot(u, candidates[i].position), dot(v, candidates[i].position)}, i};
}

/// The deepest of all points; of equals one that does not hang on their order.
[[nodiscard]] Projected deepestPoint(const std::vector<Candidate>& candidates, const Points& points) {
  const auto isBefore = [&](const Projected& a, const Projected& b) {
    const Candidate& x = candidates[a.candidate];
    const Candidate& y = candidates[b.candidate];
    if (x.depth != y.depth) return x.depth > y.depth;
    return std::tie(a.u, a.v, x.face[0], x.face[1]) < std::tie(b.u, b.v, y.face[0], y.face[1]);
  };
  return *std::min_element(points.begin(), points.end(), isBefore);
}

void sortPoints(const std::vector<Candidate>& candidates, Points& points) {
  // Of coincident points the deepest comes first, and the hull keeps the first.
  std::sort(points.begin(), points.end(), [&](const Projected& a, const Projected& b) {
    const Candidate& x = candidates[a.candidate];
    const Candidate& y = candidates[b.candidate];
    return std::tie(a.u, a.v, y.depth, x.face[0], x.face[1]) <
           std::tie(b.u, b.v, x.depth, y.face[0], y.face[1]);
  });
  points.erase(std::unique(points.begin(), points.end(),
                           [](const Projected& a, const Projected& b) { return a.u == b.u && a.v == b.v; }),
               points.end());
}

/// The corner behind the first that lies farthest from it; of equals the first.
[[nodiscard]] std::size_t farthestCorner(const Points& corners) {
  const auto distance = [&](const ShadowPoint& p) {
    const double du = p.u - corners[0].u, dv = p.v - corners[0].v;
    return du * du + dv * dv;
  };
  const auto farthest =
      std::max_element(corners.begin() + 1, corners.end(),
                       [&](const Projected& p, const Projected& q) { return distance(p) < distance(q); });
  return static_cast<std::size_t>(farthest - corners.begin());
}

/// The corner that adds most to the area spanned by those that are `taken`, which follow each other around
/// the hull as all do; of equals the first.
[[nodiscard]] std::size_t widestCorner(const Points& corners, const std::vector<std::uint8_t>& taken) {
  double greatest = -1;
  std::size_t widest = 0;
  for (std::size_t i = 0, before = 0; i < corners.size(); ++i) {
    if (taken[i] != 0) {
      before = i;
      continue;
    }
    std::size_t after = i + 1;
    while (after < corners.size() && taken[after] == 0) ++after;
    const double gain =
        std::abs(turn(corners[before], corners[i], corners[after < corners.size() ? after : 0]));
    if (gain <= greatest) continue;
    greatest = gain;
    widest = i;
  }
  return widest;
}

/// Leaves the first corner where it is and puts the others, which follow each other around the hull, into an
/// order in which each adds most to what those before it span: a caller that takes only some of them, the
/// first, gets those that carry the patch.
void orderBySpan(Workspace& workspace) {
  Points& corners = workspace.hull_points;
  if (corners.size() <= 2) return;
  auto& taken = workspace.taken;
  taken.assign(corners.size(), 0);
  Points& ordered = workspace.sorted_points;
  ordered.clear();
  const auto take = [&](std::size_t i) {
    taken[i] = 1;
    ordered.push_back(corners[i]);
  };
  take(0);
  take(farthestCorner(corners));
  while (ordered.size() < corners.size()) take(widestCorner(corners, taken));
  corners.swap(ordered);
}

}  // namespace

bool reducePatch(const Vec3& direction, const Tolerances& tolerances, ContactScratch& scratch) {
  auto& candidates = scratch.candidates;
  scratch.is_tip = false;
  const double greatest = dropUnsound(scratch);
  if (greatest <= -(tolerances.touching + tolerances.margin)) {
    candidates.clear();
    return false;
  }
  const double shallowest =
      kShallowShare * std::max(greatest, 0.0) - std::max(tolerances.slack, kUncorrected * tolerances.size);
  std::erase_if(candidates, [&](const Candidate& c) { return c.depth < shallowest; });
  Workspace& workspace = threadWorkspace();
  auto& hull_points = workspace.hull_points;
  projectCandidates(direction, candidates, workspace.sorted_points);
  const Projected deepest = deepestPoint(candidates, workspace.sorted_points);
  dropInnerPoints(workspace.sorted_points);
  sortPoints(candidates, workspace.sorted_points);
  const auto deeper = [&](const Projected& a, const Projected& b) {
    return candidates[a.candidate].depth < candidates[b.candidate].depth;
  };
  convexHull(workspace.sorted_points, hull_points);
  const double least = cutHull(kPatchCorners, tolerances.touching, workspace);
  replaceApart(direction, least, tolerances.touching, candidates, hull_points);

  // Where a corner is as deep as any point but for rounding, it stands for the deepest.
  auto front = std::max_element(hull_points.begin(), hull_points.end(), deeper);
  const double depth = candidates[deepest.candidate].depth;
  if (candidates[front->candidate].depth < depth - tolerances.touching) {
    scratch.is_tip =
        depth > kTipDepth * tolerances.size && candidates[front->candidate].depth < kTipShare * depth;
    hull_points.insert(hull_points.begin(), deepest);
    front = hull_points.begin();
  }
  std::rotate(hull_points.begin(), front, hull_points.end());
  orderBySpan(workspace);
  std::vector<Candidate>& kept = scratch.kept;
  kept.resize(hull_points.size());
  for (std::size_t i = 0; i < kept.size(); ++i) kept[i] = candidates[hull_points[i].candidate];
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
