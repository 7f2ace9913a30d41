// Changes to a document from the command line, made before it is read: bodies[1].mass=2, stepper.tolerance=1e-12,
// joints[hinge1].axis=[0,1,0]. In brackets stands a number from 0 or the `name` of an item; the value is YAML.
#pragma once

#include <string>
#include <string_view>

#include "sinew/io/yaml_tree.h"

namespace sinew {

/// Keys that are not in the document are added (the reader refuses the ones it does not know); items must exist.
/// `source` is the number the marks of the new value carry. Throws Error{Input} whose `where` is "--set <text>".
void apply_override(YamlNode& root, std::string_view text, int source);

/// How an override is named in messages: "--set <text>".
std::string override_name(std::string_view text);

}  // namespace sinew
