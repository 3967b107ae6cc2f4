#include "fuzz/explain/over_programs/register_over_programs.h"

#include <algorithm>
#include <functional>
#include <iterator>

#include "oracle/compare/compare.h"
#include "oracle/execute/execute.h"
#include "spec/legality/find_fault.h"

namespace lanecheck {
namespace {

using Programs = std::vector<Program>;

/// A law, and the state that it predicts for a program after others in one process.
struct Law {
  RegisterOverPrograms said;
  std::function<State(const Programs& before, const Program& program, const Semantics& semantics)> leaves;
};

bool sets_words(const Instruction& insn) {
  return insn.op == Op::set_mask || insn.op == Op::set_vector_mask;
}

State run_from(State state, const Program& program, const Semantics& semantics) {
  state.ub = program.ub;
  for (const Instruction& insn : program.instructions) execute_one(program, insn, semantics, state);
  return state;
}

/// A process that does not reset a part of the register at the start of a program.
Law not_reset(std::string kind, const std::string& part, void (*keep)(const State& left, State& start)) {
  return {{std::move(kind), "starts a program with " + part + " that the program before left"},
          [keep](const Programs& before, const Program& program, const Semantics& semantics) {
            State left;
            const auto run_next = [&](const Program& each) {
              State start;
              keep(left, start);
              left = run_from(std::move(start), each, semantics);
            };
            std::ranges::for_each(before, run_next);
            run_next(program);
            return left;
          }};
}

/// A process that leaves out the instructions which set the words that were set last, in whatever program.
State without_repeated_words(const Programs& before, const Program& program, const Semantics& semantics) {
  std::optional<Instruction> last;
  const auto without = [&](Program each) {
    std::erase_if(each.instructions, [&](const Instruction& insn) {
      if (!sets_words(insn)) return false;
      const bool known = last && last->op == insn.op && last->low == insn.low && last->high == insn.high;
      last = insn;
      return known;
    });
    return each;
  };
  for (const Program& each : before) without(each);
  return run_from({}, without(program), semantics);
}

std::vector<Law> laws_of(Profile profile) {
  std::vector<Law> laws = {
      not_reset("mask", "the mask", [](const State& left, State& start) { start.mask = left.mask; }),
      not_reset(
          "mask", "the high word of the mask",
          [](const State& left, State& start) { set_mask_word(start.mask, 1, mask_word(left.mask, 1)); }),
      not_reset(
          "mask", "the low word of the mask",
          [](const State& left, State& start) { set_mask_word(start.mask, 0, mask_word(left.mask, 0)); }),
      not_reset("mode", "the mode", [](const State& left, State& start) { start.mode = left.mode; }),
      not_reset("mask", "the mask and the mode",
                [](const State& left, State& start) {
                  start.mask = left.mask;
                  start.mode = left.mode;
                }),
      not_reset("cmpmask", "the compare mask",
                [](const State& left, State& start) { start.cmpmask = left.cmpmask; })};
  if (const auto setter = row_of(profile).sets_mask)
    laws.push_back({{"words", "leaves out each " + std::string(row_of(*setter).name) +
                                  " whose words the one before had, also if that was in an earlier program"},
                    without_repeated_words});
  return laws;
}

/// Does the backend leave it after `before`, in a new process?
bool follows(const Law& law, const Programs& before, const Program& program, AskAgain& ask) {
  const Asks asks = ask.ask_afresh(program, 1, before);
  return asks.first_wrong && asks.first_wrong->ran() &&
         identical_but_for_nans(program, law.leaves(before, program, ask.documented().semantics),
                                asks.first_wrong->state, ask.asked().shown());
}

/// Changes the words in the last instruction of `before` that sets words. `program` gets the same words where
/// it sets those. False if no instruction sets words, or if the other words are not legal.
bool vary(Programs& before, Program& program, const Documented& documented) {
  constexpr std::uint64_t kOther = 0x2040'8102'0408'1021;
  Instruction* last = nullptr;
  for (Program& each : before)
    for (Instruction& insn : each.instructions)
      if (sets_words(insn)) last = &insn;
  if (last == nullptr) return false;
  const Instruction given = *last;
  const auto change = [](Instruction& insn) {
    insn.low ^= kOther;
    insn.high ^= kOther << 1;
  };
  change(*last);
  for (Instruction& insn : program.instructions)
    if (sets_words(insn) && insn.low == given.low && insn.high == given.high) change(insn);
  return !find_fault(program, documented.readings()) &&
         std::ranges::none_of(before, [&](const Program& each) {
           return find_fault(each, documented.readings()).has_value();
         });
}

}  // namespace

std::optional<RegisterOverPrograms> register_over_programs(const Finding& finding, AskAgain& ask) {
  const auto is_legal = [&](const Program& program) {
    return !find_fault(program, ask.documented().readings()).has_value();
  };
  Programs before;  // an illegal program is to be refused; to execute it may lead out of UB
  std::ranges::copy_if(finding.before, std::back_inserter(before), is_legal);
  if (before.empty() || !is_legal(finding.program)) return {};
  Programs varied_before = before;
  Program varied = finding.program;
  const bool can_vary = vary(varied_before, varied, ask.documented());
  for (const Law& law : laws_of(finding.program.profile)) {
    if (!follows(law, before, finding.program, ask)) continue;
    if (!can_vary || follows(law, varied_before, varied, ask)) return law.said;
  }
  return {};
}

}  // namespace lanecheck
