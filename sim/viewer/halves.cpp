#include "viewer/halves.hpp"

#include <algorithm>

namespace odemesh::viewer {
namespace {

constexpr int kGap = 2;  // pixels

}  // namespace

std::vector<sim::Viewport> columnsOf(int width, int height, std::size_t count) {
  const int n = static_cast<int>(count);
  const int column = (width - kGap * (n - 1)) / n;
  std::vector<sim::Viewport> out;
  for (int i = 0; i < n; ++i) out.push_back({i * (column + kGap), 0, column, height});
  return out;
}

sim::Image joined(const std::vector<sim::Image>& columns, int width) {
  sim::Image out{width, columns[0].height, {}};
  out.rgba.assign(static_cast<std::size_t>(4) * out.width * out.height, 255);
  const std::vector<sim::Viewport> places = columnsOf(width, out.height, columns.size());
  for (std::size_t i = 0; i < columns.size(); ++i) {
    const std::ptrdiff_t row = static_cast<std::ptrdiff_t>(4) * columns[i].width;
    for (int y = 0; y < out.height; ++y)
      std::copy_n(columns[i].rgba.begin() + row * y, row,
                  out.rgba.begin() + 4 * (static_cast<std::ptrdiff_t>(width) * y + places[i].x));
  }
  return out;
}

}  // namespace odemesh::viewer
