// lanecheck certify: run every instruction under masks that hold every combination of a few bits.
#include "fuzz/certificate/certify_profile.h"

#include <algorithm>
#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>

#include "fuzz/certificate/covering_masks.h"
#include "fuzz/command/options.h"
#include "fuzz/command/signals.h"
#include "reports/exit_code.h"
#include "reports/format.h"
#include "reports/json_report.h"
#include "reports/output_file.h"
#include "spec/program/input_error.h"
#include "spec/text/did_you_mean.h"
#include "spec/text/number.h"

namespace lanecheck {
namespace {

using Json = nlohmann::ordered_json;

struct CertifyCommand {
  BackendGroup backend;
  ProfileGroup profile;
  ReadingsGroup readings;
  std::string strength = "3", instruction, json;
};

unsigned strength_of(const std::string& given) {
  for (unsigned strength = kLeastStrength; strength <= kMostStrength; ++strength)
    if (given == std::to_string(strength)) return strength;
  throw InputError("--strength", "'" + given + "' is not 2, 3 or 4");
}

/// Those that `wanted` names: "add" in all of its types, "add.f16", or if it is empty, all.
std::vector<MaskedProgram> programs_of(Profile profile, const std::string& wanted) {
  std::vector<MaskedProgram> programs = masked_programs(profile);
  if (wanted.empty()) return programs;
  std::vector<std::string> known;
  for (const MaskedProgram& each : programs) {
    known.push_back(each.name);
    known.push_back(each.name.substr(0, each.name.find('.')));
  }
  std::erase_if(programs, [&](const MaskedProgram& each) {
    return each.name != wanted && each.name.substr(0, each.name.find('.')) != wanted;
  });
  if (programs.empty())
    throw InputError("no instruction '" + wanted + "' that computes", "see `lanecheck offers --profile " +
                                                                          std::string(row_of(profile).name) +
                                                                          "`" + did_you_mean(wanted, known));
  return programs;
}

Json to_json(const Certificate& certificate, const CertificateVerdict& said) {
  Json json = {{"instruction", certificate.instruction},
               {"verdict", name_of(said.kind)},
               {"text", said.text},
               {"bits", certificate.slots},
               {"masks", certificate.masks}};
  if (certificate.failing) {
    const MaskWords mask = certificate.failing_mask;
    json["failing_mask"] = {{"high", show_hex(mask.high)}, {"low", show_hex(mask.low)}};
  }
  return json;
}

int certify_command(const CertifyCommand& given) {
  handle_stop_signals();
  RunOptions options = run_options(given.profile.profile(), given.readings);
  options.minimize = false;
  const unsigned strength = strength_of(given.strength);
  const std::vector<MaskedProgram> programs = programs_of(options.mix.profile, given.instruction);
  const Backend backend = stoppable(given.backend.find());
  require_profile(backend, options.mix.profile);
  pin_readings_of(backend, options);
  std::optional<OutputFile> file;
  if (!given.json.empty()) file.emplace(given.json);
  Json json = {{"schema", "lanecheck-certificate-1"},
               {"backend", backend.name},
               {"profile", given.profile.name},
               {"strength", strength},
               {"instructions", Json::array()}};
  Certifier certifier(backend, options.readings, strength, stop_if_requested);
  std::map<std::string, std::size_t> count;
  bool interrupted = false;
  try {
    for (const MaskedProgram& program : programs) {
      const Certificate certificate = certifier.certify(program);
      const CertificateVerdict said = verdict_of(certificate, options, backend);
      std::cout << certificate.instruction << "  " << name_of(said.kind) << ": " << said.text << '\n';
      json["instructions"].push_back(to_json(certificate, said));
      ++count[std::string(name_of(said.kind))];
    }
  } catch (const Stopped&) {
    interrupted = true;
    std::cout << "interrupted: not all instructions were judged\n";
  }
  std::cout << counted(programs.size(), "instruction") << " with types on " << printable(backend.name) << ": "
            << count["certified"] << " certified, " << count["diverges"] << " diverge, "
            << programs.size() - count["certified"] - count["diverges"] << " not judged\n";
  if (file) file->write(dump(json) + '\n');
  if (interrupted) return kFailure;
  if (count["diverges"] > 0) return kDiverges;
  return count["certified"] == programs.size() ? kConforms : kFailure;
}

}  // namespace

void add_certify(CommandLine& line) {
  Command command =
      line.add("certify", "run every instruction under masks that hold every combination of 3 bits");
  const auto given = std::make_shared<CertifyCommand>();
  given->backend.declare(command);
  given->profile.declare(command);
  given->readings.declare(command);
  command.text("--strength", given->strength, "every combination of so many mask bits: 2, 3 or 4");
  command.text("--instruction", given->instruction, "only this one: add, add.f16 or cast.i16.f32");
  command.text("--json", given->json, "write what is printed to this file as JSON");
  command.footer(
      R"(Runs a program for each mask of a set, and compares all of UB with the documents. In the set, each
combination of values of any 3 mask bits occurs in at least one mask. If all of these programs ran and
conform, lanecheck prints:
  any fault of this instruction that depends on at most 3 mask bits was exercised
It first checks that the masks that were run hold every combination. An instruction is not certified if
one of its programs was skipped or refused, or failed.
The certificate covers 2 repeats, operands in a row, one set of data and one mode (rounding,
comparison) of each instruction. The mask is the bitwise mask operand, or if the instruction takes
none, the register; the bits are those that the profile lets a program set, at most 128. Other strides
and repeat times, the empty mask, contiguous masks and counter mode are not covered: `lanecheck run`
tries them. "Exercised" does not mean "seen": a fault shows only if it changes the
result, and in a maximum or minimum most lanes do not decide the result.
Exit code: 0 all are certified, 1 one diverges, 2 wrong input, 3 none diverges, but one is not judged.
Examples:
  lanecheck certify
  lanecheck certify --backend 'cmd: python3 my_sim.py' --instruction add.f16
  lanecheck certify --backend plugin:build/libsim.so --profile tik --strength 4 --json masks.json)");
  command.action([given] { return certify_command(*given); });
}

}  // namespace lanecheck
