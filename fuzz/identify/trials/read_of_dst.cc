#include "fuzz/identify/trials/read_of_dst.h"

#include "fuzz/identify/probes/place_map.h"
#include "fuzz/identify/trials/trials.h"
#include "spec/text/number.h"
#include "spec/text/program_text.h"

namespace lanecheck {
namespace {

/// With which strides the old dst is read in place of those of dst.
struct ReadWith {
  std::string text;  ///< "repeat stride 8 instead of the repeat stride of dst"
  std::function<void(const Instruction&, Operand& dst)> change;
};

std::vector<ReadWith> possible_reads(const Instruction& insn) {
  constexpr std::uint32_t kMostStride = 16;
  std::vector<ReadWith> all;
  for (const auto field : kStrides) {
    const std::string name = stride_name(field);
    const std::string instead = " instead of the " + name + " of dst";
    for (unsigned k = 1; k < row_of(insn.op).operands.size(); ++k)
      all.push_back(
          {"the " + name + " of " + std::string(row_of(insn.op).operands[k].role) + instead,
           [k, field](const Instruction& given, Operand& dst) { dst.*field = given.operands[k].*field; }});
    for (std::uint32_t stride = 0; stride <= kMostStride; ++stride)
      all.push_back({name + " " + std::to_string(stride) + instead,
                     [stride, field](const Instruction&, Operand& dst) { dst.*field = stride; }});
  }
  for (unsigned k = 1; k < row_of(insn.op).operands.size(); ++k)
    all.push_back(
        {"the strides of " + std::string(row_of(insn.op).operands[k].role) + " instead of those of dst",
         [k](const Instruction& given, Operand& dst) {
           for (const auto field : kStrides) dst.*field = given.operands[k].*field;
         }});
  return all;
}

/// Small whole numbers; those of dst do not repeat themselves soon.
void put_numbers(ShapeTrial& trial, unsigned seed) {
  const Instruction& insn = trial.insn();
  for (unsigned k = 0; k < row_of(insn.op).operands.size(); ++k) {
    const Region& region = trial.layout.regions[k];
    const Element type = operand_type(insn, row_of(insn.op).operands[k]);
    for (unsigned n = 0; n < region.bytes / size_of(type); ++n)
      put_element(trial.program, region, type, n,
                  nearest(type, k == 0 ? 20 + n * (7 + seed) % 101 : 1 + (n + seed) % 3));
  }
}

std::optional<ShapeTrial> trial_of(const Subject& subject, unsigned seed, const Ask& ask) {
  return run_trial_with(
      subject, full_mask(subject), [seed](ShapeTrial& trial) { put_numbers(trial, seed); }, ask);
}

/// Does the backend leave what the documents would if the old dst stood where `read` finds it?
bool gives(const ReadWith& read, const ShapeTrial& trial) {
  const Region& dst = trial.layout.regions[0];
  const Element type = trial.insn().dst_type;
  const auto margin = static_cast<std::int32_t>(dst.margin / size_of(type));
  Instruction reading = trial.insn();
  read.change(trial.insn(), reading.operands[0]);
  ShapeTrial moved = trial;
  for (unsigned r = 0; r < repeats_of(reading); ++r)
    for (unsigned lane = 0; lane < lanes_of(reading); ++lane) {
      const auto from = static_cast<std::uint32_t>(margin + element_at(reading, 0, r, lane));
      const auto to = static_cast<std::uint32_t>(margin + element_at(trial.insn(), 0, r, lane));
      if ((from + 1) * size_of(type) > dst.bytes) return false;
      put_element(moved.program, dst, type, to, get_element(trial.program.ub, dst, type, from));
    }
  return left_by(moved, {moved.placed()}) == trial.actual;
}

/// Fresh strides: the same law must give all of them, and some of them must deviate.
bool holds_elsewhere(const ReadWith& read, const Subject& given, const Ask& ask) {
  constexpr std::array<std::array<std::uint32_t, 3>, 4> kBlocks = {
      {{2, 3, 1}, {4, 1, 2}, {3, 2, 4}, {1, 1, 1}}};
  unsigned seed = 10, deviates = 0;
  for (const auto& blocks : kBlocks) {
    Subject fresh = given;
    fresh.insn.repeat = row_of(given.insn.op).has_repeat ? 2 : 1;
    for (unsigned k = 0; k < row_of(given.insn.op).operands.size(); ++k) {
      fresh.insn.operands[k].block_stride = blocks[k];
      fresh.insn.operands[k].repeat_stride = 8 * blocks[k] + 3 * k + 1;
    }
    const auto trial = trial_of(fresh, ++seed, ask);
    if (!trial) continue;
    if (!gives(read, *trial)) return false;
    deviates += trial->is_right() ? 0 : 1;
  }
  return deviates >= 2;
}

}  // namespace

std::optional<Difference> read_of_dst_difference(const std::vector<Shape>& shapes, const Ask& ask) {
  const Instruction& insn = shapes[0].subject.insn;
  if (!row_of(insn.op).reads_dst || !has_place_probes(row_of(insn.op))) return {};
  for (const Shape& shape : shapes) {
    if (shape.name == "long" || shape.name == "longest" || shares_places(shape.subject.insn)) continue;
    const auto trial = trial_of(shape.subject, 1, ask);
    if (!trial || trial->is_right()) continue;
    for (const ReadWith& read : possible_reads(shape.subject.insn)) {
      if (!gives(read, *trial) || !holds_elsewhere(read, shape.subject, ask)) continue;
      Difference difference{
          MapKind::dst, "the old dst of " + mnemonic(insn) + " is read with " + read.text, {}};
      difference.of_all_shapes = true;
      return difference;
    }
  }
  return {};
}

}  // namespace lanecheck
