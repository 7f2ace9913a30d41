// What waits for one listener of a live run: order, bound, and what an opening makes worthless.
#include "viewer/message_queue.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace sinew {
namespace {

using Kind = ViewerMessage::Kind;

SharedMessage message(Kind kind, std::string data) {
  return std::make_shared<const ViewerMessage>(ViewerMessage{kind, std::move(data)});
}

std::string drain(MessageQueue& queue) {
  std::string all;
  while (!queue.is_empty()) all += queue.take()->data + ' ';
  return all;
}

TEST(MessageQueue, KeepsTheOrder) {
  MessageQueue queue(8);
  for (const char* data : {"opening", "frame", "status"}) {
    queue.push(message(data[0] == 'o' ? Kind::Opening : data[0] == 'f' ? Kind::Frame : Kind::Status, data));
  }
  EXPECT_EQ(drain(queue), "opening frame status ");
}

TEST(MessageQueue, LosesTheOldestFramesButNotTheOpening) {
  MessageQueue queue(4);
  queue.push(message(Kind::Opening, "opening"));
  for (int k = 0; k < 1000; ++k) queue.push(message(Kind::Frame, fmt::format("{}", k)));
  EXPECT_EQ(drain(queue), "opening 997 998 999 ");
}

TEST(MessageQueue, AnOpeningMakesAllBeforeItWorthless) {
  MessageQueue queue(4);
  for (int k = 0; k < 100; ++k) {  // a slider of the time step is dragged, and nobody reads
    queue.push(message(Kind::Opening, fmt::format("opening{}", k)));
    queue.push(message(Kind::Frame, fmt::format("frame{}", k)));
    queue.push(message(Kind::Status, fmt::format("status{}", k)));
  }
  EXPECT_EQ(drain(queue), "opening99 frame99 status99 ");
}

}  // namespace
}  // namespace sinew
