#include "oracle/compare/tolerance.h"

#include <cmath>
#include <optional>

#include "spec/text/number.h"

namespace lanecheck {

namespace {

/// The exact result of exp, ln, sqrt, rec or rsqrt; none where its page leaves it undefined.
std::optional<double> exact_value(Op op, double x) {
  if (op == Op::exp) return std::exp(x);
  if (op == Op::rec) return x == 0 ? std::nullopt : std::optional(1 / x);
  if (x <= 0) return std::nullopt;
  if (op == Op::ln) return std::log(x);
  return op == Op::rsqrt ? 1 / std::sqrt(x) : std::sqrt(x);
}

}  // namespace

/// exp, ln, sqrt: one ULP from the correctly rounded result. rec, rsqrt: an estimate good to 2^-8.
Accept approximate(const Instruction& insn, double x) {
  const Element type = insn.dst_type;
  if (std::isnan(x)) return any_nan(type);
  const auto exact = exact_value(insn.op, x);
  if (!exact) return unspecified(type);
  const std::uint32_t estimate = type == Element::f16 ? 8 : 65536;
  return within(type, nearest(type, *exact), row_of(insn.op).tolerance == Tolerance::estimate ? estimate : 1);
}

}  // namespace lanecheck
