#include "fuzz/identify/places/padding_laws.h"

#include <algorithm>
#include <string_view>

#include "fuzz/identify/probes/index_formula.h"
#include "fuzz/identify/probes/intervals.h"
#include "oracle/execute/seams.h"
#include "spec/mask/footprint.h"

namespace lanecheck {
namespace {

std::string mode_text(unsigned setting) {
  return "padMode " + std::to_string(setting / kPadSides) + " on the " +
         (setting % kPadSides == 0 ? "left" : "right");
}

}  // namespace

std::string in_pad_modes(const std::vector<unsigned>& settings) {
  if (settings.size() == std::size_t{kPadModes} * kPadSides) return {};
  std::string text;
  for (unsigned mode = 0; mode < kPadModes; ++mode) {
    const bool left = std::ranges::count(settings, mode * kPadSides) > 0,
               right = std::ranges::count(settings, mode * kPadSides + 1) > 0;
    if (!left && !right) continue;
    text += text.empty() ? ", in " : " and ";
    text += left && right ? "padMode " + std::to_string(mode) : mode_text(mode * kPadSides + (left ? 0 : 1));
  }
  return text;
}

namespace {

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

/// What is padded as if it were one data block: `span` elements, of data blocks of `per` elements.
std::string span_text(unsigned span, unsigned per) {
  if (span < per) return span * 2 == per ? "halves of data blocks" : "quarters of data blocks";
  if (span == per * kRepeatBlocks) return "whole repeats";
  return span == per * 2 ? "pairs of data blocks" : "data blocks by fours";
}

/// "vpadding.f16 pads pairs of data blocks, as if each were one data block"
std::optional<std::string> by_span(const Subject& subject, const PadSeries& full,
                                   const std::vector<unsigned>& wrong) {
  const unsigned per = per_block(subject.insn.src_type), lanes = lanes_of(subject.insn);
  for (const unsigned span : {2 * per, 4 * per, 8 * per, per / 2, per / 4}) {
    const auto holds = [&](unsigned setting) {
      return is_padded_by(
          subject, full.measured[setting], full.documented[setting], [&](unsigned repeat, unsigned lane) {
            const unsigned from = pad_from(setting / kPadSides, setting % kPadSides, lane % span, span);
            if (from >= span) return kAlwaysZero;
            return static_cast<std::int32_t>(repeat * lanes + lane / span * span + from);
          });
    };
    if (std::ranges::all_of(wrong, holds))
      return " pads " + span_text(span, per) + ", as if each were one data block" + in_pad_modes(wrong);
  }
  return {};
}

/// What stands in each data block is as documented, but at other places of the block.
std::optional<std::string> by_places_in_block(const Subject& subject, const PadSeries& full,
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
    return " writes the elements of each data block in reverse order" + in_pad_modes(wrong);
  for (unsigned places = 1; places < per; ++places) {
    const std::string few = std::to_string(places) + (places == 1 ? " place" : " places");
    if (holds_for([=](unsigned n) { return (n + per - places) % per; }))
      return " writes the elements of each data block " + few + " later, the last first" +
             in_pad_modes(wrong);
    if (holds_for([=](unsigned n) { return (n + places) % per; }))
      return " writes the elements of each data block " + few + " earlier, the first last" +
             in_pad_modes(wrong);
  }
  return {};
}

/// "the last element", "element e + 1": the same text for each element type, where that is possible.
std::string element_text(const std::string& formula, unsigned per) {
  if (formula == std::to_string(per - 1) + " - e") return "the mirror image of element e";
  if (formula == std::to_string(per) + " - e") return "the element behind the mirror image of element e";
  if (formula == std::to_string(per - 2) + " - e") return "the element before the mirror image of element e";
  if (formula == "0") return "the first element";
  if (formula == "1") return "the second element";
  if (formula == std::to_string(per - 1)) return "the last element";
  return formula == std::to_string(per - 2) ? "the last element but one" : "element " + formula;
}

constexpr std::string_view kOldDst = "the old dst";

/// What stands at the places `at` of `padded`: "0", "the last element of data block 0". Nothing if no formula
/// gives it.
std::optional<std::string> content_text(const Subject& subject, const Padded& padded,
                                        const std::vector<unsigned>& at) {
  const unsigned per = per_block(subject.insn.src_type);
  const auto all_are = [&](std::int32_t what) {
    return std::ranges::all_of(at, [&](unsigned n) { return padded[n] == what; });
  };
  if (all_are(kAlwaysZero)) return "0";
  if (all_are(kAlwaysOne)) return "1";
  if (all_are(kKept)) return std::string(kOldDst);
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
  const auto all_lie = [&](int further) {
    return std::ranges::equal(
        blocks, from, {}, [&](unsigned block) { return static_cast<int>(block) + further; },
        [](unsigned block) { return static_cast<int>(block); });
  };
  if (all_lie(1)) return element_text(*element, per) + " of the data block behind it";
  if (all_lie(-1)) return element_text(*element, per) + " of the data block before it";
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
  if (places.size() == per) return "all elements";
  if (places.size() + 1 == per && places.front() == 1) return "element e (all but the first)";
  if (places.size() + 1 == per && places.back() == per - 2) return "element e (all but the last)";
  return "element e (" + intervals(places) + ")";
}

/// Data blocks that are right although the others are wrong: they have no neighbour on one side.
struct BlocksAside {
  std::string_view text;
  bool (*holds)(unsigned block, unsigned blocks);
};

constexpr BlocksAside kBlocksAside[] = {
    {"last one", [](unsigned block, unsigned blocks) { return block + 1 == blocks; }},
    {"first one", [](unsigned block, unsigned) { return block == 0; }},
    {"last one of each repeat",
     [](unsigned block, unsigned) { return block % kRepeatBlocks == kRepeatBlocks - 1; }},
    {"first one of each repeat", [](unsigned block, unsigned) { return block % kRepeatBlocks == 0; }},
};

/// "vpadding.f16 writes the second element of that data block instead of 0 to the first element of each data
/// block, in padMode 2 on the left"; for each wrong mode and side.
std::optional<std::string> by_formulas(const Subject& subject, const PadSeries& full,
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
    auto is = content_text(subject, measured, at), should = content_text(subject, documented, at);
    std::string except;
    for (const BlocksAside& aside : kBlocksAside) {
      if (is && should) break;
      std::vector<unsigned> others = at;
      std::erase_if(others, [&](unsigned n) {
        return aside.holds(n / per, static_cast<unsigned>(measured.size()) / per) &&
               measured[n] == documented[n];
      });
      is = content_text(subject, measured, others);
      should = content_text(subject, documented, others);
      except = " (except the " + std::string(aside.text) + ")";
    }
    if (!is || !should) return {};
    const std::string where = places_text(places, per) + " of each data block" + except;
    const bool is_kept = *is == kOldDst;
    text += text.empty() ? (is_kept ? " leaves " : " writes ") : is_kept ? ", and leaves " : ", and ";
    text += is_kept ? where + " unwritten instead of writing " + *should
                    : *is + " instead of " + *should + " to " + where;
    text += ", in " + mode_text(setting);
  }
  return text;
}

/// The setting whose documented result this is, the nearest one first.
std::optional<unsigned> executed_as(const PadSeries& full, unsigned setting) {
  const unsigned other_side = setting ^ 1U;
  if (full.measured[setting] == full.documented[other_side]) return other_side;
  for (unsigned mode = 0; mode < kPadModes; ++mode)
    for (const unsigned side : {setting % kPadSides, other_side % kPadSides})
      if (full.measured[setting] == full.documented[mode * kPadSides + side]) return mode * kPadSides + side;
  return {};
}

/// "vpadding.u32 ignores padSide, in padMode 2: it pads on the left"
std::optional<std::string> by_setting(const PadSeries& full, const std::vector<unsigned>& wrong) {
  std::vector<unsigned> as;
  for (const unsigned setting : wrong) {
    const auto other = executed_as(full, setting);
    if (!other) return {};
    as.push_back(*other);
  }
  bool other_side = true, one_side = true;
  for (std::size_t n = 0; n < wrong.size(); ++n) {
    other_side &= as[n] == (wrong[n] ^ 1U);
    one_side &= wrong[n] % kPadSides == wrong[0] % kPadSides;
  }
  // padMode 1 is the same on both sides.
  const bool all_modes = wrong.size() == (kPadModes - 1) * (one_side ? 1 : kPadSides);
  std::vector<unsigned> both;
  for (const unsigned setting : wrong)
    for (const unsigned each : {setting, setting ^ 1U})
      if (std::ranges::count(both, each) == 0) both.push_back(each);
  const std::string modes = all_modes ? "" : in_pad_modes(both);
  if (other_side && one_side)
    return " ignores padSide" + modes + ": it always pads on the " +
           (wrong[0] % kPadSides == 0 ? "right" : "left");
  if (other_side) return " exchanges left and right of padSide" + modes;
  std::string text;
  for (std::size_t n = 0; n < wrong.size(); ++n)
    text += (n == 0 ? " executes " : ", and ") + mode_text(wrong[n]) + " as " + mode_text(as[n]);
  return text;
}

}  // namespace

std::optional<std::string> padding_law(const Subject& subject, const PadSeries& full,
                                       const std::vector<unsigned>& wrong) {
  if (auto text = by_setting(full, wrong)) return text;
  if (auto text = by_span(subject, full, wrong)) return text;
  if (auto text = by_places_in_block(subject, full, wrong)) return text;
  return by_formulas(subject, full, wrong);
}

}  // namespace lanecheck
