#include "viewer/frame_times.hpp"

#include <algorithm>
#include <cstdio>
#include <ctime>

namespace odemesh::viewer {
namespace {

double processorTime(clockid_t clock) {
  timespec time{};
  clock_gettime(clock, &time);
  return static_cast<double>(time.tv_sec) * 1e3 + static_cast<double>(time.tv_nsec) * 1e-6;
}

double milliseconds(std::chrono::steady_clock::duration time) {
  return std::chrono::duration<double, std::milli>(time).count();
}

// The value below which that share of them lies; `sorted` is not empty.
double percentile(const std::vector<double>& sorted, double share) {
  return sorted[std::min(sorted.size() - 1,
                         static_cast<std::size_t>(share * static_cast<double>(sorted.size())))];
}

}  // namespace

FrameClock::FrameClock()
    : thread_start_(processorTime(CLOCK_THREAD_CPUTIME_ID)),
      process_start_(processorTime(CLOCK_PROCESS_CPUTIME_ID)) {}

void FrameClock::endPart(double FrameTime::*part) {
  const Clock::time_point now = Clock::now();
  time_.*part += milliseconds(now - part_);
  part_ = now;
}

FrameTime FrameClock::finish() {
  time_.whole = milliseconds(Clock::now() - start_);
  time_.thread = processorTime(CLOCK_THREAD_CPUTIME_ID) - thread_start_;
  time_.process = processorTime(CLOCK_PROCESS_CPUTIME_ID) - process_start_;
  return time_;
}

std::string FrameTimes::text() const {
  if (frames_.empty()) return "";
  constexpr struct {
    const char* name;
    double FrameTime::*part;
  } kParts[] = {{"whole frame", &FrameTime::whole},
                {"simulation", &FrameTime::simulation},
                {"drawing calls", &FrameTime::drawing},
                {"waiting for the picture", &FrameTime::waiting},
                {"processor, this thread", &FrameTime::thread},
                {"processor, all threads", &FrameTime::process}};
  std::string out = "ms                          median   95 %  longest\n";
  for (const auto& [name, part] : kParts) {
    std::vector<double> values;
    for (const FrameTime& frame : frames_) values.push_back(frame.*part);
    std::sort(values.begin(), values.end());
    char line[96];
    std::snprintf(line, sizeof line, "%-24s %9.2f %6.1f %8.1f\n", name, percentile(values, 0.5),
                  percentile(values, 0.95), values.back());
    out += line;
  }
  return out;
}

}  // namespace odemesh::viewer
