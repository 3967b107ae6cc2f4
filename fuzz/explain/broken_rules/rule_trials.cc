#include "fuzz/explain/broken_rules/rule_trials.h"

#include <algorithm>

#include "fuzz/explain/broken_rules/unproven_rules.h"
#include "fuzz/explain/questions/executed_step.h"
#include "fuzz/explain/questions/locate.h"
#include "fuzz/explain/questions/staging.h"
#include "fuzz/explain/questions/variation.h"
#include "fuzz/identify/probes/move_map.h"
#include "oracle/execute/execute.h"
#include "spec/legality/find_fault.h"
#include "spec/rules/rule.h"

namespace lanecheck {
namespace {

/// Changes what a rule speaks of. False if the program does not have it.
using Change = bool (*)(Variation& it, const Finding& finding);

bool names(const std::vector<std::string>& rules, std::string_view id) {
  return std::ranges::find(rules, id) != rules.end();
}

MaskWords words_before(const Finding& finding) {
  return {mask_word(finding.mask_before, 1), mask_word(finding.mask_before, 0)};
}

unsigned first_wrong_lane(const Finding& finding) {
  const auto wrong = std::ranges::find(finding.lanes, false, &LaneRow::agrees);
  return wrong == finding.lanes.end() ? 0 : wrong->lane;
}

/// Takes a full mask over into a repeat of another number of lanes as a full one, any other as one with the
/// lane off in which the wrong element lies.
void fit_mask(Variation& it, unsigned before, const Finding& finding) {
  const unsigned lanes = lanes_of(it.insn());
  for (Instruction& each : it.program.instructions) {
    const bool is_length = each.op == Op::set_vector_mask_len;
    if (!is_length && each.mask_from != MaskFrom::contiguous) continue;
    const std::uint64_t length = is_length ? each.settings[0] : each.low;
    const std::uint64_t fitted = std::max<std::uint64_t>(1, length * lanes / before);
    if (is_length) each.settings[0] = static_cast<std::uint32_t>(fitted);
    if (!is_length) each.low = fitted;
  }
  if (!it.mask) return;
  const MaskWords full{kOnes, kOnes};
  const unsigned off = first_wrong_lane(finding) * lanes / before;
  set_words(it, has_every_lane_on(finding) ? full : without(off, 1));
}

bool with_other_lanes(Variation& it, const Finding& finding) {
  const unsigned before = lanes_of(it.insn());
  for (const TypePair& types : row_of(it.insn().op).in(it.program.profile).pairs) {
    const unsigned lanes = std::min(lanes_of(types.dst), lanes_of(types.src));
    if (lanes == before) continue;
    Variation other = it;
    if (!set_types(other, types)) continue;
    fit_mask(other, before, finding);
    it = std::move(other);
    return true;
  }
  return false;
}

bool with_one_repeat(Variation& it, const Finding&) {
  if (it.insn().repeat < 2) return false;
  it.insn().repeat = 1;
  return true;
}

bool with_canonical_strides(Variation& it, const Finding&) {
  put_in_a_row(it.insn());
  return true;
}

/// Sets the register to the instruction's own mask: a backend that uses the register then is right.
bool with_its_mask_in_register(Variation& it, const Finding& finding) {
  if (it.insn().mask_from == MaskFrom::reg || it.insn().mask_from == MaskFrom::count) return false;
  const auto at = it.program.instructions.begin() + static_cast<std::ptrdiff_t>(it.index);
  it.program.instructions.insert(at,
                                 mask_setter(Op::set_vector_mask, words_before(finding), it.insn().src_type));
  ++it.index;
  return true;
}

/// Gives the instruction the mask of the register as its own.
bool with_own_mask(Variation& it, const Finding& finding) {
  if (it.insn().mask_from != MaskFrom::reg || finding.total) return false;
  it.insn().mask_from = MaskFrom::bitwise;
  it.mask = it.index;
  set_words(it, words_before(finding));
  return true;
}

bool with_repeats_of_count(Variation& it, const Finding& finding) {
  if (!finding.total) return false;
  const unsigned lanes = lanes_of(it.insn());
  const auto fits = static_cast<std::uint32_t>((*finding.total + lanes - 1) / lanes);
  if (it.insn().repeat == fits) return false;
  it.insn().repeat = fits;
  return true;
}

bool with_full_last_repeat(Variation& it, const Finding& finding) {
  if (!finding.total) return false;
  const unsigned lanes = lanes_of(it.insn());
  const auto count = static_cast<std::uint32_t>((*finding.total + lanes - 1) / lanes * lanes);
  if (it.insn().mask_from == MaskFrom::count) {
    it.insn().low = count;
    return true;
  }
  for (std::size_t n = it.index; n-- > 0;) {
    Instruction& each = it.program.instructions[n];
    if (each.op == Op::set_vector_mask_total) each.settings[0] = count;
    if (each.op == Op::set_vector_mask) each.low = count;
    if (each.op == Op::set_vector_mask_total || each.op == Op::set_vector_mask) return true;
  }
  return false;
}

/// The mask is set in a program that starts with it.
bool without_earlier_masks(Variation& it, const Finding&) {
  const auto at = it.program.instructions.begin() + static_cast<std::ptrdiff_t>(it.index);
  const auto is_setter = [](const Instruction& each) { return row_of(each.op).operands.empty(); };
  if (!is_setter(*at) || std::none_of(it.program.instructions.begin(), at, is_setter)) return false;
  it.program.instructions.erase(it.program.instructions.begin(), at);
  it.index = 0;
  return true;
}

/// Both words of the mask are the one that is not full.
bool with_equal_words(Variation& it, const Finding& finding) {
  const MaskWords words = words_before(finding);
  if (!it.mask || words.high == words.low) return false;
  const std::uint64_t some_off = words.high == kOnes ? words.low : words.high;
  set_words(it, {some_off, some_off});
  return true;
}

bool with_full_mask(Variation& it, const Finding&) {
  if (it.insn().mask_from == MaskFrom::contiguous) {
    it.insn().low = lanes_of(it.insn());
    return true;
  }
  if (it.insn().mask_from == MaskFrom::reg)
    for (std::size_t n = it.index; n-- > 0;)
      if (Instruction& each = it.program.instructions[n]; each.op == Op::set_vector_mask_len) {
        each.settings[0] = lanes_of(it.insn());
        return true;
      }
  if (!it.mask) return false;
  set_words(it, {kOnes, kOnes});
  return true;
}

/// Sets a setting of GatherMask. False if it has this value, or has no such setting.
bool with_setting(Variation& it, std::string_view name, std::uint32_t value) {
  const auto index = setting_index(row_of(it.insn().op), name);
  if (!index || it.insn().settings[*index] == value) return false;
  it.insn().settings[*index] = value;
  return true;
}

bool with_argument_of_whole_repeat(Variation& it, const Finding&) {
  return with_setting(it, "mask", lanes_of(it.insn()));
}

/// As many repeats as the mask argument of GatherMask asks for.
bool with_repeats_of_argument(Variation& it, const Finding&) {
  const auto index = setting_index(row_of(it.insn().op), "mask");
  if (!index) return false;
  const std::uint32_t lanes = lanes_of(it.insn());
  const std::uint32_t fits = (it.insn().settings[*index] + lanes - 1) / lanes;
  if (it.insn().repeat == fits || fits == 0 || fits > kMaxRepeat) return false;
  it.insn().repeat = fits;
  return true;
}

bool in_normal_mode(Variation& it, const Finding&) {
  return with_setting(it, "counter", 0);
}

/// A rule, and the change after which a backend that breaks this rule alone is right.
struct RuleTrial {
  std::string_view rule;
  Change change;
};
constexpr RuleTrial kTrials[] = {
    {"VMC-0-reproducible", without_earlier_masks},
    {"SVM-1-16bit", with_other_lanes},
    {"SVM-1-32bit", with_other_lanes},
    {"SVM-1-64bit", with_other_lanes},
    {"TIK-1-32bit", with_other_lanes},
    {"SVM-1-every-repeat", with_one_repeat},
    {"TIK-3-repeats", with_one_repeat},
    {"SVM-2-strides", with_canonical_strides},
    {"VP-4-strides", with_canonical_strides},
    {"TIK-4-stride", with_canonical_strides},
    {"SVM-3-its-own", with_its_mask_in_register},
    {"SVM-3-from-outside", with_own_mask},
    {"VP-2-outside", with_own_mask},
    {"SVM-2-repeats", with_repeats_of_count},
    {"TIK-2-counter-repeats", with_repeats_of_count},
    {"SVM-2-tail", with_full_last_repeat},
    {"SVM-2-reductions", with_full_last_repeat},
    {"TIK-2-counter-tail", with_full_last_repeat},
    {"TIK-1-list-order", with_equal_words},
    {"VP-2-mask-read", with_full_mask},
    {"GM-3-normal-mask", with_argument_of_whole_repeat},
    {"GM-3-counter-per-repeat", in_normal_mode},
    {"GM-3-counter-total", in_normal_mode},
    {"GM-3-counter-repeats", with_repeats_of_argument},
    {"GM-4-block-stride", with_canonical_strides},
    {"GM-4-repeat-stride", with_canonical_strides},
    {"GM-6-own-pattern", with_full_mask},
};

/// Conforms if the backend is right with the data of the finding, and with data by which every lane counts.
Says after(Change change, const Finding& finding, AskedBackend& asked, const Documented& documented) {
  Variation it = variation_of(prefix(finding.program, finding.instruction + 1), finding.instruction);
  if (!change(it, finding)) return Says::nothing;
  make_room(it.program);
  for (const bool with_data : {false, true}) {
    if (with_data) set_data(it, 0, Stagings::kDataPhase);
    if (find_fault(it.program, documented.readings())) return Says::nothing;
    const Says said = says(asked.ask(it.program), it.program, documented, asked.shown());
    if (said != Says::conforms) return said;
  }
  return Says::conforms;
}

/// The measured cause says itself that strides are not followed.
bool cause_says_strides(const Finding& finding, std::string_view rule) {
  if (rule == "TIK-4-stride") return finding.what.find("repeat stride") != std::string::npos;
  return (rule.ends_with("-strides") || rule.starts_with("GM-4-")) &&
         finding.what.find(" stride") != std::string::npos;
}

bool is_wrong_where(const Finding& finding, bool active) {
  return std::ranges::any_of(finding.lanes,
                             [&](const LaneRow& row) { return !row.agrees && row.active == active; });
}

/// Are all control bits of the program equal? Then no result shows how they are packed.
bool has_uniform_control(const Finding& finding) {
  const Instruction& insn = finding.program.instructions[finding.instruction];
  const auto control = control_operand(row_of(insn.op));
  if (!control) return false;
  const Allocation& home = finding.program.allocations[insn.operands[*control].allocation];
  const auto begin = finding.program.ub.begin() + home.offset, end = begin + home.bytes;
  return (*begin == std::byte{0} || *begin == std::byte{0xff}) &&
         std::all_of(begin, end, [&](auto byte) { return byte == *begin; });
}

/// Does the last repeat of a count hold what it should, so that only others are wrong?
bool is_last_repeat_right(const Finding& finding) {
  if (!finding.total || *finding.total == 0) return false;
  const unsigned lanes = lanes_of(finding.program.instructions[finding.instruction]);
  const auto is_of_last = [&](const LaneRow& row) { return row.repeat == (*finding.total - 1) / lanes; };
  return std::ranges::any_of(finding.lanes, is_of_last) &&
         std::ranges::none_of(finding.lanes,
                              [&](const LaneRow& row) { return !row.agrees && is_of_last(row); });
}

/// Rules whose subject the finding shows by itself.
void drop_what_lanes_refute(Finding& finding) {
  auto& rules = finding.rules;
  const bool moves_blocks = finding.what.find("block stride") != std::string::npos ||
                            (finding.cause.empty() && !finding.outside.empty());
  if (!moves_blocks) std::erase(rules, "TIK-4-block-row");
  if (has_uniform_control(finding)) std::erase(rules, "VMC-4-packed-control");
  if (finding.lanes.empty()) return;
  if (!is_wrong_where(finding, false)) std::erase(rules, "VP-2-mask-write");
  if (!is_wrong_where(finding, true)) std::erase(rules, "VP-2-mask-read");
  if (is_last_repeat_right(finding))
    for (const char* const of_last : {"SVM-2-tail", "SVM-2-reductions", "TIK-2-counter-tail"})
      std::erase(rules, of_last);
  const bool unwritten = std::ranges::all_of(finding.lanes, [](const LaneRow& row) {
    return row.agrees || !row.active || row.actual == row.old_bits;
  });
  const bool of_sources =
      finding.cause.starts_with(name_of(MapKind::src));  // a padded element may be left out
  if (unwritten && !of_sources)
    std::erase_if(rules, [](const std::string& id) { return id.starts_with("VP-1-"); });
}

/// Only the mask or the mode is wrong. What was written is right, and breaks no rule: each is judged by the
/// documented run with the backend's mask.
void drop_rules_about_data(Finding& finding, AskedBackend& asked, const Documented& documented) {
  const Program part = prefix(finding.program, finding.instruction + 1);
  const State actual = asked.ask(part).state;  // its mask is shown: it differs
  const Backend right = function_backend("documents", "", [&](const Program& given, State& state) -> Outcome {
    execute(given, documented.semantics, state);
    return Ran{};
  });
  AskedBackend documents(right, documented.profile);
  State before;
  execute(prefix(finding.program, finding.instruction), documented.semantics, before);
  auto step = run_step(documents, finding.program, part.instructions.back(), before);
  if (!step) return;
  step->after.mask = actual.mask;
  step->after.mode = actual.mode;
  std::erase_if(finding.rules, [&](const std::string& id) {
    const Rule* rule = find_rule(id);
    return rule != nullptr && rule->holds(step->view());
  });
}

/// "a mask of 128 takes all in" is not broken if the backend is right under a full mask.
void drop_rules_of_full_masks(Finding& finding, AskedBackend& asked, const Documented& documented) {
  const auto is_one = [](const std::string& id) {
    return id == "SVM-1-16bit" || id == "SVM-1-32bit" || id == "SVM-1-64bit" || id == "TIK-1-32bit";
  };
  if (std::ranges::none_of(finding.rules, is_one)) return;
  if (after(with_full_mask, finding, asked, documented) == Says::conforms)
    std::erase_if(finding.rules, is_one);
}

}  // namespace

void drop_rules_of_other_subjects(Finding& finding, AskedBackend& asked, const Documented& documented) {
  if (only_mask_differs(finding)) drop_rules_about_data(finding, asked, documented);
  std::vector<std::string> untried;
  drop_what_lanes_refute(finding);
  drop_rules_of_full_masks(finding, asked, documented);
  for (const RuleTrial& trial : kTrials) {
    if (!names(finding.rules, trial.rule) || cause_says_strides(finding, trial.rule)) continue;
    const Says said = after(trial.change, finding, asked, documented);
    if (said == Says::conforms) continue;
    std::erase(finding.rules, trial.rule);
    if (said == Says::nothing) untried.emplace_back(trial.rule);
  }
  if (finding.rules.empty()) finding.rules = std::move(untried);
}

bool one_repeat_passes(const Finding& finding, AskedBackend& asked, const Documented& documented) {
  return after(with_one_repeat, finding, asked, documented) == Says::conforms;
}

}  // namespace lanecheck
