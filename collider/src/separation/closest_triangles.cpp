#include "separation/closest_triangles.hpp"

#include "mid_phase/centred_placement.hpp"
#include "mid_phase/wide_pairs.hpp"
#include "narrow_phase/triangle.hpp"
#include "separation/parting_plane.hpp"

namespace odemesh {

namespace {

/// `value` where it makes sense as a length or a ratio.
[[nodiscard]] double atLeastZeroOr(double value, double otherwise) {
  return value >= 0 ? value : otherwise;
}

/// One search for the closest pair.
class ClosestPair {
 public:
  ClosestPair(const MeshPair& pair, const DistanceOptions& options, QueryStats& stats)
      : pair_(pair),
        stats_(stats),
        frame_(tree(0), tree(1), pair.mesh2InMesh1()),
        best_(atLeastZeroOr(options.upper_bound, DistanceOptions{}.upper_bound)),
        stop_at_(atLeastZeroOr(options.stop_at, 0)),
        generosity_(1 + atLeastZeroOr(options.relative_tolerance, 0)) {}

  [[nodiscard]] std::optional<ClosestTriangles> run() {
    const SearchCounts counts = best_ <= kNear * pair_.size() ? searchAllNear() : searchNearest();
    stats_.box_tests += counts.box_tests;
    stats_.triangle_tests += counts.triangle_tests;
    return found_;
  }

 private:
  /// In units of the smaller radius. Few pairs of triangles are nearer than that.
  static constexpr double kNear = 3e-3;

  [[nodiscard]] const WideTree& tree(int side) const { return pair_[side].mesh().wideTree(); }

  [[nodiscard]] SearchCounts searchNearest() {
    const auto take = [](void* context, std::uint32_t t1, std::uint32_t t2, ClosestSoFar& closest) {
      auto& search = *static_cast<ClosestPair*>(context);
      if (!search.take(t1, t2)) return false;
      closest = search.closest();
      return true;
    };
    return searchClosestTriangles(tree(0), tree(1), pair_.mesh2InMesh1(), frame_.closest(best_, {}, false),
                                  DistanceSink{take, this});
  }

  /// This search sees more of what parts two triangles, but not what has been found before.
  [[nodiscard]] SearchCounts searchAllNear() {
    return searchTrianglePairs(
        tree(0), tree(1), pair_.mesh2InMesh1(), best_ + CentredPlacement(pair_).slack, false,
        [&](std::uint32_t t1, std::uint32_t t2, bool) { return take(t1, t2) && best_ <= stop_at_; });
  }

  /// Whether the two are the closest so far.
  [[nodiscard]] bool take(std::uint32_t t1, std::uint32_t t2) {
    const Triangle first = pair_[0].triangle(t1), second = pair_[1].triangle(t2);
    if (planeParts(first, second.v, best_) || planeParts(second, first.v, best_)) return false;
    const TriangleSeparation s = triangleSeparation(first, second);
    if (found_ ? s.distance >= best_ : s.distance > best_) return false;
    best_ = s.distance;
    found_ = {s, t1, t2};
    return true;
  }

  [[nodiscard]] ClosestSoFar closest() const {
    const Vec3 direction = best_ > 0 ? -found_->separation.from2to1 / best_ : Vec3{};
    return frame_.closest(best_ / generosity_, isFinite(direction) ? direction : Vec3{}, best_ <= stop_at_);
  }

  const MeshPair& pair_;
  QueryStats& stats_;
  DistanceFrame frame_;
  double best_, stop_at_, generosity_;
  std::optional<ClosestTriangles> found_;
};

}  // namespace

std::optional<ClosestTriangles> closestTriangles(const MeshPair& pair, const DistanceOptions& options,
                                                 QueryStats& stats) {
  return ClosestPair(pair, options, stats).run();
}

}  // namespace odemesh
