#include "fuzz/identify/values/product_variants.h"

#include <cmath>
#include <cstring>

#include "oracle/execute/execute.h"
#include "spec/mask/footprint.h"
#include "spec/text/number.h"

namespace lanecheck {
namespace {

std::int64_t integer_at(const Program& program, const Instruction& insn, unsigned k, std::size_t n) {
  std::uint64_t bits = 0;
  std::memcpy(&bits, &program.ub[start_of(program, insn.operands[k]) + 4 * n], 4);
  return static_cast<std::int64_t>(value_of(insn.src_type, bits));
}

/// The lowest 32 bits of the nearest f64 number. It has 53 significant bits, and the product is below 2^64.
std::uint32_t through_f64(std::int64_t a, std::int64_t b) {
  const double product = static_cast<double>(a) * static_cast<double>(b);
  const auto magnitude = static_cast<std::uint64_t>(std::abs(product));
  return static_cast<std::uint32_t>(product < 0 ? ~magnitude + 1 : magnitude);
}

}  // namespace

std::vector<ValueVariant> product_variants(const Subject& subject) {
  const Instruction& given = subject.insn;
  const bool multiplies = given.op == Op::mul || given.op == Op::muls;
  if (!multiplies || is_float(given.src_type) || size_of(given.src_type) != 4) return {};
  return {
      {"multiplies in f64, which keeps 53 significant bits of the product, before it takes the lowest 32 "
       "bits",
       [](const Program& program, State& state) {
         state.ub = program.ub;
         const Instruction& insn = program.instructions.back();
         const auto scalar = static_cast<std::int64_t>(value_of(insn.src_type, insn.scalar.bits));
         for (std::size_t n = 0; n < std::size_t{insn.repeat} * lanes_of(insn); ++n) {
           const std::int64_t factor = takes_scalar(insn) ? scalar : integer_at(program, insn, 2, n);
           const std::uint32_t result = through_f64(integer_at(program, insn, 1, n), factor);
           std::memcpy(&state.ub[start_of(program, insn.operands[0]) + 4 * n], &result, 4);
         }
       }}};
}

}  // namespace lanecheck
