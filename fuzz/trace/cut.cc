#include "fuzz/trace/cut.h"

#include <algorithm>
#include <cstring>
#include <functional>

#include "fuzz/explain/questions/executed_step.h"
#include "spec/legality/find_fault.h"
#include "spec/mask/footprint.h"
#include "spec/program/profile.h"

namespace lanecheck {
namespace {

/// A wrong implementation reads or writes beside the operands. So many bytes stay on both sides of them.
constexpr std::size_t kLeastMargin = kRepeatBytes;

/// The instruction as it runs, with the repeat times that the mask register before it gives.
Instruction resolved(const Instruction& insn, MaskBits mask, const Readings& readings) {
  mask.load(insn, readings);
  return resolve(insn, mask, readings).insn;
}

/// How far an operand reaches that is addressed by offsets: to the end of the last element that one of them
/// names, but not past its allocation.
std::size_t indexed_bytes(const Program& program, const Instruction& insn, std::size_t operand) {
  const Operand& table = insn.operands[kOffsetsOperand];
  const std::size_t start = start_of(program, table);
  const std::size_t room = program.ub.size() - std::min(start, program.ub.size());
  const std::size_t count =
      std::min<std::size_t>(extent(insn, kOffsetsOperand, lanes_of(insn)), room) / sizeof(std::uint32_t);
  std::size_t most = 0;
  for (std::size_t n = 0; n < count; ++n) {
    std::uint32_t offset = 0;
    std::memcpy(&offset, program.ub.data() + start + n * sizeof offset, sizeof offset);
    most = std::max(most, std::size_t{offset} + kBlockBytes);
  }
  const Operand& place = insn.operands[operand];
  return std::min<std::size_t>(count == 0 ? 0 : most,
                               program.allocations[place.allocation].bytes - place.offset);
}

/// If the step changed bytes beside what it may write, then it may have read as far beside its sources.
std::size_t margin_of(std::span<const Touched> touched, std::span<const Range> changed) {
  std::size_t farthest = 0;
  for (const Range& each : changed) {
    std::size_t beside = each.to;
    for (const Touched& one : touched) {
      if (!one.is_written) continue;
      const std::size_t behind = each.to - std::min(each.to, one.range.to);
      const std::size_t before = one.range.from - std::min(one.range.from, each.from);
      beside = std::min(beside, std::max(behind, before));
    }
    farthest = std::max(farthest, beside);
  }
  return (farthest == 0 ? 1 : 8) * kLeastMargin + in_whole_blocks(2 * farthest);  // a source may be wider
}

/// What a wrong implementation may reach: all lanes of all repeat times of the instruction, whatever the mask
/// says, and repeats that lie in a row.
void add_reach(std::vector<Range>& ranges, const Program& whole, const Instruction& insn,
               unsigned derived_repeats) {
  Instruction longest = insn;
  longest.repeat = static_cast<decltype(longest.repeat)>(std::max<unsigned>(insn.repeat, derived_repeats));
  for (std::size_t k = 0; k < row_of(insn.op).operands.size(); ++k) {
    const std::size_t start = start_of(whole, insn.operands[k]);
    const std::size_t bytes = std::max<std::size_t>(extent(longest, static_cast<unsigned>(k), lanes_of(insn)),
                                                    longest.repeat * kRepeatBytes);
    ranges.push_back({start, std::min(start + bytes, whole.ub.size())});
  }
}

/// The ranges in whole data blocks and in ascending order; those that overlap are one. Each gets a margin,
/// which ends where the next range begins.
std::vector<Range> kept_ranges(std::vector<Range> ranges, std::size_t margin, std::size_t ub_bytes) {
  std::ranges::sort(ranges, {}, &Range::from);
  std::vector<Range> kept;
  for (const Range& each : ranges) {
    const Range blocks{each.from / kBlockBytes * kBlockBytes, in_whole_blocks(each.to)};
    if (!kept.empty() && blocks.from < kept.back().to)
      kept.back().to = std::max(kept.back().to, blocks.to);
    else
      kept.push_back(blocks);
  }
  for (std::size_t n = 0; n < kept.size(); ++n) {
    const std::size_t least = n == 0 ? 0 : kept[n - 1].to;
    const std::size_t most = n + 1 == kept.size() ? ub_bytes : kept[n + 1].from;
    kept[n].from = kept[n].from > least + margin ? kept[n].from - margin : least;
    kept[n].to = std::min(kept[n].to + margin, most);
  }
  std::erase_if(kept, [](const Range& each) { return each.from >= each.to; });
  return kept;
}

/// The allocations of a cut: one for each range, named after the first operand in it.
void add_allocations(Cut& cut, const Instruction& insn, std::span<const Touched> touched) {
  const auto columns = row_of(insn.op).operands;
  std::size_t offset = 0, others = 0;
  for (const Range& each : cut.kept) {
    const auto owner = std::ranges::find_if(
        touched, [&](const Touched& one) { return one.range.from >= each.from && one.range.from < each.to; });
    Allocation allocation{{}, Element::u8, static_cast<std::uint32_t>(offset), 0};
    allocation.bytes = static_cast<std::uint32_t>(each.to - each.from);
    if (owner == touched.end()) {
      allocation.name = "beside" + std::to_string(others++);
    } else {
      allocation.name = columns[owner->operand].role;
      allocation.type = operand_type(insn, columns[owner->operand]);
    }
    cut.program.allocations.push_back(std::move(allocation));
    offset += each.to - each.from;
  }
}

/// `insn` with its operands in the allocations of a cut.
Instruction moved(const Program& whole, const Cut& cut, Instruction insn) {
  for (std::size_t k = 0; k < row_of(insn.op).operands.size(); ++k) {
    Operand& operand = insn.operands[k];
    const std::size_t start = start_of(whole, operand);
    const auto home = std::ranges::find_if(
        cut.kept, [&](const Range& each) { return start >= each.from && start < each.to; });
    if (home == cut.kept.end()) continue;  // it touches nothing, at the end of UB
    operand.allocation = static_cast<std::uint16_t>(home - cut.kept.begin());
    operand.offset = static_cast<std::uint32_t>(start - home->from);
  }
  return insn;
}

/// Makes the program of a cut whose kept ranges are known. The last of `instructions` is the one that is cut
/// out.
void fill(Cut& cut, const Program& whole, std::span<const Instruction> instructions,
          std::span<const Touched> touched, const std::array<std::byte, 16>* cmpmask) {
  const Instruction& insn = instructions.back();
  cut.program.profile = whole.profile;
  add_allocations(cut, insn, touched);
  for (const Range& each : cut.kept)
    cut.program.ub.insert(cut.program.ub.end(), whole.ub.data() + each.from, whole.ub.data() + each.to);
  if (cmpmask != nullptr) load_compare_mask(cut.program, *cmpmask);
  const auto before = instructions.first(instructions.size() - 1);
  cut.program.instructions.insert(cut.program.instructions.end(), before.begin(), before.end());
  cut.program.instructions.push_back(moved(whole, cut, insn));
}

}  // namespace

std::vector<Touched> touched_by(const Program& program, const Instruction& insn, const MaskBits& before,
                                const Readings& readings) {
  const Instruction here = resolved(insn, before, readings);
  const auto columns = row_of(insn.op).operands;
  std::vector<Touched> touched;
  for (std::size_t k = 0; k < columns.size(); ++k) {
    const std::size_t start = start_of(program, insn.operands[k]);
    const std::size_t bytes = columns[k].walk == Walk::indexed
                                  ? indexed_bytes(program, here, k)
                                  : extent(here, static_cast<unsigned>(k), lanes_of(here));
    const bool is_written = columns[k].role == "dst" || columns[k].walk == Walk::returned;
    touched.push_back({{start, std::min(start + bytes, program.ub.size())}, k, is_written});
  }
  return touched;
}

std::optional<std::vector<Instruction>> instructions_that_set(const MaskBits& mask, Profile profile) {
  const ProfileRow& row = row_of(profile);
  std::vector<Instruction> list;
  if (!row.shows_mask) return list;  // no mask outlives an instruction
  if (mask.words[2] != kOnes || mask.words[3] != kOnes) return {};
  const bool counts = mask.mode == Mode::counter;
  const bool is_total = mask.words[1] == 0 && mask.words[0] == mask.total();
  const bool is_zero = is_total && mask.total() == 0;  // only as a total it can be set in Ascend C
  const bool fits_call = mask.total() <= kMostTotal;   // a length of words may leave more in the register
  if (row.has_modes && is_total && fits_call && (counts || is_zero)) {
    Instruction total{.op = Op::set_vector_mask_total};
    total.settings[0] = mask.total();
    list = {{.op = Op::set_mask_count}, total};
    if (!counts) list.push_back({.op = Op::set_mask_norm});
    return list;
  }
  if (mask.words[0] != kOnes || mask.words[1] != kOnes) {
    if (!row.sets_mask) return {};
    Instruction set{.op = *row.sets_mask, .high = mask.words[1], .low = mask.words[0]};
    if (row_of(set.op).typed()) set.dst_type = set.src_type = Element::f16;  // with 128 lanes
    list.push_back(set);
  }
  if (counts) list.push_back({.op = Op::set_mask_count});
  return list;
}

std::vector<std::byte> Cut::image(std::span<const std::byte> whole) const {
  std::vector<std::byte> image = program.ub;  // what stands behind the kept ranges stays
  std::size_t at = 0;
  for (const Range& each : kept) {
    std::memcpy(image.data() + at, whole.data() + each.from, each.to - each.from);
    at += each.to - each.from;
  }
  return image;
}

std::optional<Cut> cut_out(const Program& whole, const Instruction& insn, std::span<const Touched> touched,
                           std::span<const Range> changed, const RegistersBefore& before,
                           const Readings& readings) {
  auto setting = instructions_that_set(before.mask, whole.profile);
  if (!setting) return {};
  setting->push_back(insn);
  std::vector<Range> ranges;
  for (const Touched& each : touched) ranges.push_back(each.range);
  ranges.insert(ranges.end(), changed.begin(), changed.end());
  if (ranges.empty()) ranges.push_back({0, kBlockBytes});
  std::vector<Range> wide = ranges;
  add_reach(wide, whole, insn, resolved(insn, before.mask, readings).repeat);
  for (std::vector<Range>& kept : {std::ref(wide), std::ref(ranges)}) {
    Cut cut;
    cut.kept = kept_ranges(std::move(kept), margin_of(touched, changed), whole.ub.size());
    fill(cut, whole, *setting, touched, before.cmpmask);
    if (!find_fault(cut.program, readings)) return cut;
  }
  return {};
}

}  // namespace lanecheck
