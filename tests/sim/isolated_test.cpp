#include "isolated.hpp"

#include <gtest/gtest.h>
#include <sys/mman.h>
#include <unistd.h>

#include <atomic>
#include <csignal>
#include <cstdlib>
#include <latch>
#include <mutex>
#include <new>
#include <odemesh/sim/input_error.hpp>
#include <thread>
#include <vector>

namespace odemesh::sim {
namespace {

std::string failureOf(const std::function<std::string()>& work, const IsolatedLimits& limits = {}) {
  try {
    return "done: " + runIsolated(work, limits);
  } catch (const IsolatedFailure& failure) {
    return failure.what();
  }
}

TEST(Isolated, GivesBackWhatTheWorkReturns) {
  EXPECT_EQ(runIsolated([] { return std::string(); }, {}), "");
  std::string large(5'000'000, 'x');  // more than a pipe holds
  large[2'500'000] = '\0';
  EXPECT_EQ(runIsolated([&] { return large; }, {}), large);
}

TEST(Isolated, LeavesNothingElseBehind) {
  int changed = 0;
  EXPECT_EQ(runIsolated([&] { return std::to_string(++changed); }, {}), "1");
  EXPECT_EQ(changed, 0);
}

TEST(Isolated, SaysHowTheWorkDied) {
  EXPECT_EQ(failureOf([]() -> std::string { std::abort(); }), "crashed (Aborted)");
  EXPECT_EQ(failureOf([]() -> std::string {
              std::raise(SIGSEGV);
              return {};
            }),
            "crashed (Segmentation fault)");
  EXPECT_EQ(failureOf([]() -> std::string { std::_Exit(3); }), "ended without a result");
}

TEST(Isolated, StopsWorkThatDoesNotEnd) {
  const auto forever = []() -> std::string {
    for (volatile unsigned i = 0;;) i = i + 1;
  };
  IsolatedLimits limits;
  limits.cpu_seconds = 1;
  EXPECT_EQ(failureOf(forever, limits), "was stopped after 1 s of processor time");
}

TEST(Isolated, StopsWorkThatAnotherThreadsLockBlocks) {
  std::mutex mutex;
  std::latch locked(1), done(1);
  std::thread holder([&] {
    const std::lock_guard lock(mutex);
    locked.count_down();
    done.wait();
  });
  locked.wait();
  IsolatedLimits limits;
  limits.idle_seconds = 1;
  const auto blocked = [&]() -> std::string {
    const std::lock_guard lock(mutex);
    return "went through";
  };
  EXPECT_EQ(failureOf(blocked, limits), "was stopped after 1 s of waiting for something");
  done.count_down();
  holder.join();
}

TEST(Isolated, StopsWorkThatIsNeitherIdleNorBusyForLong) {
  const auto dawdling = []() -> std::string {
    for (;;) usleep(1000);
  };
  IsolatedLimits limits;
  limits.wall_seconds = 2;
  EXPECT_EQ(failureOf(dawdling, limits), "was stopped after 2 s of time");
}

TEST(Isolated, DoesWorkAgainThatWasBlocked) {
  void* const shared =
      mmap(nullptr, sizeof(std::atomic<int>), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  ASSERT_NE(shared, MAP_FAILED);
  auto& attempts = *new (shared) std::atomic<int>(0);
  const auto blocked_once = [&]() -> std::string {
    if (++attempts == 1) pause();
    return "attempt " + std::to_string(attempts);
  };
  IsolatedLimits limits;
  limits.idle_seconds = 3;  // so that a busy machine is not taken for a second block
  EXPECT_EQ(failureOf(blocked_once, limits), "done: attempt 2");
  munmap(shared, sizeof(std::atomic<int>));
}

TEST(Isolated, ExceptionsComeThrough) {
  EXPECT_THROW(static_cast<void>(runIsolated([]() -> std::string { throw InputError("bad"); }, {})),
               InputError);
  EXPECT_THROW(static_cast<void>(runIsolated([]() -> std::string { throw std::bad_alloc(); }, {})),
               std::bad_alloc);
  EXPECT_EQ(failureOf([]() -> std::string { throw std::runtime_error("odd"); }), "failed (odd)");
}

TEST(Isolated, WorksFromManyThreads) {
  std::atomic<int> right = 0;
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i)
    threads.emplace_back([&right, i] {
      for (int k = 0; k < 10; ++k)
        if (runIsolated([&] { return std::to_string(i * k); }, {}) == std::to_string(i * k)) ++right;
    });
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(right, 40);
}

}  // namespace
}  // namespace odemesh::sim
