#include "fuzz/identify/places/move_padding.h"

#include <algorithm>
#include <functional>

#include "fuzz/identify/probes/digit_code.h"
#include "fuzz/identify/probes/index_formula.h"
#include "fuzz/identify/probes/intervals.h"
#include "fuzz/identify/probes/shapes.h"
#include "oracle/execute/seams.h"
#include "spec/mask/footprint.h"
#include "spec/text/number.h"
#include "spec/text/program_text.h"

namespace lanecheck {
namespace {

constexpr unsigned kRepeats = 3, kModes = 3, kSides = 2;

/// Which elements take part: a mask, or a number of elements.
struct Taking {
  MaskGiven given = MaskGiven::words;
  MaskWords words{};
  std::uint32_t length = 0;

  /// Does this element of a repeat take part?
  bool on(unsigned repeat, unsigned lane, unsigned lanes) const {
    return given == MaskGiven::words ? has_slot(words, lane) : repeat * lanes + lane < length;
  }
};

/// The element of src at each place of all repeats of dst; kKept, kAlwaysZero or kNoElement.
using Padded = std::vector<std::int32_t>;

/// One program for each mode and side, and what backend and documents make of it.
struct Series {
  Taking taking;
  std::vector<Padded> measured, documented;  ///< mode * kSides + side
};

std::optional<Program> program_of(Subject subject, const Taking& taking, unsigned setting) {
  subject.given = taking.given;
  subject.insn.settings[0] = setting / kSides;
  subject.insn.settings[1] = setting % kSides;
  const auto layout = lay_out(subject);
  if (!layout) return {};
  auto program = taking.given == MaskGiven::words ? probe_program(subject, *layout, taking.words)
                                                  : probe_of_length(subject, *layout, taking.length);
  if (!program) return {};
  const Instruction& insn = subject.insn;
  const Region& src = layout->regions[1];
  fill_region(*program, layout->regions[0], insn.dst_type, old_dst_bits(insn, 0xb5));
  for (unsigned n = 0; n < kRepeats * lanes_of(insn); ++n)
    put_element(*program, src, insn.src_type, src.margin / size_of(insn.src_type) + n,
                nearest(insn.src_type, n + 1));
  return program;
}

Padded read(const Subject& subject, const State& state) {
  const Region dst = lay_out(subject)->regions[0];
  const Element type = subject.insn.dst_type;
  Padded padded;
  for (unsigned n = 0; n < kRepeats * lanes_of(subject.insn); ++n) {
    const std::uint64_t bits = get_element(state.ub, dst, type, dst.margin / size_of(type) + n);
    const double value = value_of(type, bits);
    const bool is_element = value >= 1 && value <= kRepeats * lanes_of(subject.insn);
    if (bits == old_dst_bits(subject.insn, 0xb5))
      padded.push_back(kKept);
    else if (bits == 0)
      padded.push_back(kAlwaysZero);
    else
      padded.push_back(is_element ? static_cast<std::int32_t>(value) - 1 : kNoElement);
  }
  return padded;
}

std::optional<Series> series_of(const Subject& subject, const Taking& taking, const Ask& ask) {
  std::vector<Program> programs;
  for (unsigned setting = 0; setting < kModes * kSides; ++setting) {
    auto program = program_of(subject, taking, setting);
    if (!program) return {};
    programs.push_back(std::move(*program));
  }
  const Answers answers = ask_all(ask, programs), documented = ask_all(ask_oracle(), programs);
  if (!answers.why_not.empty() || !documented.why_not.empty()) return {};
  Series series{taking, {}, {}};
  for (const State& state : answers.states) series.measured.push_back(read(subject, state));
  for (const State& state : documented.states) series.documented.push_back(read(subject, state));
  return series;
}

/// The same element, block and repeat of src for each place, by a rule for one repeat.
template <class From>
bool is_padded_by(const Subject& subject, const Padded& measured, const Padded& documented, From from) {
  const unsigned lanes = lanes_of(subject.insn);
  for (unsigned n = 0; n < measured.size(); ++n) {
    const std::int32_t expected = documented[n] == kKept ? kKept : from(n / lanes, n % lanes);
    if (measured[n] != expected) return false;
  }
  return true;
}

std::string mode_text(unsigned setting) {
  return "padMode " + std::to_string(setting / kSides) + " on the " +
         (setting % kSides == 0 ? "left" : "right");
}

/// ", in padMode 1": where a rule holds; empty if it holds everywhere.
std::string in_modes(const std::vector<unsigned>& settings) {
  if (settings.size() == std::size_t{kModes} * kSides) return {};
  std::string text;
  for (unsigned mode = 0; mode < kModes; ++mode) {
    const bool left = std::ranges::count(settings, mode * kSides) > 0,
               right = std::ranges::count(settings, mode * kSides + 1) > 0;
    if (!left && !right) continue;
    text += text.empty() ? ", in " : " and ";
    text += left && right ? "padMode " + std::to_string(mode) : mode_text(mode * kSides + (left ? 0 : 1));
  }
  return text;
}

std::vector<unsigned> wrong_settings(const Series& series) {
  std::vector<unsigned> wrong;
  for (unsigned setting = 0; setting < kModes * kSides; ++setting)
    if (series.measured[setting] != series.documented[setting]) wrong.push_back(setting);
  return wrong;
}

/// What is padded as if it were one data block: `span` elements, of data blocks of `per` elements.
std::string span_text(unsigned span, unsigned per) {
  if (span < per) return span * 2 == per ? "halves of data blocks" : "quarters of data blocks";
  if (span == per * kRepeatBlocks) return "whole repeats";
  return span == per * 2 ? "pairs of data blocks" : "data blocks by fours";
}

/// "vpadding.f16 pads pairs of data blocks, as if each were one data block"
std::optional<std::string> by_span(const Subject& subject, const Series& full,
                                   const std::vector<unsigned>& wrong) {
  const unsigned per = per_block(subject.insn.src_type), lanes = lanes_of(subject.insn);
  for (const unsigned span : {2 * per, 4 * per, 8 * per, per / 2, per / 4}) {
    const auto holds = [&](unsigned setting) {
      return is_padded_by(
          subject, full.measured[setting], full.documented[setting], [&](unsigned repeat, unsigned lane) {
            const unsigned from = pad_from(setting / kSides, setting % kSides, lane % span, span);
            if (from >= span) return kAlwaysZero;
            return static_cast<std::int32_t>(repeat * lanes + lane / span * span + from);
          });
    };
    if (std::ranges::all_of(wrong, holds))
      return " pads " + span_text(span, per) + ", as if each were one data block" + in_modes(wrong);
  }
  return {};
}

/// What stands in each data block is as documented, but at other places of the block.
std::optional<std::string> by_places_in_block(const Subject& subject, const Series& full,
                                              const std::vector<unsigned>& wrong) {
  const unsigned per = per_block(subject.insn.src_type);
  const auto holds_for = [&](auto from) {
    return std::ranges::all_of(wrong, [&](unsigned setting) {
      const Padded &measured = full.measured[setting], &documented = full.documented[setting];
      for (unsigned n = 0; n < measured.size(); ++n)
        if (measured[n] != documented[n / per * per + from(n % per)]) return false;
      return true;
    });
  };
  if (holds_for([per](unsigned n) { return per - 1 - n; }))
    return " writes the elements of each data block in reverse order" + in_modes(wrong);
  for (unsigned places = 1; places < per; ++places) {
    const std::string few = std::to_string(places) + (places == 1 ? " place" : " places");
    if (holds_for([=](unsigned n) { return (n + per - places) % per; }))
      return " writes the elements of each data block " + few + " later, the last first" + in_modes(wrong);
    if (holds_for([=](unsigned n) { return (n + places) % per; }))
      return " writes the elements of each data block " + few + " earlier, the first last" + in_modes(wrong);
  }
  return {};
}

/// "the last element", "element e + 1": the same text for each element type, where that is possible.
std::string element_text(const std::string& formula, unsigned per) {
  if (formula == std::to_string(per - 1) + " - e") return "the mirror image of element e";
  if (formula == "0") return "the first element";
  if (formula == "1") return "the second element";
  if (formula == std::to_string(per - 1)) return "the last element";
  return formula == std::to_string(per - 2) ? "the last element but one" : "element " + formula;
}

/// What stands at the places `at` of `padded`: "0", "the last element of data block 0". Nothing if no formula
/// gives it.
std::optional<std::string> content_text(const Subject& subject, const Padded& padded,
                                        const std::vector<unsigned>& at) {
  const unsigned per = per_block(subject.insn.src_type);
  const auto all_are = [&](std::int32_t what) {
    return std::ranges::all_of(at, [&](unsigned n) { return padded[n] == what; });
  };
  if (all_are(kAlwaysZero)) return "0";
  if (all_are(kKept)) return "the old dst";
  std::vector<unsigned> places, elements, blocks, from;
  for (const unsigned n : at) {
    if (padded[n] < 0) return {};
    const auto element = static_cast<unsigned>(padded[n]);
    places.push_back(n % per);
    elements.push_back(element % per);
    blocks.push_back(n / per);
    from.push_back(element / per);
  }
  const auto element = index_formula(places, elements, per, "e");
  if (!element) return {};
  if (blocks == from) return element_text(*element, per) + " of that data block";
  for (unsigned& block : blocks) block %= kRepeatBlocks;
  for (unsigned n = 0; n < at.size(); ++n) {
    if (from[n] / kRepeatBlocks != at[n] / lanes_of(subject.insn)) return {};
    from[n] %= kRepeatBlocks;
  }
  const auto block = index_formula(blocks, from, kRepeatBlocks, "b");
  return block ? std::optional(element_text(*element, per) + " of data block " + *block) : std::nullopt;
}

/// "the last element", "element e (3..7)": places in a data block.
std::string places_text(const std::vector<unsigned>& places, unsigned per) {
  if (places.size() == 1) return element_text(std::to_string(places[0]), per);
  return places.size() == per ? "all elements" : "element e (" + intervals(places) + ")";
}

/// "vpadding.f16 writes the second element of that data block instead of 0 to the first element of each data
/// block, in padMode 2 on the left"; for each wrong mode and side.
std::optional<std::string> by_formulas(const Subject& subject, const Series& full,
                                       const std::vector<unsigned>& wrong) {
  const unsigned per = per_block(subject.insn.src_type);
  std::string text;
  for (const unsigned setting : wrong) {
    const Padded &measured = full.measured[setting], &documented = full.documented[setting];
    std::vector<unsigned> places, at;  // in a data block, and in all of them
    for (unsigned n = 0; n < measured.size(); ++n)
      if (measured[n] != documented[n]) places.push_back(n % per);
    places = sorted_unique(std::move(places));
    for (unsigned n = 0; n < measured.size(); ++n)
      if (std::ranges::count(places, n % per) > 0) at.push_back(n);
    const auto is = content_text(subject, measured, at), should = content_text(subject, documented, at);
    if (!is || !should) return {};
    text += (text.empty() ? " writes " : ", and ") + *is + " instead of " + *should + " to " +
            places_text(places, per) + " of each data block, in " + mode_text(setting);
  }
  return text;
}

/// The setting whose documented result this is, the nearest one first.
std::optional<unsigned> executed_as(const Series& full, unsigned setting) {
  const unsigned other_side = setting ^ 1U;
  if (full.measured[setting] == full.documented[other_side]) return other_side;
  for (unsigned mode = 0; mode < kModes; ++mode)
    for (const unsigned side : {setting % kSides, other_side % kSides})
      if (full.measured[setting] == full.documented[mode * kSides + side]) return mode * kSides + side;
  return {};
}

/// "vpadding.u32 ignores padSide, in padMode 2: it pads on the left"
std::optional<std::string> by_setting(const Series& full, const std::vector<unsigned>& wrong) {
  std::vector<unsigned> as;
  for (const unsigned setting : wrong) {
    const auto other = executed_as(full, setting);
    if (!other) return {};
    as.push_back(*other);
  }
  bool other_side = true, one_side = true;
  for (std::size_t n = 0; n < wrong.size(); ++n) {
    other_side &= as[n] == (wrong[n] ^ 1U);
    one_side &= wrong[n] % kSides == wrong[0] % kSides;
  }
  // padMode 1 is the same on both sides.
  const bool all_modes = wrong.size() == (kModes - 1) * (one_side ? 1 : kSides);
  std::vector<unsigned> both;
  for (const unsigned setting : wrong)
    for (const unsigned each : {setting, setting ^ 1U})
      if (std::ranges::count(both, each) == 0) both.push_back(each);
  const std::string modes = all_modes ? "" : in_modes(both);
  if (other_side && one_side)
    return " ignores padSide" + modes + ": it always pads on the " +
           (wrong[0] % kSides == 0 ? "right" : "left");
  if (other_side) return " exchanges left and right of padSide" + modes;
  std::string text;
  for (std::size_t n = 0; n < wrong.size(); ++n)
    text += (n == 0 ? " executes " : ", and ") + mode_text(wrong[n]) + " as " + mode_text(as[n]);
  return text;
}

/// What stands for an element of src that takes no part.
enum class ReadAs : std::uint8_t { zero, last_on, first_on, last_of_block, first_of_block, ends_of_block };
struct ReadText {
  ReadAs as;
  std::string_view text;  ///< behind "reads <the elements that take no part>", or behind "uses "
};
constexpr ReadText kReadTexts[] = {
    {ReadAs::zero, "as 0"},
    {ReadAs::last_on, "as the last element of the repeat that takes part"},
    {ReadAs::first_on, "as the first element of the repeat that takes part"},
    {ReadAs::last_of_block, "the last active element of a data block where it should use its last element"},
    {ReadAs::first_of_block,
     "the first active element of a data block where it should use its first element"},
    {ReadAs::ends_of_block,
     "the first (last) active element of a data block where it should use its first (last) element"}};

/// At this end of a data block alone, or at both, an element that takes no part has another one in its place.
bool is_of_block(ReadAs as) {
  return as == ReadAs::last_of_block || as == ReadAs::first_of_block || as == ReadAs::ends_of_block;
}

/// What stands for `element`, which takes no part; nothing if no element does that could stand for it.
std::optional<std::int32_t> element_instead(const Subject& subject, const Taking& taking, unsigned element,
                                            ReadAs as) {
  if (as == ReadAs::zero) return kAlwaysZero;
  const unsigned lanes = lanes_of(subject.insn),
                 among = is_of_block(as) ? per_block(subject.insn.src_type) : lanes;
  const bool at_start = as == ReadAs::ends_of_block && element % among == 0;
  const bool first = as == ReadAs::first_on || as == ReadAs::first_of_block || at_start;
  const unsigned start = element / among * among, end = start + (first ? 0 : among - 1);
  if (is_of_block(as) && element != end) return {};
  for (unsigned n = 0; n < among; ++n) {
    const unsigned other = first ? start + n : end - n;
    if (taking.on(other / lanes, other % lanes, lanes)) return static_cast<std::int32_t>(other);
  }
  return {};
}

/// What is written if elements that take no part are read as others: in all repeats, or in the first one
/// only.
Padded with_others(const Subject& subject, const Series& series, unsigned setting, ReadAs as,
                   bool first_only) {
  const unsigned lanes = lanes_of(subject.insn);
  Padded padded = series.documented[setting];
  for (unsigned n = 0; n < padded.size(); ++n) {
    if (padded[n] < 0 || (first_only && n >= lanes)) continue;
    const auto element = static_cast<unsigned>(padded[n]);
    if (series.taking.on(element / lanes, element % lanes, lanes)) continue;
    padded[n] = element_instead(subject, series.taking, element, as).value_or(padded[n]);
  }
  return padded;
}

std::optional<Difference> by_reads(const Subject& subject, const Series& series,
                                   const std::vector<unsigned>& wrong) {
  for (const auto& [as, text] : kReadTexts)
    for (const bool first_only : {false, true}) {
      bool holds = true, everywhere = true;  // where it would show
      for (unsigned setting = 0; setting < kModes * kSides; ++setting) {
        const Padded others = with_others(subject, series, setting, as, first_only);
        if (std::ranges::count(wrong, setting) > 0)
          holds &= series.measured[setting] == others;
        else
          everywhere &= others == series.documented[setting];
      }
      if (!holds) continue;
      const std::string which = series.taking.given == MaskGiven::words ? "masked-off elements of src"
                                                                        : "elements of src past the count n";
      return Difference{is_of_block(as) ? MapKind::gate : MapKind::src,
                        mnemonic(subject.insn) + (is_of_block(as) ? " uses " : " reads " + which + " ") +
                            std::string(text) + (everywhere ? "" : in_modes(wrong)) +
                            (first_only ? ", in the first repeat" : ""),
                        {}};
    }
  return {};
}

}  // namespace

std::optional<Difference> padding_difference(const Subject& given, const Ask& ask) {
  if (!row_of(given.insn.op).whole_blocks) return {};
  const Subject subject = in_a_row(given, kRepeats);
  const unsigned lanes = lanes_of(subject.insn);
  const MaskWords full = full_mask(subject),
                  gaps = {kGappedMask.high & full.high, kGappedMask.low & full.low};
  const auto say = [&](const std::optional<std::string>& text) -> std::optional<Difference> {
    if (!text) return {};
    return Difference{MapKind::src, mnemonic(subject.insn) + *text, {}};
  };
  const auto plain = series_of(subject, {MaskGiven::words, full, 0}, ask);
  if (!plain) return {};
  if (const auto wrong = wrong_settings(*plain); !wrong.empty()) {
    if (auto text = by_setting(*plain, wrong)) return say(text);
    if (auto text = by_span(subject, *plain, wrong)) return say(text);
    if (auto text = by_places_in_block(subject, *plain, wrong)) return say(text);
    return say(by_formulas(subject, *plain, wrong));
  }
  for (const Taking& taking :
       {Taking{MaskGiven::words, gaps, 0}, Taking{MaskGiven::count, {}, lanes / 2 + 3},
        Taking{MaskGiven::total, {}, lanes / 2 + 3}, Taking{MaskGiven::count, {}, lanes + lanes / 2 + 3},
        Taking{MaskGiven::total, {}, lanes + lanes / 2 + 3}}) {
    const auto series = series_of(subject, taking, ask);
    if (!series) continue;
    const auto wrong = wrong_settings(*series);
    if (!wrong.empty()) return by_reads(subject, *series, wrong);
  }
  return {};
}

}  // namespace lanecheck
