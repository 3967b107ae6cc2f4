#include "fuzz/identify/values/sum_variants.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "fuzz/identify/probes/move_map.h"
#include "fuzz/identify/values/type_limits.h"
#include "oracle/execute/execute.h"
#include "spec/mask/footprint.h"
#include "spec/program/profile.h"
#include "spec/text/number.h"

namespace lanecheck {
namespace {

std::uint64_t element(const std::vector<std::byte>& ub, std::size_t at, Element type) {
  std::uint64_t bits = 0;
  std::memcpy(&bits, &ub[at], size_of(type));
  return bits;
}

/// The documented results, except that `wrong(sum)` stands in place of each sum that the type cannot hold.
ValueVariant where_it_does_not_fit(std::string text, double (*wrong)(Element type, double sum)) {
  return {std::move(text), [wrong](const Program& program, State& state) {
            execute(program, Semantics(default_readings(program.profile)), state);
            const Instruction& insn = program.instructions.back();
            const Element type = insn.dst_type;
            const unsigned lanes = group_size(insn), size = size_of(type);
            const std::size_t dst = start_of(program, insn.operands[0]),
                              src = start_of(program, insn.operands[1]);
            for (unsigned result = 0; result < insn.repeat * results_per_repeat(insn); ++result) {
              double sum = 0;  // exact: 64 elements of 32 bits
              for (unsigned lane = 0; lane < lanes; ++lane)
                sum += value_of(type,
                                element(program.ub, src + (std::size_t{result} * lanes + lane) * size, type));
              if (sum >= least_of(type) && sum <= greatest_of(type)) continue;
              const std::uint64_t bits = nearest(type, wrong(type, sum));
              std::memcpy(&state.ub[dst + std::size_t{result} * size], &bits, size);
            }
          }};
}

}  // namespace

std::vector<ValueVariant> sum_variants(const Subject& subject) {
  const Row& row = row_of(subject.insn.op);
  if (row.neutral != Neutral::zero || row.mask != MaskUse::neutral_source || is_float(subject.insn.src_type))
    return {};
  return {
      where_it_does_not_fit(
          "adds without overflow and clamps the sum to the type, instead of wrapping around",
          [](Element type, double sum) { return std::clamp(sum, least_of(type), greatest_of(type)); }),
      where_it_does_not_fit(
          "gives the least value of the type for each sum that does not fit, instead of wrapping around",
          [](Element type, double) { return least_of(type); }),
      where_it_does_not_fit(
          "gives the greatest value of the type for each sum that does not fit, instead of wrapping around",
          [](Element type, double) { return greatest_of(type); }),
      where_it_does_not_fit("gives 0 for each sum that does not fit, instead of wrapping around",
                            [](Element, double) { return 0.0; })};
}

}  // namespace lanecheck
