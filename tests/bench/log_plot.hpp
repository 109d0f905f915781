// A plot with logarithmic axes as an SVG file, enough for a benchmark.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace odemesh::bench {

struct Curve {
  std::string name;
  std::vector<std::pair<double, double>> points;  ///< positive
};

/// Returns false if the file cannot be written.
bool writeLogPlot(const std::string& file, const std::string& title, const std::string& x_label,
                  const std::string& y_label, const std::vector<Curve>& curves);

}  // namespace odemesh::bench
