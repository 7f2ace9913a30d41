#include "sinew/io/yaml_fields.h"

#include <set>

#include "sinew/core/excerpt.h"

namespace sinew {

const YamlEntry* MapReader::take(std::string_view key) {
  if (std::find(keys_.begin(), keys_.end(), key) == keys_.end()) keys_.emplace_back(key);
  return find(key);
}

const YamlEntry* MapReader::take_singular(std::string_view key, std::string_view list_key) {
  singular_keys_.emplace_back(key);
  list_keys_.emplace_back(list_key);
  return find(key);
}

const YamlEntry* MapReader::find(std::string_view key) {
  const YamlEntry* taken = nullptr;
  for (std::size_t i = 0; i < node_.entries.size(); ++i) {
    if (node_.entries[i].key != key) continue;
    if (!taken) taken = &node_.entries[i];
    is_used_[i] = true;  // a key given again is a finding of find_duplicate_keys
  }
  return taken;
}

// A word near `body` is taken for `bodies`.
std::string MapReader::suggestion(const std::string& key) const {
  const std::string_view singular = find_nearest_name(key, singular_keys_);
  if (!find_nearest_name(key, keys_).empty() || singular.empty()) return make_suggestion(key, keys_);
  const auto at = std::find(singular_keys_.begin(), singular_keys_.end(), singular) - singular_keys_.begin();
  return fmt::format(" (did you mean '{}'?)", list_keys_[static_cast<std::size_t>(at)]);
}

void MapReader::missing_type(const std::vector<std::string>& names) {
  findings_.add(node_.mark, join_path(path_, kTypeKey),
                fmt::format("missing key 'type'{}", make_suggestion("", names)));
}

void MapReader::finish() {
  std::set<std::string, std::less<>> meant;  // a misspelt key is not also reported as missing
  for (std::size_t i = 0; i < node_.entries.size(); ++i) {
    if (is_used_[i]) continue;
    const YamlEntry& entry = node_.entries[i];
    meant.emplace(find_nearest_name(entry.key, keys_));
    findings_.add_unknown_key(entry.key_mark, join_path(path_, entry.key),
                              fmt::format("unknown key {}{}", excerpt(entry.key), suggestion(entry.key)));
  }
  for (const FieldInfo& info : missing_) {
    if (meant.contains(info.name)) continue;
    const std::string unit = info.unit.empty() ? "" : fmt::format(", {}", info.unit);
    findings_.add(node_.mark, join_path(path_, info.name),
                  fmt::format("missing key '{}' ({}{})", info.name, info.doc, unit));
  }
}

}  // namespace sinew
