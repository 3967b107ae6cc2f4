// How a cast rounds, and what it makes of numbers that do not fit.
#include <algorithm>
#include <cmath>
#include <cstring>

#include "fuzz/identify/identify_testing.h"
#include "spec/mask/footprint.h"
#include "spec/text/number.h"

namespace lanecheck {
namespace value_rounding_test {

/// A cast that computes each active lane with `convert(mode, number)`; the documents limit results to the
/// type.
template <class Convert>
Ask casts(Convert convert) {
  return then([=](const Program& program, State& state) {
    const Instruction& insn = program.instructions.back();
    if (insn.op != Op::cast) return;
    const Mask mask = mask_of(program);
    for (unsigned r = 0; r < insn.repeat; ++r)
      for (unsigned lane = 0; lane < lanes_of(insn); ++lane) {
        if (mask[lane] == 0) continue;
        const auto at = [&](unsigned k) {
          return start_of(program, insn.operands[k]) + lane_offset(insn, k, r, lane);
        };
        std::uint64_t bits = 0;
        std::memcpy(&bits, &program.ub[at(1)], size_of(insn.src_type));
        const auto result = convert(insn.round, value_of(insn.src_type, bits));
        if (!result) continue;
        const std::uint64_t given = nearest(insn.dst_type, *result);
        std::memcpy(&state.ub[at(0)], &given, size_of(insn.dst_type));
      }
  });
}

using Result = std::optional<double>;

TEST(ValueRounding, HalvesGoUp) {
  const Ask half_up = casts([](Round mode, double x) -> Result {
    if (mode != Round::round) return {};
    return std::floor(x + 0.5);
  });
  EXPECT_EQ(said("cast.i16.f16", half_up),
            "cast.i16.f16 rounds halves up (towards +infinity) in mode round, instead of away from zero");
  EXPECT_EQ(said("cast.i32.f32", half_up),
            "cast.i32.f32 rounds halves up (towards +infinity) in mode round, instead of away from zero");
}

/// The sum of a negative number and 0.5 may be +0, where the documented result is -0.
TEST(ValueRounding, HalvesOfFloatsGoUp) {
  const Ask half_up = casts([](Round mode, double x) -> Result {
    if (mode != Round::round || !std::isfinite(x)) return {};
    return std::floor(x + 0.5);
  });
  EXPECT_EQ(said("cast.f32.f32", half_up),
            "cast.f32.f32 rounds halves up (towards +infinity) in mode round, instead of away from zero");
}

/// A conversion to an integer cuts off towards zero.
TEST(ValueRounding, ASumThatIsCutOff) {
  for (const Round of : {Round::round, Round::rint}) {
    const Ask cuts = casts([of](Round mode, double x) -> Result {
      if (mode != of || !std::isfinite(x)) return {};
      return std::trunc(x + 0.5);
    });
    const std::string mode = of == Round::round ? "round" : "rint";
    for (const std::string name : {"cast.i16.f16", "cast.i32.f32"})
      EXPECT_EQ(said(name, cuts),
                name + " rounds in mode " + mode + " by trunc(x + 0.5), which is too great below -0.5");
  }
}

TEST(ValueRounding, OneMoreThanTheWholePart) {
  const Ask one_more = casts([](Round mode, double x) -> Result {
    if (mode == Round::ceil && std::isfinite(x)) return std::trunc(x) + 1;
    return {};
  });
  for (const std::string name : {"cast.i16.f16", "cast.i32.f32", "cast.u8.f16"})
    EXPECT_EQ(said(name, one_more), name + " rounds in mode ceil by trunc(x) + 1, also of whole numbers");
}

TEST(ValueRounding, TheSumWithOneHalfIsRounded) {
  const Ask adds = casts([](Round mode, double x) -> Result {
    if (mode != Round::round || !std::isfinite(x)) return {};
    return std::floor(static_cast<double>(static_cast<float>(x) + 0.5F));
  });
  const std::string all = said("cast.i32.f32", adds);
  EXPECT_EQ(
      all,
      "cast.i32.f32 rounds in mode round by floor(x + 0.5), where halves below zero go up, and the sum is "
      "rounded to f32");
}

/// A type without a sign does not show what becomes of numbers below zero.
TEST(ValueRounding, ASumIsOneCauseForAllTypes) {
  const auto adds = [](bool in_f16) {
    return casts([in_f16](Round mode, double x) -> Result {
      if (mode != Round::round || !std::isfinite(x)) return {};
      const double sum = std::abs(x) + 0.5;
      return std::copysign(std::floor(in_f16 ? value_of(Element::f16, nearest(Element::f16, sum))
                                             : static_cast<double>(static_cast<float>(sum))),
                           x);
    });
  };
  for (const std::string name : {"cast.i16.f16", "cast.u8.f16", "cast.i32.f32"}) {
    const bool in_f16 = name != "cast.i32.f32";
    const auto found = identify(subject_of(name), adds(in_f16)).parts;
    ASSERT_EQ(found.size(), 1u) << name;
    EXPECT_EQ(found[0].what, name +
                                 " rounds in mode round by trunc(x + 0.5 with the sign of x), where the sum "
                                 "is rounded to " +
                                 (in_f16 ? "f16" : "f32"));
    EXPECT_EQ(found[0].key, "values: rounds in mode round by trunc of a rounded sum");
  }
}

/// Halves between two f32, of 64-bit integers that f64 holds, and others that it does not hold.
TEST(ValueRounding, HalvesOfLongIntegersGoUp) {
  const Ask half_up = then([](const Program& program, State& state) {
    const Instruction& insn = program.instructions.back();
    if (insn.op != Op::cast || insn.round != Round::round) return;
    const Mask mask = mask_of(program);
    for (unsigned r = 0; r < insn.repeat; ++r)
      for (unsigned lane = 0; lane < lanes_of(insn); ++lane) {
        const auto at = [&](unsigned k) {
          return start_of(program, insn.operands[k]) + lane_offset(insn, k, r, lane);
        };
        std::int64_t source = 0;
        std::memcpy(&source, &program.ub[at(1)], sizeof source);
        const std::int64_t magnitude = source < 0 ? -(source + 1) : source;
        unsigned lost = 0;
        while (magnitude >> lost >= 1 << 24) ++lost;
        if (mask[lane] == 0 || lost == 0 || source >= 0) continue;
        const std::int64_t unit = std::int64_t{1} << lost, rest = (source % unit + unit) % unit;
        if (2 * rest != unit) continue;
        const auto up = static_cast<float>(source - rest + unit);
        std::memcpy(&state.ub[at(0)], &up, sizeof up);
      }
  });
  EXPECT_EQ(said("cast.f32.i64", half_up),
            "cast.f32.i64 rounds halves up (towards +infinity) in mode round, instead of away from zero");
}

TEST(ValueRounding, TheCeilingIsOneAboveTheFloor) {
  const Ask one_above = casts([](Round mode, double x) -> Result {
    if (mode != Round::ceil || std::isnan(x)) return {};
    return std::floor(x) + 1;
  });
  for (const std::string name : {"cast.i32.f32", "cast.i16.f16", "cast.i8.f16", "cast.u8.f16"})
    EXPECT_EQ(said(name, one_above), name + " adds 1 to whole numbers in mode ceil");
}

/// floor and ceil by trunc, and a step where the number is below or above zero, whole or not.
TEST(ValueRounding, TheFloorIsTruncMinusOneBelowZero) {
  const Ask one_below = casts([](Round mode, double x) -> Result {
    if (mode != Round::floor || std::isnan(x)) return {};
    return std::trunc(x) - (x < 0 ? 1 : 0);
  });
  const Ask one_above = casts([](Round mode, double x) -> Result {
    if (mode != Round::ceil || std::isnan(x)) return {};
    return std::trunc(x) + (x > 0 ? 1 : 0);
  });
  for (const std::string name : {"cast.i32.f32", "cast.i64.f32", "cast.i16.f16", "cast.i8.f16"}) {
    EXPECT_EQ(said(name, one_below), name + " subtracts 1 from negative whole numbers in mode floor");
    EXPECT_EQ(said(name, one_above), name + " adds 1 to positive whole numbers in mode ceil");
  }
}

TEST(ValueRounding, TwoModesAreExchanged) {
  const Ask exchanged = casts([](Round mode, double x) -> Result {
    if (mode == Round::floor) return std::ceil(x);
    if (mode == Round::ceil) return std::floor(x);
    return {};
  });
  EXPECT_EQ(said("cast.i32.f32", exchanged),
            "cast.i32.f32 rounds up (towards +infinity) in mode floor, instead of down (towards -infinity); "
            "it rounds down (towards -infinity) in mode ceil, instead of up (towards +infinity)");
}

TEST(ValueRounding, AFloatRoundsAwayFromZero) {
  const Ask outwards = casts([](Round mode, double x) -> Result {
    if (mode != Round::ceil || !std::isfinite(x)) return {};
    const double near = value_of(Element::f16, nearest(Element::f16, x));
    if (near == x || std::abs(near) > std::abs(x)) return near;
    return value_of(Element::f16, nearest(Element::f16, near) + 1);
  });
  EXPECT_EQ(said("cast.f16.f32", outwards),
            "cast.f16.f32 rounds away from zero in mode ceil, instead of up (towards +infinity)");
}

TEST(ValueRounding, OnlyFiniteResultsRoundAwayFromZero) {
  const auto outwards = [](Element target, Round wrong) {
    return casts([=](Round mode, double x) -> Result {
      const double greatest = target == Element::f16 ? 65504 : 0x1.fep127;
      if (mode != wrong || !std::isfinite(x) || std::abs(x) > greatest) return {};
      const double near = value_of(target, nearest(target, x));
      if (near == x || std::abs(near) > std::abs(x)) return near;
      return value_of(target, nearest(target, near == 0 ? std::copysign(0.0, x) : near) + 1);
    });
  };
  EXPECT_EQ(
      said("cast.f16.f32", outwards(Element::f16, Round::ceil)),
      "cast.f16.f32 rounds away from zero in mode ceil, instead of up (towards +infinity), except numbers "
      "beyond the greatest finite one");
  EXPECT_EQ(first_said("cast.bf16.f32", outwards(Element::bf16, Round::floor)),
            "cast.bf16.f32 rounds away from zero in mode floor, instead of down (towards -infinity), except "
            "numbers beyond the greatest finite one");
}

TEST(ValueRounding, RoundsTwice) {
  // A source of i64 is one that f64 holds when it comes here.
  const Ask by_f64 = casts([](Round mode, double x) -> Result {
    if (mode != Round::rint) return {};
    return x;
  });
  EXPECT_EQ(said("cast.f32.i64", by_f64), "cast.f32.i64 rounds twice in mode rint, first to f64");
  const auto by = [](Element first) {
    return casts([first](Round mode, double x) -> Result {
      if (mode != Round::rint) return {};
      return value_of(first, nearest(first, x));
    });
  };
  EXPECT_EQ(said("cast.f16.f32", by(Element::bf16)), "cast.f16.f32 rounds twice in mode rint, first to bf16");
  EXPECT_EQ(first_said("cast.f32.i32", by(Element::bf16)),
            "cast.f32.i32 rounds twice in mode rint, first to bf16");
}

TEST(ValueRounding, TheLimitsAreThoseOfAnotherRange) {
  const Ask limits = then([](const Program& program, State& state) {
    const Instruction& insn = program.instructions.back();
    if (insn.op != Op::cast) return;
    const Mask mask = mask_of(program);
    for (unsigned r = 0; r < insn.repeat; ++r)
      for (unsigned lane = 0; lane < lanes_of(insn); ++lane) {
        std::byte* at = &state.ub[start_of(program, insn.operands[0]) + lane_offset(insn, 0, r, lane)];
        if (mask[lane] != 0 && load<std::int16_t>(at) == -32768) store(at, std::int16_t{-32767});
      }
  });
  EXPECT_EQ(said("cast.i16.f16", limits), "cast.i16.f16 limits its results to -32767 .. 32767 in every mode");
}

TEST(ValueRounding, InfinityAndNanGiveTheLeastNumber) {
  const Ask least = casts([](Round, double x) -> Result {
    if (std::isfinite(x)) return {};
    return -1e30;
  });
  EXPECT_EQ(said("cast.i32.f32", least),
            "cast.i32.f32 gives -2147483648 for +infinity in every mode, instead of 2147483647, and gives "
            "-2147483648 for NaN, instead of 0");
}

TEST(ValueRounding, NumbersThatAreTooGreatWrapAround) {
  const Ask wraps = casts([](Round mode, double x) -> Result {
    if (mode != Round::floor || !(x > 255)) return {};
    return std::fmod(std::floor(std::min(x, 2147483647.0)), 256);
  });
  EXPECT_EQ(
      said("cast.u8.f16", wraps),
      "cast.u8.f16 limits numbers to i32 and keeps the lowest 8 bits of numbers that are too great for u8 "
      "in mode floor");
}

/// A number beyond a limit keeps its lowest bits; infinity has no such bits. Beyond an infinite limit there
/// is nothing.
Ask wraps_beyond(double least, double greatest) {
  return casts([=](Round mode, double x) -> Result {
    if (std::isnan(x) || (x >= least && x <= greatest) || mode != Round::trunc) return {};
    if (std::isinf(x)) return 0.0;
    const double low = std::fmod(std::trunc(x), 65536), positive = low < 0 ? low + 65536 : low;
    return positive >= 32768 ? positive - 65536 : positive;
  });
}

TEST(ValueRounding, NumbersBeyondALimitWrap) {
  const std::string text = "cast.i16.f16 wraps (keeps the lowest 16 bits) ";
  EXPECT_EQ(said("cast.i16.f16", wraps_beyond(-32768, INFINITY)),
            text + "below the least i16 in mode trunc, instead of limiting");
  EXPECT_EQ(said("cast.i16.f16", wraps_beyond(-INFINITY, 32767)),
            text + "above the greatest i16 in mode trunc, instead of limiting");
  EXPECT_EQ(said("cast.i16.f16", wraps_beyond(-32768, 32767)),
            text +
                "above the greatest i16 in mode trunc, instead of limiting, and wraps (keeps the lowest 16 "
                "bits) below the least i16, instead of limiting");
}

/// Old dst of the probes is not 0, so that zeros above a result are no bits that are kept.
TEST(ValueRounding, ASourceWithoutItsSign) {
  const auto without_sign = [](std::uint64_t span) {
    return casts([span](Round, double x) -> Result { return x < 0 ? x + static_cast<double>(span) : x; });
  };
  EXPECT_EQ(said("cast.i64.i32", without_sign(std::uint64_t{1} << 32)),
            "cast.i64.i32 takes its elements as unsigned numbers (zero-extended)");
  EXPECT_EQ(said("cast.f32.i16", without_sign(1 << 16)),
            "cast.f32.i16 takes its elements as unsigned numbers");
  EXPECT_EQ(said("cast.f16.i8", without_sign(1 << 8)), "cast.f16.i8 takes its elements as unsigned numbers");
}

TEST(ValueRounding, BitsThatAreNotWrittenKeepThoseOfOldDst) {
  const Ask keeps = then([](const Program& program, State& state) {
    const Instruction& insn = program.instructions.back();
    const Mask mask = mask_of(program);
    if (sets_mask(insn)) return;
    const std::size_t half = size_of(insn.dst_type) / 2;
    for (unsigned r = 0; r < insn.repeat; ++r)
      for (unsigned lane = 0; lane < lanes_of(insn); ++lane) {
        const std::size_t upper = start_of(program, insn.operands[0]) + lane_offset(insn, 0, r, lane) + half;
        if (mask[lane] != 0) std::memcpy(&state.ub[upper], &program.ub[upper], half);
      }
  });
  const std::string computes = " computes only the lowest ", others = "; the others are those of old dst";
  EXPECT_EQ(said("vnot.u16", keeps), "vnot.u16" + computes + "8 bits of its results" + others);
  EXPECT_EQ(said("vor.i16", keeps), "vor.i16" + computes + "8 bits of its results" + others);
  EXPECT_EQ(said("adds.i32", keeps), "adds.i32" + computes + "16 bits of its results" + others);
}

}  // namespace value_rounding_test
}  // namespace lanecheck
