// The joint family. To add a joint: write its struct (joint.h says what it offers) and add it here; scene files, schema, docs,
// steppers and law tests find it through this list.
#pragma once

#include "sinew/core/type_list.h"
#include "sinew/joints/fixed.h"
#include "sinew/joints/prismatic.h"
#include "sinew/joints/revolute.h"
#include "sinew/joints/spherical.h"

namespace sinew {

using AllJoints = TypeList<Fixed, Revolute, Prismatic, Spherical>;
using AnyJoint = AllJoints::Variant;

}  // namespace sinew
