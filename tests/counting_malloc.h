// Counts every allocation of the program it is included in (once), those of Eigen too, by standing in front of malloc. Not under
// sanitizers, which stand there themselves: tests that count are left out then (SINEW_COUNTS_ALLOCATIONS is 0).
#pragma once

#include <atomic>
#include <cstddef>

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define SINEW_COUNTS_ALLOCATIONS 0
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define SINEW_COUNTS_ALLOCATIONS 0
#endif
#endif
#ifndef SINEW_COUNTS_ALLOCATIONS
#define SINEW_COUNTS_ALLOCATIONS 1
#endif

#if SINEW_COUNTS_ALLOCATIONS
namespace sinew::testing {
inline std::atomic<long> allocation_count{0};
}

extern "C" {
void* __libc_malloc(std::size_t size);
void* __libc_memalign(std::size_t alignment, std::size_t size);
void* malloc(std::size_t size) {
  ++sinew::testing::allocation_count;
  return __libc_malloc(size);
}
void* aligned_alloc(std::size_t alignment, std::size_t size) {
  ++sinew::testing::allocation_count;
  return __libc_memalign(alignment, size);
}
}
#endif
