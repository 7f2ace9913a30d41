#include "cli/page_pictures.h"

#include <algorithm>
#include <cctype>
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <fmt/format.h>
#include <fstream>

#include "cli/output_files.h"
#include "cli/progress_bar.h"

#include "sinew/core/error.h"
#include "sinew/io/viewer_codec.h"

namespace sinew::cli {
namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

constexpr int kMostFrames = 100'000;     // frame_%05d.png
constexpr int kFirstFrames = 8;          // of the first part, which tells how long one takes
constexpr int kMostPixels = 50'000'000;  // of a part: a document holds no more than half a gigabyte of text
constexpr double kPartSeconds = 10;      // that a part should take: progress is known after each

// Of a file, for an address: all but plain letters, digits and a few signs as %41.
std::string file_address(const fs::path& file) {
  std::string out = "file://";
  for (const char c : file.string()) {
    if (std::isalnum(static_cast<unsigned char>(c)) != 0 ||
        std::string_view("/-._~").find(c) != std::string_view::npos) {
      out += c;
    } else {
      out += fmt::format("%{:02X}", static_cast<unsigned char>(c));
    }
  }
  return out;
}

std::string page_address(const PageView& view, const std::string& more) {
  return fmt::format("{}#theme={}{}{}", file_address(view.page), view.theme,
                     view.settings.empty() ? "" : "&" + view.settings, more);
}

std::vector<std::string> browser(const PageView& view, const TemporaryFolder& work) {
  return browser_command(find_browser(), (work / "profile").string(), view.size);
}

fs::path frame_file(const fs::path& folder, int number) { return folder / fmt::format("frame_{:05}.png", number); }

// Pictures from number `first` on. The page leaves them as text in its document, which the browser prints.
int draw_some_frames(std::vector<std::string> command, const std::string& address, const TemporaryFolder& work,
                     const fs::path& folder, int first, ProgressBar& progress, double done) {
  command.emplace_back("--dump-dom");
  command.push_back(address);
  const std::string output = (work / "document.html").string();
  if (run_program(command, output, [&] { progress.update(done); }) != 0)
    throw Error(ErrorKind::File, "frames", "the browser did not draw the frames");
  std::ifstream document(output);
  int count = 0;
  constexpr std::string_view kMark = "data:image/png;base64,";
  for (std::string line; std::getline(document, line);) {
    const std::size_t place = line.find(kMark);
    if (place == std::string::npos) continue;
    const std::size_t start = place + kMark.size();
    write_output(frame_file(folder, first + count++),
                 from_base64(std::string_view(line).substr(start, line.find_first_of("\"<", start) - start)));
  }
  return count;
}

}  // namespace

TemporaryFolder::TemporaryFolder() {
  std::error_code error;
  std::string name = (fs::temp_directory_path(error) / "sinew-render-XXXXXX").string();
  if (error || ::mkdtemp(name.data()) == nullptr)
    throw Error(ErrorKind::File, name, "cannot make a temporary folder; expected TMPDIR to name a folder to write in");
  path_ = name;
}

TemporaryFolder::~TemporaryFolder() {
  std::error_code ignored;
  fs::remove_all(path_, ignored);
}

int count_frames(double duration, const FilmOptions& film) {
  const double count =
      std::floor(duration / film.speed * film.fps + 1e-6) + 1;  // as captureTimes() of viewer/src/capture.ts
  if (count <= kMostFrames) return static_cast<int>(count);
  throw Error(ErrorKind::Input, "--speed",
              fmt::format("expected at most {} pictures, got {:.3g}: {:g} s at speed {:g} and {:g} per second",
                          kMostFrames, count, duration, film.speed, film.fps));
}

void draw_picture(const PageView& view, const TemporaryFolder& work, double time, const fs::path& picture) {
  std::vector<std::string> command = browser(view, work);
  const fs::path drawn = work / "picture.png";
  command.push_back("--screenshot=" + drawn.string());
  command.push_back("--virtual-time-budget=2000");
  command.push_back(page_address(view, fmt::format("&time={}&still={}x{}", time, view.size.width, view.size.height)));
  if (run_program(command, "") != 0 || !fs::exists(drawn))
    throw Error(ErrorKind::File, picture.string(), "the browser did not draw the picture");
  move_output(drawn, picture);
}

void draw_frames(const PageView& view, const TemporaryFolder& work, const FilmOptions& film, int count,
                 const fs::path& folder) {
  const PictureSize& size = view.size;
  const int most = std::max(1, kMostPixels / (size.width * size.height));
  const std::vector<std::string> command = browser(view, work);
  ProgressBar progress("pictures", true);
  int part = std::min(kFirstFrames, most);
  for (int first = 0; first < count;) {
    const Clock::time_point began = Clock::now();
    const int wanted = std::min(part, count - first);
    const std::string capture = fmt::format("&capture={}x{}&fps={}&speed={}&first={}&count={}", size.width, size.height,
                                            film.fps, film.speed, first, wanted);
    const int drawn = draw_some_frames(command, page_address(view, capture), work, folder, first, progress,
                                       static_cast<double>(first) / count);
    if (drawn != wanted)
      throw Error(ErrorKind::File, "frames", fmt::format("the browser drew {} of {} frames", first + drawn, count));
    first += wanted;
    const double seconds = std::chrono::duration<double>(Clock::now() - began).count();
    part = std::clamp(static_cast<int>(wanted * kPartSeconds / std::max(seconds, 0.1)), std::min(kFirstFrames, most),
                      most);
  }
  std::error_code error;
  for (int old = count; fs::remove(frame_file(folder, old), error); ++old) {
  }
}

void write_film(const fs::path& frames, const FilmOptions& film, const fs::path& file) {
  const bool is_mp4 = file.extension() == ".mp4";
  std::vector<std::string> command{find_ffmpeg(), "-y",
                                   "-loglevel",   "error",
                                   "-framerate",  fmt::format("{}", film.fps),
                                   "-i",          (frames / "frame_%05d.png").string(),
                                   "-vf",         "pad=ceil(iw/2)*2:ceil(ih/2)*2"};
  const std::vector<std::string> codec =
      is_mp4
          ? std::vector<std::string>{"-c:v", "libx264", "-pix_fmt", "yuv420p", "-crf", "20", "-movflags", "+faststart"}
          : std::vector<std::string>{"-c:v", "libvpx-vp9", "-pix_fmt", "yuv420p", "-crf", "32", "-b:v", "0"};
  command.insert(command.end(), codec.begin(), codec.end());
  command.push_back(file.string());
  if (run_program(command, "") != 0) throw Error(ErrorKind::File, file.string(), "ffmpeg did not make the film");
}

}  // namespace sinew::cli
