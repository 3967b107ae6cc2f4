// The command line as the commands see it. CLI11 takes three seconds to compile in each file that includes
// it, so only command_line.cc does.
#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace lanecheck {

inline constexpr double kMostSeconds = 1'000'000;  ///< more than 11 days; clocks count it without overflow

/// A declared option or file name. Combinations that `needs` and `excludes` rule out end in a message and
/// exit code 2.
class Argument {
 public:
  explicit Argument(CLI::Option* option) : option_(option) {}

  Argument& required();
  Argument& needs(const Argument& other);
  Argument& excludes(const Argument& other);
  bool given() const;  ///< after parsing

 private:
  friend class Command;
  CLI::Option* option_;
};

/// One command: its options, examples and action. Values are written into the caller's variables, which must
/// live until the action has run; what they hold before parsing is the default.
class Command {
 public:
  Command(CLI::App* app, std::function<int()>* action) : app_(app), action_(action) {}

  Argument text(const std::string& names, std::string& value, const std::string& help);
  /// May be given several times; without dashes, it takes all that follow.
  Argument texts(const std::string& names, std::vector<std::string>& values, const std::string& help);
  Argument flag(const std::string& names, bool& value, const std::string& help);
  template <class Number>
  Argument number(const std::string& names, Number& value, const std::string& help, Number least = 0) {
    return whole_number(
        names, value, [&value](std::uint64_t given) { value = static_cast<Number>(given); }, help, least,
        std::numeric_limits<Number>::max());
  }
  /// The same without a default.
  Argument number(const std::string& names, std::optional<std::uint64_t>& value, const std::string& help) {
    return whole_number(
        names, {}, [&value](std::uint64_t given) { value = given; }, help, 0,
        std::numeric_limits<std::uint64_t>::max());
  }
  /// A duration. `or_zero`: 0 is allowed as well.
  Argument seconds(const std::string& names, double& value, const std::string& help, bool or_zero);

  /// `option` excludes all options that were declared before, except those with these names.
  void only_with(const Argument& option, const std::vector<std::string>& names);

  /// What `--help` prints below the options.
  void footer(const std::string& text);
  /// What the command does; it returns the exit code.
  void action(std::function<int()> run) { *action_ = std::move(run); }

 private:
  Argument whole_number(const std::string& names, std::optional<std::uint64_t> shown,
                        const std::function<void(std::uint64_t)>& set, const std::string& help,
                        std::uint64_t least, std::uint64_t most);

  CLI::App* app_;
  std::function<int()>* action_;
};

class CommandLine {
 public:
  CommandLine();
  ~CommandLine();
  CommandLine(const CommandLine&) = delete;
  CommandLine& operator=(const CommandLine&) = delete;

  /// "NAME", or "NAME ACTION" for an action of a command that was added before and then does nothing itself.
  Command add(const std::string& name, const std::string& help);
  /// Parses the arguments and runs the command that they name. Returns the exit code.
  int run(int argc, char** argv);

 private:
  struct Added {
    CLI::App* app;
    std::unique_ptr<std::function<int()>> action;
  };
  std::unique_ptr<CLI::App> app_;
  std::vector<Added> added_;
};

/// Ends the help of the commands whose exit code says more than whether they worked.
extern const char* const kExitCodesHelp;

}  // namespace lanecheck
