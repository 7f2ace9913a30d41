#include "sinew/io/scene_writer.h"

#include "sinew/io/yaml_nodes.h"
#include "sinew/io/yaml_writer.h"

namespace sinew {

std::string write_scene_text(const SceneDescription& scene) { return write_yaml(make_node(scene)); }

}  // namespace sinew
