#include "fuzz/explain/broken_rules/unproven_rules.h"

#include <algorithm>

#include "fuzz/explain/broken_rules/rule_subjects.h"
#include "fuzz/explain/broken_rules/rule_trials.h"
#include "fuzz/identify/probes/shapes.h"
#include "spec/rules/rule.h"

namespace lanecheck {
namespace {

constexpr std::string_view kPatternStride = "GM-2-user-stride";

bool is_one_of(std::string_view id, std::initializer_list<std::string_view> ids) {
  return std::ranges::find(ids, id) != ids.end();
}

/// Does the rule say what a masked-off element does to a result that has active ones?
bool speaks_of_neutral_elements(std::string_view id) {
  const bool of_reduction = id.starts_with("VMC-3.") || id == "VMC-7-contributes-zero";
  return (of_reduction && (id.ends_with("-sentinel") || id.ends_with("-zero"))) ||
         is_one_of(id, {"SVM-1-reductions", "SVM-2-reductions"});
}

/// Does the rule say what lanes that are off do, or which slots gate a lane?
bool needs_a_lane_off(std::string_view id) {
  return speaks_of_neutral_elements(id) || id.starts_with("VMC-1-prefix-") || id.ends_with("-keeps-dst") ||
         id.ends_with("-empty") ||
         is_one_of(id,
                   {"VMC-1-no-advance", "VMC-1-every-repeat", "VMC-1-slot-per-element", "VMC-1-upper-slots",
                    "VMC-3.1-keeps-masked-off", "VMC-3.2-not-preserved", "VMC-6-pattern-b"});
}

/// Does the rule say which lanes are written, rather than what is written into them?
bool speaks_of_written_lanes(std::string_view id) {
  const Rule* const rule = find_rule(id);
  if (rule == nullptr || (rule->about != About::mask && rule->about != About::lane_count)) return false;
  const bool of_values = is_one_of(id, {"VMC-6-pattern-a", "VP-2-mask-read", "VP-3-count-read"}) ||
                         (id.starts_with("VMC-3.1-") && id != "VMC-3.1-keeps-masked-off");
  return !of_values;
}

/// Is every wrong element an active one that was written, in an instruction that writes each element once and
/// those alone that are on? Then it has written where it should.
bool writes_where_it_should(const Finding& finding) {
  const Instruction& insn = finding.program.instructions[finding.instruction];
  if (row_of(insn.op).mask != MaskUse::gates_writeback || shares_places(insn)) return false;
  if (finding.mask_differs || !finding.outside.empty() || finding.lanes.empty()) return false;
  return std::ranges::all_of(finding.lanes, [](const LaneRow& row) {
    return row.agrees || (row.active && row.written && row.actual != row.old_bits);
  });
}

/// Of the rules about gates, a measured cause breaks either those about the repeats or those about the slots
/// of a lane. A result that was written is no result that kept its old value.
void drop_of_gates(Finding& finding, const MeasuredCause* cause) {
  const auto shows = [&](auto test) {
    return std::ranges::any_of(finding.lanes, [&](const LaneRow& row) { return !row.agrees && test(row); });
  };
  if (!finding.lanes.empty() && !shows([](const LaneRow& row) { return row.actual == row.old_bits; }))
    std::erase(finding.rules, "VMC-3.2-not-preserved");
  if (!finding.lanes.empty() && !shows([](const LaneRow& row) { return row.lane >= 128; }))
    std::erase(finding.rules, "VMC-1-upper-slots");
  if (cause == nullptr) return;
  const bool of_gates = cause->difference.map == MapKind::gate;
  if (!of_gates && cause->difference.map != MapKind::contribution) return;
  std::string key = cause->key;
  constexpr std::string_view kInARow = "no gap between repeats";  // a condition of strides
  if (const auto at = key.find(kInARow); at != std::string::npos) key.erase(at, kInARow.size());
  const bool of_repeats = key.find("repeat") != std::string::npos;
  const bool loses_active = cause->difference.gates == GateKind::never ||
                            cause->sentence.find(" is left out under ") != std::string::npos ||
                            cause->sentence.find(" are not written if they are ") != std::string::npos;
  // A sum of other lanes may be what dst held, too.
  if (cause->difference.says_slots || (!cause->difference.results && !cause->difference.only_example))
    std::erase(finding.rules, "VMC-3.2-not-preserved");
  if (loses_active) std::erase_if(finding.rules, speaks_of_neutral_elements);
  std::erase_if(finding.rules, [&](const std::string& id) {
    if (id == "VMC-1-no-advance") return !of_repeats || !cause->difference.says_slots;
    if (id == "VMC-1-every-repeat") return !of_repeats;
    return of_gates && of_repeats && (id == "VMC-1-slot-per-element" || id.starts_with("VMC-1-prefix-"));
  });
}

/// Rules about what one repeat of gather_mask keeps, and how its repeats follow each other.
bool speaks_of_kept_elements(std::string_view id) {
  return id.starts_with("GM-1-pattern-") || is_one_of(id, {"GM-2-user-bit", "GM-2-user-in-a-row"});
}
bool speaks_of_several_repeats(std::string_view id) {
  return is_one_of(id, {"GM-1-each-repeat", "GM-2-user-stride", "GM-3-counter-per-repeat",
                        "GM-3-normal-repeat", "GM-3-counter-repeats", "GM-4-repeat-stride", "GM-5-dense"});
}

/// If one rule says which elements a repeat keeps, the others fail because of it; if one repeat passes, it is
/// not broken, and of the rules about several repeats one alone may stay.
void drop_of_gather_mask(Finding& finding, AskedBackend& asked, const Documented& documented) {
  auto& rules = finding.rules;
  const bool names_kept = std::ranges::any_of(rules, speaks_of_kept_elements);
  if (!names_kept && std::ranges::count_if(rules, speaks_of_several_repeats) < 2) return;
  if (!one_repeat_passes(finding, asked, documented)) {
    if (names_kept)
      std::erase_if(rules, [](const std::string& id) {
        return speaks_of_several_repeats(id) || is_one_of(id, {"GM-5-count", "GM-5-past-count"});
      });
    return;
  }
  std::erase_if(rules, speaks_of_kept_elements);
  if (std::ranges::count_if(rules, speaks_of_several_repeats) > 1)
    std::erase_if(rules, speaks_of_several_repeats);
}

/// Is the cause a law of gather_mask about this?
bool is_of(const MeasuredCause* cause, GatherMatter matter) {
  return cause != nullptr && std::ranges::count(cause->difference.gathers, matter) > 0;
}

/// Does the cause say how the user pattern of gather_mask goes on from repeat to repeat? All that is measured
/// of its src1 does.
bool of_pattern_stride(const Finding& finding, const MeasuredCause* cause) {
  if (cause == nullptr || finding.program.instructions[finding.instruction].op != Op::gather_mask_user)
    return false;
  return cause->difference.map == MapKind::src1 || is_of(cause, GatherMatter::pattern_stride);
}

}  // namespace

bool has_every_lane_on(const Finding& finding) {
  if (finding.total) return false;
  const unsigned lanes = lanes_of(finding.program.instructions[finding.instruction]);
  const auto end =
      finding.mask_before.begin() + std::min<std::ptrdiff_t>(lanes, std::ssize(finding.mask_before));
  return std::all_of(finding.mask_before.begin(), end, [](auto slot) { return slot != 0; });
}

void drop_rules_of_other_maps(std::vector<std::string>& rules, const MeasuredCause& cause) {
  const MapKind map = cause.difference.map;
  drop_rules_of_other_matters(rules, cause);
  if (!cause.difference.gathers.empty()) return;  // what the law is about has decided
  const bool of_register = map == MapKind::mask_register || map == MapKind::state;
  std::erase_if(rules, [&](const std::string& id) {
    if (id == "SVM-4-operand-stays") return !of_register;   // a wrong mask stays there, too
    if (id == "GM-5-count") return map == MapKind::places;  // other elements are kept, and counted
    // Values of elements that are not written, or not at their places, show nothing of the padding.
    if (id.starts_with("VP-1-"))
      return map == MapKind::dst || map == MapKind::gate || cause.difference.of_gated_reads;
    // A number of elements says nothing of single lanes that are off, nor of where the mask comes from.
    if (is_one_of(id, {"VP-2-mask-write", "VP-2-mask-read", "VP-2-outside"}) && map == MapKind::length)
      return true;
    if (cause.difference.results && speaks_of_neutral_elements(id)) return true;  // which results are written
    if (cause.difference.takes_less && speaks_of_neutral_elements(id)) return true;
    if (map != MapKind::dst) return false;
    // The elements are not written, or not at their places: what stands there shows nothing else.
    return id == "VMC-4-packed-control" || speaks_of_neutral_elements(id);
  });
}

void drop_unproven_rules(Finding& finding, const MeasuredCause* cause, AskedBackend& asked,
                         const Documented& documented) {
  constexpr MapKind kOfGates[] = {MapKind::gate, MapKind::length, MapKind::mask_register, MapKind::state};
  if (finding.rules.empty()) return;
  if (of_pattern_stride(finding, cause)) {
    finding.rules = {std::string(kPatternStride)};  // the others fail because of it
    return;
  }
  const bool of_gates = cause != nullptr && std::ranges::count(kOfGates, cause->difference.map) > 0;
  if (has_every_lane_on(finding) && !finding.mask_differs && !of_gates)
    std::erase_if(finding.rules, needs_a_lane_off);
  const bool misses_zero = std::ranges::any_of(
      finding.lanes, [](const LaneRow& lane) { return !lane.agrees && lane.expected == 0; });
  if (!misses_zero) std::erase_if(finding.rules, [](const std::string& id) { return id == "VP-1-zero"; });
  const bool in_one_repeat = finding.program.instructions[finding.instruction].repeat == 1 && !finding.total;
  if (in_one_repeat)
    std::erase_if(finding.rules, [](const std::string& id) {
      return is_one_of(id, {"VMC-1-every-repeat", "VMC-1-no-advance", "SVM-1-every-repeat"});
    });
  drop_of_gates(finding, cause);
  if (writes_where_it_should(finding)) std::erase_if(finding.rules, speaks_of_written_lanes);
  if (cause == nullptr || cause->difference.gathers.empty() || is_of(cause, GatherMatter::kept))
    drop_of_gather_mask(finding, asked, documented);
  if (cause != nullptr) drop_rules_of_other_maps(finding.rules, *cause);
  drop_rules_of_other_subjects(finding, asked, documented);
}

}  // namespace lanecheck
