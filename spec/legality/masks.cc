// Contiguous masks, bitwise masks and counts lie in their ranges.
#include <utility>

#include "spec/legality/rows.h"
#include "spec/mask/footprint.h"

namespace lanecheck::legality {
namespace {

// The ranges depend on the width of the elements, and so on the lanes of a full repeat.
constexpr unsigned k16Bits = 128, k32Bits = 64, k64Bits = 32;

bool is_of_width(unsigned lanes, unsigned width) {
  if (width == k16Bits) return lanes >= k16Bits;  // 8-bit elements as well
  if (width == k64Bits) return lanes <= k64Bits;
  return lanes == width;
}

/// Lanes of the operands that the mask is for.
unsigned masked_lanes(const Instruction& insn) {
  const bool sets_register = insn.op == Op::set_vector_mask || insn.op == Op::set_vector_mask_len;
  return sets_register ? lanes_of(insn.dst_type) : lanes_of(insn);
}

/// The mask operand of the subject becomes `from`, with no bit set; false if the subject does not take it or
/// is of another width.
bool take_operand(EdgeSubject& s, MaskFrom from, unsigned lanes) {
  if (!s.takes(from) || lanes_of(s.insn) != lanes) return false;
  s.insn.mask_from = from;
  s.insn.high = s.insn.low = 0;
  return true;
}

template <unsigned Lanes>
Complaint length_outside(const Site& site) {
  const Instruction& insn = site.insn();
  const bool sets_register = insn.op == Op::set_vector_mask_len;
  const unsigned lanes = masked_lanes(insn);
  if ((!sets_register && insn.mask_from != MaskFrom::contiguous) || !is_of_width(lanes, Lanes)) return {};
  const std::uint64_t length = sets_register ? insn.settings[0] : insn.low;
  const std::uint64_t least = site.readings.zero_mask == ZeroMask::no_op ? 0 : 1;
  if (length >= least && length <= lanes) return {};
  return "a contiguous mask of " + number(length) + "; allowed: " + number(least) + " to " + number(lanes);
}

template <unsigned Lanes>
bool to_length_edge(EdgeSubject& s) {
  const std::uint32_t least = s.outside ? 0 : 1, most = s.outside ? Lanes + 1 : Lanes;
  const std::uint32_t length = s.one_in(2) ? least : most;
  if (s.insn.op == Op::set_vector_mask_len && lanes_of(s.insn.dst_type) == Lanes) {
    s.insn.settings[0] = length;
    return true;
  }
  if (!take_operand(s, MaskFrom::contiguous, Lanes)) return false;
  s.insn.low = length;
  return true;
}

/// Does the instruction give words for lanes of this width?
bool gives_words(const Site& site, unsigned width) {
  const bool gives = site.insn().op == Op::set_vector_mask || site.insn().mask_from == MaskFrom::bitwise;
  return gives && site.mask.mode == Mode::normal && is_of_width(masked_lanes(site.insn()), width);
}
bool no_bit_allowed(const Site& site) {
  return site.readings.zero_mask == ZeroMask::no_op;
}
constexpr std::uint64_t kMostWord64 = 0xffffffff;  // 64-bit elements have 32 lanes

Complaint words_for_16_bits(const Site& site) {
  if (!gives_words(site, k16Bits) || no_bit_allowed(site)) return {};
  if (site.insn().high != 0 || site.insn().low != 0) return {};
  return "both words of the mask are 0";
}

template <unsigned Lanes>
Complaint high_word(const Site& site) {
  if (!gives_words(site, Lanes) || site.insn().high == 0) return {};
  return "the high word of the mask is not 0, and there are no such lanes";
}

template <unsigned Lanes>
Complaint low_word(const Site& site) {
  if (!gives_words(site, Lanes)) return {};
  if (site.insn().low == 0 && !no_bit_allowed(site)) return "the mask is 0";
  if (Lanes == k64Bits && site.insn().low > kMostWord64) return "the low word of the mask is above 2^32 - 1";
  return {};
}

template <unsigned Lanes>
bool to_words_edge(EdgeSubject& s) {
  const bool sets = s.insn.op == Op::set_vector_mask && lanes_of(s.insn.dst_type) == Lanes;
  if (!sets && !take_operand(s, MaskFrom::bitwise, Lanes)) return false;
  constexpr std::uint64_t kMost = Lanes == k64Bits ? kMostWord64 : ~std::uint64_t{0};
  s.insn.high = 0;
  s.insn.low = s.one_in(2) ? kMost : 1;
  if (!s.outside) return true;
  if (Lanes == k16Bits || s.one_in(2))
    s.insn.low = 0;
  else if (Lanes == k64Bits && s.one_in(2))
    s.insn.low = kMost + 1;
  else
    s.insn.high = std::uint64_t{1} << s.below(64);
  return true;
}

/// TIK allows a mask of 0.
bool to_high_word_edge(EdgeSubject& s) {
  if (!take_operand(s, MaskFrom::bitwise, k32Bits)) return false;
  s.insn.low = s.one_in(2) ? ~std::uint64_t{0} : 1;
  if (s.outside) s.insn.high = std::uint64_t{1} << s.below(64);
  return true;
}

Complaint high_word_of_count(const Site& site) {
  if (site.readings.counter_high_word_range == CounterHighWordRange::any) return {};
  if (site.insn().op != Op::set_vector_mask || site.mask.mode != Mode::counter) return {};
  if (site.insn().high == 0) return {};
  return "the high word of the mask is not 0 in counter mode";
}

bool to_high_word_of_count(EdgeSubject& s) {
  if (s.mode() != Mode::counter) return false;
  if (s.insn.op == Op::set_vector_mask_total) {  // the same count, stated by maskLow
    s.insn.low = std::exchange(s.insn.settings[0], 0);
    s.insn.op = Op::set_vector_mask;
    s.insn.dst_type = s.insn.src_type = Element::f16;
  }
  if (s.insn.op != Op::set_vector_mask) return false;
  s.insn.high = s.outside ? std::uint64_t{1} << s.below(64) : 0;
  return true;
}

Complaint length_above_int32(const Site& site) {
  if (site.insn().op != Op::set_vector_mask_total || site.insn().settings[0] <= kMostTotal) return {};
  return "a length of " + number(site.insn().settings[0]) + "; allowed: up to " + number(kMostTotal);
}

bool to_most_length(EdgeSubject& s) {
  if (s.insn.op != Op::set_vector_mask_total) return false;
  s.insn.settings[0] = s.outside ? kMostTotal + 1 : kMostTotal;
  return true;
}

template <std::uint64_t Least>
Complaint count_outside(const Site& site) {
  const Instruction& insn = site.insn();
  if (insn.mask_from != MaskFrom::count || (insn.low >= Least && insn.low <= kMostCount)) return {};
  return "a count of " + number(insn.low) + "; allowed: " + number(Least) + " to " + number(kMostCount);
}

bool to_count_edge(EdgeSubject& s) {
  if (!s.takes(MaskFrom::count)) return false;
  s.insn.mask_from = MaskFrom::count;
  s.insn.high = 0;
  s.insn.low = 1;
  if (s.outside) s.insn.low = s.one_in(2) ? 0 : kMostCount + 1;
  return true;
}

Complaint strides_beside_a_count(const Site& site) {
  if (site.insn().mask_from != MaskFrom::count) return {};
  for (unsigned k = 0; k < site.row().operands.size(); ++k)
    if (site.row().operands[k].walk == Walk::blocks && !is_contiguous(site.insn(), k))
      return std::string(site.row().operands[k].role) +
             " is not contiguous; with a count of elements all operands must be";
  return {};
}

constexpr LegalityRule range(unsigned position, std::string_view id, std::string_view claim, Source source,
                             ProfileSet profiles, Complaint (*check)(const Site&), EdgeMove edge) {
  return {.position = position,
          .id = id,
          .kind = "range",
          .claim = claim,
          .source = source,
          .profiles = profiles,
          .checks = {{Stage::mask, check}},
          .edge = edge};
}

constexpr LegalityRule kMaskRules[] = {
    range(220, "SVM-range-contiguous-16", "A contiguous mask for 16-bit elements is 1 to 128.",
          {kSvm, "Function Usage"}, a2 | p310, length_outside<k16Bits>, to_length_edge<k16Bits>),
    range(230, "SVM-range-contiguous-32", "A contiguous mask for 32-bit elements is 1 to 64.",
          {kSvm, "Function Usage"}, a2 | p310, length_outside<k32Bits>, to_length_edge<k32Bits>),
    range(240, "SVM-range-contiguous-64", "A contiguous mask for 64-bit elements is 1 to 32.",
          {kSvm, "Function Usage"}, a2 | p310, length_outside<k64Bits>, to_length_edge<k64Bits>),
    range(350, "TIK-range-contiguous-16", "A contiguous mask for 16-bit elements is 1 to 128.",
          {kDevkit, "mask page (TIK gives no range)"}, tik, length_outside<k16Bits>, nullptr),
    range(360, "TIK-range-contiguous-32", "A contiguous mask for 32-bit elements is 1 to 64.",
          {kDevkit, "mask page (TIK gives no range)"}, tik, length_outside<k32Bits>, nullptr),
    range(250, "SVM-range-bitwise-16", "A bitwise mask for 16-bit elements is not 0 in both words.",
          {kSvm, "Function Usage"}, a2 | p310, words_for_16_bits, to_words_edge<k16Bits>),
    {.position = 260,
     .id = "SVM-range-bitwise-32",
     .kind = "range",
     .claim = "A bitwise mask for 32-bit elements has a high word of 0 and a low word that is not 0.",
     .source = {kSvm, "Function Usage"},
     .profiles = a2 | p310,
     .checks = {{Stage::mask, high_word<k32Bits>}, {Stage::mask, low_word<k32Bits>}},
     .edge = to_words_edge<k32Bits>},
    {.position = 270,
     .id = "SVM-range-bitwise-64",
     .kind = "range",
     .claim = "A bitwise mask for 64-bit elements has a high word of 0 and a low word of 1 to 2^32 - 1.",
     .source = {kSvm, "Function Usage"},
     .profiles = a2 | p310,
     .checks = {{Stage::mask, high_word<k64Bits>}, {Stage::mask, low_word<k64Bits>}},
     .edge = to_words_edge<k64Bits>},
    range(274, "SVM-range-length",
          "The length of SetVectorMask is an int32_t: in counter mode up to 2^31 - 1.", {kSvm, "Prototype"},
          a2 | p310, length_above_int32, to_most_length),
    range(276, "SVM-counter-high-word", "In counter mode the maskHigh of SetVectorMask is 0.",
          {kSvm, "Table 2, maskHigh"}, a2 | p310, high_word_of_count, to_high_word_of_count),
    range(370, "TIK-range-bitwise-32", "A mask list for 32-bit elements has a mask_h of 0.", {kTik, "mask"},
          tik, high_word<k32Bits>, to_high_word_edge),
    range(380, "TIK-range-counter", "The mask of counter mode is 1 to 2^32 - 1.", {kTik, "mask"}, tik,
          count_outside<1>, to_count_edge),
    {.position = 210,
     .id = "LAW-count-range",
     .kind = "range",
     .claim = "The count of a form for the first n elements is 0 to 2^32 - 1.",
     .source = {kVp, "Prototype"},
     .profiles = a2 | p310,
     .checks = {{Stage::mask, count_outside<0>}}},
    {.position = 280,
     .id = "LAW-count-strides",
     .kind = "state",
     .claim = "The form for the first n elements has no strides: its operands are contiguous.",
     .source = {kDevkit, "high-dimensional APIs"},
     .profiles = a2 | p310,
     .checks = {{Stage::mask, strides_beside_a_count}}},
};

}  // namespace

std::span<const LegalityRule> mask_rules() {
  return kMaskRules;
}

}  // namespace lanecheck::legality
