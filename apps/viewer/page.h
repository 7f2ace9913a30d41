// The viewer as one HTML file: found next to the program, and filled with a stream or with where to get one.
#pragma once

#include <string>
#include <string_view>

namespace sinew {

/// The page as `make viewer` built it: SINEW_VIEWER if set, share/sinew/viewer.html beside an installed program, or where it was built.
/// Error{File} that says how to build it if there is none.
std::string read_viewer_page();

/// A page that carries its stream and needs no network.
std::string make_replay_page(std::string_view page, std::string_view stream, std::string_view title);

enum class PageSource { Stream, Live };
/// A page for the server: fetches /stream, or listens to /ws.
std::string make_served_page(std::string_view page, PageSource source);

}  // namespace sinew
