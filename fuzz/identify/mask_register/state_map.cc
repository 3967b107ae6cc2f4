#include "fuzz/identify/mask_register/state_map.h"

#include <algorithm>

#include "fuzz/identify/gates/gate_differences.h"
#include "fuzz/identify/mask_register/reset_law.h"
#include "fuzz/identify/probes/digit_code.h"
#include "fuzz/identify/probes/gate_map.h"
#include "fuzz/identify/probes/intervals.h"
#include "fuzz/identify/probes/place_map.h"
#include "spec/text/number.h"

namespace lanecheck {
namespace {

using Numbers = std::vector<unsigned>;

Instruction set_mask_to(MaskWords words) {
  return mask_setter(Op::set_mask, words);
}

/// The lanes of repeat 0 that keep their old dst after `before` and the subject, which sets no mask itself.
/// `is_between`: the subject is run behind the first of `before`, too.
Measured<Numbers> lanes_off(const Subject& subject, const std::vector<Instruction>& before, const Ask& ask,
                            bool is_between = false) {
  const auto layout = lay_out(subject);
  if (!layout) return {{}, "the operands do not fit into UB with room around them"};
  auto program = probe_program(subject, *layout, full_mask(subject));
  if (!program) return {{}, "its profile cannot give it a full mask"};
  const Instruction insn = program->instructions.back();
  const std::uint64_t old = old_dst_bits(insn, 0x35);
  program->instructions = before;
  if (is_between) program->instructions.insert(program->instructions.begin() + 1, insn);
  program->instructions.push_back(insn);
  fill_region(*program, layout->regions[0], insn.dst_type, old);
  for (unsigned k = 1; k < row_of(insn.op).operands.size(); ++k)
    fill_region(*program, layout->regions[k], insn.src_type, plain_bits(insn.src_type, k));
  const Answers answers = ask_all(ask, {&*program, 1});
  if (!answers.why_not.empty()) return {{}, answers.why_not};
  Numbers off;
  for (unsigned lane = 0; lane < lanes_of(insn); ++lane) {
    const Region& dst = layout->regions[0];
    const auto n = static_cast<std::uint32_t>(element_at(insn, 0, 0, lane));
    const std::uint64_t bits =
        get_element(answers.states[0].ub, dst, insn.dst_type, dst.margin / size_of(insn.dst_type) + n);
    if (bits == old) off.push_back(lane);
  }
  return {off, {}};
}

/// A second set_mask after one to kEarlierMask, which repeats one of its words.
struct SameWord {
  std::string_view word;
  MaskWords second;
};

constexpr SameWord kSameWords[] = {
    {"low", {~kEarlierMask.high, kEarlierMask.low}},
    {"low", {0, kEarlierMask.low}},
    {"high", {kEarlierMask.high, ~kEarlierMask.low}},
    {"high", {kEarlierMask.high, 0}},
};

std::vector<Measured<Numbers>> lanes_off_after_same_word(const Subject& subject, const Ask& ask) {
  std::vector<Measured<Numbers>> all;
  for (const SameWord& each : kSameWords)
    all.push_back(lanes_off(subject, {set_mask_to(kEarlierMask), set_mask_to(each.second)}, ask));
  return all;
}

/// Does the backend do what the documents say after these instructions?
bool is_right_after(const std::vector<Instruction>& before, const Subject& subject, const Ask& ask,
                    bool is_between = false) {
  return lanes_off(subject, before, ask, is_between).map ==
         lanes_off(subject, before, ask_oracle(), is_between).map;
}

/// Does a set_mask count if an instruction uses the one before it?
bool counts_behind_a_use(const Subject& subject, const Ask& ask) {
  return is_right_after({set_mask_to(kEarlierMask), set_mask_to({~kEarlierMask.high, ~kEarlierMask.low})},
                        subject, ask, true);
}

/// Does the earlier mask stand there although another set_mask came in between? `off`: the lanes that it
/// leaves off.
bool is_kept_behind_another(const SameWord& second, const Numbers& off, const Subject& subject,
                            const Ask& ask) {
  constexpr MaskWords kBetween = {0x5a3c69f00f96c3a5, 0xc35a0ff0963ca569};
  return lanes_off(subject, {set_mask_to(kEarlierMask), set_mask_to(kBetween), set_mask_to(second.second)},
                   ask)
             .map == off;
}

/// "a set_mask whose low word is that of the set_mask before has no effect"
std::optional<Difference> compared_with_earlier(const Subject& subject,
                                                const std::vector<Measured<Numbers>>& measured,
                                                const std::vector<Measured<Numbers>>& documented,
                                                const GateMap& fresh, const Ask& ask) {
  Numbers earlier;
  for (unsigned lane = 0; lane < fresh.lanes; ++lane)
    if (const Gate& gate = fresh.at(0, lane);
        gate.kind == GateKind::slot && !has_slot(kEarlierMask, gate.slot))
      earlier.push_back(lane);
  std::vector<std::size_t> wrong;
  for (std::size_t n = 0; n < measured.size(); ++n)
    if (measured[n].map && documented[n].map && *measured[n].map != *documented[n].map) wrong.push_back(n);
  if (wrong.empty()) return {};
  const auto has = [&](std::string_view word) {
    return std::ranges::any_of(wrong, [&](std::size_t n) { return kSameWords[n].word == word; });
  };
  const std::string word =
      has("low") && has("high") ? "low or high" : std::string(kSameWords[wrong.front()].word);
  const std::string whose = "a set_mask whose " + word + " word is that of ",
                    start = whose + "the set_mask before ";
  const auto is_earlier = [&](std::size_t n) { return *measured[n].map == earlier; };
  const auto must_be_wrong = [&](const SameWord& each) { return has(each.word); };
  if (std::ranges::all_of(wrong, is_earlier) &&
      std::ranges::count_if(kSameWords, must_be_wrong) == std::ssize(wrong)) {
    const std::vector<Instruction> reset_between = {set_mask_to(kEarlierMask),
                                                    Instruction{.op = Op::reset_mask},
                                                    set_mask_to(kSameWords[wrong.front()].second)};
    const bool of_any = is_kept_behind_another(kSameWords[wrong.front()], earlier, subject, ask);
    return Difference{
        MapKind::state,
        of_any
            ? whose + "an earlier set_mask, be it the one before or not, sets the mask of that one"
            : start + "has no effect" +
                  (is_right_after(reset_between, subject, ask) ? ", unless a reset_mask stands between them"
                                                               : ""),
        {}};
  }
  const bool by_earlier = std::ranges::any_of(wrong, [&](std::size_t n) {
    return is_right_after({set_mask_to(kSameWords[n].second)}, subject, ask);
  });
  if (!by_earlier) return {};  // it is wrong without the earlier set_mask, too
  return Difference{MapKind::state, start + "does not always take effect as documented", {}, true};
}

/// What an earlier mask can do to the gate of a lane whose slot was 1 in it, or 0. A gate that is not named
/// stays as it is without the earlier mask.
struct Merge {
  std::string_view text;  ///< behind kSetMask
  std::optional<GateKind> if_on, if_off;
};

constexpr std::string_view kSetMask = "a set_mask ";

constexpr Merge kMerges[] = {
    {"after another one only switches slots on (the old and the new mask are combined by or)",
     GateKind::always,
     {}},
    {"after another one only switches slots off (the old and the new mask are combined by and)",
     {},
     GateKind::never},
    {"after another one flips slots (the old and the new mask are combined by xor)", GateKind::inverted, {}},
    {"after another one has no effect", GateKind::always, GateKind::never},
};

/// Does this merge explain the gates of `lanes`?
bool explains_state(const Merge& merge, const Numbers& lanes, const GateMap& after, const GateMap& fresh) {
  return std::ranges::all_of(lanes, [&](unsigned lane) {
    const Gate& own = fresh.at(0, lane);
    const auto kind = has_slot(kEarlierMask, own.slot) ? merge.if_on : merge.if_off;
    const Gate& gate = after.at(0, lane);
    return kind ? gate.kind == *kind : gate == own;
  });
}

/// The same for the lanes that are gated by one word of the mask, if no other lane is changed.
std::optional<std::string> merged_in_a_word(const Numbers& gated, const Numbers& changed,
                                            const GateMap& after, const GateMap& fresh) {
  for (const unsigned word : {0u, 1u}) {
    const auto is_in_word = [&](unsigned lane) { return fresh.at(0, lane).slot / 64 == word; };
    if (!std::ranges::all_of(changed, is_in_word)) continue;
    Numbers lanes;
    std::ranges::copy_if(gated, std::back_inserter(lanes), is_in_word);
    for (const Merge& merge : kMerges)
      if (explains_state(merge, lanes, after, fresh))
        return std::string(merge.text) + (word == 0 ? ", in the low word alone" : ", in the high word alone");
  }
  return {};
}

std::vector<Difference> merged(const Subject& subject, const GateMap& after, const GateMap& fresh,
                               const Ask& ask) {
  Numbers gated, changed;
  for (unsigned lane = 0; lane < after.lanes; ++lane) {
    if (fresh.at(0, lane).kind == GateKind::slot) gated.push_back(lane);
    if (after.at(0, lane) != fresh.at(0, lane)) changed.push_back(lane);
  }
  if (changed.empty()) return {};
  const auto whole = std::ranges::find_if(
      kMerges, [&](const Merge& merge) { return explains_state(merge, gated, after, fresh); });
  const auto text = whole == std::end(kMerges) ? merged_in_a_word(gated, changed, after, fresh)
                                               : std::optional(std::string(whole->text));
  if (text) {
    const std::string directly = counts_behind_a_use(subject, ask) ? "directly " : "";
    return {{MapKind::state, std::string(kSetMask) + directly + *text, {}}};
  }
  auto differences = gate_differences(subject, after, fresh, std::vector<bool>(after.gates.size()));
  for (Difference& difference : differences) {
    difference.map = MapKind::state;
    difference.what += ", if another set_mask came before";
  }
  return differences;
}

}  // namespace

bool has_state_probes(const Subject& subject) {
  return row_of(Op::set_mask).in(subject.profile).offered && has_place_probes(row_of(subject.insn.op));
}

StateMaps measure_state(const Subject& subject, const Ask& ask) {
  if (subject.meets_first_mask) return {{}, lanes_off(subject, {}, ask), {}, {}};
  const std::vector<Instruction> earlier = {set_mask_to(kEarlierMask)};
  Instruction reset;
  reset.op = Op::reset_mask;
  StateMaps maps{measure_gates(subject, ask, earlier),
                 lanes_off(subject, {}, ask),
                 lanes_off(subject, {set_mask_to({0, 0}), reset}, ask),
                 {}};
  const auto is_wrong = [](const Measured<Numbers>& off) { return off.map && !off.map->empty(); };
  if (!is_wrong(maps.off_at_start) && !is_wrong(maps.off_after_reset))
    maps.off_after_same_word = lanes_off_after_same_word(subject, ask);
  return maps;
}

std::vector<Difference> state_differences(const Subject& subject, const StateMaps& measured,
                                          const StateMaps& documented, const GateMap& fresh, const Ask& ask) {
  std::vector<Difference> differences;
  if (measured.after_set.map) differences = merged(subject, *measured.after_set.map, fresh, ask);
  if (differences.empty())
    if (auto compared = compared_with_earlier(subject, measured.off_after_same_word,
                                              documented.off_after_same_word, fresh, ask))
      differences.push_back(std::move(*compared));
  const auto off = [&](const Measured<Numbers>& lanes, const Measured<Numbers>& expected,
                       const std::string& when) {
    if (!lanes.map || !expected.map || *lanes.map == *expected.map || lanes.map->empty()) return;
    const std::string verb = lanes.map->size() == 1 ? " is" : " are";
    differences.push_back(
        {MapKind::state, counted_noun("lane", *lanes.map) + verb + " masked off " + when, {}});
  };
  off(measured.off_at_start, documented.off_at_start, "at the start of a program");
  const bool is_reset =
      measured.off_after_reset.map == documented.off_after_reset.map || !measured.off_after_reset.map;
  if (auto law = is_reset ? std::nullopt : reset_law(subject.profile, ask))
    differences.push_back(*std::move(law));
  else
    off(measured.off_after_reset, documented.off_after_reset, "after set_mask 0, 0 and reset_mask");
  return differences;
}

}  // namespace lanecheck
