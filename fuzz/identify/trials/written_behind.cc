#include "fuzz/identify/trials/written_behind.h"

#include <algorithm>
#include <cstring>

#include "fuzz/identify/probes/shapes.h"
#include "fuzz/identify/trials/trials.h"
#include "spec/mask/footprint.h"
#include "spec/text/program_text.h"

namespace lanecheck {
namespace {

/// What is written behind results.
struct Behind {
  bool each_block;  ///< behind each data block of dst, else behind the last result of each repeat
  bool copies;      ///< the element before it again and again, else zeros
  std::size_t bytes;

  std::string text() const {
    std::string unit = each_block ? "each data block of its results" : "the results of each repeat";
    return copies ? "writes the last element of " + unit + " into the " + std::to_string(bytes) +
                        " bytes behind it, too"
                  : "writes 0 into the " + std::to_string(bytes) + " bytes behind " + unit;
  }
};

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
  const std::size_t size = size_of(operand_type(insn, row_of(insn.op).operands[0]));
  const std::size_t length = bytes_of_repeat(insn), unit = behind.each_block ? kBlockBytes : length;
  for (unsigned repeat = 0; repeat < repeats_of(insn); ++repeat) {
    const std::size_t start = start_of(trial.program, insn.operands[0]) + repeat * repeat_step(insn, 0);
    for (std::size_t end = start + unit; end <= start + length; end += unit) {
      if (end + behind.bytes > ub.size()) return {};
      std::memcpy(&ub[end - unit], &trial.documented[end - unit], unit);
      for (std::size_t n = 0; n < behind.bytes; ++n)
        ub[end + n] = behind.copies ? ub[end - size + n % size] : std::byte{0};
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
      for (const bool copies : {false, true})
        if (!each_block || blocks) all.push_back({each_block, copies, bytes});
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
    difference.of_all_shapes = true;
    return difference;
  }
  return {};
}

}  // namespace lanecheck
