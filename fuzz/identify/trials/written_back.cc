#include "fuzz/identify/trials/written_back.h"

#include <algorithm>
#include <array>
#include <cstring>

#include "fuzz/identify/probes/place_map.h"
#include "fuzz/identify/probes/shapes.h"
#include "fuzz/identify/trials/trials.h"
#include "spec/mask/footprint.h"
#include "spec/text/program_text.h"

namespace lanecheck {
namespace {

constexpr unsigned kBackRepeats = 4;

/// When the old dst is read that a masked-off lane puts back.
enum class Read : std::uint8_t { before_instruction, before_repeat };

/// The results of each lane of each repeat, where dst lies in a row under a full mask.
std::optional<std::vector<std::uint64_t>> results_of(const Subject& given, unsigned seed) {
  const Subject subject = in_a_row(given, kBackRepeats);
  const auto trial = run_trial(subject, full_mask(subject), seed, ask_oracle());
  if (!trial) return {};
  const Region& dst = trial->layout.regions[0];
  const Element type = subject.insn.dst_type;
  std::vector<std::uint64_t> results;
  for (unsigned n = 0; n < kBackRepeats * lanes_of(subject.insn); ++n)
    results.push_back(get_element(trial->documented, dst, type, dst.margin / size_of(type) + n));
  return results;
}

/// dst after the repeats, in which lanes that are off write what they read.
Bytes left_by_writing_back(const ShapeTrial& trial, const std::vector<std::uint64_t>& results, Read read) {
  const Instruction& insn = trial.insn();
  const Region& dst = trial.layout.regions[0];
  const std::size_t size = size_of(insn.dst_type);
  Bytes ub = trial.program.ub;
  for (unsigned repeat = 0; repeat < insn.repeat; ++repeat) {
    const Bytes old = read == Read::before_repeat ? ub : trial.program.ub;
    for (unsigned lane = 0; lane < lanes_of(insn); ++lane) {
      const std::size_t at = dst.start() + lane_offset(insn, 0, repeat, lane);
      const std::uint64_t result = results[repeat * lanes_of(insn) + lane];
      const bool is_on = lane >= kMaskSlots / 2 || has_slot(trial.mask, lane);
      std::memcpy(&ub[at], is_on ? static_cast<const void*>(&result) : &old[at], size);
    }
  }
  return ub;
}

/// Trials in which a lane that is off has the place of another one that is on. Empty if the first one is
/// right.
std::vector<std::pair<ShapeTrial, std::vector<std::uint64_t>>> trials_of(const Subject& given,
                                                                         const Ask& ask) {
  std::vector<std::array<std::uint32_t, 2>> strides = {{0, 1}, {1, 1}, {1, 3}};
  // Lanes behind the slots are always on, and the last ones of a repeat: with a block stride of 0 they stay.
  if (lanes_of(given.insn) > kMaskSlots / 2) std::ranges::reverse(strides);
  std::vector<std::pair<ShapeTrial, std::vector<std::uint64_t>>> all;
  const MaskWords full = full_mask(given);
  for (const auto& [block, repeat] : strides) {
    Subject subject = in_a_row(given, kBackRepeats);
    subject.insn.operands[0].block_stride = block;
    subject.insn.operands[0].repeat_stride = repeat;
    const auto seed = static_cast<unsigned>(7 + all.size());
    auto trial = run_trial_over_numbers(subject, {kGappedMask.high & full.high, kGappedMask.low & full.low},
                                        seed, ask);
    if (trial && all.empty() && trial->is_right()) return {};
    auto results = trial ? results_of(given, seed) : std::nullopt;
    if (results) all.emplace_back(std::move(*trial), *std::move(results));
  }
  return all;
}

}  // namespace

std::optional<Difference> written_back_difference(const Subject& subject, const Ask& ask) {
  const Row& row = row_of(subject.insn.op);
  const bool is_plain = row.mask == MaskUse::gates_writeback && has_place_probes(row) && !row.reads_dst;
  if (!is_plain || !row.has_repeat || row.operands[0].walk != Walk::blocks) return {};
  const auto all = trials_of(subject, ask);
  if (all.empty()) return {};
  for (const Read read : {Read::before_repeat, Read::before_instruction}) {
    if (!std::ranges::all_of(all, [&](const auto& each) {
          return left_by_writing_back(each.first, each.second, read) == each.first.actual;
        }))
      continue;
    const std::string text = std::string("leaves what stood in dst before the ") +
                             (read == Read::before_repeat ? "repeat" : "instruction") +
                             " where a masked-off lane comes after an active one at the same place, as if "
                             "masked-off lanes wrote it back";
    Difference difference{MapKind::gate, mnemonic(subject.insn) + " " + text, {}};
    difference.general = text;
    difference.of_all_shapes = difference.writes_masked_off = true;
    return difference;
  }
  return {};
}

}  // namespace lanecheck
