#include "fuzz/command/commands.h"

#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <fstream>
#include <iomanip>
#include <iostream>
#include <iterator>
#include <map>
#include <nlohmann/json.hpp>

#include "corpus/case.h"
#include "fuzz/backend/crash_note.h"
#include "fuzz/backend/process_backend.h"
#include "fuzz/backend/stopwatch.h"
#include "fuzz/command/output_file.h"
#include "fuzz/command/skeleton.h"
#include "fuzz/doctor/doctor.h"
#include "fuzz/doctor/protocol_check.h"
#include "fuzz/explain/difference.h"
#include "fuzz/explain/explain.h"
#include "fuzz/explain/minimize.h"
#include "fuzz/generate/edge.h"
#include "fuzz/run/differential_run.h"
#include "fuzz/run/find_backend.h"
#include "oracle/execute/execute.h"
#include "reports/finding_case.h"
#include "reports/format.h"
#include "reports/json_report.h"
#include "reports/terminal.h"
#include "spec/legality/find_fault.h"
#include "spec/program/profile.h"
#include "spec/rules/rule.h"
#include "spec/text/input_error.h"
#include "spec/text/program_text.h"

namespace lanecheck {
namespace {

volatile std::sig_atomic_t interrupted = 0;

void on_interrupt(int) {
  if (interrupted != 0) std::_Exit(kFailure);  // the second time: at once
  interrupted = 1;
}

/// The readings of a program that a file brings along, and those that the user pins.
Readings with_pins(Readings readings, const CommandOptions& options) {
  for (const std::string& setting : options.readings) pin(readings, setting);
  return readings;
}

void check_range(const RunOptions& run) {
  if (run.first > ~std::uint64_t{0} - run.cases)
    throw InputError("--first", std::to_string(run.first) + " and " + std::to_string(run.cases) +
                                    " cases from there reach past 2^64 - 1");
}

Program program_at(const CommandOptions& options, Readings& readings) {
  if (options.by_index) {
    Program program;
    generate(options.run.seed, options.index, options.run.mix, program);
    return program;
  }
  if (options.path.empty()) throw InputError("program", "give a file, or --seed and --index");
  if (options.path.ends_with(".json")) {
    Case c = load_case(options.path);
    readings = with_pins(c.readings, options);
    return std::move(c.program);
  }
  std::ifstream in(options.path, std::ios::binary);
  if (!in || std::filesystem::is_directory(options.path))
    throw InputError(options.path, "cannot be read; name a file");
  const std::string text{std::istreambuf_iterator<char>(in), {}};
  Program program = parse_program(text, options.path);
  readings = with_pins(default_readings(program.profile), options);
  if (const auto fault = find_fault(program, readings))
    throw InputError(options.path, "illegal: " + describe(program, *fault));
  return program;
}

bool takes_profile(const Backend& backend, Profile profile) {
  return std::ranges::count(backend.profiles, row_of(profile).name) > 0;
}

void require_profile(const Backend& backend, const CommandOptions& options) {
  const std::string name(row_of(options.run.mix.profile).name);
  if (takes_profile(backend, options.run.mix.profile)) return;
  std::string offered;
  for (const std::string& each : backend.profiles) offered.append(" ").append(each);
  throw InputError("--profile " + name, backend.name + " does not offer it; it offers:" + offered);
}

/// The backend that was asked for. The readings that it follows on purpose are pinned, unless the user pinned
/// them.
Backend attach(CommandOptions& options, bool in_one_profile = true) {
  Backend backend = find_backend(options.backend, options.attach);
  if (in_one_profile) require_profile(backend, options);
  for (const auto& [id, option] : backend.readings) {
    if (std::ranges::count(options.run.pinned, id) > 0) continue;
    if (const Reading* reading = find_reading(id))
      if (!reading->open_in(options.run.mix.profile)) continue;  // settled by the profile
    try {
      pin(options.run.readings, id + "=" + option);
    } catch (const std::invalid_argument& wrong) {
      throw BackendFailure(backend.name + " follows a reading that is not there: " + wrong.what());
    }
    options.run.pinned.push_back(id);
  }
  return backend;
}

}  // namespace

int run_command(const CommandOptions& given) {
  CommandOptions options = given;
  Backend backend = attach(options);
  if (options.doctor && backend.processes &&
      takes_profile(backend, Profile::vmc)) {  // it asks in that profile
    const Diagnosis diagnosis = examine(backend);
    if (diagnosis.one_cause_for_all()) {
      print_diagnosis(std::cout, diagnosis);
      std::cout << "not run: everything fails for one reason (--no-doctor runs it all the same)\n";
      return kFailure;
    }
    if (!diagnosis.healthy()) backend = attach(options);  // deaths so far are not deaths of the run
  }
  if (options.illegal && !backend.reports_refusals)
    throw InputError("run --illegal", printable(backend.name) +
                                          " does not report refusals (reports_refusals in its hello, "
                                          "refuses_illegal of a plug-in), so it cannot be judged on them");
  check_range(options.run);
  const Style style = style_of(STDOUT_FILENO);
  std::optional<OutputFile> json;
  if (!options.json.empty()) json.emplace(options.json);
  if (!options.save.empty()) make_folder(options.save);
  std::signal(SIGINT, on_interrupt);
  std::signal(SIGTERM, on_interrupt);

  const bool progress = !options.quiet && isatty(STDERR_FILENO) != 0;
  const auto clear_line = [&] {
    if (progress) std::cerr << "\r\033[K" << std::flush;
  };
  RunHooks hooks;
  hooks.stop = [] { return interrupted != 0; };
  hooks.on_finding = [&](const Finding& finding) {
    clear_line();
    print_finding(std::cout, finding, style);
    std::cout << std::endl;
    if (options.save.empty()) return;
    OutputFile file(std::filesystem::path(options.save) / (finding.id + ".json"));
    file.write(print_case(case_of(finding, options.run.readings)));
  };
  if (options.attach.in_process) hooks.before_batch = note_cases(options.run.seed);
  double shown = -1;
  if (progress)
    hooks.on_progress = [&](std::uint64_t done, double seconds, std::size_t findings) {
      if (seconds - shown < 0.1) return;
      shown = seconds;
      std::cerr << '\r' << progress_line(done, options.run.cases, seconds, findings) << "\033[K"
                << std::flush;
    };
  const Report report =
      options.against.empty()
          ? run(options.run, backend, hooks)
          : run_differential(options.run, backend, find_backend(options.against, options.attach),
                             options.bitwise, hooks);
  clear_line();
  print_summary(std::cout, report, style);
  if (json) json->write(dump(report_json(report)) + "\n");
  const int code = exit_code(report);
  return code == kConforms && report.interrupted ? kFailure : code;
}

int replay_command(const CommandOptions& given) {
  CommandOptions options = given;
  const Backend backend = attach(options, options.by_index);  // a file says its profile itself
  const Style style = style_of(STDOUT_FILENO);
  std::vector<std::filesystem::path> files;
  if (!options.by_index) {
    if (options.path.empty()) throw InputError("replay", "give a case file, a folder, or --seed and --index");
    if (!std::filesystem::exists(options.path)) throw InputError(options.path, "does not exist");
    files = std::filesystem::is_directory(options.path) ? case_files(options.path)
                                                        : std::vector<std::filesystem::path>{options.path};
    if (files.empty()) throw InputError(options.path, "holds no case files (*.json)");
  } else {
    files = {"case " + std::to_string(options.index)};
  }
  std::size_t wrong = 0, skipped = 0, undecided = 0, broke = 0;
  for (const auto& file : files) {
    RunOptions run = options.run;
    Program program;
    std::string about;  // the readings that the case is about
    if (options.by_index) {
      generate(run.seed, options.index, run.mix, program);
    } else {
      Case c = load_case(file);
      run.mix.profile = c.program.profile;
      if (c.program.profile != options.run.mix.profile) run.readings = default_readings(c.program.profile);
      for (const auto& [id, option] : departures(c.readings, default_readings(c.program.profile))) {
        std::string setting(id);
        pin(run.readings, setting.append("=").append(option));
        run.pinned.emplace_back(id);
        about.append(about.empty() ? "" : ", ").append(setting);
      }
      program = std::move(c.program);
    }
    if (const auto why = skips(program, backend)) {
      std::cout << "skipped  " << file.string() << "  (" << printable(*why) << ")\n";
      ++skipped;
      continue;
    }
    const auto finding = judge(program, run, backend);
    if (finding && !about.empty()) {  // wrong in this reading, but perhaps in no other
      const auto freely = judge(program, options.run, backend);
      if (!freely || freely->verdict == Verdict::undecided) {
        std::cout << "undecided  " << file.string() << "  (the backend does not follow " << about << ")\n";
        ++undecided;
        continue;
      }
    }
    std::cout << (finding ? kVerdictNames[static_cast<std::size_t>(finding->verdict)] : "conforms") << "  "
              << file.string() << '\n';
    if (!finding) continue;
    ++(finding->verdict == Verdict::undecided ? undecided
       : finding->verdict == Verdict::errored ? broke
                                              : wrong);
    print_finding(std::cout, *finding, style);
  }
  std::cout << files.size() << " cases, " << wrong << " diverge";
  if (undecided > 0) std::cout << ", " << undecided << " undecided";
  if (skipped > 0) std::cout << ", " << skipped << " skipped";
  if (broke > 0) std::cout << ", the backend failed on " << broke;
  std::cout << '\n';
  return broke > 0 || skipped == files.size() ? kFailure : wrong > 0 ? kDiverges : kConforms;
}

int readings_command(const CommandOptions& options) {
  const bool probe = options.by_index;  // a backend was named
  const Backend backend = find_backend(options.backend, options.attach);
  const Semantics documented(options.run.readings);
  const Profile profile = options.run.mix.profile;
  for (const Reading& reading : readings()) {
    if (!reading.open_in(profile)) continue;
    std::cout << reading.id << "  (" << reading.source.document << " " << reading.source.section << ")\n  "
              << reading.question << '\n';
    for (unsigned option = 0; option < reading.options.size(); ++option)
      std::cout << (option == reading.get(options.run.readings) ? "  * " : "    ")
                << reading.options[option].name << ": " << reading.options[option].meaning << '\n';
    std::cout << "  default because: " << reading.why << '\n';
    for (unsigned option = 0; probe && option < reading.options.size(); ++option) {
      if (option == reading.get(options.run.readings)) continue;
      Readings other = options.run.readings;
      reading.set(other, option);
      const Semantics alternative(other);
      const auto found = smallest_difference(options.run.seed, options.run.mix, options.run.readings, other,
                                             backend.capabilities);
      if (!found) {
        std::cout << "  " << reading.options[option].name
                  << ": no generated program tells it from the default\n";
        continue;
      }
      const Program& smallest = *found;
      State state;
      const Outcome outcome = backend.run(smallest, state);
      if (const auto* errored = std::get_if<Errored>(&outcome)) {
        std::cout << "  " << printable(backend.name) << " fails: " << printable(errored->what) << '\n';
        return kFailure;
      }
      const bool ran = std::holds_alternative<Ran>(outcome);
      if (const auto fault = find_fault(smallest, options.run.readings);
          fault || find_fault(smallest, other)) {
        std::cout << "  " << backend.name << (ran ? " runs" : " does not run") << ", where '"
                  << reading.options[fault ? option : reading.get(options.run.readings)].name
                  << "' calls it legal,\n";
        for (const Instruction& insn : smallest.instructions)
          std::cout << "      " << print_instruction(smallest, insn) << '\n';
        continue;
      }
      const bool follows_default = ran && compare(smallest, documented, state, backend.shown(profile)).agrees;
      const bool follows_other = ran && compare(smallest, alternative, state, backend.shown(profile)).agrees;
      std::cout << "  " << backend.name << " follows "
                << (follows_default ? reading.options[reading.get(options.run.readings)].name
                    : follows_other ? reading.options[option].name
                                    : std::string_view("neither option"))
                << " on\n";
      for (const Instruction& insn : smallest.instructions)
        std::cout << "      " << print_instruction(smallest, insn) << '\n';
    }
    std::cout << '\n';
  }
  return kConforms;
}

int explain_command(const CommandOptions& options) {
  Readings readings = options.run.readings;
  const Program program = program_at(options, readings);
  const Style style = style_of(STDOUT_FILENO);
  const Semantics semantics(readings);
  State state{program.ub, semantics.initial_mask};
  if (const auto fault = find_fault(program, readings))
    std::cout << "illegal, " << fault->rule->id << ": " << describe(program, *fault) << "\n\n";
  std::cout << print(program) << '\n';
  for (std::size_t n = 0; n < program.instructions.size(); ++n) {
    const Instruction& insn = program.instructions[n];
    const State before = state;
    execute_one(program, insn, semantics, state);
    std::cout << n + 1 << "  " << print_instruction(program, insn) << '\n';
    if (before.mode != state.mode)
      std::cout << "   mode " << kModeNames[static_cast<std::size_t>(state.mode)] << '\n';
    if (before.mask != state.mask || row_of(insn.op).mask == MaskUse::is_mask_state) {
      std::cout << "   mask ";
      for (unsigned slot = 0; slot < kMaskSlots; ++slot)
        std::cout << (slot % 64 == 0 && slot > 0 ? "\n        " : "") << (state.mask[slot] != 0 ? '#' : '.');
      std::cout << '\n';
    }
    const auto lanes = lane_rows(program, insn, readings, before, state, state);
    if (!lanes.empty()) print_lane_map(std::cout, lanes, style);
  }
  return kConforms;
}

int serve_command(const CommandOptions& options) {
  return serve(find_backend(options.backend), options.hex_only);
}

namespace {

int protocol_command(const CommandOptions& options) {
  if (!options.backend.starts_with("cmd:"))
    throw InputError("doctor --protocol", "takes a process: 'cmd: COMMAND'");
  bool right = true;
  for (const ProtocolCheck& check : check_protocol(options.backend.substr(4), options.attach)) {
    right &= check.wrong.empty();
    std::cout << (check.wrong.empty() ? "ok      " : "WRONG   ") << check.claim << '\n';
    if (!check.wrong.empty()) std::cout << "          " << printable(check.wrong) << '\n';
  }
  std::cout << (right ? "it keeps to the protocol\n"
                      : "it does not keep to the protocol (fuzz/backend/protocol.md)\n");
  return right ? kConforms : kDiverges;
}

}  // namespace

int doctor_command(const CommandOptions& options) {
  if (options.protocol) return protocol_command(options);
  const Backend backend = find_backend(options.backend, options.attach);
  if (!takes_profile(backend, Profile::vmc))
    throw InputError("doctor", backend.name + " does not offer profile vmc, in which the doctor asks; " +
                                   "`lanecheck doctor --protocol` and `lanecheck run --profile` take it");
  std::cout << "doctor: " << printable(backend.name) << (backend.about.empty() ? "" : ", ")
            << printable(backend.about) << '\n';
  const Diagnosis diagnosis = examine(backend);
  print_diagnosis(std::cout, diagnosis);
  return diagnosis.healthy() ? kConforms : kDiverges;
}

int init_backend_command(const CommandOptions& options) {
  const auto files = write_skeleton(options.language, options.path);
  for (const auto& file : files) std::cout << "wrote " << file.string() << '\n';
  const auto folder = std::filesystem::path(options.path).string();
  const bool python = options.language == "python";
  const std::string backend = python ? "'cmd: python3 " + folder + "/my_simulator.py'"
                                     : "plugin:" + folder + "/build/libmy_simulator.so";
  std::cout << "next:\n";
  if (!python)
    std::cout << "  cmake -S " << folder << " -B " << folder << "/build && cmake --build " << folder
              << "/build\n";
  std::cout << "  lanecheck doctor " << backend << "\n  lanecheck run --backend " << backend << '\n';
  return kConforms;
}

int gen_command(const CommandOptions& options) {
  check_range(options.run);
  const Semantics semantics(options.run.readings);
  Case c;
  c.readings = options.run.readings;
  State state;
  for (std::uint64_t n = 0; n < options.run.cases; ++n) {
    const std::uint64_t index = options.run.first + n;
    generate(options.run.seed, index, options.run.mix, c.program);
    execute(c.program, semantics, state);
    c.rule = "generated";
    c.about = "case " + std::to_string(index) + " of seed " + std::to_string(options.run.seed);
    c.source = "the oracle";
    c.expect = state;
    std::cout << print_case_line(c);
    if (!std::cout) throw std::runtime_error("standard output: could not be written");
  }
  return kConforms;
}

}  // namespace lanecheck
