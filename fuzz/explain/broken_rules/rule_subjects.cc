#include "fuzz/explain/broken_rules/rule_subjects.h"

#include <algorithm>

#include "spec/rules/rule.h"

namespace lanecheck {
namespace {

About about(std::string_view id) {
  const Rule* const rule = find_rule(id);
  return rule != nullptr ? rule->about : About::mask;
}

bool is_of_control(std::string_view rule) {
  return rule == "VMC-4-packed-control" || rule == "VMC-4-own-control";
}

/// Where control and packed results lie is a law of their own operand alone.
bool is_of_operand(std::string_view rule, MapKind map) {
  if (is_of_control(rule)) return map == MapKind::control;
  return rule != "VMC-4-packed-result" || map == MapKind::dst;
}

/// May a law of addresses contradict the rule?
bool may_break_by_address(std::string_view rule, const Difference& law) {
  const About subject = about(rule);
  if (rule.ends_with("-empty")) return law.of_empty;
  if (subject == About::strides) return !law.of_repeats;
  if (subject == About::repeats) return law.of_repeats;
  if (subject == About::in_place) return law.in_place;
  if (subject == About::lane_count) return law.of_lane_count;
  if (subject == About::elements) return !law.stride && is_of_operand(rule, law.map);
  // Active elements of a repeat that is left out are not written.
  const bool of_padding = rule == "VP-2-bitwise" || rule == "VP-2-contiguous";
  if (of_padding && law.map == MapKind::dst && !law.stride && !law.places) return true;
  return law.of_repeats && (of_padding || rule == "VMC-3.1-writes-active" || rule == "SVM-1-contiguous" ||
                            rule == "SVM-1-bitwise");
}

/// Is the highest bit of a word taken for a sign?
bool speaks_of_sign(const Difference& law) {
  return std::ranges::any_of(
      std::initializer_list<std::string_view>{"bit 63", "slot 63 is 1", "negative"},
      [&](std::string_view words) { return law.what.find(words) != std::string::npos; });
}

/// May a law of what stands in the register contradict a rule about the words that are set?
bool may_break_by_register(std::string_view rule, const Difference& law) {
  if (rule == "VMC-2-lowest-bit-first" || rule == "VMC-2-highest-bit-last") return law.says_slots;
  if (rule == "VMC-7-set-mask-range")
    return law.what.find("255") != std::string::npos;  // other slots than 0..127
  return true;
}

/// Does the slot matter for a lane, in a repeat of `lanes` lanes in which the law tells some lanes from the
/// documents?
bool governs(const GateLaw& law, unsigned slot, unsigned lanes) {
  constexpr std::uint64_t kSome = 0x9e3779b97f4a7c15;
  constexpr MaskWords kMasks[] = {{0, 0}, {~std::uint64_t{0}, ~std::uint64_t{0}}, {kSome, ~kSome}};
  for (const MaskWords& mask : kMasks) {
    MaskWords flipped = mask;
    (slot < 64 ? flipped.low : flipped.high) ^= std::uint64_t{1} << slot % 64;
    for (unsigned repeat = 0; repeat < 2; ++repeat)
      for (unsigned lane = 0; lane < lanes; ++lane) {
        const auto one = law.on(repeat, lane, mask), other = law.on(repeat, lane, flipped);
        if (one != other || (!one && lane == slot)) return true;
      }
  }
  return false;
}

/// By the law, is a repeat of so many lanes governed by other slots than the first ones, one for each lane?
bool breaks_prefix(const GateLaw& law, unsigned lanes) {
  constexpr unsigned kSettable = 128;
  for (unsigned slot = 0; slot < kSettable; ++slot)
    if (governs(law, slot, lanes) != (slot < lanes)) return true;
  for (unsigned lane = kSettable; lane < lanes; ++lane)  // their slots are always 1
    if (law.on(0, lane, {0, 0}) == false) return true;
  return false;
}

/// By the law, is a lane on, or off, under this mask in one of the first repeats?
bool some_lane_is(bool on, const GateLaw& law, unsigned lanes, const MaskWords& mask) {
  for (unsigned repeat = 0; repeat < 4; ++repeat)
    for (unsigned lane = 0; lane < lanes; ++lane)
      if (law.on(repeat, lane, mask) == on) return true;
  return false;
}

bool loses_lanes_of_full(const GateLaw& law, unsigned lanes) {
  return some_lane_is(false, law, lanes, {~std::uint64_t{0}, ~std::uint64_t{0}});
}

/// Only a lane that is on although no slot is 1 ignores the mask.
bool ignores_mask_somewhere(const GateLaw& law, unsigned lanes) {
  return some_lane_is(true, law, lanes, {0, 0});
}

/// Rules that a law of gates decides by what it says of any mask.
struct RuleOfGates {
  std::string_view id;
  unsigned lanes;  ///< that the rule speaks of, from lane 0 on
  bool (*is_broken_by)(const GateLaw& law, unsigned lanes);
  bool Difference::*unless = nullptr;  ///< the law speaks of something else, too
};
constexpr RuleOfGates kRulesOfGates[] = {
    {"VMC-1-prefix-32bit", 64, breaks_prefix, &Difference::of_repeats},
    {"VMC-1-prefix-16bit", 128, breaks_prefix, &Difference::of_repeats},
    {"VMC-1-prefix-8bit", 256, breaks_prefix, &Difference::of_repeats},
    {"SVM-1-64bit", 32, loses_lanes_of_full, &Difference::of_lane_count},
    {"SVM-1-32bit", 64, loses_lanes_of_full, &Difference::of_lane_count},
    {"SVM-1-16bit", 128, loses_lanes_of_full, &Difference::of_lane_count},
    {"VMC-0-one-pattern", 128, ignores_mask_somewhere},  // the slots of lanes behind are always 1
};

/// Does the law break the rule? Nothing if the law does not say.
std::optional<bool> breaks_by_gates(std::string_view rule, const Difference& law) {
  const auto known = std::ranges::find(kRulesOfGates, rule, &RuleOfGates::id);
  if (known == std::end(kRulesOfGates) || !law.law || !law.law->on) return {};
  if (known->unless != nullptr && law.*known->unless) return {};
  return known->is_broken_by(*law.law, known->lanes);
}

/// Which slot a lane has, and whether the instruction consumes the mask at all.
bool speaks_of_own_slots(std::string_view rule) {
  return rule == "VMC-0-one-pattern" || rule == "VMC-1-slot-per-element" || rule.starts_with("VMC-1-prefix-");
}

/// May a law of masks contradict the rule?
bool may_break_by_mask(std::string_view rule, const Difference& law) {
  const About subject = about(rule);
  if (subject == About::strides) return false;
  if (subject == About::repeats) return law.of_repeats || law.map == MapKind::length;
  if (subject == About::in_place) return law.in_place;
  if (rule == "VMC-3.1-cast-wider" && law.map == MapKind::gate) return law.of_lane_count;
  if (rule == "VMC-2-unsigned-words") return speaks_of_sign(law);
  if (const auto breaks = breaks_by_gates(rule, law)) return *breaks;
  // What masked-off lanes receive: they are those whose own slots are 0.
  if (law.map == MapKind::gate && law.masked_off && !law.says_slots && speaks_of_own_slots(rule))
    return false;
  const bool is_of_writes = law.map == MapKind::gate || law.map == MapKind::length;
  if (is_of_writes && (rule == "VP-2-mask-read" || rule == "VP-3-count-read")) return false;
  if ((law.map == MapKind::state || law.map == MapKind::mask_register) && !may_break_by_register(rule, law))
    return false;
  // Lanes that are never or always on do not show which word is taken first.
  if (rule == "TIK-1-list-order" || rule == "VMC-2-argument-order")
    return !law.gates || law.gates == GateKind::slot;
  return !rule.starts_with("VMC-4-packed-");
}

/// Is a law of gather_mask about what the rule speaks of?
bool is_about(const Difference& law, std::string_view id) {
  const Rule* const rule = find_rule(id);
  if (rule == nullptr || !rule->gathers) return false;
  const bool of_strides =
      rule->gathers == GatherMatter::block_stride || rule->gathers == GatherMatter::repeat_stride;
  return std::ranges::any_of(law.gathers, [&](GatherMatter each) {
    return each == rule->gathers || (each == GatherMatter::strides && of_strides);
  });
}

}  // namespace

void drop_rules_of_other_matters(std::vector<std::string>& rules, const MeasuredCause& cause) {
  const Difference& law = cause.difference;
  if (!law.gathers.empty()) {
    std::erase_if(rules, [&](const std::string& rule) { return !is_about(law, rule); });
    return;
  }
  // A lane that is never written disobeys the mask, whether or not the repeat is addressed rightly.
  const bool of_values = law.map == MapKind::values && cause.matter == Matter::arithmetic && !law.masked_off;
  if (of_values)  // the results are wrong under a full mask, and at their places
    std::erase_if(rules,
                  [](const std::string& id) { return about(id) != About::elements || is_of_control(id); });
  const bool of_mask = cause.matter == Matter::mask || law.gates;
  if (!of_mask && cause.matter != Matter::address) return;
  std::erase_if(rules, [&](const std::string& rule) {
    return of_mask ? !may_break_by_mask(rule, law) : !may_break_by_address(rule, law);
  });
}

}  // namespace lanecheck
