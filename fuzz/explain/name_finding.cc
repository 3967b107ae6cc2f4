#include "fuzz/explain/name_finding.h"

#include <algorithm>

#include "fuzz/explain/broken_rules/broken_rules.h"
#include "fuzz/explain/broken_rules/unproven_rules.h"
#include "fuzz/explain/earlier/carried.h"
#include "fuzz/explain/hypotheses/followed_readings.h"
#include "fuzz/explain/hypotheses/partly_followed.h"
#include "fuzz/explain/hypotheses/twin.h"
#include "fuzz/explain/measured/ignored_mode.h"
#include "fuzz/explain/measured/measured_cause.h"
#include "fuzz/explain/measured/scalar_condition.h"
#include "fuzz/explain/measured/state_of_earlier.h"
#include "fuzz/explain/measured/without_repeats.h"
#include "fuzz/explain/observed/access_order.h"
#include "fuzz/explain/observed/judge_values.h"
#include "fuzz/explain/observed/same_sources.h"
#include "fuzz/explain/questions/executed_step.h"
#include "fuzz/explain/questions/locate.h"
#include "fuzz/explain/questions/plain_run.h"
#include "fuzz/explain/questions/predicted_part.h"
#include "fuzz/explain/questions/repeatable.h"
#include "fuzz/explain/questions/variation.h"
#include "fuzz/explain/smallest/room_behind.h"
#include "oracle/execute/execute.h"
#include "spec/legality/find_fault.h"
#include "spec/rules/rule.h"
#include "spec/text/program_text.h"

namespace lanecheck {
namespace {

/// Rules about addresses: where the elements lie that are read and written, and how many repeats there are.
bool speaks_of_addresses(const Rule& rule) {
  constexpr std::string_view kIds[] = {"SVM-2-repeats",     "SVM-2-strides",     "TIK-3-repeats",
                                       "TIK-4-block-row",   "TIK-4-stride",      "VP-4-strides",
                                       "GM-4-block-stride", "GM-4-repeat-stride"};
  return std::ranges::find(kIds, rule.id) != std::end(kIds);
}

Matter matter_of(const Rule& rule) {
  return speaks_of_addresses(rule) ? Matter::address : Matter::mask;
}

std::string known_difference(const Hypothesis& believed) {
  return std::string("; so profile ")
      .append(row_of(*believed.elsewhere).name)
      .append(" says, a known difference between the documents (")
      .append(believed.id)
      .append(")");
}

void add_rules(Finding& finding, const Mutant& mutant, Profile profile) {
  for (const auto broken : mutant.breaks)
    if (const Rule* rule = find_rule(broken); rule != nullptr && rule->holds_in(profile))
      finding.rules.emplace_back(broken);
}

void name_by_reading(Finding& finding, const Suspects& suspects, Profile profile) {
  const Hypothesis& reading = *suspects.front();
  finding.id = reading.id;
  finding.what = reading.option->meaning;
  if (reading.elsewhere != nullptr) {
    finding.what = answer_to(*reading.reading, finding.what) + known_difference(reading);
    return;
  }
  if (!reading.pinned) {
    finding.verdict = Verdict::undecided;
    finding.matter = Matter::reading;
    return;
  }
  finding.what.append("; the run pins the reading ").append(reading.reading->id).append(" to another option");
  const auto mutant = std::ranges::find_if(suspects, [](const auto* each) { return each->wrong != nullptr; });
  if (mutant != suspects.end()) add_rules(finding, *(*mutant)->wrong, profile);
}

/// A register that is not shown may leave two mutants that do the same: then both are named, with the rules
/// that both break.
void name_by_mutant(Finding& finding, const Suspects& suspects, const Documented& documented, Shown shown) {
  const Mutant& mutant = *suspects.front()->wrong;
  finding.id = mutant.id;
  finding.what = mutant.what;
  add_rules(finding, mutant, documented.profile);
  if (const Hypothesis* twin = twin_of_first(suspects, documented, shown)) {
    finding.what += ", or " + twin->wrong->what + ": only the mask register, which is not shown, would tell";
    std::erase_if(finding.rules, [&](const std::string& rule) {
      return std::ranges::count(twin->wrong->breaks, rule) == 0;
    });
  }
  if (!finding.rules.empty()) finding.matter = matter_of(*find_rule(finding.rules.front()));
  const auto elsewhere =
      std::ranges::find_if(suspects, [](const auto* each) { return each->elsewhere != nullptr; });
  if (elsewhere != suspects.end()) finding.what.append(known_difference(**elsewhere));
}

/// Then the maps that were read off the probes are not those of the instruction.
bool probes_depend_on_earlier_programs(const MeasuredCause& cause, AskedBackend& asked) {
  constexpr std::size_t kMostAsked = 2;
  const std::size_t some = std::min(kMostAsked, cause.diverging.size());
  return std::any_of(cause.diverging.begin(), cause.diverging.begin() + static_cast<std::ptrdiff_t>(some),
                     [&](const Program& probe) { return depends_on_earlier_programs(probe, asked); });
}

void name_not_repeatable(Finding& finding) {
  finding.id = kNotRepeatable;
  finding.matter = Matter::failure;
  finding.what =
      "leaves different states after this program if it runs the program with other data in between: "
      "something of the program before may be left";
}

/// The readings that give what the backend does with the diverging instruction. An instruction before it may
/// show that the backend does not follow them everywhere: then it is asked about this one alone.
std::vector<ReadingSet> sets_of_instruction(const Finding& finding, AskedBackend& asked,
                                            const Documented& documented) {
  const auto sets_of = [&](const Program& program) {
    return reading_sets(program, asked.ask(program).state, documented.readings(), documented, asked.shown(),
                        1);
  };
  const auto sets = sets_of(prefix(finding.program, finding.instruction + 1));
  if (!sets.empty()) return sets;
  State before;
  execute(prefix(finding.program, finding.instruction), documented.semantics, before);
  const auto single = alone(finding.program, finding.program.instructions[finding.instruction], before);
  return single ? sets_of(*single) : sets;
}

/// Does the mistake, if the last instruction of `part` alone makes it, give what the backend leaves?
bool explains_last(const Hypothesis& mistake, const Program& part, AskedBackend& asked,
                   const Documented& documented) {
  PredictedPart predicted(part, asked, documented);
  State state = predicted.before_of(part, part.instructions.size() - 1);
  execute_one(part, part.instructions.back(), mistake.semantics, state);
  bool shows = false;
  return predicted.agrees(part, state, shows);
}

constexpr std::string_view kSoReading = "; so reading ";

/// The cause that the probes show, except if they show a known mistake that does not explain this program:
/// then the program diverges for another reason.
std::optional<MeasuredCause> cause_of(const Finding& finding, AskedBackend& asked,
                                      const Documented& documented) {
  auto cause = measure_cause(finding.program, finding.instruction, asked, documented, true);
  if (!cause) return {};
  const BackendAnswer answer = asked.ask(finding.program);
  if (cause->is_reading) {  // which the backend does not follow in other programs: else it would be a suspect
    const auto sets = sets_of_instruction(finding, asked, documented);
    if (sets.empty() && cause->predicts) return cause;
    if (sets.empty()) return {};
    const bool said = cause->sentence.find(sets[0][0]->id) != std::string::npos;
    cause->sentence += said ? ", which the backend does not follow everywhere"
                            : std::string(kSoReading) + sets[0][0]->id +
                                  " says, which the backend does not follow everywhere";
    cause->reading = sets[0][0]->id;
    return cause;
  }
  // Repeats with more lanes may read behind the operands: what they find there is no other reason.
  const Program part = prefix(finding.program, finding.instruction + 1);
  const bool other = !cause->difference.of_lane_count &&
                     std::ranges::any_of(documented.hypotheses, [&](const Hypothesis& each) {
                       return reproduces_probes(each, *cause, asked) &&
                              !is_refuted_by_probes(each, *cause, documented, asked.shown()) &&
                              !explains(each, finding.program, answer.state, asked.shown()) &&
                              !explains_last(each, part, asked, documented);
                     });
  return other ? std::nullopt : std::move(cause);
}

/// Does a reading, of which its law of addresses knows nothing, say the same of the finding?
bool is_named_by_reading_of(const MeasuredCause& cause, Finding& finding, AskedBackend& asked,
                            const Documented& documented) {
  if (cause.matter != Matter::address || cause.sentence.find(kSoReading) == std::string::npos) return false;
  const auto reading = std::ranges::find(documented.hypotheses, cause.reading, &Hypothesis::id);
  finding.matter = cause.matter;
  return reading != documented.hypotheses.end() &&
         is_named_by_partly_followed(finding, *reading, asked, documented);
}

void name_by_cause(Finding& finding, MeasuredCause cause, AskedBackend& asked, const Documented& documented) {
  if (is_named_by_reading_of(cause, finding, asked, documented)) return;
  const Instruction& wrong = finding.program.instructions[cause.instruction];
  finding.instructions = {mnemonic(wrong)};
  finding.id = id_of(cause, family_of(wrong, documented));
  finding.matter = cause.matter;
  finding.rules = rules_broken_by(finding, cause, asked, documented);
  finding.what = std::move(cause.sentence);
  if (cause.difference.names_operand()) finding.operands = {std::string(name_of(cause.difference.map))};
  finding.cause = std::move(cause.key);
  finding.reading = std::move(cause.reading);
  finding.of_earlier = cause.difference.of_earlier;
  finding.is_example = cause.difference.only_example;
  finding.writes_masked_off = cause.difference.writes_masked_off;
  finding.measured = std::move(cause.maps);
}

void name_by_carried(Finding& finding, const Carried& carried, const std::string& family) {
  finding.id = "carried-" + carried.kind;
  if (!carried.is_shared) finding.id += "-" + family;
  finding.matter = carried.matter;
  finding.what = carried.sentence;
  if (!carried.instruction.empty()) finding.instructions = {carried.instruction};
  // An earlier instruction decides, and not the words, nor which slot gates which lane.
  for (const char* const other :
       {"VMC-2-unsigned-words", "VMC-7-set-mask-range", "VMC-0-one-pattern", "VMC-1-slot-per-element",
        "VMC-1-no-advance", "TIK-1-list-order", "TIK-1-32bit"})
    std::erase(finding.rules, other);
  std::erase_if(finding.rules, [](const std::string& id) { return id.starts_with("VMC-1-prefix-"); });
  // Of a scalar, for example, masks and places are right; of places, masks are.
  if (carried.is_law && carried.matter != Matter::mask)
    std::erase_if(finding.rules,
                  [&](const std::string& id) { return matter_of(*find_rule(id)) != carried.matter; });
  if (carried.kind == "setting") finding.rules.clear();  // it does all that the other setting asks for
  if (carried.is_law) finding.cause = finding.id;
  finding.of_earlier = true;
}

void name_by_address(Finding& finding, std::string id, const std::string& text, std::string reading = "") {
  finding.id = finding.cause = std::move(id);
  finding.matter = Matter::address;
  finding.what = text;
  finding.reading = std::move(reading);
}

void name_by_mask(Finding& finding, std::string id, const std::string& text) {
  finding.id = finding.cause = std::move(id);
  finding.matter = Matter::mask;
  finding.what = text;
}

void name_by_ignored_mode(Finding& finding, const std::string& text) {
  name_by_mask(finding, "measured-ignored-mode", text);
  finding.rules = {"SVM-2-total", "SVM-2-repeats"};
  std::erase_if(finding.rules,
                [&](const std::string& id) { return !find_rule(id)->holds_in(finding.program.profile); });
}

/// Names the finding by the mask or mode that an earlier instruction leaves. False if none leaves a wrong
/// one.
bool is_named_by_state(Finding& finding, AskedBackend& asked, const Documented& documented) {
  auto cause = state_of_earlier(prefix(finding.program, finding.instruction + 1), asked, documented);
  if (!cause) return false;
  name_by_cause(finding, *std::move(cause), asked, documented);
  finding.of_earlier = true;
  return true;
}

/// Names the finding by what an earlier instruction has to do with it. False if none has. What is read behind
/// UB may be right by chance when the instruction runs alone: then a law is needed.
bool is_named_by_carried(Finding& finding, const std::string& family, bool reads_behind, AskedBackend& asked,
                         const Documented& documented) {
  const auto carried = carried_over(finding, asked, documented);
  if (!carried || (reads_behind && !carried->is_law)) return false;
  const Instruction& insn = finding.program.instructions[finding.instruction];
  if (carried->matter == Matter::mask || !carried->is_law)
    if (is_named_by_state(finding, asked, documented)) return true;
  // The laws of its count, and those of what an instruction leaves in the register, know what came before.
  const bool knows_earlier = row_of(insn.op).compacts || row_of(insn.op).mask == MaskUse::is_mask_state;
  if (!carried->is_law && knows_earlier)
    if (auto cause = cause_of(finding, asked, documented);
        cause && (cause->difference.of_earlier || cause->is_of_state()) && !cause->difference.only_example) {
      name_by_cause(finding, *std::move(cause), asked, documented);
      return true;
    }
  drop_unproven_rules(finding, nullptr, asked, documented);
  name_by_carried(finding, *carried, family);
  return true;
}

/// Names the finding by what its lanes show.
void name_by_lanes(Finding& finding, const Observation& seen, const Program& part, const std::string& family,
                   AskedBackend& asked, const Documented& documented) {
  const Instruction& insn = part.instructions.back();
  // Wrong values alone are a matter of one instruction. What else the lanes show, others may share.
  finding.id.append("-").append(seen.kind.empty() ? row_of(insn.op).name : family);
  if (!seen.kind.empty()) finding.id.append("-").append(seen.kind);
  finding.what = seen.what + scalar_condition({part}, insn, asked, documented);
  if (finding.rules.empty()) return;
  finding.what += seen.kind.starts_with("leaves-mask") ? "; " : "; this is what the lanes show: ";
  finding.what += "no known mistake gives this output";
}

/// What is read behind UB may be what dst holds: then elements that are written look unwritten.
void name_by_bytes_behind(Finding& finding, const Observation& seen) {
  finding.id += kReadsBehindUb;
  finding.matter = Matter::address;
  const bool looks_unwritten = seen.kind.find("leaves-") != std::string::npos;
  finding.what = (looks_unwritten ? "elements of dst do not hold what they should" : seen.what) +
                 "; in a longer UB, what it leaves depends on the bytes behind the end of this one";
}

/// No hypothesis names it: measures the cause, or if no difference can be measured, says what the lanes show.
void name_by_step(Finding& finding, AskedBackend& asked, const Documented& documented) {
  const Program part = prefix(finding.program, finding.instruction + 1);
  const bool reads_behind = reads_behind_ub(part, asked);
  if (!reads_behind && depends_on_earlier_programs(part, asked)) return name_not_repeatable(finding);
  const Instruction& insn = part.instructions.back();
  State before;
  execute(prefix(finding.program, finding.instruction), documented.semantics, before);
  const auto step = run_step(asked, finding.program, insn, before);
  const std::string family = family_of(insn, documented);
  std::optional<bool> relation;
  finding.instructions = {mnemonic(insn)};
  finding.rules = violated_rules(step, part, before, asked, documented);
  if (finding.rules.empty() && step) finding.rules = rules_in_program(*step, part, asked, documented);
  drop_rules_of_several_repeats(finding, before, asked);
  if (const auto text = reads_behind ? std::nullopt : wrong_at_end_of_ub(part, asked, documented))
    return name_by_address(finding, std::string(kAtEndOfUb), *text);
  if (is_named_by_carried(finding, family, reads_behind, asked, documented)) return;
  if (const auto text = ignored_mode(finding, before, asked, documented))
    return name_by_ignored_mode(finding, *text);
  if (const auto found = without_repeats(part, asked, documented))
    return name_by_mask(finding, "measured-without-repeats-" + found->kind, found->sentence);
  // Alone, the instruction may do something else than in the program.
  if (step && same_bytes(step->after.ub, asked.ask(part).state.ub))
    relation = relation_holds(step->view(), documented.semantics);
  // Repeats that add up in dst are no probes of places: what one leaves, the next one reads.
  if (adds_up_over_repeats(insn))
    if (const auto order = access_order(finding, asked, documented); order && !order->only_here)
      return name_by_address(finding, "measured-order-" + family, order->sentence, order->reading);
  auto cause = cause_of(finding, asked, documented);
  if (cause && !reads_behind && probes_depend_on_earlier_programs(*cause, asked))
    return name_not_repeatable(finding);
  if (cause) return name_by_cause(finding, std::move(*cause), asked, documented);
  if (!reads_behind && is_named_by_state(finding, asked, documented)) return;
  if (const auto order = access_order(finding, asked, documented))
    return name_by_address(finding, "measured-order-" + family, order->sentence, order->reading);
  if (const auto text = same_sources(finding, asked, documented))
    return name_by_address(finding, "measured-same-sources-" + family, *text);
  if (const auto text = reads_behind ? std::nullopt : wrong_at_end_of_allocation(part, asked, documented))
    return name_by_address(finding, "measured-end-of-allocation", *text);
  Observation seen = observe_twice(finding, asked, documented);
  drop_unproven_rules(finding, nullptr, asked, documented);
  // If other elements are kept than should be, their number is no second mistake.
  if (seen.kind.find("elements") != std::string::npos) std::erase(finding.rules, "GM-5-count");
  if (reads_behind) return name_by_bytes_behind(finding, seen);
  if (seen.values_alone && finding.rules.empty())
    judge_values(finding, seen, relation, before, asked, documented);
  else if (relation && seen.matter != Matter::address && !only_mask_differs(finding))
    seen.matter = *relation ? Matter::address : Matter::mask;
  finding.matter = finding.rules.empty() || seen.matter == Matter::address
                       ? seen.matter
                       : matter_of(*find_rule(finding.rules.front()));
  name_by_lanes(finding, seen, part, family, asked, documented);
}

/// Is the mask wrong before the first instruction, so that none is to blame?
bool starts_wrong(const Finding& finding, AskedBackend& asked, const Documented& documented) {
  if (!only_mask_differs(finding)) return false;
  const Program empty = prefix(finding.program, 0);
  return diverges(asked.ask(empty), empty, documented, asked.shown());
}

void name_by_rules(Finding& finding, AskedBackend& asked, const Documented& documented) {
  finding.id = "unexplained";
  const bool is_empty = finding.program.instructions.empty();
  if (is_empty || starts_wrong(finding, asked, documented)) {
    finding.id += is_empty ? "" : "-start";
    finding.what = is_empty
                       ? "leaves another state than the default after no instruction"
                       : "a program starts with another mask or mode than the default: after no instruction "
                         "it is wrong, too";
    const Rule& rule = *find_rule("VMC-1-default-mask");
    if (rule.holds_in(documented.profile)) finding.rules = {std::string(rule.id)};
    return;
  }
  if (finding.instruction >= finding.program.instructions.size()) {
    finding.matter = Matter::unexplained;
    finding.what = "leaves another state than expected; ";
    finding.what += asked.ends()
                        ? "the time was over before it was known after which instruction"
                        : "it does not run a part of the program alone, so that the instruction is not known";
    return;
  }
  name_by_step(finding, asked, documented);
}

}  // namespace

void name_finding(Finding& finding, const Suspects& suspects, AskedBackend& asked,
                  const Documented& documented) {
  if (suspects.empty()) return name_by_rules(finding, asked, documented);
  if (suspects.front()->reading != nullptr) return name_by_reading(finding, suspects, documented.profile);
  name_by_mutant(finding, suspects, documented, asked.shown());
}

}  // namespace lanecheck
