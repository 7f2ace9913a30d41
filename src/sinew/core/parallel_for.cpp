#include "sinew/core/parallel_for.h"

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <thread>
#include <vector>

namespace sinew {

// A worker waits spinning for a short while, then sleeps: steps of a simulation come a few microseconds apart.
struct ThreadPool::Workers {
  std::vector<std::thread> threads;
  std::mutex mutex;
  std::condition_variable wake;
  std::atomic<std::uint64_t> round{0};
  std::atomic<int> unfinished{0};
  std::atomic<bool> stop{false};
  Task task = nullptr;
  const void* context = nullptr;
  std::size_t count = 0;

  int parts() const { return static_cast<int>(threads.size()) + 1; }
  void run_part(int part) const {
    const std::size_t parts_count = static_cast<std::size_t>(parts());
    const std::size_t begin = count * static_cast<std::size_t>(part) / parts_count;
    const std::size_t end = count * (static_cast<std::size_t>(part) + 1) / parts_count;
    if (begin < end) task(context, begin, end);
  }
  void work(int part) {
    constexpr int kSpins = 4000;
    std::uint64_t seen = 0;
    while (true) {
      for (int spin = 0; spin < kSpins && round.load(std::memory_order_acquire) == seen && !stop.load(); ++spin) {
        std::this_thread::yield();
      }
      if (round.load(std::memory_order_acquire) == seen) {
        std::unique_lock lock(mutex);
        wake.wait(lock, [&] { return stop.load() || round.load(std::memory_order_acquire) != seen; });
      }
      if (stop.load()) return;
      seen = round.load(std::memory_order_acquire);
      run_part(part);
      unfinished.fetch_sub(1, std::memory_order_release);
    }
  }
};

ThreadPool::ThreadPool(int threads) : workers_(std::make_unique<Workers>()) {
  workers_->threads.reserve(static_cast<std::size_t>(threads > 1 ? threads - 1 : 0));
  for (int part = 1; part < threads; ++part) workers_->threads.emplace_back();
  for (int part = 1; part < threads; ++part) {
    workers_->threads[static_cast<std::size_t>(part - 1)] = std::thread([w = workers_.get(), part] { w->work(part); });
  }
}

ThreadPool::~ThreadPool() {
  {
    const std::lock_guard lock(workers_->mutex);
    workers_->stop.store(true);
  }
  workers_->wake.notify_all();
  for (std::thread& thread : workers_->threads) thread.join();
}

int ThreadPool::threads() const { return workers_->parts(); }

void ThreadPool::run(std::size_t count, Task task, const void* context) {
  Workers& w = *workers_;
  {
    const std::lock_guard lock(w.mutex);
    w.task = task;
    w.context = context;
    w.count = count;
    w.unfinished.store(static_cast<int>(w.threads.size()), std::memory_order_relaxed);
    w.round.fetch_add(1, std::memory_order_release);
  }
  w.wake.notify_all();
  w.run_part(0);
  while (w.unfinished.load(std::memory_order_acquire) > 0) std::this_thread::yield();
}

}  // namespace sinew
