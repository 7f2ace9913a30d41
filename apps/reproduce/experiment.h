// An experiment of a source, run again: what the source says, the numbers we measure, their picture, and a sentence that compares the two
// and is made of the numbers. To add one: write a function that returns an Experiment and list it in all_experiments.cpp.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "plot/plot.h"

namespace sinew::reproduce {

/// What an experiment is told, and how it tells how far it is.
struct Context {
  bool is_quick = false;  // smaller sizes, fewer samples: seconds instead of minutes
  std::function<void(double fraction)> progress = [](double) {};  // 0 ... 1, of this experiment

  template <class T>
  T choose(T full, T quick) const {
    return is_quick ? quick : full;
  }
};

/// Columns of equal length; what is written as CSV.
struct Table {
  std::vector<std::string> names;  // with units: "time [s]"
  std::vector<std::vector<double>> columns;

  void add(const std::string& name, std::vector<double> values);
  std::size_t rows() const { return columns.empty() ? 0 : columns.front().size(); }
};

/// One thing a source says, next to what was measured.
struct Criterion {
  std::string statement;  // what the source says, the number that decides, and where it comes from
  std::string measured;   // a clause with the numbers
  bool holds = false;
};

/// A file besides data, picture and page, such as a recording.
struct ExtraFile {
  std::string suffix;  // of the id: ".mcap" makes 002-fig13.mcap
  std::string about;   // what it is, a clause for the page
  std::function<void(const std::string& path)> write;
};

struct Outcome {
  Table table;
  Plot plot;
  std::vector<Criterion> criteria;
  bool agrees = false;     // with the source, by criteria computed from the numbers
  std::string sentence;    // the numbers, next to what the source says
  bool is_timing = false;  // the numbers belong to the machine they were measured on
  std::vector<ExtraFile> files;

  /// Sets criteria, agrees (all of them hold) and the sentence: what holds, what does not and what the source says there, the note.
  void judge(std::vector<Criterion> by, const std::string& note = "");
};

struct Experiment {
  std::string id;                    // "003-fig4a"; name of its files
  std::vector<std::string> aliases;  // figures of another source that show the same: "002-fig10"
  std::string title;
  std::string source;    // "[Bruedigam2020, Fig. 4a]"
  std::string claim;     // what the source says
  std::string setup;     // model, step, comparison; and where ours differs from the source's
  bool is_long = false;  // many minutes: run by its name, not by `all`
  std::function<Outcome(const Context&)> run;
};

/// All experiments, in the order of the sources.
const std::vector<Experiment>& all_experiments();

/// By id or alias; throws Error with a suggestion.
const Experiment& find_experiment(const std::string& id);

}  // namespace sinew::reproduce
