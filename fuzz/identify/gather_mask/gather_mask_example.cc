#include "fuzz/identify/gather_mask/gather_mask_example.h"

#include <algorithm>
#include <functional>
#include <iterator>
#include <map>

#include "fuzz/identify/probes/intervals.h"
#include "spec/mask/footprint.h"
#include "spec/text/program_text.h"

namespace lanecheck {
namespace {

using Numbers = std::vector<unsigned>;

std::vector<std::int32_t> kept_elements(const Gathered& gathered) {
  std::vector<std::int32_t> kept;
  for (const std::int32_t each : gathered.places)
    if (each != kKept) kept.push_back(each);
  return kept;
}

/// A count that no law gives, and when. Without a repeat nothing else matters.
std::string wrong_count(const GatherCall& call, const Gathered& is, const Gathered& should) {
  if (call.earlier_repeat > 0 || is.returned != kOldCount)
    return std::string(call.earlier_repeat > 0
                           ? "returns a wrong count after an earlier gather_mask"
                           : "returns another count than that of the elements that it keeps") +
           ", for example " + std::to_string(is.returned) + " instead of " + std::to_string(should.returned) +
           call.condition();
  return call.insn().repeat == 0 ? "writes no count if its repeat times are 0"
                                 : "writes no count" + call.condition();
}

/// All kept elements are right, but not where they stand.
std::string wrong_places(const Gathered& is, const Gathered& should) {
  std::size_t at = 0;
  while (at < is.places.size() && is.places[at] == should.places[at]) ++at;
  std::size_t next = at;
  while (next < is.places.size() && is.places[next] == kKept) ++next;
  const std::size_t gap = next - at;
  const std::string elements = std::to_string(gap) + (gap == 1 ? " element" : " elements");
  if (at == 0) return "puts the first element that it keeps " + elements + " behind the start of dst";
  return "leaves a gap of " + elements + " in dst, before the elements that a later repeat keeps";
}

Numbers in_repeat(const Numbers& kept, unsigned repeat, unsigned lanes) {
  Numbers own;
  for (const unsigned each : kept)
    if (each / lanes == repeat) own.push_back(each % lanes);
  return own;
}

/// "element 0 of every 4", "elements 0, 4, 11"
std::string of_repeat(const Numbers& lanes) {
  if (lanes.empty()) return "no element";
  if (lanes.size() > 2 && lanes[1] - lanes[0] > 1) {
    const unsigned step = lanes[1] - lanes[0];
    bool even = true;
    for (std::size_t n = 1; n < lanes.size(); ++n) even &= lanes[n] - lanes[n - 1] == step;
    if (even && lanes[0] < step)
      return "element " + std::to_string(lanes[0]) + " of every " + std::to_string(step);
  }
  return counted_noun("element", lanes);
}

/// Which elements are kept, if they are not the documented ones.
std::string wrong_elements(const Instruction& insn, const Numbers& is, const Numbers& should) {
  const unsigned lanes = whole_repeat(insn);
  for (unsigned repeat = 0; repeat < insn.repeat; ++repeat) {
    const Numbers here = in_repeat(is, repeat, lanes), documented = in_repeat(should, repeat, lanes);
    if (here == documented) continue;
    if (of_repeat(sorted_unique(here)) == of_repeat(documented))
      return "leaves elements that it keeps at several places of dst, or at others than it should";
    const std::string where = repeat == 0 ? "" : " in repeat " + std::to_string(repeat) + " (counted from 0)";
    const std::string pattern =
        insn.op == Op::gather_mask ? " by pattern " + std::to_string(setting(insn, "pattern")) : "";
    return "keeps " + of_repeat(here) + pattern + " instead of " + of_repeat(documented) + where;
  }
  return "keeps the elements in another order";
}

/// "elements 5, 7 of repeat 1": the first repeat of which documented elements do not stand in dst. Nothing if
/// others stand there.
std::optional<std::string> lacking(const Instruction& insn, const Numbers& is, const Numbers& should) {
  const auto is_in = [](const Numbers& all) {
    return [&all](unsigned each) { return std::ranges::find(all, each) != all.end(); };
  };
  if (!std::ranges::all_of(is, is_in(should))) return {};
  Numbers missing;
  std::ranges::copy_if(should, std::back_inserter(missing), std::not_fn(is_in(is)));
  if (missing.empty()) return {};
  const unsigned lanes = whole_repeat(insn), repeat = missing.front() / lanes;
  return counted_noun("element", in_repeat(missing, repeat, lanes)) + " of repeat " + std::to_string(repeat) +
         " (counted from 0)";
}

/// "bits 0, 48, 96"
std::string listed(const Numbers& bits) {
  std::string text;
  for (const unsigned bit : bits) text += (text.empty() ? "bits " : ", ") + std::to_string(bit);
  return text;
}

/// The bits of the user pattern at which the pattern of each repeat starts, if there is one such bit for each
/// repeat, and not the documented one.
std::optional<std::string> wrong_starts(const GatherCall& call, const Numbers& is) {
  if (!call.is_user() || call.counts()) return {};
  const Instruction& insn = call.insn();
  const unsigned lanes = whole_repeat(insn);
  constexpr unsigned kMostBits = 16384;
  Numbers starts, documented;
  for (unsigned repeat = 0; repeat < insn.repeat; ++repeat) {
    const Numbers own = in_repeat(is, repeat, lanes);
    const auto explains = [&](unsigned start) {
      Numbers kept;
      for (unsigned lane = 0; lane < lanes; ++lane)
        if (call.pattern(static_cast<std::int32_t>(start + lane))) kept.push_back(lane);
      return kept == own;
    };
    unsigned start = 0;
    while (start < kMostBits && !explains(start)) ++start;
    if (start == kMostBits) return {};
    starts.push_back(start);
    documented.push_back(static_cast<unsigned>(8 * repeat * repeat_step(insn, 2)));
  }
  if (starts == documented) return {};
  return "reads the patterns of its repeats at " + listed(starts) + " of src1 instead of " +
         listed(documented) + " with a repeat stride of " + std::to_string(insn.operands[2].repeat_stride);
}

/// The strides of src0 with which the documented elements are kept, if one of them is not
/// the given one.
std::optional<std::string> wrong_stride(const Instruction& insn, const Gathered& is, const Gathered& should) {
  const Operand& src = insn.operands[1];
  const auto documented = lanes_kept(insn, should);
  const unsigned lanes = whole_repeat(insn);
  const auto explains = [&](std::uint32_t Operand::*field, std::uint32_t stride) {
    if (!documented || stride == src.*field) return false;
    Instruction other = insn;
    other.operands[1].*field = stride;
    return std::ranges::equal(*documented, kept_elements(is), {}, [&](unsigned lane) {
      return static_cast<std::int32_t>(lane_offset(other, 1, lane / lanes, lane % lanes) /
                                       size_of(insn.src_type));
    });
  };
  const std::uint32_t strides[] = {1, 8, 0, 2, 4, src.block_stride, src.repeat_stride};
  for (const std::uint32_t stride : strides) {
    const std::string text = " " + std::to_string(stride) + " instead of ";
    if (explains(&Operand::block_stride, stride))
      return "walks with block stride" + text + std::to_string(src.block_stride);
    if (explains(&Operand::repeat_stride, stride))
      return "walks with repeat stride" + text + std::to_string(src.repeat_stride);
  }
  return {};
}

}  // namespace

std::optional<std::vector<unsigned>> lanes_kept(const Instruction& insn, const Gathered& gathered) {
  std::map<std::int32_t, unsigned> lane_of;
  const unsigned lanes = whole_repeat(insn);
  for (unsigned repeat = insn.repeat; repeat-- > 0;)
    for (unsigned lane = 0; lane < lanes; ++lane)
      lane_of[static_cast<std::int32_t>(lane_offset(insn, 1, repeat, lane) / size_of(insn.src_type))] =
          repeat * lanes + lane;
  Numbers kept;
  for (const std::int32_t each : kept_elements(gathered)) {
    const auto found = lane_of.find(each);
    if (found == lane_of.end()) return {};
    kept.push_back(found->second);
  }
  return kept;
}

Difference gather_example(const GatherCall& call, const Gathered& is, const Gathered& should) {
  const Instruction& insn = call.insn();
  const std::string name = mnemonic(insn);
  const auto of_places = [&](const std::string& what, std::vector<GatherMatter> gathers = {}) {
    Difference said{MapKind::places, name + " " + what + call.condition(), {}};
    said.gathers = std::move(gathers);
    return said;
  };
  if (is.places == should.places) {
    Difference said{MapKind::places, name + " " + wrong_count(call, is, should), {}};
    said.gathers = {GatherMatter::count};
    return said;
  }
  if (kept_elements(is) == kept_elements(should))
    return of_places(wrong_places(is, should), {GatherMatter::packing});
  if (kept_elements(is).empty()) return of_places("keeps no element");
  const auto lanes = lanes_kept(insn, is), documented = lanes_kept(insn, should);
  if (!lanes || !documented) {
    if (const auto what = wrong_stride(insn, is, should)) {
      Difference said{MapKind::src0, "src0 of " + name + " " + *what + call.condition(), {}};
      said.gathers = {what->find("block stride") != std::string::npos ? GatherMatter::block_stride
                                                                      : GatherMatter::repeat_stride};
      return said;
    }
    // In counter mode these may be elements of more repeats, or of longer ones.
    return of_places(call.counts()
                         ? "does not leave in dst the elements that its pattern and its mask argument choose"
                         : "takes elements of src0 from other places than its strides say");
  }
  if (const auto what = lacking(insn, *lanes, *documented); what && is.returned == should.returned)
    return of_places("returns the right count, but dst lacks " + *what, {GatherMatter::packing});
  if (const auto what = wrong_starts(call, *lanes)) return of_places(*what, {GatherMatter::pattern_stride});
  return of_places(wrong_elements(insn, *lanes, *documented));
}

}  // namespace lanecheck
