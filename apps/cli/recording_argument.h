// RECORDING on the command line.
#pragma once

#include <string>

#include "sinew/io/recording_reader.h"

namespace sinew::cli {

/// By its first bytes, or by its name.
bool is_recording(const std::string& path);

/// Reads it whole; one that was cut off as far as it goes, and says so on stderr. Throws Error; for a scene it says how to record one.
Recording read_recording_argument(const std::string& path);

}  // namespace sinew::cli
