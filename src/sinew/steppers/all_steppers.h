// The stepper family, as their option structs. To add one: write its options with make_stepper(), add it here.
#pragma once

#include "sinew/core/type_list.h"
#include "sinew/steppers/maximal/maximal.h"
#include "sinew/steppers/reduced/reduced.h"
#include "sinew/steppers/variational/variational.h"

namespace sinew {

using AllSteppers = TypeList<Variational, Reduced, Maximal>;
using AnyStepper = AllSteppers::Variant;

}  // namespace sinew
