#include "spec/relation.h"

#include <algorithm>

#include "spec/footprint.h"

namespace lanecheck::relation {
namespace {

enum class Place : std::uint8_t { untouched, off, on, shared };

/// One byte each for UB: who writes there. A place that lanes of different verdicts meet in is shared; places
/// that several repeats write through the same lane are not, the last one stays in both runs.
class Places {
 public:
  explicit Places(const Step& step)
      : place_(step.before.ub.size(), Place::untouched), lane_(place_.size(), 0) {}

  void mark(std::size_t at, unsigned size, bool on, unsigned lane) {
    for (std::size_t byte = at; byte < at + size && byte < place_.size(); ++byte) {
      const bool first = place_[byte] == Place::untouched;
      if (first) lane_[byte] = lane;
      place_[byte] = !first && lane_[byte] != lane ? Place::shared : on ? Place::on : Place::off;
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

/// Elements of dst, lane by lane, and whether the mask of `before` has them on.
Places lanes_written(const Step& step) {
  Places places(step);
  const unsigned size = size_of(step.insn.dst_type);
  unsigned lane = 0;
  const unsigned lanes = lanes_of(step.insn);
  for_each_piece(step.insn, 0, [&](std::uint64_t offset, std::uint64_t bytes) {
    for (std::uint64_t byte = 0; byte < bytes; byte += size, lane = (lane + 1) % lanes)
      places.mark(start_of(step.program, step.insn.operands[0]) + offset + byte, size,
                  step.before.mask[lane] != 0, lane);
  });
  return places;
}

/// Results of a reduction, and whether any of their lanes is on.
Places results_written(const Step& step) {
  Places places(step);
  const unsigned size = size_of(step.insn.dst_type);
  const unsigned results = results_per_repeat(step.insn);
  const unsigned group = lanes_of(step.insn) / results;
  for_each_piece(step.insn, 0, [&](std::uint64_t offset, std::uint64_t) {
    for (unsigned k = 0; k < results; ++k) {
      const auto* from = step.before.mask.begin() + k * group;
      places.mark(start_of(step.program, step.insn.operands[0]) + offset + k * size, size,
                  std::any_of(from, from + group, [](auto slot) { return slot != 0; }), k);
    }
  });
  return places;
}

}  // namespace

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
bool ignores_mask(const Step& step) {
  return step.after.ub == step.unmasked.ub;
}
bool leaves_ub(const Step& step) {
  return step.after.ub == step.before.ub;
}
bool leaves_mask(const Step& step) {
  return step.after.mask == step.before.mask;
}
bool stays_in_footprint(const Step& step) {
  const bool reduces = row_of(step.insn.op).mask == MaskUse::neutral_source;
  return (reduces ? results_written(step) : lanes_written(step))
      .agree(Place::untouched, step.before, step.after);
}

}  // namespace lanecheck::relation
