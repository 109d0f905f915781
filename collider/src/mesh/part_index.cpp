#include "mesh/part_index.hpp"

#include <algorithm>
#include <limits>
#include <numeric>
#include <tuple>

#include "narrow_phase/coplanar.hpp"
#include "narrow_phase/triangle.hpp"

namespace odemesh {

namespace {

/// What rests lies on corners and edges but for rounding, which is far below this, in units of the greatest
/// width of an outline.
constexpr double kHair = 1e-6;

/// From so many outlines on, a part has a grid.
constexpr std::size_t kManyOutlines = 16;

/// The two coordinates across an axis.
[[nodiscard]] std::pair<double, double> across(const Vec3& p, int axis) {
  return {p[(axis + 1) % 3], p[(axis + 2) % 3]};
}

[[nodiscard]] bool isAsItWas(const Mesh& original, const MergedTriangle& t) {
  return std::ranges::equal(t.corner, std::span(original.corners(t.from), 3));
}

/// By part, a number for each of which triangles went or moved, else `Mesh::kNone`.
[[nodiscard]] std::vector<std::uint32_t> numberChanged(const Mesh& original, const FlatPartition& parts,
                                                       std::span<const MergedTriangle> merged) {
  std::vector<std::uint32_t> changed(parts.normals.size(), 0);  // triangles
  for (const std::uint32_t part : parts.part_of) ++changed[part];
  for (const MergedTriangle& t : merged) changed[t.part] -= isAsItWas(original, t);
  std::uint32_t count = 0;
  for (std::uint32_t& number : changed) number = number > 0 ? count++ : Mesh::kNone;
  return changed;
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
  const std::vector<std::uint32_t> number_of = numberChanged(original, parts, merged);
  part_of_.reserve(merged.size());
  for (const MergedTriangle& t : merged) part_of_.push_back(number_of[t.part]);
  takeOutlines(original, parts, number_of);
  widest_.assign(axis_.size(), 0);
  grid_of_.assign(axis_.size(), Mesh::kNone);
  for (std::uint32_t part = 0; part < axis_.size(); ++part) {
    sort(part);
    if (outlinesOf(part).size() >= kManyOutlines) addGrid(part);
  }
}

/// Of the parts that have a number here.
void PartIndex::takeOutlines(const Mesh& original, const FlatPartition& parts,
                             std::span<const std::uint32_t> number_of) {
  const auto isChanged = [](std::uint32_t number) { return number != Mesh::kNone; };
  const auto count = std::size_t(std::ranges::count_if(number_of, isChanged));
  axis_.reserve(count);
  for (std::size_t part = 0; part < number_of.size(); ++part)
    if (isChanged(number_of[part]))
      axis_.push_back(static_cast<std::uint8_t>(dominantAxis(parts.normals[part])));
  begin_.assign(count + 1, 0);
  for (const std::uint32_t part : parts.part_of)
    if (isChanged(number_of[part])) ++begin_[number_of[part] + 1];
  std::partial_sum(begin_.begin(), begin_.end(), begin_.begin());
  outlines_.resize(begin_.back());
  std::vector<std::uint32_t> next(begin_.begin(), begin_.end() - 1);
  for (std::uint32_t t = 0; t < original.triangleCount(); ++t)
    if (const std::uint32_t number = number_of[parts.part_of[t]]; isChanged(number))
      outlines_[next[number]++] = outlineOf(original, t, axis_[number]);
}

void PartIndex::sort(std::uint32_t part) {
  const std::span<Outline> own = outlinesOf(part);
  for (const Outline& o : own) widest_[part] = std::max(widest_[part], o.high() - o.low());
  std::sort(own.begin(), own.end(), [](const Outline& a, const Outline& b) {
    return std::tuple(a.low(), a.input) < std::tuple(b.low(), b.input);
  });
}

void PartIndex::addGrid(std::uint32_t part) {
  std::vector<Rectangle> rectangles;
  for (const Outline& o : outlinesOf(part)) rectangles.push_back(o.rectangle(2 * hairOf(part)));
  grid_of_[part] = static_cast<std::uint32_t>(grids_.size());
  grids_.emplace_back(rectangles);
}

double PartIndex::hairOf(std::uint32_t part) const {
  return kHair * double(widest_[part]);
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

/// The square of the distance by which a point is outside of the outline, or zero; if that is `enough` or
/// more, that much is a bound.
double PartIndex::outsideness(const Outline& outline, double u, double v, double enough) {
  double most = 0;
  for (int i = 0; i < 3 && most < enough; ++i) {
    const Point& a = outline.corner[i];
    const Point& b = outline.corner[nextCorner(i)];
    const double du = double(b.u) - double(a.u), dv = double(b.v) - double(a.v);
    const double outside = dv * (u - double(a.u)) - du * (v - double(a.v));
    if (outside > 0) most = std::max(most, outside * outside / (du * du + dv * dv));
  }
  return most;
}

Rectangle PartIndex::Outline::rectangle(double hair) const {
  const auto [low_v, high_v] = std::minmax({corner[0].v, corner[1].v, corner[2].v});
  return {{double(low()) - hair, double(low_v) - hair}, {double(high()) + hair, double(high_v) + hair}};
}

void PartIndex::Nearest::look(const Outline& outline, double u, double v) {
  const double distance = outsideness(outline, u, v, outside);
  if (distance < outside) *this = {distance, outline.input};
}

/// Of outlines that may hold the point.
PartIndex::Nearest PartIndex::nearestInGrid(std::uint32_t part, double u, double v) const {
  Nearest nearest{std::numeric_limits<double>::infinity(), Mesh::kNone};
  if (grid_of_[part] == Mesh::kNone) return nearest;
  const std::span<const Outline> own = outlinesOf(part);
  for (const std::uint32_t i : grids_[grid_of_[part]].at(u, v)) {
    nearest.look(own[i], u, v);
    if (nearest.outside == 0) break;
  }
  return nearest;
}

/// Of outlines that begin no farther from the point than the widest reaches.
PartIndex::Nearest PartIndex::nearestInReach(std::uint32_t part, double u, double v) const {
  const std::span<const Outline> own = outlinesOf(part);
  const double reach = double(widest_[part]) * (1 + 1e-6);
  Nearest nearest{std::numeric_limits<double>::infinity(), own.front().input};
  auto o = std::partition_point(own.begin(), own.end(),
                                [low = u - reach](const Outline& a) { return double(a.low()) < low; });
  for (; o != own.end() && double(o->low()) <= u + reach && nearest.outside > 0; ++o) nearest.look(*o, u, v);
  return nearest;
}

std::uint32_t PartIndex::at(std::size_t t, const Vec3& point) const {
  const std::uint32_t part = part_of_[t];
  const auto [u, v] = across(point, axis_[part]);
  const double hair = hairOf(part);
  const Nearest nearest = nearestInGrid(part, u, v);
  // Too far out for floats, outlines are of no width, or an infinite one.
  const bool is_known = nearest.input != Mesh::kNone && nearest.outside <= hair * hair;
  return is_known ? nearest.input : nearestInReach(part, u, v).input;
}

std::size_t PartIndex::memoryBytes() const {
  std::size_t grid_bytes = grids_.capacity() * sizeof(RectangleGrid);
  for (const RectangleGrid& grid : grids_) grid_bytes += grid.memoryBytes();
  return sizeof(PartIndex) + part_of_.capacity() * sizeof(std::uint32_t) +
         begin_.capacity() * sizeof(std::uint32_t) + axis_.capacity() + widest_.capacity() * sizeof(float) +
         outlines_.capacity() * sizeof(Outline) + grid_of_.capacity() * sizeof(std::uint32_t) + grid_bytes;
}

}  // namespace odemesh
