#include "viewer/page.h"

#include <cstdlib>
#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <iterator>
#include <vector>

#include "sinew/core/error.h"
#include "sinew/io/viewer_codec.h"

namespace sinew {
namespace {

constexpr std::string_view kStreamPlace = "<!--sinew-stream-->";  // in viewer/index.html

std::vector<std::filesystem::path> page_places() {
  std::vector<std::filesystem::path> places;
  if (const char* chosen = std::getenv("SINEW_VIEWER")) places.emplace_back(chosen);
  std::error_code error;
  const std::filesystem::path program = std::filesystem::read_symlink("/proc/self/exe", error);
  if (!error) places.push_back(program.parent_path().parent_path() / "share" / "sinew" / "viewer.html");
  places.emplace_back(SINEW_VIEWER_PAGE);
  return places;
}

std::string filled(std::string_view page, std::string_view content) {
  const std::size_t place = page.find(kStreamPlace);
  if (place == std::string_view::npos) throw Error(ErrorKind::File, "viewer.html", "not a viewer page of this version");
  std::string out(page.substr(0, place));
  out.reserve(page.size() + content.size());
  out += content;
  out += page.substr(place + kStreamPlace.size());
  return out;
}

std::string escaped(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == '<') {
      out += "&lt;";
    } else if (c == '&') {
      out += "&amp;";
    } else {
      out += c;
    }
  }
  return out;
}

}  // namespace

std::string read_viewer_page() {
  for (const std::filesystem::path& place : page_places()) {
    std::ifstream file(place, std::ios::binary);
    if (file) return {std::istreambuf_iterator<char>(file), {}};
  }
  throw Error(
      ErrorKind::File, "viewer",
      fmt::format("this build of Sinew has no viewer page (looked for {}); `make viewer` builds it and needs Node.js",
                  page_places().back().string()));
}

std::string make_replay_page(std::string_view page, std::string_view stream, std::string_view title) {
  std::string out =
      filled(page, fmt::format("<script id=\"sinew-stream\" type=\"text/plain\">{}</script>", to_base64(stream)));
  constexpr std::string_view kTitle = "<title>Sinew</title>";
  if (const std::size_t at = out.find(kTitle); at != std::string::npos)
    out.replace(at, kTitle.size(), fmt::format("<title>{} · Sinew</title>", escaped(title)));
  return out;
}

std::string make_served_page(std::string_view page, PageSource source) {
  return filled(page,
                fmt::format("<script id=\"sinew-source\" type=\"application/json\">{{\"source\":\"{}\"}}</script>",
                            source == PageSource::Live ? "live" : "stream"));
}

}  // namespace sinew
