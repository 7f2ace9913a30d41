// Other programs: a browser without a window draws pages, ffmpeg makes films. Neither is needed for anything else.
#pragma once

#include <functional>
#include <string>
#include <vector>

namespace sinew {

/// Full path of the first of the names on PATH, or empty.
std::string find_program(const std::vector<std::string>& names);

/// A Chromium (SINEW_BROWSER if set); Error{Input} naming the Debian package if there is none.
std::string find_browser();
/// Error{Input} naming the Debian package if there is none.
std::string find_ffmpeg();

/// Runs to the end with standard output in `output` ("" for none) and standard error dropped; its exit code. While it waits it calls `while_waiting` now and then.
int run_program(const std::vector<std::string>& command, const std::string& output,
                const std::function<void()>& while_waiting = {});

struct PictureSize {
  int width = 1280, height = 720;
};

/// Arguments that make `browser` draw `page` (a file and what follows #) in software, in a profile of its own.
std::vector<std::string> browser_command(const std::string& browser, const std::string& profile,
                                         const PictureSize& size);

/// Opens an address in the user's browser, which lives on after Ctrl-C; false if there is no way to.
bool open_in_browser(const std::string& url);

}  // namespace sinew
