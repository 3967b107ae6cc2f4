#include "fuzz/command/expectation.h"

#include <algorithm>

#include "fuzz/explain/questions/lane_rows.h"
#include "fuzz/run/judge.h"
#include "oracle/compare/compare.h"
#include "oracle/execute/execute.h"

namespace lanecheck {
namespace {

constexpr std::size_t kMostBytes = 16;  // bytes that a finding lists if no dst holds them

Shown shown_by_files(Profile profile) {
  return row_of(profile).shows_mask;
}

/// Do two states agree, except in elements in which the documents leave several values open?
bool same_state(const State& one, const State& other, const AcceptMap& lenient, Shown shown) {
  if (shown.mask && one.mask != other.mask) return false;
  if (shown.mode && one.mode != other.mode) return false;
  for (std::size_t at = 0; at < one.ub.size(); ++at)
    if (one.ub[at] != other.ub[at] && !lenient.any_between(at, at + 1)) return false;
  return true;
}

/// Who agrees with whom, in a sentence.
std::string who_differs(const Case& c, const Backend& backend) {
  State actual;
  const Outcome outcome = skips(c.program, backend) ? Outcome(Skipped{}) : backend.run(c.program, actual);
  const std::string only_two = "the oracle computes another result than the file expects; " + backend.name;
  if (std::holds_alternative<Skipped>(outcome)) return only_two + " skips the program";
  if (!std::holds_alternative<Ran>(outcome)) return only_two + " does not run the program";
  const Shown shown = backend.shown(c.program.profile);
  const Semantics semantics(c.readings);
  State expected;
  const AcceptMap lenient = accept_sets(c.program, semantics, expected);
  if (agrees(c.program, semantics, actual, shown))
    return "the file differs: the oracle and " + backend.name + " agree with each other, not with the file";
  if (same_state(*c.expect, actual, lenient, shown))
    return "the oracle differs: " + backend.name + " leaves what the file expects";
  return "the file, the oracle and " + backend.name + " all differ from each other";
}

/// Fills the instruction and its lanes: the last instruction whose dst holds an element that differs. If
/// no dst does, the finding lists the bytes.
void locate_in(Finding& finding, const Case& c, const std::vector<std::uint32_t>& bytes) {
  const Semantics semantics(c.readings);
  std::vector<State> before{State{c.program.ub, semantics.initial_mask}};
  for (const Instruction& insn : c.program.instructions) {
    before.push_back(before.back());
    execute_one(c.program, insn, semantics, before.back());
  }
  for (std::size_t n = c.program.instructions.size(); n-- > 0;) {
    auto lanes = lane_rows(c.program, c.program.instructions[n], c.readings, before[n], finding.expected,
                           finding.actual);
    if (std::ranges::all_of(lanes, &LaneRow::agrees)) continue;
    finding.instruction = n;
    finding.lanes = std::move(lanes);
    finding.mask_before = before[n].mask;
    return;
  }
  finding.instruction = c.program.instructions.size();
  for (const std::uint32_t at : bytes)
    if (finding.outside.size() < kMostBytes)
      finding.outside.push_back({"", at, finding.expected.ub[at], finding.actual.ub[at]});
}

}  // namespace

std::optional<Finding> falsified_expectation(const Case& c, const Backend& backend) {
  if (!c.expect) return {};
  const Shown shown = shown_by_files(c.program.profile);
  const Semantics semantics(c.readings);
  const Comparison comparison = compare(c.program, semantics, *c.expect, shown);
  if (comparison.agrees) return {};
  Finding finding;
  finding.matter = Matter::difference;
  finding.id = "expectation-" + c.rule;
  finding.other = "the file";
  finding.what = who_differs(c, backend) + " (below, \"actual\" is what the oracle computes)";
  finding.cases = 1;
  finding.program = c.program;
  finding.expected = *c.expect;
  execute(c.program, semantics, finding.actual);
  finding.mask_differs = comparison.mask_differs;
  locate_in(finding, c, comparison.bytes);
  return finding;
}

}  // namespace lanecheck
