#include "fuzz/identify/gather_mask/gather_mask_laws.h"

#include <algorithm>
#include <numeric>

#include "fuzz/identify/gather_mask/gather_mask_lengths.h"
#include "spec/mask/footprint.h"
#include "spec/program/profile.h"

namespace lanecheck {
namespace {

/// `most_bits`: more of them are in no call that is measured.
void add_strides(std::vector<GatherLaw>& laws, unsigned k, std::uint32_t Operand::*field,
                 const std::string& name, unsigned most_bits) {
  const MapKind map = k == 1 ? MapKind::src0 : MapKind::src1;
  const auto add = [&](const std::string& text, auto taken) {
    laws.push_back({map, text, [k, field, taken](Instruction& insn) {
                      insn.operands[k].*field = taken(insn.operands[k].*field);
                    }});
  };
  for (const std::uint32_t stride : {1u, 8u, 0u, 2u, 4u, 16u}) {
    if (k == 2 && stride == 0) continue;  // a law of add_pattern_places
    add("walks with " + name + " " + std::to_string(stride) + ", whatever is given",
        [stride](std::uint32_t) { return stride; });
  }
  for (const std::uint32_t instead : {8u, 1u, 2u, 4u, 16u}) {
    if (k != 1) break;  // no call gives 0 for src1
    add("takes a " + name + " of 0 as " + std::to_string(instead),
        [instead](std::uint32_t stride) { return stride == 0 ? instead : stride; });
  }
  add("walks with a " + name + " that is one more than what is given",
      [](std::uint32_t stride) { return stride + 1; });
  add("walks with a " + name + " that is one less than what is given",
      [](std::uint32_t stride) { return stride - std::min(stride, 1u); });
  add("walks with a " + name + " that is twice what is given",
      [](std::uint32_t stride) { return 2 * stride; });
  add("walks with a " + name + " that is half of what is given",
      [](std::uint32_t stride) { return stride / 2; });
  for (unsigned bits = 1; bits <= most_bits; ++bits)
    add("uses only the lowest " + std::to_string(bits) + (bits == 1 ? " bit" : " bits") + " of its " + name,
        [bits](std::uint32_t stride) { return stride & ((1u << bits) - 1); });
}

/// What the next repeat must take: where it lies in src0, and which bit of the user pattern decides.
std::uint64_t source_of_next_repeat(const Instruction& insn, const GatherElement& e) {
  return lane_offset(insn, 1, e.repeat + 1, e.element);
}
std::uint64_t bit_of_next_repeat(const Instruction& insn, const GatherElement& e) {
  return 8 * (e.repeat + 1) * repeat_step(insn, 2) + e.element;
}

/// Strides of src0 that are not numbers of their own field.
void add_walks(std::vector<GatherLaw>& laws) {
  laws.push_back(
      {MapKind::src0, "walks with its block stride and its repeat stride exchanged",
       [](Instruction& i) { std::swap(i.operands[1].block_stride, i.operands[1].repeat_stride); }});
  laws.back().matter = GatherMatter::strides;
  laws.push_back({MapKind::src0,
                  "walks with twice the block stride and twice the repeat stride that are given",
                  [](Instruction& i) {
                    i.operands[1].block_stride *= 2;
                    i.operands[1].repeat_stride *= 2;
                  }});
  laws.back().matter = GatherMatter::strides;
  laws.push_back(
      {.map = MapKind::src0, .text = "starts one repeat stride later", .source = source_of_next_repeat});
  laws.push_back({.map = MapKind::src0,
                  .text = "walks on from repeat to repeat without a gap, whatever repeat stride is given",
                  .source = [](const Instruction& i, const GatherElement& e) {
                    return e.before * size_of(i.src_type) + lane_offset(i, 1, 0, e.element);
                  }});
  laws.push_back(
      {.map = MapKind::src0,
       .text = "walks on by its block stride from repeat to repeat, whatever repeat stride is given",
       .source = [](const Instruction& i, const GatherElement& e) {
         return lane_offset(i, 1, 0, static_cast<unsigned>(e.before) + e.element);
       }});
  laws.push_back({.map = MapKind::src0,
                  .text = "walks on by its repeat stride after each 256 bytes, within a repeat too",
                  .source = [](const Instruction& i, const GatherElement& e) {
                    const unsigned whole = whole_repeat(i);
                    return lane_offset(i, 1, e.repeat + e.element / whole, e.element % whole);
                  }});
  laws.push_back({.map = MapKind::src0,
                  .text = "takes a block stride of 1 in a repeat that is not full",
                  .source = [](const Instruction& i, const GatherElement& e) {
                    if (e.looked_at == whole_repeat(i)) return lane_offset(i, 1, e.repeat, e.element);
                    return e.repeat * repeat_step(i, 1) + std::uint64_t{e.element} * size_of(i.src_type);
                  }});
  laws.back().matter = GatherMatter::block_stride;
  laws.push_back({.map = MapKind::src0,
                  .text = "takes its block stride for the distance between elements, in elements",
                  .source = [](const Instruction& i, const GatherElement& e) {
                    return e.repeat * repeat_step(i, 1) +
                           std::uint64_t{e.element} * i.operands[1].block_stride * size_of(i.src_type);
                  }});
  laws.back().matter = GatherMatter::block_stride;
  laws.push_back({.map = MapKind::src0,
                  .text = "walks with a repeat stride that is counted in elements",
                  .source = [](const Instruction& i, const GatherElement& e) {
                    return std::uint64_t{e.repeat} * i.operands[1].repeat_stride * size_of(i.src_type) +
                           lane_offset(i, 1, 0, e.element);
                  }});
}

/// src1's repeat stride is documented as a number of data blocks. A unit that depends on the type is said
/// first: in calls of one type it is also a number of bytes.
void add_units_of_pattern_stride(std::vector<GatherLaw>& laws) {
  const auto add = [&](const std::string& unit, bool of_element_size, auto bits) {
    GatherLaw law{MapKind::places, "takes src1's repeat stride for a number of " + unit};
    law.bit = [bits](const Instruction& i, const GatherElement& e) {
      return std::uint64_t{bits(i, e)} * e.repeat * i.operands[2].repeat_stride + e.element;
    };
    law.of_element_size = of_element_size;
    laws.push_back(std::move(law));
  };
  add("packed patterns (one bit for each element of a whole repeat)", true,
      [](const Instruction& i, const GatherElement&) { return whole_repeat(i); });
  add("packed patterns (one bit for each element that a repeat looks at, in whole bytes)", true,
      [](const Instruction&, const GatherElement& e) { return rounded_up(e.looked_at, 8); });
  add("packed data blocks (one bit for each element of a data block)", true,
      [](const Instruction& i, const GatherElement&) { return per_block(i.src_type); });
  add("elements of src0", true,
      [](const Instruction& i, const GatherElement&) { return 8 * size_of(i.src_type); });
  for (const unsigned bytes : {1u, 2u, 4u, 8u, 16u, 256u})
    add((bytes == 1 ? "" : std::to_string(bytes) + " ") + (bytes == 1 ? "bytes" : "byte words"), false,
        [bytes](const Instruction&, const GatherElement&) { return 8 * bytes; });
  add("bits", false, [](const Instruction&, const GatherElement&) { return 1U; });
}

/// Where the user pattern of each repeat is read.
void add_pattern_places(std::vector<GatherLaw>& laws) {
  const auto add = [&](const std::string& text, auto first) {
    laws.push_back(
        {.map = MapKind::places, .text = text, .bit = [first](const Instruction& i, const GatherElement& e) {
           return first(i, e) + e.element;
         }});
  };
  const std::string whatever = ", whatever repeat stride is given for src1";
  add("reads the pattern of every repeat where src1 starts" + whatever,
      [](const Instruction&, const GatherElement&) { return std::uint64_t{0}; });
  const std::string at = "reads the pattern of repeat r at bit r * E of src1 (E: the elements of a repeat";
  add(at + ")" + whatever, [](const Instruction&, const GatherElement& e) { return e.before; });
  for (const std::uint64_t unit : {8u, 16u, 32u, 64u, 256u})
    add(at + ", rounded up to a multiple of " + std::to_string(unit) + ")" + whatever,
        [unit](const Instruction&, const GatherElement& e) {
          return e.repeat * rounded_up(e.repeat == 0 ? e.looked_at : e.before / e.repeat, unit);
        });
  laws.push_back({.map = MapKind::places,
                  .text = "takes in each repeat the elements and the pattern of the next repeat",
                  .source = source_of_next_repeat,
                  .bit = bit_of_next_repeat});
  laws.push_back({.map = MapKind::src1, .text = "starts one repeat stride later", .bit = bit_of_next_repeat});
  laws.push_back({MapKind::src1, "walks with the repeat stride of src0 instead of its own",
                  [](Instruction& i) { i.operands[2].repeat_stride = i.operands[1].repeat_stride; }});
  add_units_of_pattern_stride(laws);
}

/// The patterns of the repeats follow one another in steps that are no data blocks. A step that depends on
/// the type is said first: in calls of one type it is also a number of bytes.
void add_pattern_rows(std::vector<GatherLaw>& laws) {
  const auto add = [&](const std::string& step, auto bits) {
    laws.push_back({.map = MapKind::src1,
                    .text = "lies in a row, " + step + ": its repeat stride is ignored",
                    .bit = [bits](const Instruction& i, const GatherElement& e) {
                      return std::uint64_t{e.repeat} * bits(i) + e.element;
                    }});
  };
  add("one bit for each element of a whole repeat", [](const Instruction& i) { return whole_repeat(i); });
  laws.back().of_element_size = true;
  for (const unsigned bytes : {1u, 2u, 4u, 8u, 16u})
    add((bytes == 1 ? "one byte" : std::to_string(bytes) + " bytes") + " for each repeat",
        [bytes](const Instruction&) { return 8 * bytes; });
}

/// Which bit of the user pattern of a repeat decides, and which element of a fixed pattern it is.
void add_pattern_orders(std::vector<GatherLaw>& laws, bool user) {
  const auto add = [&](const std::string& text, auto index) {
    GatherLaw law{MapKind::places, text};
    if (user)
      law.bit = [index](const Instruction& i, const GatherElement& e) {
        return 8 * e.repeat * repeat_step(i, 2) + index(e);
      };
    else
      law.index = index;
    laws.push_back(law);
  };
  if (!user) {
    add("goes on with its fixed pattern from repeat to repeat instead of starting it again",
        [](const GatherElement& e) { return e.before + e.element; });
    add("counts its fixed pattern from the last element of a repeat",
        [](const GatherElement& e) { return std::uint64_t{e.looked_at - 1 - e.element}; });
    return;
  }
  const std::string begin = "keeps each element of a repeat by bit (",
                    end = ") of the user pattern instead of by its own bit";
  for (const unsigned flipped : {7u, 15u, 31u, 8u, 24u})
    add(begin + "element xor " + std::to_string(flipped) + end,
        [flipped](const GatherElement& e) { return std::uint64_t{e.element ^ flipped}; });
  for (const unsigned apart : {2u, 4u, 8u, 16u, 32u})
    add(begin + std::to_string(apart) + " * element" + end,
        [apart](const GatherElement& e) { return std::uint64_t{apart} * e.element; });
  for (const unsigned period : {8u, 16u, 32u, 64u})
    add(begin + "element mod " + std::to_string(period) + end,
        [period](const GatherElement& e) { return std::uint64_t{e.element % period}; });
  laws.push_back(
      {.map = MapKind::places,
       .text = "keeps each element of a repeat by a byte of src1 of its own, if that byte is not 0",
       .keeps = [](const GatherCall& call, const GatherElement& e, bool) {
         const auto first =
             static_cast<std::int32_t>(8 * (e.repeat * repeat_step(call.insn(), 2) + e.element));
         for (std::int32_t bit = 0; bit < 8; ++bit)
           if (call.pattern(first + bit)) return true;
         return false;
       }});
  add(begin + "element + 1" + end, [](const GatherElement& e) { return std::uint64_t{e.element} + 1; });
  add("counts the bits of its user pattern from the last element of a repeat",
      [](const GatherElement& e) { return std::uint64_t{e.looked_at - 1 - e.element}; });
}

/// The vector mask when the call starts.
MaskWords vector_mask_at(const GatherCall& call) {
  if (call.earlier_repeat > 0) return {0, setting(call.insn(), "mask")};  // the earlier call leaves this
  for (const Instruction& each : call.before)
    if (each.op == Op::set_vector_mask) return {each.high, each.low};
  GatherCall normal = call;
  return full_mask(normal.with("counter", 0).subject);
}

/// Elements that the pattern does not choose.
void add_choices(std::vector<GatherLaw>& laws) {
  const auto add = [&](const std::string& text, auto keeps) {
    laws.push_back({.map = MapKind::places, .text = text, .keeps = keeps});
  };
  add("keeps the elements that its pattern leaves out, and no others",
      [](const GatherCall&, const GatherElement&, bool kept) { return !kept; });
  add("keeps every element, whatever its pattern is",
      [](const GatherCall&, const GatherElement&, bool) { return true; });
  add("never keeps the last element of a repeat", [](const GatherCall&, const GatherElement& e, bool kept) {
    return kept && e.element + 1 < e.looked_at;
  });
  add("never keeps the first element of a repeat",
      [](const GatherCall&, const GatherElement& e, bool kept) { return kept && e.element > 0; });
  for (const bool in_every_mode : {true, false}) {
    add(std::string("keeps only elements whose slot of the vector mask is 1") +
            (in_every_mode ? "" : ", unless the mask mode is counter mode before"),
        [=](const GatherCall& call, const GatherElement& e, bool kept) {
          if (!in_every_mode && call.after_counter_mode()) return kept;
          const unsigned slot = e.element % kMaskSlots;  // two words set the first half of the slots
          return kept && (slot >= kMaskSlots / 2 || has_slot(vector_mask_at(call), slot));
        });
    laws.back().matter = GatherMatter::vector_mask;
  }
}

/// Where in dst each repeat goes on.
void add_dst_places(std::vector<GatherLaw>& laws) {
  const auto add = [&](const std::string& text, auto next) {
    laws.push_back({.map = MapKind::places, .text = text, .next = next});
  };
  add("starts what each repeat keeps on a new data block of dst",
      [](const Instruction& i, unsigned, std::uint64_t end, const GatherTrace&) {
        return rounded_up(end, per_block(i.dst_type));
      });
  add("starts what each repeat keeps where its first element should lie, rounded up to a data block of dst",
      [](const Instruction& i, unsigned, std::uint64_t, const GatherTrace& so_far) {
        return rounded_up(so_far.count(), per_block(i.dst_type));
      });
  add("starts what each repeat keeps where its first element should lie, rounded down to a data block of dst",
      [](const Instruction& i, unsigned, std::uint64_t, const GatherTrace& so_far) {
        return so_far.count() - so_far.count() % per_block(i.dst_type);
      });
  for (const std::uint64_t bytes : {4u, 8u, 16u, 64u, 128u, 256u})
    add("starts what each repeat keeps at a multiple of " + std::to_string(bytes) + " bytes of dst",
        [bytes](const Instruction& i, unsigned, std::uint64_t end, const GatherTrace&) {
          return rounded_up(end, std::max<std::uint64_t>(1, bytes / size_of(i.dst_type)));
        });
  add("starts what repeat r keeps r whole repeats behind the start of dst",
      [](const Instruction& i, unsigned repeat, std::uint64_t, const GatherTrace&) {
        return std::uint64_t{repeat + 1} * whole_repeat(i);
      });
  add("writes what every repeat keeps where dst starts",
      [](const Instruction&, unsigned, std::uint64_t, const GatherTrace&) { return std::uint64_t{0}; });
  for (const std::uint64_t gap : {1u, 2u, 3u, 4u})
    add("leaves a gap of " + std::to_string(gap) + (gap == 1 ? " element" : " elements") +
            " in dst, before the elements that a later repeat keeps",
        [gap](const Instruction&, unsigned, std::uint64_t end, const GatherTrace&) { return end + gap; });
  add("overwrites the last element of the repeat before it in dst",
      [](const Instruction&, unsigned, std::uint64_t end, const GatherTrace&) {
        return end - std::min<std::uint64_t>(end, 1);
      });
  laws.push_back(
      {.map = MapKind::places,
       .text = "leaves room in dst for as many elements as an earlier gather_mask kept, and puts what it "
               "keeps behind them",
       .goes_on_behind_earlier = true});
  laws.push_back({.map = MapKind::places,
                  .text =
                      "uses only the lowest 8 bits of the number of an element in dst: element 256 that it "
                      "keeps overwrites element 0",
                  .place = [](std::uint64_t number) { return number & 255; }});
}

/// A fixed pattern between `first` and `last`.
bool has_pattern(const GatherCall& call, unsigned first, unsigned last) {
  if (call.is_user()) return false;
  const unsigned pattern = setting(call.insn(), "pattern");
  return pattern >= first && pattern <= last;
}

bool counts_more_than_a_repeat(const GatherCall& call) {
  return setting(call.insn(), "mask") > whole_repeat(call.insn());
}

}  // namespace

std::vector<GatherLaw> gather_laws(const Instruction& insn) {
  std::vector<GatherLaw> laws;
  const bool user = insn.op == Op::gather_mask_user;
  const auto are_about = [&laws](GatherMatter matter) {  // those that were added since the last call
    for (GatherLaw& law : laws) law.matter = law.matter.value_or(matter);
  };
  add_strides(laws, 1, &Operand::block_stride, "block stride", 7);
  are_about(GatherMatter::block_stride);
  add_strides(laws, 1, &Operand::repeat_stride, "repeat stride", 8);
  add_walks(laws);
  are_about(GatherMatter::repeat_stride);
  if (user) {
    add_pattern_places(laws);
    add_pattern_rows(laws);
    add_strides(laws, 2, &Operand::repeat_stride, "repeat stride", 7);
    are_about(GatherMatter::pattern_stride);
  }
  add_pattern_orders(laws, user);
  add_choices(laws);
  if (user)
    laws.push_back({.map = MapKind::places,
                    .text = "ends with the first repeat in which its pattern keeps nothing",
                    .ends_if_nothing_is_kept = true});
  are_about(GatherMatter::kept);
  add_lengths(laws, insn);
  are_about(GatherMatter::looked_at);
  add_dst_places(laws);
  if (user)  // all repeats keep as many by a fixed pattern
    laws.push_back(
        {.map = MapKind::places,
         .text =
             "starts what repeat r keeps r times as many elements behind the start of dst as repeat 0 keeps",
         .next = [](const Instruction&, unsigned repeat, std::uint64_t, const GatherTrace& so_far) {
           return (repeat + 1) * so_far.kept.front();
         }});
  are_about(GatherMatter::packing);
  return laws;
}

GatherLaw law_of_bits(const std::vector<unsigned>& bits, const std::string& text, bool goes_on) {
  return {.map = MapKind::places,
          .text = text,
          .bit = [bits, goes_on](const Instruction& i, const GatherElement& e) {
            const std::uint64_t first = goes_on ? e.element - e.element % bits.size() : 0;
            return 8 * e.repeat * repeat_step(i, 2) + first + bits[e.element % bits.size()];
          }};
}

const std::vector<GatherCondition>& gather_conditions() {
  static const std::vector<GatherCondition> conditions = {
      {"", [](const GatherCall&) { return true; }},
      {", in its counter mode", [](const GatherCall& call) { return call.counts(); }},
      {", in its counter mode, if its mask argument is more than one repeat",
       [](const GatherCall& call) { return call.counts() && counts_more_than_a_repeat(call); }},
      {", in its counter mode, if its mask argument is not more than one repeat",
       [](const GatherCall& call) { return call.counts() && !counts_more_than_a_repeat(call); }},
      {", in its normal mode", [](const GatherCall& call) { return !call.counts(); }},
      {", if its mask argument is not 0 in normal mode",
       [](const GatherCall& call) { return !call.counts() && setting(call.insn(), "mask") != 0; }},
      {", if the mask mode is counter mode before",
       [](const GatherCall& call) { return call.after_counter_mode(); }},
      {", if the mask mode is normal mode before",
       [](const GatherCall& call) { return !call.after_counter_mode(); }},
      {", by patterns 1 and 2", [](const GatherCall& call) { return has_pattern(call, 1, 2); }},
      {", by patterns 3 to 6", [](const GatherCall& call) { return has_pattern(call, 3, 6); }},
      {", by pattern 7", [](const GatherCall& call) { return has_pattern(call, 7, 7); }},
      {", by patterns 1 and 2 in its counter mode",
       [](const GatherCall& call) { return call.counts() && has_pattern(call, 1, 2); }},
      {", by patterns 3 to 6 in its counter mode",
       [](const GatherCall& call) { return call.counts() && has_pattern(call, 3, 6); }},
      {", by pattern 7 in its counter mode",
       [](const GatherCall& call) { return call.counts() && has_pattern(call, 7, 7); }}};
  return conditions;
}

}  // namespace lanecheck
