#include "spec/rules/relation.h"

#include <algorithm>

#include "spec/mask/footprint.h"
#include "spec/program/profile.h"
#include "spec/rules/cell_kinds.h"

namespace lanecheck::relation {
namespace {

using cell_kinds::among;

enum class Place : std::uint8_t { untouched, off, on, shared };

/// For each byte of UB: who writes there. A byte is shared if several lanes write it, or if one lane writes
/// it active in one repeat and masked off in another. It is not shared if several repeats write it through
/// the same lane with the same mask: in both runs the last one stays.
class Places {
 public:
  explicit Places(const Step& step)
      : place_(step.before.ub.size(), Place::untouched), lane_(place_.size(), 0) {}

  void mark(std::size_t at, unsigned size, bool on, unsigned lane) {
    for (std::size_t byte = at; byte < at + size && byte < place_.size(); ++byte) {
      const Place says = on ? Place::on : Place::off;
      const bool first = place_[byte] == Place::untouched;
      if (first) lane_[byte] = lane;
      place_[byte] = first || (lane_[byte] == lane && place_[byte] == says) ? says : Place::shared;
    }
  }

  /// At every place of kind `kind`, `left` and `right` agree.
  bool agree(Place kind, const State& left, const State& right) const {
    for (std::size_t byte = 0; byte < place_.size(); ++byte)
      if (place_[byte] == kind && left.ub[byte] != right.ub[byte]) return false;
    return true;
  }

 private:
  std::vector<Place> place_;
  std::vector<unsigned> lane_;
};

/// Elements of dst, lane by lane, and whether the step has them on.
Places lanes_written(const Step& step) {
  Places places(step);
  const Walked walked(step);
  const Instruction& insn = walked.here.insn;
  const unsigned size = size_of(insn.dst_type), lanes = lanes_of(insn);
  std::uint64_t n = 0;
  for_each_piece(insn, 0, [&](std::uint64_t offset, std::uint64_t bytes) {
    for (std::uint64_t byte = 0; byte < bytes; byte += size, ++n)
      places.mark(start_of(step.program, insn.operands[0]) + offset + byte, size,
                  walked.is_on(n / lanes, static_cast<unsigned>(n % lanes)),
                  static_cast<unsigned>(n % lanes));
  });
  return places;
}

/// The reductions of VMC 3.2 and 3.3 and of asc-devkit (WholeReduceMax with its index), and how many results
/// each makes of `lanes` lanes. 0: not a reduction.
unsigned results_of(Op op, unsigned lanes) {
  if (among(op, {Op::cadd, Op::cmax, Op::cmin, Op::cmax_index, Op::cmin_index})) return 1;
  if (among(op, {Op::cgadd, Op::cgmax, Op::cgmin})) return kRepeatBlocks;
  return op == Op::cpadd ? lanes / 2 : 0;
}

/// Results of a reduction, and whether any of their lanes is on.
Places results_written(const Step& step) {
  Places places(step);
  const Walked walked(step);
  const Instruction& insn = walked.here.insn;
  const auto bytes = static_cast<unsigned>(repeat_bytes(insn, 0));
  const unsigned results = results_of(insn.op, lanes_of(insn));
  const unsigned group = lanes_of(insn) / results, size = bytes / results;
  std::uint64_t repeat = 0;
  for_each_piece(insn, 0, [&](std::uint64_t offset, std::uint64_t) {
    for (unsigned k = 0; k < results; ++k) {
      bool on = false;
      for (unsigned lane = k * group; lane < (k + 1) * group; ++lane) on |= walked.is_on(repeat, lane);
      places.mark(start_of(step.program, insn.operands[0]) + offset + k * size, size, on, k);
    }
    ++repeat;
  });
  return places;
}

/// Slots `from` to `from` + 63 are the bits of `word`.
bool slots_are(const Mask& mask, unsigned from, std::uint64_t word) {
  for (unsigned bit = 0; bit < 64; ++bit)
    if (mask[from + bit] != (word >> bit & 1)) return false;
  return true;
}

}  // namespace

Walked::Walked(const Step& step) {
  const Readings readings = default_readings(step.program.profile);
  mask = bits_of(step.before.mask, step.before.mode, MaskOrigin::set);
  mask.load(step.insn, readings);
  here = resolve(step.insn, mask, readings);
}

bool Walked::is_on(std::uint64_t repeat, unsigned lane) const {
  if (here.total != kNoTotal) return repeat * lanes_of(here.insn) + lane < here.total;
  return (mask.words[lane / 64 % 4] >> lane % 64 & 1) != 0;
}

bool keeps_masked_off(const Step& step) {
  return lanes_written(step).agree(Place::off, step.before, step.after);
}
bool writes_active(const Step& step) {
  return lanes_written(step).agree(Place::on, step.unmasked, step.after);
}
bool neutralises_masked_off(const Step& step) {
  return results_written(step).agree(Place::on, step.unmasked, step.after);
}
bool keeps_empty_results(const Step& step) {
  return results_written(step).agree(Place::off, step.before, step.after);
}
bool writes_empty_results(const Step& step) {
  return results_written(step).agree(Place::off, step.unmasked, step.after);
}
bool repeat_times_fit_count(const Step& step) {
  return Walked(step).here.insn.repeat == step.insn.repeat;
}
bool ignores_mask(const Step& step) {
  return same_bytes(step.after.ub, step.unmasked.ub);
}
bool leaves_ub(const Step& step) {
  return same_bytes(step.after.ub, step.before.ub);
}
bool leaves_mask(const Step& step) {
  return step.after.mask == step.before.mask && step.after.mode == step.before.mode;
}
bool stays_in_footprint(const Step& step) {
  const bool reduces = results_of(step.insn.op, lanes_of(step.insn)) > 0;
  return (reduces ? results_written(step) : lanes_written(step))
      .agree(Place::untouched, step.before, step.after);
}
bool gates_writeback_alone(const Step& step) {
  return gates_writeback(step) && stays_in_footprint(step);
}

bool low_word_arrives(const Step& step) {
  return slots_are(step.after.mask, 0, step.insn.low);
}
bool high_word_arrives(const Step& step) {
  return slots_are(step.after.mask, 64, step.insn.high);
}
bool upper_half_stays(const Step& step) {
  return std::equal(step.before.mask.begin() + 128, step.before.mask.end(), step.after.mask.begin() + 128);
}
bool register_is_full(const Step& step) {
  return step.after.mask == kFullMask;
}

std::uint64_t lane_at(const Step& step, const Operand& operand, unsigned size, std::uint64_t repeat,
                      std::uint64_t lane) {
  const unsigned per = kBlockBytes / size;
  const std::uint64_t blocks = repeat * operand.repeat_stride + lane / per * operand.block_stride;
  return start_of(step.program, operand) + kBlockBytes * blocks + lane % per * size;
}

bool writes_a_place_twice(const Instruction& insn) {
  const Operand& dst = insn.operands[0];
  const bool repeats_meet = insn.repeat > 1 && dst.repeat_stride <= (kRepeatBlocks - 1) * dst.block_stride;
  return repeats_meet || dst.block_stride == 0;
}

}  // namespace lanecheck::relation
