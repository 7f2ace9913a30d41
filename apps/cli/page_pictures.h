// Pictures and films of a page, drawn by a browser without a window.
#pragma once

#include <filesystem>
#include <string>

#include "viewer/programs.h"

namespace sinew::cli {

/// Gone at the end, with all that is in it.
class TemporaryFolder {
 public:
  TemporaryFolder();
  ~TemporaryFolder();
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  std::filesystem::path operator/(const std::string& name) const { return path_ / name; }

 private:
  std::filesystem::path path_;
};

struct PageView {
  std::filesystem::path page;
  std::string theme, settings;  // settings as after # in the address
  PictureSize size;
};

struct FilmOptions {
  double fps = 30;
  double speed = 1;  // simulated s per s of film
};

/// How many pictures `duration` [s] of simulated time takes; Error{Input} if that is more than their names can count.
int count_frames(double duration, const FilmOptions& film);

/// One picture at `time` [s].
void draw_picture(const PageView& view, const TemporaryFolder& work, double time, const std::filesystem::path& picture);
/// Pictures frame_00000.png and so on into a folder; shows its progress. Later ones of an earlier, longer run are removed: a film takes all that follow one
/// another.
void draw_frames(const PageView& view, const TemporaryFolder& work, const FilmOptions& film, int count,
                 const std::filesystem::path& folder);
/// Of the pictures in a folder; the end of the name says how it is encoded: .mp4 or .webm.
void write_film(const std::filesystem::path& frames, const FilmOptions& film, const std::filesystem::path& file);

}  // namespace sinew::cli
