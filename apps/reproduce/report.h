// The files of an experiment: <id>.csv, <id>.svg, <id>.md and what else it has; and the page README.md that lists all of them.
#pragma once

#include <string>
#include <vector>

#include "reproduce/experiment.h"

namespace sinew::reproduce {

/// "Agrees.", "Agrees in part." or "Differs.", and the sentence of the outcome.
std::string verdict(const Outcome& outcome);

/// Writes the files into a folder, which is made if it does not exist; a picture <id>.png that is there already is
/// shown on the page. Error{File} if one cannot be written.
void write_outcome(const Experiment& experiment, const Outcome& outcome, const std::string& folder);

/// README.md of a folder: a table of the experiments whose pages are there, with their verdicts read from the pages.
void write_index(const std::string& folder);

}  // namespace sinew::reproduce
