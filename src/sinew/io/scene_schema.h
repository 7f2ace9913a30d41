// JSON Schema (draft 2020-12) of scene files, for editors and other programs: one visitor over field declarations,
// which names no type.
#pragma once

#include <string>

namespace sinew {

/// What a schema can say of what the reader accepts; names that must exist and choices between keys are the reader's
/// alone.
std::string make_json_schema();

}  // namespace sinew
