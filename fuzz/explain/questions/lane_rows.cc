#include "fuzz/explain/questions/lane_rows.h"

#include <algorithm>
#include <map>

#include "fuzz/identify/sorts/sort_call.h"
#include "fuzz/identify/sorts/sort_difference.h"
#include "spec/mask/footprint.h"
#include "spec/mask/mask_register.h"
#include "spec/program/profile.h"

namespace lanecheck {
namespace {

/// Is one of the sorted `bytes` from `from` to before `to`?
bool any_between(const std::vector<std::uint32_t>& bytes, std::size_t from, std::size_t to) {
  const auto first = std::ranges::lower_bound(bytes, from);
  return first != bytes.end() && *first < to;
}

/// Is element `lane` of repeat `repeat` active? For a reduction: is any lane of that result active? For
/// packed bits: is any of the lanes of that byte active?
bool is_active(const ResolvedInstruction& resolved, const MaskBits& mask, unsigned repeat, unsigned lane) {
  const Instruction& insn = resolved.insn;
  const unsigned lanes = std::max(1u, lanes_of(insn));
  const auto on = [&](unsigned of) {
    if (resolved.total != kNoTotal) return std::uint64_t{repeat} * lanes + of < resolved.total;
    return (mask.words[of / 64 % 4] >> of % 64 & 1) != 0;
  };
  if (row_of(insn.op).operands[0].walk == Walk::bits) {
    for (unsigned of = 8 * lane; of < 8 * lane + 8; ++of)
      if (on(of)) return true;
    return false;
  }
  if (row_of(insn.op).mask != MaskUse::neutral_source) return on(lane);
  const bool whole = row_of(insn.op).results == ResultRule::indexed;
  const unsigned group = whole ? lanes : lanes / results_per_repeat(insn);
  for (unsigned of = whole ? 0 : lane * group, end = of + group; of < end; ++of)
    if (on(of)) return true;
  return false;
}

/// Which of the results of an extreme with an index are written, and in which order (asc-devkit, ReduceMax).
std::optional<std::uint32_t> order_of(const Instruction& insn) {
  if (row_of(insn.op).results != ResultRule::indexed || !setting_index(row_of(insn.op), "order")) return {};
  return setting(insn, "order");
}

/// The index alone has 32 bits, whatever the type is.
bool is_index_alone(const Instruction& insn) {
  return order_of(insn) == 3u;
}

/// Is result `number` of a repeat the index of the extreme?
bool is_index(const Instruction& insn, unsigned number) {
  const auto order = order_of(insn);
  return order == 3u || (order == 0u && number == 1) || (order == 1u && number == 0);
}

}  // namespace

unsigned written_per_repeat(const Instruction& insn) {
  const Row& row = row_of(insn.op);
  const OperandColumn& dst = row.operands[0];
  if (row.mask == MaskUse::neutral_source) return results_per_repeat(insn);
  if (dst.walk == Walk::bits) return lanes_of(insn) / 8;
  if (dst.walk == Walk::blocks || dst.walk == Walk::rows) return lanes_of(insn);
  const unsigned size = size_of(operand_type(insn, dst));
  return std::max(1u, static_cast<unsigned>(repeat_bytes(insn, 0)) / size);
}

std::vector<LaneRow> lane_rows(const Program& program, const Instruction& given, const Readings& readings,
                               const State& before, const State& expected, const State& actual,
                               const std::vector<std::uint32_t>* wrong) {
  std::vector<LaneRow> rows;
  MaskBits mask = bits_of(before.mask, before.mode, MaskOrigin::set);
  mask.load(given, readings);
  const ResolvedInstruction resolved = resolve(given, mask, readings);
  const Instruction& insn = resolved.insn;
  const Row& row = row_of(insn.op);
  if (!row.writes_dst()) return rows;
  const Element type = is_index_alone(insn) ? Element::u32 : operand_type(insn, row.operands[0]);
  const unsigned size = size_of(type), per_repeat = row.compacts ? ~0U : written_per_repeat(insn);
  const bool is_gated = obeys_mask(program.profile, insn.op);
  const bool last_stays = readings.alias_winner == AliasWinner::last_repeat;
  std::map<std::size_t, std::size_t> row_at;  // by byte: its place in `rows`
  const auto add = [&](std::size_t at, unsigned repeat, unsigned lane, Element shown) {
    const bool active = !is_gated || is_active(resolved, mask, repeat, lane);
    const auto [known, is_new] = row_at.try_emplace(at, rows.size());
    if (!is_new) {  // repeats meet here: it is the element of the one whose result stays
      LaneRow& row_here = rows[known->second];
      if (active && (last_stays || !row_here.active)) {
        row_here.repeat = repeat;
        row_here.block = lane / std::max(1u, per_block(type));
        row_here.lane = lane;
        row_here.active = true;
      }
      return;
    }
    const std::uint64_t old_bits = bits_at(before, at, type), want = bits_at(expected, at, type),
                        got = bits_at(actual, at, type);
    const bool agrees = wrong != nullptr ? !any_between(*wrong, at, at + size) : want == got;
    rows.push_back({repeat, lane / std::max(1u, per_block(type)), lane, active, want != old_bits, agrees,
                    shown, old_bits, want, got});
  };
  const std::size_t start = start_of(program, insn.operands[0]);
  if (row.operands[0].walk == Walk::indexed) {
    const std::size_t table = start_of(program, insn.operands[kOffsetsOperand]);
    for (unsigned n = 0; n < repeats_of(insn) * lanes_of(insn); ++n)
      add(start + bits_at(before, table + std::size_t{4} * n, Element::u32), n / lanes_of(insn),
          n % lanes_of(insn), type);
    return rows;
  }
  unsigned n = 0;
  for_each_piece(insn, 0, [&](std::uint64_t offset, std::uint64_t bytes) {
    for (std::uint64_t byte = 0; byte < bytes; byte += size, ++n) {
      const bool of_index = (has_sort_probes(row) && (offset + byte) % kRecordBytes >= kIndexAt) ||
                            is_index(insn, n % per_repeat);
      add(start + offset + byte, n / per_repeat, n % per_repeat,
          !of_index   ? type
          : size == 4 ? Element::u32
                      : Element::u16);
    }
  });
  std::ranges::stable_sort(rows, {}, [](const LaneRow& each) { return std::pair(each.repeat, each.lane); });
  return rows;
}

}  // namespace lanecheck
