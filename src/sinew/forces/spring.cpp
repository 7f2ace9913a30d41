#include "sinew/forces/spring.h"

#include <array>

#include "sinew/core/error.h"

namespace sinew {

void Spring::bind(const Model& model) {
  if (body_a == body_b) throw Error(ErrorKind::Input, "body_b", "expected two different bodies, got the same twice");
  path_.bind(model, std::array{PathPoint{body_a, point_a}, PathPoint{body_b, point_b}});
}

}  // namespace sinew
