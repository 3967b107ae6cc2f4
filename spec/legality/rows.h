// What the files of rules share. For this room alone.
#pragma once

#include <array>

#include "spec/legality/legality_rule.h"

namespace lanecheck::legality {

inline constexpr std::string_view kDevkit = "asc-devkit";
/// Sets of profiles: bits of LegalityRule::profiles.
enum : std::uint8_t { vmc = 1, a2 = 2, p310 = 4, tik = 8, every = 15 };

// The rows of each file.
std::span<const LegalityRule> type_rules();
std::span<const LegalityRule> range_rules();
std::span<const LegalityRule> stride_rules();
std::span<const LegalityRule> mask_rules();
std::span<const LegalityRule> mask_state_rules();
std::span<const LegalityRule> place_rules();
std::span<const LegalityRule> offset_rules();
std::span<const LegalityRule> overlap_rules();
/// All of them, in the order in which one stage asks them.
inline auto rows_by_subject() {
  return std::array{type_rules(), range_rules(), stride_rules(), mask_state_rules(),
                    mask_rules(), place_rules(), offset_rules(), overlap_rules()};
}

inline constexpr std::uint64_t kMostCount = 0xffffffff;  ///< elements that a count of counter mode can state

inline std::string number(std::uint64_t n) {
  return std::to_string(n);
}
inline std::string role_of(const Site& site) {
  return std::string(site.column().role);
}

// What the rules ask about a form.

/// Writes the elements that a pattern keeps in a row (gather_mask).
inline bool compacts(const Row& row) {
  return !row.operands.empty() && row.operands[0].walk == Walk::packed;
}
inline bool reads_dst(const Row& row) {
  return row.form == Form::multiply_add || row.form == Form::axpy;
}
inline bool pads(const Row& row) {
  return row.form == Form::padding;
}
/// The operand that offsets address.
inline std::optional<unsigned> indexed_operand(const Row& row) {
  for (unsigned k = 0; k < row.operands.size(); ++k)
    if (row.operands[k].walk == Walk::indexed) return k;
  return {};
}
/// The operand that holds these offsets.
inline constexpr unsigned kOffsetsOperand = 2;
/// What one offset fetches or stores: an element, or a data block (gatherb).
inline bool moves_blocks(const Row& row) {
  return row.form == Form::gather_blocks;
}

}  // namespace lanecheck::legality
