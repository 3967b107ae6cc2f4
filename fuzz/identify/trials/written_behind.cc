#include "fuzz/identify/trials/written_behind.h"

#include <algorithm>
#include <cstring>

#include "fuzz/identify/probes/reduction_map.h"
#include "fuzz/identify/probes/shapes.h"
#include "fuzz/identify/trials/trials.h"
#include "spec/mask/footprint.h"
#include "spec/text/number.h"
#include "spec/text/program_text.h"

namespace lanecheck {
namespace {

/// What is written behind results: 0, the element before it again and again, or the lane of an extreme.
enum class Content : std::uint8_t { zeros, last_element, lane, lane_as_integer };

struct Behind {
  bool each_block;  ///< behind each data block of dst, else behind the last result of each repeat
  Content content;
  std::size_t bytes;  ///< 0: up to the end of the data block

  std::string text() const {
    const std::string unit = each_block ? "each data block of its results" : "the results of each repeat",
                      into = " into the " + std::to_string(bytes) + " bytes behind ";
    switch (content) {
      case Content::zeros:
        return bytes == 0 ? "fills the data block behind " + unit + " with 0" : "writes 0" + into + unit;
      case Content::last_element:
        return "writes the last element of " + unit + into + "it, too";
      case Content::lane:
        return "writes the lane of its result into the element behind it, too";
      case Content::lane_as_integer:
        break;
    }
    return "writes the lane of its result, as an integer, into the element behind it, too";
  }
};

/// The first lane of a repeat whose element is the result of an extreme.
std::uint64_t lane_of_result(const ShapeTrial& trial, unsigned repeat) {
  const Instruction& insn = trial.placed();
  const Region& src = trial.layout.regions[1];
  const std::size_t size = size_of(insn.dst_type);
  const std::byte* const result =
      &trial.documented[start_of(trial.program, insn.operands[0]) + repeat * repeat_step(insn, 0)];
  for (unsigned lane = 0; lane < lanes_of(insn); ++lane)
    if (std::memcmp(&trial.program.ub[src.start() + lane_offset(insn, 1, repeat, lane)], result, size) == 0)
      return lane;
  return 0;
}

/// Writes `content` at `end`, `bytes` of it.
void put_behind(Bytes& ub, std::size_t end, std::size_t bytes, Content content, const ShapeTrial& trial,
                unsigned repeat) {
  const Element type = trial.placed().dst_type;
  const std::size_t size = size_of(type);
  std::uint64_t lane =
      content == Content::lane || content == Content::lane_as_integer ? lane_of_result(trial, repeat) : 0;
  if (content == Content::lane) lane = nearest(type, static_cast<double>(lane));
  for (std::size_t n = 0; n < bytes; ++n)
    ub[end + n] = content == Content::last_element ? ub[end - size + n % size]
                                                   : static_cast<std::byte>(lane >> 8 * (n % size));
}

/// How many bytes the results of one repeat take, which lie in a row.
std::size_t bytes_of_repeat(const Instruction& insn) {
  const OperandColumn& dst = row_of(insn.op).operands[0];
  if (dst.walk == Walk::bits) return lanes_of(insn) / 8;
  const unsigned elements = dst.walk == Walk::results ? results_per_repeat(insn) : lanes_of(insn);
  return std::size_t{elements} * size_of(insn.dst_type);
}

/// UB after the repeats, one after the other; by the documents no two of them write the same place.
std::optional<Bytes> left_with(const Behind& behind, const ShapeTrial& trial) {
  Bytes ub = trial.program.ub;
  const Instruction& insn = trial.placed();
  const std::size_t length = bytes_of_repeat(insn), unit = behind.each_block ? kBlockBytes : length;
  for (unsigned repeat = 0; repeat < repeats_of(insn); ++repeat) {
    const std::size_t start = start_of(trial.program, insn.operands[0]) + repeat * repeat_step(insn, 0);
    for (std::size_t end = start + unit; end <= start + length; end += unit) {
      const std::size_t bytes = behind.bytes != 0 ? behind.bytes : in_whole_blocks(end) - end;
      if (end + bytes > ub.size()) return {};
      std::memcpy(&ub[end - unit], &trial.documented[end - unit], unit);
      put_behind(ub, end, bytes, behind.content, trial, repeat);
    }
  }
  return ub;
}

std::vector<Behind> possible(const Instruction& insn) {
  constexpr std::size_t kMost = 256;
  std::vector<Behind> all;
  const bool blocks = row_of(insn.op).operands[0].walk == Walk::blocks;
  for (const bool each_block : {false, true})
    for (std::size_t bytes = size_of(insn.dst_type); bytes <= kMost; bytes *= 2)
      for (const Content content : {Content::zeros, Content::last_element})
        if (!each_block || blocks) all.push_back({each_block, content, bytes});
  if (row_of(insn.op).operands[0].walk != Walk::results) return all;
  all.push_back({false, Content::zeros, 0});
  const bool is_one_extreme = is_extreme(row_of(insn.op)) && results_per_repeat(insn) == 1;
  for (const Content content : {Content::lane, Content::lane_as_integer})
    if (is_one_extreme) all.push_back({false, content, size_of(insn.dst_type)});
  return all;
}

}  // namespace

std::optional<Difference> written_behind(const Subject& subject, const Ask& ask) {
  const Row& row = row_of(subject.insn.op);
  const bool indexed =
      std::ranges::any_of(row.operands, [](const OperandColumn& each) { return each.walk == Walk::indexed; });
  if (!row.has_repeat || row.compacts || indexed || subject.given != MaskGiven::words) return {};
  std::vector<ShapeTrial> trials;
  unsigned seed = 500;
  for (const auto& [repeat, apart] :
       {std::pair{3U, 3U}, std::pair{1U, 1U}, std::pair{3U, 1U}, std::pair{4U, 2U}}) {
    Subject shape = in_a_row(subject, repeat);
    if (has_stride(shape.insn, 0, &Operand::repeat_stride)) shape.insn.operands[0].repeat_stride *= apart;
    auto trial = run_trial_over_numbers(shape, full_mask(shape), ++seed, ask);
    if (!trial || trial->is_right()) return {};
    trials.push_back(std::move(*trial));
  }
  for (const Behind& behind : possible(subject.insn)) {
    const bool gives = std::ranges::all_of(
        trials, [&](const ShapeTrial& trial) { return left_with(behind, trial) == trial.actual; });
    if (!gives) continue;
    Difference difference{MapKind::dst, mnemonic(subject.insn) + " " + behind.text(), {}};
    difference.general = behind.text();
    if (behind.content == Content::lane || behind.content == Content::lane_as_integer)
      difference.key = "dst: writes the lane of its result behind it";  // of integers both are the same
    difference.of_all_shapes = true;
    return difference;
  }
  return {};
}

}  // namespace lanecheck
