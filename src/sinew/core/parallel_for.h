// Fixed-partition parallel loop. The index range is cut into one contiguous part per thread, always at the same places for a given
// thread count, and parts never share outputs, so results are the same bits for every thread count. No allocation per call.
#pragma once

#include <cstddef>
#include <memory>

namespace sinew {

class ThreadPool {
 public:
  /// `threads` counts the caller too: 1 makes a pool without workers.
  explicit ThreadPool(int threads = 1);
  ~ThreadPool();
  ThreadPool(const ThreadPool&) = delete;
  ThreadPool& operator=(const ThreadPool&) = delete;

  int threads() const;

  /// Calls body(begin, end) for a partition of [0, count); returns when all are done. Ranges shorter than `grain` per thread run on
  /// the calling thread alone.
  template <class Body>
  void for_ranges(std::size_t count, std::size_t grain, const Body& body) {
    if (threads() == 1 || count < grain * 2) {
      if (count > 0) body(std::size_t{0}, count);
      return;
    }
    run(
        count,
        [](const void* context, std::size_t begin, std::size_t end) {
          (*static_cast<const Body*>(context))(begin, end);
        },
        &body);
  }

 private:
  using Task = void (*)(const void* context, std::size_t begin, std::size_t end);
  void run(std::size_t count, Task task, const void* context);

  struct Workers;
  std::unique_ptr<Workers> workers_;
};

}  // namespace sinew
