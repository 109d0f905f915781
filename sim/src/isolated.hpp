// Work for libraries that damaged input crashes, or keeps busy for ever.
#pragma once

#include <cstdint>
#include <functional>
#include <stdexcept>
#include <string>

namespace odemesh::sim {

/// What a piece of work may take.
struct IsolatedLimits {
  unsigned cpu_seconds = 10;
  unsigned wall_seconds = 60;                    ///< whatever it does or waits for
  unsigned idle_seconds = 10;                    ///< on end without using the processor
  std::uint64_t bytes = std::uint64_t{1} << 30;  ///< of address space, beyond what the process has already
};

/// The work did not end well; `what()` says how, to follow "the reader ", say: "crashed (Segmentation
/// fault)".
class IsolatedFailure : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Runs `work` in a process of its own, a fork of this one, and gives back what it returned; nothing else of
/// what it did remains. Throws IsolatedFailure if it crashed, was killed or went beyond the limits; it takes
/// no longer than twice `wall_seconds`. InputError and std::bad_alloc that `work` throws are thrown here
/// again; any other exception is an IsolatedFailure. `work` may not use threads.
///
/// Safe to call from several threads, and while others run: the process is given a copy of every lock, and
/// one that another thread held at that moment stays locked for ever (glibc releases those of its own, such
/// as malloc's). Work that idles on one is stopped and done again, once.
[[nodiscard]] std::string runIsolated(const std::function<std::string()>& work, const IsolatedLimits& limits);

}  // namespace odemesh::sim
