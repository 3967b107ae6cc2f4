#include "fuzz/identify/trials/unwritten_results.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "fuzz/identify/probes/digit_code.h"
#include "fuzz/identify/probes/move_map.h"
#include "fuzz/identify/probes/reduction_map.h"
#include "fuzz/identify/probes/shapes.h"
#include "fuzz/identify/trials/trials.h"
#include "spec/text/number.h"
#include "spec/text/program_text.h"

namespace lanecheck {
namespace {

constexpr unsigned kRepeats = 8, kKinds = 8;

/// What the lanes of one result hold.
enum class Lanes : std::uint8_t {
  zeros,
  cancelling,
  positive,
  negative,
  first_alone,
  large,
  least,
  greatest
};

struct Written {
  Lanes lanes;
  double result;
  bool is_least, is_greatest;  ///< value of the type
  bool is_written;
};

struct Condition {
  std::string_view text;
  bool (*holds)(const Written& result);
  Neutral neutral = Neutral::none;  ///< these results are this neutral element
};

constexpr Condition kConditions[] = {
    {"they are 0", [](const Written& r) { return r.result == 0; }, Neutral::zero},
    {"they are 0 and have not wrapped",
     [](const Written& r) { return r.result == 0 && r.lanes != Lanes::least && r.lanes != Lanes::greatest; },
     Neutral::zero},
    {"all of their lanes are 0", [](const Written& r) { return r.lanes == Lanes::zeros; }},
    {"they are 0 and not all of their lanes are 0",
     [](const Written& r) { return r.result == 0 && r.lanes != Lanes::zeros; }},
    {"they are less than 0", [](const Written& r) { return r.result < 0; }},
    {"they are not greater than 0", [](const Written& r) { return r.result <= 0; }},
    {"they are greater than 0", [](const Written& r) { return r.result > 0; }},
    {"they are not less than 0", [](const Written& r) { return r.result >= 0; }},
    {"they are {least}, the least value of the type", [](const Written& r) { return r.is_least; },
     Neutral::lowest},
    {"they are {greatest}, the greatest value of the type", [](const Written& r) { return r.is_greatest; },
     Neutral::highest},
    {"they are {least} or {greatest}", [](const Written& r) { return r.is_least || r.is_greatest; }},
};

double value_in(Lanes lanes, unsigned lane, unsigned size) {
  switch (lanes) {
    case Lanes::zeros:
      return 0;
    case Lanes::cancelling:
      if (lane == 0) return 2;
      return lane + 1 == size ? -2 : 0;
    case Lanes::positive:
      return 1 + lane % 2;
    case Lanes::negative:
      return -1.0 - lane % 2;
    case Lanes::first_alone:
      return lane == 0 ? 3 : 0;
    case Lanes::large:
      return 5;
    case Lanes::least:
      return -std::numeric_limits<double>::infinity();
    case Lanes::greatest:
      break;
  }
  return std::numeric_limits<double>::infinity();
}

std::uint64_t least_of(Element type) {
  return nearest(type, -std::numeric_limits<double>::infinity());
}

std::uint64_t greatest_of(Element type) {
  return nearest(type, std::numeric_limits<double>::infinity());
}

Lanes lanes_in(unsigned repeat, unsigned group, unsigned seed) {
  return static_cast<Lanes>((repeat + group + seed) % kKinds);
}

/// Under `mask`, all results by their lanes; nothing if something else than their writing deviates.
std::optional<std::vector<Written>> see(const Subject& subject, unsigned seed, const Ask& ask) {
  const Instruction& insn = subject.insn;
  const unsigned size = group_size(insn), groups = results_per_repeat(insn);
  const auto trial = run_trial_with(
      subject, full_mask(subject),
      [&](ShapeTrial& it) {
        const Region& src = it.layout.regions[1];
        fill_region(it.program, it.layout.regions[0], insn.dst_type, old_dst_bits(insn, 0x35 + seed));
        for (unsigned r = 0; r < kRepeats; ++r)
          for (unsigned lane = 0; lane < lanes_of(insn); ++lane)
            put_element(it.program, src, insn.src_type,
                        src.margin / size_of(insn.src_type) + r * lanes_of(insn) + lane,
                        nearest(insn.src_type, value_in(lanes_in(r, lane / size, seed), lane % size, size)));
      },
      ask);
  if (!trial) return {};
  const Region& dst = trial->layout.regions[0];
  const std::uint32_t first = dst.margin / size_of(insn.dst_type);
  std::vector<Written> all;
  for (unsigned n = 0; n < kRepeats * groups; ++n) {
    const std::uint64_t should = get_element(trial->documented, dst, insn.dst_type, first + n),
                        is = get_element(trial->actual, dst, insn.dst_type, first + n),
                        old = get_element(trial->program.ub, dst, insn.dst_type, first + n);
    if (is != should && is != old) return {};
    all.push_back({lanes_in(n / groups, n % groups, seed), value_of(insn.dst_type, should),
                   should == least_of(insn.dst_type), should == greatest_of(insn.dst_type), is == should});
  }
  return all;
}

bool fits(const Condition& condition, const std::vector<Written>& all) {
  return std::ranges::all_of(all,
                             [&](const Written& each) { return each.is_written != condition.holds(each); });
}

/// The condition with the numbers of the type.
std::string text_of(const Condition& condition, Element type) {
  std::string text(condition.text);
  for (const auto& [name, bits] : {std::pair<std::string_view, std::uint64_t>{"{least}", least_of(type)},
                                   {"{greatest}", greatest_of(type)}})
    if (const std::size_t at = text.find(name); at != std::string::npos)
      text.replace(at, name.size(), show_element(type, bits));
  return text;
}

/// "results are not written if they are 0": `of` is "of cmax.f16 ", or empty.
std::string text_of(const std::string& of, const std::string& condition) {
  return "results " + of + "are not written if " + condition + ", also under a full mask";
}

}  // namespace

std::optional<Difference> unwritten_results(const Subject& given, const Ask& ask) {
  const Instruction& insn = given.insn;
  const bool in_a_row_of_results = row_of(insn.op).operands[0].walk == Walk::results;
  if (!has_reduction_probes(row_of(insn.op)) || !in_a_row_of_results) return {};
  if (!row_of(insn.op).has_repeat || (!is_float(insn.src_type) && !is_signed(insn.src_type))) return {};
  Subject subject = in_a_row(given, kRepeats);
  const auto first = see(subject, 0, ask);
  if (!first || std::ranges::all_of(*first, &Written::is_written)) return {};
  for (const Condition& condition : kConditions) {
    if (!fits(condition, *first)) continue;
    const auto fresh = see(subject, 3, ask);
    if (!fresh || !fits(condition, *fresh)) return {};
    Difference difference{
        MapKind::contribution, text_of("of " + mnemonic(insn) + " ", text_of(condition, insn.dst_type)), {}};
    const bool is_neutral =
        condition.neutral != Neutral::none && condition.neutral == row_of(insn.op).neutral;
    difference.general =
        text_of("", is_neutral ? "they are their neutral element" : std::string(condition.text));
    return difference;
  }
  return {};
}

}  // namespace lanecheck
