// Writes a YAML tree as text that reads back as the same tree, in YAML 1.1 and 1.2 alike.
#pragma once

#include <string>

#include "sinew/io/yaml_tree.h"

namespace sinew {

/// Block style; nodes with is_flow and lists of scalars in one line. Scalars with is_quoted, and those that must be,
/// are quoted.
std::string write_yaml(const YamlNode& root);

}  // namespace sinew
