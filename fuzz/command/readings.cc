// lanecheck readings: what the documents leave open, and which option a backend follows.
#include <unistd.h>

#include <iostream>
#include <memory>
#include <optional>
#include <set>
#include <string>

#include "fuzz/command/options.h"
#include "fuzz/command/signals.h"
#include "fuzz/explain/smallest/difference.h"
#include "oracle/compare/compare.h"
#include "reports/exit_code.h"
#include "reports/format.h"
#include "spec/legality/find_fault.h"
#include "spec/program/profile.h"
#include "spec/text/joined.h"
#include "spec/text/program_text.h"

namespace lanecheck {
namespace {

struct ReadingsCommand {
  BackendGroup backend;
  ProfileGroup profile;
  ReadingsGroup readings;
  SeedGroup seed;
};

void print_reading(const Reading& reading, const Readings& chosen) {
  std::cout << reading.id << "  (" << reading.source.document << " " << reading.source.section << ")\n  "
            << reading.question << '\n';
  for (unsigned option = 0; option < reading.options.size(); ++option)
    std::cout << (option == reading.get(chosen) ? "  * " : "    ") << reading.options[option].name << ": "
              << reading.options[option].meaning << '\n';
  std::cout << "  default because: " << reading.why << '\n';
}

void print_instructions(const Program& program) {
  for (const Instruction& insn : program.instructions)
    std::cout << "      " << print_instruction(program, insn) << '\n';
}

/// What `backend` did with a program that only one of the two options calls legal.
void print_legality(const Backend& backend, std::string_view legal_under, bool ran) {
  std::cout << "  " << printable(backend.name) << (ran ? " runs" : " does not run")
            << " this program, which only '" << legal_under << "' calls legal:\n";
}

/// Which of the options `one` and `other` explains what `backend` did with a program.
void print_followed(const Backend& backend, bool follows_one, bool follows_other, std::string_view one,
                    std::string_view other) {
  std::cout << "  " << printable(backend.name) << " follows ";
  if (follows_one)
    std::cout << one;
  else if (follows_other)
    std::cout << other;
  else
    std::cout << "neither " << one << " nor " << other;
  std::cout << " on this program:\n";
}

/// The smallest program on which two readings differ, of instructions that the backend offers. If there is
/// none, says why, and returns nothing.
std::optional<Program> telling_program(const ReadingsCommand& given, const Backend& backend,
                                       const RunOptions& run, const Readings& other,
                                       const std::string& one_from_other) {
  const auto search = [&](const Capabilities& offers) {
    auto found = smallest_difference(given.seed.seed, run.mix, run.readings, other, offers, stop_requested);
    if (stop_requested()) throw Stopped();
    return found;
  };
  auto found = search(backend.capabilities);
  if (found) return found;
  if (!backend.capabilities.everything) found = search({});
  if (!found) {
    std::cout << "  no generated program tells " << one_from_other << '\n';
    return {};
  }
  Program offered = *found;
  std::set<std::string> lacking;
  for (const Instruction& insn : restrict_to(backend.capabilities, offered)) lacking.insert(mnemonic(insn));
  if (lacking.empty()) return found;
  std::cout << "  " << printable(backend.name) << " does not offer " << joined(lacking)
            << ", with which the smallest program tells " << one_from_other << '\n';
  return {};
}

/// Tells which of the two options the backend follows on the smallest program on which they differ. False if
/// the backend failed.
bool probe(const ReadingsCommand& given, const Backend& backend, const RunOptions& run,
           const Reading& reading, unsigned option) {
  const std::string_view chosen = reading.options[reading.get(run.readings)].name;
  const std::string_view name = reading.options[option].name;
  Readings other = run.readings;
  reading.set(other, option);
  if (stop_requested()) throw Stopped();
  const auto found =
      telling_program(given, backend, run, other, std::string(name) + " from " + std::string(chosen));
  if (!found) return true;
  State state;
  const Outcome outcome = backend.run(*found, state);
  if (const auto* skipped = std::get_if<Skipped>(&outcome)) {
    std::cout << "  not shown: " << printable(backend.name) << " skips this program, which tells " << name
              << " from " << chosen << " (" << printable(skipped->why) << "):\n";
    print_instructions(*found);
    return true;
  }
  if (const auto* errored = std::get_if<Errored>(&outcome)) {
    std::cout << "  " << printable(backend.name) << " fails: " << printable(errored->what) << '\n';
    return false;
  }
  const bool ran = std::holds_alternative<Ran>(outcome);
  const auto follows = [&](const Readings& readings) {
    return ran && agrees(*found, Semantics(readings), state, backend.shown(run.mix.profile));
  };
  if (find_fault(*found, run.readings))
    print_legality(backend, name, ran);
  else if (find_fault(*found, other))
    print_legality(backend, chosen, ran);
  else
    print_followed(backend, follows(run.readings), follows(other), chosen, name);
  print_instructions(*found);
  return true;
}

/// Tells a person at a terminal which reading is being tried: a slow backend takes minutes.
void show_progress(const Reading& reading) {
  if (isatty(STDERR_FILENO) != 0) std::cerr << "trying " << reading.id << " ..." << std::endl;
}

int print_readings(const ReadingsCommand& given, const RunOptions& run, const Backend& backend, bool probes) {
  for (const Reading& reading : readings()) {
    if (!reading.open_in(run.mix.profile)) continue;
    print_reading(reading, run.readings);
    if (probes) show_progress(reading);
    for (unsigned option = 0; probes && option < reading.options.size(); ++option)
      if (option != reading.get(run.readings) && !probe(given, backend, run, reading, option))
        return kFailure;
    std::cout << std::endl;
  }
  return kConforms;
}

int readings_command(const ReadingsCommand& given, bool probes) {
  handle_stop_signals();
  const RunOptions run = run_options(given.profile.profile(), given.readings);
  const Backend backend = stoppable(given.backend.find());
  if (probes) require_profile(backend, run.mix.profile);
  try {
    return print_readings(given, run, backend, probes);
  } catch (const Stopped&) {
    std::cout << "interrupted: the readings after this one were not tried\n";
    return kFailure;
  }
}

}  // namespace

void add_readings(CommandLine& line) {
  Command command = line.add(
      "readings", "list what the documents leave open; with --backend, also which option a backend follows");
  const auto given = std::make_shared<ReadingsCommand>();
  std::vector<Argument> attaching;
  const Argument backend = given->backend.declare(command, &attaching);
  for (Argument& each : attaching) each.needs(backend);
  given->profile.declare(command);
  given->readings.declare(command);
  given->seed.declare(command).needs(backend);
  command.footer(
      "Examples:\n  lanecheck readings\n  lanecheck readings --profile tik\n"
      "  lanecheck readings --backend example");
  command.action([given, backend] { return readings_command(*given, backend.given()); });
}

}  // namespace lanecheck
