#include "sinew/model/prescribed_motion.h"

#include <fmt/format.h>

namespace sinew {

std::string PrescribedMotion::find_error() const {
  const int given = position.has_value() + velocity.has_value() + acceleration.has_value();
  if (given > 1) return fmt::format("expected one of position, velocity and acceleration, got {}", given);
  if (is_free()) return "";
  const Signal& s = signal();
  const std::string_view name = position ? "position" : velocity ? "velocity" : "acceleration";
  if (const std::string error = s.find_error(); !error.empty()) return fmt::format("{}: {}", name, error);
  if (s.start != 0 || s.end)
    return fmt::format("expected no start and no end of {}, which must hold at all times", name);
  if (position && s.is_table() && s.interpolation != Interpolation::Spline)
    return "expected interpolation: spline for a table of positions, because its rate would jump otherwise";
  if (velocity && s.is_table() && s.interpolation == Interpolation::Step)
    return "expected interpolation: linear or spline for a table of velocities, which must not jump";
  return "";
}

void PrescribedMotion::prepare() {
  for (std::optional<Signal>* s : {&position, &velocity, &acceleration})
    if (*s) (*s)->prepare("motion");
}

}  // namespace sinew
