#include "sinew/io/yaml_tree.h"

#include <fmt/format.h>
#include <map>
#include <sstream>
#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/exceptions.h>
#include <yaml-cpp/mark.h>
#include <yaml-cpp/parser.h>

#include "sinew/core/error.h"
#include "sinew/core/excerpt.h"
#include "sinew/io/yaml_text.h"

namespace sinew {
namespace {

struct Refusal {
  YamlMark mark;
  std::string message;
};

std::size_t count_nodes(const YamlNode& node) {
  std::size_t count = 1;
  for (const YamlNode& item : node.items) count += count_nodes(item);
  for (const YamlEntry& entry : node.entries) count += count_nodes(entry.value);
  return count;
}

int depth_of(const YamlNode& node) {
  int depth = 0;
  for (const YamlNode& item : node.items) depth = std::max(depth, depth_of(item));
  for (const YamlEntry& entry : node.entries) depth = std::max(depth, depth_of(entry.value));
  return depth + 1;
}

// Collects yaml-cpp's events into a tree.
class TreeBuilder final : public YAML::EventHandler {
 public:
  explicit TreeBuilder(int source) : source_(source) {}

  YamlNode take_root() { return std::move(root_); }

  void OnDocumentStart(const YAML::Mark&) override {}
  void OnDocumentEnd() override {}
  void OnNull(const YAML::Mark& mark, YAML::anchor_t anchor) override {
    finish({make(mark, YamlNode::Kind::Null), anchor, {}});
  }
  void OnAlias(const YAML::Mark& mark, YAML::anchor_t anchor) override {
    const auto found = anchors_.find(anchor);
    if (found == anchors_.end())
      throw Refusal{place(mark), "expected an alias to something complete, got one to what encloses it"};
    count_aliased(mark, found->second);
    if (static_cast<int>(open_.size()) + depth_of(found->second) > kMaxYamlDepth) refuse_depth(mark);
    finish({found->second, 0, {}});
  }
  void OnScalar(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                const std::string& value) override {
    Open scalar{make(mark, YamlNode::Kind::Scalar), anchor, {}};
    scalar.node.text = value;
    scalar.node.is_quoted = tag == "!";
    finish(std::move(scalar));
  }
  void OnSequenceStart(const YAML::Mark& mark, const std::string&, YAML::anchor_t anchor,
                       YAML::EmitterStyle::value) override {
    open(mark, YamlNode::Kind::Sequence, anchor);
  }
  void OnMapStart(const YAML::Mark& mark, const std::string&, YAML::anchor_t anchor,
                  YAML::EmitterStyle::value) override {
    open(mark, YamlNode::Kind::Map, anchor);
  }
  void OnSequenceEnd() override { close(); }
  void OnMapEnd() override { close(); }

 private:
  struct Key {
    std::string text;
    YamlMark mark;
    bool is_given = false;
  };
  struct Open {
    YamlNode node;
    YAML::anchor_t anchor;
    Key key;  // of a map: read, its value is to follow
  };

  YamlMark place(const YAML::Mark& mark) const { return {mark.line + 1, mark.column + 1, source_}; }
  YamlNode make(const YAML::Mark& mark, YamlNode::Kind kind) const {
    YamlNode node;
    node.kind = kind;
    node.mark = place(mark);
    return node;
  }
  [[noreturn]] void refuse_depth(const YAML::Mark& mark) const {
    throw Refusal{place(mark), fmt::format("expected at most {} levels of nesting", kMaxYamlDepth)};
  }
  bool is_key_next() const {
    return !open_.empty() && open_.back().node.kind == YamlNode::Kind::Map && !open_.back().key.is_given;
  }

  void open(const YAML::Mark& mark, YamlNode::Kind kind, YAML::anchor_t anchor) {
    if (static_cast<int>(open_.size()) >= kMaxYamlDepth) refuse_depth(mark);
    if (is_key_next()) throw Refusal{place(mark), "expected a word as key, got a list or a map"};
    open_.push_back({make(mark, kind), anchor, {}});
  }
  void close() {
    Open finished = std::move(open_.back());
    open_.pop_back();
    finish(std::move(finished));
  }
  void finish(Open finished) {
    if (finished.anchor != 0) {
      count_aliased({}, finished.node);
      anchors_[finished.anchor] = finished.node;
    }
    YamlNode& node = finished.node;
    if (open_.empty()) {
      root_ = std::move(node);
    } else if (open_.back().node.kind == YamlNode::Kind::Sequence) {
      open_.back().node.items.push_back(std::move(node));
    } else if (is_key_next()) {
      if (node.kind != YamlNode::Kind::Scalar)
        throw Refusal{node.mark, "expected a word as key, got " + node.describe()};
      open_.back().key = {std::move(node.text), node.mark, true};
    } else {
      Key& key = open_.back().key;
      if (node.kind == YamlNode::Kind::Null) node.mark = key.mark;  // nothing stands nowhere
      open_.back().node.entries.push_back({std::move(key.text), key.mark, std::move(node)});
      key = {};
    }
  }
  void count_aliased(const YAML::Mark& mark, const YamlNode& node) {
    aliased_nodes_ += count_nodes(node);
    if (aliased_nodes_ > kMaxAliasedNodes) {
      throw Refusal{place(mark),
                    fmt::format("expected anchors and aliases to stand for at most {} values", kMaxAliasedNodes)};
    }
  }

  int source_;
  YamlNode root_;
  std::vector<Open> open_;
  std::map<YAML::anchor_t, YamlNode> anchors_;
  std::size_t aliased_nodes_ = 0;
};

std::string line_of(std::string_view text, int line) {
  for (; line > 1 && !text.empty(); --line) text.remove_prefix(std::min(text.find('\n'), text.size() - 1) + 1);
  return std::string(text.substr(0, text.find('\n')));
}

// yaml-cpp says what it found; people who indent with tabs need to be told that this is why.
std::string syntax_message(const YAML::Exception& error, std::string_view text) {
  const std::string line = line_of(text, error.mark.line + 1);
  const bool has_tab = line.find('\t') < line.find_first_not_of(" \t");
  return fmt::format("expected YAML, got a syntax error: {}{}", error.msg,
                     has_tab ? " (indent with spaces, not tabs)" : "");
}

YamlNode parse_document(std::string_view text, int source) {
  std::istringstream stream{std::string(text)};
  YAML::Parser parser(stream);
  TreeBuilder builder(source);
  if (!parser.HandleNextDocument(builder)) return {};
  YamlNode root = builder.take_root();
  TreeBuilder second(source);
  if (parser.HandleNextDocument(second))
    throw Refusal{second.take_root().mark, "expected one YAML document, got a second one"};
  return root;
}

}  // namespace

YamlNode parse_yaml(std::string_view text, std::string_view name, int source) {
  const auto refuse = [&](const YamlMark& mark, const std::string& message) {
    return Error(ErrorKind::Input, fmt::format("{}:{}:{}", name, mark.line, mark.column), message);
  };
  if (text.size() > kMaxYamlBytes) {
    throw refuse({1, 1}, fmt::format("expected at most {} MiB, got {} MiB", kMaxYamlBytes >> 20, text.size() >> 20));
  }
  if (text.starts_with("\xef\xbb\xbf")) text.remove_prefix(3);
  if (const auto error = find_text_error(text)) throw refuse({error->line, error->column}, error->message);
  try {
    return parse_document(text, source);
  } catch (const Refusal& refusal) {
    throw refuse(refusal.mark, refusal.message);
  } catch (const YAML::Exception& error) {
    throw refuse({error.mark.line + 1, error.mark.column + 1}, syntax_message(error, text));
  }
}

const YamlNode* YamlNode::find(std::string_view key) const {
  for (const YamlEntry& entry : entries) {
    if (entry.key == key) return &entry.value;
  }
  return nullptr;
}

YamlNode* YamlNode::find(std::string_view key) { return const_cast<YamlNode*>(std::as_const(*this).find(key)); }

std::string YamlNode::describe() const {
  switch (kind) {
    case Kind::Null:
      return "nothing";
    case Kind::Scalar:
      return excerpt(text);
    case Kind::Sequence:
      return items.empty() ? "an empty list" : fmt::format("a list of {}", items.size());
    case Kind::Map:
      return entries.empty() ? "an empty map" : fmt::format("a map with the key {}", excerpt(entries.front().key));
  }
  return "";
}

YamlNode YamlNode::scalar(std::string text) {
  YamlNode node;
  node.kind = Kind::Scalar;
  node.text = std::move(text);
  return node;
}

YamlNode YamlNode::map() {
  YamlNode node;
  node.kind = Kind::Map;
  return node;
}

YamlNode YamlNode::sequence() {
  YamlNode node;
  node.kind = Kind::Sequence;
  return node;
}

void YamlNode::add(std::string key, YamlNode value) {
  entries.push_back({std::move(key), value.mark, std::move(value)});
}

bool same_content(const YamlNode& a, const YamlNode& b) {
  const auto same_entry = [](const YamlEntry& x, const YamlEntry& y) {
    return x.key == y.key && same_content(x.value, y.value);
  };
  return a.kind == b.kind && a.text == b.text &&
         std::equal(a.items.begin(), a.items.end(), b.items.begin(), b.items.end(), same_content) &&
         std::equal(a.entries.begin(), a.entries.end(), b.entries.begin(), b.entries.end(), same_entry);
}

}  // namespace sinew
