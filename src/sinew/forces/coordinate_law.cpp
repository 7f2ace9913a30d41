#include "sinew/forces/coordinate_law.h"

#include <fmt/format.h>

#include "sinew/core/error.h"

namespace sinew {

void CoordinateLaw::bind(const Model& model) {
  if (joint.has_value() == !points.empty())
    throw Error(ErrorKind::Input, "",
                fmt::format("expected 'joint' or 'points', got {}", joint ? "both" : "neither of them"));
  if (potentials.empty() && efforts.empty())
    throw Error(ErrorKind::Input, "", "expected 'potential' or 'effort' or both, got neither of them");
  const auto complete = [&](auto& expressions, std::string_view field) {
    if (expressions.empty()) return;
    if (joint) return along_joint_.complete(expressions, "expression", field);
    if (expressions.size() != 1)
      throw Error(ErrorKind::Input, std::string(field),
                  fmt::format("expected 1 expression, for the length of the path, got {}", expressions.size()));
  };
  if (joint)
    along_joint_.bind(model, *joint);
  else
    along_path_.bind(model, points);
  complete(potentials, "potential");
  complete(efforts, "effort");
}

double CoordinateLaw::coordinate(int i, std::span<const BodyPlace> places, double near, std::span<Row> gradient) const {
  return joint ? along_joint_.value(i, places, near, gradient) : along_path_.length(places, gradient);
}

bool CoordinateLaw::compute_curvature(int, std::span<const BodyPlace> places, std::span<Mat6> out) const {
  if (!joint) along_path_.compute_curvature(places, out);
  return !joint;
}

// One variable at a time: a jet holds the derivatives along one.
Effort CoordinateLaw::effort(int i, double q, double v, const Moment& moment) const {
  const auto n = static_cast<std::size_t>(i);
  Effort out;
  if (!potentials.empty()) {
    const Jet V = potentials[n].at(q);
    out = {-V.rate, -V.acceleration, 0};
  }
  if (!efforts.empty()) {
    const Jet t{moment.time, 0, 0};
    const Jet by_q = efforts[n].at({Jet{q, 1, 0}, {v, 0, 0}, t});
    const Jet by_v = efforts[n].at({Jet{q, 0, 0}, {v, 1, 0}, t});
    out.value += by_q.value;
    out.by_coordinate += by_q.rate;
    out.by_rate = by_v.rate;
  }
  return out;
}

double CoordinateLaw::energy(int i, double q) const {
  return potentials.empty() ? 0 : potentials[static_cast<std::size_t>(i)].at(q).value;
}

}  // namespace sinew
