// --check: runs a world and says whether what was expected of it came true.
#pragma once

#include <functional>
#include <memory>
#include <odemesh/sim/trial.hpp>
#include <string>
#include <vector>

namespace odemesh::sandbox {

/// What --expect names, and how to judge it.
struct Expectation {
  std::string text;  ///< as it was given
  std::function<sim::Verdict(const sim::Trial&)> judge;
};

/// at-rest[=SPEED], max-depth=M, stays-inside=X0,Y0,Z0,X1,Y1,Z1, stands=M, same-hash[=HEX]. `again` makes the
/// same world a second time, for same-hash without a value. Throws InputError for anything else.
[[nodiscard]] Expectation parseExpectation(const std::string& text,
                                           const std::function<std::unique_ptr<sim::World>()>& again);

/// Whether `parseExpectation` knows the name in a text, whatever its value.
[[nodiscard]] bool isExpectation(const std::string& text);

/// The outcome of one expectation.
struct Outcome {
  std::string expectation;
  sim::Verdict verdict;
};

/// Writes a test suite `name` with a test case for each outcome, in the form of JUnit that CI systems read.
/// Throws InputError if the file can't be written.
void writeJunit(const std::string& file, const std::string& name, const std::vector<Outcome>& outcomes);

/// Where `file` has a test suite of an earlier run, replaces it by one with an error of this text, so that
/// nobody takes what passed then for the outcome of a run that is refused. Leaves all other files alone.
void replaceJunit(const std::string& file, const std::string& error);

/// The usage text of --expect.
[[nodiscard]] std::string expectHelp();

}  // namespace odemesh::sandbox
