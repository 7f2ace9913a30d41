// Scenes as text for the tests of scene files, and what the reader says of wrong ones.
#pragma once

#include <string>
#include <vector>

#include "sinew/io/scene_reader.h"

namespace sinew {

/// A scene with one body and one joint; `more` is added to its end.
inline std::string small_scene(const std::string& more = "") {
  return "sinew: 1\n"
         "bodies:\n"
         "  - name: rod\n"
         "    shape: {type: box, size: [1, 2, 3], density: 10}\n"
         "joints:\n"
         "  - {name: hinge, type: revolute, child: rod, anchor: [0, 0, 0]}\n" +
         more;
}

/// Every message, "s.yaml:line:column path: ..."; empty if the scene is read.
inline std::vector<std::string> errors_of(const std::string& text, const std::vector<std::string>& overrides = {}) {
  std::vector<std::string> lines;
  try {
    read_scene_text(text, "s.yaml", overrides);
  } catch (const Error& error) {
    for (const Diagnostic& d : error.diagnostics()) lines.push_back(d.text());
  }
  return lines;
}

using Lines = std::vector<std::string>;

}  // namespace sinew
