#include "fuzz/explain/observed/judge_values.h"

#include <algorithm>

#include "fuzz/explain/broken_rules/unproven_rules.h"
#include "fuzz/explain/observed/displaced_source.h"
#include "fuzz/explain/questions/locate.h"
#include "fuzz/explain/questions/plain_run.h"
#include "fuzz/explain/questions/repeatable.h"
#include "fuzz/explain/questions/variation.h"
#include "spec/legality/find_fault.h"

namespace lanecheck {

Observation observe_twice(const Finding& finding, AskedBackend& asked, const Documented& documented) {
  Observation seen = observe(finding, documented.semantics);
  const Instruction& insn = finding.program.instructions[finding.instruction];
  if (finding.lanes.empty() || (seen.values_alone && !works_in_place(insn))) return seen;
  bool is_right = false;
  for (const bool also_gaps : {true, false}) {
    Finding again;
    again.program = with_other_dst(prefix(finding.program, finding.instruction + 1), also_gaps);
    if (find_fault(again.program, documented.readings())) continue;
    is_right |= says(asked.ask(again.program), again.program, documented, asked.shown()) == Says::conforms;
    locate(again, asked, documented);
    if (again.instruction == finding.instruction &&
        std::ranges::count(again.lanes, false, &LaneRow::agrees) > 0)
      return observe(again, documented.semantics);
  }
  if (!is_right || !seen.kind.starts_with("leaves-")) return seen;
  return {{}, "elements of dst hold another value than expected", Matter::unexplained, true};
}

namespace {

/// Does the program conform if dst shares no allocation with a source?
bool is_right_apart(const Finding& finding, AskedBackend& asked, const Documented& documented) {
  Variation apart = variation_of(prefix(finding.program, finding.instruction + 1), finding.instruction);
  if (!put_dst_apart(apart) || find_fault(apart.program, documented.readings())) return false;
  return says(asked.ask(apart.program), apart.program, documented, asked.shown()) == Says::conforms;
}

/// What the backend does with the finding's program under each of three masks with one lane off.
/// Says::nothing if not the same under all of them, or if none of them can be tried.
Says says_with_a_lane_off(const Finding& finding, AskedBackend& asked, const Documented& documented) {
  Variation it = variation_of(prefix(finding.program, finding.instruction + 1), finding.instruction);
  add_mask_holder(it);
  if (!it.mask) return Says::nothing;
  const unsigned lanes = std::min(128u, lanes_of(it.insn()));
  std::optional<Says> all;
  for (const unsigned off : {lanes - 1, lanes / 2 + 1, 0u}) {
    set_words(it, without(off, 1));
    if (find_fault(it.program, documented.readings())) continue;
    const Says said = says(asked.ask(it.program), it.program, documented, asked.shown());
    if (all && *all != said) return Says::nothing;
    all = said;
  }
  return all.value_or(Says::nothing);
}

}  // namespace

void judge_values(Finding& finding, Observation& seen, std::optional<bool> relation, const State& before,
                  AskedBackend& asked, const Documented& documented) {
  if (relation == false && has_every_lane_on(finding)) {  // the other run has another dst, and the same mask
    seen.what += ", and what they hold depends on what stood in dst before";
    return;
  }
  if (relation == false) {
    seen.matter = Matter::mask;
    seen.what += ", and not what the backend itself computes for them under a full mask";
    return;
  }
  const InPlain plain = in_plain_program(finding, before, asked, documented);
  if (plain == InPlain::the_same && relation == true) {
    seen.matter = Matter::arithmetic;
    seen.what =
        "computes wrong values also in one contiguous repeat under a full mask: the mask and the addresses "
        "are not the cause";
    return;
  }
  if (plain == InPlain::right && is_right_apart(finding, asked, documented)) {
    seen.kind = "wrong-in-place";
    seen.what += "; with dst in an allocation of its own it computes right ones";
    return;
  }
  if (const auto displaced = displaced_source(finding, asked, documented)) {
    seen.matter = Matter::address;
    seen.kind = "takes-other-source";
    seen.what = *displaced;
    return;
  }
  if (plain == InPlain::right) {
    seen.kind = "right-in-one-repeat";
    seen.what += "; from the same values, in one contiguous repeat under a full mask, it computes right ones";
    if (relation == true) seen.matter = Matter::address;
  } else if (relation == true && has_every_lane_on(finding)) {  // the relation compares a run with itself
    seen.matter = Matter::unexplained;
    const Op op = finding.program.instructions[finding.instruction].op;
    const bool ignores = documented.semantics.use[static_cast<std::size_t>(op)] == MaskUse::ignores;
    const Says others = says_with_a_lane_off(finding, asked, documented);
    if (others == Says::conforms && !ignores) {  // else the mask has changed what an earlier one leaves
      seen.kind = "under-a-full-mask-alone";
      seen.what +=
          "; with one lane off (3 masks tried) it computes right ones: only a full mask brings it about";
    }
    // A reduction that takes lanes for masked-off ones under every mask is wrong under a full one, too.
    const bool reduces = documented.semantics.use[static_cast<std::size_t>(op)] == MaskUse::neutral_source;
    finding.mask_is_right = others == Says::diverges && !reduces;
    if (others == Says::diverges)
      seen.what += std::string("; with one lane off (3 masks tried) they are wrong too") +
                   (reduces ? "" : ": the mask is not the cause");
  } else if (relation == true) {  // a wrong address is not excluded
    seen.matter = Matter::unexplained;
    finding.mask_is_right = true;
    seen.what +=
        "; under a full mask it computes the same for them, and no other lane differs: the mask is not the "
        "cause";
  }
}

}  // namespace lanecheck
