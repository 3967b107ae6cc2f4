#include "fuzz/explain/shown_mask.h"

#include "oracle/compare/compare.h"
#include "oracle/execute/execute.h"
#include "spec/legality/find_fault.h"
#include "spec/text/number.h"

namespace lanecheck {
namespace {

/// `program`, and behind it a dup that writes a byte for each slot of the mask into an allocation of its own.
Program with_dup_behind(Program program) {
  Instruction dup{};
  dup.op = Op::dup;
  dup.dst_type = dup.src_type = Element::u8;
  dup.mask_from = MaskFrom::reg;
  dup.repeat = 1;
  dup.scalar = scalar_of(Element::u8, 7);
  const auto begin = static_cast<std::uint32_t>(program.ub.size());
  program.ub.resize(begin + kRepeatBytes);
  program.allocations.push_back({"behind", Element::u8, begin, kRepeatBytes});
  dup.operands[0] = {static_cast<std::uint16_t>(program.allocations.size() - 1), 0, 1, kRepeatBlocks};
  program.instructions.push_back(dup);
  return program;
}

}  // namespace

bool is_named_by_shown_mask(Finding& finding, AskedBackend& asked, const Documented& documented) {
  if (!only_mask_differs(finding)) return false;
  const Program behind = with_dup_behind(finding.program);
  if (find_fault(behind, documented.readings())) return false;
  const auto left_under = [&](const Mask& mask) {
    State state = finding.expected;
    state.ub.resize(behind.ub.size());
    state.mask = mask;
    execute_one(behind, behind.instructions.back(), documented.semantics, state);
    return state.ub;
  };
  if (left_under(finding.expected.mask) == left_under(finding.actual.mask)) return false;  // it tells nothing
  const BackendAnswer answer = asked.ask(behind);
  if (!answer.ran() || !compare(behind, documented.semantics, answer.state, asked.shown()).bytes.empty())
    return false;
  finding.id = finding.cause = "measured-shown-mask";
  finding.matter = Matter::mask;
  finding.what =
      "the mask that it shows at the end of a program is not the one that its instructions obey: a dup.u8 "
      "behind this program writes the documented lanes";
  return true;
}

}  // namespace lanecheck
