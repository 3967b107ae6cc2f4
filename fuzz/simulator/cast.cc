// cast: the pairs and round modes of asc-devkit's Cast on Atlas A2, without int4. The lane domain is that of
// the wider type (VMC 3.1).
#include "fuzz/simulator/elementwise.h"
#include "fuzz/simulator/instruction_list.h"
#include "fuzz/simulator/rounding.h"
#include "fuzz/simulator/types.h"

namespace lanecheck::simulator {
namespace {

constexpr bool is_nearest(Round mode) {
  return mode == Round::none || mode == Round::rint;
}

/// float to f16 or bf16 in any mode; infinities stay, NaN stays NaN.
template <class Dst>
std::uint16_t narrow_float(float x, Round mode) {
  if (std::isfinite(x)) return round_into<Dst>(exact(double{x}), mode);
  const auto quiet = std::bit_cast<std::uint32_t>(x) | (std::isnan(x) ? 1u << 22 : 0u);
  return static_cast<std::uint16_t>(std::is_same_v<Dst, BFloat16> ? quiet >> 16 : half_of_float(x));
}

/// To the computed value of Dst where f32 holds it or the final rounding is to nearest anyway, else to the
/// stored form.
template <class Dst, class Src, Round mode>
auto convert(Computed<Src> x) {
  if constexpr (std::is_integral_v<Dst> && std::is_integral_v<Src>)
    return saturate<Dst>(std::int64_t{x});
  else if constexpr (std::is_integral_v<Dst>)
    return saturate<Dst>(round_to_integral<mode>(x));
  else if constexpr (std::is_same_v<Dst, Src>)
    return round_to_integral<mode>(x);
  else if constexpr (is_float_v<Src> && sizeof(Src) < sizeof(Dst))
    return x;
  else if constexpr (is_nearest(mode) && !std::is_same_v<Dst, BFloat16> &&
                     sizeof(Src) < 8)  // valgrind rounds i64 to f32 twice
    return static_cast<float>(x);
  else if constexpr (is_float_v<Src>)
    return narrow_float<Dst>(x, mode);
  else
    return round_into<Dst>(exact(std::int64_t{x}), mode);
}

/// i32 to f16: the exact product with the scale (at most 31 + 11 bits) rounded once.
std::uint16_t dequantize(std::int32_t x, double scale) {
  const double product = x * scale;
  return std::isfinite(product) ? round_into<Half>(exact(product), Round::rint)
                                : static_cast<std::uint16_t>(half_of_float(static_cast<float>(product)));
}

template <Round mode>
struct RoundMode {};

template <class F>
void with_mode(Round mode, F f) {
  switch (mode) {
    case Round::none:
      return f(RoundMode<Round::none>{});
    case Round::rint:
      return f(RoundMode<Round::rint>{});
    case Round::floor:
      return f(RoundMode<Round::floor>{});
    case Round::ceil:
      return f(RoundMode<Round::ceil>{});
    case Round::round:
      return f(RoundMode<Round::round>{});
    case Round::trunc:
      return f(RoundMode<Round::trunc>{});
    case Round::odd:
      return f(RoundMode<Round::odd>{});
  }
}

template <class Dst, class Src>
void cast_as(const Machine& machine, const Instruction& insn) {
  const Strided<Src> src = machine.strided<Src>(insn, 1);
  if constexpr (std::is_same_v<Dst, Half> && std::is_same_v<Src, std::int32_t>) {
    const double scale = scalar_of<Half>(insn);
    elementwise<Half>(
        machine, insn, [scale](std::int32_t x) { return dequantize(x, scale); }, src);
  } else {
    with_mode(insn.round, [&]<Round mode>(RoundMode<mode>) {
      elementwise<Dst>(
          machine, insn, [](Computed<Src> x) { return convert<Dst, Src, mode>(x); }, src);
    });
  }
}

template <class Src, class... Dsts>
void cast_from(Types<Dsts...> offered, const Machine& machine, const Instruction& insn) {
  with_type_in(offered, insn.dst_type, [&]<class Dst>(Dst) { cast_as<Dst, Src>(machine, insn); });
}

}  // namespace

void cast(Machine& machine, const Instruction& insn) {
  using std::int16_t, std::int32_t, std::int64_t, std::int8_t, std::uint8_t;
  switch (insn.src_type) {
    case Element::i8:
      return cast_from<int8_t>(Types<Half>{}, machine, insn);
    case Element::u8:
      return cast_from<uint8_t>(Types<Half>{}, machine, insn);
    case Element::i16:
      return cast_from<int16_t>(Types<Half, float>{}, machine, insn);
    case Element::i32:
      return cast_from<int32_t>(Types<int16_t, Half, float, int64_t>{}, machine, insn);
    case Element::i64:
      return cast_from<int64_t>(Types<int32_t, float>{}, machine, insn);
    case Element::f16:
      return cast_from<Half>(Types<int8_t, uint8_t, int16_t, int32_t, float>{}, machine, insn);
    case Element::bf16:
      return cast_from<BFloat16>(Types<int32_t, float>{}, machine, insn);
    case Element::f32:
      return cast_from<float>(Types<Half, BFloat16, int16_t, int32_t, int64_t, float>{}, machine, insn);
    case Element::u16:
    case Element::u32:
    case Element::u64:
      unknown(insn);
  }
}

}  // namespace lanecheck::simulator
