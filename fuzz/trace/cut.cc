#include "fuzz/trace/cut.h"

#include <algorithm>
#include <cstring>

#include "spec/legality/find_fault.h"
#include "spec/mask/footprint.h"
#include "spec/program/profile.h"

namespace lanecheck {
namespace {

/// A wrong implementation reads or writes beside the operands. So many bytes on both sides stay in a cut.
constexpr std::size_t kMargin = kRepeatBytes;
constexpr std::uint32_t kCompareMaskBytes = 16;

/// How far an operand reaches that is addressed by offsets: to the end of the last element that one of them
/// names, but not past its allocation.
std::size_t indexed_bytes(const Program& program, const Instruction& insn, std::size_t operand) {
  const Operand& table = insn.operands[kOffsetsOperand];
  const std::size_t count = extent(insn, kOffsetsOperand, lanes_of(insn)) / sizeof(std::uint32_t);
  std::size_t most = 0;
  for (std::size_t n = 0; n < count; ++n) {
    std::uint32_t offset = 0;
    std::memcpy(&offset, program.ub.data() + start_of(program, table) + n * sizeof offset, sizeof offset);
    most = std::max(most, std::size_t{offset} + kBlockBytes);
  }
  const Operand& place = insn.operands[operand];
  return std::min<std::size_t>(count == 0 ? 0 : most,
                               program.allocations[place.allocation].bytes - place.offset);
}

Range widened(Range range, std::size_t ub_bytes) {
  const std::size_t from = range.from > kMargin ? range.from - kMargin : 0, to = range.to + kMargin;
  return {from / kBlockBytes * kBlockBytes,
          std::min((to + kBlockBytes - 1) / kBlockBytes * kBlockBytes, ub_bytes)};
}

/// The ranges in ascending order; those that meet or overlap become one.
std::vector<Range> merged(std::vector<Range> ranges) {
  std::ranges::sort(ranges, {}, &Range::from);
  std::vector<Range> merged;
  for (const Range& each : ranges)
    if (!merged.empty() && each.from <= merged.back().to)
      merged.back().to = std::max(merged.back().to, each.to);
    else
      merged.push_back(each);
  return merged;
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

/// The compare mask stands behind the UB of the trace, and an instruction loads it from there.
void load_compare_mask(Program& program, const std::array<std::byte, 16>& cmpmask) {
  const auto offset = static_cast<std::uint32_t>(program.ub.size());
  Instruction load;
  load.op = Op::set_cmpmask;
  load.operands[0].allocation = static_cast<std::uint16_t>(program.allocations.size());
  program.allocations.push_back({"compare_mask", Element::u8, offset, kCompareMaskBytes});
  program.ub.insert(program.ub.end(), cmpmask.begin(), cmpmask.end());
  program.ub.resize(offset + kBlockBytes);
  program.instructions.push_back(load);
}

}  // namespace

std::vector<Touched> touched_by(const Program& program, const Instruction& insn, const MaskBits& before,
                                const Readings& readings) {
  MaskBits mask = before;
  mask.load(insn, readings);
  const Instruction here = resolve(insn, mask, readings).insn;
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
  if (mask.words[0] != kOnes || mask.words[1] != kOnes) {
    if (!row.sets_mask) return {};
    Instruction set;
    set.op = *row.sets_mask;
    if (row_of(set.op).typed()) set.dst_type = set.src_type = Element::f16;  // with 128 lanes
    set.high = mask.words[1];
    set.low = mask.words[0];
    list.push_back(set);
  }
  if (mask.mode == Mode::counter) {
    Instruction count;
    count.op = Op::set_mask_count;
    list.push_back(count);
  }
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
  std::vector<Range> ranges;
  for (const Touched& each : touched) ranges.push_back(widened(each.range, whole.ub.size()));
  for (const Range& each : changed) ranges.push_back(widened(each, whole.ub.size()));
  if (ranges.empty()) ranges.push_back({0, kBlockBytes});
  Cut cut;
  cut.kept = merged(std::move(ranges));
  cut.program.profile = whole.profile;
  add_allocations(cut, insn, touched);
  for (const Range& each : cut.kept)
    cut.program.ub.insert(cut.program.ub.end(), whole.ub.data() + each.from, whole.ub.data() + each.to);
  if (before.cmpmask != nullptr) load_compare_mask(cut.program, *before.cmpmask);
  cut.program.instructions.insert(cut.program.instructions.end(), setting->begin(), setting->end());
  cut.program.instructions.push_back(moved(whole, cut, insn));
  if (find_fault(cut.program, readings)) return {};
  return cut;
}

}  // namespace lanecheck
