// The end of a run: a summary for people and a versioned JSON report for programs (docs/report_format.md).
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "sinew/simulation/run_statistics.h"

namespace sinew::cli {

struct RunOutcome {
  double wall_seconds = 0;
  double cpu_seconds = 0;            // of all threads, likewise while stepping
  double start_time = 0;             // s, simulated
  std::string status = "completed";  // or "failed", "interrupted"
  std::string reason;                // if failed
  int threads = 1;
};

std::string make_summary(const Simulation& simulation, const RunStatistics& statistics, const RunOutcome& outcome);
nlohmann::ordered_json make_report(const Simulation& simulation, const RunStatistics& statistics,
                                   const RunOutcome& outcome);

}  // namespace sinew::cli
