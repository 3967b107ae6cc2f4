#include "fuzz/coverage/parameter_coverage.h"

#include <algorithm>

#include "fuzz/generate/boundary.h"
#include "fuzz/generate/generate.h"
#include "spec/legality/find_fault.h"
#include "spec/program/profile.h"

namespace lanecheck {
namespace {

constexpr ClassSet kFirst = 1, kTieClass = 1 << 3, kEmptyMask = 1 << 1;
constexpr unsigned kOneBlockOff = 3;

bool is_float_source(const Row& row, Profile profile) {
  const auto& pairs = row.in(profile).pairs;
  return std::ranges::any_of(pairs, [](const TypePair& pair) { return is_float(pair.src); });
}

/// Does the table have this cell? It has none for an operand, or a kind of value, that the instruction lacks.
bool exists(const Row& row, Profile profile, Parameter parameter, unsigned of_class) {
  const bool two_sources = operand_of(row, Parameter::src1_block).has_value();
  switch (parameter) {
    case Parameter::repeat:
      return row.has_repeat;
    case Parameter::mask: {
      const bool has_blocks = row.lanes != LaneRule::fixed && row.lanes != LaneRule::lengths;
      return has_blocks || of_class != kOneBlockOff;
    }
    case Parameter::in_place:
      if (!operand_of(row, Parameter::dst_block) || !operand_of(row, Parameter::src0_block)) return false;
      return of_class < 2 || (two_sources && (of_class == 2 || row.accumulates));
    case Parameter::source_strides:
      return two_sources;
    case Parameter::src0_value:
    case Parameter::src1_value:
      if ((kTieClass >> of_class & 1) != 0 && !row.rounds) return false;
      return operand_of(row, parameter) && is_float_source(row, profile);
    case Parameter::dst_repeat:
    case Parameter::src0_repeat:
    case Parameter::src1_repeat:
      return row.has_repeat && operand_of(row, parameter);
    case Parameter::dst_block:
    case Parameter::src0_block:
    case Parameter::src1_block:
      break;
  }
  return operand_of(row, parameter).has_value();
}

/// Why no legal program reaches some classes of a parameter.
struct Reason {
  Parameter parameter;
  ClassSet classes;
  bool (*holds)(const Row& row, Profile profile);
  std::string_view why;
};

bool has_fixed_blocks(const Row&, Profile profile) {
  return row_of(profile).block_stride_fixed;
}
bool reads_dst_apart(const Row& row, Profile profile) {
  return row.reads_dst && !row_of(profile).read_dst_may_meet;
}
bool reads_dst_that_meets(const Row& row, Profile profile) {
  return row.reads_dst && row_of(profile).read_dst_may_meet;
}

constexpr std::string_view kNoBlockStride = "the API has no block stride (TIK-block-stride)";
constexpr ClassSet kNotOne = ~ClassSet{1 << 1};

constexpr Reason kReasons[] = {
    {Parameter::mask, kEmptyMask,
     [](const Row& row, Profile profile) {
       return takes_mask(row) && row_of(profile).mask_operands == MaskOperands::by_form &&
              !may_meet_empty_register(profile);
     },
     "no instruction may meet a mask without an active lane (LAW-register-open)"},
    {Parameter::mask, kEmptyMask,
     [](const Row& row, Profile profile) {
       return row.brings_own_mask() && row_of(profile).mask_operands == MaskOperands::by_form;
     },
     "the instruction brings its own mask, which has an active lane"},
    {Parameter::in_place, 1 << 1, [](const Row& row, Profile) { return row.whole_blocks; },
     "VP does not say whether a block is padded before or after it is read"},
    {Parameter::dst_block, kNotOne, has_fixed_blocks, kNoBlockStride},
    {Parameter::src0_block, kNotOne, has_fixed_blocks, kNoBlockStride},
    {Parameter::src1_block, kNotOne, has_fixed_blocks, kNoBlockStride},
    {Parameter::dst_block, kFirst,
     [](const Row&, Profile profile) { return row_of(profile).least_dst_block_stride > 0; },
     "a block stride of 0 of dst is illegal (LAW-dst-block-stride)"},
    {Parameter::dst_block, kFirst, reads_dst_apart,
     "blocks of a dst that is also read stay apart (LAW-overlap-dst)"},
    {Parameter::dst_block, kFirst, reads_dst_that_meets,
     "blocks of a dst that is also read stay apart (LAW-overlap-dst-blocks)"},
    {Parameter::dst_repeat, kFirst, reads_dst_apart,
     "repeats of a dst that is also read stay apart (LAW-overlap-dst)"},
};

std::string_view reason_for(const Row& row, Profile profile, Parameter parameter, unsigned of_class) {
  for (const Reason& each : kReasons)
    if (each.parameter == parameter && (each.classes >> of_class & 1) != 0 && each.holds(row, profile))
      return each.why;
  return {};
}

}  // namespace

std::string describe(const ParameterCell& cell) {
  const ParameterRow& parameter = row_of(cell.parameter);
  std::string text(row_of(cell.profile).name);
  text.append(": ").append(row_of(cell.op).name).append(", ").append(parameter.name).append(": ");
  return text.append(parameter.classes[cell.of_class]);
}

std::vector<ParameterCell> parameter_cells(Profile profile, std::uint64_t seed, std::uint64_t cases,
                                           const std::function<bool()>& stop) {
  std::vector<SeenClasses> seen(kOps);
  Program program;
  for (std::uint64_t index = 0; index < cases && !(stop && stop()); ++index) {
    generate(seed, index, Mix{.profile = profile}, program);
    add_classes(program, default_readings(profile), seen);
  }
  std::vector<ParameterCell> cells;
  for (const Row& row : instruction_table()) {
    if (!computes(row, profile)) continue;
    for (std::size_t p = 0; p < kParameters; ++p) {
      const auto parameter = static_cast<Parameter>(p);
      for (unsigned n = 0; n < row_of(parameter).classes.size(); ++n) {
        if (!exists(row, profile, parameter, n)) continue;
        const bool reached = (seen[static_cast<std::size_t>(row.op)].of[p] >> n & 1) != 0;
        cells.push_back({profile, row.op, parameter, n, reached, reason_for(row, profile, parameter, n)});
      }
    }
  }
  return cells;
}

}  // namespace lanecheck
