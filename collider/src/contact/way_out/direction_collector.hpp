// The directions of a region's faces that are worth a look.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <odemesh/pose.hpp>
#include <utility>
#include <vector>

#include "constants.hpp"
#include "contact/scratch.hpp"

namespace odemesh {

/// Collects distinct directions with their weights in `scratch`. When full, like ones become one, since those
/// of a smooth side would leave no room for others; then another one replaces the lightest. A flat side that
/// is cut finely has many light faces with one direction, which is found among those that are left out by the
/// majority vote of Boyer and Moore (MJRTY, 1991).
class DirectionCollector {
 public:
  explicit DirectionCollector(ContactScratch& scratch)
      : directions_(scratch.directions), weights_(scratch.weights) {
    directions_.clear();
    weights_.clear();
  }

  void add(const Vec3& direction, double weight) {
    if (join(direction, weight)) return;
    if (directions_.size() == kMostDirections && same_cosine_ != kSameDirectionCosine) {
      joinLikeOnes();
      if (join(direction, weight)) return;
    }
    if (directions_.size() < kMostDirections) return append(direction, weight);
    if (weight > weights_[lightest()])
      replaceLightest(direction, weight);
    else
      vote(direction, weight);
  }

 private:
  /// A region has rarely more than a few flat sides; of a curved one, this many directions say enough.
  static constexpr std::size_t kMostDirections = 24;
  static constexpr std::size_t kUnknown = kMostDirections;

  /// Normals of faces with a greater cosine count as one: off by an angle, a direction overstates the depth
  /// of a contact by that share of its width.
  static constexpr double kSameNormalCosine = 1 - 1e-8;

  /// Votes that bring a direction in, in units of the least weight: more than the halves of a face have.
  static constexpr double kClearMajority = 4;

  /// Is there a direction that counts as the same?
  [[nodiscard]] bool join(const Vec3& direction, double weight) {
    const auto same =
        std::ranges::find_if(directions_, [&](const Vec3& d) { return dot(d, direction) > same_cosine_; });
    if (same == directions_.end()) return false;
    weights_[std::size_t(same - directions_.begin())] += weight;
    lightest_ = kUnknown;
    return true;
  }

  void append(const Vec3& direction, double weight) {
    directions_.push_back(direction);
    weights_.push_back(weight);
  }

  [[nodiscard]] std::size_t lightest() {
    if (lightest_ == kUnknown)
      lightest_ = std::size_t(std::min_element(weights_.begin(), weights_.end()) - weights_.begin());
    return lightest_;
  }

  void replaceLightest(const Vec3& direction, double weight) {
    directions_[lightest()] = direction;
    weights_[lightest()] = weight;
    lightest_ = kUnknown;
  }

  /// Of what is left out, all other directions are against the one that has most votes.
  void vote(const Vec3& direction, double weight) {
    if (dot(favourite_, direction) > kSameNormalCosine) {
      votes_ += weight;
      if (votes_ < kClearMajority * weights_[lightest()]) return;
      replaceLightest(favourite_, std::exchange(votes_, 0));
    } else if ((votes_ -= weight) < 0) {
      favourite_ = direction;
      votes_ = -votes_;
    }
  }

  void joinLikeOnes() {
    same_cosine_ = kSameDirectionCosine;
    std::array<Vec3, kMostDirections> directions;
    std::array<double, kMostDirections> weights;
    std::ranges::copy(directions_, directions.begin());
    std::ranges::copy(weights_, weights.begin());
    directions_.clear();
    weights_.clear();
    for (std::size_t i = 0; i < kMostDirections; ++i)
      if (!join(directions[i], weights[i])) append(directions[i], weights[i]);
  }

  std::vector<Vec3>& directions_;
  std::vector<double>& weights_;
  double same_cosine_ = kSameNormalCosine;
  std::size_t lightest_ = kUnknown;  ///< index of the least weight
  Vec3 favourite_;                   ///< of those that are left out
  double votes_ = 0;
};

}  // namespace odemesh
