#include "fuzz/identify/places/move_padding.h"

#include <algorithm>

#include "fuzz/identify/places/padding_laws.h"
#include "fuzz/identify/probes/shapes.h"
#include "oracle/execute/seams.h"
#include "spec/text/program_text.h"

namespace lanecheck {
namespace {

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
Padded with_others(const Subject& subject, const PadSeries& series, unsigned setting, ReadAs as,
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

/// Does `predicted(setting)` give what is left in the wrong settings? Nothing if not; else whether it gives
/// what is left in all settings.
template <class Predicted>
std::optional<bool> gives(const PadSeries& series, const std::vector<unsigned>& wrong, Predicted predicted) {
  bool everywhere = true;
  for (unsigned setting = 0; setting < kPadModes * kPadSides; ++setting) {
    const bool holds = series.measured[setting] == predicted(setting);
    if (!holds && std::ranges::count(wrong, setting) > 0) return {};
    everywhere &= holds;
  }
  return everywhere;
}

std::optional<Difference> by_reads(const Subject& subject, const PadSeries& series,
                                   const std::vector<unsigned>& wrong) {
  for (const auto& [as, text] : kReadTexts)
    for (const bool first_only : {false, true}) {
      const auto everywhere = gives(series, wrong, [&, as = as](unsigned setting) {
        return with_others(subject, series, setting, as, first_only);
      });
      if (!everywhere) continue;
      const std::string which = series.taking.given == MaskGiven::words ? "masked-off elements of src"
                                                                        : "elements of src past the count n";
      Difference said{is_of_block(as) ? MapKind::gate : MapKind::src,
                      mnemonic(subject.insn) + (is_of_block(as) ? " uses " : " reads " + which + " ") +
                          std::string(text) + (*everywhere ? "" : in_pad_modes(wrong)) +
                          (first_only ? ", in the first repeat" : ""),
                      {}};
      said.of_gated_reads = !is_of_block(as);
      return said;
    }
  return {};
}

/// What is written if the data block in which the count ends were padded as if it ended there.
Padded with_short_block(const Subject& subject, const PadSeries& series, unsigned setting) {
  Padded padded = series.documented[setting];
  const unsigned length = series.taking.length, left = length % per_block(subject.insn.src_type),
                 start = length - left;
  for (unsigned n = 0; n < left; ++n) {
    const unsigned from = pad_from(setting / kPadSides, setting % kPadSides, n, left);
    padded[start + n] = from >= left ? kAlwaysZero : static_cast<std::int32_t>(start + from);
  }
  return padded;
}

std::optional<Difference> by_short_block(const Subject& subject, const PadSeries& series,
                                         const std::vector<unsigned>& wrong) {
  if (series.taking.given == MaskGiven::words) return {};
  const auto everywhere =
      gives(series, wrong, [&](unsigned setting) { return with_short_block(subject, series, setting); });
  if (!everywhere) return {};
  return Difference{MapKind::src,
                    mnemonic(subject.insn) +
                        " pads the data block in which the count ends as if the block ended there" +
                        (*everywhere ? "" : in_pad_modes(wrong)),
                    {}};
}

/// A count stands in the register, or is the instruction's own. In which form the padding is wrong, if it is
/// right in the other one; empty for a mask, and if both are wrong.
std::string in_which_form(const Subject& subject, const Taking& taking, const Ask& ask) {
  if (taking.given == MaskGiven::words) return "";
  if (taking.given == MaskGiven::total) return ", in counter mode";  // a count of its own came before
  const auto in_register = pad_series(subject, {MaskGiven::total, {}, taking.length}, ask);
  return in_register && wrong_settings(*in_register).empty() ? ", for a count of its own" : "";
}

}  // namespace

std::optional<Difference> padding_difference(const Subject& given, const Ask& ask) {
  if (!row_of(given.insn.op).whole_blocks) return {};
  const Subject subject = in_a_row(given, kPadRepeats);
  const unsigned lanes = lanes_of(subject.insn);
  const MaskWords full = full_mask(subject),
                  gaps = {kGappedMask.high & full.high, kGappedMask.low & full.low};
  const auto say = [&](const std::optional<std::string>& text) -> std::optional<Difference> {
    if (!text) return {};
    return Difference{MapKind::src, mnemonic(subject.insn) + *text, {}};
  };
  const auto plain = pad_series(subject, {MaskGiven::words, full, 0}, ask);
  if (!plain) return {};
  if (const auto wrong = wrong_settings(*plain); !wrong.empty()) {
    return say(padding_law(subject, *plain, wrong));
  }
  for (const Taking& taking :
       {Taking{MaskGiven::words, gaps, 0}, Taking{MaskGiven::count, {}, lanes / 2 + 3},
        Taking{MaskGiven::total, {}, lanes / 2 + 3}, Taking{MaskGiven::count, {}, lanes + lanes / 2 + 3},
        Taking{MaskGiven::total, {}, lanes + lanes / 2 + 3}}) {
    const auto series = pad_series(subject, taking, ask);
    if (!series) continue;
    const auto wrong = wrong_settings(*series);
    if (wrong.empty()) continue;
    auto law = by_reads(subject, *series, wrong);
    if (!law) law = by_short_block(subject, *series, wrong);
    if (law) law->what += in_which_form(subject, taking, ask);
    return law;
  }
  return {};
}

}  // namespace lanecheck
