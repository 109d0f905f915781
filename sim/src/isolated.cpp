#include "isolated.hpp"

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <fstream>
#include <new>
#include <odemesh/sim/input_error.hpp>
#include <system_error>

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
  ~Descriptor() { close(); }

  [[nodiscard]] int get() const { return number_; }
  void close() {
    if (number_ >= 0) ::close(number_);
    number_ = -1;
  }

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

/// False if the other end closed first.
[[nodiscard]] bool readAll(int file, void* data, std::size_t size) {
  char* next = static_cast<char*>(data);
  while (size > 0) {
    const ssize_t got = ::read(file, next, size);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return false;
    next += got;
    size -= static_cast<std::size_t>(got);
  }
  return true;
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

[[nodiscard]] bool receive(int in, Answer& answer) {
  std::uint64_t size = 0;
  if (!readAll(in, &answer.outcome, sizeof answer.outcome) || !readAll(in, &size, sizeof size)) return false;
  answer.text.resize(size);
  return readAll(in, answer.text.data(), answer.text.size());
}

/// How a process that gave no answer ended.
[[nodiscard]] std::string endOf(pid_t child, const IsolatedLimits& limits) {
  int status = 0;
  pid_t ended = -1;
  do ended = waitpid(child, &status, 0);
  while (ended < 0 && errno == EINTR);
  if (ended != child || !WIFSIGNALED(status)) return "ended without a result";
  if (WTERMSIG(status) == SIGXCPU)
    return "was stopped after " + std::to_string(limits.cpu_seconds) + " s of processor time";
  return std::string("crashed (") + strsignal(WTERMSIG(status)) + ")";
}

}  // namespace

std::string runIsolated(const std::function<std::string()>& work, const IsolatedLimits& limits) {
  std::array<int, 2> ends{};
  if (pipe2(ends.data(), O_CLOEXEC) != 0) throw std::system_error(errno, std::generic_category(), "pipe");
  Descriptor in(ends[0]), out(ends[1]);
  const pid_t child = fork();
  if (child < 0) throw std::system_error(errno, std::generic_category(), "fork");
  if (child == 0) runChild(work, limits, out.get());
  out.close();
  Answer answer{};
  const bool answered = receive(in.get(), answer);
  in.close();
  const std::string end = endOf(child, limits);
  if (!answered) throw IsolatedFailure(end);
  if (answer.outcome == Outcome::kInputError) throw InputError(answer.text);
  if (answer.outcome == Outcome::kNoMemory) throw std::bad_alloc();
  if (answer.outcome == Outcome::kOtherError) throw IsolatedFailure("failed (" + answer.text + ")");
  return std::move(answer.text);
}

}  // namespace odemesh::sim
