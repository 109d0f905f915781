#include "log_plot.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <limits>

namespace odemesh::bench {

namespace {

constexpr double kWidth = 720, kHeight = 460, kLeft = 80, kRight = 170, kTop = 40, kBottom = 60;
/// Told apart by hue and by lightness (after Okabe and Ito).
constexpr const char* kColours[] = {"#000000", "#e69f00", "#0072b2", "#d55e00",
                                    "#009e73", "#cc79a7", "#56b4e9"};

/// Whole decades around the values.
struct Axis {
  double lo = std::numeric_limits<double>::infinity(), hi = -lo;
  double from = 0, to = 1;  ///< pixels

  void grow(double value) {
    lo = std::min(lo, std::floor(std::log10(value)));
    hi = std::max(hi, std::ceil(std::log10(value)));
  }
  [[nodiscard]] double at(double value) const {
    return from + (to - from) * (std::log10(value) - lo) / std::max(hi - lo, 1.0);
  }
};

void drawAxes(std::FILE* f, const Axis& x, const Axis& y) {
  for (int d = int(x.lo); d <= int(x.hi); ++d) {
    const double px = x.at(std::pow(10, d));
    std::fprintf(f, "<line x1='%.1f' y1='%.1f' x2='%.1f' y2='%.1f' stroke='#ddd'/>\n", px, y.from, px, y.to);
    std::fprintf(
        f, "<text x='%.1f' y='%.1f' text-anchor='middle'>10<tspan dy='-5' font-size='9'>%d</tspan></text>\n",
        px, y.from + 20, d);
  }
  for (int d = int(y.lo); d <= int(y.hi); ++d) {
    const double py = y.at(std::pow(10, d));
    std::fprintf(f, "<line x1='%.1f' y1='%.1f' x2='%.1f' y2='%.1f' stroke='#ddd'/>\n", x.from, py, x.to, py);
    std::fprintf(
        f, "<text x='%.1f' y='%.1f' text-anchor='end'>10<tspan dy='-5' font-size='9'>%d</tspan></text>\n",
        x.from - 8, py + 4, d);
  }
}

void drawCurve(std::FILE* f, const Axis& x, const Axis& y, const Curve& curve, std::size_t number) {
  const char* colour = kColours[number % std::size(kColours)];
  std::fprintf(f, "<polyline fill='none' stroke='%s' stroke-width='2' points='", colour);
  for (const auto& [a, b] : curve.points) std::fprintf(f, "%.1f,%.1f ", x.at(a), y.at(b));
  std::fprintf(f, "'/>\n");
  for (const auto& [a, b] : curve.points)
    std::fprintf(f, "<circle cx='%.1f' cy='%.1f' r='3' fill='%s'/>\n", x.at(a), y.at(b), colour);
  const double py = y.to + 20 + 20 * double(number);
  std::fprintf(f, "<line x1='%.1f' y1='%.1f' x2='%.1f' y2='%.1f' stroke='%s' stroke-width='2'/>\n", x.to + 14,
               py, x.to + 36, py, colour);
  std::fprintf(f, "<text x='%.1f' y='%.1f'>%s</text>\n", x.to + 42, py + 4, curve.name.c_str());
}

}  // namespace

bool writeLogPlot(const std::string& file, const std::string& title, const std::string& x_label,
                  const std::string& y_label, const std::vector<Curve>& curves) {
  std::FILE* f = std::fopen(file.c_str(), "w");
  if (f == nullptr) return false;
  Axis x, y;
  for (const Curve& curve : curves) {
    for (const auto& [a, b] : curve.points) {
      x.grow(a);
      y.grow(b);
    }
  }
  x.from = kLeft, x.to = kWidth - kRight;
  y.from = kHeight - kBottom, y.to = kTop;
  std::fprintf(f,
               "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 %g %g' font-family='sans-serif' "
               "font-size='12'>\n<rect width='100%%' height='100%%' fill='white'/>\n",
               kWidth, kHeight);
  drawAxes(f, x, y);
  for (std::size_t k = 0; k < curves.size(); ++k) drawCurve(f, x, y, curves[k], k);
  std::fprintf(f, "<text x='%.1f' y='22' text-anchor='middle' font-size='14'>%s</text>\n",
               0.5 * (x.from + x.to), title.c_str());
  std::fprintf(f, "<text x='%.1f' y='%.1f' text-anchor='middle'>%s</text>\n", 0.5 * (x.from + x.to),
               kHeight - 18, x_label.c_str());
  std::fprintf(f, "<text transform='translate(22 %.1f) rotate(-90)' text-anchor='middle'>%s</text>\n</svg>\n",
               0.5 * (y.from + y.to), y_label.c_str());
  return std::fclose(f) == 0;
}

}  // namespace odemesh::bench
