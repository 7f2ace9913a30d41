// The mechanisms of the experiments that no generator makes.
#pragma once

#include "reproduce/articulated_chain.h"

#include "sinew/simulation/scene_description.h"

namespace sinew::reproduce {

/// The scene of a chain in minimal coordinates: links at absolute angles from hanging down in the x-z plane, at rest, revolute joints
/// about y or spherical ones. Bodies "link1" ... with their frames at the centres of mass, joints "joint1" ...
enum class LinkJoint { Revolute, Spherical };
SceneDescription make_chain_scene(const std::vector<ChainLink>& links, const std::vector<double>& angles,
                                  LinkJoint joint);

/// The same, with the end of the last link joined to the world where it is at the start. The last link has spherical joints at both ends:
/// a planar loop of revolute joints alone would state three constraints twice.
SceneDescription make_loop_scene(const std::vector<ChainLink>& links, const std::vector<double>& angles,
                                 LinkJoint joint);

}  // namespace sinew::reproduce
