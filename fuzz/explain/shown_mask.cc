#include "fuzz/explain/shown_mask.h"

#include "oracle/compare/compare.h"
#include "oracle/execute/execute.h"
#include "spec/legality/find_fault.h"

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
  const Shown shown = asked.shown();
  if (!shown.mask) return false;
  const auto is_wrong = [&](const Program& program, const State& actual) {
    State expected;
    execute(program, documented.semantics, expected);
    return mask_differs(expected, actual, shown);
  };
  const auto ub_is_right = [&](const Program& program, const State& actual) {
    return compare(program, documented.semantics, actual, shown).bytes.empty();
  };
  const BackendAnswer alone = asked.ask(finding.program);
  if (!alone.ran() || !ub_is_right(finding.program, alone.state) || !is_wrong(finding.program, alone.state))
    return false;
  const Program behind = with_dup_behind(finding.program);
  if (find_fault(behind, documented.readings())) return false;
  State under_shown;  // would the dup tell the two masks apart?
  execute(finding.program, documented.semantics, under_shown);
  under_shown.ub = behind.ub;
  under_shown.mask = alone.state.mask;
  execute_one(behind, behind.instructions.back(), documented.semantics, under_shown);
  const std::size_t end = finding.program.ub.size();
  State expected;
  execute(behind, documented.semantics, expected);
  if (std::equal(expected.ub.begin() + static_cast<std::ptrdiff_t>(end), expected.ub.end(),
                 under_shown.ub.begin() + static_cast<std::ptrdiff_t>(end)))
    return false;
  const BackendAnswer answer = asked.ask(behind);
  if (!answer.ran() || !ub_is_right(behind, answer.state)) return false;
  finding.id = finding.cause = "measured-shown-mask";
  finding.matter = Matter::mask;
  finding.what =
      "the mask that it shows at the end of a program is not the one that its instructions obey: a dup.u8 "
      "behind this program writes the documented lanes";
  return true;
}

}  // namespace lanecheck
