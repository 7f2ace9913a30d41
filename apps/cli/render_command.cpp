// sinew render: a recording as one self-contained page, as pictures or as a film.
#include <CLI/CLI.hpp>
#include <charconv>
#include <filesystem>
#include <fmt/format.h>

#include "cli/command.h"
#include "cli/number_check.h"
#include "cli/output_files.h"
#include "cli/page_pictures.h"
#include "cli/recording_argument.h"
#include "cli/view_settings.h"
#include "viewer/page.h"

#include "sinew/core/error.h"
#include "sinew/io/viewer_stream.h"

namespace sinew::cli {
namespace {

namespace fs = std::filesystem;

struct RenderOptions {
  std::string recording, page, png, frames, mp4, webm, theme = "light", view;
  std::string size = "1280x720";
  std::optional<double> time;
  double fps = 30;
  double speed = 1;

  bool needs_film() const { return !mp4.empty() || !webm.empty(); }
  bool needs_pictures() const { return needs_film() || !png.empty() || !frames.empty(); }
};

PictureSize parse_size(const std::string& text) {
  int width = 0, height = 0;
  const char* const end = text.data() + text.size();
  const std::from_chars_result first = std::from_chars(text.data(), end, width);
  const bool has_cross = first.ec == std::errc{} && first.ptr != end && *first.ptr == 'x';
  const std::from_chars_result second = std::from_chars(has_cross ? first.ptr + 1 : end, end, height);
  if (!has_cross || second.ec != std::errc{} || second.ptr != end || width < 16 || height < 16 || width > 7680 ||
      height > 7680) {
    throw Error(ErrorKind::Input, "--size", fmt::format("expected WIDTHxHEIGHT such as 1280x720, got '{}'", text));
  }
  return {width, height};
}

void check_ending(const std::string& option, const std::string& path, std::string_view ending) {
  if (path.empty() || path.ends_with(ending)) return;
  throw Error(ErrorKind::Input, option, fmt::format("expected a file name ending in {}, got '{}'", ending, path));
}

// All that can be said before the recording is read.
void check_options(const RenderOptions& options) {
  if (options.page.empty() && options.png.empty() && options.frames.empty() && !options.needs_film())
    throw Error(ErrorKind::Input, "render",
                "expected something to write: -o page.html, --png, --frames, --mp4 or --webm");
  check_ending("--png", options.png, ".png");
  check_ending("--mp4", options.mp4, ".mp4");
  check_ending("--webm", options.webm, ".webm");
  std::vector<NamedFile> outputs{
      {"-o", options.page}, {"--png", options.png}, {"--mp4", options.mp4}, {"--webm", options.webm}};
  check_outputs({{"the recording", options.recording}}, outputs);
  if (!options.frames.empty()) check_folder("--frames", options.frames);
  parse_size(options.size);
  if (options.needs_film()) find_ffmpeg();
  if (options.needs_pictures()) find_browser();
}

int render(const RenderOptions& options) {
  check_options(options);
  const Recording recording = read_recording_argument(options.recording);
  check_view_settings(options.view, recording);
  if (options.time) check_time("--time", *options.time, recording);
  if (options.needs_pictures() && recording.frames() == 0)
    throw Error(ErrorKind::File, options.recording, "has no frames: there is nothing to draw");
  const FilmOptions film{.fps = options.fps, .speed = options.speed};
  const int frames = options.needs_film() || !options.frames.empty()
                         ? count_frames(recording.times.back() - recording.times.front(), film)
                         : 0;
  const std::string page =
      make_replay_page(read_viewer_page(), encode_viewer_stream(recording), recording.header.scene_name);
  if (!options.page.empty()) {
    write_output(options.page, page);
    fmt::print("{}: {} frames, {:.2f} MB\n", options.page, recording.frames(), static_cast<double>(page.size()) / 1e6);
  }
  if (!options.needs_pictures()) return kOk;

  const TemporaryFolder work;
  const PageView view{work / "page.html", options.theme, options.view, parse_size(options.size)};
  write_output(view.page, page);
  if (!options.png.empty()) {
    draw_picture(view, work, options.time.value_or(recording.times.back()), options.png);
    fmt::print("{}\n", options.png);
  }
  if (frames == 0) return kOk;
  const fs::path folder = options.frames.empty() ? work / "frames" : fs::path(options.frames);
  make_folder("--frames", folder);
  draw_frames(view, work, film, frames, folder);
  if (!options.frames.empty()) fmt::print("{}: {} pictures\n", options.frames, frames);
  for (const std::string& file : {options.mp4, options.webm}) {
    if (file.empty()) continue;
    const fs::path made = work / ("film" + fs::path(file).extension().string());
    write_film(folder, film, made);
    move_output(made, file);
    fmt::print("{}: {} pictures at {} per second\n", file, frames, options.fps);
  }
  return kOk;
}

}  // namespace

void add_render(CLI::App& app, Action& action) {
  auto options = std::make_shared<RenderOptions>();
  CLI::App* command = app.add_subcommand("render", "turn a recording into a page, pictures or a film");
  command->add_option("RECORDING", options->recording, "recording (.mcap)")->required();
  command->add_option("-o,--output", options->page, "one self-contained page that replays it in any browser")
      ->type_name("FILE.html");
  command->add_option("--png", options->png, "one picture (needs chromium)")->type_name("FILE.png");
  command->add_option("--frames", options->frames, "pictures of all times (needs chromium)")->type_name("FOLDER");
  command->add_option("--mp4", options->mp4, "film (needs chromium and ffmpeg)")->type_name("FILE.mp4");
  command->add_option("--webm", options->webm, "film (needs chromium and ffmpeg)")->type_name("FILE.webm");
  command->add_option("--time", options->time, "time of the picture in s; the last frame if not given")
      ->check(nonnegative_number());
  command->add_option("--size", options->size, "of pictures and films, in pixels")->capture_default_str();
  command->add_option("--fps", options->fps, "pictures per second of film")
      ->check(CLI::Range(1.0, 240.0))
      ->capture_default_str();
  command->add_option("--speed", options->speed, "simulated seconds per second of film")
      ->check(positive_number())
      ->capture_default_str();
  command->add_option("--theme", options->theme, "light or dark")
      ->check(CLI::IsMember({"light", "dark"}))
      ->capture_default_str();
  command
      ->add_option("--view", options->view,
                   "settings of the viewer, as after # in its address: show=joints,coms&camera=...")
      ->type_name("SETTINGS");
  command->footer("Example: sinew render out.mcap -o out.html --png out.png --time 2.5");
  command->callback([options, &action] { action = [options] { return render(*options); }; });
}

}  // namespace sinew::cli
