#include "contact/region/near_pairs.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace odemesh {

namespace {

/// A search reaches far enough for so many steps like the last ones. The farther it does, the more pairs
/// have to be looked at in each.
constexpr double kSteps = 4;

/// The least and the greatest reach, in units of the smaller mesh's radius.
constexpr double kLeastReach = 1e-3;
constexpr double kGreatestReach = 2e-2;

/// The greatest where nothing is near, and for how many steps it has to do then.
constexpr double kGreatestClearance = 0.2;
constexpr double kFewSteps = 1.5;

/// Queries that a pair with too much to keep goes without.
constexpr int kPause = 64;

/// Rounding of the motion, relative to the numbers that are subtracted.
constexpr double kRounding = 1e-14;

/// How far points of mesh 2 may have moved since it was at `then`, those at most that lie within mesh 1 now.
[[nodiscard]] double motionSince(const Pose& then, const MeshPair& pair) {
  const Pose& now = pair[1].pose();
  Mat3 turned;
  double turn_sq = 0;
  for (int i = 0; i < 3; ++i) {
    turned.row[i] = now.rotation.row[i] - then.rotation.row[i];
    turn_sq += lengthSq(turned.row[i]);
  }
  const Vec3 moved = now.translation - then.translation;
  const double turn = std::sqrt(turn_sq);
  const auto withinSphere = [&](const Vec3& centre, double radius) {
    return length(turned * centre + moved) + turn * radius;
  };
  // The centre of mesh 1 is the origin; a rotation that has drifted does not take it back quite there.
  const Vec3 centre1 = now.inverse().translation;
  const double radius1 =
      1.001 * pair[0].mesh().sphereRadius() + pair.tolerances().crossing + length(now.apply(centre1));
  const Vec3& centre2 = pair[1].mesh().sphereCentre();
  const double rounding =
      kRounding * (length(now.translation) + length(then.translation) + length(centre1) + length(centre2));
  return std::min(withinSphere(centre1, radius1), withinSphere(centre2, pair[1].mesh().sphereRadius())) +
         rounding;
}

}  // namespace

bool NearPairs::cover(const MeshPair& pair) noexcept {
  if (queries_ >= 0) ++queries_;
  if (reach_ <= 0 || reaches_too_little_ || !areOf(pair)) return false;
  moved_ = motionSince(pose_, pair);
  return moved_ <= reach_;
}

bool NearPairs::areApart(const MeshPair& pair) noexcept {
  if (!are_apart_ || reach_ <= 0 || reaches_too_little_ || !areOf(pair)) return false;
  const double moved = motionSince(pose_, pair);
  are_apart_ = moved <= reach_ && moved < least_clearance_;  // else not asked again until the next query
  if (are_apart_) ++queries_;
  return are_apart_;
}

bool NearPairs::stayApart(const MeshPair& pair, double ahead) noexcept {
  ahead_ = ahead;
  if (!are_apart_ || reach_ <= 0 || !areOf(pair)) return false;
  const double moved = motionSince(pose_, pair) + ahead;
  reaches_too_little_ = moved > reach_ && pairs_.empty() && reach_ < kGreatestClearance * pair.size();
  return moved <= reach_ && moved < least_clearance_;
}

/// How far to search of a pair that moves by so much in a query.
double NearPairs::reachFor(double moved, double size) const noexcept {
  const double wanted = std::max(kSteps * moved, kLeastReach * size);
  if (!was_apart_ || !pairs_.empty()) return wanted <= kGreatestReach * size ? wanted : 0;
  // Where nothing was near, there may be nothing somewhat farther off either.
  const double most = std::clamp(2 * reach_, kGreatestReach * size, kGreatestClearance * size);
  return kFewSteps * moved <= most ? std::min(wanted + 2 * ahead_, most) : 0;
}

double NearPairs::startAt(const MeshPair& pair) noexcept {
  const double moved = queries_ > 0 && areOf(pair) ? motionSince(pose_, pair) / double(queries_)
                                                   : kGreatestReach * pair.size();
  const double reach = reachFor(moved, pair.size());
  first_ = &pair[0].mesh();
  pose_ = pair[1].pose();
  queries_ = 0;
  moved_ = 0;
  least_clearance_ = std::numeric_limits<double>::infinity();
  are_apart_ = false;
  reaches_too_little_ = false;
  pairs_.clear();
  pause_ = std::max(pause_ - 1, 0);
  reach_ = pause_ == 0 ? reach : 0;
  return reach_;
}

void NearPairs::keep(std::uint32_t first, std::uint32_t second, double clearance) noexcept {
  if (reach_ <= 0) return;
  if (pairs_.size() == kMost) return giveUp();
  try {
    pairs_.push_back({first, second, static_cast<float>(clearance * (1 - 1e-6))});
    least_clearance_ = std::min(least_clearance_, double(pairs_.back().clearance));
  } catch (...) {  // out of memory
    giveUp();
  }
}

void NearPairs::giveUp() noexcept {
  reach_ = 0;
  pause_ = kPause;
}

}  // namespace odemesh
