// sinew render: a recording as one self-contained page, as pictures or as a film.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fmt/format.h>
#include <fstream>

#include "cli/command.h"
#include "cli/number_check.h"
#include "cli/recording_argument.h"
#include "viewer/page.h"
#include "viewer/programs.h"

#include "sinew/core/error.h"
#include "sinew/io/viewer_codec.h"
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
};

class TemporaryFolder {
 public:
  TemporaryFolder() {
    std::string name = (fs::temp_directory_path() / "sinew-render-XXXXXX").string();
    if (::mkdtemp(name.data()) == nullptr) throw Error(ErrorKind::File, name, "cannot make a temporary folder");
    path_ = name;
  }
  ~TemporaryFolder() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
  }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  fs::path operator/(const std::string& name) const { return path_ / name; }

 private:
  fs::path path_;
};

void write_file(const std::string& path, std::string_view bytes) {
  std::ofstream file(path, std::ios::binary);
  file.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  file.flush();
  if (!file) throw Error(ErrorKind::File, path, "cannot be written");
}

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

std::string page_address(const fs::path& page, const RenderOptions& options, const std::string& more) {
  return fmt::format("file://{}#theme={}{}{}", page.string(), options.theme,
                     options.view.empty() ? "" : "&" + options.view, more);
}

void write_picture(const fs::path& page, const TemporaryFolder& work, const RenderOptions& options, double time) {
  std::vector<std::string> command =
      browser_command(find_browser(), (work / "profile").string(), parse_size(options.size));
  const fs::path picture = fs::absolute(options.png);
  fs::remove(picture);
  command.push_back("--screenshot=" + picture.string());
  command.push_back("--virtual-time-budget=2000");
  command.push_back(page_address(page, options, fmt::format("&time={}&still={}", time, options.size)));
  if (run_program(command, "") != 0 || !fs::exists(picture))
    throw Error(ErrorKind::File, options.png, "the browser did not draw the picture");
}

fs::path frame_file(const fs::path& folder, int number) { return folder / fmt::format("frame_{:05}.png", number); }

// Pictures from number `first` on, at most `count`. The page leaves them as text in its document, which the browser prints.
int write_some_frames(std::vector<std::string> command, const std::string& address, const TemporaryFolder& work,
                      const fs::path& folder, int first) {
  command.emplace_back("--dump-dom");
  command.push_back(address);
  const std::string output = (work / "document.html").string();
  if (run_program(command, output) != 0) throw Error(ErrorKind::File, "frames", "the browser did not draw the frames");
  std::ifstream document(output);
  int count = 0;
  constexpr std::string_view kMark = "data:image/png;base64,";
  for (std::string line; std::getline(document, line);) {
    const std::size_t place = line.find(kMark);
    if (place == std::string::npos) continue;
    const std::size_t start = place + kMark.size();
    write_file(frame_file(folder, first + count++).string(),
               from_base64(std::string_view(line).substr(start, line.find_first_of("\"<", start) - start)));
  }
  return count;
}

// In parts of so many pixels: a document holds no more than half a gigabyte of text. As many as captureTimes() of viewer/src/capture.ts.
// Later pictures of an earlier, longer run are removed: a film takes all that follow one another.
int write_frames(const fs::path& page, const TemporaryFolder& work, const RenderOptions& options,
                 const fs::path& folder, double duration) {
  constexpr int kMostPixels = 50'000'000;
  const PictureSize size = parse_size(options.size);
  const int most = std::max(1, kMostPixels / (size.width * size.height));
  const int total = static_cast<int>(std::floor(duration / options.speed * options.fps + 1e-6)) + 1;
  const std::vector<std::string> command = browser_command(find_browser(), (work / "profile").string(), size);
  fs::create_directories(folder);
  for (int first = 0; first < total; first += most) {
    const int count = std::min(most, total - first);
    const std::string part = fmt::format("&capture={}x{}&fps={}&speed={}&first={}&count={}", size.width, size.height,
                                         options.fps, options.speed, first, count);
    const int drawn = write_some_frames(command, page_address(page, options, part), work, folder, first);
    if (drawn != count)
      throw Error(ErrorKind::File, "frames", fmt::format("the browser drew {} of {} frames", first + drawn, total));
  }
  for (int old = total; fs::remove(frame_file(folder, old)); ++old) {
  }
  return total;
}

void write_film(const fs::path& frames, const RenderOptions& options, const std::string& film) {
  std::vector<std::string> command{find_ffmpeg(), "-y",
                                   "-loglevel",   "error",
                                   "-framerate",  fmt::format("{}", options.fps),
                                   "-i",          (frames / "frame_%05d.png").string(),
                                   "-vf",         "pad=ceil(iw/2)*2:ceil(ih/2)*2"};
  const std::vector<std::string> codec =
      film == options.mp4
          ? std::vector<std::string>{"-c:v", "libx264", "-pix_fmt", "yuv420p", "-crf", "20", "-movflags", "+faststart"}
          : std::vector<std::string>{"-c:v", "libvpx-vp9", "-pix_fmt", "yuv420p", "-crf", "32", "-b:v", "0"};
  command.insert(command.end(), codec.begin(), codec.end());
  command.push_back(film);
  if (run_program(command, "") != 0) throw Error(ErrorKind::File, film, "ffmpeg did not make the film");
}

int render(const RenderOptions& options) {
  if (options.page.empty() && options.png.empty() && options.frames.empty() && options.mp4.empty() &&
      options.webm.empty())
    throw Error(ErrorKind::Input, "render",
                "expected something to write: -o page.html, --png, --frames, --mp4 or --webm");
  parse_size(options.size);
  const bool needs_film = !options.mp4.empty() || !options.webm.empty();
  if (needs_film) find_ffmpeg();
  if (needs_film || !options.png.empty() || !options.frames.empty()) find_browser();  // say it before the work

  const Recording recording = read_recording_argument(options.recording);
  const std::string page =
      make_replay_page(read_viewer_page(), encode_viewer_stream(recording), recording.header.scene_name);
  if (!options.page.empty()) {
    write_file(options.page, page);
    fmt::print("{}: {} frames, {:.2f} MB\n", options.page, recording.frames(), static_cast<double>(page.size()) / 1e6);
  }
  if (!needs_film && options.png.empty() && options.frames.empty()) return kOk;

  const TemporaryFolder work;
  const fs::path file = work / "page.html";
  write_file(file.string(), page);
  if (!options.png.empty()) {
    write_picture(file, work, options, options.time.value_or(recording.frames() == 0 ? 0 : recording.times.back()));
    fmt::print("{}\n", options.png);
  }
  if (needs_film || !options.frames.empty()) {
    const fs::path folder = options.frames.empty() ? work / "frames" : fs::path(options.frames);
    const double duration = recording.frames() == 0 ? 0 : recording.times.back() - recording.times.front();
    const int count = write_frames(file, work, options, folder, duration);
    if (!options.frames.empty()) fmt::print("{}: {} pictures\n", options.frames, count);
    for (const std::string& film : {options.mp4, options.webm}) {
      if (film.empty()) continue;
      write_film(folder, options, film);
      fmt::print("{}: {} pictures at {} per second\n", film, count, options.fps);
    }
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
  command->add_option("--time", options->time, "time of the picture in s; the last frame if not given");
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
