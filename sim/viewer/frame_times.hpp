// What the frames of a window took.
#pragma once

#include <chrono>
#include <string>
#include <vector>

namespace odemesh::viewer {

/// Times of one frame, in ms.
struct FrameTime {
  double whole = 0;
  double simulation = 0;  ///< of it
  double drawing = 0;     ///< of it, in calls of the driver and in what prepares them
  double waiting = 0;     ///< of it, for the driver to complete the picture and show it
  double thread = 0;      ///< processor time of the thread that simulates and calls the driver
  double process = 0;     ///< of all threads, a driver's that draws on the processor among them
};

/// Takes the time of one frame from its construction on.
class FrameClock {
 public:
  FrameClock();
  /// Adds the time since the last call, or since the construction, to a part of the frame.
  void endPart(double FrameTime::*part);
  [[nodiscard]] FrameTime finish();

 private:
  using Clock = std::chrono::steady_clock;
  FrameTime time_;
  Clock::time_point start_ = Clock::now();
  Clock::time_point part_ = start_;
  double thread_start_;
  double process_start_;
};

/// Collects them, and sums them up as a table.
class FrameTimes {
 public:
  void add(const FrameTime& frame) { frames_.push_back(frame); }
  [[nodiscard]] std::size_t size() const { return frames_.size(); }
  /// Median, 95th percentile and longest of each part, a line each; empty without frames.
  [[nodiscard]] std::string text() const;

 private:
  std::vector<FrameTime> frames_;
};

}  // namespace odemesh::viewer
