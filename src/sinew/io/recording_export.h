// Recordings as text for other programs. Numbers are written in the shortest form that reads back as the same double.
#pragma once

#include <iosfwd>

#include "sinew/io/recording.h"

namespace sinew {

/// First line `time [s],energy.total [J],...`, then one line per frame. Fields are quoted where RFC 4180 asks for it.
void write_csv(const Recording& recording, const ColumnGroups& groups, std::ostream& out);

/// {"header": {...}, "is_truncated": false, "columns": [{"name": "time", "unit": "s", "values": [...]}, ...], "events":
/// [...]}
void write_json(const Recording& recording, const ColumnGroups& groups, std::ostream& out);

}  // namespace sinew
