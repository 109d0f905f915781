#include "isolated.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <ctime>
#include <fstream>
#include <mutex>
#include <new>
#include <odemesh/sim/input_error.hpp>
#include <optional>
#include <system_error>
#include <utility>

namespace odemesh::sim {
namespace {

/// How the work ended; the byte before its text in the pipe.
enum class Outcome : char { kDone, kInputError, kNoMemory, kOtherError };

struct Answer {
  Outcome outcome;
  std::string text;
};

class Descriptor {
 public:
  explicit Descriptor(int number) : number_(number) {}
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  Descriptor(Descriptor&& other) noexcept : number_(std::exchange(other.number_, -1)) {}
  ~Descriptor() {
    if (number_ >= 0) ::close(number_);
  }

  [[nodiscard]] int get() const { return number_; }

 private:
  int number_;
};

void writeAll(int file, const void* data, std::size_t size) {
  const char* next = static_cast<const char*>(data);
  while (size > 0) {
    const ssize_t written = ::write(file, next, size);
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return;  // nobody reads any more
    next += written;
    size -= static_cast<std::size_t>(written);
  }
}

void limitResource(decltype(RLIMIT_CPU) resource, rlim_t most) {
  rlimit limit{};
  if (getrlimit(resource, &limit) != 0) return;
  limit.rlim_cur = std::min(most, limit.rlim_max);
  setrlimit(resource, &limit);
}

/// Of address space, that this process has; 0 where that is not known.
std::uint64_t bytesInUse() {
  std::uint64_t pages = 0;
  std::ifstream("/proc/self/statm") >> pages;
  return pages * static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
}

/// In the new process: a crash there is expected, and neither the handlers of this program nor a core dump
/// are to answer it.
void enterSandbox(const IsolatedLimits& limits) {
  for (const int signal : {SIGSEGV, SIGBUS, SIGABRT, SIGFPE, SIGILL, SIGXCPU, SIGALRM, SIGPIPE, SIGTERM})
    std::signal(signal, SIG_DFL);
  limitResource(RLIMIT_CORE, 0);
  limitResource(RLIMIT_CPU, limits.cpu_seconds);
  constexpr std::uint64_t kSanitizerBytes = std::uint64_t{1} << 40;  // their shadow memory; no limit fits it
  const std::uint64_t in_use = bytesInUse();
  if (in_use > 0 && in_use < kSanitizerBytes) limitResource(RLIMIT_AS, in_use + limits.bytes);
}

[[nodiscard]] Answer answerOf(const std::function<std::string()>& work) {
  try {
    return {Outcome::kDone, work()};
  } catch (const InputError& error) {
    return {Outcome::kInputError, error.what()};
  } catch (const std::bad_alloc&) {
    return {Outcome::kNoMemory, {}};
  } catch (const std::exception& error) {
    return {Outcome::kOtherError, error.what()};
  }
}

[[noreturn]] void runChild(const std::function<std::string()>& work, const IsolatedLimits& limits, int out) {
  enterSandbox(limits);
  const Answer answer = answerOf(work);
  const std::uint64_t size = answer.text.size();
  writeAll(out, &answer.outcome, sizeof answer.outcome);
  writeAll(out, &size, sizeof size);
  writeAll(out, answer.text.data(), answer.text.size());
  _exit(0);  // without the exit handlers, which belong to the other process
}

/// The allocators of the sanitizers of GCC 12 and Clang 14 do not release their locks in a new process, as
/// glibc's does, and spin on them.
#if defined(__has_feature)
constexpr bool kLocksMaySpin = __has_feature(address_sanitizer);
#elif defined(__SANITIZE_ADDRESS__)
constexpr bool kLocksMaySpin = true;
#else
constexpr bool kLocksMaySpin = false;
#endif

/// The other process, as seen from here. It does not outlive this.
class Child {
 public:
  Child(pid_t id, int from, const IsolatedLimits& limits) : id_(id), from_(from), limits_(limits) {}
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;
  ~Child() { static_cast<void>(end()); }

  /// Nothing if it ended, or went beyond the limits, before it had given all of its answer.
  [[nodiscard]] std::optional<Answer> receive() {
    Answer answer{};
    std::uint64_t size = 0;
    if (!readAll(&answer.outcome, sizeof answer.outcome) || !readAll(&size, sizeof size)) return {};
    answer.text.resize(size);
    if (!readAll(answer.text.data(), size)) return {};
    return answer;
  }

  /// Whether it may have waited in vain for what a thread of this process held when it was made.
  [[nodiscard]] bool mayHaveBeenBlocked() const {
    return hasIdled() || (kLocksMaySpin && (out_of_cpu_time_ || elapsed_ >= limits_.wall_seconds));
  }

  /// Ends it, whatever it is at, and says how it has ended.
  [[nodiscard]] std::string end() {
    int status = 0;
    pid_t ended = -1;
    if (id_ > 0) {
      kill(id_, SIGKILL);  // of no consequence to one that has closed its end because it ends
      do ended = waitpid(id_, &status, 0);
      while (ended < 0 && errno == EINTR);
    }
    const bool was_signalled = ended > 0 && WIFSIGNALED(status);
    id_ = -1;
    out_of_cpu_time_ = was_signalled && WTERMSIG(status) == SIGXCPU;
    if (out_of_cpu_time_) return stopped(limits_.cpu_seconds, "of processor time");
    if (was_signalled && WTERMSIG(status) != SIGKILL)
      return std::string("crashed (") + strsignal(WTERMSIG(status)) + ")";
    if (hasIdled()) return stopped(idle_, "of waiting for something");
    if (elapsed_ >= limits_.wall_seconds) return stopped(elapsed_, "of time");
    if (was_signalled) return "was killed (perhaps for want of memory)";
    return "ended without a result";
  }

 private:
  static std::string stopped(unsigned seconds, const char* of_what) {
    return "was stopped after " + std::to_string(seconds) + " s " + of_what;
  }

  [[nodiscard]] bool hasIdled() const { return idle_ >= limits_.idle_seconds; }

  [[nodiscard]] bool readAll(void* data, std::size_t size) {
    char* next = static_cast<char*>(data);
    while (size > 0) {
      if (!waitForData()) return false;
      const ssize_t got = ::read(from_, next, size);
      if (got < 0 && errno == EINTR) continue;
      if (got <= 0) return false;
      next += got;
      size -= static_cast<std::size_t>(got);
    }
    return true;
  }

  /// For something to read, or the end of it; false if the limits came first. Seconds are those that this
  /// process has waited, so that none pass while both are suspended.
  [[nodiscard]] bool waitForData() {
    pollfd wanted{from_, POLLIN, 0};
    while (elapsed_ < limits_.wall_seconds && !hasIdled()) {
      const int ready = poll(&wanted, 1, 1000);
      if (ready > 0) return true;
      if (ready < 0 && errno != EINTR) return false;
      if (ready == 0) countSecond();
    }
    return false;
  }

  void countSecond() {
    ++elapsed_;
    const double used = cpuSeconds();
    idle_ = used > used_ ? 0 : idle_ + 1;
    used_ = used;
  }

  [[nodiscard]] double cpuSeconds() const {
    clockid_t clock{};
    timespec time{};
    if (clock_getcpuclockid(id_, &clock) != 0 || clock_gettime(clock, &time) != 0) return 0;
    return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
  }

  pid_t id_;
  int from_;
  IsolatedLimits limits_;
  bool out_of_cpu_time_ = false;
  unsigned elapsed_ = 0;
  unsigned idle_ = 0;
  double used_ = 0;
};

struct Started {
  pid_t id;
  Descriptor from;
};

/// One at a time, since what holds the other end of a pipe keeps it open: a second process that inherited it
/// would hide the end of the first. The new process may start others.
[[nodiscard]] Started start(const std::function<std::string()>& work, const IsolatedLimits& limits) {
  static std::mutex mutex;
  std::unique_lock lock(mutex);
  std::array<int, 2> ends{};
  if (pipe2(ends.data(), O_CLOEXEC) != 0) throw std::system_error(errno, std::generic_category(), "pipe");
  Descriptor in(ends[0]), out(ends[1]);
  std::fflush(stdout);  // or the new process may write what waits there a second time
  const pid_t id = fork();
  if (id < 0) throw std::system_error(errno, std::generic_category(), "fork");
  if (id == 0) {
    lock.unlock();
    runChild(work, limits, out.get());
  }
  return {id, std::move(in)};
}

[[nodiscard]] std::string resultOf(Answer&& answer) {
  if (answer.outcome == Outcome::kInputError) throw InputError(answer.text);
  if (answer.outcome == Outcome::kNoMemory) throw std::bad_alloc();
  if (answer.outcome == Outcome::kOtherError) throw IsolatedFailure("failed (" + answer.text + ")");
  return std::move(answer.text);
}

}  // namespace

std::string runIsolated(const std::function<std::string()>& work, const IsolatedLimits& limits) {
  for (int attempts = 1;; ++attempts) {
    const Started started = start(work, limits);
    Child child(started.id, started.from.get(), limits);
    if (std::optional<Answer> answer = child.receive()) return resultOf(std::move(*answer));
    const std::string how = child.end();
    if (!child.mayHaveBeenBlocked() || attempts == 2) throw IsolatedFailure(how);
  }
}

}  // namespace odemesh::sim
