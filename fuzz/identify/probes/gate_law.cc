#include "fuzz/identify/probes/gate_law.h"

#include <algorithm>

#include "fuzz/identify/probes/intervals.h"

namespace lanecheck {

bool RepeatLaw::holds(unsigned repeat, unsigned count) const {
  switch (kind) {
    case Kind::all:
      return true;
    case Kind::first:
      return repeat == 0;
    case Kind::last:
      return repeat + 1 == count;
    case Kind::not_last:
      return repeat + 1 < count;
    case Kind::rest:
      return repeat >= count - count % from;
    case Kind::from:
      return repeat >= from;
    case Kind::even:
      return repeat % 2 == 0;
    case Kind::odd:
      return repeat % 2 == 1;
    case Kind::listed:
      break;
  }
  return std::ranges::find(listed, repeat) != listed.end();
}

std::string RepeatLaw::text() const {
  switch (kind) {
    case Kind::all:
      return {};
    case Kind::first:
      return "in the first repeat";
    case Kind::last:
      return "in the last repeat";
    case Kind::not_last:
      return "in every repeat but the last";
    case Kind::rest:
      return "in the last n mod " + std::to_string(from) + " of n repeats";
    case Kind::from:
      return from == 1 ? "in every repeat after the first"
                       : "from repeat " + std::to_string(from) + " (counted from 0) on";
    case Kind::even:
      return "in every even repeat (counted from 0)";
    case Kind::odd:
      return "in every odd repeat (counted from 0)";
    case Kind::listed:
      break;
  }
  return "in " + counted_noun("repeat", listed) + " (counted from 0)";
}

RepeatLaw repeat_law(const std::vector<unsigned>& repeats, unsigned count) {
  using Kind = RepeatLaw::Kind;
  const unsigned first = repeats.front();
  const auto is = [&](const RepeatLaw& law) {
    for (unsigned repeat = 0; repeat < count; ++repeat)
      if (law.holds(repeat, count) != (std::ranges::find(repeats, repeat) != repeats.end())) return false;
    return true;
  };
  std::vector<RepeatLaw> laws = {{Kind::all}, {Kind::first}, {Kind::last}};
  constexpr unsigned kMany = 64;  // of few repeats, the last ones are a rest of many groups
  if (count >= kMany) laws.insert(laws.end(), {{Kind::rest, 4}, {Kind::rest, 8}, {Kind::rest, 16}});
  laws.push_back({Kind::from, first});
  if (count > 2) laws.insert(laws.end(), {{Kind::not_last}, {Kind::even}, {Kind::odd}});
  for (const RepeatLaw& law : laws)
    if (is(law)) return law;
  return {Kind::listed, 0, repeats};
}

std::vector<RepeatLaw> repeat_laws() {
  using Kind = RepeatLaw::Kind;
  return {{Kind::all}, {Kind::last}, {Kind::from, 1}, {Kind::first},
          {Kind::odd}, {Kind::even}, {Kind::not_last}};
}

std::optional<Instruction> without_last_repeat(const Instruction& insn) {
  if (!row_of(insn.op).has_repeat || insn.scalar_repeat || insn.repeat == 0) return {};
  Instruction less = insn;
  --less.repeat;
  return less;
}

std::optional<Instruction> once_if_repeat_is_0(const Instruction& insn) {
  return insn.repeat == 0 ? with_one_repeat_more(insn) : std::nullopt;
}

std::optional<Instruction> with_one_repeat_more(const Instruction& insn) {
  if (!row_of(insn.op).has_repeat || insn.scalar_repeat) return {};
  Instruction more = insn;
  ++more.repeat;
  return more;
}

}  // namespace lanecheck
