// A scene that runs while people look at it: a thread of its own steps it in real time, sends frames to whoever listens, and does what the
// viewer asks (docs/viewer_stream.md, "Live"). It waits while nobody listens.
#pragma once

#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "viewer/live_inputs.h"
#include "viewer/message_queue.h"
#include "viewer/mouse_pull.h"
#include "viewer/pace.h"

#include "sinew/io/viewer_stream.h"
#include "sinew/simulation/simulation.h"

namespace sinew {

class LiveSession {
 public:
  /// Throws Error for a scene that cannot be built. `send` is called on the session's thread, for every listener at once.
  LiveSession(SceneDescription scene, std::function<void(SharedMessage)> send);
  ~LiveSession();
  LiveSession(const LiveSession&) = delete;
  LiveSession& operator=(const LiveSession&) = delete;

  /// What a new listener must get first. Any thread.
  std::vector<SharedMessage> greet();
  void set_listeners(int count);
  /// From listener `who`. Any thread; returns what is wrong with a command, or nothing. Of settings that wait one after the other only the last
  /// is made.
  std::string command(const std::string& text, int who);

 private:
  using Json = nlohmann::json;
  void run();
  void step_on();
  void begin_pace(double speed);
  void play();
  bool step_once();
  void apply(const Json& command);
  void change(const SceneDescription& description);
  void begin_anew(const SceneDescription& description);
  void open(const Simulation& simulation, const SceneDescription& description);
  void replace_simulation(std::unique_ptr<Simulation> simulation);
  void send_frame();
  void send_status();
  void send(ViewerMessage::Kind kind, std::string data);
  std::string make_status() const;

  // Touched by the session's thread only.
  SceneDescription first_scene_;
  std::shared_ptr<PullState> pull_ = std::make_shared<PullState>();
  int puller_ = 0;  // the listener that pulled last
  std::unique_ptr<Simulation> simulation_;
  std::unique_ptr<ViewerEncoder> encoder_;
  Control control_;
  LiveInputs inputs_;
  std::vector<double> poses_, paths_;
  std::vector<RecordedContact> contacts_;
  std::vector<ViewerContact> viewer_contacts_;
  std::uint32_t frame_ = 0;
  bool is_running_ = false;
  bool is_decided_ = false;  // someone has said whether it runs
  Pace pace_;
  std::string trouble_;  // of the last command or step
  std::function<void(SharedMessage)> send_;

  std::mutex mutex_;
  std::condition_variable something_new_;
  std::vector<Json> commands_;
  std::vector<SharedMessage> greeting_;
  int listeners_ = 0;
  bool is_stopping_ = false;
  std::thread thread_;
};

}  // namespace sinew
