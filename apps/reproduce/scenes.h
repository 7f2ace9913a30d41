// The mechanisms of the experiments that no generator makes.
#pragma once

#include "reproduce/articulated_chain.h"

#include "sinew/generators/chain.h"

namespace sinew::reproduce {

/// The scene of a chain in minimal coordinates: links at absolute angles from hanging down in the x-z plane, at rest, revolute joints
/// about y or spherical ones. Bodies "link1" ... with their frames at the centres of mass, joints "joint1" ...
SceneDescription make_chain_scene(const std::vector<ChainLink>& links, const std::vector<double>& angles,
                                  ChainJoint joint = ChainJoint::Revolute);

/// The same, with the end of the last link joined to the world where it is at the start.
SceneDescription make_loop_scene(const std::vector<ChainLink>& links, const std::vector<double>& angles,
                                 ChainJoint joint = ChainJoint::Revolute);

}  // namespace sinew::reproduce
