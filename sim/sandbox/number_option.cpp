#include "number_option.hpp"

#include <cmath>
#include <cstdlib>
#include <iomanip>
#include <limits>
#include <optional>
#include <sstream>
#include <string>

namespace odemesh::sandbox {
namespace {

// "1.5", "1e3", "inf" or a fraction like "1/240".
std::optional<double> parseNumber(const std::string& text) {
  char* end = nullptr;
  const double value = std::strtod(text.c_str(), &end);
  if (end == text.c_str()) return std::nullopt;
  if (*end == '\0') return value;
  const char* divisor_text = end + 1;
  if (*end != '/' || *divisor_text == '\0') return std::nullopt;
  const double divisor = std::strtod(divisor_text, &end);
  if (*end != '\0') return std::nullopt;
  return value / divisor;
}

std::string rangeText(double least, double greatest) {
  std::ostringstream out;
  out << std::setprecision(12);
  if (greatest == std::numeric_limits<double>::infinity()) {
    out << least << " or more";
  } else {
    out << "from " << least << " to " << greatest;
  }
  return out.str();
}

// Accepts a number in the range and rewrites it in a form that converts without loss.
CLI::Validator number(double least, double greatest, bool whole) {
  const std::string wanted = (whole ? "give a whole number " : "give a number ") + rangeText(least, greatest);
  const auto check = [=](std::string& text) -> std::string {
    const std::optional<double> value = parseNumber(text);
    if (!value) return "'" + text + "' is not a number; " + wanted;
    if (!(*value >= least && *value <= greatest)) return text + " is out of range; " + wanted;
    if (whole && *value != std::floor(*value)) return text + " is not whole; " + wanted;
    std::ostringstream exact;
    exact << std::setprecision(17) << *value;
    text = whole ? std::to_string(static_cast<long long>(*value)) : exact.str();
    return {};
  };
  return {check, "", "number"};
}

}  // namespace

CLI::Validator real(double least, double greatest) {
  return number(least, greatest, false);
}
CLI::Validator whole(double least, double greatest) {
  return number(least, greatest, true);
}

}  // namespace odemesh::sandbox
