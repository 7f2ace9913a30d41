// The HTTP and WebSocket server of `sinew view`. Listens on the loopback address unless told otherwise; answers only requests whose Host is
// localhost or an address (of the loopback, if it listens there; no other names: DNS rebinding) and whose Origin, if they have one, is this
// server. Every listener has a queue of its own with a bound: a slow tab loses frames, never the server its memory.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "viewer/live_session.h"

namespace sinew {

struct ServerOptions {
  std::string address = "127.0.0.1";
  std::uint16_t port = 0;  // 0: any that is free
};

class ViewerServer {
 public:
  /// Opens the port. Error{Input} if it cannot.
  ViewerServer(const ServerOptions& options, std::string page);
  ~ViewerServer();

  /// What /stream answers.
  void set_stream(std::string stream);
  /// What /ws speaks with; must outlive run().
  void set_live(LiveSession& live);

  std::string url() const;
  /// Serves until SIGINT or SIGTERM.
  void run();
  /// Sends to every listener. Any thread.
  void broadcast(const SharedMessage& message);

 private:
  struct Shared;
  std::shared_ptr<Shared> shared_;
};

}  // namespace sinew
