#include "fuzz/identify/mask_register/bitwise_bits.h"

#include <algorithm>
#include <array>
#include <bit>

#include "fuzz/identify/mask_register/register_map.h"
#include "fuzz/identify/mask_register/word_numbers.h"
#include "fuzz/identify/probes/digit_code.h"
#include "fuzz/identify/probes/gate_map.h"
#include "fuzz/identify/probes/intervals.h"
#include "spec/program/instruction.h"
#include "spec/text/number.h"
#include "spec/text/program_text.h"

namespace lanecheck {
namespace {

using Numbers = std::vector<unsigned>;

/// Is dst as documented under contiguous masks of each length that begins or ends at one of these lanes?
bool obeys_contiguous(const Subject& given, const Numbers& lanes, const Ask& ask) {
  Subject subject = given;
  subject.given = MaskGiven::contiguous;
  const auto layout = lay_out(subject);
  if (!layout) return false;
  Numbers lengths = {1, lanes_of(subject.insn)};
  for (const unsigned lane : lanes) {
    if (lane > 0) lengths.push_back(lane);
    lengths.push_back(lane + 1);
  }
  std::vector<Program> programs;
  for (const unsigned length : sorted_unique(lengths)) {
    auto program = probe_of_length(subject, *layout, length);
    if (!program) return false;
    fill_region(*program, layout->regions[0], subject.insn.dst_type, old_dst_bits(subject.insn, 0x35));
    for (unsigned k = 1; k < row_of(subject.insn.op).operands.size(); ++k)
      fill_region(*program, layout->regions[k], subject.insn.src_type, plain_bits(subject.insn.src_type, k));
    programs.push_back(std::move(*program));
  }
  const Answers is = ask_all(ask, programs), should = ask_all(ask_oracle(), programs);
  if (!is.why_not.empty() || !should.why_not.empty()) return false;
  for (std::size_t n = 0; n < programs.size(); ++n)
    if (!same_bytes(is.states[n].ub, should.states[n].ub)) return false;
  return true;
}

/// The lanes that are of this kind in all repeats, and gated by a slot by the documents.
Numbers lanes_that_are(GateKind kind, const GateMap& measured, const GateMap& documented) {
  Numbers lanes;
  for (unsigned lane = 0; lane < measured.lanes; ++lane) {
    bool all = measured.repeats > 0;
    for (unsigned repeat = 0; repeat < measured.repeats; ++repeat)
      all =
          all && measured.at(repeat, lane).kind == kind && documented.at(repeat, lane).kind == GateKind::slot;
    if (all) lanes.push_back(lane);
  }
  return lanes;
}

/// "bit 63 of the high word"
std::string bits_of(const Numbers& lanes, const GateMap& documented) {
  Numbers words[2];
  for (const unsigned lane : lanes) {
    const unsigned slot = documented.at(0, lane).slot;
    words[slot / 64].push_back(slot % 64);
  }
  std::string text;
  for (const unsigned word : {0u, 1u}) {
    if (words[word].empty()) continue;
    text += (text.empty() ? "" : " and ") + counted_noun("bit", words[word]) +
            (word == 0 ? " of the low word" : " of the high word");
  }
  return text;
}

std::string sentence(const Subject& subject, const Numbers& lanes, const GateMap& documented, bool lost) {
  const bool one = lanes.size() == 1;
  const std::string are = one ? " is " : " are ";
  return bits_of(lanes, documented) + " of a bitwise mask" + are + "taken as " + (lost ? "0" : "1") + ": " +
         counted_noun("lane", lanes) + " of " + mnemonic(subject.insn) + are +
         (lost ? "not written" : "written whatever the mask is") + "; contiguous masks are obeyed";
}

constexpr MaskWords kLateMasks[] = {kGappedMask, kEarlierMask, {0x00ff00ff0f0f3333, 0x55aa33cc0ff01e87}};

/// The subject three times, one behind the other, under these masks; each time adds its part to dst, or has a
/// scalar of its own. Nothing if it cannot be given a mask.
std::optional<Program> three_times(const Subject& given, const std::array<MaskWords, 3>& masks) {
  Subject subject = given;
  const Row& row = row_of(subject.insn.op);
  const auto layout = lay_out(subject);
  if (!layout) return {};
  std::optional<Program> all;
  for (unsigned n = 0; n < masks.size(); ++n) {
    if (takes_scalar(subject.insn)) subject.insn.scalar.bits = nearest(scalar_type(subject.insn), 2 + n);
    auto program = probe_program(subject, *layout, masks[n]);
    if (!program) return {};
    if (all)
      all->instructions.push_back(program->instructions.back());
    else
      all = std::move(program);
  }
  for (unsigned k = 0; k < row.operands.size(); ++k)
    fill_region(*all, layout->regions[k], operand_type(subject.insn, row.operands[k]),
                nearest(operand_type(subject.insn, row.operands[k]), 3));
  return all;
}

/// Do three of the subject, each under one of `given`, leave what they should under `used`?
bool run_under(const Subject& subject, const std::array<MaskWords, 3>& given,
               const std::array<MaskWords, 3>& used, const Ask& ask) {
  const auto program = three_times(subject, given), other = three_times(subject, used);
  if (!program || !other) return false;
  const Answers is = ask_all(ask, {&*program, 1}), should = ask_all(ask_oracle(), {&*other, 1});
  return is.why_not.empty() && should.why_not.empty() && same_bytes(is.states[0].ub, should.states[0].ub);
}

std::array<MaskWords, 3> late_masks(const Subject& subject) {
  const MaskWords full = full_mask(subject);
  std::array<MaskWords, 3> masks{};
  for (unsigned n = 0; n < masks.size(); ++n)
    masks[n] = {kLateMasks[n].high & full.high, kLateMasks[n].low & full.low};
  return masks;
}

/// Does each instruction run under the mask of the one before it, the first one under a full mask?
bool comes_late(const Subject& subject, const Ask& ask) {
  const auto masks = late_masks(subject);
  return run_under(subject, masks, {full_mask(subject), masks[0], masks[1]}, ask);
}

/// Is the high word not loaded if it is 0? Then that of the instruction before it counts, and a full one for
/// the first instruction.
std::optional<Difference> kept_high_word(const Subject& subject, const Ask& ask) {
  if (lanes_of(subject.insn) <= 64) return {};
  auto given = late_masks(subject), used = given;
  for (unsigned n = 1; n < given.size(); ++n) {
    given[n].high = 0;
    used[n].high = used[0].high;
  }
  const MaskWords first = {0, given[2].low}, of_first = {full_mask(subject).high, given[2].low};
  if (!run_under(subject, given, used, ask) ||
      !run_under(subject, {first, given[0], given[1]}, {of_first, used[0], used[1]}, ask))
    return {};
  return Difference{MapKind::gate,
                    "a bitwise mask whose high word is 0 sets the low word alone: lanes 64..127 of " +
                        mnemonic(subject.insn) +
                        " go by the high word that was there before, all ones if no instruction comes before "
                        "it; contiguous masks are obeyed",
                    {}};
}

/// What becomes of some words of a mask.
struct TakenWords {
  const WhichWords& which;
  const WordLaw& law;

  MaskWords of(const MaskWords& given) const { return which.taken(law, given); }
};

/// Is each lane written exactly if its documented slot is 1 in the words that are taken?
bool predicts(const TakenWords& taken, const GateMap& measured, const GateMap& documented) {
  if (measured.seen.size() != documented.gates.size()) return false;
  for (std::size_t m = 0; m < measured.masks.size(); ++m) {
    const MaskWords words = taken.of(measured.masks[m]);
    for (std::size_t n = 0; n < measured.seen.size(); ++n) {
      const Gate& gate = documented.gates[n];
      if (gate.kind != GateKind::slot || has_slot(words, gate.slot) != (measured.seen[n][m] == 'w'))
        return false;
    }
  }
  return true;
}

/// "the low word of a bitwise mask is limited to 2^63 - 1, for example ..."
Difference difference_of(const Subject& subject, const TakenWords& taken, const GateMap& documented) {
  const auto words_of = [&](const MaskWords& mask) { return taken.which.low ? mask.low : mask.high; };
  const auto ones = [&](const MaskWords& mask) { return std::popcount(mask.low) + std::popcount(mask.high); };
  const MaskWords* example = nullptr;  // the changed mask that has the fewest ones
  for (const MaskWords& mask : documented.masks)
    if (words_of(taken.of(mask)) != words_of(mask) && (!example || ones(mask) < ones(*example)))
      example = &mask;
  std::string text = std::string(taken.which.text) + " of a bitwise mask " + std::string(taken.law.text);
  if (example) {
    const MaskWords is = taken.of(*example);
    Numbers on, off;
    for (unsigned lane = 0; lane < documented.lanes; ++lane) {
      const unsigned slot = documented.at(0, lane).slot;
      if (has_slot(is, slot) != has_slot(*example, slot)) (has_slot(is, slot) ? on : off).push_back(lane);
    }
    const auto lanes = [](const Numbers& wrong, const std::string& rest) {
      return counted_noun("lane", wrong) + (wrong.size() == 1 ? " is " : " are ") + rest;
    };
    text += ", for example " + show_hex(words_of(*example)) + " becomes " + show_hex(words_of(is)) + ":";
    if (!on.empty()) text += " " + lanes(on, "written though masked off");
    if (!on.empty() && !off.empty()) text += ", and";
    if (!off.empty()) text += " " + lanes(off, "not written");
  }
  Difference difference{
      MapKind::gate, text + ", in " + mnemonic(subject.insn) + "; contiguous masks are obeyed", {}};
  difference.key =
      "gate: " + std::string(taken.which.text) + " of a bitwise mask " + std::string(taken.law.text);
  difference.law =
      GateLaw{{}, [which = taken.which, &law = taken.law](unsigned, unsigned lane, const MaskWords& mask) {
                return std::optional(has_slot(which.taken(law, mask), lane));
              }};
  return difference;
}

/// The law of numbers that predicts all lanes under the masks that were measured, and under fresh ones.
std::optional<Difference> by_words(const Subject& subject, const GateMap& measured, const GateMap& documented,
                                   const Ask& ask) {
  std::vector<MaskWords> fresh;
  const MaskWords full = full_mask(subject);
  for (const MaskWords& mask : masks_of_numbers())
    fresh.push_back({mask.high & full.high, mask.low & full.low});
  std::optional<GateMap> again;
  for (const WhichWords& which : {kLowWord, kHighWord, kEachWord})
    for (const WordLaw& law : word_laws()) {
      const TakenWords taken{which, law};
      if (!predicts(taken, measured, documented)) continue;
      if (!again) again = measure_gates(subject, ask, {}, fresh).map;
      if (again && predicts(taken, *again, documented)) return difference_of(subject, taken, documented);
    }
  return {};
}

/// By the law, is a lane on that a contiguous mask leaves out, or off that it takes in?
bool contradicts_contiguous(const GateLaw& law, unsigned lanes) {
  if (!law.on) return false;
  for (unsigned length = 1; length <= lanes; ++length) {
    const MaskWords mask = contiguous_words(length, lanes, FullLength::its_lanes);
    for (unsigned lane = 0; lane < lanes; ++lane)
      if (const auto on = law.on(0, lane, mask); on && *on != (lane < length)) return true;
  }
  return false;
}

bool may_have_both(const Subject& subject) {
  const std::uint8_t forms = mask_forms(row_of(subject.insn.op), subject.profile);
  return has_form(forms, MaskFrom::bitwise) && has_form(forms, MaskFrom::contiguous) &&
         subject.given == MaskGiven::words;
}

}  // namespace

void say_bitwise_bits(const Subject& subject, const GateMap& measured, const GateMap& documented,
                      const Ask& ask, std::vector<Difference>& differences) {
  if (!may_have_both(subject)) return;
  for (Difference& each : differences) {
    const bool lost = each.gates == GateKind::never;
    if (!each.where.empty() || (each.map != MapKind::gate && !lost)) continue;
    const Numbers lanes = lanes_that_are(lost ? GateKind::never : GateKind::always, measured, documented);
    Numbers wrong;
    bool by_bits = true;  // each wrong lane is always in the same state, as if by a bit of its own
    for (unsigned lane = 0; lane < measured.lanes; ++lane)
      if (const Gate& gate = measured.at(0, lane); gate != documented.at(0, lane)) {
        wrong.push_back(lane);
        by_bits = by_bits && (gate.kind == GateKind::never || gate.kind == GateKind::always);
      }
    const bool has_register = has_register_probes(subject);  // it may take its bits by the same code
    if (has_register && !(each.law && contradicts_contiguous(*each.law, measured.lanes))) continue;
    if (!obeys_contiguous(subject, wrong, ask)) return;
    if (has_register) {
      each.what += kOfBits;
      continue;
    }
    if (comes_late(subject, ask)) {
      differences = {{MapKind::gate,
                      mnemonic(subject.insn) +
                          " takes the bitwise mask of the instruction before it in place of its own, and all "
                          "lanes if no instruction comes before it; contiguous masks are obeyed",
                      {}}};
      return;
    }
    if (auto kept = kept_high_word(subject, ask)) {
      differences = {*std::move(kept)};
      return;
    }
    if (lost) each.matter = Matter::mask;  // with a contiguous mask the same lanes are written
    if (!by_bits)
      if (auto law = by_words(subject, measured, documented, ask)) {
        differences = {*std::move(law)};
        return;
      }
    if (by_bits && (lost || each.gates == GateKind::always) && !lanes.empty() && each.lanes == lanes) {
      each.what = sentence(subject, lanes, documented, lost);
      each.key = "gate: " + bits_of(lanes, documented) + (lost ? " are taken as 0" : " are taken as 1");
    } else
      each.what += ", under a bitwise mask; contiguous masks are obeyed";
  }
}

std::optional<Difference> nothing_under_bitwise_mask(const Subject& subject, const Ask& ask) {
  if (!may_have_both(subject) || !obeys_contiguous(subject, {lanes_of(subject.insn) / 2}, ask)) return {};
  Difference difference{
      MapKind::gate,
      mnemonic(subject.insn) + " writes nothing under a bitwise mask; contiguous masks are obeyed",
      {}};
  difference.of_all_shapes = true;
  return difference;
}

}  // namespace lanecheck
