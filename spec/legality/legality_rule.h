// What makes a program illegal, as rules with sources: each range, alignment, type and overlap rule is one
// object. spec/legality/find_fault.cc checks them, fuzz/generate/edge.cc steps just inside and just outside
// of them.
#pragma once

#include <span>

#include "spec/program/instruction.h"
#include "spec/program/source.h"

namespace lanecheck {

/// In the order of kLegalityRules.
enum class Law : std::uint8_t {
  layout,
  offered,
  types,
  round_mode,
  mask_form,
  repeat_range,
  stride_range,
  length_range,
  dst_block_zero,
  footprint,
  alignment,
  offsets,
  overlap_partial,
  overlap_repeats,
  overlap_dst,
  shift_range,
  order_range,
  counter_open,
  register_open,
  overlap_open,
  count_range,
  contiguous_16,
  contiguous_32,
  contiguous_64,
  bitwise_16,
  bitwise_32,
  bitwise_64,
  count_strides,
  pattern_range,
  gather_total,
  gather_alignment,
  pad_mode,
  pad_types,
  pad_alignment,
  tik_contiguous_16,
  tik_contiguous_32,
  tik_bitwise_32,
  tik_counter_range,
  tik_repeat_range,
  tik_immediate_zero,
  tik_stride_range,
  tik_block_stride,
  tik_overlap_one,
  tik_overlap_repeats,
};

struct LegalityRule {
  Law law;
  std::string_view id;
  std::string_view
      kind;  ///< "types", "range", "alignment", "footprint", "overlap", "offsets", "layout", "state"
  std::string_view claim;  ///< what is allowed, in our words
  Source source;
  std::uint8_t profiles;  ///< bit Profile set: where it holds
  bool tried;             ///< fuzz/generate/edge.cc has programs just outside of it

  bool holds_in(Profile profile) const { return (profiles >> static_cast<unsigned>(profile) & 1) != 0; }
};

std::span<const LegalityRule> legality_rules();
const LegalityRule& rule_of(Law law);
const LegalityRule* find_legality_rule(std::string_view id);

}  // namespace lanecheck
