#include "fuzz/explain/observed/displaced_source.h"

#include <algorithm>
#include <cstring>
#include <map>

#include "fuzz/explain/questions/lane_rows.h"
#include "fuzz/explain/questions/locate.h"
#include "oracle/execute/execute.h"
#include "spec/legality/find_fault.h"
#include "spec/mask/footprint.h"
#include "spec/text/number.h"

namespace lanecheck {
namespace {

constexpr std::uint64_t kMostBlocks = 512;  // of the source; larger ones are not searched

/// The diverging instruction, with the states around it.
struct Diverging {
  Program part;  ///< it is the last instruction
  Instruction insn;
  State before;
  std::vector<LaneRow> lanes;
};

/// A data block of dst, as repeat and block of the source's lanes.
using Block = std::pair<unsigned, unsigned>;

/// The same program with many different values in the sources of its last instruction.
Program with_distinct_data(Program program) {
  const Instruction& insn = program.instructions.back();
  const auto& columns = row_of(insn.op).operands;
  for (unsigned k = 1; k < columns.size(); ++k) {
    const Allocation& home = program.allocations[insn.operands[k].allocation];
    const Element type = operand_type(insn, columns[k]);
    const unsigned size = size_of(type);
    for (std::uint32_t n = 0; (n + 1) * size <= home.bytes; ++n) {
      const std::uint32_t mixed = (n * 2654435761U + k * 40503U) >> 13;
      const double whole = static_cast<double>(mixed % 120 + 1);
      const std::uint64_t bits = nearest(type, is_float(type) ? whole / 16 : whole);
      std::memcpy(&program.ub[home.offset + n * size], &bits, size);
    }
  }
  return program;
}

std::optional<Diverging> run_part(Program part, AskedBackend& asked, const Documented& documented) {
  const BackendAnswer answer = asked.ask(part);
  if (!answer.ran()) return {};
  Diverging here{std::move(part), {}, {}, {}};
  const Instruction given = here.part.instructions.back();
  State expected;
  execute(here.part, documented.semantics, expected);
  execute(prefix(here.part, here.part.instructions.size() - 1), documented.semantics, here.before);
  MaskBits mask = bits_of(here.before.mask, here.before.mode, MaskOrigin::set);
  mask.load(given, documented.readings());
  here.insn = resolve(given, mask, documented.readings()).insn;
  const Comparison judged = compare(here.part, documented.semantics, answer.state, Shown{false, false});
  here.lanes =
      lane_rows(here.part, given, documented.readings(), here.before, expected, answer.state, &judged.bytes);
  if (std::ranges::all_of(here.lanes, &LaneRow::agrees)) return {};
  return here;
}

/// The state after the last instruction of `here` if operand `k` starts `blocks` data blocks later.
State run_displaced(const Diverging& here, unsigned k, std::int64_t blocks, std::uint64_t room,
                    const Semantics& semantics) {
  Program moved{here.part.profile, here.part.allocations, {}, {}};
  for (Allocation& each : moved.allocations) each.offset += static_cast<std::uint32_t>(room);
  State state = here.before;
  state.ub.assign(room, std::byte{0});
  state.ub.insert(state.ub.end(), here.before.ub.begin(), here.before.ub.end());
  state.ub.resize(state.ub.size() + room);
  Instruction insn = here.part.instructions.back();
  insn.operands[k].offset += static_cast<std::uint32_t>(blocks * std::int64_t{kBlockBytes});
  execute_one(moved, insn, semantics, state);
  state.ub.erase(state.ub.begin(), state.ub.begin() + static_cast<std::ptrdiff_t>(room));
  return state;
}

/// The place, in data blocks from the start of operand `k`, of block `block` of a repeat.
std::int64_t place_of(const Instruction& insn, unsigned k, const Block& block) {
  return std::int64_t{block.first} * insn.operands[k].repeat_stride +
         std::int64_t{block.second} * insn.operands[k].block_stride;
}

/// For each wrong block the only place of operand `k` that its bits come from. Empty if one block has no such
/// place, or more than one.
std::map<Block, std::int64_t> places_read(const Diverging& here, unsigned k, const Semantics& semantics) {
  const auto& column = row_of(here.insn.op).operands[k];
  const std::uint64_t bytes = extent(here.insn, k, lanes_of(here.insn));
  const auto size = static_cast<std::int64_t>(in_whole_blocks(bytes) / kBlockBytes);
  if (bytes == 0 || bytes > kMostBlocks * kBlockBytes) return {};
  const unsigned per = per_block(operand_type(here.insn, column));
  std::map<Block, std::int64_t> found;
  std::map<Block, unsigned> count;
  for (std::int64_t moved = 1 - size; moved < size; ++moved) {
    if (moved == 0) continue;
    const State state = run_displaced(here, k, moved, bytes, semantics);
    std::map<Block, bool> fits;
    const auto rows =
        lane_rows(here.part, here.part.instructions.back(), semantics.readings, here.before, state, state);
    for (std::size_t n = 0; n < rows.size(); ++n) {
      const LaneRow& lane = here.lanes[n];
      if (lane.agrees) continue;
      bool& fit = fits.try_emplace({lane.repeat, lane.lane / per}, true).first->second;
      fit = fit && rows[n].actual == lane.actual;
    }
    for (const auto& [block, fit] : fits) {
      const std::int64_t place = place_of(here.insn, k, block) + moved;
      count.try_emplace(block, 0);
      if (!fit || place < 0 || place >= size) continue;
      found[block] = place;
      ++count[block];
    }
  }
  for (const auto& [block, places] : count)
    if (places != 1) return {};
  return found;
}

/// "block 1 of repeat 2", or how far the place lies from the operand's start.
std::string name_of_place(const Instruction& insn, unsigned k, std::int64_t place) {
  const unsigned blocks = lanes_of(insn) / per_block(operand_type(insn, row_of(insn.op).operands[k]));
  for (unsigned repeat = 0; repeat < insn.repeat; ++repeat)
    for (unsigned block = 0; block < blocks; ++block)
      if (place_of(insn, k, {repeat, block}) == place)
        return "block " + std::to_string(block) + " of repeat " + std::to_string(repeat);
  return "the data block that lies " + std::to_string(place) + " blocks after its start";
}

/// Do the wrong elements hold at least two different values? A single one may lie in another place by chance.
bool shows_several_values(const std::vector<LaneRow>& lanes) {
  const auto wrong = std::ranges::find(lanes, false, &LaneRow::agrees);
  return std::ranges::any_of(
      lanes, [&](const LaneRow& lane) { return !lane.agrees && lane.actual != wrong->actual; });
}

std::optional<std::string> clause_for(const Diverging& here, const Semantics& semantics) {
  const auto& columns = row_of(here.insn.op).operands;
  for (unsigned k = 1; k < columns.size(); ++k) {
    if (columns[k].walk != Walk::blocks) continue;
    if (here.insn.operands[k].allocation == here.insn.operands[0].allocation) continue;
    const auto places = places_read(here, k, semantics);
    if (places.empty()) continue;
    const auto& [block, place] = *places.begin();
    return "takes other elements of " + std::string(columns[k].role) + " than it should: for block " +
           std::to_string(block.second) + " of repeat " + std::to_string(block.first) + " it takes " +
           name_of_place(here.insn, k, place);
  }
  return {};
}

}  // namespace

std::optional<std::string> displaced_source(const Finding& finding, AskedBackend& asked,
                                            const Documented& documented) {
  const Row& row = row_of(finding.program.instructions[finding.instruction].op);
  if (row.operands.size() < 2 || row.operands[0].walk != Walk::blocks) return {};
  const Program part = prefix(finding.program, finding.instruction + 1);
  for (const Program& program : {with_distinct_data(part), part}) {
    if (find_fault(program, documented.readings())) continue;
    if (const auto here = run_part(program, asked, documented); here && shows_several_values(here->lanes))
      if (auto clause = clause_for(*here, documented.semantics)) return clause;
  }
  return {};
}

}  // namespace lanecheck
