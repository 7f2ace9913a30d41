#include "viewer/server.h"

#include <boost/asio.hpp>
#include <boost/beast/core.hpp>
#include <boost/beast/http.hpp>
#include <boost/beast/websocket.hpp>
#include <fcntl.h>
#include <fmt/format.h>
#include <map>
#include <utility>  // Boost.Asio 1.74 uses std::exchange without it

#include "sinew/core/error.h"

namespace sinew {
namespace {

namespace asio = boost::asio;
namespace beast = boost::beast;
namespace http = beast::http;
namespace websocket = beast::websocket;
using asio::ip::tcp;
using Request = http::request<http::empty_body>;

constexpr std::size_t kLargestCommand = 16 * 1024;  // bytes
constexpr std::size_t kMostQueued = 32;             // messages for one listener
constexpr std::size_t kMostListeners = 32;
constexpr auto kHttpSeconds = std::chrono::seconds(30);

std::string to_text(beast::string_view view) { return {view.data(), view.size()}; }

// The host without its port.
std::string host_name(const std::string& host) {
  if (!host.empty() && host[0] == '[') return host.substr(0, host.find(']') + 1);
  return host.substr(0, host.find(':'));
}

// Does a page at this host come from here? By an address, never by a name but localhost: whoever owns a name may point it anywhere.
bool is_own_host(const std::string& host, bool is_loopback) {
  const std::string name = host_name(host);
  if (name == "localhost") return true;
  if (name.empty()) return false;
  boost::system::error_code error;
  const asio::ip::address address =
      asio::ip::make_address(name[0] == '[' ? name.substr(1, name.size() - 2) : name, error);
  return !error && (address.is_loopback() || !is_loopback);
}

class Listener;

}  // namespace

struct ViewerServer::Shared {
  Shared(const ServerOptions& options, std::string page_text) : acceptor(io), page(std::move(page_text)) {
    boost::system::error_code error;
    const asio::ip::address address = asio::ip::make_address(options.address, error);
    if (error)
      throw Error(ErrorKind::Input, "--bind", fmt::format("expected an IP address, got '{}'", options.address));
    is_loopback = address.is_loopback();
    const tcp::endpoint endpoint(address, options.port);
    error = acceptor.open(endpoint.protocol(), error);
    if (!error) error = acceptor.set_option(tcp::acceptor::reuse_address(true), error);
    if (!error) error = acceptor.bind(endpoint, error);
    if (!error) error = acceptor.listen(asio::socket_base::max_listen_connections, error);
    if (error) {
      const char* option =
          error == asio::error::address_in_use || error == asio::error::access_denied ? "--port" : "--bind";
      throw Error(
          ErrorKind::Input, option,
          fmt::format("cannot listen on {}:{}: {}; choose another", options.address, options.port, error.message()));
    }
    // A browser that is opened would keep the port after the end.
    ::fcntl(acceptor.native_handle(), F_SETFD, FD_CLOEXEC);
  }

  asio::io_context io{1};
  tcp::acceptor acceptor;
  std::string page;
  std::string stream;
  LiveSession* live = nullptr;
  bool is_loopback = true;
  // With the number by which the session knows each; on the io thread only.
  std::map<std::shared_ptr<Listener>, int> listeners;
  int last_number = 0;

  void join(const std::shared_ptr<Listener>& listener) {
    listeners.emplace(listener, ++last_number);
    live->set_listeners(static_cast<int>(listeners.size()));
  }
  std::string command(const std::shared_ptr<Listener>& listener, const std::string& text) {
    const auto found = listeners.find(listener);
    return found == listeners.end() ? std::string() : live->command(text, found->second);
  }
  void leave(const std::shared_ptr<Listener>& listener) {
    command(listener, R"({"do": "release"})");  // of what it pulls; what others pull stays pulled
    if (listeners.erase(listener) > 0) live->set_listeners(static_cast<int>(listeners.size()));
  }
};

namespace {

// One WebSocket. The server's state is private to ViewerServer: it is reached through callbacks.
class Listener : public std::enable_shared_from_this<Listener> {
 public:
  struct Hooks {
    std::function<void(const std::shared_ptr<Listener>&)> joined, left;
    std::function<std::string(const std::shared_ptr<Listener>&, const std::string&)> command;
    std::function<std::vector<SharedMessage>()> greet;
  };

  Listener(tcp::socket&& socket, Hooks hooks) : socket_(std::move(socket)), hooks_(std::move(hooks)) {}

  void accept(const Request& request) {
    websocket::stream_base::timeout timeout = websocket::stream_base::timeout::suggested(beast::role_type::server);
    timeout.keep_alive_pings = true;
    timeout.idle_timeout = std::chrono::seconds(60);
    socket_.set_option(timeout);
    socket_.read_message_max(kLargestCommand);
    socket_.async_accept(request, [self = shared_from_this()](beast::error_code error) {
      if (error) return;
      for (const SharedMessage& message : self->hooks_.greet()) self->send(message);
      self->hooks_.joined(self);
      self->read();
    });
  }

  void send(const SharedMessage& message) {
    queue_.push(message);
    if (!now_) write();
  }

 private:
  void read() {
    socket_.async_read(buffer_, [self = shared_from_this()](beast::error_code error, std::size_t) {
      if (error) return self->hooks_.left(self);
      const std::string trouble = self->hooks_.command(self, beast::buffers_to_string(self->buffer_.data()));
      self->buffer_.consume(self->buffer_.size());
      if (!trouble.empty()) {
        const nlohmann::json answer{{"trouble", trouble}};
        self->send(std::make_shared<const ViewerMessage>(ViewerMessage{ViewerMessage::Kind::Status, answer.dump()}));
      }
      self->read();
    });
  }

  void write() {
    now_ = queue_.take();
    socket_.text(now_->kind == ViewerMessage::Kind::Status);
    socket_.async_write(asio::buffer(now_->data), [self = shared_from_this()](beast::error_code error, std::size_t) {
      self->now_.reset();
      if (error) return self->hooks_.left(self);
      if (!self->queue_.is_empty()) self->write();
    });
  }

  websocket::stream<beast::tcp_stream> socket_;
  Hooks hooks_;
  beast::flat_buffer buffer_;
  MessageQueue queue_{kMostQueued};
  SharedMessage now_;  // being sent
};

// One HTTP connection: answers requests one after the other, or becomes a Listener.
class Connection : public std::enable_shared_from_this<Connection> {
 public:
  struct Site {
    const std::string& page;
    const std::string& stream;
    bool is_loopback;
    bool is_live;
    std::function<bool()> has_room;
    Listener::Hooks hooks;
  };

  Connection(tcp::socket&& socket, Site site) : socket_(std::move(socket)), site_(std::move(site)) {}

  void read() {
    parser_.emplace();
    parser_->header_limit(8192);
    socket_.expires_after(kHttpSeconds);
    http::async_read(socket_, buffer_, *parser_, [self = shared_from_this()](beast::error_code error, std::size_t) {
      if (!error) self->answer(self->parser_->release());
    });
  }

 private:
  void answer(const Request& request) {
    const std::string host = to_text(request[http::field::host]);
    if (!is_own_host(host, site_.is_loopback))
      return reply(request, http::status::forbidden, "text/plain", "unknown host\n");
    const std::string origin = to_text(request[http::field::origin]);
    if (!origin.empty() && origin != "http://" + host)
      return reply(request, http::status::forbidden, "text/plain", "requests from other pages are not answered\n");
    if (request.method() != http::verb::get && request.method() != http::verb::head)
      return reply(request, http::status::method_not_allowed, "text/plain", "only GET\n");
    const std::string path = to_text(request.target()).substr(0, request.target().find('?'));
    if (path == "/" || path == "/index.html")
      return reply(request, http::status::ok, "text/html; charset=utf-8", site_.page);
    if (path == "/stream" && !site_.is_live)
      return reply(request, http::status::ok, "application/octet-stream", site_.stream);
    if (path == "/ws" && site_.is_live && websocket::is_upgrade(request)) {
      if (!site_.has_room()) return reply(request, http::status::service_unavailable, "text/plain", "too many tabs\n");
      socket_.expires_never();
      std::make_shared<Listener>(socket_.release_socket(), site_.hooks)->accept(request);
      return;
    }
    reply(request, http::status::not_found, "text/plain", "nothing here; the viewer is at /\n");
  }

  void reply(const Request& request, http::status status, const char* type, std::string body) {
    response_ = {status, request.version()};
    response_.set(http::field::content_type, type);
    response_.set(http::field::cache_control, "no-store");
    response_.set("X-Content-Type-Options", "nosniff");
    response_.set("Referrer-Policy", "no-referrer");
    response_.set("Cross-Origin-Resource-Policy", "same-origin");
    response_.set("X-Frame-Options", "DENY");
    response_.keep_alive(request.keep_alive());
    response_.content_length(body.size());
    if (request.method() != http::verb::head) response_.body() = std::move(body);
    http::async_write(socket_, response_, [self = shared_from_this()](beast::error_code error, std::size_t) {
      if (error || !self->response_.keep_alive()) return;
      self->read();
    });
  }

  beast::tcp_stream socket_;
  Site site_;
  beast::flat_buffer buffer_;
  std::optional<http::request_parser<http::empty_body>> parser_;
  http::response<http::string_body> response_;
};

}  // namespace

ViewerServer::ViewerServer(const ServerOptions& options, std::string page)
    : shared_(std::make_shared<Shared>(options, std::move(page))) {}
ViewerServer::~ViewerServer() = default;

void ViewerServer::set_stream(std::string stream) { shared_->stream = std::move(stream); }
void ViewerServer::set_live(LiveSession& live) { shared_->live = &live; }

std::string ViewerServer::url() const {
  const tcp::endpoint endpoint = shared_->acceptor.local_endpoint();
  const std::string address = endpoint.address().to_string();
  return fmt::format("http://{}:{}/", endpoint.address().is_v6() ? "[" + address + "]" : address, endpoint.port());
}

void ViewerServer::broadcast(const SharedMessage& message) {
  asio::post(shared_->io, [shared = shared_.get(), message] {
    for (const auto& [listener, number] : shared->listeners) listener->send(message);
  });
}

void ViewerServer::run() {
  Shared* shared = shared_.get();
  asio::signal_set signals(shared->io, SIGINT, SIGTERM);
  signals.async_wait([shared](beast::error_code, int) { shared->io.stop(); });
  Listener::Hooks hooks{[shared](const auto& l) { shared->join(l); }, [shared](const auto& l) { shared->leave(l); },
                        [shared](const auto& l, const std::string& text) { return shared->command(l, text); },
                        [shared] { return shared->live->greet(); }};
  const std::function<void()> accept = [&] {
    shared->acceptor.async_accept([&](beast::error_code error, tcp::socket socket) {
      if (error == asio::error::operation_aborted) return;
      if (!error) {
        boost::system::error_code ignored;
        ignored = socket.set_option(tcp::no_delay(true), ignored);
        std::make_shared<Connection>(
            std::move(socket),
            Connection::Site{shared->page, shared->stream, shared->is_loopback, shared->live != nullptr,
                             [shared] { return shared->listeners.size() < kMostListeners; }, hooks})
            ->read();
      }
      accept();
    });
  };
  accept();
  shared->io.run();
  shared->listeners.clear();
}

}  // namespace sinew
