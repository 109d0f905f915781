#include "contact/reduce.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <optional>
#include <span>
#include <tuple>

#include "constants.hpp"
#include "contact/patch_hull.hpp"
#include "contact/projection.hpp"

namespace odemesh {

namespace {

/// What a reduction works with.
struct Workspace {
  std::vector<Projected> points;
  HullRoom hull;
};

/// Not inline: else the compiler looks the thread's variable up anew wherever it is used.
[[nodiscard, gnu::noinline]] Workspace& threadWorkspace() {
  static thread_local Workspace workspace;
  return workspace;
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
  const Points points = roomFor(candidates.size(), workspace.points);
  projectCandidates(direction, candidates, points);
  auto corners =
      points.size() == 4 ? cornersOfFour(points, tolerances.touching, workspace.hull) : std::nullopt;
  const Projected deepest = corners ? Projected{} : deepestPoint(candidates, points);
  if (!corners)
    corners = cornersOf(sortPoints(candidates, dropInnerPoints(points)), tolerances.touching, workspace.hull);
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
