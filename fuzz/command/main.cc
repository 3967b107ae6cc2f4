// The command line. All of CLI11 is here.
#include <CLI/CLI.hpp>
#include <iostream>
#include <stdexcept>

#include "fuzz/command/commands.h"
#include "reports/format.h"
#include "spec/program/profile.h"
#include "spec/text/input_error.h"
#include "version.h"

namespace {

using lanecheck::CommandOptions;

constexpr const char* kExitCodes = R"(
Exit codes: 0 conforms, 1 diverges, 2 bad input, 3 backend or harness failure (an interrupted run included).)";

void add_attach(CLI::App* command, CommandOptions& options) {
  command->add_option("--deadline", options.attach.deadline, "attached backend: seconds for one program")
      ->capture_default_str()
      ->check(CLI::PositiveNumber);
  command
      ->add_option("--start-up", options.attach.start_up, "attached backend: seconds until its first answer")
      ->capture_default_str()
      ->check(CLI::PositiveNumber);
  command
      ->add_option("--restarts", options.attach.restarts,
                   "attached backend: end the run after this many restarts that programs made necessary")
      ->capture_default_str();
  command->add_flag("--in-process", options.attach.in_process,
                    "plug-in: load it into lanecheck itself (for a debugger; a crash then ends the run)");
}

void add_backend(CLI::App* command, CommandOptions& options) {
  command
      ->add_option("--backend,-b", options.backend,
                   "'cmd: COMMAND' (a process), plugin:PATH (a shared library), example, oracle, or wrong:ID "
                   "(see `lanecheck mutants --list`)")
      ->capture_default_str();
  add_attach(command, options);
  command->add_option("--reading,-r", options.readings, "pin a reading, ID=OPTION (see `lanecheck readings`)")
      ->allow_extra_args(false);  // what follows is the file
}

void add_profile(CLI::App* command, CommandOptions& options) {
  command->add_option("--profile,-p", options.profile, "the contract: vmc, ascendc-a2, ascendc-310p or tik")
      ->capture_default_str();
}

/// The profile's readings, then those that the user pins.
void settle(CommandOptions& options) {
  const lanecheck::Profile* profile = lanecheck::find_profile(options.profile);
  if (profile == nullptr)
    throw lanecheck::InputError("--profile " + options.profile,
                                "no such profile; " + lanecheck::profile_names());
  options.run.mix.profile = *profile;
  options.run.readings = lanecheck::default_readings(*profile);
  for (const std::string& setting : options.readings) {
    lanecheck::pin(options.run.readings, setting);
    const std::string id = setting.substr(0, setting.find('='));
    if (!lanecheck::find_reading(id)->open_in(*profile))
      throw lanecheck::InputError("--reading " + id,
                                  "profile " + options.profile + " does not leave this open");
    options.run.pinned.push_back(id);
  }
}

void add_seed(CLI::App* command, CommandOptions& options) {
  command->add_option("--seed,-s", options.run.seed, "64-bit seed; case i is a function of (seed, i)")
      ->capture_default_str();
}

}  // namespace

int main(int argc, char** argv) try {
  CommandOptions options;
  CLI::App app{"lanecheck: conformance of Ascend A2 vector-mask semantics"};
  app.require_subcommand(1);
  app.set_version_flag("--version", "lanecheck " LANECHECK_VERSION);
  app.footer(kExitCodes);

  auto* run = app.add_subcommand("run", "generate programs, run them on a backend, report broken rules");
  add_backend(run, options);
  add_seed(run, options);
  run->add_option("--cases,-n", options.run.cases, "number of cases")
      ->capture_default_str()
      ->check(CLI::PositiveNumber);
  run->add_option("--first", options.run.first, "index of the first case")->capture_default_str();
  run->add_option("--seconds", options.run.seconds, "stop at a case boundary after this time (0: never)");
  run->add_option("--json,-j", options.json, "write the JSON report to this file");
  run->add_option("--save", options.save, "save each minimized case into this folder");
  add_profile(run, options);
  run->add_flag("--illegal", options.illegal,
                "only programs at the border of what is legal: just inside must run, just outside must be "
                "refused");
  run->add_option(
      "--against", options.against,
      "compare with this backend, not with the oracle; it only says which of the two the documents allow");
  run->add_flag("--bitwise", options.bitwise,
                "with --against: report also differences that the documents allow (NaN payloads, an ULP)");
  run->add_flag("!--no-doctor", options.doctor, "attached backend: do not ask the easy questions first");
  run->add_flag("--quiet,-q", options.quiet, "no progress line");
  run->footer(R"(Examples:
  lanecheck run
  lanecheck run --cases 10000000 --json report.json
  lanecheck run --profile ascendc-a2
  lanecheck run --profile tik --illegal --cases 20000
  lanecheck run --backend wrong:cadd-keeps-dst
  lanecheck run --reading empty_pair=keeps_dst)" +
              std::string(kExitCodes));

  auto* replay = app.add_subcommand("replay", "run one case file, a folder of them, or case (seed, index)");
  replay->add_option("path", options.path, "case file or folder");
  replay->add_option("--index", options.index, "index of a generated case");
  add_backend(replay, options);
  add_profile(replay, options);
  add_seed(replay, options);
  replay->footer(
      "Examples:\n  lanecheck replay corpus\n  lanecheck replay --seed 1 --index 200017 --backend "
      "wrong:mask-advances");

  auto* rules = app.add_subcommand("rules",
                                   "list every rule by document with its standing, how often it is tried and "
                                   "which mutants are caught");
  rules->add_flag("--uncovered", options.uncovered,
                  "only rules that nothing tries; exit code 1 when there are any");
  rules->add_flag("--markdown", options.markdown,
                  "the catalogue of rules and readings instead (spec/catalogue.md)");
  add_seed(rules, options);
  rules->footer("Examples:\n  lanecheck rules\n  lanecheck rules --uncovered");
  auto* documents = app.add_subcommand(
      "documents",
      "report what the documents leave open, with the smallest program on which the readings differ");
  documents->footer("Example:\n  lanecheck documents > documents.md");
  auto* readings =
      app.add_subcommand("readings", "list what the documents leave open, and what a backend does there");
  add_backend(readings, options);
  add_seed(readings, options);
  add_profile(readings, options);
  readings->footer("Examples:\n  lanecheck readings\n  lanecheck readings --backend example");
  auto* mutants = app.add_subcommand("mutants", "catch every mutant; print cases and seconds to the catch");
  mutants->add_flag("--list", options.list, "only list the mutants");
  add_seed(mutants, options);
  add_profile(mutants, options);
  mutants->add_option("--save", options.save, "save the minimized witnesses as case files below this folder");
  mutants->footer("Examples:\n  lanecheck mutants\n  lanecheck mutants --list");
  auto* explain = app.add_subcommand("explain", "execute one program and show each step's mask and writes");
  explain->add_option("path", options.path, "case file (JSON) or program (text)");
  explain->add_option("--index", options.index, "index of a generated case");
  add_seed(explain, options);
  add_profile(explain, options);
  explain->add_option("--reading,-r", options.readings, "pin a reading, ID=OPTION");
  explain->footer("Examples:\n  lanecheck explain program.txt\n  lanecheck explain --seed 1 --index 200017");
  auto* gen = app.add_subcommand("gen", "print generated cases with expected outcomes as JSON Lines");
  add_seed(gen, options);
  add_profile(gen, options);
  gen->add_option("--cases,-n", options.run.cases, "number of cases");
  gen->add_option("--first", options.run.first, "index of the first case");
  gen->footer("Example:\n  lanecheck gen --cases 100 --first 1000000 > cases.jsonl");

  auto* init = app.add_subcommand("init-backend", "write the start of a new backend into a folder");
  init->add_option("language", options.language, "python or cpp")->required();
  init->add_option("folder", options.path, "made if it is not there; nothing in it is overwritten")
      ->required();
  init->footer(
      "Examples:\n  lanecheck init-backend python my_backend\n  lanecheck init-backend cpp my_backend");
  auto* serve =
      app.add_subcommand("serve", "answer the backend protocol on standard input, by a built-in backend");
  serve->add_option("--backend,-b", options.backend, "example, oracle, or wrong:ID")->capture_default_str();
  serve->add_flag("--hex-only", options.hex_only, "take images as hexadecimal digits only");
  serve->footer("Example:\n  lanecheck run --backend 'cmd: lanecheck serve --backend wrong:cadd-keeps-dst'");
  auto* doctor = app.add_subcommand("doctor", "ask an adapter the easy questions and name its mistakes");
  doctor->add_option("backend", options.backend, "the backend, as --backend of `lanecheck run` takes it")
      ->required();
  doctor->add_flag("--protocol", options.protocol,
                   "check that a process keeps to the backend protocol, no more");
  add_attach(doctor, options);
  doctor->footer(
      "Examples:\n  lanecheck doctor 'cmd: python3 my_sim.py'\n  lanecheck doctor plugin:./libmy_sim.so\n  "
      "lanecheck doctor --protocol 'cmd: ./my_sim'" +
      std::string(kExitCodes));
  auto* offers =
      app.add_subcommand("offers", "list every instruction with its operands and element types (dst<src)");
  add_profile(offers, options);
  offers->add_flag("--json", options.as_json, "print JSON instead of text");
  offers->footer(R"(Fields of --json, for each of `instructions`:
  instruction  name without types; api: what the API calls it
  mnemonics    each form that programs name: mnemonic, and if it takes element types dst, src, scalar (the type
               of the scalar, if it takes one), round (cast) or compare (compares): the modes on offer
  operands     role, and whether a program gives its block_stride and repeat_stride
  settings     name, least and most legal value
  lengths      how many record counts it takes
  mask_words   true if the instruction itself takes the fields high and low
  mask_from    where its mask may come from: register, contiguous, bitwise, count
  repeat       true if it takes repeat times
Examples:
  lanecheck offers
  lanecheck offers --profile ascendc-a2
  lanecheck offers --profile tik --json)");

  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? lanecheck::kConforms : lanecheck::kBadInput;
  }
  options.by_index = replay->count("--index") + explain->count("--index") > 0;
  if (gen->parsed() && gen->count("--cases") == 0) options.run.cases = 10;
  settle(options);
  if (options.illegal) options.run.illegal_in_32 = 32;
  if (init->parsed()) return init_backend_command(options);
  if (doctor->parsed()) return doctor_command(options);
  if (serve->parsed()) return serve_command(options);
  if (offers->parsed()) return offers_command(options);
  if (run->parsed()) return run_command(options);
  if (replay->parsed()) return replay_command(options);
  if (rules->parsed()) return rules_command(options);
  if (documents->parsed()) return documents_command(options);
  if (readings->parsed()) {
    options.by_index = readings->count("--backend") > 0;
    return readings_command(options);
  }
  if (mutants->parsed()) return mutants_command(options);
  if (explain->parsed()) return explain_command(options);
  return gen_command(options);
} catch (const lanecheck::InputError& error) {
  std::cerr << "lanecheck: " << lanecheck::printable_lines(error.what()) << '\n';
  return lanecheck::kBadInput;
} catch (const std::invalid_argument& error) {
  std::cerr << "lanecheck: " << lanecheck::printable_lines(error.what()) << '\n';
  return lanecheck::kBadInput;
} catch (const std::exception& error) {
  std::cerr << "lanecheck: " << lanecheck::printable_lines(error.what()) << '\n';
  return lanecheck::kFailure;
}
