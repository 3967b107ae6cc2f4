#include "fuzz/explain/explain.h"

#include <algorithm>
#include <set>

#include "fuzz/explain/executed_step.h"
#include "fuzz/explain/minimize.h"
#include "fuzz/generate/generate.h"
#include "oracle/execute/execute.h"
#include "spec/legality/find_fault.h"
#include "spec/mask/footprint.h"

namespace lanecheck {
namespace {

constexpr unsigned kMostDeaths = 24;  // processes of the backend that minimizing one finding may cost

Program prefix(const Program& program, std::size_t count) {
  Program part = program;
  part.instructions.resize(count);
  return part;
}

std::uint64_t bits_at(const State& state, std::size_t at, Element type) {
  std::uint64_t bits = 0;
  std::memcpy(&bits, state.ub.data() + at, size_of(type));
  return bits;
}

/// Is element `lane` of repeat `repeat` on; of a reduction: is any lane of that result?
bool is_active(const ResolvedInstruction& here, const MaskBits& mask, unsigned repeat, unsigned lane) {
  const Instruction& insn = here.insn;
  const unsigned lanes = std::max(1u, lanes_of(insn));
  const auto on = [&](unsigned of) {
    if (here.total != kNoTotal) return std::uint64_t{repeat} * lanes + of < here.total;
    return (mask.words[of / 64 % 4] >> of % 64 & 1) != 0;
  };
  if (row_of(insn.op).mask != MaskUse::neutral_source) return on(lane);
  const bool whole = row_of(insn.op).form == Form::reduce_extreme;
  const unsigned group = whole ? lanes : lanes / results_per_repeat(insn);
  for (unsigned of = whole ? 0 : lane * group, end = of + group; of < end; ++of)
    if (on(of)) return true;
  return false;
}

std::string known_difference(const Hypothesis& believed) {
  return std::string("; so profile ")
      .append(row_of(*believed.elsewhere).name)
      .append(" says, a known difference between the documents (")
      .append(believed.id)
      .append(")");
}

}  // namespace

std::vector<LaneRow> lane_rows(const Program& program, const Instruction& given, const Readings& readings,
                               const State& before, const State& expected, const State& actual) {
  std::vector<LaneRow> rows;
  MaskBits mask = bits_of(before.mask, before.mode, MaskOrigin::set);
  mask.load(given, readings);
  const ResolvedInstruction here = resolve(given, mask, readings);
  const Instruction& insn = here.insn;
  const Row& row = row_of(insn.op);
  if (row.operands.empty() || row.operands[0].role != "dst" || row.operands[0].walk == Walk::indexed)
    return rows;
  const bool bits = row.operands[0].walk == Walk::bits;
  const Element type = operand_type(insn, row.operands[0]);
  const unsigned size = size_of(type);
  const unsigned per_repeat = row.mask == MaskUse::neutral_source ? results_per_repeat(insn)
                              : bits                              ? lanes_of(insn) / 8
                              : row.operands[0].walk != Walk::blocks && row.operands[0].walk != Walk::rows
                                  ? std::max(1u, static_cast<unsigned>(repeat_bytes(insn, 0)) / size)
                                  : lanes_of(insn);
  std::set<std::size_t> seen;
  unsigned n = 0;
  for_each_piece(insn, 0, [&](std::uint64_t offset, std::uint64_t bytes) {
    for (std::uint64_t byte = 0; byte < bytes; byte += size, ++n) {
      const std::size_t at = start_of(program, insn.operands[0]) + offset + byte;
      if (!seen.insert(at).second) continue;
      const unsigned lane = n % per_repeat;
      const std::uint64_t old_bits = bits_at(before, at, type), want = bits_at(expected, at, type),
                          got = bits_at(actual, at, type);
      const bool active = is_active(here, mask, n / per_repeat, lane);
      rows.push_back({n / per_repeat, lane / std::max(1u, per_block(type)), lane, active, want != old_bits,
                      want == got, type, old_bits, want, got});
    }
  });
  return rows;
}

std::string failure_kind(const Outcome& outcome) {
  const auto* errored = std::get_if<Errored>(&outcome);
  const auto* refused = std::get_if<Refused>(&outcome);
  if (errored == nullptr && refused == nullptr) return {};
  std::string kind = errored != nullptr ? "backend-failure" : "refuses-legal-program";
  kind += '-';
  for (const char c : errored != nullptr ? errored->what : refused->why) {
    const bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
    if (kind.size() >= 80) break;
    if (letter)
      kind += static_cast<char>(c | 0x20);
    else if (kind.back() != '-')
      kind += '-';
  }
  while (kind.back() == '-') kind.pop_back();
  return kind;
}

const Outcome& Explainer::ask(const Program& program) const {
  if (asked_ && *asked_ == program) return outcome_;
  asked_ = program;
  outcome_ = backend_.run(program, actual_);
  if (const auto* errored = std::get_if<Errored>(&outcome_)) deaths_ += errored->died ? 1 : 0;
  return outcome_;
}

bool Explainer::diverges(const Program& program) const {
  const Outcome& outcome = ask(program);
  if (!std::holds_alternative<Ran>(outcome)) return !std::holds_alternative<Skipped>(outcome);
  return !compare(program, documented_, actual_, backend_.shown(profile_)).agrees;
}

std::vector<const Hypothesis*> Explainer::suspects(const Program& program) const {
  if (!std::holds_alternative<Ran>(ask(program))) return {};
  return blame(hypotheses_, program, actual_, backend_.shown(profile_));
}

std::vector<const Hypothesis*> Explainer::refine(std::vector<const Hypothesis*> some) const {
  constexpr std::uint64_t kDrawn = 12'000, kProbeSeed = 0x6c616e65;
  constexpr unsigned kMostAsked = 600;
  const bool readings_alone = !some.empty() && !some.front()->is_wrong();
  if (some.empty() || (readings_alone && some.size() == 1)) return some;
  const auto all = some;
  Mix mix;
  mix.profile = profile_;
  mix.boundaries_first = false;
  mix.wild_in_sixteen = 0;
  Program probe;
  State documented, believed;
  unsigned asked = 0;
  for (std::uint64_t index = 0; index < kDrawn && asked < kMostAsked && !some.empty(); ++index) {
    if (gives_up(kMostDeaths)) break;
    generate(kProbeSeed, index, mix, probe);
    if (!restrict_to(backend_.capabilities, probe).empty() && find_fault(probe)) continue;
    execute(probe, documented_, documented);
    std::vector<const Hypothesis*> foretell;  // a divergence
    for (const Hypothesis* each : some) {
      execute(probe, each->semantics, believed);
      if (!identical(documented, believed, backend_.shown(profile_)) &&
          !compare(probe, documented_, believed, backend_.shown(profile_)).agrees)
        foretell.push_back(each);
    }
    if (foretell.empty()) continue;
    ++asked;
    if (!diverges(probe))
      std::erase_if(some, [&](const Hypothesis* each) { return std::ranges::count(foretell, each) > 0; });
  }
  return some.empty() && readings_alone ? all : some;
}

bool Explainer::reading_explains(const Program& program) const {
  return std::ranges::any_of(hypotheses_, [&](const Hypothesis& each) {
    return !each.is_wrong() && explains(each, program, actual_, backend_.shown(profile_));
  });
}

bool Explainer::reproduces(const std::vector<const Hypothesis*>& some, const Program& program) const {
  return std::holds_alternative<Ran>(ask(program)) && std::ranges::any_of(some, [&](const Hypothesis* each) {
           return explains(*each, program, actual_, backend_.shown(profile_));
         });
}

Finding Explainer::explain(const Program& program, std::vector<const Hypothesis*> suspects,
                           bool shrink) const {
  if (const Outcome outcome = ask(program); !failure_kind(outcome).empty())
    return failure(program, outcome, shrink);
  Finding finding;
  finding.program = program;
  if (shrink) {
    const unsigned most_deaths = deaths_ + kMostDeaths;
    const bool reading = !suspects.empty() && !suspects.front()->is_wrong();
    const auto same_fault = [&](const Program& candidate) {
      if (gives_up(most_deaths) || !std::holds_alternative<Ran>(ask(candidate)) || !diverges(candidate))
        return false;
      if (!suspects.empty() && !reproduces(suspects, candidate)) return false;
      return reading || !reading_explains(candidate);  // do not slide into what a mere reading explains
    };
    Minimized smallest = minimize(program, legal_under(documented_.readings), same_fault);
    finding.program = std::move(smallest.program);
    finding.tries = smallest.tries;
    if (suspects.empty()) suspects = refine(this->suspects(finding.program));
  }
  locate(finding);
  name(finding, suspects);
  return finding;
}

/// A program that the backend refuses, or that breaks it. It is minimized while it fails in the same way.
Finding Explainer::failure(const Program& program, const Outcome& outcome, bool shrink) const {
  Finding finding;
  finding.id = failure_kind(outcome);
  finding.program = program;
  if (const auto* refused = std::get_if<Refused>(&outcome)) {
    finding.matter = Matter::refusal;
    finding.what = "refuses a legal program: " + refused->why;
  } else {
    finding.verdict = Verdict::errored;
    finding.matter = Matter::failure;
    finding.what = "breaks: " + std::get<Errored>(outcome).what;
  }
  const auto fault = find_fault(program, documented_.readings);  // it may have been one that must be refused
  const auto as_legal = [&](const Program& candidate) {
    const auto now = find_fault(candidate, documented_.readings);
    return now.has_value() == fault.has_value() && (!now || now->rule == fault->rule);
  };
  if (fault) finding.what.append(" on an illegal program (").append(fault->rule->id).append(")");
  if (shrink) {
    const unsigned most_deaths = deaths_ + kMostDeaths;
    Minimized smallest = minimize(program, as_legal, [&](const Program& candidate) {
      return !gives_up(most_deaths) && failure_kind(ask(candidate)) == finding.id;
    });
    finding.program = std::move(smallest.program);
    finding.tries = smallest.tries;
  }
  finding.expected = {finding.program.ub};
  if (!fault) execute(finding.program, documented_, finding.expected);
  finding.actual = finding.expected;
  finding.instruction = finding.program.instructions.size();
  return finding;
}

Finding Explainer::accepted(const Program& program, const Fault& fault, bool shrink) const {
  Finding finding;
  finding.matter = Matter::refusal;
  finding.program = program;
  finding.id = "accepts-illegal-" + std::string(fault.rule->id);
  finding.rules = {std::string(fault.rule->id)};
  const auto breaks_the_rule = [&](const Program& candidate, const Readings& readings) {
    const auto now = find_fault(candidate, readings);
    return now && now->rule == fault.rule;
  };
  for (const Hypothesis& each : hypotheses_)
    if (each.reading != nullptr && !each.pinned && !find_fault(program, each.semantics.readings)) {
      finding.verdict = Verdict::undecided;
      finding.matter = Matter::reading;
      finding.id = each.id;
      finding.rules.clear();
    }
  if (shrink) {
    const unsigned most_deaths = deaths_ + kMostDeaths;
    Minimized smallest = minimize(
        program, [&](const Program& candidate) { return breaks_the_rule(candidate, documented_.readings); },
        [&](const Program& candidate) {
          return !gives_up(most_deaths) && std::holds_alternative<Ran>(ask(candidate));
        });
    finding.program = std::move(smallest.program);
    finding.tries = smallest.tries;
  }
  const auto still = find_fault(finding.program, documented_.readings);
  finding.what = "accepts an illegal program: " + describe(finding.program, still ? *still : fault);
  finding.instruction = finding.program.instructions.size();
  finding.expected = finding.actual = {finding.program.ub};
  return finding;
}

Finding Explainer::not_repeated(const Program& program, const Outcome& outcome, const State& actual) const {
  Finding finding;
  finding.matter = Matter::failure;
  finding.id = "not-repeatable";
  finding.program = program;
  finding.instruction = program.instructions.size();
  execute(program, documented_, finding.expected);
  finding.actual = finding.expected;
  if (const auto* errored = std::get_if<Errored>(&outcome)) {
    finding.verdict = Verdict::errored;
    finding.what = "broke in the run (" + errored->what +
                   "; a deadline can be missed on a busy machine: see --deadline)";
  } else if (const auto* refused = std::get_if<Refused>(&outcome)) {
    finding.what = "refused this program in the run (" + refused->why + ")";
  } else {
    finding.what = "left another state in the run";
    finding.actual = actual;
    finding.mask_differs = mask_differs(finding.expected, actual);
  }
  finding.what +=
      ", and does what the documents say when the program is run alone: something of an earlier program is "
      "left, or the backend is not deterministic";
  return finding;
}

bool Explainer::mask_differs(const State& expected, const State& actual) const {
  const Shown shown = backend_.shown(profile_);
  return (shown.mask && expected.mask != actual.mask) || (shown.mode && expected.mode != actual.mode);
}

/// The first instruction after which the backend's state is not allowed, and its lanes.
void Explainer::locate(Finding& finding) const {
  const Program& program = finding.program;
  execute(program, documented_, finding.expected);
  ask(program);
  finding.actual = actual_;
  finding.mask_differs = mask_differs(finding.expected, finding.actual);
  for (std::size_t count = 0; count <= program.instructions.size(); ++count) {
    const Program part = prefix(program, count);
    if (!diverges(part)) continue;
    finding.instruction = count == 0 ? 0 : count - 1;
    State before, expected, actual;
    execute(prefix(program, finding.instruction), documented_, before);
    execute(part, documented_, expected);
    ask(part);
    actual = actual_;
    finding.mask_before = before.mask;
    if (count == 0) return;
    const Instruction& insn = program.instructions[finding.instruction];
    MaskBits mask = bits_of(before.mask, before.mode, MaskOrigin::set);
    mask.load(insn, documented_.readings);
    for (unsigned w = 0; w < 4; ++w) set_mask_word(finding.mask_before, w, mask.words[w]);
    const ResolvedInstruction here = resolve(insn, mask, documented_.readings);
    if (here.total != kNoTotal) finding.total = here.total;
    finding.lanes = lane_rows(program, insn, documented_.readings, before, expected, actual);
    const Comparison differs = compare(part, documented_, actual, backend_.shown(profile_));
    const Row& row = row_of(insn.op);
    for (const std::uint32_t at : differs.bytes) {
      bool inside = false;
      if (!row.operands.empty() && row.operands[0].role == "dst")
        for_each_piece(here.insn, 0, [&](std::uint64_t offset, std::uint64_t bytes) {
          const std::uint64_t from = start_of(program, insn.operands[0]) + offset;
          inside |= at >= from && at < from + bytes;
        });
      if (inside || finding.outside.size() == 16) continue;
      std::string home;
      for (const Allocation& each : program.allocations)
        if (at >= each.offset && at < each.offset + each.bytes) home = each.name;
      finding.outside.emplace_back(home, at);
    }
    return;
  }
}

void Explainer::name_rules(Finding& finding, const Mutant& wrong) const {
  for (const auto broken : wrong.breaks)
    if (const Rule* rule = find_rule(broken); rule != nullptr && speaks_for(*rule, profile_))
      finding.rules.emplace_back(broken);
}

/// Rules by the mutant that reproduces the output; else by the relations that the step violates.
void Explainer::name(Finding& finding, const std::vector<const Hypothesis*>& suspects) const {
  if (!suspects.empty() && suspects.front()->reading != nullptr) {
    const Hypothesis& reading = *suspects.front();
    if (reading.elsewhere != nullptr) {
      finding.id = reading.id;
      finding.what = reading.option->meaning;
      finding.what.append(known_difference(reading));
      return;
    }
    finding.id = reading.id;
    finding.what = reading.option->meaning;
    if (reading.pinned) {
      finding.what.append("; the run pins the reading ")
          .append(reading.reading->id)
          .append(" to another option");
      for (const Hypothesis* each : suspects)
        if (each->wrong != nullptr) {
          name_rules(finding, *each->wrong);
          break;
        }
      return;
    }
    finding.verdict = Verdict::undecided;
    finding.matter = Matter::reading;
    return;
  }
  if (!suspects.empty()) {
    const Mutant& wrong = *suspects.front()->wrong;
    finding.id = wrong.id;
    finding.what = wrong.what;
    name_rules(finding, wrong);
    for (const Hypothesis* each : suspects)
      if (each->elsewhere != nullptr) {
        finding.what.append(known_difference(*each));
        break;
      }
    return;
  }
  const auto& instructions = finding.program.instructions;
  finding.id = "unexplained";
  if (instructions.empty()) {
    finding.what = "leaves another state than the default after no instruction";
    if (profile_ == Profile::vmc) finding.rules = {"VMC-1-default-mask"};
    return;
  }
  const Instruction& insn = instructions[finding.instruction];
  finding.id.append("-").append(row_of(insn.op).name);
  State before;
  execute(prefix(finding.program, finding.instruction), documented_, before);
  MaskBits mask = bits_of(before.mask, before.mode, MaskOrigin::set);
  mask.load(insn, documented_.readings);
  const Cell cell = cell_of(resolve(insn, mask, documented_.readings), mask);
  if (const auto step = run_step(backend_, finding.program, insn, before))
    for (const bool own : {true, false})  // the rules of the section that lists the instruction name it first
      for (const Rule& rule : rules(profile_))
        if ((rule.source.section == row_of(insn.op).section) == own && rule.standing != Standing::contested &&
            rule.applies(cell) && !rule.holds(step->view()))
          finding.rules.emplace_back(rule.id);
  const bool lanes_differ =
      std::ranges::any_of(finding.lanes, [](const LaneRow& lane) { return !lane.agrees; });
  finding.matter = finding.rules.empty() && lanes_differ ? Matter::arithmetic : Matter::mask;
  finding.what =
      !finding.rules.empty()
          ? "no single known mistake reproduces the output; the rules named are those that the step violates"
      : lanes_differ            ? "computes another result in active lanes; no mask rule is broken"
      : finding.outside.empty() ? "leaves another mask or mode"
                                : "leaves other bytes in UB outside the elements of dst";
}

}  // namespace lanecheck
