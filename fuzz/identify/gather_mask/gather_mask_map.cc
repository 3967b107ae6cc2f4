#include "fuzz/identify/gather_mask/gather_mask_map.h"

#include <algorithm>
#include <functional>

#include "fuzz/identify/gather_mask/gather_mask_example.h"
#include "fuzz/identify/gather_mask/gather_mask_pattern.h"
#include "spec/mask/footprint.h"
#include "spec/text/program_text.h"

namespace lanecheck {
namespace {

using Comparisons = std::vector<GatherComparison>;

/// The calls that could be made on both sides.
Comparisons compare_calls(const Subject& subject, const Ask& ask) {
  Comparisons all;
  for (const GatherCall& call : gather_calls(subject)) {
    const auto is = gather(call, ask), should = gather(call, ask_oracle());
    if (is && should) all.push_back({call, *is, *should});
  }
  return all;
}

/// Elements that lie behind what the probe holds for src0 may be anything: they become those that were seen.
void take_unseen(const GatherComparison& seen, Gathered& predicted) {
  const auto layout = lay_out(seen.call.subject);
  if (!layout || predicted.places.size() != seen.is.places.size()) return;
  const Region& src = layout->regions[1];
  const auto end = static_cast<std::int32_t>((src.bytes - src.margin) / size_of(seen.call.insn().src_type));
  for (std::size_t n = 0; n < predicted.places.size(); ++n)
    if (predicted.places[n] >= end) predicted.places[n] = seen.is.places[n];
}

/// Does the law read the user pattern behind what the probe holds for src1? Any bits may stand there.
bool reads_unknown_bits(const GatherCall& call, const GatherLaw& law) {
  if (!call.is_user() || law.resolved) return false;
  const auto layout = lay_out(call.subject);
  if (!layout) return false;
  Instruction insn = call.insn();
  if (law.executed) law.executed(insn);
  const unsigned whole = whole_repeat(insn);
  const unsigned last = std::max(insn.repeat, call.counts() ? setting(insn, "mask") / whole + 1 : 1U) - 1;
  const GatherElement first{last, 0, whole, std::uint64_t{last} * whole};
  const std::uint64_t bit = law.bit ? law.bit(insn, first) : 8 * last * repeat_step(insn, 2);
  const Region& patterns = layout->regions[2];
  return bit + whole > std::uint64_t{8} * (patterns.bytes - patterns.margin);
}

/// Does `fits` hold for what each call should give: by the law if the condition holds for the call, else as
/// documented?
template <class Fits>
bool predicts_all(const Comparisons& all, const GatherCondition& condition, const GatherLaw* law,
                  const CountLaw* count, Fits fits) {
  return std::ranges::all_of(all, [&](const GatherComparison& each) {
    if (!condition.holds(each.call)) return fits(each.is, each.should);
    if (law && reads_unknown_bits(each.call, *law)) return true;
    Gathered predicted = predict(each.call, law, count);
    if (law) take_unseen(each, predicted);
    return fits(each.is, predicted);
  });
}

/// The law of the count, if elements are found, kept and put into dst by `law` (null: as documented).
std::optional<CountLaw> count_law(const Comparisons& all, const GatherCondition& condition,
                                  const GatherLaw* law) {
  for (const CountLaw& count : count_laws())
    if (predicts_all(all, condition, law, &count, std::equal_to<>())) return count;
  return {};
}

Difference said_of(const Instruction& insn, const GatherLaw& law, const std::string& more) {
  const std::string name = mnemonic(insn);
  const bool of_operand = law.map != MapKind::places;
  constexpr std::string_view kCounterMode = ", in its counter mode";
  std::string text = law.text;
  if (text.ends_with(kCounterMode) && more.starts_with(kCounterMode))
    text.resize(text.size() - kCounterMode.size());
  Difference said{
      law.map, (of_operand ? std::string(name_of(law.map)) + " of " : "") + name + " " + text + more, {}};
  said.gathers = {law.matter.value_or(GatherMatter::kept)};
  said.of_earlier = law.goes_on_behind_earlier;
  return said;
}

/// The difference if `law` gives what stands in dst after every call.
std::optional<Difference> difference_by(const Instruction& insn, const Comparisons& all,
                                        const GatherCondition& condition, const GatherLaw& law) {
  const auto same_places = [](const Gathered& a, const Gathered& b) { return a.places == b.places; };
  if (!predicts_all(all, condition, &law, nullptr, same_places)) return {};
  if (predicts_all(all, condition, &law, nullptr, std::equal_to<>()))
    return said_of(insn, law, condition.text);
  const auto count = count_law(all, condition, &law);
  Difference said =
      said_of(insn, law,
              condition.text + ", and " +
                  (count ? count->text : "returns another number than that of the elements it keeps"));
  said.gathers.push_back(GatherMatter::count);
  return said;
}

/// The difference if the law holds in calls of normal mode, or in those of one repeat: others do something
/// else that no law gives.
std::optional<Difference> difference_in_few_calls(const Instruction& insn, const Comparisons& all,
                                                  const GatherLaw& law) {
  const GatherCondition conditions[] = {
      {", in its normal mode", [](const GatherCall& call) { return !call.counts(); }},
      {", in a call of one repeat",
       [](const GatherCall& call) { return !call.counts() && call.insn().repeat == 1; }}};
  for (const GatherCondition& condition : conditions)
    if (std::ranges::all_of(all, [&](const GatherComparison& each) {
          return !condition.holds(each.call) || predict(each.call, &law, nullptr).places == each.is.places;
        }))
      return said_of(insn, law, condition.text);
  return {};
}

/// Does the law also predict the calls of a type with another size of elements?
bool holds_for_other_sizes(const Subject& subject, const GatherCondition& condition, const GatherLaw& law,
                           const Ask& ask) {
  const Row& row = row_of(subject.insn.op);
  for (const TypePair& types : row.in(subject.profile).pairs) {
    if (size_of(types.src) == size_of(subject.insn.src_type)) continue;
    Subject other = subject;
    other.insn.dst_type = types.dst;
    other.insn.src_type = types.src;
    const Comparisons all = compare_calls(other, ask);
    const auto same_places = [](const Gathered& a, const Gathered& b) { return a.places == b.places; };
    if (!all.empty()) return predicts_all(all, condition, &law, nullptr, same_places);
  }
  return false;
}

/// Where the kept elements end in dst, by the documents.
std::size_t end_of_kept(const GatherComparison& each) {
  std::size_t end = each.should.places.size();
  while (end > 0 && each.should.places[end - 1] == kKept) --end;
  return end;
}

/// Is all right up to the end of the kept elements, and the count too?
bool keeps_right_ones(const GatherComparison& each) {
  const auto end = static_cast<std::ptrdiff_t>(end_of_kept(each));
  return each.is.returned == each.should.returned && each.is.places.size() == each.should.places.size() &&
         std::equal(each.is.places.begin(), each.is.places.begin() + end, each.should.places.begin());
}

/// Does all behind them stay, except the rest of their data block, all of which is changed?
bool changes_rest_of_block(const GatherComparison& each) {
  const std::size_t end = end_of_kept(each), per = per_block(each.call.insn().src_type);
  for (std::size_t n = end; n < each.is.places.size(); ++n)
    if ((each.is.places[n] != kKept) != (n < (end + per - 1) / per * per)) return false;
  return true;
}

/// "keeps the right elements and changes what stands behind them in dst"
std::optional<Difference> behind_kept(const Instruction& insn, const Comparisons& all) {
  if (!std::ranges::all_of(all, keeps_right_ones)) return {};
  const std::string text =
      std::string("keeps the right elements and changes what stands behind them in dst") +
      (std::ranges::all_of(all, changes_rest_of_block) ? ", up to the end of their data block" : "");
  return said_of(insn, {.text = text}, "");
}

/// The first law that predicts all calls, from general conditions to special ones.
std::optional<Difference> lawful_difference(const Subject& subject, const Comparisons& all, const Ask& ask) {
  const Instruction& insn = subject.insn;
  const bool right_places =
      std::ranges::all_of(all, [](const GatherComparison& c) { return c.is.places == c.should.places; });
  if (right_places) {
    for (const GatherCondition& condition : gather_conditions())
      if (const auto count = count_law(all, condition, nullptr)) {
        Difference said = said_of(insn, {.text = count->text, .matter = GatherMatter::count}, condition.text);
        said.of_earlier = count->of_earlier;
        return said;
      }
    return {};
  }
  if (auto behind = behind_kept(insn, all)) return behind;
  std::vector<GatherLaw> laws = gather_laws(insn);
  std::vector<GatherLaw> bits;
  if (insn.op == Op::gather_mask_user) bits = measured_bits_laws(all[0].call.subject, ask);
  laws.insert(laws.end(), bits.begin(), bits.end());
  for (const GatherCondition& condition : gather_conditions()) {
    for (const GatherLaw& law : laws) {
      const auto difference = difference_by(insn, all, condition, law);
      const bool fits =
          difference && (!law.of_element_size || holds_for_other_sizes(subject, condition, law, ask));
      if (fits) return difference;
    }
    if (insn.op != Op::gather_mask) continue;
    if (const auto patterns = measured_patterns_law(all, condition))
      if (const auto difference = difference_by(insn, all, condition, *patterns)) return difference;
  }
  return bits.empty() ? std::nullopt : difference_in_few_calls(insn, all, bits[0]);
}

}  // namespace

std::vector<Difference> gather_mask_differences(const Subject& subject, const Ask& ask) {
  const Comparisons all = compare_calls(subject, ask);
  const auto first = std::ranges::find_if(all, &GatherComparison::differs);
  if (first == all.end()) return {};
  if (const auto difference = lawful_difference(subject, all, ask)) return {*difference};
  Difference example = gather_example(first->call, first->is, first->should);
  const bool is_of_all = std::ranges::all_of(first, all.end(), [&](const GatherComparison& each) {
    return !each.differs() || each.call.condition() != first->call.condition() ||
           gather_example(each.call, each.is, each.should).what == example.what;
  });
  if (!is_of_all && example.what.find(" with ") == std::string::npos) {
    example.what += ", for example with " + first->call.arguments();
    example.only_example = true;
  }
  return {std::move(example)};
}

}  // namespace lanecheck
