// What the program prints and writes: progress, a summary to read, JSON Lines.
#pragma once

#include <chrono>
#include <cstdint>
#include <fstream>
#include <string>

#include "options.hpp"
#include "run.hpp"

namespace odemesh::sandbox {

/// A bar on stderr that is rewritten a few times a second; nothing unless stderr is a terminal.
class Progress {
 public:
  Progress(std::uint64_t steps, bool enabled);
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  void show(const sim::StepMetrics& step);
  /// `share` is from 0 to 1.
  void show(double share, const std::string& text);

 private:
  std::uint64_t steps_;
  bool enabled_;
  std::chrono::steady_clock::time_point next_;
};

/// JSON Lines: an object of "type" "step" for every k-th step, and one of "type" "summary" at the end.
/// Numbers that are not finite become null.
class JsonLines {
 public:
  /// An empty file name writes nothing. Throws InputError if the file can't be written.
  JsonLines(std::string file, std::uint64_t every);

  void write(const sim::StepMetrics& step, sim::Collider collider);
  void write(const Summary& summary, sim::Collider collider, const Options& options, const Plan& plan);
  /// Throws InputError if anything could not be written, for instance on a full disk.
  void close();

 private:
  void writeLine(const std::string& line);

  std::string file_;
  std::uint64_t every_;
  std::ofstream out_;
};

/// The summary as text of several lines.
[[nodiscard]] std::string describe(const Summary& summary, sim::Collider collider);

/// "at rest", "still moving" or "failed".
[[nodiscard]] std::string verdict(const Summary& summary);

}  // namespace odemesh::sandbox
