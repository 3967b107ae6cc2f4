#include "fuzz/explain/questions/inserted.h"

#include "fuzz/identify/probes/probe.h"
#include "fuzz/identify/probes/shapes.h"
#include "spec/legality/find_fault.h"

namespace lanecheck {

Program with_inserted(Program program, const Row& row, const TypePair& types) {
  const Instruction& last = program.instructions.back();
  Instruction insn = in_a_row(default_subject(program.profile, row, types), 1).insn;
  insn.mask_from = last.mask_from;
  insn.high = last.high;
  insn.low = last.low;
  for (unsigned k = 0; k < row.operands.size(); ++k) {
    const auto begin = static_cast<std::uint32_t>(program.ub.size());
    insn.operands[k].allocation = static_cast<std::uint16_t>(program.allocations.size());
    program.ub.resize(begin + kRepeatBytes);
    program.allocations.push_back({std::string(row.name) + std::to_string(k),
                                   operand_type(insn, row.operands[k]), begin, kRepeatBytes});
  }
  program.instructions.insert(program.instructions.end() - 1, insn);
  return program;
}

std::optional<Program> first_that_runs(
    const Row& row, const std::function<std::optional<Program>(const TypePair& types)>& make,
    AskedBackend& asked, const Documented& documented) {
  for (const TypePair& types : row.in(documented.profile).pairs)
    if (auto program = make(types); program && asked.backend().capabilities.include_all_of(*program) &&
                                    !find_fault(*program, documented.readings()))
      return program;
  return {};
}

}  // namespace lanecheck
