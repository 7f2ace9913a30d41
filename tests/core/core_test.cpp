// Suggestions, hashes and the fixed-partition loop.
#include <atomic>
#include <gtest/gtest.h>
#include <vector>

#include "sinew/core/error.h"
#include "sinew/core/hash.h"
#include "sinew/core/parallel_for.h"

namespace sinew {
namespace {

TEST(Suggestion, FindsMisspeltNames) {
  const std::vector<std::string> names = {"revolute", "prismatic", "spherical"};
  EXPECT_EQ(find_nearest_name("revolut", names), "revolute");
  EXPECT_EQ(find_nearest_name("pirsmatic", names), "prismatic");
  EXPECT_EQ(find_nearest_name("Spherical", names), "spherical");
  EXPECT_EQ(find_nearest_name("banana", names), "");
  EXPECT_EQ(make_suggestion("banana", names), " (known: revolute, prismatic, spherical)");
}

TEST(Error, SaysEveryFinding) {
  const Error error(ErrorKind::Input, {{"a", "one"}, {"", "two"}});
  EXPECT_STREQ(error.what(), "a: one\ntwo");
}

TEST(Hash, IsFnv1a) {  // published test vectors
  Hash hash;
  EXPECT_EQ(hash.value(), 0xcbf29ce484222325ULL);
  hash.add("foobar");
  EXPECT_EQ(hash.value(), 0x85944171f73967e8ULL);
}

TEST(ThreadPool, VisitsEveryIndexOnceInEveryRound) {
  for (const int threads : {1, 2, 5}) {
    ThreadPool pool(threads);
    EXPECT_EQ(pool.threads(), threads);
    std::vector<int> visits(1003, 0);
    for (int round = 0; round < 200; ++round) {
      pool.for_ranges(visits.size(), 10, [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i) ++visits[i];
      });
    }
    for (const int count : visits) EXPECT_EQ(count, 200);
  }
}

TEST(ThreadPool, RunsShortRangesOnTheCaller) {
  ThreadPool pool(2);
  int calls = 0;
  pool.for_ranges(15, 10, [&](std::size_t begin, std::size_t end) {
    ++calls;
    EXPECT_EQ(begin, 0u);
    EXPECT_EQ(end, 15u);
  });
  pool.for_ranges(0, 10, [&](std::size_t, std::size_t) { ++calls; });
  EXPECT_EQ(calls, 1);
}

}  // namespace
}  // namespace sinew
