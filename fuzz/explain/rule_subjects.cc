#include "fuzz/explain/rule_subjects.h"

#include <algorithm>

namespace lanecheck {
namespace {

enum class RuleSubject : std::uint8_t {
  mask,        ///< which elements take part, what the others do, what stands in the register
  lane_count,  ///< how many lanes a repeat has
  repeats,     ///< how many repeats there are
  strides,
  in_place,  ///< dst that is also a source
  elements   ///< which elements an instruction moves, by control, pattern or padding
};

struct SubjectOf {
  std::string_view start;  ///< of the ids
  RuleSubject subject;
};

/// The first row that fits. All others speak of the mask.
constexpr SubjectOf kSubjects[] = {
    {"VMC-1-prefix-", RuleSubject::lane_count},
    {"VMC-3.1-cast-", RuleSubject::lane_count},
    {"VMC-4-own-control", RuleSubject::elements},
    {"VMC-4-packed-", RuleSubject::elements},
    {"SVM-1-16bit", RuleSubject::lane_count},
    {"SVM-1-32bit", RuleSubject::lane_count},
    {"SVM-1-64bit", RuleSubject::lane_count},
    {"SVM-2-repeats", RuleSubject::repeats},
    {"SVM-2-strides", RuleSubject::strides},
    {"GM-2-user-stride", RuleSubject::strides},
    {"GM-4-", RuleSubject::strides},
    {"GM-6-", RuleSubject::mask},
    {"GM-", RuleSubject::elements},
    {"VP-1-", RuleSubject::elements},
    {"VP-2-mask-read", RuleSubject::elements},
    {"VP-3-count-read", RuleSubject::elements},
    {"VP-4-strides", RuleSubject::strides},
    {"TIK-1-32bit", RuleSubject::lane_count},
    {"TIK-2-counter-repeats", RuleSubject::repeats},
    {"TIK-3-", RuleSubject::repeats},
    {"TIK-4-", RuleSubject::strides},
    {"TIK-5-", RuleSubject::in_place},
};

RuleSubject subject_of(std::string_view rule) {
  const auto row =
      std::ranges::find_if(kSubjects, [&](const auto& each) { return rule.starts_with(each.start); });
  return row == std::end(kSubjects) ? RuleSubject::mask : row->subject;
}

/// Where control and packed results lie is a law of their own operand alone.
bool is_of_operand(std::string_view rule, MapKind map) {
  if (rule == "VMC-4-packed-control" || rule == "VMC-4-own-control") return map == MapKind::control;
  return rule != "VMC-4-packed-result" || map == MapKind::dst;
}

/// May a law of addresses contradict the rule?
bool may_break_by_address(std::string_view rule, const Difference& law) {
  const RuleSubject subject = subject_of(rule);
  if (subject == RuleSubject::strides) return !law.of_repeats;
  if (subject == RuleSubject::repeats) return law.of_repeats;
  if (subject == RuleSubject::in_place) return law.in_place;
  if (subject == RuleSubject::lane_count) return law.of_lane_count;
  if (subject == RuleSubject::elements) return !law.stride && is_of_operand(rule, law.map);
  // Active elements of a repeat that is left out are not written.
  const bool of_padding = rule == "VP-2-bitwise" || rule == "VP-2-contiguous";
  if (of_padding && law.map == MapKind::dst && !law.stride && !law.places) return true;
  return law.of_repeats && (of_padding || rule == "VMC-3.1-writes-active" || rule == "SVM-1-contiguous" ||
                            rule == "SVM-1-bitwise");
}

/// May a law of masks contradict the rule?
bool may_break_by_mask(std::string_view rule, const Difference& law) {
  const RuleSubject subject = subject_of(rule);
  if (subject == RuleSubject::strides) return false;
  if (subject == RuleSubject::repeats) return law.of_repeats || law.map == MapKind::length;
  if (subject == RuleSubject::in_place) return law.in_place;
  // Lanes that are never or always on do not show which word is taken first.
  if (rule == "TIK-1-list-order" || rule == "VMC-2-argument-order") return !law.gates;
  return !rule.starts_with("VMC-4-packed-");
}

}  // namespace

void drop_rules_of_other_matters(std::vector<std::string>& rules, const MeasuredCause& cause) {
  const Difference& law = cause.difference;
  // A lane that is never written disobeys the mask, whether or not the repeat is addressed rightly.
  const bool of_values = law.map == MapKind::values && cause.matter == Matter::arithmetic && !law.masked_off;
  if (of_values)  // the results are wrong under a full mask, and at their places
    std::erase_if(rules, [](const std::string& id) { return subject_of(id) != RuleSubject::elements; });
  const bool of_mask = cause.matter == Matter::mask || law.gates;
  if (!of_mask && cause.matter != Matter::address) return;
  std::erase_if(rules, [&](const std::string& rule) {
    return of_mask ? !may_break_by_mask(rule, law) : !may_break_by_address(rule, law);
  });
}

}  // namespace lanecheck
