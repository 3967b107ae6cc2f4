#include "fuzz/identify/register_map.h"

#include <algorithm>
#include <functional>

#include "fuzz/identify/mask_condition.h"
#include "fuzz/probes/gate_map.h"
#include "fuzz/probes/intervals.h"
#include "fuzz/probes/shapes.h"
#include "spec/legality/find_fault.h"
#include "spec/text/program_text.h"

namespace lanecheck {
namespace {

using Numbers = std::vector<unsigned>;

constexpr unsigned kSlots = 128;
/// The mask of the subject. Its slots 0, 63, 64 and 127 are 0, and those of the first register are 1.
constexpr MaskWords kOwn = {0x3a5c90d2e68f1b44, 0x5d17c8a3b06e9f22};
constexpr MaskWords kRegisters[] = {{0xb6d1f20c79a3e48d, 0x8e4b73d5196c2af9},
                                    {0x69e2873ab51cd076, 0x71b08c5ee4d3960c}};
constexpr std::uint32_t kLength = 45;
/// Around the ends of the words, so that "at most 64" is told from "less than 64".
constexpr std::uint32_t kLengths[] = {1, 32, 63, 64, 65, 96, 127, 128};
/// As two words and as a count these are different elements: 1, 2 and 6, or the first 70.
constexpr MaskWords kModeProbe = {0, 70};

/// The register and the mode before the subject, and the mask of a subject that sets it.
struct Before {
  Mode mode;
  MaskWords words, own;
  std::uint32_t length = kLength;  ///< of a subject that is given a number
};

/// What a reader finds after the subject.
struct After {
  MaskWords words{};
  std::optional<Mode> mode;  ///< nothing if the reader writes neither of the two
};

bool takes_words(const Subject& subject) {
  return row_of(subject.insn.op).has_words || subject.insn.mask_from == MaskFrom::bitwise;
}

/// A contiguous mask: of its own, or for the register.
bool takes_length(const Subject& subject) {
  return subject.insn.op == Op::set_vector_mask_len || subject.insn.mask_from == MaskFrom::contiguous;
}

/// The subject with its operands in UB and a mask.
std::optional<Program> subject_program(const Subject& subject, const Before& before) {
  const Row& row = row_of(subject.insn.op);
  Program program{subject.profile, {}, {subject.insn}, {}};
  if (!row.operands.empty()) {
    const Subject plain = in_a_row(subject, 1);
    const auto layout = lay_out(plain);
    if (!layout) return {};
    auto with_operands = probe_program(plain, *layout, before.own);
    if (!with_operands) return {};
    with_operands->instructions = {with_operands->instructions.back()};
    program = std::move(*with_operands);
    program.instructions[0].mask_from = subject.insn.mask_from;
  }
  Instruction& insn = program.instructions[0];
  if (takes_words(subject)) {
    const MaskWords full = full_mask(subject);
    insn.high = before.own.high & full.high;
    insn.low = before.own.low & full.low;
  } else {
    insn.high = 0;
    insn.low = insn.mask_from == MaskFrom::reg ? 0 : before.length;
  }
  if (row.mask == MaskUse::is_mask_state && !row.settings.empty()) insn.settings[0] = before.length;
  return program;
}

/// dup of a type with 128 lanes, which takes its mask from the register, into an allocation behind all
/// others.
std::optional<Instruction> add_reader(Program& program) {
  const Row& row = row_of(Op::dup);
  for (const TypePair& types : row.in(program.profile).pairs) {
    Instruction reader = in_a_row(default_subject(program.profile, row, types), 1).insn;
    if (lanes_of(reader) != kSlots) continue;
    const auto begin = static_cast<std::uint32_t>(in_whole_blocks(program.ub.size()));
    program.ub.resize(begin + 2 * kRepeatBytes);
    reader.operands[0] = {static_cast<std::uint16_t>(program.allocations.size()), 0, 1, kRepeatBlocks};
    program.allocations.push_back({"reader", reader.dst_type, begin, kRepeatBytes});
    return reader;
  }
  return {};
}

/// Two programs: one reads the slots of the register in normal mode, the other one the mode. Without `is_run`
/// the subject is left out.
std::vector<Program> readers_for(const Subject& subject, const Before& before, bool is_run) {
  auto program = subject_program(subject, before);
  if (!program) return {};
  const auto reader = add_reader(*program);
  if (!reader) return {};
  if (!is_run) program->instructions.clear();
  std::vector<Instruction> start = {mask_instruction(Op::set_vector_mask, before.words)};
  if (before.mode == Mode::counter) start.insert(start.begin(), mask_instruction(Op::set_mask_count));
  program->instructions.insert(program->instructions.begin(), start.begin(), start.end());
  std::vector<Program> programs(2, *program);
  programs[0].instructions.push_back(mask_instruction(Op::set_mask_norm));
  programs[1].instructions.push_back(mask_instruction(Op::set_vector_mask, kModeProbe));
  for (Program& each : programs) {
    each.instructions.push_back(*reader);
    if (find_fault(each)) return {};
  }
  return programs;
}

MaskWords written_by_reader(const Program& program, const State& state) {
  const std::uint32_t begin = program.allocations.back().offset;
  MaskWords words{};
  for (unsigned lane = 0; lane < kSlots; ++lane)
    if (state.ub[begin + 2 * lane] != std::byte{0} || state.ub[begin + 2 * lane + 1] != std::byte{0})
      (lane < 64 ? words.low : words.high) |= std::uint64_t{1} << (lane % 64);
  return words;
}

std::optional<Mode> mode_of(const MaskWords& written) {
  if (written == MaskWords{(std::uint64_t{1} << 6) - 1, kOnes}) return Mode::counter;
  if (written == kModeProbe) return Mode::normal;
  return {};
}

/// A register before, and what the backend and the documents leave after it.
struct Observed {
  Before before;
  After actual, documented;
};

std::vector<After> ask_for(const std::vector<Program>& programs, const Ask& ask) {
  const Answers answers = ask_all(ask, programs);
  std::vector<After> all;
  for (std::size_t n = 0; n < answers.states.size(); n += 2)
    all.push_back({written_by_reader(programs[n], answers.states[n]),
                   mode_of(written_by_reader(programs[n + 1], answers.states[n + 1]))});
  return all;
}

std::vector<Observed> observe(const Subject& subject, const std::vector<Before>& tried, const Ask& ask,
                              bool is_run) {
  std::vector<Observed> seen;
  std::vector<Program> programs;
  for (const Before& before : tried) {
    const auto two = readers_for(subject, before, is_run);
    if (two.empty()) continue;
    programs.insert(programs.end(), two.begin(), two.end());
    seen.push_back({before, {}, {}});
  }
  const auto actual = ask_for(programs, ask), documented = ask_for(programs, ask_oracle());
  if (actual.size() != seen.size() || documented.size() != seen.size()) return {};
  for (std::size_t n = 0; n < seen.size(); ++n) {
    seen[n].actual = actual[n];
    seen[n].documented = documented[n];
  }
  return seen;
}

/// Masks with a word that is 0, all ones, or the one set before; lengths.
std::vector<Before> special_masks(const Subject& subject) {
  std::vector<Before> tried;
  const MaskWords& old = kRegisters[0];
  if (takes_words(subject))
    for (const MaskWords own : {MaskWords{0, kOwn.low},
                                {kOwn.high, 0},
                                {kOnes, kOwn.low},
                                {kOwn.high, kOnes},
                                {old.high, kOwn.low},
                                {kOwn.high, old.low}})
      tried.push_back({Mode::normal, old, own});
  if (takes_length(subject))
    for (const MaskWords& words : kRegisters)
      for (const std::uint32_t length : kLengths) tried.push_back({Mode::normal, words, kOwn, length});
  return tried;
}

std::vector<Observed> observe_register(const Subject& subject, const Ask& ask, bool is_run) {
  std::vector<Before> tried = {{Mode::counter, {0, 40}, {0, kLength}},
                               {Mode::counter, {0, 23}, {0, kLength}}};
  for (const MaskWords& words : kRegisters) {
    tried.push_back({Mode::normal, words, kOwn});
    if (row_of(subject.insn.op).has_words) tried.push_back({Mode::normal, words, {~kOwn.high, ~kOwn.low}});
  }
  auto seen = observe(subject, tried, ask, is_run);
  if (!seen.empty())
    std::ranges::copy(observe(subject, special_masks(subject), ask, is_run), std::back_inserter(seen));
  return seen;
}

/// What becomes of a slot of the register: `old` is its value before, `right` the documented one.
struct Fate {
  std::string_view text;
  bool (*of)(bool old, bool right);
  bool says_instead = true;  ///< "instead of 0" makes sense behind it
};

constexpr Fate kFates[] = {
    {"are 1", [](bool, bool) { return true; }},
    {"are 0", [](bool, bool) { return false; }},
    {"are what they were before", [](bool old, bool) { return old; }},
    {"stay 1 if they were 1 before (the old and the new mask are combined by or)",
     [](bool old, bool right) { return old || right; }, false},
    {"stay 0 if they were 0 before (the old and the new mask are combined by and)",
     [](bool old, bool right) { return old && right; }, false},
    {"are flipped if they were 1 before (the old and the new mask are combined by xor)",
     [](bool old, bool right) { return old != right; }, false},
    {"are inverted", [](bool, bool right) { return !right; }, false},
};

/// When something else becomes of slots than the documents say.
struct Condition {
  std::string text;
  std::function<bool(const Observed& each)> holds;
};

std::vector<Condition> conditions_for(const Subject& subject) {
  std::vector<Condition> all = {{"", [](const Observed&) { return true; }}};
  for (const Mode mode : {Mode::normal, Mode::counter})
    all.push_back({mode == Mode::normal ? ", in normal mode" : ", in counter mode",
                   [mode](const Observed& each) { return each.before.mode == mode; }});
  if (takes_length(subject)) {
    for (std::size_t k = 0; k + 1 < std::size(kLengths); ++k) {
      const std::uint32_t length = kLengths[k];
      if (kLengths[k + 1] != length + 1) continue;  // it is not known where it ends
      all.push_back(
          {", if the length n is " + std::to_string(length) + " or less", [=](const Observed& each) {
             return each.before.mode == Mode::normal && each.before.length <= length;
           }});
      all.push_back(
          {", if the length n is " + std::to_string(length + 1) + " or more", [=](const Observed& each) {
             return each.before.mode == Mode::normal && each.before.length > length;
           }});
    }
    return all;
  }
  const MaskWords full = full_mask(subject);
  for (const MaskCondition& condition : mask_conditions())
    for (const bool when : {true, false})
      all.push_back({", if in the new mask " + condition.text(when), [=](const Observed& each) {
                       return each.before.mode == Mode::normal &&
                              condition.holds(each.before.own, full) == when;
                     }});
  const auto has_old_word = [](const Observed& each, bool high) {
    return each.before.mode == Mode::normal && (high ? each.before.own.high == each.before.words.high
                                                     : each.before.own.low == each.before.words.low);
  };
  for (const bool high : {false, true})
    all.push_back(
        {std::string(", if its ") + (high ? "high" : "low") + " word is the one that was set before",
         [=](const Observed& each) { return has_old_word(each, high); }});
  return all;
}

/// Does the fate give the slots wherever the condition holds, and the documents give them elsewhere?
bool explains(const Fate& fate, const Condition& condition, const std::vector<Observed>& seen,
              const Numbers& slots) {
  return std::ranges::all_of(seen, [&](const Observed& each) {
    const bool holds = condition.holds(each);
    return std::ranges::all_of(slots, [&](unsigned slot) {
      const bool right = has_slot(each.documented.words, slot);
      return has_slot(each.actual.words, slot) ==
             (holds ? fate.of(has_slot(each.before.words, slot), right) : right);
    });
  });
}

Numbers wrong_slots(const std::vector<Observed>& seen) {
  Numbers wrong;
  for (unsigned slot = 0; slot < kSlots; ++slot)
    if (std::ranges::any_of(seen, [&](const Observed& each) {
          return has_slot(each.actual.words, slot) != has_slot(each.documented.words, slot);
        }))
      wrong.push_back(slot);
  return wrong;
}

/// Whole words that hold all wrong slots, the slots from the first to the last wrong one, and the wrong ones:
/// some slots may be right by chance.
std::vector<Numbers> candidates(const Subject& subject, const Numbers& wrong) {
  std::vector<Numbers> all;
  const auto add = [&](unsigned from, unsigned to) {
    Numbers slots;
    for (unsigned slot = from; slot <= to; ++slot) slots.push_back(slot);
    all.push_back(slots);
  };
  if ((wrong.front() < 64 && wrong.back() >= 64) || full_mask(subject).high == 0) add(0, kSlots - 1);
  if (wrong.back() < 64) add(0, 63);
  if (wrong.front() >= 64) add(64, kSlots - 1);
  add(wrong.front(), wrong.back());
  all.push_back(wrong);
  return all;
}

std::string slots_text(const Numbers& slots) {
  return (slots.size() == kSlots ? "all slots" : counted_noun("slot", slots)) + " of the mask register ";
}

/// What the documents leave in the slots wherever the condition holds.
std::string documented_text(const std::vector<Observed>& seen, const Condition& condition,
                            const Numbers& slots) {
  const auto all = [&](auto is) {
    return std::ranges::all_of(seen, [&](const Observed& each) {
      return !condition.holds(each) || std::ranges::all_of(slots, [&](unsigned slot) {
        return has_slot(each.documented.words, slot) == is(each, slot);
      });
    });
  };
  if (all([](const Observed& each, unsigned slot) { return has_slot(each.before.words, slot); }))
    return "what they were before";
  if (all([](const Observed&, unsigned) { return true; })) return "1";
  if (all([](const Observed&, unsigned) { return false; })) return "0";
  return "those of its own mask";
}

std::optional<Difference> wrong_register(const Subject& subject, const std::vector<Observed>& seen) {
  const Numbers wrong = wrong_slots(seen);
  if (wrong.empty()) return {};
  const std::string start = "after " + mnemonic(subject.insn) + ", ";
  const auto conditions = conditions_for(subject);
  std::vector<Observed> in_normal_mode;  // a fault may also change the register that the probes set before
  std::ranges::copy_if(seen, std::back_inserter(in_normal_mode),
                       [](const Observed& each) { return each.before.mode == Mode::normal; });
  for (const auto* some : std::initializer_list<const std::vector<Observed>*>{&seen, &in_normal_mode})
    for (const Condition& condition : conditions)
      for (const Numbers& slots : candidates(subject, wrong))
        for (const Fate& fate : kFates) {
          if (some->empty() || !explains(fate, condition, *some, slots)) continue;
          std::string what = start + slots_text(slots) + std::string(fate.text);
          if (fate.says_instead) what += " instead of " + documented_text(*some, condition, slots);
          what += condition.text;
          if (some == &in_normal_mode && !condition.text.ends_with(" mode")) what += ", in normal mode";
          return Difference{"register", what, {}};
        }
  return Difference{
      "register",
      start + slots_text(wrong) + "are not always " + documented_text(seen, conditions[0], wrong),
      {},
      true};
}

std::optional<Difference> wrong_mode(const Subject& subject, const std::vector<Observed>& seen) {
  const auto text = [](Mode mode) {
    return std::string(kModeNames[static_cast<std::size_t>(mode)]) + " mode";
  };
  for (const Observed& each : seen) {
    if (!each.actual.mode || !each.documented.mode || *each.actual.mode == *each.documented.mode) continue;
    const Mode is = *each.actual.mode, before = each.before.mode;
    return Difference{"register",
                      mnemonic(subject.insn) + (is == before ? " leaves " : " switches to ") + text(is) +
                          (is == before ? " on instead of switching to " : " instead of leaving ") +
                          text(*each.documented.mode) + (is == before ? "" : " on"),
                      {}};
  }
  return {};
}

/// Is what the readers find as documented if the subject is left out? If not, they tell nothing about it.
bool readers_are_right(const Subject& subject, const Ask& ask) {
  const std::vector<Observed> seen = observe_register(subject, ask, false);
  return wrong_slots(seen).empty() && !wrong_mode(subject, seen);
}

}  // namespace

bool has_register_probes(const Subject& subject) {
  return row_of(subject.profile).sets_mask == Op::set_vector_mask;
}

std::vector<Difference> register_differences(const Subject& subject, const Ask& ask) {
  if (!has_register_probes(subject)) return {};
  const std::vector<Observed> seen = observe_register(subject, ask, true);
  if (seen.empty()) return {};
  auto wrong = wrong_mode(subject, seen);
  if (!wrong) wrong = wrong_register(subject, seen);
  if (!wrong) return {};
  const bool is_mask_instruction = row_of(subject.insn.op).operands.empty();  // the readers may need it
  if (!is_mask_instruction && !readers_are_right(subject, ask)) return {};
  return {*wrong};
}

}  // namespace lanecheck
