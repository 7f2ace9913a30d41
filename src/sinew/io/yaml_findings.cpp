#include "sinew/io/yaml_findings.h"

#include <algorithm>
#include <fmt/format.h>
#include <tuple>

#include "sinew/core/excerpt.h"

namespace sinew {
namespace {

constexpr std::size_t kMostFindings = 50, kMostKeyBytes = 60;

std::string place_text(const std::vector<std::string>& sources, const YamlFinding& finding) {
  std::string text = sources[static_cast<std::size_t>(finding.mark.source)];
  if (finding.mark.source == 0)
    text += fmt::format(":{}:{}", std::max(1, finding.mark.line), std::max(1, finding.mark.column));
  if (!finding.path.empty()) text += " " + finding.path;
  return text;
}

}  // namespace

YamlMark YamlFindings::find_mark(std::string_view path) const {
  while (true) {
    const auto found = marks_.find(std::string(path));
    if (found != marks_.end()) return found->second;
    if (path.empty()) return {1, 1, 0};
    const std::size_t cut = path.find_last_of(".[");
    path = path.substr(0, cut == std::string_view::npos ? 0 : cut);
  }
}

std::vector<Diagnostic> YamlFindings::diagnostics() const {
  std::vector<YamlFinding> sorted = list_;
  const auto place = [](const YamlFinding& f) { return std::tuple(f.mark.source, f.mark.line, f.mark.column); };
  std::stable_sort(sorted.begin(), sorted.end(),
                   [&](const YamlFinding& a, const YamlFinding& b) { return place(a) < place(b); });
  std::vector<Diagnostic> diagnostics;
  for (const YamlFinding& finding : sorted) {
    if (diagnostics.size() == kMostFindings) {
      diagnostics.push_back({sources_.front(), fmt::format("and {} more errors", sorted.size() - kMostFindings)});
      break;
    }
    diagnostics.push_back({place_text(sources_, finding), finding.message});
  }
  return diagnostics;
}

std::string join_path(const std::string& path, std::string_view key) {
  const bool is_long = key.size() > kMostKeyBytes || key.find('\n') != std::string_view::npos;
  const std::string shown = is_long ? excerpt(key, kMostKeyBytes) : std::string(key);
  return path.empty() ? shown : fmt::format("{}.{}", path, shown);
}

std::string join_path(const std::string& path, std::size_t index) { return fmt::format("{}[{}]", path, index); }

void find_duplicate_keys(const YamlNode& node, const std::string& path, YamlFindings& findings) {
  std::unordered_map<std::string_view, const YamlEntry*> first;
  for (const YamlEntry& entry : node.entries) {
    const std::string entry_path = join_path(path, entry.key);
    const auto [found, is_new] = first.emplace(entry.key, &entry);
    if (!is_new) {
      findings.add(entry.key_mark, entry_path,
                   fmt::format("expected each key once, got '{}' again (first in line {})", entry.key,
                               found->second->key_mark.line));
    }
    find_duplicate_keys(entry.value, entry_path, findings);
  }
  for (std::size_t i = 0; i < node.items.size(); ++i) {
    if (node.items[i].kind == YamlNode::Kind::Scalar) continue;
    find_duplicate_keys(node.items[i], join_path(path, i), findings);
  }
}

}  // namespace sinew
