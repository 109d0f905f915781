#include "mesh/part_index.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <tuple>

#include "narrow_phase/triangle.hpp"

namespace odemesh {

namespace {

[[nodiscard]] int mainAxis(const Vec3& n) {
  const double x = std::abs(n.x), y = std::abs(n.y), z = std::abs(n.z);
  return x >= y && x >= z ? 0 : (y >= z ? 1 : 2);
}

/// What rests lies on corners and edges but for rounding, which is far below this, in units of the greatest
/// width of an outline.
constexpr double kHair = 1e-6;

/// The two coordinates across an axis.
[[nodiscard]] std::pair<double, double> across(const Vec3& p, int axis) {
  return {p[(axis + 1) % 3], p[(axis + 2) % 3]};
}

}  // namespace

float PartIndex::Outline::low() const {
  return std::min({corner[0].u, corner[1].u, corner[2].u});
}

float PartIndex::Outline::high() const {
  return std::max({corner[0].u, corner[1].u, corner[2].u});
}

PartIndex::PartIndex(const Mesh& original, const FlatPartition& parts,
                     std::span<const MergedTriangle> merged) {
  for (const MergedTriangle& t : merged) part_of_.push_back(t.part);
  for (const Vec3& n : parts.normals) axis_.push_back(static_cast<std::uint8_t>(mainAxis(n)));
  begin_.assign(parts.normals.size() + 1, 0);
  for (const std::uint32_t part : parts.part_of) ++begin_[part + 1];
  std::partial_sum(begin_.begin(), begin_.end(), begin_.begin());
  outlines_.resize(original.triangleCount());
  std::vector<std::uint32_t> next(begin_.begin(), begin_.end() - 1);
  for (std::uint32_t t = 0; t < outlines_.size(); ++t)
    outlines_[next[parts.part_of[t]]++] = outlineOf(original, t, axis_[parts.part_of[t]]);

  widest_.assign(axis_.size(), 0);
  for (std::size_t part = 0; part < axis_.size(); ++part) {
    const std::span<Outline> own(outlines_.data() + begin_[part], outlines_.data() + begin_[part + 1]);
    for (const Outline& o : own) widest_[part] = std::max(widest_[part], o.high() - o.low());
    std::sort(own.begin(), own.end(), [](const Outline& a, const Outline& b) {
      return std::tuple(a.low(), a.input) < std::tuple(b.low(), b.input);
    });
  }
}

void PartIndex::takeOrder(std::span<const std::uint32_t> order) {
  std::vector<std::uint32_t> part_of;
  part_of.reserve(order.size());
  for (const std::uint32_t t : order) part_of.push_back(part_of_[t]);
  part_of_ = std::move(part_of);
}

PartIndex::Outline PartIndex::outlineOf(const Mesh& original, std::uint32_t t, int axis) const {
  Outline out{{}, original.inputTriangle(t)};
  for (int i = 0; i < 3; ++i) {
    const auto [u, v] = across(original.vertex(t, i), axis);
    out.corner[i] = {static_cast<float>(u), static_cast<float>(v)};
  }
  if (original.normal(t)[axis] < 0) std::swap(out.corner[1], out.corner[2]);
  return out;
}

/// The square of the distance by which a point is outside of the outline, or zero.
double PartIndex::outsideness(const Outline& outline, double u, double v) {
  double most = 0;
  for (int i = 0; i < 3; ++i) {
    const Point& a = outline.corner[i];
    const Point& b = outline.corner[nextCorner(i)];
    const double du = double(b.u) - double(a.u), dv = double(b.v) - double(a.v);
    const double outside = dv * (u - double(a.u)) - du * (v - double(a.v));
    if (outside > 0) most = std::max(most, outside * outside / (du * du + dv * dv));
  }
  return most;
}

bool PartIndex::Outline::isBeside(double v, double reach) const {
  const double low = v - reach, high = v + reach;
  return (corner[0].v < low && corner[1].v < low && corner[2].v < low) ||
         (corner[0].v > high && corner[1].v > high && corner[2].v > high);
}

std::uint32_t PartIndex::at(std::size_t t, const Vec3& point) const {
  const std::uint32_t part = part_of_[t];
  const auto coordinates = across(point, axis_[part]);
  const double u = coordinates.first, v = coordinates.second;
  const std::span<const Outline> own(outlines_.data() + begin_[part], outlines_.data() + begin_[part + 1]);
  const double reach = double(widest_[part]) * (1 + 1e-6), hair = kHair * reach;
  const auto begin = std::partition_point(
      own.begin(), own.end(), [low = u - reach](const Outline& o) { return double(o.low()) < low; });
  double least = std::numeric_limits<double>::infinity();
  std::uint32_t found = own.front().input;
  const auto look = [&](double beyond, double beside) {
    for (auto o = begin; o != own.end() && double(o->low()) <= u + beyond && least > 0; ++o) {
      if (o->isBeside(v, beside)) continue;
      if (const double outside = outsideness(*o, u, v); outside < least) {
        least = outside;
        found = o->input;
      }
    }
  };
  look(hair, hair);
  if (least > hair * hair) look(reach, std::numeric_limits<double>::infinity());
  return found;
}

std::size_t PartIndex::memoryBytes() const {
  return sizeof(PartIndex) + part_of_.capacity() * sizeof(std::uint32_t) +
         begin_.capacity() * sizeof(std::uint32_t) + axis_.capacity() + widest_.capacity() * sizeof(float) +
         outlines_.capacity() * sizeof(Outline);
}

}  // namespace odemesh
