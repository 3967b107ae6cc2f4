// The rules themselves are tested: a step of the oracle is right, and one fault, written from the rule's own
// sentence, turns the rule red. The faults lie in the bytes and slots of the step; none is taken from
// oracle/mutants.
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "fuzz/explain/questions/executed_step.h"
#include "fuzz/run/find_backend.h"
#include "fuzz/run/rule_steps_testing.h"
#include "spec/mask/footprint.h"
#include "spec/rules/relation.h"
#include "spec/rules/rule.h"
#include "spec/text/program_text.h"

namespace lanecheck {
namespace {

/// Puts a fault into `after`; false if this step has no place for it.
using Damage = bool (*)(const Step& step, State& after);

void invert(State& after, std::size_t at, std::size_t bytes) {
  for (std::size_t n = at; n < at + bytes; ++n) after.ub[n] = ~after.ub[n];
}

/// Calls f(byte, size, repeat, lane, is active) for the elements of dst until it returns true.
template <class F>
bool some_lane(const Step& step, F f) {
  const relation::Walked walked(step);
  const Instruction& insn = walked.here.insn;
  const unsigned size = size_of(insn.dst_type);
  for (unsigned r = 0; r < insn.repeat; ++r)
    for (unsigned lane = 0; lane < lanes_of(insn); ++lane) {
      const std::size_t at = start_of(step.program, insn.operands[0]) + lane_offset(insn, 0, r, lane);
      if (f(at, size, r, lane, walked.is_on(r, lane))) return true;
    }
  return false;
}

bool masked_off_is_written(const Step& step, State& after) {
  return some_lane(step, [&](std::size_t at, unsigned size, unsigned, unsigned, bool on) {
    if (!on) invert(after, at, size);
    return !on;
  });
}
bool masked_off_is_written_late(const Step& step, State& after) {
  return some_lane(step, [&](std::size_t at, unsigned size, unsigned repeat, unsigned, bool on) {
    if (!on && repeat > 0) invert(after, at, size);
    return !on && repeat > 0;
  });
}
/// An element above 127 keeps its old value, as if the slot 128 below it decided.
bool upper_element_keeps_old(const Step& step, State& after) {
  return some_lane(step, [&](std::size_t at, unsigned size, unsigned, unsigned lane, bool on) {
    const auto old = step.before.ub.begin() + static_cast<std::ptrdiff_t>(at);
    const auto now = after.ub.begin() + static_cast<std::ptrdiff_t>(at);
    if (lane < 128 || !on || std::equal(old, old + size, now)) return false;
    std::copy_n(old, size, now);
    return true;
  });
}
bool active_keeps_old(const Step& step, State& after) {
  return some_lane(step, [&](std::size_t at, unsigned size, unsigned, unsigned, bool on) {
    const auto old = step.before.ub.begin() + static_cast<std::ptrdiff_t>(at);
    const auto now = after.ub.begin() + static_cast<std::ptrdiff_t>(at);
    if (!on || std::equal(old, old + size, now)) return false;
    std::copy_n(old, size, now);
    return true;
  });
}
bool active_is_another(const Step& step, State& after) {
  return some_lane(step, [&](std::size_t at, unsigned size, unsigned, unsigned, bool on) {
    if (on) invert(after, at, size);
    return on;
  });
}
bool last_active_keeps_old(const Step& step, State& after) {
  std::size_t last = 0;
  unsigned bytes = 0;
  some_lane(step, [&](std::size_t at, unsigned size, unsigned, unsigned, bool on) {
    if (on) last = at, bytes = size;
    return false;
  });
  for (std::size_t n = last; n < last + bytes; ++n) after.ub[n] = step.before.ub[n];
  return after.ub != step.after.ub;
}
bool never_written(const Step& step, State& after) {
  after.ub = step.before.ub;
  return true;
}
/// One byte that the instruction changed keeps its old value.
bool some_byte_keeps_old(const Step& step, State& after) {
  for (std::size_t at = 0; at < after.ub.size(); ++at)
    if (after.ub[at] != step.before.ub[at]) {
      after.ub[at] = step.before.ub[at];
      return true;
    }
  return false;
}

/// Inverts the first result of a reduction that has an active lane, or has none.
template <bool Active>
bool result_is_another(const Step& step, State& after) {
  const relation::Walked walked(step);
  const Instruction& insn = walked.here.insn;
  const Op op = insn.op;
  const unsigned lanes = lanes_of(insn);
  const unsigned results = op == Op::cpadd                                         ? lanes / 2
                           : op == Op::cgadd || op == Op::cgmax || op == Op::cgmin ? 8u
                                                                                   : 1u;
  const auto size = static_cast<unsigned>(repeat_bytes(insn, 0)) / results;
  for (unsigned r = 0; r < insn.repeat; ++r)
    for (unsigned k = 0; k < results; ++k) {
      bool any = false;
      for (unsigned lane = k * (lanes / results); lane < (k + 1) * (lanes / results); ++lane)
        any |= walked.is_on(r, lane);
      if (any != Active) continue;
      invert(after, start_of(step.program, insn.operands[0]) + r * repeat_step(insn, 0) + k * size, size);
      return true;
    }
  return false;
}

template <unsigned Slot>
bool slot_is_another(const Step&, State& after) {
  after.mask[Slot] ^= 1;
  return true;
}
bool words_change_places(const Step&, State& after) {
  std::swap_ranges(after.mask.begin(), after.mask.begin() + 64, after.mask.begin() + 64);
  return true;
}
bool mode_is_another(const Step&, State& after) {
  after.mode = after.mode == Mode::normal ? Mode::counter : Mode::normal;
  return true;
}
bool first_byte_changes(const Step&, State& after) {
  invert(after, 0, 1);
  return true;
}
/// A byte outside dst changes.
bool byte_outside_changes(const Step& step, State& after) {
  std::vector<bool> inside(after.ub.size(), false);
  const Instruction insn = relation::Walked(step).here.insn;
  for_each_piece(insn, 0, [&](std::uint64_t offset, std::uint64_t bytes) {
    for (std::uint64_t n = 0; n < bytes; ++n)
      inside[start_of(step.program, insn.operands[0]) + offset + n] = true;
  });
  const auto outside = std::ranges::find(inside, false);
  if (outside == inside.end()) return false;
  invert(after, static_cast<std::size_t>(outside - inside.begin()), 1);
  return true;
}

std::size_t place_of_count(const Step& step) {
  return start_of(step.program, step.insn.operands[step.insn.op == Op::gather_mask_user ? 3 : 2]);
}
bool count_is_another(const Step& step, State& after) {
  invert(after, place_of_count(step), 1);
  return true;
}
/// The last of the elements that gather_mask kept is another.
bool kept_is_another(const Step& step, State& after) {
  std::uint64_t count = 0;
  std::memcpy(&count, step.after.ub.data() + place_of_count(step), sizeof count);
  const unsigned size = size_of(step.insn.dst_type);
  if (count == 0) return false;
  invert(after, start_of(step.program, step.insn.operands[0]) + (count - 1) * size, size);
  return true;
}
bool past_count_changes(const Step& step, State& after) {
  std::uint64_t count = 0;
  std::memcpy(&count, step.after.ub.data() + place_of_count(step), sizeof count);
  const Allocation& home = step.program.allocations[step.insn.operands[0].allocation];
  const std::size_t at = start_of(step.program, step.insn.operands[0]) + count * size_of(step.insn.dst_type);
  if (at >= home.offset + home.bytes) return false;
  invert(after, at, 1);
  return true;
}

/// A fault written from the sentence of some rules: each of them must turn red.
struct FaultOfRules {
  Damage damage;
  std::set<std::string_view> rules;
};

const FaultOfRules kFaults[] = {
    {masked_off_is_written,
     {"VMC-0-one-pattern",
      "VMC-1-slot-per-element",
      "VMC-1-prefix-32bit",
      "VMC-1-prefix-16bit",
      "VMC-1-prefix-8bit",
      "VMC-3.1-keeps-masked-off",
      "VMC-3.1-unary",
      "VMC-3.1-binary",
      "VMC-3.1-unary-scalar",
      "VMC-3.1-dup",
      "VMC-3.1-cast",
      "VMC-3.1-cast-wider",
      "VMC-3.1-cast-half-float",
      "VMC-6-pattern-a",
      "VMC-7-keeps-dst",
      "SVM-1-contiguous",
      "SVM-1-bitwise",
      "SVM-1-keeps-dst",
      "SVM-2-tail",
      "SVM-3-from-outside",
      "SVM-3-its-own",
      "VP-2-mask-write",
      "VP-2-contiguous",
      "VP-2-bitwise",
      "VP-2-outside",
      "VP-3-count-write",
      "TIK-1-contiguous",
      "TIK-1-bits",
      "TIK-1-list-order",
      "TIK-1-32bit",
      "TIK-1-keeps-dst",
      "TIK-2-counter-tail"}},
    {masked_off_is_written_late, {"VMC-1-every-repeat", "VMC-1-no-advance", "SVM-1-every-repeat"}},
    {upper_element_keeps_old, {"VMC-1-upper-slots"}},
    {active_keeps_old,
     {"SVM-1-16bit", "SVM-1-32bit", "SVM-1-64bit", "TIK-4-stride", "TIK-4-block-row", "TIK-5-in-place",
      "TIK-5-in-place-repeats"}},
    {never_written, {"VMC-3.1-writes-active"}},
    {last_active_keeps_old,
     {"SVM-2-total", "SVM-2-repeats", "SVM-2-strides", "TIK-2-counter", "TIK-2-counter-repeats",
      "TIK-3-repeats"}},
    {active_is_another,
     {"VP-1-mode-0-left", "VP-1-mode-0-right", "VP-1-mode-1-left", "VP-1-mode-1-right", "VP-1-mode-2-left",
      "VP-1-mode-2-right", "VP-1-zero", "VP-1-by-block", "VP-2-mask-read", "VP-3-count-read"}},
    {byte_outside_changes, {"VMC-4-packed-result", "VP-4-strides"}},
    {some_byte_keeps_old,
     {"VMC-1-default-mask", "VMC-7-default-ones", "VMC-4-select", "VMC-4-compare", "VMC-4-compare_scalar",
      "VMC-4-gather", "VMC-4-scatter", "VMC-4-sort32", "VMC-4-mergesort4", "VMC-4-mergesort_2seq",
      "VMC-4-brcb", "VMC-4-own-control", "VMC-4-packed-control"}},
    {result_is_another<true>,
     {"VMC-3.2-not-preserved", "VMC-3.2-cadd-zero", "VMC-3.2-cgadd-zero", "VMC-3.2-cpadd-zero",
      "VMC-3.3-cmax-sentinel", "VMC-3.3-cgmax-sentinel", "VMC-3.3-cmin-sentinel", "VMC-3.3-cgmin-sentinel",
      "VMC-6-pattern-b", "VMC-7-contributes-zero", "SVM-1-reductions", "SVM-2-reductions"}},
    {result_is_another<false>,
     {"VMC-3.2-cadd-empty", "VMC-3.2-cgadd-empty", "VMC-3.2-cpadd-empty", "VMC-3.3-cmax-empty",
      "VMC-3.3-cgmax-empty", "VMC-3.3-cmin-empty", "VMC-3.3-cgmin-empty"}},
    {slot_is_another<0>,
     {"VMC-0-reproducible", "VMC-2-low-word", "VMC-2-lowest-bit-first", "VMC-4-mask-stays",
      "VMC-5-set-cmpmask", "SVM-1-low-word", "SVM-1-length", "SVM-2-low-word", "SVM-2-length", "SVM-3-stays",
      "SVM-4-mode-alone", "SVM-4-operand-stays", "SVM-4-first-n-after"}},
    {slot_is_another<63>, {"VMC-2-highest-bit-last", "VMC-2-unsigned-words"}},
    {slot_is_another<64>, {"VMC-2-high-word", "VMC-2-low-prefix", "SVM-1-high-word"}},
    {slot_is_another<128>, {"VMC-2-upper-half-stays", "VMC-7-set-mask-range"}},
    {slot_is_another<255>, {"VMC-2-reset", "VMC-7-reset-full"}},
    {slot_is_another<100>, {"SVM-3-reset"}},
    {words_change_places, {"VMC-2-argument-order"}},
    {mode_is_another,
     {"SVM-3-reset-mode", "SVM-4-norm", "SVM-4-count", "SVM-4-mask-alone", "GM-6-mode-after"}},
    {first_byte_changes, {"VMC-2-no-data", "SVM-4-no-data", "TIK-3-scalar-zero"}},
    {kept_is_another,
     {"GM-1-pattern-1",    "GM-1-pattern-2",          "GM-1-pattern-3",     "GM-1-pattern-4",
      "GM-1-pattern-5",    "GM-1-pattern-6",          "GM-1-pattern-7",     "GM-1-each-repeat",
      "GM-2-user-bit",     "GM-2-user-in-a-row",      "GM-2-user-stride",   "GM-3-normal-repeat",
      "GM-3-normal-mask",  "GM-3-counter-per-repeat", "GM-3-counter-total", "GM-3-counter-repeats",
      "GM-4-block-stride", "GM-4-repeat-stride",      "GM-5-dense",         "GM-6-own-pattern"}},
    {count_is_another, {"GM-5-count"}},
    {past_count_changes, {"GM-5-past-count"}},
};

Damage fault_of(std::string_view rule) {
  for (const FaultOfRules& fault : kFaults)
    if (fault.rules.contains(rule)) return fault.damage;
  return nullptr;
}

/// Steps of the oracle, until each rule of `profile` with a fault was red once under it.
std::set<std::string_view> rules_never_red(Profile profile) {
  const Semantics semantics(default_readings(profile));
  const Backend oracle = find_backend("oracle");
  AskedBackend asked(oracle, profile);
  std::set<std::string_view> left;
  for (const Rule& rule : rules(profile))
    if (fault_of(rule.id) != nullptr) left.insert(rule.id);
  Program program;
  for (std::uint64_t index = 0; index < 20'000 && !left.empty(); ++index) {
    generate(1, index, drawn_mix(profile), program);
    each_step(program, semantics, [&](const auto& insn, const Cell& cell, const State& before, const State&) {
      std::vector<const Rule*> here;
      for (const Rule& rule : rules(profile))
        if (left.contains(rule.id) && rule.applies(cell)) here.push_back(&rule);
      if (here.empty()) return;
      const auto run = run_step(asked, program, insn, before);
      if (!run) return;
      const Step right = run->view();
      for (const Rule* rule : here) {
        EXPECT_TRUE(rule->holds(right)) << rule->id << " on " << print_instruction(program, insn);
        State after = right.after;
        if (!fault_of(rule->id)(right, after)) continue;
        if (!rule->holds({right.program, right.insn, right.before, after, right.unmasked}))
          left.erase(rule->id);
      }
    });
  }
  return left;
}

TEST(Rules, HaveAFaultWrittenFromTheirOwnSentence) {
  std::set<std::string_view> without, unknown;
  for (const Rule& rule : rules())
    if (fault_of(rule.id) == nullptr) without.insert(rule.id);
  for (const FaultOfRules& fault : kFaults)
    for (const std::string_view id : fault.rules)
      if (find_rule(id) == nullptr) unknown.insert(id);
  EXPECT_EQ(without, std::set<std::string_view>{}) << "rules without a fault";
  EXPECT_EQ(unknown, std::set<std::string_view>{}) << "faults of rules that do not exist";
}

TEST(Rules, TurnRedUnderTheFaultOfTheirOwnSentenceAlone) {
  for (const Profile profile : kEveryProfile)
    EXPECT_EQ(rules_never_red(profile), std::set<std::string_view>{}) << row_of(profile).name;
}

/// A mistake in what padMode 0 writes says nothing about blocks, masks or strides.
TEST(Rules, ThatDoNotSpeakOfPadModeAreNotBrokenByAMistakeInIt) {
  const Program program = parse_program(R"(profile ascendc-310p
ub 640
alloc d u16 0 256 = 9 x128
alloc s u16 256 256 = 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 1 x112
vpadding.u16 d+0 blk=1 rep=8, s+0 blk=1 rep=8, mode=0, side=0, mask=16, repeat=1)",
                                        "test");
  const Backend wrong =
      function_backend("pads from the other side", "", [](const Program& p, State& state) -> Outcome {
        Program other = p;
        for (Instruction& insn : other.instructions)
          if (insn.op == Op::vpadding) insn.settings[*setting_index(row_of(insn.op), "side")] ^= 1;
        execute(other, Semantics(default_readings(p.profile)), state);
        return Ran{};
      });
  AskedBackend asked(wrong, program.profile);
  const auto step = run_step(asked, program, program.instructions[0], State{program.ub});
  ASSERT_TRUE(step);
  EXPECT_FALSE(find_rule("VP-1-mode-0-left")->holds(step->view()));
  for (const std::string_view id : {"VP-1-by-block", "VP-2-contiguous", "VP-2-mask-write", "VP-4-strides"})
    EXPECT_TRUE(find_rule(id)->holds(step->view())) << id;
}

}  // namespace
}  // namespace lanecheck
