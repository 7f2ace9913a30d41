#include "viewer/programs.h"

#include <chrono>
#include <cstdlib>
#include <fcntl.h>
#include <filesystem>
#include <fmt/format.h>
#include <spawn.h>
#include <sstream>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

#include "sinew/core/error.h"

extern char** environ;

namespace sinew {
namespace {

enum class Signals { Shared, Own };  // of the terminal, such as Ctrl-C

pid_t start(const std::vector<std::string>& command, const std::string& output, Signals signals) {
  std::vector<char*> arguments;
  for (const std::string& a : command) arguments.push_back(const_cast<char*>(a.c_str()));  // posix_spawn does not write
  arguments.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  const std::string out = output.empty() ? "/dev/null" : output;
  posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, out.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
  posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  if (signals == Signals::Own) posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP);
  pid_t child = -1;
  const int failure = posix_spawn(&child, command[0].c_str(), &actions, &attributes, arguments.data(), environ);
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&actions);
  return failure == 0 ? child : -1;
}

}  // namespace

std::string find_program(const std::vector<std::string>& names) {
  const char* path = std::getenv("PATH");
  for (const std::string& name : names) {
    std::istringstream folders(path == nullptr ? "" : path);
    for (std::string folder; std::getline(folders, folder, ':');) {
      const std::string file = folder + "/" + name;
      if (::access(file.c_str(), X_OK) == 0) return file;
    }
  }
  return {};
}

std::string find_browser() {
  if (const char* chosen = std::getenv("SINEW_BROWSER")) return chosen;
  const std::string found = find_program({"chromium", "chromium-browser", "google-chrome"});
  if (found.empty()) {
    throw Error(ErrorKind::Input, "pictures",
                "expected Chromium to draw the page, found none; install the package `chromium`, or write a page with "
                "-o and open it in any browser");
  }
  return found;
}

std::string find_ffmpeg() {
  const std::string found = find_program({"ffmpeg"});
  if (found.empty()) {
    throw Error(
        ErrorKind::Input, "film",
        "expected ffmpeg to make a film, found none; install the package `ffmpeg`, or write pictures with --frames");
  }
  return found;
}

int run_program(const std::vector<std::string>& command, const std::string& output,
                const std::function<void()>& while_waiting) {
  const pid_t child = start(command, output, Signals::Shared);
  if (child < 0) throw Error(ErrorKind::File, command[0], "cannot be started");
  int status = 0;
  while (true) {
    const pid_t ended = ::waitpid(child, &status, while_waiting ? WNOHANG : 0);
    if (ended == child || (ended < 0 && errno != EINTR)) break;
    if (!while_waiting) continue;
    while_waiting();
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  }
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128;
}

std::vector<std::string> browser_command(const std::string& browser, const std::string& profile,
                                         const PictureSize& size) {
  std::vector<std::string> command{browser,
                                   "--headless=new",
                                   "--no-first-run",
                                   "--disable-extensions",
                                   "--disable-background-networking",
                                   "--disable-component-update",
                                   "--disable-sync",
                                   "--use-angle=swiftshader",
                                   "--enable-unsafe-swiftshader",
                                   "--ignore-gpu-blocklist",
                                   "--hide-scrollbars",
                                   "--allow-file-access-from-files",
                                   "--force-color-profile=srgb",
                                   "--user-data-dir=" + profile,
                                   fmt::format("--window-size={},{}", size.width, size.height)};
  if (::geteuid() == 0) command.emplace_back("--no-sandbox");  // Chromium refuses to run as root with its sandbox
  return command;
}

bool open_in_browser(const std::string& url) {
  const std::string opener = find_program({"xdg-open", "open"});
  return !opener.empty() && start({opener, url}, "", Signals::Own) > 0;
}

}  // namespace sinew
