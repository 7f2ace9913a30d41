// Reads a whole recording into memory.
#pragma once

#include <string>

#include "sinew/io/recording.h"

namespace sinew {

/// A recording that was cut off (killed run, full disk) is read up to its last whole chunk, with is_truncated set.
/// Error{File} if the file is damaged, is no recording, or was cut off before its header.
Recording read_recording(const std::string& path);

}  // namespace sinew
