#include "fuzz/identify/trials/zeros_behind.h"

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "fuzz/identify/probes/shapes.h"
#include "fuzz/identify/trials/trials.h"
#include "spec/text/program_text.h"

namespace lanecheck {
namespace {

/// How many bytes are cleared behind the results, which take `results` bytes; `repeat` bytes for one repeat.
struct Cleared {
  std::size_t results, repeat, bytes;
};

/// Nothing if something else than zeros behind the results is wrong.
std::optional<Cleared> cleared_after(const Subject& given, unsigned repeat, const Ask& ask) {
  const Subject subject = in_a_row(given, repeat);
  const auto trial = run_trial_with(
      subject, full_mask(subject),
      [](ShapeTrial& it) {
        fill_region(it.program, it.layout.regions[0], Element::u8, 0xb5);
        for (unsigned k = 1; k < row_of(it.insn().op).operands.size(); ++k)
          put_small_numbers(it.program, it.layout.regions[k], k, 1);
      },
      ask);
  if (!trial) return {};
  const std::size_t each = lanes_of(subject.insn) / 8, end = trial->layout.regions[0].start() + repeat * each;
  Cleared cleared{repeat * each, each, 0};
  while (end + cleared.bytes < trial->actual.size() && trial->actual[end + cleared.bytes] == std::byte{0})
    ++cleared.bytes;
  Bytes expected = trial->documented;
  std::fill_n(expected.begin() + static_cast<std::ptrdiff_t>(end), cleared.bytes, std::byte{0});
  return expected == trial->actual ? std::optional(cleared) : std::nullopt;
}

struct ClearedUpTo {
  std::string_view text;
  std::size_t (*bytes)(const Cleared& seen);
};

constexpr ClearedUpTo kClearedUpTo[] = {
    {"up to the end of their data block",
     [](const Cleared& each) { return in_whole_blocks(each.results) - each.results; }},
    {"up to 32 bytes from where its last repeat starts",
     [](const Cleared& each) { return kBlockBytes - std::min<std::size_t>(kBlockBytes, each.repeat); }},
    {"as far as one more repeat would reach", [](const Cleared& each) { return each.repeat; }}};

/// "fills dst up with 0 behind its results, up to the end of their data block"; empty if no law fits.
std::string law_of(const std::vector<Cleared>& seen) {
  const auto fits = [&](auto bytes) {
    return std::ranges::all_of(seen, [&](const Cleared& each) { return bytes(each) == each.bytes; });
  };
  for (const ClearedUpTo& law : kClearedUpTo)
    if (fits(law.bytes)) return "fills dst up with 0 behind its results, " + std::string(law.text);
  const std::size_t first = seen[0].bytes;
  if (!fits([first](const Cleared&) { return first; })) return "";
  return "fills " + std::to_string(first) + " bytes of dst with 0 behind its results";
}

}  // namespace

std::optional<Difference> zeros_behind_difference(const Subject& subject, const Ask& ask) {
  const Row& row = row_of(subject.insn.op);
  if (row.operands[0].walk != Walk::bits || !row.has_repeat || subject.given != MaskGiven::words) return {};
  std::vector<Cleared> seen;
  for (const unsigned repeat : {3U, 1U, 2U, 5U}) {
    const auto cleared = cleared_after(subject, repeat, ask);
    if (!cleared) return {};
    seen.push_back(*cleared);
  }
  if (std::ranges::all_of(seen, [](const Cleared& each) { return each.bytes == 0; })) return {};
  const std::string text = law_of(seen);
  if (text.empty()) return {};
  Difference difference{MapKind::dst, mnemonic(subject.insn) + " " + text, {}};
  difference.general = text;
  difference.of_all_shapes = true;
  return difference;
}

}  // namespace lanecheck
