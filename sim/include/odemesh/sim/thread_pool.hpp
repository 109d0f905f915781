// Threads that wait for work and share it out.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace odemesh::sim {

/// One thread's share of the work is the caller's; the others are kept between calls. Not for use by several
/// callers at once.
class ThreadPool {
 public:
  /// `threads` counts the caller: with 1, or 0, no thread is made. Each thread that is made calls `on_start`
  /// before its first work and `on_end` after its last.
  explicit ThreadPool(
      unsigned threads, std::function<void()> on_start = [] {}, std::function<void()> on_end = [] {});
  ~ThreadPool();
  ThreadPool(const ThreadPool&) = delete;
  ThreadPool& operator=(const ThreadPool&) = delete;

  /// The threads and the caller.
  [[nodiscard]] std::size_t size() const { return threads_.size() + 1; }

  /// Calls `work(i, thread)` once for each i below `count`, in any order, with the number of the thread,
  /// below size(), that it runs on; returns when all are done. `work` must not throw.
  void forEach(std::size_t count, const std::function<void(std::size_t i, std::size_t thread)>& work);

 private:
  void serve(std::size_t thread);
  void takeItems(std::size_t thread);

  std::function<void()> on_start_, on_end_;
  const std::function<void(std::size_t, std::size_t)>* work_ = nullptr;
  std::size_t count_ = 0;
  std::atomic<std::size_t> next_{0};

  std::mutex mutex_;  ///< guards what follows
  std::condition_variable changed_;
  unsigned long long round_ = 0;  ///< counts calls of forEach
  std::size_t busy_ = 0;          ///< threads that have not finished this round
  bool ends_ = false;

  std::vector<std::thread> threads_;
};

}  // namespace odemesh::sim
