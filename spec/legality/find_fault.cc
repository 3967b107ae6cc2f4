#include "spec/legality/find_fault.h"

#include <array>
#include <vector>

#include "spec/legality/rows.h"

namespace lanecheck {
namespace {

struct Question {
  const LegalityRule* rule;
  Complaint (*ask)(const Site& site);
};
using Questions = std::array<std::array<std::vector<Question>, kStages>, kProfiles>;

/// The checks of each profile and stage, in the order of their rows.
const Questions& questions() {
  static const Questions all = [] {
    Questions sorted;
    for (const auto rows : legality::rows_by_subject())
      for (const LegalityRule& row : rows)
        for (const Profile profile : kEveryProfile)
          for (const Check& check : row.checks)
            if (check.ask != nullptr && row.holds_in(profile))
              sorted[static_cast<std::size_t>(profile)][static_cast<std::size_t>(check.stage)].push_back(
                  {find_legality_rule(row.id), check.ask});
    return sorted;
  }();
  return all;
}

/// Follows the mask through a program and asks the rules.
class Walker {
 public:
  Walker(const Program& program, std::span<const Instruction> instructions, const Readings& readings)
      : site_{.program = program, .instructions = instructions, .readings = readings},
        questions_(questions()[static_cast<std::size_t>(program.profile)]) {}

  std::optional<Fault> program_fault() { return ask(Stage::program); }

  std::optional<Fault> instruction_fault(const Instruction& insn) {
    using enum Stage;
    site_.here = {insn};
    if (auto fault = first_of({types, repeat, strides, settings, mask})) return fault;
    site_.mask.load(insn, site_.readings);
    site_.here = resolve(insn, site_.mask, site_.readings);
    if (auto fault = first_of({walk, place, operands, overlap})) return fault;
    site_.mask.leave(insn, site_.readings);
    return {};
  }

 private:
  std::optional<Fault> first_of(std::initializer_list<Stage> stages) {
    for (const Stage stage : stages) {
      const std::size_t sites = is_asked_per_operand(stage) ? site_.row().operands.size() : 1;
      for (site_.k = 0; site_.k < sites; ++site_.k)
        if (auto fault = ask(stage)) return fault;
    }
    return {};
  }

  std::optional<Fault> ask(Stage stage) const {
    for (const Question& question : questions_[static_cast<std::size_t>(stage)])
      if (Complaint complaint = question.ask(site_))
        return Fault{Fault::kWholeProgram, question.rule, *std::move(complaint)};
    return {};
  }

  Site site_;
  const std::array<std::vector<Question>, kStages>& questions_;
};

}  // namespace

std::optional<Fault> find_fault(const Program& program) {
  return find_fault(program, default_readings(program.profile));
}

std::optional<Fault> find_fault(const Program& program, const Readings& readings) {
  return find_fault(program, program.instructions, readings);
}

std::optional<Fault> find_fault(const Program& program, std::span<const Instruction> instructions,
                                const Readings& readings) {
  Walker walker(program, instructions, readings);
  if (auto fault = walker.program_fault()) return fault;
  for (std::size_t n = 0; n < instructions.size(); ++n)
    if (auto fault = walker.instruction_fault(instructions[n])) {
      fault->instruction = n;
      return fault;
    }
  return {};
}

std::string describe(const Program& program, const Fault& fault) {
  if (fault.instruction == Fault::kWholeProgram) return "program: " + fault.what;
  return "instruction " + std::to_string(fault.instruction + 1) + " (" +
         std::string(row_of(program.instructions[fault.instruction].op).name) + "): " + fault.what;
}

}  // namespace lanecheck
