#include "fuzz/explain/same_sources.h"

#include <algorithm>

#include "fuzz/explain/locate.h"
#include "fuzz/explain/repeatable.h"
#include "fuzz/explain/variation.h"
#include "spec/legality/find_fault.h"
#include "spec/text/program_text.h"

namespace lanecheck {
namespace {

constexpr unsigned kSrc0 = 1, kSrc1 = 2;

bool start_together(const Instruction& insn) {
  const Row& row = row_of(insn.op);
  if (row.operands.size() <= kSrc1) return false;
  const auto walks = [&](unsigned k) { return row.operands[k].walk == Walk::blocks; };
  return walks(kSrc0) && walks(kSrc1) && insn.operands[kSrc0].allocation == insn.operands[kSrc1].allocation &&
         insn.operands[kSrc0].offset == insn.operands[kSrc1].offset;
}

/// Operand `k` with the strides of `other`.
Program with_strides_of(Program program, unsigned k, unsigned other) {
  Instruction& insn = program.instructions.back();
  insn.operands[k].block_stride = insn.operands[other].block_stride;
  insn.operands[k].repeat_stride = insn.operands[other].repeat_stride;
  return program;
}

/// Does the backend leave what the documents say of the other strides, with other data too?
bool takes_strides(const Program& program, unsigned k, unsigned other, AskedBackend& asked,
                   const Documented& documented) {
  for (const Program& each : {program, with_data(program, 1), with_data(program, 2)}) {
    const Program taken = with_strides_of(each, k, other);
    if (find_fault(each, documented.readings()) || find_fault(taken, documented.readings())) return false;
    const BackendAnswer answer = asked.ask(each);
    if (!answer.ran() || !agrees(taken, documented.semantics, answer.state, asked.shown())) return false;
  }
  return true;
}

}  // namespace

std::optional<std::string> same_sources(const Finding& finding, AskedBackend& asked,
                                        const Documented& documented) {
  const Program part = prefix(finding.program, finding.instruction + 1);
  const Instruction& insn = part.instructions.back();
  if (!start_together(insn)) return {};
  Variation apart = variation_of(part, finding.instruction);
  put_apart(apart, kSrc1);
  if (find_fault(apart.program, documented.readings()) ||
      says(asked.ask(apart.program), apart.program, documented, asked.shown()) != Says::conforms)
    return {};
  const std::string where = "if src0 and src1 start at the same place, ", name = mnemonic(insn);
  for (const auto& [k, other] : {std::pair{kSrc1, kSrc0}, {kSrc0, kSrc1}})
    if (takes_strides(part, k, other, asked, documented))
      return where + (k == kSrc1 ? "src1" : "src0") + " of " + name + " walks with the strides of " +
             (k == kSrc1 ? "src0" : "src1") + " instead of its own";
  return where + name + " computes other values than with src1 in an allocation of its own";
}

}  // namespace lanecheck
