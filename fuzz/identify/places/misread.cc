#include "fuzz/identify/places/misread.h"

#include <algorithm>
#include <map>
#include <unordered_map>

#include "fuzz/identify/probes/index_formula.h"
#include "fuzz/identify/probes/intervals.h"
#include "fuzz/identify/probes/place_map.h"
#include "spec/text/program_text.h"

namespace lanecheck {
namespace {

/// Every one of `count` repeats from `period` on reads what the repeats from 0 on read, again and again.
/// Nothing if few repeats show it: other laws fit those too.
std::optional<unsigned> period_of(const Numbers& repeats, const Numbers& read, unsigned count) {
  constexpr unsigned kLeast = 4;
  const unsigned period = repeats.front();
  if (period < kLeast || sorted_unique(read).size() < 2) return {};
  if (sorted_unique(repeats).size() != count - period) return {};
  for (std::size_t n = 0; n < repeats.size(); ++n)
    if (read[n] != repeats[n] % period) return {};
  return period;
}

/// "src0 of add.f32 starts again at repeat 0 every 100 repeats": `when`, with a key of its own.
Difference starts_again(const Subject& subject, unsigned k, unsigned modulus, const std::string& when,
                        const std::string& key) {
  Difference difference{map_of_role(bare_role(subject, k)),
                        bare_role(subject, k) + " of " + mnemonic(subject.insn) +
                            " starts again at repeat 0 " + when + ": repeat R reads repeat R mod " +
                            std::to_string(modulus),
                        {}};
  difference.key = "src: starts again " + key;
  difference.of_all_shapes = difference.says_all = true;
  return difference;
}

/// Do all later repeats, or those behind the last whole group, read what the first ones read?
std::optional<Difference> restart(const Subject& subject, unsigned k, const Numbers& repeats,
                                  const Numbers& read) {
  const unsigned count = repeats_of(subject.insn);
  const RepeatLaw law = repeat_law(sorted_unique(repeats), count);
  const bool is_rest = law.kind == RepeatLaw::Kind::rest &&
                       std::ranges::equal(read, repeats, {}, {}, [&](unsigned r) { return r % law.from; });
  if (is_rest)
    return starts_again(subject, k, law.from, law.text(),
                        "in the rest of groups of " + std::to_string(law.from));
  const auto period = period_of(repeats, read, count);
  if (!period) return {};
  const std::string every = "every " + std::to_string(*period) + " repeats";
  return starts_again(subject, k, *period, every, every);
}

}  // namespace

std::string bare_role(const Subject& subject, unsigned k) {
  return std::string(row_of(subject.insn.op).operands[k].role);
}

std::string lanes_with_verb(const Subject& subject, const Numbers& lanes, const std::string& one,
                            const std::string& several) {
  const Numbers each = sorted_unique(lanes);
  return counted_noun("lane", each) + " of " + mnemonic(subject.insn) + " " +
         (each.size() == 1 ? one : several);
}

std::optional<Difference> by_lanes(const Subject& subject, unsigned k, const std::vector<Misread>& wrong) {
  std::unordered_map<std::int32_t, Lane> lane_of;
  for (unsigned r = repeats_of(subject.insn); r-- > 0;)
    for (unsigned lane = lanes_of(subject.insn); lane-- > 0;)
      lane_of.insert_or_assign(element_at(subject.insn, k, r, lane), Lane{r, lane});
  Numbers from, to, repeats, read;
  for (const Misread& each : wrong) {
    const auto source = lane_of.find(each.actual);
    if (source == lane_of.end()) return {};
    from.push_back(each.at.lane);
    to.push_back(source->second.lane);
    repeats.push_back(each.at.repeat);
    read.push_back(source->second.repeat);
  }
  std::string formula, of = " of the same repeat";
  const bool same_lane = from == to;
  if (!same_lane) {
    const auto lanes = index_formula(from, to, lanes_of(subject.insn), "L");
    if (!lanes) return {};
    formula = "lane " + *lanes;
  }
  if (same_lane)
    if (auto again = restart(subject, k, repeats, read)) return again;
  if (repeats != read) {
    const auto formula_of_repeats = index_formula(repeats, read, repeats_of(subject.insn), "R");
    if (!formula_of_repeats) return {};
    of = " of repeat " + *formula_of_repeats;
  }
  const bool one = sorted_unique(from).size() == 1;
  std::string instead = " instead of lane L";
  if (same_lane) instead = one ? " instead of its own" : " instead of their own";
  return Difference{map_of_role(bare_role(subject, k)),
                    lanes_with_verb(subject, from, "reads ", "read ") + bare_role(subject, k) + " at " +
                        (same_lane ? "the same lane" : formula) + of + instead +
                        (of.find('R') == std::string::npos ? "" : " of repeat R"),
                    in_repeats(sorted_unique(repeats), repeats_of(subject.insn))};
}

std::optional<Difference> by_order(const Subject& subject, unsigned k, const std::vector<Misread>& wrong) {
  const Instruction& insn = subject.insn;
  std::map<std::int32_t, std::vector<Writer>> writers;  // of a place of dst
  for (unsigned r = 0; r < repeats_of(insn); ++r)
    for (unsigned lane = 0; lane < lanes_of(insn); ++lane)
      writers[element_at(insn, 0, r, lane)].push_back({r, lane, element_at(insn, k, r, lane)});
  std::vector<WrongWriter> places;
  for (const Misread& each : wrong) places.push_back({&writers[each.place], each.actual});
  return order_of_writers(subject, places);
}

std::optional<Difference> order_of_writers(const Subject& subject, const std::vector<WrongWriter>& wrong) {
  const Instruction& insn = subject.insn;
  const auto are_all = [&](const auto& is_winner) {
    return std::ranges::all_of(wrong, [&](const WrongWriter& each) {
      return std::ranges::any_of(*each.writers, [&](const Writer& one) {
        return one.element == each.actual && is_winner(*each.writers, one);
      });
    });
  };
  if (!are_all([](const auto&, const Writer&) { return true; })) return {};
  const bool of_last_repeat =
      are_all([](const auto& all, const Writer& one) { return one.repeat == all.back().repeat; });
  if (of_last_repeat) {
    const bool first = are_all([](const auto& all, const Writer& one) {
      return &one == &*std::ranges::find(all, all.back().repeat, &Writer::repeat);
    });
    Difference said{MapKind::dst,
                    "where several lanes of a repeat of " + mnemonic(insn) +
                        " write one place, the result of " + (first ? "the first lane" : "another lane") +
                        " stays instead of the last one",
                    {}};
    said.of_order = true;
    return said;
  }
  const unsigned per = per_block(insn.dst_type);
  const bool reversed =
      are_all([](const auto& all, const Writer& one) { return one.repeat == all.front().repeat; });
  const bool by_block = are_all([per](const auto& all, const Writer& one) {
    return std::ranges::all_of(all, [&](const Writer& other) {
      return std::pair(other.lane / per, other.repeat) <= std::pair(one.lane / per, one.repeat);
    });
  });
  std::string as_if = "the repeats ran in another order";
  if (reversed) as_if = "the repeats ran in reverse order";
  if (by_block)
    as_if = (reversed ? as_if + ", or " : "") +
            "each data block ran through all repeats before the next block did";
  Difference difference{MapKind::dst,
                        "where several repeats of " + mnemonic(insn) + " write one place, the result of " +
                            (reversed ? "the first repeat" : "an earlier repeat") +
                            " stays instead of the last one, as if " + as_if,
                        {}};
  difference.general = "where several repeats write one place, the result of an earlier one stays";
  difference.of_order = true;
  return difference;
}

}  // namespace lanecheck
