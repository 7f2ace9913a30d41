#include "cli/recording_argument.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <fmt/format.h>
#include <fstream>

#include "cli/scene_argument.h"

#include "sinew/core/error.h"

namespace sinew::cli {
namespace {

bool is_scene(const std::string& path) {
  if (std::filesystem::exists(path)) return path.ends_with(".yaml") || path.ends_with(".yml");
  const auto scenes = list_scenes();
  return std::any_of(scenes.begin(), scenes.end(), [&](const auto& scene) { return scene.first == path; });
}

}  // namespace

bool is_recording(const std::string& path) {
  constexpr std::string_view kMagic = "\x89MCAP";
  std::array<char, kMagic.size()> head{};
  std::ifstream file(path, std::ios::binary);
  file.read(head.data(), head.size());
  return std::string_view(head.data(), head.size()) == kMagic || path.ends_with(".mcap");
}

Recording read_recording_argument(const std::string& path) {
  if (!is_recording(path) && is_scene(path))
    throw Error(ErrorKind::Input, path,
                fmt::format("is a scene, not a recording: `sinew run {} --record out.mcap` makes one of it", path));
  Recording recording = read_recording(path);
  if (recording.is_truncated)
    fmt::print(stderr, "{}: the recording was cut off; these are its {} whole frames\n", path, recording.frames());
  return recording;
}

}  // namespace sinew::cli
