// What waits to be sent to one listener. Bounded: a slow one loses its oldest frames, but never the opening of the scene it is shown.
#pragma once

#include <cassert>
#include <deque>
#include <memory>
#include <string>
#include <utility>

namespace sinew {

struct ViewerMessage {
  enum class Kind { Opening, Frame, Event, Status };
  Kind kind;
  std::string data;  // binary, or JSON for Status
};
using SharedMessage = std::shared_ptr<const ViewerMessage>;

class MessageQueue {
 public:
  explicit MessageQueue(std::size_t most) : most_(most) { assert(most_ > 1); }

  /// An opening begins a scene anew: what waits before it is worthless.
  void push(SharedMessage message) {
    if (message->kind == ViewerMessage::Kind::Opening) {
      waiting_.clear();
    } else if (waiting_.size() >= most_) {
      const bool has_opening = waiting_.front()->kind == ViewerMessage::Kind::Opening;  // it can only be the first
      waiting_.erase(waiting_.begin() + (has_opening ? 1 : 0));
    }
    waiting_.push_back(std::move(message));
  }

  bool is_empty() const { return waiting_.empty(); }
  SharedMessage take() {
    SharedMessage first = std::move(waiting_.front());
    waiting_.pop_front();
    return first;
  }

 private:
  std::size_t most_;
  std::deque<SharedMessage> waiting_;
};

}  // namespace sinew
