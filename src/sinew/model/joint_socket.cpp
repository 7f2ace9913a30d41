#include "sinew/model/joint_socket.h"

#include <fmt/format.h>
#include <numbers>

namespace sinew {
namespace {

constexpr double kDegree = std::numbers::pi / 180;
constexpr double kLargestSwing = 179 * kDegree;  // with a range of twist

}  // namespace

std::string JointSocket::find_error() const {
  constexpr double kTurn = 2 * std::numbers::pi;
  if (swing && !(*swing <= kTurn / 2))
    return fmt::format("expected `swing` of at most 180deg, got {:.6g}deg", *swing / kDegree);
  if (twist_lower.has_value() != twist_upper.has_value())
    return "expected both `twist_lower` and `twist_upper` or none of them, got one";
  if (!twist_lower) return "";
  if (!(*twist_lower < *twist_upper && *twist_upper - *twist_lower < kTurn)) {
    return fmt::format("expected `twist_lower` < `twist_upper`, less than a turn apart, got {:.6g}deg and {:.6g}deg",
                       *twist_lower / kDegree, *twist_upper / kDegree);
  }
  if (!swing || *swing > kLargestSwing)
    return "expected `swing` of at most 179deg with a range of twist, which has no meaning at 180deg";
  return "";
}

}  // namespace sinew
