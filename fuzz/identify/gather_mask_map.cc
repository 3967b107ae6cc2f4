#include "fuzz/identify/gather_mask_map.h"

#include <algorithm>
#include <array>
#include <map>

#include "fuzz/identify/index_formula.h"
#include "fuzz/probes/gate_map.h"
#include "fuzz/probes/intervals.h"
#include "fuzz/probes/shapes.h"
#include "spec/legality/find_fault.h"
#include "spec/mask/footprint.h"
#include "spec/text/program_text.h"

namespace lanecheck {
namespace {

using Numbers = std::vector<unsigned>;

constexpr MaskWords kGaps = {0x6d21f0c3a95e7b04, 0xb5c6e8127af09b49};
constexpr unsigned kPatternWords = 8;  // of 32 bits; the user pattern of each probe repeats them

/// One way to call the instruction.
struct Variant {
  Subject subject;
  std::string condition;            ///< ", if the mask argument is 37"
  std::vector<Instruction> before;  ///< mask instructions
  std::array<std::uint32_t, kPatternWords> pattern = {0xb5c6e812, 0x7af09b49, 0x6d21f0c3, 0xa95e7b04,
                                                      0x1f3a77c1, 0xd2084ee5, 0x99b16d3a, 0x4c7e20f7};
  std::uint32_t earlier_repeat = 0;  ///< repeat times of the same instruction before it; 0: none
};

/// dst after the instruction: which element of src0 stands at each place; kKept: none was written.
struct Gathered {
  std::vector<std::int32_t> places;
  std::uint64_t returned = 0;

  bool operator==(const Gathered&) const = default;
};

unsigned count_operand(const Instruction& insn) {
  return static_cast<unsigned>(row_of(insn.op).operands.size()) - 1;
}

std::optional<Program> program_of(const Variant& variant, const Layout& layout) {
  auto program = probe_program(variant.subject, layout, full_mask(variant.subject));
  if (!program) return {};
  const Instruction& insn = variant.subject.insn;
  const Element bits = size_of(insn.src_type) == 2 ? Element::u16 : Element::u32;
  const Region &dst = layout.regions[0], &src = layout.regions[1];
  fill_region(*program, dst, bits, all_bits(bits));
  for (std::uint32_t n = 0; n < src.bytes / size_of(bits); ++n) put_element(*program, src, bits, n, n);
  if (insn.op == Op::gather_mask_user)
    for (std::uint32_t n = 0; n < layout.regions[2].bytes / 4; ++n) {
      const std::uint32_t first = layout.regions[2].margin / 4;
      put_element(*program, layout.regions[2], Element::u32, n,
                  variant.pattern[(n + kPatternWords - first % kPatternWords) % kPatternWords]);
    }
  if (variant.earlier_repeat > 0) {  // it writes fewer elements to dst, which are written again
    Instruction earlier = program->instructions.back();
    earlier.repeat = variant.earlier_repeat;
    program->instructions.insert(program->instructions.end() - 1, earlier);
  }
  program->instructions.insert(program->instructions.begin(), variant.before.begin(), variant.before.end());
  if (find_fault(*program)) return {};
  return program;
}

std::optional<Gathered> gather(const Variant& variant, const Ask& ask) {
  const auto layout = lay_out(variant.subject);
  if (!layout) return {};
  const auto program = program_of(variant, *layout);
  if (!program) return {};
  const Answers answers = ask_all(ask, {&*program, 1});
  if (!answers.why_not.empty()) return {};
  const Instruction& insn = variant.subject.insn;
  const Element bits = size_of(insn.src_type) == 2 ? Element::u16 : Element::u32;
  const std::uint64_t old = all_bits(bits);
  const Region &dst = layout->regions[0], &src = layout->regions[1],
               &count = layout->regions[count_operand(insn)];
  Gathered gathered;
  const auto first = static_cast<std::int32_t>(src.margin / size_of(bits));
  for (std::uint32_t n = dst.margin / size_of(bits); n < dst.bytes / size_of(bits); ++n) {
    const std::uint64_t is = get_element(answers.states[0].ub, dst, bits, n);
    gathered.places.push_back(is == old ? kKept : static_cast<std::int32_t>(is) - first);
  }
  gathered.returned = get_element(answers.states[0].ub, count, Element::u64, count.margin / 8);
  return gathered;
}

std::vector<std::int32_t> kept_elements(const Gathered& gathered) {
  std::vector<std::int32_t> kept;
  for (const std::int32_t each : gathered.places)
    if (each != kKept) kept.push_back(each);
  return kept;
}

/// Repeat times lanes + lane of the elements of src0 that are kept, by the documented places of src0.
/// Nothing if some element is not among them.
std::optional<Numbers> lanes_kept(const Instruction& insn, const Gathered& gathered) {
  std::map<std::int32_t, unsigned> lane_of;
  const unsigned lanes = 256 / size_of(insn.src_type);
  for (unsigned repeat = insn.repeat; repeat-- > 0;)
    for (unsigned lane = 0; lane < lanes; ++lane)
      lane_of[static_cast<std::int32_t>(lane_offset(insn, 1, repeat, lane) / size_of(insn.src_type))] =
          repeat * lanes + lane;
  Numbers kept;
  for (const std::int32_t each : kept_elements(gathered)) {
    const auto found = lane_of.find(each);
    if (found == lane_of.end()) return {};
    kept.push_back(found->second);
  }
  return kept;
}

/// The value that is returned instead of the number of kept elements.
std::string wrong_count(const Instruction& insn, const Gathered& is, const Gathered& should) {
  const std::uint64_t size = size_of(insn.dst_type), kept = should.returned;
  const std::string start = "returns ";
  if (is.returned == kept * size)
    return start + "the number of bytes that it keeps instead of that of elements";
  if (is.returned == kept * 8 * size)
    return start + "the number of bits that it keeps instead of that of elements";
  for (const unsigned bits : {8u, 16u}) {
    const std::uint64_t most = (std::uint64_t{1} << bits) - 1;
    const std::string width = std::to_string(bits) + " bits";
    if (kept > most && is.returned == most)
      return start + "a count of " + width + ": at most " + std::to_string(most);
    if (kept > most && is.returned == (kept & most)) return start + "the lowest " + width + " of the count";
  }
  if (is.returned == 0) return start + "0 as its count";
  return start + "another count than that of the elements that it keeps, for example " +
         std::to_string(is.returned) + " instead of " + std::to_string(kept);
}

/// The value that is returned if another one came before, which returned `earlier`.
std::string count_after(std::uint64_t earlier, const Gathered& is, const Gathered& should) {
  if (is.returned == earlier + should.returned) return "adds the count of an earlier gather_mask to its own";
  if (is.returned == earlier) return "returns the count of an earlier gather_mask";
  return "returns a wrong count after an earlier gather_mask, for example " + std::to_string(is.returned) +
         " instead of " + std::to_string(should.returned);
}

/// All kept elements are right, but not where they stand.
std::string wrong_places(const Gathered& is, const Gathered& should) {
  const auto kept = kept_elements(should);
  std::size_t at = 0;
  while (at < is.places.size() && is.places[at] == should.places[at]) ++at;
  std::size_t next = at;
  while (next < is.places.size() && is.places[next] == kKept) ++next;
  const std::size_t gap = next - at;
  return "leaves a gap of " + std::to_string(gap) + (gap == 1 ? " element" : " elements") +
         " in dst, before the elements that a later repeat keeps";
}

/// "elements 0, 4 .. 124 of a repeat"
Numbers in_repeat(const Numbers& kept, unsigned repeat, unsigned lanes) {
  Numbers own;
  for (const unsigned each : kept)
    if (each / lanes == repeat) own.push_back(each % lanes);
  return own;
}

std::string of_repeat(const Numbers& lanes) {
  if (lanes.empty()) return "no element";
  if (lanes.size() > 2 && lanes[1] - lanes[0] > 1) {
    const unsigned step = lanes[1] - lanes[0];
    bool even = true;
    for (std::size_t n = 1; n < lanes.size(); ++n) even &= lanes[n] - lanes[n - 1] == step;
    if (even && lanes[0] < step)
      return "element " + std::to_string(lanes[0]) + " of every " + std::to_string(step);
  }
  return counted_noun("element", lanes);
}

/// Which elements are kept, if they are not the documented ones.
std::string wrong_elements(const Variant& variant, const Numbers& is, const Numbers& should) {
  const Instruction& insn = variant.subject.insn;
  const unsigned lanes = 256 / size_of(insn.src_type);
  const auto only = [&](auto takes) {
    Numbers left;
    std::copy_if(should.begin(), should.end(), std::back_inserter(left), takes);
    return left == is;
  };
  if (!variant.before.empty() && only([](unsigned each) { return has_slot(kGaps, each % 128); }))
    return "keeps only elements whose slot of the vector mask is 1";
  const std::uint32_t mask = setting(insn, "mask");
  if (mask != 0 && only([&](unsigned each) { return each % lanes < mask; }))
    return "takes only the first `mask` elements of each repeat";
  if (mask != 0 && only([&](unsigned each) { return each < mask; }))
    return "takes only the first `mask` elements";
  for (unsigned repeat = 0; repeat < insn.repeat; ++repeat) {
    const Numbers here = in_repeat(is, repeat, lanes), documented = in_repeat(should, repeat, lanes);
    if (here == documented) continue;
    const std::string where = repeat == 0 ? "" : " in repeat " + std::to_string(repeat) + " (counted from 0)";
    const std::string pattern =
        insn.op == Op::gather_mask ? " by pattern " + std::to_string(setting(insn, "pattern")) : "";
    if (repeat > 0 && here == in_repeat(is, 0, lanes))
      return "uses the pattern of its first repeat in every repeat";
    return "keeps " + of_repeat(here) + pattern + " instead of " + of_repeat(documented) + where;
  }
  return "keeps the elements in another order";
}

/// The strides of src0 with which the documented elements are kept, if one of them is not the given one.
std::string wrong_sources(const Instruction& insn, const Gathered& is, const Gathered& should) {
  const Operand& src = insn.operands[1];
  const auto documented = lanes_kept(insn, should);
  const unsigned lanes = 256 / size_of(insn.src_type);
  const auto explains = [&](std::uint32_t Operand::*field, std::uint32_t stride) {
    if (!documented || stride == src.*field) return false;
    Instruction other = insn;
    other.operands[1].*field = stride;
    return std::ranges::equal(*documented, kept_elements(is), {}, [&](unsigned lane) {
      return static_cast<std::int32_t>(lane_offset(other, 1, lane / lanes, lane % lanes) /
                                       size_of(insn.src_type));
    });
  };
  const std::uint32_t strides[] = {1, 8, 0, 2, 4, src.block_stride, src.repeat_stride};
  for (const std::uint32_t stride : strides) {
    const std::string text = " " + std::to_string(stride) + " instead of ";
    if (explains(&Operand::block_stride, stride))
      return "walks with block stride" + text + std::to_string(src.block_stride);
    if (explains(&Operand::repeat_stride, stride))
      return "walks with repeat stride" + text + std::to_string(src.repeat_stride);
  }
  if (kept_elements(is).empty()) return "keeps no element";
  return "takes elements of src0 from other places than its strides say";
}

/// Which bit of the user pattern decides about each element: coded in binary.
std::optional<std::string> wrong_bits(const Subject& subject, const Ask& ask) {
  Variant variant{in_a_row(subject, 1), "", {}};
  const unsigned lanes = 256 / size_of(subject.insn.src_type);
  std::vector<Numbers> kept;
  for (unsigned code = 0; code < 16; ++code) {
    variant.pattern.fill(0);
    for (unsigned bit = 0; bit < 32 * kPatternWords; ++bit)
      if ((bit >> code / 2 & 1) != code % 2) variant.pattern[bit / 32] |= 1u << bit % 32;
    const auto gathered = gather(variant, ask);
    if (!gathered) return {};
    const auto own = lanes_kept(variant.subject.insn, *gathered);
    if (!own) return {};
    kept.push_back(*own);
  }
  Numbers elements, bits;
  for (unsigned lane = 0; lane < lanes; ++lane) {
    unsigned bit = 0;
    for (unsigned code = 0; code < 16; code += 2) {
      const bool one = std::ranges::count(kept[code], lane) > 0,
                 zero = std::ranges::count(kept[code + 1], lane) > 0;
      if (one == zero) return {};  // no single bit decides
      bit |= one ? 1u << code / 2 : 0;
    }
    elements.push_back(lane);
    bits.push_back(bit);
  }
  if (elements == bits) return {};
  const auto formula = index_formula(elements, bits, lanes, "element");
  return "keeps each element of a repeat by bit " + (formula ? "(" + *formula + ")" : intervals(bits)) +
         " of the user pattern instead of by its own bit";
}

std::optional<std::string> difference_in(const Variant& variant, const Ask& ask) {
  const auto is = gather(variant, ask), should = gather(variant, ask_oracle());
  if (!is || !should || *is == *should) return {};
  const Instruction& insn = variant.subject.insn;
  if (is->places == should->places && variant.earlier_repeat > 0) {
    Variant alone = variant;
    alone.subject.insn.repeat = variant.earlier_repeat;
    alone.earlier_repeat = 0;
    if (const auto earlier = gather(alone, ask_oracle())) return count_after(earlier->returned, *is, *should);
  }
  if (is->places == should->places) return wrong_count(insn, *is, *should);
  if (kept_elements(*is) == kept_elements(*should)) return wrong_places(*is, *should);
  const auto lanes = lanes_kept(insn, *is), documented = lanes_kept(insn, *should);
  if (insn.op == Op::gather_mask_user)
    if (auto bits = wrong_bits(variant.subject, ask)) return bits;
  if (!lanes || !documented) return wrong_sources(insn, *is, *should);
  return wrong_elements(variant, *lanes, *documented);
}

void set(Subject& subject, std::string_view name, std::uint32_t value) {
  if (const auto index = setting_index(row_of(subject.insn.op), name)) subject.insn.settings[*index] = value;
}

/// From general to special: the first one that differs names the cause.
std::vector<Variant> variants_of(const Subject& given) {
  const bool user = given.insn.op == Op::gather_mask_user;
  Subject plain = in_a_row(given, 6);
  if (user) plain.insn.operands[2].repeat_stride = 1;
  set(plain, "counter", 0);
  set(plain, "mask", 0);
  std::vector<Variant> variants = {{in_a_row(plain, 1), "", {}}, {plain, "", {}}};
  variants.push_back({plain, "", {}});
  variants.back().earlier_repeat = 2;
  for (std::uint32_t pattern = 1; !user && pattern <= 7; ++pattern) {
    set(plain, "pattern", pattern);
    variants.push_back({plain, "", {}});
  }
  Subject strided = plain;
  strided.insn.repeat = 3;
  strided.insn.operands[1].block_stride = 2;
  strided.insn.operands[1].repeat_stride = 19;
  variants.push_back({strided, "", {}});
  Subject argument = plain;
  set(argument, "mask", 37);
  variants.push_back({argument, ", if its mask argument is not 0 in normal mode", {}});
  variants.push_back({plain, "", {mask_instruction(Op::set_vector_mask, kGaps)}});
  set(argument, "counter", 1);
  argument.insn.repeat = 3;
  variants.push_back({argument, ", in its counter mode with a mask of 37", {}});
  Subject strided_argument = strided;
  set(strided_argument, "counter", 1);
  set(strided_argument, "mask", 37);
  variants.push_back({strided_argument, ", in its counter mode", {}});
  const std::vector<Instruction> counter = {mask_instruction(Op::set_mask_count, {0, 0}),
                                            mask_instruction(Op::set_vector_mask, {0, 100})};
  variants.push_back({strided, ", if the mask mode is counter mode before", counter});
  return variants;
}

/// "exchanges fixed patterns 4 and 5": if each pattern that is wrong is another one.
std::optional<std::string> wrong_patterns(const Subject& given, const Ask& ask) {
  if (given.insn.op != Op::gather_mask) return {};
  constexpr std::uint32_t kPatterns = 7;
  std::vector<Gathered> measured, documented;
  Subject subject = in_a_row(given, 6);
  set(subject, "counter", 0);
  set(subject, "mask", 0);
  for (std::uint32_t pattern = 1; pattern <= kPatterns; ++pattern) {
    set(subject, "pattern", pattern);
    const auto is = gather({subject, "", {}}, ask), should = gather({subject, "", {}}, ask_oracle());
    if (!is || !should) return {};
    measured.push_back(*is);
    documented.push_back(*should);
  }
  std::vector<std::pair<std::uint32_t, std::uint32_t>> wrong;  // a pattern, and the one that is executed
  for (std::uint32_t n = 0; n < kPatterns; ++n) {
    if (measured[n] == documented[n]) continue;
    const auto other = std::ranges::find(documented, measured[n]);
    if (other == documented.end()) return {};
    wrong.emplace_back(n + 1, static_cast<std::uint32_t>(other - documented.begin()) + 1);
  }
  if (wrong.size() < 2) return {};  // of one pattern it is said which elements it keeps
  if (wrong.size() == 2 && wrong[0].first == wrong[1].second && wrong[0].second == wrong[1].first)
    return "exchanges fixed patterns " + std::to_string(wrong[0].first) + " and " +
           std::to_string(wrong[1].first);
  std::string text;
  for (const auto& [pattern, other] : wrong)
    text += (text.empty() ? "executes fixed pattern " : ", ") + std::to_string(pattern) + " as " +
            std::to_string(other);
  return text;
}

}  // namespace

std::vector<Difference> gather_mask_differences(const Subject& subject, const Ask& ask) {
  if (const auto what = wrong_patterns(subject, ask))
    return {{"places", mnemonic(subject.insn) + " " + *what, {}}};
  for (const Variant& variant : variants_of(subject))
    if (const auto what = difference_in(variant, ask)) {
      gather({subject, "", variant.before}, ask);  // a known mistake must give also what the given shape does
      const std::string name = mnemonic(subject.insn);
      if (what->starts_with("walks with"))
        return {{"src0", "src0 of " + name + " " + *what + variant.condition, {}}};
      return {{"places", mnemonic(subject.insn) + " " + *what + variant.condition, {}}};
    }
  return {};
}

}  // namespace lanecheck
