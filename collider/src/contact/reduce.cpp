#include "contact/reduce.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <tuple>

#include "constants.hpp"
#include "contact/projection.hpp"

namespace odemesh {

namespace {

struct Projected {
  double u, v;
  std::uint32_t candidate;
};

[[nodiscard]] double turn(const Projected& o, const Projected& a, const Projected& b) {
  return (a.u - o.u) * (b.v - o.v) - (a.v - o.v) * (b.u - o.u);
}

thread_local std::vector<Projected> sorted_points;
thread_local std::vector<Projected> hull_points;

/// Lower and upper chains (Andrew 1979); collinear points are left out.
void convexHull() {
  auto& points = sorted_points;
  auto& hull = hull_points;
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

[[nodiscard]] const Projected& cyclic(std::size_t i) {
  return hull_points[i % hull_points.size()];
}

/// Distance of corner `i` from the segment between its neighbours.
[[nodiscard]] double sharpness(std::size_t i) {
  const Projected& p = cyclic(i);
  const Projected& a = cyclic(i + hull_points.size() - 1);
  const Projected& b = cyclic(i + 1);
  const double du = b.u - a.u;
  const double dv = b.v - a.v;
  const double length_sq = du * du + dv * dv;
  const double along =
      length_sq > 0 ? std::clamp(((p.u - a.u) * du + (p.v - a.v) * dv) / length_sq, 0.0, 1.0) : 0.0;
  return std::hypot(p.u - a.u - along * du, p.v - a.v - along * dv);
}

/// Area that the hull loses with corner `i`.
[[nodiscard]] double areaLoss(std::size_t i) {
  return turn(cyclic(i + hull_points.size() - 1), cyclic(i), cyclic(i + 1));
}

thread_local std::vector<double> corner_costs;

/// Drops the corner that costs least, again and again while `goes_on(its cost)`. Dropping one changes what
/// its neighbours cost, and no others.
template <typename Cost, typename GoesOn>
void dropCorners(Cost&& cost, GoesOn&& goes_on) {
  auto& hull = hull_points;
  auto& costs = corner_costs;
  costs.resize(hull.size());
  for (std::size_t i = 0; i < hull.size(); ++i) costs[i] = cost(i);
  while (!hull.empty()) {
    const auto cheapest = std::min_element(costs.begin(), costs.end());
    if (!goes_on(*cheapest)) return;
    const auto at = cheapest - costs.begin();
    hull.erase(hull.begin() + at);
    costs.erase(cheapest);
    if (hull.empty()) return;
    const std::size_t after = static_cast<std::size_t>(at) % hull.size();
    const std::size_t before = (static_cast<std::size_t>(at) + hull.size() - 1) % hull.size();
    costs[after] = cost(after);
    costs[before] = cost(before);
  }
}

/// Drops corners that say nothing new, then those that cost the least area until few enough are left. Points
/// closer than `same` are one.
void cutHull(std::size_t most, double same) {
  auto& hull = hull_points;
  double size = 0;
  for (const Projected& p : hull)
    size = std::max({size, std::abs(p.u - hull[0].u), std::abs(p.v - hull[0].v)});
  const double least = std::max(kSameCorner * size, same);
  dropCorners(sharpness, [&](double distance) { return hull.size() > 2 && distance <= least; });
  if (hull.size() == 2 && size <= same) hull.pop_back();
  if (hull.size() > most) dropCorners(areaLoss, [&](double) { return hull.size() > most; });
}

[[nodiscard]] double greatestDepth(const std::vector<Candidate>& candidates) {
  double greatest = -std::numeric_limits<double>::infinity();
  for (const Candidate& c : candidates) greatest = std::max(greatest, c.depth);
  return greatest;
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

/// What is no number can't be compared with others, and so goes before they are.
void dropUnsound(ContactScratch& scratch) {
  scratch.unsound_contacts +=
      std::erase_if(scratch.candidates, [](const Candidate& c) { return !isSound(c); });
}

/// Leaves what a caller may be given. Corners of a patch that are apart, within the slack, shape its hull;
/// only a caller with a margin hears of them.
void dropUnreportable(const Tolerances& tolerances, ContactScratch& scratch) {
  for (Candidate& c : scratch.candidates) makeUnit(c.normal);
  if (tolerances.margin > 0) return;
  std::erase_if(scratch.candidates, [](const Candidate& c) { return c.depth <= 0; });
}

/// Of so many points, those well inside are left out before they are sorted.
constexpr std::size_t kManyPoints = 32;

/// Leaves out points inside the polygon of those that lie farthest in eight directions: they are no corners
/// of the hull (Akl and Toussaint 1978).
void dropInnerPoints() {
  auto& points = sorted_points;
  if (points.size() < kManyPoints) return;
  Projected farthest[8];
  std::fill(std::begin(farthest), std::end(farthest), points.front());
  const auto look = [](Projected& best, const Projected& p, double u, double v) {
    if (u * p.u + v * p.v > u * best.u + v * best.v) best = p;
  };
  for (const Projected& p : points) {
    look(farthest[0], p, 1, 0);
    look(farthest[1], p, 1, 1);
    look(farthest[2], p, 0, 1);
    look(farthest[3], p, -1, 1);
    look(farthest[4], p, -1, 0);
    look(farthest[5], p, -1, -1);
    look(farthest[6], p, 0, -1);
    look(farthest[7], p, 1, -1);
  }
  const auto isSame = [&](const Projected& p) { return p.u == farthest[0].u && p.v == farthest[0].v; };
  if (std::all_of(std::begin(farthest), std::end(farthest), isSame)) return;  // no polygon to be inside of
  std::erase_if(points, [&](const Projected& p) {
    for (int i = 0; i < 8; ++i) {
      const Projected& from = farthest[i];
      const Projected& to = farthest[(i + 1) % 8];
      if ((from.u != to.u || from.v != to.v) && turn(from, to, p) <= 0) return false;
    }
    return true;
  });
}

void projectCandidates(const Vec3& direction, const std::vector<Candidate>& candidates) {
  const auto [u, v] = tangentsOf(direction);
  sorted_points.clear();
  for (std::uint32_t i = 0; i < candidates.size(); ++i)
    sorted_points.push_back({dot(u, candidates[i].position), dot(v, candidates[i].position), i});
}

/// The deepest of all points; of equals one that does not hang on their order.
[[nodiscard]] Projected deepestPoint(const std::vector<Candidate>& candidates) {
  const auto rank = [&](const Projected& p) {
    const Candidate& c = candidates[p.candidate];
    return std::tuple(-c.depth, p.u, p.v, c.face[0], c.face[1]);
  };
  return *std::min_element(sorted_points.begin(), sorted_points.end(),
                           [&](const Projected& a, const Projected& b) { return rank(a) < rank(b); });
}

void sortPoints(const std::vector<Candidate>& candidates) {
  // Of coincident points the deepest comes first, and the hull keeps the first.
  std::sort(sorted_points.begin(), sorted_points.end(), [&](const Projected& a, const Projected& b) {
    const Candidate& x = candidates[a.candidate];
    const Candidate& y = candidates[b.candidate];
    return std::tie(a.u, a.v, y.depth, x.face[0], x.face[1]) <
           std::tie(b.u, b.v, x.depth, y.face[0], y.face[1]);
  });
  sorted_points.erase(
      std::unique(sorted_points.begin(), sorted_points.end(),
                  [](const Projected& a, const Projected& b) { return a.u == b.u && a.v == b.v; }),
      sorted_points.end());
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
  const double least =
      kShallowShare * std::max(greatest, 0.0) - std::max(tolerances.slack, kUncorrected * tolerances.size);
  std::erase_if(candidates, [&](const Candidate& c) { return c.depth < least; });
  projectCandidates(direction, candidates);
  const Projected deepest = deepestPoint(candidates);
  dropInnerPoints();
  sortPoints(candidates);
  const auto deeper = [&](const Projected& a, const Projected& b) {
    return candidates[a.candidate].depth < candidates[b.candidate].depth;
  };
  convexHull();
  cutHull(kPatchCorners, tolerances.touching);

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
  std::vector<Candidate>& kept = scratch.kept;
  kept.clear();
  for (const Projected& p : hull_points) kept.push_back(candidates[p.candidate]);
  candidates.swap(kept);
  for (Candidate& c : candidates) c.depth = tolerances.reported(c.depth);
  dropUnreportable(tolerances, scratch);
  return !candidates.empty();
}

std::size_t selectContacts(const ContactScratch& scratch, std::span<Contact> out) {
  const auto& all = scratch.contacts;
  if (all.empty() || out.empty()) return 0;
  const auto deepest = std::max_element(all.begin(), all.end(),
                                        [](const Contact& a, const Contact& b) { return a.depth < b.depth; });
  std::size_t count = 0;
  out[count++] = *deepest;
  for (std::size_t rank = 0; count < out.size(); ++rank) {
    bool any = false;
    std::size_t begin = 0;
    for (const std::size_t end : scratch.patch_end) {
      const std::size_t i = begin + rank;
      begin = end;
      if (i >= end) continue;
      any = true;
      if (&all[i] != &*deepest && count < out.size()) out[count++] = all[i];
    }
    if (!any) break;
  }
  return count;
}

}  // namespace odemesh
