// Numbers on the command line.
#pragma once

#include <CLI/CLI.hpp>

namespace odemesh::sandbox {

/// Accepts a number in the range ("1.5", "1e3", "inf" or a fraction like "1/240"; NaN is in none) and, as a
/// transform, rewrites it in a form that converts without loss. What is refused is told the range.
[[nodiscard]] CLI::Validator real(double least, double greatest);

/// The same for whole numbers.
[[nodiscard]] CLI::Validator whole(double least, double greatest);

}  // namespace odemesh::sandbox
