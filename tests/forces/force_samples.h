// Samples of every force, made from its fields alone: a visitor fills them with random values inside their ranges. New forces are sampled
// without edits. The bodies are called a, b and c; the joint j has two coordinates.
#pragma once

#include <array>
#include <fmt/format.h>
#include <optional>
#include <random>
#include <variant>
#include <vector>

#include "sinew/core/fields.h"
#include "sinew/core/signal.h"
#include "sinew/core/types.h"
#include "sinew/forces/coordinate_law.h"

namespace sinew::testing {

class ForceFiller {
 public:
  /// With `is_lossless`, fields called `damping` stay zero and given efforts are left out.
  explicit ForceFiller(unsigned seed, bool is_lossless = false) : generator_(seed), is_lossless_(is_lossless) {}

  template <class Member>
  void operator()(const FieldInfo& info, Member& member) {
    if (is_lossless_ && (info.name == "damping" || std::is_same_v<Member, std::vector<CoordinateLaw::GivenEffort>>))
      return;
    fill(info, member);
  }

 private:
  void fill(const FieldInfo& info, double& value) { value = std::max(info.minimum, 0.0) + number(.3, 1.2); }
  void fill(const FieldInfo&, bool& value) { value = number(-1, 1) > 0; }
  void fill(const FieldInfo&, std::string&) {}
  void fill(const FieldInfo&, BodyName& value) { value.name = std::string(1, static_cast<char>('a' + body_++ % 3)); }
  void fill(const FieldInfo&, JointName& value) { value.name = "j"; }
  void fill(const FieldInfo&, Vec3& value) {
    for (double& x : value) x = number(-.3, .3);
  }
  void fill(const FieldInfo&, Signal& value) {  // a wave; tables and expressions would contradict it
    value.offset = number(.3, 1.2);
    value.amplitude = number(.3, 1.2);
    value.frequency = number(.3, 1.2);
    value.phase = number(.3, 1.2);
    value.start = number(.3, 1.2);
  }
  void fill(const FieldInfo&, CoordinateLaw::Potential& value) {
    value = CoordinateLaw::Potential(
        fmt::format("{}*q^2 + {}*q^4 - cos({}*q)", number(.3, 1.2), number(.3, 1.2), number(.3, 1.2)));
  }
  void fill(const FieldInfo&, CoordinateLaw::GivenEffort& value) {  // takes energy away, at any q
    value = CoordinateLaw::GivenEffort(fmt::format("{}*sin({}*t) - q^3 - ({} + {}*q^2)*v - tanh({}*v)", number(.3, 1.2),
                                                   number(.3, 1.2), number(.3, 1.2), number(.3, 1.2), number(.3, 1.2)));
  }
  template <class E>
    requires std::is_enum_v<E>
  void fill(const FieldInfo&, E& value) {
    value = static_cast<E>(generator_() % enum_names(value).size());
  }
  template <class T>
  void fill(const FieldInfo&, std::optional<T>&) {}
  void fill(const FieldInfo& info, std::vector<double>& values) {
    values.resize(2);
    for (double& value : values) fill(info, value);
  }
  template <class T>
  void fill(const FieldInfo& info, std::vector<T>& values) {
    values.resize(3);
    for (T& value : values) fill(info, value);
  }
  template <Described T>
  void fill(const FieldInfo&, T& value) {
    T::visit_fields(value, *this);
  }

  double number(double from, double to) { return std::uniform_real_distribution<double>(from, to)(generator_); }

  std::mt19937 generator_;
  bool is_lossless_;
  int body_ = 0;
};

/// Of the fields that exclude each other, those for a joint or for a path.
inline void complete_law(bool is_along_joint, CoordinateLaw& law) {
  const std::size_t count = is_along_joint ? 2 : 1;
  if (is_along_joint) {
    law.joint = JointName{"j"};
    law.points.clear();
  }
  law.potentials.resize(count);
  if (!law.efforts.empty()) law.efforts.resize(count);
}

template <class F>
F make_force_sample(unsigned seed, bool is_lossless = false) {
  F force;
  ForceFiller filler(seed, is_lossless);
  F::visit_fields(force, filler);
  if constexpr (std::is_same_v<F, CoordinateLaw>) complete_law(seed % 2 == 0, force);
  return force;
}

}  // namespace sinew::testing
