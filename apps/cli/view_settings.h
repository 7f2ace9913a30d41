// SETTINGS of `sinew render --view`: what stands after # in the address of a page (docs/viewer_stream.md). The page leaves out what it does not understand;
// here it is refused.
#pragma once

#include <string>

#include "sinew/io/recording.h"

namespace sinew::cli {

/// Throws Error{Input} that says what was expected and got: for unknown settings and layers, numbers that are none, and names that are not in the
/// recording.
void check_view_settings(const std::string& settings, const Recording& recording);

/// Throws Error{Input} unless the recording has a moment at `time` [s].
void check_time(const std::string& option, double time, const Recording& recording);

}  // namespace sinew::cli
