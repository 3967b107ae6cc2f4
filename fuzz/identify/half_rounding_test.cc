// How f16 results are rounded that lie between two f16 numbers. The simulators here round with integer
// operations of their own.
#include <bit>
#include <cmath>
#include <cstring>

#include "fuzz/identify/identify_testing.h"
#include "spec/mask/footprint.h"
#include "spec/text/number.h"

namespace lanecheck {
namespace half_rounding_test {

/// `added` is 0 for truncation, half of the last place for halves away from zero.
std::uint16_t to_half(float wide, std::uint32_t added) {
  const auto bits = std::bit_cast<std::uint32_t>(wide);
  const auto sign = static_cast<std::uint16_t>(bits >> 16 & 0x8000u);
  const std::uint32_t magnitude = bits & 0x7fffffffu;
  if (magnitude > 0x7f800000u) return 0x7e00;
  if (magnitude >= 143u << 23) return sign | 0x7c00u;
  if (magnitude < 113u << 23) {  // a multiple of 2^-24
    const double count = std::ldexp(std::abs(wide), 24);
    return static_cast<std::uint16_t>(sign | static_cast<unsigned>(std::floor(count + (added ? 0.5 : 0))));
  }
  return static_cast<std::uint16_t>(sign | (magnitude + added - (112u << 23)) >> 13);
}

/// Elementwise instructions that round the result of `compute(src0, src1 or scalar, old dst)` in this way.
template <class Compute>
Ask computes(std::uint32_t added, Compute compute) {
  return then([=](const Program& program, State& state) {
    const Instruction& insn = program.instructions.back();
    if (sets_mask(insn) || insn.dst_type != Element::f16) return;
    const Mask mask = mask_of(program);
    for (unsigned r = 0; r < insn.repeat; ++r)
      for (unsigned lane = 0; lane < lanes_of(insn); ++lane) {
        if (mask[lane] == 0) continue;
        const auto at = [&](unsigned k) {
          return start_of(program, insn.operands[k]) + lane_offset(insn, k, r, lane);
        };
        const auto value = [&](unsigned k) {
          std::uint64_t bits = 0;
          std::memcpy(&bits, &program.ub[at(k)], 2);
          return static_cast<float>(value_of(Element::f16, bits));
        };
        const float second =
            takes_scalar(insn) ? static_cast<float>(value_of(Element::f16, insn.scalar.bits)) : value(2);
        const std::uint16_t result = compute(value(1), second, value(0), added);
        std::memcpy(&state.ub[at(0)], &result, 2);
      }
  });
}

std::uint16_t sum(float a, float b, float, std::uint32_t added) {
  return to_half(a + b, added);
}
std::uint16_t multiply_add(float a, float b, float c, std::uint32_t added) {
  return to_half(static_cast<float>(value_of(Element::f16, to_half(a * b, added))) + c, added);
}

constexpr std::uint32_t kHalf = 0x1000;

TEST(HalfRounding, ResultsAreTruncated) {
  const std::string text = " rounds its f16 results towards zero, instead of to the nearest";
  EXPECT_EQ(said("add.f16", computes(0, sum)), "add.f16" + text);
  EXPECT_EQ(said("adds.f16", computes(0, sum)), "adds.f16" + text);
  EXPECT_EQ(said("axpy.f16", computes(0, multiply_add)), "axpy.f16" + text);
}

/// Of the exact result, which f32 does not hold where the operands differ much. What is too large is
/// infinite.
TEST(HalfRounding, ExactResultsAreTruncated) {
  const Ask truncates = then([](const Program& program, State& state) {
    const Instruction& insn = program.instructions.back();
    if (insn.op != Op::sub || insn.dst_type != Element::f16) return;
    for (unsigned r = 0; r < insn.repeat; ++r)
      for (unsigned lane = 0; lane < lanes_of(insn); ++lane) {
        const auto bits_of = [&](const std::vector<std::byte>& ub, unsigned k) {
          std::uint64_t bits = 0;
          std::memcpy(&bits, &ub[start_of(program, insn.operands[k]) + lane_offset(insn, k, r, lane)], 2);
          return bits;
        };
        const double exact =
            value_of(Element::f16, bits_of(program.ub, 1)) - value_of(Element::f16, bits_of(program.ub, 2));
        std::uint64_t bits = bits_of(state.ub, 0);
        if (mask_of(program)[lane] == 0 || !std::isfinite(value_of(Element::f16, bits))) continue;
        if (std::abs(value_of(Element::f16, bits)) > std::abs(exact)) --bits;
        std::memcpy(&state.ub[start_of(program, insn.operands[0]) + lane_offset(insn, 0, r, lane)], &bits, 2);
      }
  });
  EXPECT_EQ(said("sub.f16", truncates),
            "sub.f16 rounds its f16 results towards zero, instead of to the nearest");
}

TEST(HalfRounding, HalvesGoAwayFromZero) {
  const std::string text = " rounds its f16 results halves away from zero, instead of to the even neighbour";
  EXPECT_EQ(said("add.f16", computes(kHalf, sum)), "add.f16" + text);
  EXPECT_EQ(said("adds.f16", computes(kHalf, sum)), "adds.f16" + text);
  EXPECT_EQ(said("muladddst.f16", computes(kHalf, multiply_add)), "muladddst.f16" + text);
}

}  // namespace half_rounding_test
}  // namespace lanecheck
