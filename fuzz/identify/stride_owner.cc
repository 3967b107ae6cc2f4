#include "fuzz/identify/stride_owner.h"

#include <algorithm>
#include <cstdlib>
#include <functional>
#include <string>

#include "fuzz/identify/exchanged_strides.h"
#include "fuzz/identify/named_stride.h"
#include "fuzz/identify/places/places_of_subject.h"
#include "fuzz/identify/probes/shapes.h"
#include "fuzz/identify/start_of_repeats.h"
#include "fuzz/identify/trials/rounded_start.h"
#include "fuzz/identify/unit_of_stride.h"
#include "reports/format.h"
#include "spec/mask/footprint.h"
#include "spec/text/program_text.h"

namespace lanecheck {
namespace {

struct StrideField {
  std::string_view name;
  std::uint32_t Operand::*value;
};

constexpr StrideField kFields[] = {{"block stride ", &Operand::block_stride},
                                   {"repeat stride ", &Operand::repeat_stride}};

std::string clause(const StrideField& field, std::int64_t stride) {
  return "walks with " + std::string(field.name) + std::to_string(stride) + " instead of ";
}

bool has(const OperandColumn& column, const StrideField& field) {
  const bool is_repeat = field.value == &Operand::repeat_stride;
  return column.walk == Walk::blocks || (is_repeat && column.walk == Walk::results);
}

/// Was the walk of operand `k` measured? Without that, no difference says nothing.
bool shows_operand(const PlaceMaps& measured, unsigned k) {
  if (!measured.destination.map) return false;
  return k == 0 || std::ranges::any_of(measured.sources, [&](const Measured<SourceMap>& source) {
           return source.map && source.map->operand == k;
         });
}

/// Does operand `k` walk with another stride if that of operand `other` is another one?
bool follows(Subject subject, MaskWords mask, const StrideField& field, unsigned k, unsigned other,
             const Ask& ask) {
  const auto columns = row_of(subject.insn.op).operands;
  std::uint32_t& stride = subject.insn.operands[other].*field.value;
  ++stride;
  if (stride == subject.insn.operands[k].*field.value) ++stride;
  const std::string expected = clause(field, stride);
  const auto differences = differences_in_places(subject, mask, ask);
  return std::ranges::any_of(differences, [&](const Difference& each) {
    return name_of(each.map) == columns[k].role && each.what.find(expected) != std::string::npos;
  });
}

/// The part of a sentence before `begin`: "from data block 4 on, src of relu.i32 "
std::string before(const Difference& difference, const std::string& begin) {
  return difference.what.substr(0, difference.what.find(begin));
}

/// The stride with which operand `k` walks if `stride` is given, in the data blocks and repeats of which
/// `seen` speaks; nothing if it cannot be told.
std::optional<std::int64_t> walks_with(Subject subject, MaskWords mask, const StrideField& field, unsigned k,
                                       std::uint32_t stride, const Difference& seen, const Ask& ask) {
  subject.insn.operands[k].*field.value = stride;
  const std::string_view role = row_of(subject.insn.op).operands[k].role;
  const PlaceMaps measured = places_of(subject, mask, ask);
  if (!shows_operand(measured, k)) return {};
  for (const Difference& each : differences_in_places(subject, measured, mask)) {
    if (k != 0 && each.map == MapKind::dst) return {};  // then the sources were not compared
    if (name_of(each.map) != role) continue;
    const std::string begin = "walks with " + std::string(field.name);
    const std::size_t at = each.what.find(begin);
    if (at == std::string::npos || each.what.find(" and ") != std::string::npos) return {};
    if (before(each, begin) != before(seen, begin) || each.where != seen.where) return {};
    return std::strtoll(each.what.c_str() + at + begin.size(), nullptr, 10);
  }
  return stride;
}

/// Are there legal probes with this stride?
bool can_be_asked(Subject subject, MaskWords mask, const StrideField& field, unsigned k,
                  std::uint32_t stride) {
  subject.insn.operands[k].*field.value = stride;
  return places_of(subject, mask, ask_oracle()).destination.map.has_value();
}

/// What an operand makes of one of its strides.
struct StrideRule {
  std::string text;  ///< "walks with block stride 1, whatever is given"
  std::function<std::int64_t(std::int64_t)> taken;
  bool is_most = false;                         ///< it says something of greater strides only
  bool reaches = false;                         ///< it walks too far for large strides to be measured
  std::string if_text{};                        ///< ", if the block stride of dst is 1"; empty: always
  std::function<bool(const Operand&)> holds{};  ///< empty: always
  std::int64_t times_block = 0;                 ///< not 0: so many block strides are taken, whatever is given
  std::uint32_t edge = 0;                       ///< not 0: a stride that is asked before the rule is said

  std::int64_t taken_by(const Operand& operand, std::uint32_t Operand::*field) const {
    if (holds && !holds(operand)) return operand.*field;
    return times_block == 0 ? taken(operand.*field) : times_block * operand.block_stride;
  }
};

/// What could make `wrong` of the stride that is given.
std::vector<StrideRule> possible_rules(const std::string& name, std::int64_t wrong) {
  const std::string number = std::to_string(wrong);
  std::vector<StrideRule> rules = {
      {"walks with " + name + " " + number + ", whatever is given", [wrong](std::int64_t) { return wrong; }},
      {"takes a " + name + " of 0 as " + number,
       [wrong](std::int64_t stride) { return stride == 0 ? wrong : stride; }},
      {"walks with " + name + " " + number + " if more is given",
       [wrong](std::int64_t stride) { return std::min(stride, wrong); }, true},
      {"walks with " + name + " " + number + " if less is given",
       [wrong](std::int64_t stride) { return std::max(stride, wrong); }},
      {"walks with a " + name + " that is one more than what is given",
       [](std::int64_t stride) { return stride + 1; }},
      {"walks with a " + name + " that is one less than what is given",
       [](std::int64_t stride) { return stride - std::min<std::int64_t>(stride, 1); }},
      {"rounds an odd " + name + " down to an even one", [](std::int64_t stride) { return stride / 2 * 2; }},
      {"rounds an odd " + name + " up to an even one",
       [](std::int64_t stride) { return (stride + 1) / 2 * 2; }},
      {"takes its " + name + " for a signed byte: more than 127 is negative",
       [](std::int64_t stride) { return std::int64_t{static_cast<std::int8_t>(stride & 255)}; }},
      {"walks with twice the " + name + " that is given", [](std::int64_t stride) { return 2 * stride; },
       false, true},
      {"walks with half of the " + name + " that is given (even ones were asked)",
       [](std::int64_t stride) { return stride / 2; }}};
  for (unsigned bits = 1; bits <= 8; ++bits)
    rules.push_back({.text = "uses only the lowest " + counted(bits, "bit") + " of its " + name,
                     .taken = [bits](std::int64_t stride) { return stride & ((1u << bits) - 1); },
                     .edge = bits < 8 ? 1u << bits : 0});
  return rules;
}

/// The stride with which dst of an addition walks if the stride is given that dst of the subject must not
/// have; nothing if it cannot be told. The same code may take the strides of both.
std::optional<std::int64_t> dst_of_addition_walks_with(const Subject& subject, const StrideField& field,
                                                       std::uint32_t stride, const Difference& seen,
                                                       const Ask& ask) {
  const Row& add = row_of(Op::add);
  for (const TypePair& types : add.in(subject.profile).pairs) {
    const Subject twin = in_a_row(default_subject(subject.profile, add, types), subject.insn.repeat);
    Difference as_seen = seen;
    const std::string name = mnemonic(subject.insn);
    if (const std::size_t at = as_seen.what.find(name); at != std::string::npos)
      as_seen.what.replace(at, name.size(), mnemonic(twin.insn));
    if (const auto taken = walks_with(twin, full_mask(twin), field, 0, stride, as_seen, ask)) return taken;
  }
  return {};
}

/// The rule that gives `wrong` for the subject's stride, and what the backend does with large and small
/// ones.
std::optional<StrideRule> rule_of(const Subject& subject, MaskWords mask, const StrideField& field,
                                  unsigned k, std::int64_t wrong, const Difference& seen, const Ask& ask) {
  // Where two repeats must not write one place, small strides cannot be asked: the others stand in for them.
  // A rule that reaches far is asked with the last ones, of dst with the very last.
  struct AskedStride {
    std::uint32_t stride, instead, near, close;
  };
  constexpr std::uint32_t kSmall = 1;
  constexpr AskedStride kAsked[] = {
      {255, 255, 45, 12}, {182, 254, 40, 10}, {6, 11, 11, 11}, {kSmall, 8, 8, 8}};
  std::vector<StrideRule> rules =
      possible_rules(std::string(field.name.substr(0, field.name.size() - 1)), wrong);
  const auto drop = [&](std::int64_t given, std::int64_t taken) {
    std::erase_if(rules, [&](const StrideRule& rule) { return rule.taken(given) != taken; });
  };
  drop(subject.insn.operands[k].*field.value, wrong);
  bool less_was_asked = false, stood_in = false;
  Subject few = subject;  // repeats, if the largest strides need too much room
  constexpr std::uint32_t kFewRepeats = 3;
  if (!can_be_asked(few, mask, field, k, kAsked[0].stride) && few.insn.repeat > kFewRepeats)
    few.insn.repeat = kFewRepeats;
  for (const auto& [stride, instead, near, close] : kAsked) {
    std::uint32_t each = can_be_asked(few, mask, field, k, stride) ? stride : instead;
    less_was_asked |= each < wrong;
    stood_in |= each != stride;
    auto taken = walks_with(few, mask, field, k, each, seen, ask);
    if (!taken) taken = walks_with(few, mask, field, k, each = instead, seen, ask);
    if (!taken && each % 2 == 1)  // half of it is no number of data blocks
      taken = walks_with(few, mask, field, k, --each, seen, ask);
    for (const std::uint32_t less : {near, close})
      if (!taken && less != instead)
        if (taken = walks_with(few, mask, field, k, less, seen, ask); taken) {
          each = less;
          std::erase_if(rules, [](const StrideRule& rule) { return !rule.reaches; });
        }
    if (!taken) return {};
    drop(each, *taken);
  }
  if (rules.empty()) return {};
  // What smaller strides would do is not known: an addition may tell, else the rule that says nothing of them
  // is enough.
  const auto most = std::ranges::find(rules, true, &StrideRule::is_most);
  if (stood_in && !less_was_asked && most != rules.end()) {
    const auto taken = k == 0 ? dst_of_addition_walks_with(subject, field, kSmall, seen, ask) : std::nullopt;
    if (taken != rules.front().taken(kSmall)) return *most;
  }
  StrideRule rule = rules.front();
  if (rule.edge == 0 || !can_be_asked(few, mask, field, k, rule.edge)) return rule;
  const auto taken = walks_with(few, mask, field, k, rule.edge, seen, ask);
  if (!taken || *taken == rule.taken(rule.edge)) return rule;
  if (*taken != rule.edge) return {};
  rule.if_text = ", if it is more than " + std::to_string(rule.edge);
  return rule;
}

/// What is known of a rule of the repeat stride with other block strides.
struct WithBlocks {
  unsigned same = 0, right = 0, scaled = 0, others = 0;
};

/// The rule with what other block strides of operand `k` make of it; nothing if they refute it.
std::optional<StrideRule> with_block_strides(const Subject& subject, MaskWords mask, const StrideField& field,
                                             unsigned k, StrideRule rule, const Difference& seen,
                                             const Ask& ask) {
  if (field.value != &Operand::repeat_stride || row_of(subject.profile).block_stride_fixed) return rule;
  if (row_of(subject.insn.op).operands[k].walk != Walk::blocks) return rule;
  constexpr std::uint32_t kFar = 45;  // the data blocks of two repeats lie apart
  const Operand& own = subject.insn.operands[k];
  const std::uint32_t stride = rule.taken(kFar) != kFar ? kFar : own.repeat_stride;
  const std::int64_t wrong = rule.taken(stride), times = own.block_stride == 0 ? 0 : wrong / own.block_stride;
  const bool constant =
      own.block_stride > 0 && wrong == times * own.block_stride && rule.taken(stride + 1) == wrong;
  WithBlocks one, more;  // block strides of 1, and more
  for (const std::uint32_t block : {1u, 2u, 3u, 5u}) {
    if (block == own.block_stride) continue;
    Subject other = subject;
    other.insn.operands[k].block_stride = block;
    if (!can_be_asked(other, mask, field, k, stride)) continue;
    const auto taken = walks_with(other, mask, field, k, stride, seen, ask);
    if (!taken) continue;
    WithBlocks& known = block == 1 ? one : more;
    ++known.others;
    known.same += *taken == wrong ? 1 : 0;
    known.right += *taken == stride ? 1 : 0;
    known.scaled += *taken == times * block ? 1 : 0;
  }
  if (one.same == one.others && more.same == more.others) return rule;
  const std::string of_block = ", if its block stride is ";
  if (constant && more.others > 0 && more.scaled == more.others) {
    rule.text = "walks with a repeat stride that is " + std::to_string(times) +
                " times its block stride, whatever is given";
    rule.times_block = times;
    if (one.scaled == one.others) return rule;
  } else if (own.block_stride == 1 && more.right == more.others) {
    rule.if_text = of_block + "1";
    rule.holds = [](const Operand& operand) { return operand.block_stride == 1; };
    return rule;
  } else if (own.block_stride < 2 || more.others == 0 || more.same != more.others) {
    return {};
  }
  if (one.right != one.others) return {};
  rule.if_text = of_block + "more than 1";
  rule.holds = [](const Operand& operand) { return operand.block_stride > 1; };
  return rule;
}

/// Does the sentence speak of all data blocks and all repeats?
bool is_of_all(const Difference& difference) {
  return difference.what.starts_with(name_of(difference.map)) && difference.where.empty();
}

/// Does the operand start at the begin of its allocation, and not at its offset?
void name_lost_offset(const Subject& subject, Difference& difference) {
  constexpr std::string_view kBegin = " starts ", kEnd = " data blocks earlier";
  const auto own = operand_of(subject, difference);
  const std::size_t at = difference.what.find(kBegin);
  if (!own || at == std::string::npos || !difference.what.ends_with(kEnd) ||
      difference.what.find(" and ") != std::string::npos)
    return;
  const unsigned k = *own;
  const auto layout = lay_out(subject);
  if (!layout || std::strtoull(difference.what.c_str() + at + kBegin.size(), nullptr, 10) * kBlockBytes !=
                     layout->regions[k].margin)
    return;
  difference.what.replace(at, std::string::npos,
                          " starts where its allocation starts: its offset is ignored");
  if (!is_of_all(difference)) return;
  difference.places = [k](const Instruction& given) {
    Instruction executed = given;
    executed.operands[k].offset = 0;
    return std::optional(executed);
  };
}

/// Does the operand start elsewhere only where its address is no multiple of some number of bytes?
bool name_rounded_address(const Subject& subject, Difference& difference, const Ask& ask) {
  const bool is_elsewhere = difference.what.find(" data block earlier") != std::string::npos ||
                            difference.what.find(" data blocks earlier") != std::string::npos ||
                            difference.map == MapKind::control;
  const auto own = operand_of(subject, difference);
  if (!is_elsewhere || !own) return false;
  auto rounded = rounded_address(subject, *own, ask);
  if (!rounded) return false;
  difference = *std::move(rounded);
  return true;
}

/// Says of a single wrong stride what the operand makes of all of them.
void name_rule(const Subject& subject, MaskWords mask, Difference& difference, const StrideField& field,
               const Ask& ask) {
  const auto own = operand_of(subject, difference);
  const std::string begin = "walks with " + std::string(field.name);
  const std::size_t at = difference.what.find(begin);
  if (!own || at == std::string::npos) return;
  const unsigned k = *own;
  const std::int64_t wrong = std::strtoll(difference.what.c_str() + at + begin.size(), nullptr, 10);
  if (difference.what.substr(at) !=
      clause(field, wrong) + std::to_string(subject.insn.operands[k].*field.value))
    return;
  auto rule = rule_of(subject, mask, field, k, wrong, difference, ask);
  if (rule) rule = with_block_strides(subject, mask, field, k, *std::move(rule), difference, ask);
  if (!rule) return;
  const std::string text = rule->text + rule->if_text;
  const bool ends_aside = !difference.where.empty() && text.find(',') != std::string::npos;
  difference.what.replace(at, std::string::npos, text + (ends_aside ? "," : ""));
  if (!is_of_all(difference)) return;
  if (!rule->holds && rule->times_block == 0) difference.stride = StrideLaw{field.value, rule->taken};
  difference.places = [k, value = field.value, rule = *rule](const Instruction& given) {
    Instruction executed = given;
    executed.operands[k].*value = static_cast<std::uint32_t>(rule.taken_by(given.operands[k], value));
    return std::optional(executed);
  };
}

void name_owner(const Subject& subject, MaskWords mask, Difference& difference, const StrideField& field,
                const Ask& ask) {
  const auto columns = row_of(subject.insn.op).operands;
  const auto own = operand_of(subject, difference);
  if (!own) return;
  const unsigned k = *own;
  for (unsigned other = 0; other < columns.size(); ++other) {
    const std::uint32_t stride = subject.insn.operands[other].*field.value;
    const std::size_t at = difference.what.find(clause(field, stride));
    if (other == k || at == std::string::npos || !has(columns[other], field)) continue;
    if (!follows(subject, mask, field, k, other, ask)) continue;
    const std::uint32_t own_stride = subject.insn.operands[k].*field.value, more = stride + 3;
    const bool of_zero =
        own_stride == 0 && walks_with(subject, mask, field, k, more, difference, ask) == more;
    const std::string wrong = clause(field, stride) + std::to_string(own_stride), name(field.name),
                      role(columns[other].role);
    difference.what.replace(at, wrong.size(),
                            of_zero ? "takes a " + name + "of 0 as that of " + role
                                    : "walks with the " + name + "of " + role + " instead of its own");
    if (difference.places)  // if the other stride is as documented, the law holds for all strides
      difference.places = [k, other, of_zero, value = field.value,
                           alone = difference.what.find(" and ") == std::string::npos,
                           law = difference.places](const Instruction& given) -> std::optional<Instruction> {
        if (!alone) return law(given);
        Instruction executed = given;
        if (!of_zero || given.operands[k].*value == 0)
          executed.operands[k].*value = given.operands[other].*value;
        return executed;
      };
    return;
  }
}

}  // namespace

void name_stride_owners(const Subject& subject, MaskWords mask, std::vector<Difference>& differences,
                        const Ask& ask) {
  for (Difference& difference : differences) {
    if (name_rounded_address(subject, difference, ask)) continue;
    name_lost_offset(subject, difference);
    name_unit_of_stride(subject, mask, difference, ask);
    name_start_of_other_repeat(subject, mask, difference, ask);
    confirm_named_stride(subject, mask, difference, ask);
    name_exchanged_strides(subject, mask, difference, ask);
    for (const StrideField& field : kFields) {
      name_owner(subject, mask, difference, field, ask);
      name_rule(subject, mask, difference, field, ask);
    }
  }
}

}  // namespace lanecheck
