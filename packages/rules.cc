// Runs the program lanecheck and reads its JUnit XML, which has a test case for each rule.
#include "lanecheck/rules.h"

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cstdlib>
#include <filesystem>
#include <iostream>
#include <stdexcept>
#include <utility>

#include "fuzz/backend/plugin_backend.h"
#include "fuzz/backend/process_backend.h"
#include "spec/text/input_file.h"
#include "spec/text/temporary_folder.h"

namespace lanecheck::rules {
namespace {

constexpr const char* kServe = "LANECHECK_SERVE";
constexpr int kConforms = 0;  // exit code of lanecheck

/// One word of a "cmd:" backend, which knows quotes but no backslashes.
std::string quoted(const std::string& word) {
  std::string out = "'";
  for (const char c : word) out += c == '\'' ? "'\"'\"'" : std::string(1, c);
  return out + "'";
}

std::string program_of(const Settings& settings) {
  if (!settings.program.empty()) return settings.program;
  const char* const named = std::getenv("LANECHECK");
  return named != nullptr && *named != '\0' ? named : "lanecheck";
}

/// Runs lanecheck with its output in a file. Returns its exit code.
int call(const std::string& program, std::vector<std::string> arguments, const std::string& output) {
  arguments.insert(arguments.begin(), program);
  std::vector<char*> words;
  for (std::string& each : arguments) words.push_back(each.data());
  words.push_back(nullptr);
  const pid_t child = fork();
  if (child < 0) throw std::runtime_error("no further process can be started");
  if (child == 0) {
    const int out = open(output.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_APPEND, 0600);
    const int in = open("/dev/null", O_RDONLY);
    if (out >= 0 && in >= 0 && dup2(in, 0) == 0 && dup2(out, 1) == 1 && dup2(out, 2) == 2)
      execvp(words[0], words.data());
    _exit(127);
  }
  int status = 0;
  while (waitpid(child, &status, 0) < 0) {
    if (errno != EINTR) throw std::runtime_error("the process of lanecheck was lost");
  }
  if (!WIFEXITED(status)) return -1;
  if (WEXITSTATUS(status) == 127)
    throw std::runtime_error(program +
                             ": cannot be run; set the environment variable LANECHECK to the program");
  return WEXITSTATUS(status);
}

std::string unescaped(std::string_view text) {
  constexpr std::array<std::pair<std::string_view, char>, 5> kEntities{
      {{"&amp;", '&'}, {"&lt;", '<'}, {"&gt;", '>'}, {"&quot;", '"'}, {"&#39;", '\''}}};
  std::string out;
  while (!text.empty()) {
    std::size_t taken = 1;
    char character = text.front();
    for (const auto& [entity, meant] : kEntities)
      if (text.substr(0, entity.size()) == entity) {
        taken = entity.size();
        character = meant;
      }
    out += character;
    text.remove_prefix(taken);
  }
  return out;
}

/// The text from behind `begin` to `end`, and moves `text` behind it.
std::string_view next(std::string_view& text, std::string_view begin, std::string_view end) {
  const std::size_t from = text.find(begin);
  if (from == std::string_view::npos) return text = {};
  text.remove_prefix(from + begin.size());
  const std::string_view found = text.substr(0, text.find(end));
  text.remove_prefix(found.size());
  return found;
}

/// One <testcase> of the JUnit XML.
struct TestCase {
  std::string suite, name;
  std::string element;  ///< "failure", "error", "skipped", or empty
  std::string text;
};

std::vector<TestCase> read_junit(std::string_view text) {
  std::vector<TestCase> cases;
  std::string suite;
  while (text.find("<testcase ") != std::string_view::npos) {
    const std::size_t at = text.find("<testsuite name=\"");
    if (at < text.find("<testcase ")) suite = unescaped(next(text, "<testsuite name=\"", "\""));
    TestCase read;
    read.suite = suite.substr(suite.find('/') + 1);
    next(text, "<testcase ", " name=\"");
    read.name = unescaped(next(text, " name=\"", "\""));
    if (text.substr(0, 3) != "\"/>") {
      read.element = next(text, "><", " ");
      const std::string message = unescaped(next(text, "message=\"", "\""));
      const bool has_text = text.substr(0, 2) == "\">";
      read.text = has_text ? unescaped(next(text, "\">", "</")) : message;
    }
    cases.push_back(std::move(read));
  }
  return cases;
}

bool is_rule(const TestCase& each) {
  return each.suite != "run" && each.suite != "findings without a rule";
}

/// The report of a run as test cases. None if lanecheck wrote no report; `output` then says why.
std::vector<TestCase> report_of(const std::string& backend, const Settings& settings, std::uint64_t cases,
                                std::string& output) {
  const TemporaryFolder folder;
  const std::string program = program_of(settings), json = folder.path() / "report.json",
                    junit = folder.path() / "junit.xml", printed = folder.path() / "output";
  const int code = call(program,
                        {"run", "--quiet", "--backend", backend, "--profile", settings.profile, "--cases",
                         std::to_string(cases), "--seed", std::to_string(settings.seed), "--json", json},
                        printed);
  output = read_input_file(printed) + "exit code " + std::to_string(code) + "\n";
  if (!std::filesystem::exists(json)) return {};
  if (call(program, {"report", json, "--junit", junit}, printed) != kConforms)
    throw std::runtime_error(read_input_file(printed));
  return read_junit(read_input_file(junit));
}

/// A finding is told in full at one of its rules; its other rules take the text from there.
void complete_texts(std::map<std::string, Outcome>& outcomes) {
  constexpr std::string_view stands = "The program and the lane map stand at ";
  const auto told = outcomes;
  for (auto& [id, outcome] : outcomes) {
    std::string_view rest = outcome.text;
    while (!rest.empty()) {
      const auto found = told.find(std::string(next(rest, stands, ".\n")));
      if (found == told.end()) break;
      outcome.text += "\n" + found->second.text;
      rest = {};
    }
  }
}

Outcome outcome_of(const TestCase& each, bool ended_well) {
  if (each.element == "failure" || each.element == "error") return {State::failed, each.text};
  if (each.element == "skipped") return {State::skipped, each.text};
  if (!ended_well) return {State::skipped, std::string("the run did not end well; ") + kOther + " says more"};
  return {State::passed, ""};
}

Simulator* served = nullptr;  // what the functions of the C interface, which have no argument for it, run
int saved_stdout = -1;        // a copy of standard output, for the answers

void run_callable(void*, lanecheck_program* programs, std::uint32_t count) {
  for (lanecheck_program* program = programs; program != programs + count; ++program) try {
      served->callable(*program);
    } catch (const std::exception& error) {
      program->verdict = LANECHECK_ERRORED;
      const std::string why = error.what();
      program->why[why.copy(program->why, LANECHECK_WHY_BYTES - 1)] = '\0';
    }
}

}  // namespace

std::vector<std::string> ids(const Settings& settings) {
  std::string output;
  std::vector<std::string> found;
  for (const TestCase& each : report_of("oracle", settings, 1, output))
    if (is_rule(each)) found.push_back(each.name);
  if (found.empty()) throw std::runtime_error(output);
  found.emplace_back(kOther);
  return found;
}

std::map<std::string, Outcome> run(const std::string& backend, const Settings& settings) {
  std::map<std::string, Outcome> outcomes;
  std::string output, other;
  std::vector<TestCase> cases;
  try {
    cases = report_of(backend, settings, settings.cases, output);
    if (cases.empty()) other = output;
    const std::string why =
        cases.empty() ? std::string("lanecheck did not judge the simulator; ") + kOther + " says why"
                      : "the simulator does not report that it refuses a program";
    for (const std::string& id : ids(settings)) outcomes[id] = {State::skipped, why};
  } catch (const std::runtime_error& error) {
    other = error.what();
  }
  const TestCase verdict = cases.empty() ? TestCase{} : cases.front();
  bool failed = false;
  for (const TestCase& each : cases) {
    if (is_rule(each)) outcomes[each.name] = outcome_of(each, verdict.element != "error");
    if (each.suite == "findings without a rule" && !each.element.empty() && each.element != "skipped")
      other += each.text + "\n";
    failed = failed || (is_rule(each) && each.element == "failure");
  }
  complete_texts(outcomes);
  if (verdict.element == "error" || (verdict.element == "failure" && !failed && other.empty()))
    other += output + verdict.text;
  outcomes[kOther] = other.empty() ? Outcome{} : Outcome{State::failed, other};
  return outcomes;
}

std::string own_backend(const std::string& name) {
  return std::string("cmd: env -u GTEST_TOTAL_SHARDS -u GTEST_SHARD_INDEX ") + kServe + "=" + name +
         " GTEST_FILTER='*' " + quoted(std::filesystem::read_symlink("/proc/self/exe").string());
}

bool is_asked_to_serve(const std::string& name) {
  const char* const asked = std::getenv(kServe);
  return asked != nullptr && asked == name;
}

bool call_early() {
  if (std::getenv(kServe) == nullptr || saved_stdout >= 0) return false;
  saved_stdout = dup(1);
  return dup2(2, 1) == 1;
}

int serve(const Simulator& simulator) {
  std::FILE* const to = saved_stdout >= 0 ? fdopen(saved_stdout, "w") : nullptr;
  if (to == nullptr) return 1;
  static Simulator kept = simulator;
  served = &kept;
  lanecheck_plugin_info info{};
  info.version = LANECHECK_PLUGIN_VERSION;
  info.size = sizeof info;
  info.name = std::getenv(kServe);
  info.offers = kept.offers.empty() ? nullptr : kept.offers.data();
  info.offer_count = static_cast<std::uint32_t>(kept.offers.size());
  info.run = &run_callable;
  try {
    Backend backend = plugin_backend(kept.plugin != nullptr ? *kept.plugin : info);
    backend.run_batch = nullptr;  // a write outside a UB is then seen at its own program
    return lanecheck::serve(backend, false, to);
  } catch (const std::exception& error) {
    std::cerr << error.what() << '\n';
    return 1;
  }
}

}  // namespace lanecheck::rules
