#include "contact/reduce.hpp"

#include <algorithm>
#include <limits>
#include <tuple>

#include "constants.hpp"
#include "contact/overlay.hpp"

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

/// Drops the corner whose triangle with its neighbours is smallest until few enough are left.
void cutHull(std::size_t most) {
  auto& hull = hull_points;
  while (hull.size() > most) {
    std::size_t least = 0;
    double least_area = std::numeric_limits<double>::infinity();
    for (std::size_t i = 0; i < hull.size(); ++i) {
      const double area =
          turn(hull[(i + hull.size() - 1) % hull.size()], hull[i], hull[(i + 1) % hull.size()]);
      if (area < least_area) {
        least_area = area;
        least = i;
      }
    }
    hull.erase(hull.begin() + static_cast<std::ptrdiff_t>(least));
  }
}

void projectCandidates(const Vec3& direction, const std::vector<Candidate>& candidates) {
  const auto [u, v] = tangentsOf(direction);
  sorted_points.clear();
  for (std::uint32_t i = 0; i < candidates.size(); ++i)
    sorted_points.push_back({dot(u, candidates[i].position), dot(v, candidates[i].position), i});
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

void reducePatch(const Vec3& direction, ContactScratch& scratch) {
  auto& candidates = scratch.candidates;
  if (candidates.empty()) return;
  projectCandidates(direction, candidates);
  const auto deeper = [&](const Projected& a, const Projected& b) {
    return candidates[a.candidate].depth < candidates[b.candidate].depth;
  };
  const Projected deepest = *std::max_element(sorted_points.begin(), sorted_points.end(), deeper);
  convexHull();
  cutHull(kPatchCorners);
  std::sort(hull_points.begin(), hull_points.end(),
            [&](const Projected& a, const Projected& b) { return deeper(b, a); });

  auto& chosen = scratch.hull;
  chosen.assign(1, deepest.candidate);
  for (const Projected& p : hull_points)
    if (p.candidate != deepest.candidate) chosen.push_back(p.candidate);
  std::vector<Candidate>& kept = scratch.kept;
  kept.clear();
  for (const std::uint32_t i : chosen) kept.push_back(candidates[i]);
  candidates.swap(kept);
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
