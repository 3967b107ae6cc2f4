#include "fuzz/identify/places/later_repeats.h"

#include <unordered_map>

#include "fuzz/identify/probes/place_map.h"
#include "fuzz/identify/probes/shapes.h"
#include "spec/text/program_text.h"

namespace lanecheck {
namespace {

/// From repeat `from` on, dst walks with repeat stride `stride`: on from the repeat before it, or as if it
/// had been so from the start.
struct Later {
  unsigned from;
  std::uint32_t stride;
  bool goes_on;

  /// In data blocks from the start of dst.
  std::uint32_t block_of(unsigned repeat, std::uint32_t own) const {
    if (repeat < from) return repeat * own;
    return goes_on ? (from - 1) * own + (repeat - from + 1) * stride : repeat * stride;
  }
};

/// Which repeat and lane writes each place of dst last.
std::unordered_map<std::int32_t, std::pair<unsigned, unsigned>> writers(const Instruction& insn,
                                                                        const Later& later) {
  const std::uint32_t own = insn.operands[0].repeat_stride, per = per_block(insn.dst_type);
  std::unordered_map<std::int32_t, std::pair<unsigned, unsigned>> last;
  for (unsigned r = 0; r < repeats_of(insn); ++r)
    for (unsigned lane = 0; lane < lanes_of(insn); ++lane)
      last.insert_or_assign(
          element_at(insn, 0, 0, lane) + static_cast<std::int32_t>(later.block_of(r, own) * per),
          std::pair{r, lane});
  return last;
}

bool explains(const Instruction& insn, const PlaceMaps& measured, const PlaceMaps& documented,
              const Later& later) {
  const auto last = writers(insn, later);
  const DestinationMap& dst = *measured.destination.map;
  for (std::size_t n = 0; n < dst.written.size(); ++n)
    if (dst.written[n] != last.contains(dst.first + static_cast<std::int32_t>(n))) return false;
  const bool walks = has_place_probes(row_of(insn.op));
  for (std::size_t k = 0; k < measured.sources.size(); ++k) {
    const auto &is = measured.sources[k].map, &should = documented.sources[k].map;
    if (!is || !should) return false;
    for (const auto& [place, at] : last) {
      const auto& [repeat, lane] = at;
      const std::int32_t source =
          walks ? element_at(insn, is->operand, repeat, lane) : should->at(element_at(insn, 0, repeat, lane));
      if (is->at(place) != source) return false;
    }
  }
  return true;
}

std::string text_of(const Instruction& insn, const Later& later) {
  const unsigned count = repeats_of(insn);
  const std::string number = std::to_string(later.from), name = mnemonic(insn);
  const std::uint32_t own = insn.operands[0].repeat_stride;
  const std::string instead = std::to_string(later.stride) + " instead of " + std::to_string(own);
  if (later.from + 1 < count && later.goes_on)
    return "from repeat " + number + " (counted from 0) on, dst of " + name + " walks with repeat stride " +
           instead;
  if (later.from + 1 < count)
    return "repeats from " + number + " (counted from 0) on of " + name +
           " are written as with repeat stride " + instead;
  // One repeat tells a place, and no stride.
  const std::uint32_t is = later.block_of(later.from, own), should = later.from * own;
  return "repeat " + number + " (counted from 0) of " + name + " is written " +
         (is == 0 ? "at the place of repeat 0" : std::to_string(is) + " data blocks behind repeat 0") +
         " instead of " + std::to_string(should) + " data blocks behind it";
}

}  // namespace

std::optional<Difference> later_repeats_moved(const Subject& subject, const PlaceMaps& measured,
                                              const PlaceMaps& documented) {
  const Instruction& insn = subject.insn;
  constexpr std::uint32_t kMostStride = 64;
  constexpr unsigned kMostRepeats = 32;  // more repeats leave too many choices to try
  if (!measured.destination.map || measured.sources.empty() || repeats_of(insn) > kMostRepeats) return {};
  if (measured.destination.map->elsewhere > 0 || row_of(insn.op).operands[0].walk != Walk::blocks) return {};
  if (!has_place_probes(row_of(insn.op)) && shares_places(insn)) return {};
  for (const bool goes_on : {true, false})
    for (unsigned from = 2; from < repeats_of(insn); ++from)
      for (std::uint32_t stride = 0; stride <= kMostStride; ++stride)
        if (const Later later{from, stride, goes_on};
            stride != insn.operands[0].repeat_stride && explains(insn, measured, documented, later))
          return Difference{MapKind::dst, text_of(insn, later), {}};
  return {};
}

}  // namespace lanecheck
