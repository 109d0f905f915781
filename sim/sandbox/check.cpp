#include "check.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <filesystem>
#include <odemesh/sim/input_error.hpp>
#include <optional>
#include <pugixml.hpp>
#include <sstream>
#include <string_view>
#include <system_error>

namespace odemesh::sandbox {
namespace {

[[noreturn]] void refuse(const std::string& text, const std::string& wanted) {
  throw sim::InputError("--expect: '" + text + "' " + wanted);
}

// Comma-separated finite numbers; `count` of them.
std::vector<double> numbersOf(const std::string& text, const std::string& value, std::size_t count) {
  std::vector<double> out;
  std::istringstream list(value);
  for (std::string part; std::getline(list, part, ',');) {
    char* end = nullptr;
    out.push_back(std::strtod(part.c_str(), &end));
    if (part.empty() || *end != '\0' || !std::isfinite(out.back()))
      refuse(text, "has '" + part + "', which is not a number");
  }
  if (out.size() != count)
    refuse(text, "needs " + std::to_string(count) + " number(s), with commas between them");
  return out;
}

double lengthOf(const std::string& text, const std::string& value) {
  const double length = numbersOf(text, value, 1)[0];
  if (length < 0) refuse(text, "needs a number that is not negative");
  return length;
}

std::uint64_t hashOf(const std::string& text, const std::string& value) {
  std::uint64_t hash = 0;
  const char* end = value.data() + value.size();
  const auto [stopped, error] = std::from_chars(value.data(), end, hash, 16);
  if (value.empty() || stopped != end || error != std::errc())
    refuse(text, "needs 1 to 16 hexadecimal digits");
  return hash;
}

sim::Bounds boxOf(const std::string& text, const std::string& value) {
  const std::vector<double> n = numbersOf(text, value, 6);
  for (std::size_t axis = 0; axis < 3; ++axis)
    if (!(n[axis] < n[axis + 3])) refuse(text, "needs the lower corner first");
  return {{n[0], n[1], n[2]}, {n[3], n[4], n[5]}};
}

sim::Verdict sameAsAgain(const sim::Trial& trial, const std::function<std::unique_ptr<sim::World>()>& again) {
  sim::Trial second(again());
  second.run(trial.world().metrics().step);
  return hasSameHash(trial, second);
}

constexpr std::array<std::string_view, 5> kNames = {"at-rest", "max-depth", "stays-inside", "stands",
                                                    "same-hash"};

pugi::xml_node addSuite(pugi::xml_document& document, const std::string& name, std::size_t tests) {
  pugi::xml_node suite = document.append_child("testsuites").append_child("testsuite");
  suite.append_attribute("name") = name.c_str();
  suite.append_attribute("tests") = static_cast<unsigned>(tests);
  return suite;
}

pugi::xml_node addCase(pugi::xml_node& suite, const std::string& name) {
  pugi::xml_node test = suite.append_child("testcase");
  test.append_attribute("classname") = suite.attribute("name").value();
  test.append_attribute("name") = name.c_str();
  return test;
}

// Of a regular file: a pipe might wait.
bool isJunit(const std::string& file) {
  std::error_code ignored;
  pugi::xml_document document;
  return std::filesystem::is_regular_file(file, ignored) && document.load_file(file.c_str()) &&
         document.child("testsuites");
}

}  // namespace

bool isExpectation(const std::string& text) {
  return std::find(kNames.begin(), kNames.end(), text.substr(0, text.find('='))) != kNames.end();
}

Expectation parseExpectation(const std::string& text,
                             const std::function<std::unique_ptr<sim::World>()>& again) {
  const std::size_t equals = text.find('=');
  const std::string name = text.substr(0, equals);
  const bool has_value = equals != std::string::npos;
  const std::string value = has_value ? text.substr(equals + 1) : "";
  if (name == "at-rest") {
    std::optional<double> speed;
    if (has_value) speed = lengthOf(text, value);
    return {text, [=](const sim::Trial& trial) { return isAtRest(trial, speed); }};
  }
  if (name == "max-depth")
    return {text, [depth = lengthOf(text, value)](const sim::Trial& t) { return overlapsAtMost(t, depth); }};
  if (name == "stands")
    return {text, [way = lengthOf(text, value)](const sim::Trial& t) { return stands(t, way); }};
  if (name == "stays-inside")
    return {text, [box = boxOf(text, value)](const sim::Trial& t) { return staysInside(t, box); }};
  if (name == "same-hash" && has_value)
    return {text, [hash = hashOf(text, value)](const sim::Trial& t) { return hasHash(t, hash); }};
  if (name == "same-hash") return {text, [=](const sim::Trial& t) { return sameAsAgain(t, again); }};
  refuse(text, "is not known; there are: " + expectHelp());
}

std::string expectHelp() {
  return "at-rest[=M/S], max-depth=M, stays-inside=X0,Y0,Z0,X1,Y1,Z1, stands=M, same-hash[=HEX]";
}

void writeJunit(const std::string& file, const std::string& name, const std::vector<Outcome>& outcomes) {
  pugi::xml_document document;
  pugi::xml_node suite = addSuite(document, name, outcomes.size());
  unsigned failures = 0;
  for (const Outcome& outcome : outcomes) {
    pugi::xml_node test = addCase(suite, outcome.expectation);
    if (outcome.verdict) continue;
    ++failures;
    test.append_child("failure").append_attribute("message") = outcome.verdict.text.c_str();
  }
  suite.append_attribute("failures") = failures;
  if (!document.save_file(file.c_str(), "  "))
    throw sim::InputError("--junit: '" + file + "' can't be written; give a file in a folder that exists");
}

void replaceJunit(const std::string& file, const std::string& error) {
  if (!isJunit(file)) return;
  pugi::xml_document document;
  pugi::xml_node suite = addSuite(document, "odemesh-sandbox", 1);
  suite.append_attribute("errors") = 1;
  suite.append_attribute("failures") = 0;
  addCase(suite, "run").append_child("error").append_attribute("message") = error.c_str();
  // One that can't be written is refused by name elsewhere.
  static_cast<void>(document.save_file(file.c_str(), "  "));
}

}  // namespace odemesh::sandbox
