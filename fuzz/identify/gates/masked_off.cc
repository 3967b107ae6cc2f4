#include "fuzz/identify/gates/masked_off.h"

#include <algorithm>
#include <functional>
#include <random>

#include "fuzz/identify/gates/received_value.h"
#include "fuzz/identify/probes/gate_map.h"
#include "fuzz/identify/probes/move_map.h"
#include "fuzz/identify/probes/place_map.h"
#include "fuzz/identify/probes/shapes.h"
#include "spec/mask/footprint.h"
#include "spec/text/number.h"
#include "spec/text/program_text.h"

namespace lanecheck {
namespace {

/// What the documents leave for `unmasked` if all elements of operand 1, 2, ... are 0.
std::vector<State> states_of_zero(const Subject& subject, const Layout& layout, const Program& unmasked) {
  const Row& row = row_of(subject.insn.op);
  std::vector<Program> programs(row.operands.size() - 1, unmasked);
  for (unsigned k = 1; k < row.operands.size(); ++k)
    fill_region(programs[k - 1], layout.regions[k], operand_type(subject.insn, row.operands[k]), 0);
  return ask_all(ask_oracle(), programs).states;
}

/// What the documents leave for `unmasked` if each lane's old dst stands in its source.
State state_of_old(const Subject& subject, const Layout& layout, Program unmasked) {
  if (!has_one_source(subject)) return {};
  const Element type = subject.insn.dst_type;
  const auto at = [&](unsigned operand, unsigned repeat, unsigned lane) {
    return static_cast<std::uint32_t>(element_at(subject.insn, operand, repeat, lane)) +
           layout.regions[operand].margin / size_of(type);
  };
  for (unsigned repeat = 0; repeat < repeats_of(subject.insn); ++repeat)
    for (unsigned lane = 0; lane < lanes_of(subject.insn); ++lane)
      put_element(unmasked, layout.regions[1], type, at(1, repeat, lane),
                  get_element(unmasked.ub, layout.regions[0], type, at(0, repeat, lane)));
  return ask_all(ask_oracle(), {&unmasked, 1}).states.at(0);
}

/// The scalar is among the numbers that are drawn, so that a maximum is not always the element.
void set_middle_scalar(Instruction& insn) {
  constexpr double kMiddle = 25;
  if (insn.op == Op::vmaxs || insn.op == Op::vmins) insn.scalar = scalar_of(scalar_type(insn), kMiddle);
}

/// Programs under masks with gaps, and one of a few lanes: `count` of four. Empty if the backend does not
/// answer.
std::vector<Drawn> draw(const Subject& subject, const Layout& layout, const Ask& ask, unsigned count) {
  const MaskWords full = full_mask(subject);
  const MaskWords complement{~kGappedMask.high, ~kGappedMask.low};
  std::mt19937_64 random(7);
  std::vector<Program> programs, unmasked;
  std::vector<MaskWords> masks;
  const bool has_negative = is_float(subject.insn.src_type) || is_signed(subject.insn.src_type);
  const std::array kWords = {kGappedMask, complement, kGappedMask, MaskWords{0, 0x25}};
  for (const MaskWords& words : std::span(kWords).first(count)) {
    const bool both_signs = has_negative && !programs.empty();
    masks.push_back({words.high & full.high, words.low & full.low});
    // Where the mask also decides what is read, active lanes hold what they hold under the same mask.
    const MaskWords& others = row_of(subject.insn.op).whole_blocks ? masks.back() : full;
    auto program = probe_program(subject, layout, masks.back()),
         other = probe_program(subject, layout, others);
    if (!program || !other) return {};
    for (Program* each : {&*program, &*other}) set_middle_scalar(each->instructions.back());
    const Row& row = row_of(subject.insn.op);
    for (unsigned k = 0; k < row.operands.size(); ++k) {
      const Element type = operand_type(subject.insn, row.operands[k]);
      for (std::uint32_t at = 0; at < layout.regions[k].bytes / size_of(type); ++at) {
        const auto number = static_cast<double>((k == 0 ? 60 : 1) + random() % 50);
        const bool negative = (k == 0 ? has_negative : both_signs) && random() % 2 == 0;
        put_element(*program, layout.regions[k], type, at, nearest(type, negative ? -number : number));
      }
    }
    other->ub = program->ub;
    programs.push_back(std::move(*program));
    unmasked.push_back(std::move(*other));
  }
  Answers is = ask_all(ask, programs), results = ask_all(ask_oracle(), unmasked);
  if (!is.why_not.empty() || !results.why_not.empty()) return {};
  std::vector<Drawn> all;
  for (std::size_t n = 0; n < programs.size(); ++n)
    all.push_back({subject, layout, masks[n], std::move(programs[n]), std::move(is.states[n]),
                   std::move(results.states[n]), states_of_zero(subject, layout, unmasked[n]),
                   state_of_old(subject, layout, unmasked[n])});
  return all;
}

/// Nothing for other instructions than those whose places are known.
std::vector<Drawn> drawn_for(const Subject& subject, const Ask& ask, unsigned count = 4) {
  const auto layout = lay_out(subject);
  const Row& row = row_of(subject.insn.op);
  const bool has_places = has_place_probes(row) || selects_by_operand(row) || row.whole_blocks;
  if (!layout || shares_places(subject.insn) || !has_places || !obeys_mask(subject.profile, subject.insn.op))
    return {};
  return draw(subject, *layout, ask, count);
}

/// Does this candidate predict every masked-off lane of `repeats`, and the documents every other lane? The
/// payload of a NaN is open, and so are the last bits of results that need not be exact.
bool predicts(const Received& candidate, const RepeatLaw& repeats, const std::vector<Drawn>& drawn,
              const OffLanes& off = off_lanes()[0]) {
  return std::ranges::all_of(drawn, [&](const Drawn& each) {
    const Instruction& insn = each.subject.insn;
    for (unsigned repeat = 0; repeat < repeats_of(insn); ++repeat)
      for (unsigned lane = 0; lane < lanes_of(insn); ++lane) {
        const bool on = is_on(each, lane);
        if (on && row_of(insn.op).tolerance != Tolerance::exact) continue;
        const bool receives = repeats.holds(repeat, repeats_of(insn)) && off.has(each, lane);
        const std::uint64_t expected = on         ? each.get(each.result.ub, 0, repeat, lane)
                                       : receives ? candidate.of(each, repeat, lane)
                                                  : each.get(each.program.ub, 0, repeat, lane);
        if (on && is_nan(insn.dst_type, expected)) continue;
        if (each.get(each.actual.ub, 0, repeat, lane) != expected) return false;
      }
    return true;
  });
}

/// Do all masked-off lanes keep their old dst?
bool is_right(const std::vector<Drawn>& drawn) {
  return std::ranges::all_of(drawn, [&](const Drawn& each) {
    for (unsigned repeat = 0; repeat < repeats_of(each.subject.insn); ++repeat)
      for (unsigned lane = 0; lane < lanes_of(each.subject.insn); ++lane)
        if (!is_on(each, lane) &&
            each.get(each.actual.ub, 0, repeat, lane) != each.get(each.program.ub, 0, repeat, lane))
          return false;
    return true;
  });
}

/// Then masked-off lanes are written like the others.
bool is_result(const Received& candidate, const std::vector<Drawn>& drawn) {
  return std::ranges::all_of(drawn, [&](const Drawn& each) {
    for (unsigned repeat = 0; repeat < repeats_of(each.subject.insn); ++repeat)
      for (unsigned lane = 0; lane < lanes_of(each.subject.insn); ++lane)
        if (candidate.of(each, repeat, lane) != each.get(each.result.ub, 0, repeat, lane)) return false;
    return true;
  });
}

/// Then 0 is what is received.
bool is_always_zero(const Received& candidate, const std::vector<Drawn>& drawn) {
  return std::ranges::all_of(drawn, [&](const Drawn& each) {
    for (unsigned repeat = 0; repeat < repeats_of(each.subject.insn); ++repeat)
      for (unsigned lane = 0; lane < lanes_of(each.subject.insn); ++lane)
        if (candidate.of(each, repeat, lane) != 0) return false;
    return true;
  });
}

/// "their element of src0": what every masked-off lane receives. Nothing if no candidate says it.
std::optional<std::string> received(const Subject& subject, const RepeatLaw& repeats,
                                    const std::vector<Drawn>& drawn) {
  if (drawn.empty()) return {};
  for (const Received& each : received_candidates(subject))
    if (predicts(each, repeats, drawn)) {
      if (is_result(each, drawn)) return {};
      return is_always_zero(each, drawn) ? "0" : each.text;
    }
  return {};
}

/// The bits of an element of `size` bytes of which part `n` is written if slot `parts` * lane + n is 1.
std::uint64_t written_in_parts(const Drawn& each, unsigned parts, unsigned repeat, unsigned lane) {
  const unsigned bits = 8 * size_of(each.subject.insn.dst_type) / parts;
  std::uint64_t taken = 0;
  for (unsigned n = 0; n < parts; ++n) {
    const unsigned slot = parts * lane + n;
    if (slot >= kMaskSlots / 2 || has_slot(each.mask, slot))
      taken |= (~std::uint64_t{0} >> (64 - bits)) << n * bits;
  }
  return (each.get(each.result.ub, 0, repeat, lane) & taken) |
         (each.get(each.program.ub, 0, repeat, lane) & ~taken);
}

/// Into how many parts the backend cuts each element, if each part has a slot of its own. Nothing if it cuts
/// none, or if no result differs from the old dst.
std::optional<unsigned> gated_in_parts(const Subject& subject, const std::vector<Drawn>& drawn) {
  const Instruction& insn = subject.insn;
  if (drawn.empty() || row_of(insn.op).tolerance != Tolerance::exact) return {};
  for (unsigned parts = 2; parts <= size_of(insn.dst_type); parts *= 2) {
    bool any_new = false;
    const bool gives = std::ranges::all_of(drawn, [&](const Drawn& each) {
      for (unsigned repeat = 0; repeat < repeats_of(insn); ++repeat)
        for (unsigned lane = 0; lane < lanes_of(insn); ++lane) {
          const std::uint64_t is = each.get(each.actual.ub, 0, repeat, lane);
          if (is != written_in_parts(each, parts, repeat, lane)) return false;
          any_new |= each.get(each.program.ub, 0, repeat, lane) != each.get(each.result.ub, 0, repeat, lane);
        }
      return true;
    });
    if (gives && any_new) return parts;
  }
  return {};
}

/// Then the value that was seen is that of all masked-off lanes of these repeats, whatever dst holds.
bool are_all(std::uint64_t value, const RepeatLaw& repeats, const std::vector<Drawn>& drawn) {
  return !drawn.empty() &&
         predicts({"", [value](const Drawn&, unsigned, unsigned) { return value; }}, repeats, drawn);
}

}  // namespace

void say_received(const Subject& subject, const std::string& value, Difference& difference) {
  difference.what = "masked-off lanes of " + mnemonic(subject.insn) + " receive " + value +
                    " instead of keeping their old dst";
  difference.masked_off = value;
}

namespace {

/// "part k of lane l is gated by slot 2 * l + k"
Difference of_parts(const Subject& subject, unsigned parts) {
  const std::string number = std::to_string(parts);
  const std::string text = "each element is cut into " + number +
                           " parts with a slot of its own for each: part k of lane l is gated by slot " +
                           number + " * l + k";
  Difference difference{MapKind::gate, mnemonic(subject.insn) + " gates parts of elements: " + text, {}};
  difference.key = "gate: " + text;
  return difference;
}

/// "masked-off lanes of add.f16 behind the last active lane receive 0 instead of keeping their old dst"
bool say_which_receive_zero(const Subject& subject, const std::vector<Drawn>& drawn, Difference& difference) {
  const Received zero{"0", [](const Drawn&, unsigned, unsigned) { return std::uint64_t{0}; }};
  for (const OffLanes& off : off_lanes()) {
    if (drawn.empty() || !predicts(zero, difference.received_in, drawn, off)) continue;
    say_received(subject, zero.text, difference);
    const std::string name = mnemonic(subject.insn);
    difference.what.insert(difference.what.find(name) + name.size(), off.text);
    if (!off.text.empty()) {
      difference.key = "gate: masked-off lanes" + std::string(off.text) + " receive 0";
      difference.of_all_shapes = true;
    }
    difference.law.reset();
    difference.gates.reset();
    return true;
  }
  return false;
}

/// No law was found: one lane that does not keep its old dst.
void say_example(const Subject& subject, const std::vector<Drawn>& drawn, Difference& difference) {
  const Element type = subject.insn.dst_type;
  for (const Drawn& each : drawn)
    for (unsigned repeat = 0; repeat < repeats_of(subject.insn); ++repeat)
      for (unsigned lane = 0; lane < lanes_of(subject.insn); ++lane) {
        const auto is = each.get(each.actual.ub, 0, repeat, lane),
                   old = each.get(each.program.ub, 0, repeat, lane);
        if (is_on(each, lane) || is == old) continue;
        difference.what = "some masked-off lanes of " + mnemonic(subject.insn) +
                          " do not keep their old dst, for example lane " + std::to_string(lane) +
                          " of repeat " + std::to_string(repeat) + " becomes " + show_element(type, is) +
                          " instead of keeping " + show_element(type, old);
        difference.general = "some masked-off lanes do not keep their old dst";
        difference.only_example = true;
        difference.law.reset();
        return;
      }
}

void say_received_value(const Subject& subject, const Ask& ask, const std::vector<Drawn>& drawn,
                        Difference& difference) {
  constexpr double kOther = 5;  // measure_gates() has 3
  if (const auto text = received(subject, difference.received_in, drawn)) {
    say_received(subject, *text, difference);
    difference.law.reset();
    difference.gates.reset();
    return;
  }
  if (!difference.masked_off) return;
  const auto other = masked_off_value(subject, ask, kOther);
  const Instruction& insn = subject.insn;
  const auto value = [&](std::optional<std::uint64_t> bits) {
    return bits ? show_element(insn.dst_type, *bits) : std::string("their old dst");
  };
  if (difference.masked_off == value(other) && (!other || are_all(*other, difference.received_in, drawn)))
    return;
  if (say_which_receive_zero(subject, drawn, difference)) return;
  if (difference.masked_off == value(other)) return say_example(subject, drawn, difference);
  const bool copies = insn.src_type == insn.dst_type && other == nearest(insn.dst_type, kOther);
  say_received(subject, copies ? "the element of a source" : "a value that depends on the sources",
               difference);
}

}  // namespace

std::optional<Difference> received_difference(const Subject& subject, const Ask& ask) {
  const unsigned few = row_of(subject.insn.op).whole_blocks ? 4 : 1;  // whole data blocks may have to be off
  if (is_right(drawn_for(subject, ask, few))) return {};
  const auto drawn = drawn_for(subject, ask);
  Difference difference{MapKind::gate, "", {}};
  if (const auto text = received(subject, {}, drawn))
    say_received(subject, *text, difference);
  else if (!say_which_receive_zero(subject, drawn, difference))
    return {};
  return difference;
}

void say_masked_off(const Subject& subject, const Ask& ask, std::vector<Difference>& differences) {
  const auto may_receive = [](const Difference& each) {
    const bool ignores_mask = each.gates == GateKind::always && each.lanes.empty();
    return each.masked_off || ignores_mask;
  };
  if (std::ranges::none_of(differences, may_receive)) return;
  const std::vector<Drawn> drawn = drawn_for(subject, ask);
  const auto receives = [](const Difference& each) { return each.masked_off.has_value(); };
  if (std::ranges::any_of(differences, receives) && !drawn.empty() && is_right(drawn)) {
    std::erase_if(differences, [](const Difference& each) { return each.map == MapKind::gate; });
    return;  // active lanes hold the other value, and seem to be kept
  }
  if (const auto parts = gated_in_parts(subject, drawn)) {
    differences = {of_parts(subject, *parts)};
    return;
  }
  for (Difference& each : differences)
    if (may_receive(each)) say_received_value(subject, ask, drawn, each);
}

}  // namespace lanecheck
