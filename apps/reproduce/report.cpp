#include "reproduce/report.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <thread>

#include "sinew/core/error.h"
#include "sinew/core/version.h"

namespace sinew::reproduce {
namespace {

constexpr std::size_t kMostRowsOnAPage = 40;
constexpr std::string_view kVerdictMark = "**Verdict.** ";

std::string machine_name() {
  std::ifstream file("/proc/cpuinfo");
  for (std::string line; std::getline(file, line);) {
    if (line.starts_with("model name")) return line.substr(line.find(':') + 2);
  }
  return "unknown processor";
}

void write_file(const std::filesystem::path& path, const std::string& text) {
  std::ofstream file(path, std::ios::binary);
  file << text;
  file.close();
  if (!file) throw Error(ErrorKind::File, path.string(), "cannot be written");
}

std::string number_text(double value) { return std::isfinite(value) ? fmt::format("{:.6g}", value) : ""; }

std::string make_csv(const Table& table) {
  std::string text = fmt::format("\"{}\"\n", fmt::join(table.names, "\",\""));
  for (std::size_t row = 0; row < table.rows(); ++row) {
    for (std::size_t column = 0; column < table.columns.size(); ++column) {
      if (column > 0) text += ',';
      text += number_text(table.columns[column][row]);
    }
    text += '\n';
  }
  return text;
}

std::string make_markdown_table(const Table& table) {
  std::string text = fmt::format("| {} |\n|", fmt::join(table.names, " | "));
  for (std::size_t column = 0; column < table.names.size(); ++column) text += "---|";
  for (std::size_t row = 0; row < table.rows(); ++row) {
    text += "\n|";
    for (const std::vector<double>& column : table.columns) text += fmt::format(" {} |", number_text(column[row]));
  }
  text += '\n';
  return text;
}

std::string make_criteria_table(const std::vector<Criterion>& criteria) {
  std::string text = "| the source says | measured | agrees |\n|---|---|---|\n";
  for (const Criterion& criterion : criteria) {
    text += fmt::format("| {} | {} | {} |\n", criterion.statement, criterion.measured, criterion.holds ? "yes" : "no");
  }
  return text;
}

std::string make_page(const Experiment& experiment, const Outcome& outcome, bool has_picture) {
  std::string text = fmt::format("# {}: {}\n\n", experiment.id, experiment.title);
  if (!experiment.aliases.empty()) text += fmt::format("The same as {}.\n\n", fmt::join(experiment.aliases, ", "));
  text +=
      fmt::format("**Source {}.** {}\n\n**Set-up.** {}\n\n{}{}\n\n![{}]({}.svg)\n\n", experiment.source,
                  experiment.claim, experiment.setup, kVerdictMark, verdict(outcome), experiment.title, experiment.id);
  if (!outcome.criteria.empty()) text += make_criteria_table(outcome.criteria) + '\n';
  if (outcome.table.rows() <= kMostRowsOnAPage) text += make_markdown_table(outcome.table) + '\n';
  text += fmt::format("Data: [{0}.csv]({0}.csv). Made by `sinew reproduce {0}`", experiment.id);
  if (outcome.is_timing) {
    text += fmt::format("; times measured on {} ({} threads, one used), {}, {}", machine_name(),
                        std::thread::hardware_concurrency(), kCompiler, kSimd);
  }
  text += ".\n";
  if (has_picture) text += fmt::format("\n![a moment of the recording]({}.png)\n", experiment.id);
  for (const ExtraFile& file : outcome.files)
    text += fmt::format("\n[{0}{1}]({0}{1}): {2}.\n", experiment.id, file.suffix, file.about);
  return text;
}

// The verdict on a page written before; empty if there is none.
std::string read_verdict(const std::filesystem::path& page) {
  std::ifstream file(page);
  for (std::string line; std::getline(file, line);) {
    if (line.starts_with(kVerdictMark)) return line.substr(kVerdictMark.size());
  }
  return "";
}

}  // namespace

std::string verdict(const Outcome& outcome) {
  const bool is_part = !outcome.agrees && std::ranges::any_of(outcome.criteria, &Criterion::holds);
  return fmt::format("{} {}", outcome.agrees ? "Agrees." : is_part ? "Agrees in part." : "Differs.", outcome.sentence);
}

void write_outcome(const Experiment& experiment, const Outcome& outcome, const std::string& folder) {
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (error) throw Error(ErrorKind::File, folder, fmt::format("cannot be made: {}", error.message()));
  const std::filesystem::path base = std::filesystem::path(folder) / experiment.id;
  write_file(base.string() + ".csv", make_csv(outcome.table));
  for (const ExtraFile& file : outcome.files) file.write(base.string() + file.suffix);
  write_plot(outcome.plot, base.string() + ".svg");
  write_file(base.string() + ".md", make_page(experiment, outcome, std::filesystem::exists(base.string() + ".png")));
}

void write_index(const std::string& folder) {
  std::string text =
      "# Experiments of the sources, run again\n\nEvery figure of [Bruedigam2020] (003) and [Bruedigam2024] "
      "(002) that shows measurements, made again by `sinew reproduce ID` or `sinew reproduce all`. Each page "
      "has what the source says, the set-up, our picture and a verdict computed from the numbers; the numbers "
      "themselves are in the CSV file next to it. This page is written by the same command.\n\n| figure | shows | "
      "verdict |\n|---|---|---|\n";
  for (const Experiment& experiment : all_experiments()) {
    const std::string found = read_verdict(std::filesystem::path(folder) / (experiment.id + ".md"));
    if (found.empty()) continue;
    std::string figures = fmt::format("[{0}]({0}.md)", experiment.id);
    for (const std::string& alias : experiment.aliases) figures += fmt::format(", {}", alias);
    text += fmt::format("| {} | {} | {} |\n", figures, experiment.title, found);
  }
  write_file(std::filesystem::path(folder) / "README.md", text);
}

}  // namespace sinew::reproduce
