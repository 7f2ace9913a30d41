// The subcommands of `sinew`. Each file defines one and registers it with its options, help and an example; main.cpp lists them.
#pragma once

#include <functional>

namespace CLI {
class App;
}

namespace sinew::cli {

/// Exit codes. Anything a caller can mend is 2.
inline constexpr int kOk = 0;
inline constexpr int kBadInput = 2;
inline constexpr int kStepFailed = 3;
inline constexpr int kInterrupted = 130;

/// Set by the subcommand that was chosen; run after parsing. Throws sinew::Error.
using Action = std::function<int()>;

void add_run(CLI::App& app, Action& action);
void add_check(CLI::App& app, Action& action);
void add_info(CLI::App& app, Action& action);
void add_list(CLI::App& app, Action& action);
void add_schema(CLI::App& app, Action& action);
void add_make(CLI::App& app, Action& action);
void add_export(CLI::App& app, Action& action);
void add_plot(CLI::App& app, Action& action);
void add_view(CLI::App& app, Action& action);
void add_render(CLI::App& app, Action& action);
void add_reproduce(CLI::App& app, Action& action);
void add_compare(CLI::App& app, Action& action);

}  // namespace sinew::cli
