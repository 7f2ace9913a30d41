#include "reproduce/experiment.h"

#include <cctype>
#include <fmt/format.h>

namespace sinew::reproduce {
namespace {

std::string as_sentence(std::string text) {
  text.front() = static_cast<char>(std::toupper(static_cast<unsigned char>(text.front())));
  return text + '.';
}

}  // namespace

void Table::add(const std::string& name, std::vector<double> values) {
  names.push_back(name);
  columns.push_back(std::move(values));
}

void Outcome::judge(std::vector<Criterion> by, const std::string& note) {
  criteria = std::move(by);
  std::string holding, failing;
  std::size_t held = 0;
  for (const Criterion& criterion : criteria) {
    std::string& text = criterion.holds ? holding : failing;
    if (!text.empty()) text += "; ";
    text += criterion.measured;
    if (!criterion.holds) text += fmt::format(", where the source says: {}", criterion.statement);
    held += criterion.holds ? 1 : 0;
  }
  agrees = held == criteria.size() && held > 0;
  sentence = holding.empty() ? "" : as_sentence(holding);
  if (!failing.empty()) {
    sentence += fmt::format("{}Not reproduced ({} of {} points): {}.", holding.empty() ? "" : " ",
                            criteria.size() - held, criteria.size(), failing);
  }
  if (!note.empty()) sentence += " " + note;
}

}  // namespace sinew::reproduce
