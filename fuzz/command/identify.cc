// lanecheck identify: measure what a backend does with an instruction, and say how it differs from the
// documents.
#include "fuzz/identify/identify.h"

#include <algorithm>
#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>

#include "fuzz/command/options.h"
#include "fuzz/command/signals.h"
#include "fuzz/identify/probes/probe.h"
#include "fuzz/identify/show.h"
#include "fuzz/run/judge.h"
#include "reports/exit_code.h"
#include "reports/format.h"
#include "reports/json_report.h"
#include "reports/output_file.h"
#include "spec/program/input_error.h"
#include "spec/text/did_you_mean.h"
#include "spec/text/program_text.h"

namespace lanecheck {
namespace {

using Json = nlohmann::ordered_json;

struct IdentifyCommand {
  AttachGroup attaching;
  ProfileGroup profile;
  std::string backend, instruction;
  std::vector<std::string> types;
  std::string json;
};

/// The row that `name` begins with; `types` gets what follows its first dot.
const Row& row_named(const std::string& name, Profile profile, std::vector<std::string>& types) {
  const std::size_t dot = name.find('.');
  const std::string stem = name.substr(0, dot);
  const Row* row = find_row(stem);
  if (row == nullptr || !row->in(profile).offered) {
    throw InputError("no instruction '" + stem + "'", "see `lanecheck offers --profile " +
                                                          std::string(row_of(profile).name) + "`" +
                                                          did_you_mean_instruction(stem, profile));
  }
  if (dot != std::string::npos) types.push_back(name.substr(dot + 1));
  return *row;
}

/// "f16", or "i16.f32" if dst and source have different types: what follows the name in the mnemonic.
std::string types_text(const Subject& subject) {
  return mnemonic(subject.insn).substr(row_of(subject.insn.op).name.size() + 1);
}

/// The instruction in each of the element types that are asked for; in all of its types if none is.
std::vector<Subject> subjects_of(const IdentifyCommand& given) {
  const Profile profile = given.profile.profile();
  std::vector<std::string> types = given.types;
  const Row& row = row_named(given.instruction, profile, types);
  std::vector<Subject> subjects;
  if (!row.typed()) return {default_subject(profile, row, {})};
  std::vector<std::string> known;
  for (const TypePair& pair : row.in(profile).pairs) {
    const Subject subject = default_subject(profile, row, pair);
    known.push_back(types_text(subject));
    if (types.empty() || std::ranges::find(types, known.back()) != types.end()) subjects.push_back(subject);
  }
  for (const std::string& type : types)
    if (std::ranges::find(known, type) == known.end())
      throw InputError(given.instruction, "has no element types '" + type + "'" + did_you_mean(type, known));
  return subjects;
}

/// What became of the programs that contain the instruction.
struct Heard {
  bool ran = false;     ///< at least one of them
  std::string why_not;  ///< the first one that did not run
};

void hear(const Program& program, const std::string& instruction, const Outcome& outcome, Heard& heard) {
  if (std::ranges::find(program.instructions, instruction, mnemonic) == program.instructions.end()) return;
  const std::string why = why_not(outcome);
  heard.ran |= why.empty();
  if (heard.why_not.empty()) heard.why_not = why;
}

/// The backend as something that can be asked; what it does not offer is not sent to it. `heard` is about the
/// programs with `instruction`.
Ask asking(const Backend& backend, const std::string& instruction, Heard& heard) {
  return [&backend, instruction, &heard](const Batch& batch) {
    for (std::size_t n = 0; n < batch.programs.size(); ++n)
      if (const auto why = not_on_offer(batch.programs[n], backend)) {
        batch.outcomes[n] = Skipped{*why};
        return hear(batch.programs[n], instruction, batch.outcomes[n], heard);
      }
    run_all(backend, batch);
    for (std::size_t n = 0; n < batch.programs.size(); ++n)
      hear(batch.programs[n], instruction, batch.outcomes[n], heard);
  };
}

/// Throws InputError if the arguments stand in the wrong order.
void check_order(const IdentifyCommand& given) {
  if (find_row(given.backend.substr(0, given.backend.find('.'))) == nullptr) return;
  throw InputError("identify", "the backend comes before the instruction: lanecheck identify '" +
                                   given.instruction + "' " + given.backend);
}

/// Nothing if a signal stops the measurement. An instruction that never ran was not measured, whatever the
/// programs without it say.
std::optional<Identification> identification_of(const Subject& subject, const Backend& backend) try {
  Heard heard;
  const Ask ask = asking(backend, mnemonic(subject.insn), heard);
  Identification found = identify(subject, ask, backend.shown(subject.profile));
  if (heard.ran || heard.why_not.empty()) return found;
  Identification nothing;
  nothing.programs = found.programs;
  nothing.not_run = heard.why_not;
  return nothing;
} catch (const Stopped&) {
  return {};
}

int identify_command(const IdentifyCommand& given) {
  given.attaching.check(given.backend);
  handle_stop_signals();
  check_order(given);
  const std::vector<Subject> subjects = subjects_of(given);
  const Backend backend = stoppable(named_backend(given.backend, given.attaching.attach));
  require_profile(backend, given.profile.profile());
  std::optional<OutputFile> file;
  if (!given.json.empty()) file.emplace(given.json);
  bool measured = false, differs = false, interrupted = false;
  Json json = {{"schema", "lanecheck-identify-1"},
               {"backend", backend.name},
               {"profile", given.profile.name},
               {"instructions", Json::array()}};
  for (const Subject& subject : subjects) {
    const std::optional<Identification> identification = identification_of(subject, backend);
    interrupted = !identification;
    if (interrupted) break;
    measured |= identification->measured() || identification->why_not().empty();
    differs |= !identification->differences.empty();
    const std::string name = mnemonic(subject.insn);
    std::cout << name << " on " << printable(backend.name) << ", profile " << given.profile.name << ", "
              << identification->programs << " programs\n";
    print(std::cout, *identification);
    Json each = {{"instruction", name}};
    each.update(to_json(*identification));
    json["instructions"].push_back(std::move(each));
  }
  if (interrupted) std::cout << "interrupted: not all maps were measured\n";
  if (file) file->write(dump(json) + '\n');
  if (interrupted) return kFailure;
  if (differs) return kDiverges;
  return measured ? kConforms : kFailure;
}

}  // namespace

void add_identify(CommandLine& line) {
  Command command =
      line.add("identify", "measure what a backend does with an instruction: its gates, sources, places");
  const auto given = std::make_shared<IdentifyCommand>();
  command.text("backend", given->backend, "'cmd: COMMAND', plugin:PATH, example, oracle or wrong:ID")
      .required();
  command.text("instruction", given->instruction, "add, add.f16 or cast.i16.f32 (`lanecheck offers`)")
      .required();
  command.texts("--types", given->types, "only in these element types: f16, or i16.f32 (dst.source)");
  given->profile.declare(command);
  command.text("--json", given->json, "write the maps to this file as JSON");
  given->attaching.declare(command);
  command.footer(R"(Prints for each shape (strides and repeat times):
  gate   which mask slot decides whether a lane is written
  dst    which elements of dst are written under a full mask
  src    from which element of the source each element of dst is computed
Elements count from the start of an operand; lanes, slots and repeats count from 0.
Exit code: 0 the maps that were measured are as documented, 1 a map differs, 2 wrong input,
3 nothing could be measured.
Examples:
  lanecheck identify example add.f16
  lanecheck identify 'cmd: python3 my_simulator.py' cast --types i16.f32 --json maps.json)");
  command.action([given] { return identify_command(*given); });
}

}  // namespace lanecheck
