#include "fuzz/identify/mask_register/left_in_mask.h"

#include <algorithm>
#include <functional>
#include <random>
#include <vector>

#include "fuzz/identify/gates/gate_differences.h"
#include "fuzz/identify/gates/mask_condition.h"
#include "fuzz/identify/probes/intervals.h"
#include "fuzz/identify/probes/move_map.h"
#include "fuzz/identify/probes/shapes.h"
#include "spec/legality/find_fault.h"
#include "spec/mask/footprint.h"
#include "spec/text/number.h"
#include "spec/text/program_text.h"

namespace lanecheck {
namespace {

using Numbers = std::vector<unsigned>;

constexpr unsigned kDrawnMasks = 4, kFreshMasks = 8;

/// A program, and the register after it.
struct Left {
  Program program;
  MaskWords words{};      ///< the mask that is set before
  unsigned active = 0;    ///< lanes of a repeat that are on
  bool in_place = false;  ///< dst lies where the first source lies
  Mask documented = kFullMask, actual = kFullMask;
  std::vector<std::byte> dst{};      ///< the bytes of dst, as the backend left them
  std::vector<std::byte> control{};  ///< the control bits of all repeats; empty if it has none

  const Instruction& insn() const { return program.instructions.back(); }
};

/// Values around the scalar, so that a comparison with it, or of two sources, is now true, now false.
void draw_sources(Program& program, const Layout& layout, std::mt19937_64& random) {
  const Instruction& insn = program.instructions.back();
  const double least = takes_scalar(insn) ? value_of(scalar_type(insn), insn.scalar.bits) - 1 : 1;
  const Row& row = row_of(insn.op);
  for (unsigned k = 1; k < row.operands.size(); ++k) {
    if (indexed_operand(row) && k == kOffsetsOperand) continue;
    if (k == control_operand(row)) {
      const Region& control = layout.regions[k];
      for (std::uint32_t at = control.begin; at < control.begin + control.bytes; ++at)
        program.ub[at] = static_cast<std::byte>(random() & 0xff);
      continue;
    }
    const Element type = operand_type(insn, row.operands[k]);
    for (std::uint32_t at = 0; at < layout.regions[k].bytes / size_of(type); ++at)
      put_element(program, layout.regions[k], type, at,
                  nearest(type, least + static_cast<double>(random() % 3)));
  }
}

/// Masks of all kinds: empty, full, with one slot, with words that are 0 or all ones, drawn. They are few,
/// because an identification may ask a limited number of questions.
std::vector<MaskWords> left_masks(const Subject& subject) {
  constexpr std::uint64_t kTop = std::uint64_t{1} << 63;
  const MaskWords full = full_mask(subject);
  std::mt19937_64 random(2);
  std::vector<MaskWords> masks = {{0, 0},    {kOnes, kOnes}, {0, 1},     {0, std::uint64_t{1} << 21},
                                  {kTop, 0}, {0, kOnes},     {kOnes, 0}, {kOnes, kOnes - kTop}};
  for (unsigned n = 0; n < kDrawnMasks; ++n) masks.push_back({random(), random()});
  for (MaskWords& mask : masks) mask = {mask.high & full.high, mask.low & full.low};
  return masks;
}

/// Masks that no law was made from.
std::vector<MaskWords> fresh_masks_for(const Subject& subject) {
  const MaskWords full = full_mask(subject);
  std::mt19937_64 random(3);
  std::vector<MaskWords> masks(kFreshMasks);
  for (MaskWords& mask : masks) mask = {random() & full.high, random() & full.low};
  return masks;
}

void add_programs(const Subject& subject, const std::vector<MaskWords>& masks, std::vector<Left>& all) {
  const auto layout = lay_out(subject);
  if (!layout) return;
  std::mt19937_64 random(1);
  for (const MaskWords& words : masks) {
    auto program = probe_program(subject, *layout, words);
    if (!program) return;
    draw_sources(*program, *layout, random);
    unsigned active = 0;
    for (unsigned lane = 0; lane < lanes_of(subject.insn); ++lane)
      active += lane >= 128 || has_slot(words, lane) ? 1 : 0;
    all.push_back({*program, words, active});
    if (row_of(subject.insn.op).operands.size() < 2 || subject.insn.repeat == 0) continue;
    auto& operands = program->instructions.back().operands;
    operands[0].allocation = operands[1].allocation;
    operands[0].offset = operands[1].offset;
    if (!find_fault(*program)) all.push_back({std::move(*program), words, active, true});
  }
}

/// What the backend and the documents leave; empty if the backend does not answer.
std::vector<Left> observe_left(const Subject& given, unsigned repeats, const Ask& ask, bool fresh = false) {
  std::vector<Left> all;
  const Subject subject = in_a_row(given, repeats);
  add_programs(subject, fresh ? fresh_masks_for(subject) : left_masks(subject), all);
  std::vector<Program> programs;
  for (const Left& each : all) programs.push_back(each.program);
  const Answers actual = ask_all(ask, programs), documented = ask_all(ask_oracle(), programs);
  if (!actual.why_not.empty() || !documented.why_not.empty()) return {};
  for (std::size_t n = 0; n < all.size(); ++n) {
    all[n].documented = documented.states[n].mask;
    all[n].actual = actual.states[n].mask;
    const Instruction& insn = all[n].insn();
    const auto from = static_cast<std::ptrdiff_t>(start_of(programs[n], insn.operands[0]));
    const auto bytes = static_cast<std::ptrdiff_t>(extent(insn, 0, lanes_of(insn)));
    const auto& ub = actual.states[n].ub;
    all[n].dst.assign(ub.begin() + from, ub.begin() + from + bytes);
    if (const auto k = control_operand(row_of(insn.op))) {
      const auto start =
          programs[n].ub.begin() + static_cast<std::ptrdiff_t>(start_of(programs[n], insn.operands[*k]));
      all[n].control.assign(start, start + static_cast<std::ptrdiff_t>(extent(insn, *k, lanes_of(insn))));
    }
  }
  return all;
}

/// When the register is not as documented.
struct LeftCondition {
  std::string text;  ///< " if no lane is active"; empty: always
  std::function<bool(const Left&)> holds;
};

std::vector<LeftCondition> left_conditions(const Subject& subject) {
  const unsigned lanes = lanes_of(subject.insn);
  const MaskWords full = full_mask(subject);
  std::vector<LeftCondition> all = {
      {"", [](const Left&) { return true; }},
      {" if no lane is active", [](const Left& each) { return each.active == 0; }},
      {" if at least one lane is active", [](const Left& each) { return each.active > 0; }},
      {" if all lanes are active", [=](const Left& each) { return each.active == lanes; }},
      {" if a lane is masked off", [=](const Left& each) { return each.active < lanes; }},
      {" if one lane alone is active", [](const Left& each) { return each.active == 1; }},
      {" if one slot alone is 1",
       [](const Left& each) {
         return std::ranges::count(std::span(each.documented).first(128), std::uint8_t{1}) == 1;
       }},
      {" if it has more than one repeat", [](const Left& each) { return each.insn().repeat > 1; }},
      {" if dst lies in the place of the first source", [](const Left& each) { return each.in_place; }},
      {" if dst does not lie in the place of the first source",
       [](const Left& each) { return !each.in_place; }}};
  for (const MaskCondition& condition : mask_conditions())
    for (const bool when : {true, false})
      all.push_back({" if " + condition.text(when),
                     [=](const Left& each) { return condition.holds(each.words, full) == when; }});
  return all;
}

bool left_bit(const std::vector<std::byte>& bytes, std::size_t bit) {
  return bit / 8 < bytes.size() && (std::to_integer<unsigned>(bytes[bit / 8]) >> bit % 8 & 1) != 0;
}

/// The value of a slot, whose number is counted from the first of the slots that are changed.
struct Value {
  std::string text;
  std::function<bool(const Left&, unsigned slot, unsigned first)> of;
  bool of_results = false;     ///< it is a bit of a result
  bool of_groups = false;      ///< all slots of a group have it
  bool of_one_repeat = false;  ///< its bits are those of one repeat

  /// Some law of results, or of groups, always fits a few slots.
  std::size_t least_slots() const { return of_results || of_groups ? 8 : 1; }
};

using Bits = std::vector<std::byte> Left::*;

/// Bits of results, or control bits. `from`: their first byte.
Value bits_of(Bits bits, std::string which, std::function<std::size_t(const Left&)> from) {
  return {"puts the " + std::move(which) + " into @",
          [bits, from = std::move(from)](const Left& each, unsigned slot, unsigned first) {
            return left_bit(each.*bits, 8 * from(each) + (slot - first));
          },
          true};
}

/// The first byte of the last repeat.
std::size_t start_of_last(const Left& each, const std::vector<std::byte>& bytes) {
  const std::size_t repeats = std::max(each.insn().repeat, 1u);
  return bytes.size() / repeats * (repeats - 1);
}

/// Of the last repeat.
Value bits_of_last(Bits bits, std::string which) {
  Value value = bits_of(bits, std::move(which) + " of its last repeat",
                        [bits](const Left& each) { return start_of_last(each, each.*bits); });
  value.of_one_repeat = true;
  return value;
}

/// The bit of a result goes into the slot of its own lane.
Value bits_in_place(std::string which, std::function<std::size_t(const Left&)> from) {
  return {"puts the " + std::move(which) + " into @, each into the slot of its lane",
          [from = std::move(from)](const Left& each, unsigned slot, unsigned) {
            return left_bit(each.dst, 8 * from(each) + slot);
          },
          true};
}

/// How many slots of 1 the group of `size` slots has that `slot` belongs to.
unsigned ones_in_group(const Mask& mask, unsigned slot, unsigned size) {
  const auto group = std::span(mask).subspan(slot / size * size, size);
  return static_cast<unsigned>(std::ranges::count(group, std::uint8_t{1}));
}

/// Slots of a group get one value.
void add_groups(std::vector<Value>& all) {
  for (unsigned size = 2; size <= 64; size *= 2) {
    const std::string where =
        ", wherever one slot of its group of " + std::to_string(size) + " neighbours is ";
    all.push_back({"leaves 1 in @" + where + "1",
                   [size](const Left& each, unsigned slot, unsigned) {
                     return ones_in_group(each.documented, slot, size) > 0;
                   },
                   false, true});
    all.push_back({"leaves 0 in @" + where + "0",
                   [size](const Left& each, unsigned slot, unsigned) {
                     return ones_in_group(each.documented, slot, size) == size;
                   },
                   false, true});
  }
}

constexpr const char* kAtZero = "leaves @ at 0";

std::vector<Value> values_for(const std::vector<Left>& seen) {
  std::vector<Value> all = {
      {"leaves @ at 1", [](const Left&, unsigned, unsigned) { return true; }},
      {kAtZero, [](const Left&, unsigned, unsigned) { return false; }},
      {"leaves @ inverted",
       [](const Left& each, unsigned slot, unsigned) { return each.documented[slot] == 0; }},
      {"exchanges the words of the mask in @",
       [](const Left& each, unsigned slot, unsigned) { return each.documented[slot ^ 64] != 0; }},
      {"leaves the bits of the low word in @",
       [](const Left& each, unsigned slot, unsigned) { return each.documented[slot % 64] != 0; }},
      {"leaves the bits of the high word in @",
       [](const Left& each, unsigned slot, unsigned) { return each.documented[64 + slot % 64] != 0; }},
      bits_of(&Left::dst, "bits of its first results", [](const Left&) { return std::size_t{0}; }),
      bits_of_last(&Left::dst, "bits of the results"),
      bits_in_place("bits of its first results", [](const Left&) { return std::size_t{0}; }),
      bits_in_place("bits of the results of its last repeat",
                    [](const Left& each) { return start_of_last(each, each.dst); })};
  if (!seen[0].control.empty()) {
    all.push_back(bits_of(&Left::control, "first control bits", [](const Left&) { return std::size_t{0}; }));
    all.push_back(bits_of_last(&Left::control, "control bits"));
  }
  add_groups(all);
  for (std::size_t from = 1; from < seen[0].dst.size() && from < 64; ++from)
    all.push_back(bits_of(&Left::dst, "bits of its results from byte " + std::to_string(from) + " of dst on",
                          [from](const Left&) { return from; }));
  return all;
}

/// "changes the mask register: under the mask 0:1 (high:low), slot 1 is 1 afterwards"
std::string left_example(const std::vector<Left>& seen) {
  const auto first =
      std::ranges::find_if(seen, [](const Left& each) { return each.actual != each.documented; });
  return "changes the mask register: under the mask " + show_words(first->words) + " (high:low), " +
         wrong_slots_text(first->actual, first->documented, "") + " afterwards";
}

/// The slots in which the register is wrong after one program or another.
Numbers wrong_left_slots(const std::vector<Left>& seen) {
  Numbers slots;
  for (unsigned slot = 0; slot < kMaskSlots; ++slot)
    if (std::ranges::any_of(seen,
                            [&](const Left& each) { return each.actual[slot] != each.documented[slot]; }))
      slots.push_back(slot);
  return slots;
}

/// Whole words hold the wrong slots: some of them may be right by chance.
Numbers widened(const Numbers& slots) {
  Numbers wide;
  for (unsigned slot = slots.front() / 64 * 64; slot < (slots.back() / 64 + 1) * 64; ++slot)
    wide.push_back(slot);
  return wide;
}

/// Do the slots hold the value wherever the condition holds, and what the documents say elsewhere?
bool explains_left(const std::vector<Left>& seen, const LeftCondition& condition, const Value& value,
                   const Numbers& slots) {
  return std::ranges::all_of(seen, [&](const Left& each) {
    const bool holds = condition.holds(each);
    return std::ranges::all_of(slots, [&](unsigned slot) {
      return (each.actual[slot] != 0) ==
             (holds ? value.of(each, slot, slots.front()) : each.documented[slot] != 0);
    });
  });
}

/// "slots 64..127 of the mask". The bits of one repeat fill as many slots as the type has lanes.
std::string left_slots_text(const Subject& subject, const Value& value, const Numbers& slots) {
  const bool bits = value.of_results, from_0 = slots.front() == 0;
  const std::string of_mask = bits ? " of the mask register" : " of the mask";
  if (bits && from_0 && slots.size() == lanes_of(subject.insn) && value.of_one_repeat)
    return "slots 0..N-1" + of_mask + ", for N lanes";
  // Behind slot 127 they stay.
  const bool all = from_0 && slots.size() >= (bits ? kMaskSlots : 128);
  return (all ? "all slots" : counted_noun("slot", slots)) + of_mask;
}

/// Slots that were 1 before look the same at 0 and inverted: are they 1 after the instruction a second time?
bool turn_back(const std::vector<Left>& seen, const Numbers& slots, const Ask& ask) {
  const bool were_one = std::ranges::all_of(seen, [&](const Left& each) {
    return std::ranges::all_of(slots, [&](unsigned slot) { return each.documented[slot] != 0; });
  });
  if (!were_one) return false;
  Program twice = seen[0].program;
  twice.instructions.push_back(seen[0].insn());
  const Answers answers = ask_all(ask, {&twice, 1});
  return answers.why_not.empty() &&
         std::ranges::all_of(slots, [&](unsigned slot) { return answers.states[0].mask[slot] != 0; });
}

std::optional<std::string> law_of(const Subject& subject, const std::vector<Left>& seen, const Ask& ask) {
  const Numbers wrong = wrong_left_slots(seen);
  const auto values = values_for(seen);
  for (const LeftCondition& condition : left_conditions(subject))
    for (const Numbers& slots : {widened(wrong), wrong})
      for (const Value& value : values) {
        if (slots.size() < value.least_slots()) continue;
        if (!explains_left(seen, condition, value, slots)) continue;
        if (value.text == kAtZero && condition.text.empty() && turn_back(seen, slots, ask)) continue;
        std::string text = mnemonic(subject.insn) + " " + value.text + condition.text;
        text.replace(text.find('@'), 1, left_slots_text(subject, value, slots));
        return text;
      }
  return {};
}

}  // namespace

std::string wrong_slots_text(const Mask& actual, const Mask& documented, const std::string& of_mask) {
  Numbers ones, zeros;
  for (unsigned slot = 0; slot < kMaskSlots; ++slot)
    if (actual[slot] != documented[slot]) (actual[slot] != 0 ? ones : zeros).push_back(slot);
  const auto said = [&](const Numbers& slots, const char* value) {
    if (slots.empty()) return std::string();
    return counted_noun("slot", slots) + of_mask + (slots.size() == 1 ? " is " : " are ") + value;
  };
  return said(ones, "1") + (ones.empty() || zeros.empty() ? "" : " and ") + said(zeros, "0");
}

std::optional<std::string> left_in_mask(const Subject& subject, const Ask& ask, const std::string& allowed) {
  std::vector<Left> seen = observe_left(subject, 3, ask);
  if (!wrong_left_slots(seen).empty()) {
    std::ranges::move(observe_left(subject, 1, ask), std::back_inserter(seen));
    std::ranges::move(observe_left(subject, 3, ask, true), std::back_inserter(seen));
    if (auto law = law_of(subject, seen, ask)) {
      if (law->ends_with(" at 1")) *law += " instead of leaving the mask as it was";
      if (law->find(" all slots of the mask at 1 instead") != std::string::npos) *law += allowed;
      return law;
    }
    return mnemonic(subject.insn) + " " + left_example(seen);
  }
  if (!row_of(subject.insn.op).has_repeat) return {};
  const auto none = observe_left(subject, 0, ask);
  if (wrong_left_slots(none).empty()) return {};
  if (auto law = law_of(subject, none, ask)) return *law + " if its repeat times are 0";
  return {};
}

}  // namespace lanecheck
