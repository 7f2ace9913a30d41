// Factorisation and substitution allocate nothing: every operator new of this program is counted.
#include <atomic>
#include <cstdlib>
#include <gtest/gtest.h>
#include <new>

#include "linalg/random_systems.h"

namespace {
std::atomic<long> allocation_count{0};

void* allocate(std::size_t size) {
  ++allocation_count;
  void* memory = std::malloc(size);
  if (memory == nullptr) throw std::bad_alloc();
  return memory;
}
}  // namespace

void* operator new(std::size_t size) { return allocate(size); }
void* operator new[](std::size_t size) { return allocate(size); }
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete[](void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }
void operator delete[](void* memory, std::size_t) noexcept { std::free(memory); }

namespace sinew::test {
namespace {

TEST(GraphLduAllocation, NoneInFactorizeAndSolve) {
  Random random(41);
  const Mechanism mechanism =
      make_mechanism(5, {{-1, 0, 5}, {0, 1, 3}, {1, 2, 3}, {2, 3, 3}, {3, 0, 3}, {2, 4, 5}, {-1, 4, 1}});
  GraphLdu ldu = make_solver(mechanism);
  fill_mechanism(random, mechanism, ldu);
  VecX x = draw_matrix(random, ldu.dimension(), 1);
  const long before = allocation_count;
  ldu.set_fill_zero();
  const Factorization factorization = ldu.factorize();
  ldu.solve(x);
  EXPECT_EQ(allocation_count - before, 0);
  EXPECT_TRUE(factorization.ok);
  EXPECT_GT(before, 0);
}

}  // namespace
}  // namespace sinew::test
