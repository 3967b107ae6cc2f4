// Repeat times, lengths and settings lie in their ranges.
#include <algorithm>

#include "spec/legality/rows.h"

namespace lanecheck::legality {
namespace {

constexpr std::uint32_t kMostRecords = 4095;  // of one queue of a merge

Complaint repeat_too_large(const Site& site) {
  if (!site.row().has_repeat || site.insn().repeat <= kMaxRepeat) return {};
  return "repeat times " + number(site.insn().repeat) + "; allowed: 0 to " + number(kMaxRepeat);
}

bool to_most_repeats(EdgeSubject& s) {
  if (!s.row().has_repeat || s.row().operands.empty() || s.insn.mask_from == MaskFrom::count) return false;
  for (unsigned k = 0; k < s.row().operands.size(); ++k)
    if (!s.walks(k, Walk::blocks) && !s.walks(k, Walk::results)) return false;
  for (Operand& operand : s.insn.operands) operand.repeat_stride = 0;
  s.insn.repeat = s.outside ? kMaxRepeat + 1 : kMaxRepeat;
  return true;
}

Complaint immediate_zero(const Site& site) {
  if (site.insn().repeat != 0 || site.insn().scalar_repeat) return {};
  return "an immediate repeat_times of 0; allowed: 1 to " + number(kMaxRepeat) + ", or a Scalar";
}

bool to_zero_repeats(EdgeSubject& s) {
  if (s.insn.mask_from == MaskFrom::count) return false;
  s.insn.repeat = 0;
  s.insn.scalar_repeat = !s.outside;
  return true;
}

Complaint queue_too_long(const Site& site) {
  for (unsigned q = 0; q < site.row().lengths; ++q)
    if (site.insn().lengths[q] > kMostRecords)
      return number(site.insn().lengths[q]) + " records in a queue; allowed: up to " + number(kMostRecords);
  return {};
}

bool to_most_records(EdgeSubject& s) {
  if (s.row().lengths == 0) return false;
  if (s.outside) s.insn.lengths[0] = kMostRecords + 1;
  return true;
}

/// Is a setting that one of `names` calls out of the range that its column states?
Complaint setting_outside(const Site& site, std::initializer_list<std::string_view> names) {
  for (unsigned n = 0; n < site.row().settings.size(); ++n) {
    const SettingColumn& column = site.row().settings[n];
    const std::uint32_t value = site.insn().settings[n];
    if (value >= column.least && value <= column.most) continue;
    if (std::ranges::find(names, column.name) == names.end()) continue;
    return std::string(column.name) + " is " + number(value) + "; allowed: " + number(column.least) + " to " +
           number(column.most);
  }
  return {};
}

/// The setting called `name` becomes the greatest that its column allows, or one more.
bool to_most(EdgeSubject& s, std::string_view name) {
  for (const SettingColumn& column : s.row().settings)
    if (column.name == name) return s.put(name, s.outside ? column.most + 1 : column.most);
  return false;
}

constexpr std::string_view kShift = "by";

bool shifts(const Row& row) {
  return setting_index(row, kShift).has_value();
}

Complaint shift_too_far(const Site& site) {
  if (!shifts(site.row())) return {};
  if (Complaint complaint = setting_outside(site, {kShift})) return complaint;
  const std::uint32_t by = setting(site.insn(), kShift), width = 8 * size_of(site.insn().dst_type);
  if (by <= width) return {};
  return "by " + number(by) + "; allowed: 0 to " + number(width);
}

Complaint order_outside(const Site& site) {
  return setting_outside(site, {"order"});
}
Complaint pattern_outside(const Site& site) {
  return setting_outside(site, {"pattern", "counter"});
}
Complaint pad_mode_outside(const Site& site) {
  return setting_outside(site, {"mode", "side"});
}

Complaint no_elements_to_count(const Site& site) {
  if (!site.row().compacts) return {};
  if (setting(site.insn(), "counter") != 1 || setting(site.insn(), "mask") != 0) return {};
  return "mask is 0 in counter mode; allowed: 1 to " + number(kMostCount);
}

constexpr LegalityRule kRangeRules[] = {
    {.position = 60,
     .id = "LAW-repeat-range",
     .kind = "range",
     .claim = "Repeat times are 0 to 255.",
     .source = {kDevkit, "high-dimensional APIs"},
     .profiles = vmc | a2 | p310,
     .checks = {{Stage::repeat, repeat_too_large}},
     .edge = to_most_repeats},
    {.position = 390,
     .id = "TIK-range-repeat",
     .kind = "range",
     .claim = "repeat_times is 0 to 255.",
     .source = {kTik, "notes"},
     .profiles = tik,
     .checks = {{Stage::repeat, repeat_too_large}},
     .edge = to_most_repeats},
    {.position = 400,
     .id = "TIK-immediate-zero",
     .kind = "range",
     .claim = "An immediate repeat_times is not 0; a Scalar may be.",
     .source = {kTik, "notes"},
     .profiles = tik,
     .checks = {{Stage::repeat, immediate_zero}},
     .edge = to_zero_repeats},
    {.position = 80,
     .id = "LAW-length-range",
     .kind = "range",
     .claim = "A queue of a merge has at most 4095 records.",
     .source = {kDevkit, "MrgSort"},
     .profiles = vmc | a2,
     .checks = {{Stage::settings, queue_too_long}},
     .edge = to_most_records},
    {.position = 160,
     .id = "LAW-shift-range",
     .kind = "range",
     .claim = "A shift is by at most the width of the element.",
     .source = {kDevkit, "ShiftLeft, ShiftRight"},
     .profiles = a2,
     .checks = {{Stage::settings, shift_too_far}},
     .edge =
         [](EdgeSubject& s) {
           const std::uint32_t width = 8 * size_of(s.insn.dst_type);
           return s.put(kShift, s.outside ? width + 1 : width);
         }},
    {.position = 170,
     .id = "LAW-order-range",
     .kind = "range",
     .claim = "The order of an extreme and its index is 0 to 3.",
     .source = {kDevkit, "ReduceRepeat"},
     .profiles = a2,
     .checks = {{Stage::settings, order_outside}},
     .edge = [](EdgeSubject& s) { return to_most(s, "order"); }},
    {.position = 290,
     .id = "GM-range-pattern",
     .kind = "range",
     .claim = "A fixed pattern is 1 to 7.",
     .source = {kGm, "src1_pattern"},
     .profiles = a2 | p310,
     .checks = {{Stage::settings, pattern_outside}},
     .edge = [](EdgeSubject& s) { return to_most(s, "pattern"); }},
    {.position = 300,
     .id = "GM-range-mask",
     .kind = "range",
     .claim = "The mask of counter mode is 1 to 2^32 - 1.",
     .source = {kGm, "mask"},
     .profiles = a2 | p310,
     .checks = {{Stage::settings, no_elements_to_count}},
     .edge =
         [](EdgeSubject& s) {
           return s.row().compacts && s.put("counter", 1) && s.put("mask", s.outside ? 0 : 1);
         }},
    {.position = 320,
     .id = "VP-range-pad-mode",
     .kind = "range",
     .claim = "padMode is 0, 1 or 2.",
     .source = {kVp, "padMode"},
     .profiles = p310,
     .checks = {{Stage::settings, pad_mode_outside}},
     .edge = [](EdgeSubject& s) { return to_most(s, "mode"); }},
};

}  // namespace

std::span<const LegalityRule> range_rules() {
  return kRangeRules;
}

}  // namespace lanecheck::legality
