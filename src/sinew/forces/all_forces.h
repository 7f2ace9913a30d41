// The forces that scene files can name. To add one: derive from Force, describe its fields, add it here. (Gravity is a property of the
// scene, not an entry of its list of forces.)
#pragma once

#include "sinew/core/type_list.h"
#include "sinew/forces/cable.h"
#include "sinew/forces/coordinate_law.h"
#include "sinew/forces/damping.h"
#include "sinew/forces/drag.h"
#include "sinew/forces/external_wrench.h"
#include "sinew/forces/joint_actuator.h"
#include "sinew/forces/joint_servo.h"
#include "sinew/forces/muscle.h"
#include "sinew/forces/spring.h"
#include "sinew/forces/spring_chain.h"

namespace sinew {

using AllForces = TypeList<ExternalWrench, JointActuator, Spring, JointSpring, Servo, CoordinateLaw, Cable, SpringChain,
                           Muscle, Damping, Drag>;
using AnyForce = AllForces::Variant;

}  // namespace sinew
