// The one file that includes CLI11.
#include "fuzz/command/command_line.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <charconv>
#include <cmath>
#include <iostream>
#include <sstream>

#include "reports/exit_code.h"
#include "reports/format.h"
#include "spec/text/did_you_mean.h"
#include "spec/text/number.h"
#include "version.h"

namespace lanecheck {
namespace {

std::vector<const CLI::App*> commands_of(const CLI::App& app) {
  return app.get_subcommands([](const CLI::App*) { return true; });
}

/// "--html is an option of `lanecheck report`" if commands, other than the one that was parsed, have it.
std::string other_commands(const CLI::App& app, const std::string& option) {
  std::string text;
  for (const CLI::App* each : commands_of(app))
    if (each->get_option_no_throw(option) != nullptr)
      text += (text.empty() ? "" : ", ") + ("`lanecheck " + each->get_name() + "`");
  return text.empty() ? "" : option + " is an option of " + text + "\n";
}

/// A line for the first argument that is unknown, if a known one is near.
std::string suggestions(const CLI::App& app, int argc, char** argv) {
  std::vector<std::string> commands, options;
  const CLI::App* parsed = &app;
  int next = 1;  // the argument after the commands that were found
  for (; !parsed->get_subcommands().empty(); ++next) parsed = parsed->get_subcommands().front();
  for (const CLI::App* each : commands_of(*parsed)) commands.push_back(each->get_name());
  std::string what, elsewhere;
  if (!commands.empty()) {
    if (argc > next) what = did_you_mean(argv[next], commands);
  } else {
    for (const CLI::Option* each : parsed->get_options())
      for (const std::string& name : each->get_lnames()) options.push_back("--" + name);
    for (int n = next; n < argc && what.empty(); ++n) {
      const std::string given = std::string(argv[n]).substr(0, std::string_view(argv[n]).find('='));
      if (!given.starts_with("--") || std::ranges::count(options, given) > 0) continue;
      if (elsewhere.empty()) elsewhere = other_commands(app, given);
      what = did_you_mean(given, options);
    }
  }
  if (!elsewhere.empty()) return elsewhere;
  return what.empty() ? "" : "D" + what.substr(3) + "\n";  // without "; "
}

constexpr const char* kEmpty = "the value is empty; is a variable of the shell not set?";

void refuse_empty(CLI::Option& option) {
  option.check([](const std::string& given) { return given.empty() ? std::string(kEmpty) : std::string(); });
}

/// The first argument "--name=", or "". CLI11 would take the next argument as its value.
std::string option_without_value(int argc, char** argv) {
  for (int n = 1; n < argc; ++n)
    if (const std::string_view given = argv[n];
        given.starts_with("--") && given.find('=') == given.size() - 1)
      return std::string(given.substr(0, given.size() - 1));
  return "";
}

}  // namespace

const char* const kExitCodesHelp =
    "\n\nExit codes: 0 conforms, 1 diverges, 2 wrong input, 3 the backend or lanecheck failed, the run was "
    "interrupted, or a run of 200,000 cases or more left a rule unexercised. A shorter run names such rules "
    "in its "
    "verdict.";

Argument& Argument::required() {
  option_->required()->default_str("");  // what must be given has no default
  return *this;
}

Argument& Argument::needs(const Argument& other) {
  option_->needs(other.option_);
  return *this;
}

Argument& Argument::excludes(const Argument& other) {
  option_->excludes(other.option_);
  return *this;
}

bool Argument::given() const {
  return option_->count() > 0;
}

Argument Command::text(const std::string& names, std::string& value, const std::string& help) {
  CLI::Option* option = app_->add_option(names, value, help);
  refuse_empty(*option);
  if (!value.empty()) option->capture_default_str();
  return Argument(option);
}

Argument Command::texts(const std::string& names, std::vector<std::string>& values, const std::string& help) {
  const bool is_option = names.starts_with('-');
  CLI::Option* option = app_->add_option(names, values, help);
  refuse_empty(*option);
  return Argument(option->allow_extra_args(!is_option));  // a file may follow
}

Argument Command::flag(const std::string& names, bool& value, const std::string& help) {
  return Argument(app_->add_flag(names, value, help));
}

void Command::only_with(const Argument& option, const std::vector<std::string>& names) {
  for (CLI::Option* other : app_->get_options())
    if (other != option.option_ && other != app_->get_help_ptr() &&
        std::ranges::none_of(names, [&](const std::string& name) { return other->check_name(name); }))
      option.option_->excludes(other);
}

Argument Command::whole_number(const std::string& names, std::optional<std::uint64_t> shown,
                               const std::function<void(std::uint64_t)>& set, const std::string& help,
                               std::uint64_t least, std::uint64_t most) {
  const auto parse = [names, set, least, most](const std::string& text) {
    const auto value = parse_unsigned(text);
    if (!value || *value < least || *value > most)
      throw CLI::ValidationError(names.substr(0, names.find(',')),
                                 "'" + text + "' is not a whole number from " + std::to_string(least) +
                                     " to " + std::to_string(most));
    set(*value);
  };
  CLI::Option* option = app_->add_option_function<std::string>(names, parse, help)->type_name("NUMBER");
  if (shown) option->default_str(std::to_string(*shown));
  return Argument(option);
}

Argument Command::seconds(const std::string& names, double& value, const std::string& help, bool or_zero) {
  const auto parse = [names, or_zero, &value](const std::string& text) {
    double given = -1;
    const char* const end = text.data() + text.size();
    const auto [stop, error] = std::from_chars(text.data(), end, given);
    const bool read = error == std::errc() && stop == end && std::isfinite(given);
    if (!read || given < 0 || given > kMostSeconds || (given == 0 && !or_zero))
      throw CLI::ValidationError(names, "'" + text + "' is not a number of seconds " +
                                            (or_zero ? "from 0" : "above 0, up") + " to 1000000");
    value = given;
  };
  std::string shown = std::to_string(value);
  shown.erase(shown.find_last_not_of('0') + 1);
  if (shown.ends_with('.')) shown.pop_back();
  return Argument(app_->add_option_function<std::string>(names, parse, help)
                      ->type_name("SECONDS")
                      ->default_str(std::move(shown)));
}

void Command::footer(const std::string& text) {
  app_->footer(text);
}

CommandLine::CommandLine()
    : app_(std::make_unique<CLI::App>("lanecheck: conformance of Ascend A2 vector-mask semantics")) {
  app_->require_subcommand(1);
  app_->set_version_flag("--version", "lanecheck " LANECHECK_VERSION);
  app_->footer(std::string("Each command has examples in its own help: lanecheck run --help") +
               kExitCodesHelp);
}

CommandLine::~CommandLine() = default;

Command CommandLine::add(const std::string& name, const std::string& help) {
  CLI::App* parent = app_.get();
  const std::size_t space = name.find(' ');
  if (space != std::string::npos) parent = app_->get_subcommand(name.substr(0, space))->require_subcommand(1);
  const std::string own = space == std::string::npos ? name : name.substr(space + 1);
  added_.push_back({parent->add_subcommand(own, help), std::make_unique<std::function<int()>>()});
  return {added_.back().app, added_.back().action.get()};
}

int CommandLine::run(int argc, char** argv) {
  if (const std::string option = option_without_value(argc, argv); !option.empty()) {
    std::cerr << printable(option) << ": " << kEmpty << '\n';
    return kBadInput;
  }
  try {
    app_->parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    std::ostringstream out, err;
    const bool fine = app_->exit(error, out, err) == 0;
    std::cout << out.str();
    std::cerr << printable_lines(err.str());
    if (!fine) std::cerr << suggestions(*app_, argc, argv);
    return fine ? kConforms : kBadInput;
  }
  for (const Added& each : added_)
    if (each.app->parsed() && commands_of(*each.app).empty()) return (*each.action)();
  return kBadInput;
}

}  // namespace lanecheck
