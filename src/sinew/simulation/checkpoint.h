// A checkpoint: State and ledger totals, written so that a run continued from it is bit-identical to one that never stopped. The file is
// replaced whole or not at all.
#pragma once

#include <cstdint>
#include <filesystem>

#include "sinew/model/state.h"
#include "sinew/simulation/ledger.h"

namespace sinew {

struct Checkpoint {
  State state;
  LedgerTotals totals;
};

/// `scene_hash` names the scene the checkpoint belongs to. Throws Error{File}.
void write_checkpoint(const std::filesystem::path& path, const Checkpoint& checkpoint, std::uint64_t scene_hash);

/// Throws Error{File} if the file is not a whole, undamaged checkpoint of that scene.
Checkpoint read_checkpoint(const std::filesystem::path& path, std::uint64_t scene_hash);

/// Throws Error{Input} if sizes differ from those of the system or a number is not finite.
void check_fits(const Checkpoint& checkpoint, const System& system);

}  // namespace sinew
