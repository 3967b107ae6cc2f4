// Findings that may have one cause, although nothing proves it: they become one, which says what each of them
// says.
#include <algorithm>
#include <optional>
#include <set>
#include <sstream>

#include "fuzz/identify/given_number.h"
#include "fuzz/identify/unit_of_stride.h"
#include "fuzz/run/case_sorter.h"
#include "reports/format.h"
#include "spec/program/instruction.h"
#include "spec/text/joined.h"
#include "spec/text/program_text.h"

namespace lanecheck {
namespace {

std::optional<Instruction> parsed(const std::string& mnemonic) {
  Instruction insn;
  return parse_mnemonic(mnemonic, insn) ? std::optional(insn) : std::nullopt;
}

std::set<Op> ops_of(const Finding& finding) {
  std::set<Op> ops;
  for (const std::string& each : finding.instructions)
    if (const auto insn = parsed(each)) ops.insert(insn->op);
  return ops;
}

template <class List, class Other>
bool meet(const List& one, const Other& other) {
  return std::ranges::any_of(one, [&](const auto& each) { return std::ranges::count(other, each) > 0; });
}

/// Were they measured in types of which a repeat has another number of lanes, and each in its own?
bool have_other_widths(const Finding& one, const Finding& other) {
  if (one.instructions.empty() || other.instructions.empty()) return false;
  const std::string &first = one.instructions.front(), &second = other.instructions.front();
  const auto in_first = parsed(first), in_second = parsed(second);
  return in_first && in_second && lanes_of(*in_first) != lanes_of(*in_second) &&
         std::ranges::count(one.instructions, second) == 0 &&
         std::ranges::count(other.instructions, first) == 0;
}

/// The map that was measured: "gate" of "gate: all lanes ...". What is computed has a code of its own for
/// each type, so a map of values says nothing of another one.
std::string map_of(const Bucket& bucket) {
  const std::string map = bucket.finding.cause.substr(0, bucket.finding.cause.find(": "));
  return map == name_of(MapKind::values) ? "" : map;
}

/// As far as rules say anything.
bool break_one_rule(const Finding& one, const Finding& other) {
  return one.rules.empty() || other.rules.empty() || meet(one.rules, other.rules);
}

/// Does a count decide how many elements take part, as in counter mode?
bool is_of_count(const Finding& finding) {
  return is_count(mask_given(finding.program, finding.instruction));
}

/// Do they show the same map of the same instructions, in types of other sizes, and break the same rule?
bool are_of_other_widths(const Bucket& one, const Bucket& other) {
  const auto is_measured = [](const Bucket& each) {
    return each.is_measured() && each.suspects.empty() && each.finding.id.starts_with("measured-") &&
           each.finding.repeats == Repeats::stable;
  };
  if (!is_measured(one) || !is_measured(other)) return false;
  if (map_of(one).empty() || map_of(one) != map_of(other)) return false;
  if (map_of(one) == name_of(MapKind::length) && is_of_count(one.finding) != is_of_count(other.finding))
    return false;
  return have_other_widths(one.finding, other.finding) && meet(ops_of(one.finding), ops_of(other.finding)) &&
         break_one_rule(one.finding, other.finding);
}

/// "uses only 8 bits of its stride" of the cause "dst: dst uses only 8 bits of its stride"; empty if it is no
/// law of one operand.
std::string law_of_operand(const Bucket& bucket) {
  const std::string& cause = bucket.finding.cause;
  for (const std::string operand : {"dst", "src", "src0", "src1"})
    for (const std::string map : {"dst: ", "src: "})
      if (const std::string start = map + operand + " "; cause.starts_with(start))
        return cause.substr(start.size());
  return {};
}

/// Do they say the same of different operands?
bool are_of_other_operands(const Bucket& one, const Bucket& other) {
  return one.is_measured() && other.is_measured() && one.finding.cause != other.finding.cause &&
         !law_of_operand(one).empty() && law_of_operand(one) == law_of_operand(other);
}

/// "32-bit types": a repeat has a lane for so many bits.
std::string widths_of(const Finding& finding) {
  std::set<unsigned> bits;
  for (const std::string& each : finding.instructions)
    if (const auto insn = parsed(each)) bits.insert(8 * kRepeatBytes / lanes_of(*insn));
  std::vector<std::string> texts;
  for (const unsigned each : bits) texts.push_back(std::to_string(each) + "-bit");
  return joined(texts) + " types";
}

/// Does an earlier instruction have a say in both, and is the same kept of it, as far as anybody knows?
bool are_carried(const Bucket& one, const Bucket& other) {
  const auto is_unknown = [](const Bucket& each) { return each.finding.matter == Matter::unexplained; };
  if (!one.finding.of_earlier || !other.finding.of_earlier) return false;
  return is_unknown(other) || (one.finding.matter == other.finding.matter && !is_unknown(one));
}

/// Does an earlier program matter in both, or in one and perhaps in the other, which broke the backend in the
/// run alone?
bool are_of_earlier_programs(const Bucket& one, const Bucket& other) {
  constexpr std::string_view kKeeps = "state-keeps-";
  const auto depends = [](const Bucket& each) { return each.finding.repeats == Repeats::state_dependent; };
  if (!depends(one)) return false;
  if (other.finding.id == kNotRepeatable) return true;
  if (!depends(other)) return false;
  return one.finding.id.starts_with(kKeeps) || !other.finding.id.starts_with(kKeeps);
}

/// Is `other` what a reading says, and does the law of `one` say the same and hold in more programs?
bool is_more_than_reading(const Bucket& one, const Bucket& other) {
  return other.names_reading() && !one.finding.reading.empty() &&
         one.finding.reading == other.suspects.front()->id;
}

/// Does a reading say a part of both?
bool say_one_reading(const Bucket& one, const Bucket& other) {
  return !one.finding.reading.empty() && one.finding.reading == other.finding.reading;
}

/// Do both count the repeat stride of dst in another unit? Of some instructions two units are the same.
bool count_strides_in_units(const Bucket& one, const Bucket& other) {
  const auto counts = [](const Bucket& each) {
    return each.finding.cause.find(kCountsStride) != std::string::npos;
  };
  return counts(one) && counts(other);
}

/// "the low word is 0" of "results keep their old dst if the low word is 0"; empty if the law has no
/// condition on the mask at its end.
std::string mask_condition_of(const Bucket& bucket) {
  constexpr std::string_view kIf = " if ";
  const std::string& cause = bucket.finding.cause;
  const std::size_t at = cause.rfind(kIf);
  if (at == std::string::npos || !bucket.is_measured()) return {};
  const std::string condition = cause.substr(at + kIf.size());
  const bool of_mask =
      std::ranges::any_of(std::initializer_list<std::string_view>{"mask", "word", "slot"},
                          [&](std::string_view word) { return condition.find(word) != std::string::npos; });
  return of_mask ? condition : "";
}

/// Do both follow another law under the same masks? One may count elements where the other writes them.
bool have_one_mask_condition(const Bucket& one, const Bucket& other) {
  return !mask_condition_of(one).empty() && mask_condition_of(one) == mask_condition_of(other);
}

/// The modes in which a cast rounds by another law: "none and rint". Nothing if it is no such law.
std::set<std::string> modes_of(const Bucket& bucket) {
  std::istringstream words(bucket.finding.cause);
  std::set<std::string> modes;
  std::string map, rounds, word;
  words >> map >> rounds;
  if (map != "values:" || rounds != "rounds") return {};
  const auto is_mode = [](const std::string& name) {
    return std::ranges::find(kRoundNames, name) != std::end(kRoundNames);
  };
  while (words >> word && word != "as" && word != "instead") {
    if (word.ends_with(',')) word.pop_back();
    if (is_mode(word)) modes.insert(word);
  }
  return modes;
}

/// Do two casts round by other laws in the same mode? Of some types several laws give the same.
bool round_in_one_mode(const Bucket& one, const Bucket& other) {
  return meet(modes_of(one), modes_of(other));
}

/// Is nothing known but that the instruction is wrong?
bool has_no_law(const Finding& finding) {
  return finding.id.starts_with("unexplained-") ||
         finding.what.find("no law that was tried") != std::string::npos;
}

/// Are very few cases of `other`, which nothing explains, cases of an instruction that `one` has a law for? A
/// mask that is kept concerns all instructions.
bool are_few_beside(const Bucket& one, const Bucket& other) {
  constexpr std::uint64_t kFew = 2, kTimes = 20;
  const Finding& finding = other.finding;
  const bool has_law = one.is_measured() || one.finding.of_earlier;
  if (!has_law || one.finding.repeats != Repeats::stable || !has_no_law(finding) || finding.cases > kFew ||
      one.finding.cases < kTimes * finding.cases ||
      finding.instruction >= finding.program.instructions.size())
    return false;
  return (one.finding.of_earlier && one.finding.matter == Matter::mask) ||
         ops_of(one.finding).contains(finding.program.instructions[finding.instruction].op);
}

/// "3 cases, first 45": with its first case anybody can show the part alone.
std::string cases_of(const Finding& finding) {
  return counted(finding.cases, "case") + ", first " + grouped(finding.first_case);
}

/// What leads over from the finding `one` to the text of `other`, if they may have one cause.
std::optional<std::string> leads_over(const Bucket& one, const Bucket& other) {
  const Finding& finding = other.finding;
  if (are_of_other_widths(one, other))
    return "what is seen in " + widths_of(finding) + " may have the same cause (" + cases_of(finding) + "): ";
  const bool both_write = one.finding.writes_masked_off && finding.writes_masked_off;
  if (are_carried(one, other) || both_write || are_of_earlier_programs(one, other) ||
      say_one_reading(one, other) || count_strides_in_units(one, other) ||
      are_of_other_operands(one, other) || have_one_mask_condition(one, other) ||
      round_in_one_mode(one, other))
    return "this may have the same cause (" + cases_of(finding) + "): ";
  if (is_more_than_reading(one, other))
    return "in some cases (first " + grouped(finding.first_case) + ") it is as reading " + finding.id +
           " says: ";
  if (are_few_beside(one, other))
    return "no law was found for this, which may have the same cause (" + cases_of(finding) + "): ";
  return {};
}

}  // namespace

/// The later of two findings becomes a part of the earlier one; a law names the finding, whichever was first.
void CaseSorter::unite_what_may_be_one() {
  std::vector<std::string> gone;
  std::vector<Bucket>& all = buckets_.all();
  const auto is_gone = [&](const Bucket& each) { return std::ranges::count(gone, each.finding.id) > 0; };
  for (std::size_t n = 0; n < all.size(); ++n)
    for (std::size_t m = 0; m < all.size(); ++m) {
      if (n == m || is_gone(all[n]) || is_gone(all[m])) continue;
      const auto lead = leads_over(all[n], all[m]);
      if (!lead) continue;
      Buckets::take_over(all[n], all[m]);
      all[n].other_parts.push_back({*lead, all[m].finding});
      gone.push_back(all[m].finding.id);
    }
  buckets_.drop(gone);
}

}  // namespace lanecheck
