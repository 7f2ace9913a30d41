#include "viewer/live_session.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <fmt/format.h>

#include "sinew/core/error.h"
#include "sinew/io/path_recording.h"
#include "sinew/io/scene_writer.h"
#include "sinew/io/simulation_recording.h"

namespace sinew {
namespace {

using Clock = std::chrono::steady_clock;
using Seconds = std::chrono::duration<double>;
using Json = nlohmann::json;

double now_seconds() { return Seconds(Clock::now().time_since_epoch()).count(); }

constexpr double kFrameSeconds = 1.0 / 60;
constexpr double kWorkShare = 0.8;          // of a frame's time that may be spent stepping
constexpr std::size_t kMostCommands = 256;  // waiting; beyond, the oldest are dropped

Scene with_pull(const SceneDescription& description, const std::shared_ptr<PullState>& pull) {
  std::vector<std::unique_ptr<Force>> forces;
  forces.push_back(std::make_unique<MousePull>(pull));
  return make_scene(description, std::move(forces));
}

std::vector<std::string> stepper_names() {
  std::vector<std::string> names;
  AllSteppers::for_each([&]<class S>() { names.emplace_back(S::kName); });
  return names;
}

AnyStepper make_stepper_options(const std::string& name) {
  AnyStepper options;
  bool is_known = false;
  AllSteppers::for_each([&]<class S>() {
    if (S::kName != name) return;
    options = S{};
    is_known = true;
  });
  if (!is_known) throw Error(ErrorKind::Input, "stepper", "unknown" + make_suggestion(name, stepper_names()));
  return options;
}

// A slider or the mouse moved on: where each wish takes the place of the one before.
bool is_outdated_by(const Json& earlier, const Json& later) {
  constexpr std::array<std::string_view, 6> kSettings{"speed", "dt", "gravity", "effort", "input", "pull"};
  const auto what = later["do"].get<std::string>();
  return earlier["do"] == what && earlier.value("index", Json()) == later.value("index", Json()) &&
         std::find(kSettings.begin(), kSettings.end(), what) != kSettings.end();
}

double number_in(const Json& command, const char* key, double least, double most) {
  const double value = command.at(key).get<double>();
  if (!(value >= least && value <= most))
    throw Error(ErrorKind::Input, key, fmt::format("expected {} to {}, got {}", least, most, value));
  return value;
}

Vec3 vector_in(const Json& command, const char* key) {
  const auto v = command.at(key).get<std::array<double, 3>>();
  if (!std::all_of(v.begin(), v.end(), [](double x) { return std::abs(x) < 1e6; }))
    throw Error(ErrorKind::Input, key, "expected numbers below 1e6");
  return {v[0], v[1], v[2]};
}

}  // namespace

LiveSession::LiveSession(SceneDescription scene, std::function<void(SharedMessage)> send_message)
    : first_scene_(std::move(scene)), send_(std::move(send_message)) {
  begin_anew(first_scene_);
  thread_ = std::thread([this] { run(); });
}

LiveSession::~LiveSession() {
  {
    const std::lock_guard lock(mutex_);
    is_stopping_ = true;
  }
  something_new_.notify_one();
  thread_.join();
}

std::vector<SharedMessage> LiveSession::greet() {
  const std::lock_guard lock(mutex_);
  return greeting_;
}

void LiveSession::set_listeners(int count) {
  {
    const std::lock_guard lock(mutex_);
    listeners_ = count;
  }
  something_new_.notify_one();
}

std::string LiveSession::command(const std::string& text, int who) {
  Json json = Json::parse(text, nullptr, false);
  if (!json.is_object() || !json.contains("do") || !json["do"].is_string()) return "expected {\"do\": ...}";
  json["who"] = who;
  {
    const std::lock_guard lock(mutex_);
    if (!commands_.empty() && is_outdated_by(commands_.back(), json)) commands_.pop_back();
    if (commands_.size() >= kMostCommands) commands_.erase(commands_.begin());
    commands_.push_back(std::move(json));
  }
  something_new_.notify_one();
  return {};
}

void LiveSession::run() {
  Clock::time_point next = Clock::now(), told = next;
  while (true) {
    std::vector<Json> commands;
    {
      std::unique_lock lock(mutex_);
      something_new_.wait_until(lock, next, [this] { return is_stopping_; });
      if (!is_stopping_ && listeners_ == 0) {
        something_new_.wait(lock, [this] { return is_stopping_ || listeners_ > 0; });
        begin_pace(pace_.speed());
      }
      if (is_stopping_) return;
      commands.swap(commands_);
    }
    for (const Json& command : commands) {
      if (command.at("do") != "release" && command.at("do") != "begin") trouble_.clear();
      try {
        apply(command);
      } catch (const Error& error) {
        trouble_ = error.diagnostics().front().text();
      } catch (const Json::exception&) {
        trouble_ = fmt::format("cannot understand {}", command.dump());
      }
    }
    if (is_running_) step_on();
    const Clock::time_point now = Clock::now();
    if (!commands.empty() || now - told > std::chrono::milliseconds(250)) {
      send_status();
      told = now;
    }
    next += std::chrono::duration_cast<Clock::duration>(Seconds(kFrameSeconds));
    if (next < now) next = now;  // late: no hurry to make up for it
  }
}

void LiveSession::begin_pace(double speed) { pace_.begin(now_seconds(), speed); }

void LiveSession::step_on() {
  const double began = now_seconds();
  bool has_moved = false;
  pace_.pass(began);
  while (pace_.is_due(simulation_->dt()) && step_once()) {
    has_moved = true;
    pace_.pay(simulation_->dt());
    if (now_seconds() - began > kWorkShare * kFrameSeconds) {
      pace_.give_up();
      break;
    }
  }
  if (has_moved) send_frame();
}

bool LiveSession::step_once() {
  inputs_.apply(simulation_->system(), simulation_->state().time + 0.5 * simulation_->dt(), control_);
  const SimulationStep& step = simulation_->step(control_);
  if (step.report.ok()) {
    if (step.halvings > 0) {
      send(ViewerMessage::Kind::Event, ViewerEncoder::make_event({simulation_->state().time, "step_halved",
                                                                  step.describe_halvings(simulation_->state().step)}));
    }
    return true;
  }
  is_running_ = false;
  is_decided_ = true;  // or pages that begin would run into it again
  trouble_ = fmt::format("step {} failed: {}", simulation_->state().step + 1, step.report.reason);
  send(ViewerMessage::Kind::Event, ViewerEncoder::make_event({simulation_->state().time, "step_failed", trouble_}));
  send_status();
  return false;
}

void LiveSession::play() {
  if (!is_running_) begin_pace(pace_.speed());
  is_running_ = true;
}

void LiveSession::apply(const Json& command) {
  const auto what = command.at("do").get<std::string>();
  SceneDescription scene = simulation_->scene().description;
  if (what == "play" || what == "pause" || what == "step" || what == "reset") is_decided_ = true;
  if (what == "begin") {
    if (!is_decided_) play();
  } else if (what == "play") {
    play();
  } else if (what == "pause") {
    is_running_ = false;
  } else if (what == "step") {
    is_running_ = false;
    if (step_once()) send_frame();
  } else if (what == "reset") {
    pull_->body = kWorld;
    begin_anew(scene);
  } else if (what == "speed") {
    begin_pace(number_in(command, "value", 0.01, 100));
  } else if (what == "dt") {
    scene.dt = number_in(command, "value", 1e-6, 1);
    change(scene);
  } else if (what == "gravity") {
    scene.gravity = vector_in(command, "value");
    change(scene);
  } else if (what == "stepper") {
    scene.stepper = make_stepper_options(command.at("value").get<std::string>());
    change(scene);
  } else if (what == "restore") {
    control_ = {};
    inputs_.release();
    change(first_scene_);
  } else if (what == "effort") {
    const int n = simulation_->model().dof();
    const auto index = static_cast<int>(number_in(command, "index", 0, n - 1));
    if (control_.joint_efforts.size() != n) control_.joint_efforts = VecX::Zero(n);
    control_.joint_efforts[index] = number_in(command, "value", -1e9, 1e9);
  } else if (what == "input") {
    const auto index = static_cast<int>(number_in(command, "index", 0, simulation_->system().input_count() - 1));
    inputs_.choose(index, number_in(command, "value", 0, 1));
    if (!is_running_) send_frame();  // shows it at once
  } else if (what == "release_inputs") {
    inputs_.release();
    if (!is_running_) send_frame();
  } else if (what == "pull") {
    pull_->body = static_cast<int>(number_in(command, "body", 0, simulation_->model().body_count() - 1));
    pull_->point = vector_in(command, "point");
    pull_->target = vector_in(command, "target");
    tune_pull(simulation_->system(), simulation_->dt(), *pull_);
    puller_ = command.at("who").get<int>();
  } else if (what == "release") {
    if (puller_ == command.at("who").get<int>()) pull_->body = kWorld;
  } else {
    throw Error(ErrorKind::Input, "live", fmt::format("unknown command '{}'", what));
  }
}

// Goes on from where it is: bodies and joints stay what listeners know, and mostly columns, so the frames that they have stay good. Books that have
// other columns with another stepper need another opening.
void LiveSession::change(const SceneDescription& description) {
  Scene scene = with_pull(description, pull_);
  scene.initial = simulation_->state();
  auto simulation = std::make_unique<Simulation>(std::move(scene));
  if (pull_->body != kWorld) tune_pull(simulation->system(), simulation->dt(), *pull_);
  if (simulation->ledger().columns().size() != simulation_->ledger().columns().size()) open(*simulation, description);
  replace_simulation(std::move(simulation));
}

void LiveSession::begin_anew(const SceneDescription& description) {
  auto simulation = std::make_unique<Simulation>(with_pull(description, pull_));
  control_ = {};
  inputs_.release();
  open(*simulation, description);
  replace_simulation(std::move(simulation));
}

// What listeners have of frames is worthless from here on.
void LiveSession::open(const Simulation& simulation, const SceneDescription& description) {
  ViewerLayout layout;
  layout.header = make_recording_header(simulation, write_scene_text(description));
  layout.model = simulation.model();
  layout.joint_q = simulation.state().joint_q;
  layout.steppers = stepper_names();
  layout.inputs = list_inputs(simulation.system());
  layout.scene_dt = first_scene_.dt;
  layout.is_live = true;
  layout.has_contacts = simulation.model().contact().enabled;
  encoder_ = std::make_unique<ViewerEncoder>(std::move(layout));
  frame_ = 0;
  send(ViewerMessage::Kind::Opening, encoder_->make_opening());
}

void LiveSession::replace_simulation(std::unique_ptr<Simulation> simulation) {
  simulation_ = std::move(simulation);
  begin_pace(pace_.speed());
  send_frame();
  send_status();
}

void LiveSession::send_frame() {
  compute_recorded_poses(*simulation_, poses_);
  inputs_.apply(simulation_->system(), simulation_->state().time, control_);
  compute_recorded_paths(*simulation_, control_, paths_);
  collect_recorded_contacts(simulation_->last_step().report, contacts_);
  viewer_contacts_.clear();
  for (const RecordedContact& contact : contacts_) viewer_contacts_.push_back(to_viewer_contact(contact));
  encoder_->add_frame({.time = simulation_->state().time,
                       .poses = poses_,
                       .probes = simulation_->read_probes(),
                       .ledger = simulation_->ledger().values(),
                       .paths = paths_,
                       .contacts = viewer_contacts_});
  send(ViewerMessage::Kind::Frame, encoder_->take_block(frame_++, false));
}

std::string LiveSession::make_status() const {
  const SceneDescription& scene = simulation_->scene().description;
  Json status{{"running", is_running_},
              {"time", simulation_->state().time},
              {"dt", scene.dt},
              {"gravity", {scene.gravity.x(), scene.gravity.y(), scene.gravity.z()}},
              {"speed", pace_.speed()},
              {"real_time", pace_.real_time()},
              {"stepper", std::visit([]<class S>(const S&) { return S::kName; }, scene.stepper)},
              {"trouble", trouble_}};
  const VecX& efforts = control_.joint_efforts;
  status["efforts"] = std::vector<double>(efforts.data(), efforts.data() + efforts.size());
  const VecX inputs = inputs_.values(simulation_->system(), simulation_->state().time);
  status["inputs"] = std::vector<double>(inputs.data(), inputs.data() + inputs.size());
  return status.dump(-1, ' ', false, Json::error_handler_t::replace);
}

void LiveSession::send_status() { send(ViewerMessage::Kind::Status, make_status()); }

// Keeps what a new listener needs: opening, last frame, status.
void LiveSession::send(ViewerMessage::Kind kind, std::string data) {
  auto message = std::make_shared<const ViewerMessage>(ViewerMessage{kind, std::move(data)});
  if (kind != ViewerMessage::Kind::Event) {
    const std::lock_guard lock(mutex_);
    if (kind == ViewerMessage::Kind::Opening) greeting_.clear();
    const auto same = std::find_if(greeting_.begin(), greeting_.end(), [&](const auto& m) { return m->kind == kind; });
    if (same == greeting_.end()) {
      greeting_.push_back(message);
    } else {
      *same = message;
    }
  }
  send_(message);
}

}  // namespace sinew
