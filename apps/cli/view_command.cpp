// sinew view: the web viewer on this machine, for a recording or for a scene that runs live.
#include <CLI/CLI.hpp>
#include <array>
#include <fmt/format.h>

#include "cli/command.h"
#include "cli/recording_argument.h"
#include "cli/scene_argument.h"
#include "viewer/page.h"
#include "viewer/programs.h"
#include "viewer/server.h"

#include "sinew/core/error.h"
#include "sinew/io/viewer_stream.h"

namespace sinew::cli {
namespace {

struct ViewOptions {
  SceneArgument scene;
  ServerOptions server;
  bool opens = false;
};

// What was asked for that only a scene can do: a recording has been computed.
void refuse_changes(const SceneArgument& scene) {
  const std::array<std::pair<const char*, bool>, 4> changes{{{"--set", !scene.overrides.empty()},
                                                             {"--dt", scene.dt.has_value()},
                                                             {"--time", scene.time.has_value()},
                                                             {"--stepper", !scene.stepper.empty()}}};
  for (const auto& [option, is_given] : changes) {
    if (is_given)
      throw Error(ErrorKind::Input, option,
                  fmt::format("changes scenes, and {} is a recording: its run is over", scene.scene));
  }
}

void announce(const ViewerServer& server, const ViewOptions& options, const std::string& what) {
  fmt::print("{}: {}   (Ctrl-C ends)\n", what, server.url());
  std::fflush(stdout);
  if (options.opens && !open_in_browser(server.url()))
    fmt::print(stderr, "sinew view: found no way to open a browser; please open {}\n", server.url());
}

int view(const ViewOptions& options) {
  if (is_recording(options.scene.scene)) {
    refuse_changes(options.scene);
    const Recording recording = read_recording_argument(options.scene.scene);
    ViewerServer server(options.server, make_served_page(read_viewer_page(), PageSource::Stream));
    server.set_stream(encode_viewer_stream(recording));
    announce(server, options, fmt::format("replay of {} ({} frames)", options.scene.scene, recording.frames()));
    server.run();
    return kOk;
  }
  if (options.scene.time)
    throw Error(ErrorKind::Input, "--time",
                fmt::format("a live run has no end, got {} s; `sinew run {} --time {}` has", *options.scene.time,
                            options.scene.scene, *options.scene.time));
  const SceneDescription scene = options.scene.make_simulation("", 1).scene().description;
  ViewerServer server(options.server, make_served_page(read_viewer_page(), PageSource::Live));
  LiveSession live(scene, [&server](const SharedMessage& message) { server.broadcast(message); });
  server.set_live(live);
  announce(server, options, fmt::format("live: {}", scene.name));
  server.run();
  return kOk;
}

}  // namespace

void add_view(CLI::App& app, Action& action) {
  auto options = std::make_shared<ViewOptions>();
  CLI::App* command = app.add_subcommand("view", "look at a recording, or at a scene that runs live, in the browser");
  options->scene.add_to(*command);
  command->get_option("SCENE")->description("recording (.mcap), scene file, or name of a scene (sinew list scenes)");
  command->get_option("--time")->group("");  // refused: only a run has an end
  command->add_option("--port", options->server.port, "port to listen on; 0: any that is free")->capture_default_str();
  command
      ->add_option("--bind", options->server.address,
                   "address to listen on; others than this machine see it only if asked")
      ->capture_default_str();
  command->add_flag("--open", options->opens, "open the browser");
  command->footer(
      "Example: sinew view double_pendulum --open\n"
      "Prints the address and serves until Ctrl-C. A live scene waits while no tab looks at it.");
  command->callback([options, &action] { action = [options] { return view(*options); }; });
}

}  // namespace sinew::cli
