// Parameters from the command line, key=value, into any described struct: the same values, checks and messages as in scene files.
#pragma once

#include <string>
#include <vector>

#include "sinew/io/yaml_fields.h"
#include "sinew/io/yaml_overrides.h"

namespace sinew {

/// Throws Error with every finding; `where` names the parameter.
template <Described T>
T read_parameters(const std::vector<std::string>& pairs) {
  YamlNode root = YamlNode::map();
  std::vector<std::string> sources{std::string(T::kName)};
  for (const std::string& pair : pairs) {
    apply_override(root, pair, static_cast<int>(sources.size()));
    sources.push_back("--param " + pair);
  }
  YamlFindings findings(sources);
  static constexpr FieldInfo kInfo = required("", "", T::kDoc);
  T value;
  read_value(YamlPlace{root, "", kInfo, findings}, value);
  if (!findings.list().empty()) throw Error(ErrorKind::Input, findings.diagnostics());
  return value;
}

}  // namespace sinew
