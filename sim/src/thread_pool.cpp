#include <odemesh/sim/thread_pool.hpp>
#include <utility>

namespace odemesh::sim {

ThreadPool::ThreadPool(unsigned threads, std::function<void()> on_start, std::function<void()> on_end)
    : on_start_(std::move(on_start)), on_end_(std::move(on_end)) {
  for (std::size_t thread = 1; thread < threads; ++thread)
    threads_.emplace_back([this, thread] { serve(thread); });
}

ThreadPool::~ThreadPool() {
  {
    const std::scoped_lock lock(mutex_);
    ends_ = true;
  }
  changed_.notify_all();
  for (std::thread& thread : threads_) thread.join();
}

void ThreadPool::forEach(std::size_t count, const std::function<void(std::size_t, std::size_t)>& work) {
  if (threads_.empty()) {
    for (std::size_t i = 0; i < count; ++i) work(i, 0);
    return;
  }
  {
    const std::scoped_lock lock(mutex_);
    work_ = &work;
    count_ = count;
    next_ = 0;
    // A single item is not worth waking anyone for.
    if (count > 1) {
      busy_ = threads_.size();
      ++round_;
    }
  }
  if (count > 1) changed_.notify_all();
  takeItems(0);
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [this] { return busy_ == 0; });
}

void ThreadPool::serve(std::size_t thread) {
  on_start_();
  std::unique_lock lock(mutex_);
  for (unsigned long long seen = 0;; seen = round_) {
    changed_.wait(lock, [&] { return ends_ || round_ != seen; });
    if (ends_) break;
    lock.unlock();
    takeItems(thread);
    lock.lock();
    if (--busy_ == 0) changed_.notify_all();
  }
  lock.unlock();
  on_end_();
}

void ThreadPool::takeItems(std::size_t thread) {
  for (std::size_t i = next_++; i < count_; i = next_++) (*work_)(i, thread);
}

}  // namespace odemesh::sim
