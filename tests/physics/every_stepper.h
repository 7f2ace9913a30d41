// Tests that every stepper must pass, with the stepper as GetParam():
//   class Thing : public StepperTest {};
//   INSTANTIATE_TEST_SUITE_P(Steppers, Thing, every_stepper(), stepper_name);
#pragma once

#include "physics/mechanisms.h"

namespace sinew::testing {

class StepperTest : public ::testing::TestWithParam<AnyStepper> {};

inline auto every_stepper() { return ::testing::Values(Variational{}, Maximal{}, Reduced{}); }

inline std::string stepper_name(const ::testing::TestParamInfo<AnyStepper>& info) {
  return std::visit([](const auto& stepper) { return std::string(stepper.kName); }, info.param);
}

}  // namespace sinew::testing
