#include "fuzz/explain/smallest/predicate_axes.h"

#include <algorithm>

#include "spec/text/joined.h"
#include "spec/text/program_text.h"

namespace lanecheck {
namespace {

/// Lanes of which the mask can be set: the slots of the others are always 1.
unsigned settable(unsigned lanes) {
  return std::min(128u, lanes);
}

/// What a mask says of the lanes of a repeat.
MaskWords of_lanes(const MaskWords& words, unsigned lanes) {
  const MaskWords all = contiguous_words(settable(lanes), settable(lanes), FullLength::its_lanes);
  return {words.high & all.high, words.low & all.low};
}

/// The mask words of the finding's own type, as they gate its lanes.
std::optional<MaskWords> words_of_lanes(const Variation& base) {
  if (!base.mask || lanes_of(base.insn()) < kRepeatBlocks) return {};
  const Instruction& holder = base.program.instructions[*base.mask];
  const bool has_words =
      holder.op == Op::set_mask || holder.op == Op::set_vector_mask || holder.mask_from == MaskFrom::bitwise;
  if (!has_words) return {};
  return of_lanes({holder.high, holder.low}, lanes_of(base.insn()));
}

VariedAxis types_axis(const Variation& base, Profile profile) {
  VariedAxis axis{"as ", "element type", {}};
  // A mask without any lane has none in other types either, though they may have more lanes.
  const std::optional<MaskWords> few = words_of_lanes(base);
  const bool is_empty = few == MaskWords{0, 0};
  const bool leaves_some_out = few && !is_empty && *few != of_lanes({kOnes, kOnes}, lanes_of(base.insn()));
  axis.is_type = true;
  for (const TypePair& types : row_of(base.insn().op).in(profile).pairs) {
    Instruction insn = base.insn();
    insn.dst_type = types.dst;
    insn.src_type = types.src;
    const std::string name = mnemonic(insn);
    const bool own = insn == base.insn();
    // Under a mask that leaves lanes out, more lanes are asked with those of the finding's type alone, too.
    const bool has_more = leaves_some_out && lanes_of(insn) > lanes_of(base.insn()) && lanes_of(insn) <= 128;
    axis.values.push_back({name.substr(name.find('.') + 1), has_more ? 2u : 1u,
                           [types, own, is_empty, few](Variation& it, unsigned turn) {
                             if (own) return true;
                             const unsigned lanes = lanes_of(it.insn());
                             if (!set_types(it, types)) return false;
                             if ((is_empty || turn == 1) && lanes_of(it.insn()) > lanes) set_words(it, *few);
                             return true;
                           },
                           own});
  }
  return axis;
}

MaskWords words_of(std::uint64_t low_byte_pattern) {
  const std::uint64_t word = low_byte_pattern * 0x0101010101010101;
  return {word, word};
}

/// A class of masks for the `lanes` of a repeat. `wrong`: the lane of the first wrong element.
struct MaskShape {
  const char* name;
  unsigned turns;
  MaskWords (*words)(unsigned lanes, unsigned turn, unsigned wrong);
};
constexpr unsigned kBlocks = kRepeatBlocks;
const MaskShape kMaskShapes[] = {
    {kFullMaskName, 1,
     [](unsigned, unsigned, unsigned) {
       return MaskWords{kOnes, kOnes};
     }},
    {"one lane off", 3,
     [](unsigned lanes, unsigned turn, unsigned wrong) {
       const unsigned lane[] = {wrong, lanes / 2 + 1, 0};
       return without(lane[turn] % settable(lanes), 1);
     }},
    {"a data block off", 4,
     [](unsigned lanes, unsigned turn, unsigned wrong) {
       const unsigned per = lanes / kBlocks, blocks = settable(lanes) / per;
       const unsigned block[] = {wrong / per, 5, 0, blocks - 1};
       return without(per * (block[turn] % blocks), per);
     }},
    {"every other lane off", 2,
     [](unsigned, unsigned turn, unsigned) { return words_of(turn == 0 ? 0x55 : 0xaa); }},
    {"the lower half off", 1, [](unsigned lanes, unsigned, unsigned) { return without(0, lanes / 2); }},
    {"the upper half off", 1,
     [](unsigned lanes, unsigned, unsigned) { return without(lanes / 2, lanes / 2); }},
};

/// The slots beyond the lanes of a repeat hold the complement of the lanes' own.
MaskWords with_others_inverted(MaskWords words, unsigned lanes) {
  if (lanes >= 128) return words;
  if (lanes == 64) return {~words.low, words.low};
  const std::uint64_t own = (std::uint64_t{1} << lanes) - 1;
  return {~words.high, (words.low & own) | (~(words.low << lanes) & ~own)};
}

/// The upper half of 256 lanes is always on: then the class has no mask.
bool has_masks(const MaskShape& shape, unsigned lanes) {
  return shape.name == std::string_view(kFullMaskName) ||
         of_lanes(shape.words(lanes, 0, 0), lanes) != of_lanes({kOnes, kOnes}, lanes);
}

/// Is the mask of the first `lanes` lanes one of the class?
bool has(const MaskShape& shape, MaskWords mask, unsigned lanes) {
  if (!has_masks(shape, lanes)) return false;
  for (unsigned wrong = 0; wrong < lanes; ++wrong)
    for (unsigned turn = 0; turn < shape.turns; ++turn)
      if (of_lanes(shape.words(lanes, turn, wrong), lanes) == of_lanes(mask, lanes)) return true;
  return false;
}

VariedAxis masks_axis(const Finding& finding, const Variation& base) {
  VariedAxis axis{"with ", "mask", {}, true};
  if (!base.mask || finding.total || lanes_of(base.insn()) < kBlocks) return axis;
  const unsigned lanes = lanes_of(base.insn());
  const auto first = std::ranges::find(finding.lanes, false, &LaneRow::agrees);
  const unsigned wrong = first == finding.lanes.end() ? lanes - 1 : first->lane;
  const bool has_others = lanes < 128 && row_of(base.program.profile).all_slots_legal;
  for (const MaskShape& shape : kMaskShapes)
    axis.values.push_back(
        {shape.name, shape.turns + (has_others ? 1u : 0u), [&shape, wrong](Variation& it, unsigned turn) {
           const unsigned now = lanes_of(it.insn());
           if (!has_masks(shape, now)) return false;
           const bool others = turn == shape.turns;
           const MaskWords words = shape.words(now, others ? 0 : turn, wrong % now);
           set_words(it, others ? with_others_inverted(words, now) : words);
           return true;
         }});
  if (const auto own = words_of_lanes(base))
    for (std::size_t n = 0; n < axis.values.size(); ++n)
      axis.values[n].has_own = has(kMaskShapes[n], *own, lanes);
  return axis;
}

VariedAxis repeats_axis(const Finding& finding, const Variation& base) {
  VariedAxis axis{"with repeat time ", "repeat time", {}};
  axis.is_repeat = true;
  if (!row_of(base.insn().op).has_repeat || finding.total) return axis;
  std::vector<std::uint32_t> times = {1, 2, 3, 8};
  const std::uint32_t own = base.insn().repeat;
  if (std::ranges::find(times, own) == times.end()) times.push_back(own);
  for (const std::uint32_t repeat : times)
    axis.values.push_back({std::to_string(repeat), 1,
                           [repeat](Variation& it, unsigned) {
                             it.insn().repeat = repeat;
                             return true;
                           },
                           repeat == own});
  return axis;
}

/// Operand `k` with another stride in `field`, or with its own one: "2 of src0".
AxisValue value_of_stride(const Variation& base, unsigned k, std::uint32_t Operand::*field,
                          std::uint32_t stride) {
  return {std::to_string(stride) + " of " + std::string(row_of(base.insn().op).operands[k].role), 1,
          [k, field, stride](Variation& it, unsigned) {
            it.insn().operands[k].*field = stride;
            return true;
          },
          base.insn().operands[k].*field == stride};
}

/// The strides 1 and 2, and the finding's own.
VariedAxis strides_axis(const Variation& base) {
  VariedAxis axis{"with block stride ", "block stride", {}};
  const Row& row = row_of(base.insn().op);
  if (row_of(base.program.profile).block_stride_fixed) return axis;
  for (unsigned k = 0; k < row.operands.size(); ++k) {
    if (row.operands[k].walk != Walk::blocks) continue;
    std::vector<std::uint32_t> strides = {1, 2};
    const std::uint32_t own = base.insn().operands[k].block_stride;
    if (own != 1 && own != 2) strides.push_back(own);
    for (const std::uint32_t stride : strides)
      axis.values.push_back(value_of_stride(base, k, &Operand::block_stride, stride));
  }
  return axis;
}

/// Of operands whose repeats do not follow each other without a gap: their own repeat strides, and those of
/// repeats in a row. The smallest program has other ones only if they matter, or by chance.
VariedAxis repeat_strides_axis(const Variation& base) {
  VariedAxis axis{"with repeat stride ", "repeat stride", {}};
  axis.is_said_if_it_matters = true;
  const Instruction& insn = base.insn();
  const Row& row = row_of(insn.op);
  if (!row.has_repeat || insn.repeat < 2) return axis;
  for (unsigned k = 0; k < row.operands.size(); ++k) {
    const Walk walk = row.operands[k].walk;
    if (walk != Walk::blocks && walk != Walk::results && walk != Walk::rows) continue;
    const std::uint32_t own = insn.operands[k].repeat_stride, in_a_row = contiguous_stride(insn, k);
    if (own == in_a_row) continue;
    for (const std::uint32_t stride : {own, in_a_row})
      axis.values.push_back(value_of_stride(base, k, &Operand::repeat_stride, stride));
  }
  return axis;
}

/// GatherMask in its normal mode and in its counter mode, there with the elements of one repeat. Only of what
/// it leaves in the register or as the mode: what it keeps hangs on the data.
VariedAxis counter_axis(const Finding& finding, const Variation& base) {
  VariedAxis axis{"with ", "way to count", {}};
  axis.is_own_mode = axis.is_said_if_it_matters = true;
  const Row& row = row_of(base.insn().op);
  const auto counter = setting_index(row, "counter"), mask = setting_index(row, "mask");
  if (!counter || !mask || !only_mask_differs(finding)) return axis;
  for (const std::uint32_t value : {0U, 1U})
    axis.values.push_back({"counter=" + std::to_string(value), 1,
                           [=](Variation& it, unsigned) {
                             it.insn().settings[*counter] = value;
                             std::uint32_t& elements = it.insn().settings[*mask];
                             if (elements == 0) elements = kRepeatBytes / size_of(it.insn().src_type);
                             return true;
                           },
                           base.insn().settings[*counter] == value});
  return axis;
}

/// Empty if dst shares no allocation with a source.
VariedAxis place_axis(const Variation& base) {
  VariedAxis axis{"with ", "place of dst", {}, false, true};
  Variation apart = base;
  if (!put_dst_apart(apart)) return axis;
  const Row& row = row_of(base.insn().op);
  std::vector<std::string_view> shared;
  for (unsigned k = 1; k < row.operands.size(); ++k)
    if (base.insn().operands[k].allocation == base.insn().operands[0].allocation)
      shared.push_back(row.operands[k].role);
  axis.values.push_back({"dst in the allocation of " + joined(shared, std::identity(), " and "), 1,
                         [](Variation&, unsigned) { return true; }, true});
  axis.values.push_back(
      {"dst in an allocation of its own", 1, [](Variation& it, unsigned) { return put_dst_apart(it); }});
  return axis;
}

}  // namespace

std::vector<const AxisValue*> VariedAxis::that(Says said) const {
  std::vector<const AxisValue*> some;
  for (const AxisValue& each : values)
    if (each.said == said) some.push_back(&each);
  return some;
}

std::vector<VariedAxis> varied_axes(const Finding& finding, const Variation& base) {
  return {types_axis(base, finding.program.profile),
          masks_axis(finding, base),
          repeats_axis(finding, base),
          strides_axis(base),
          repeat_strides_axis(base),
          counter_axis(finding, base),
          place_axis(base)};
}

}  // namespace lanecheck
