// Probes: reads the quantities a scene asks for out of State and Ledger, into one row of numbers.
#pragma once

#include <functional>
#include <span>
#include <vector>

#include "sinew/dynamics/least_reactions.h"
#include "sinew/simulation/ledger.h"
#include "sinew/simulation/scene_description.h"

namespace sinew {

/// What probes look at.
struct ProbedMoment {
  const State& state;
  const Ledger& ledger;
  const Control& control;
  const VecX& reactions;  // State::reaction, of joints that repeat each other the least (least_reactions.h)
};

class Probes {
 public:
  /// Throws Error for names that do not exist (`where` is the path "probes[i]").
  Probes(const std::vector<ProbeDescription>& probes, const System& system, const Ledger& ledger);

  /// "tip.x" [m], "tip.y" [m], ...
  const std::vector<LedgerColumn>& columns() const { return columns_; }

  /// Values now, one per column. `control` is that of the last step.
  std::span<const double> read(const State& state, const Ledger& ledger, const Control& control = {});

 private:
  using Reader = std::function<void(const ProbedMoment&, double* out)>;
  struct Entry {
    Reader reader;
    std::size_t first;  // column
  };
  std::vector<LedgerColumn> columns_;
  std::vector<Entry> entries_;
  std::vector<double> values_;
  LeastReactions least_reactions_;
  bool reads_reactions_ = false;
  VecX reactions_;
};

}  // namespace sinew
