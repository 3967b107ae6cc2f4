#include "oracle/compare/tolerance.h"

#include <cmath>
#include <limits>
#include <optional>

#include "spec/text/number.h"

namespace lanecheck {

namespace {

/// The exact result of exp, ln, sqrt, rec or rsqrt; none outside the domain.
std::optional<double> exact_value(Op op, double x) {
  if (op == Op::exp) return std::exp(x);
  if (op == Op::rec) return x == 0 ? std::nullopt : std::optional(1 / x);
  if (x <= 0) return std::nullopt;
  if (op == Op::ln) return std::log(x);
  return op == Op::rsqrt ? 1 / std::sqrt(x) : std::sqrt(x);
}

/// The greatest finite number of `type`.
double greatest(Element type) {
  return type == Element::f16 ? 65504 : static_cast<double>(std::numeric_limits<float>::max());
}

}  // namespace

Accept outside_domain(Element type, std::uint64_t bits, const Readings& readings) {
  if (readings.outside_domain == OutsideDomain::undefined) return unspecified(type);
  return is_nan(type, bits) ? any_nan(type) : within(type, bits, 0);
}

/// exp, ln, sqrt: one ULP from the correctly rounded result. rec, rsqrt: an estimate good to 2^-8.
Accept approximate(const Instruction& insn, double x, std::uint64_t bits, const Readings& readings) {
  const Element type = insn.dst_type;
  if (std::isnan(x)) return any_nan(type);
  if (insn.op == Op::sqrt && x == 0) return within(type, bits, 0);  // 0, with or without its sign
  const auto exact = exact_value(insn.op, x);
  if (!exact) return outside_domain(type, bits, readings);
  const bool estimates = row_of(insn.op).tolerance == Tolerance::estimate;
  const std::uint32_t of_estimate = type == Element::f16 ? 8 : 65536, ulp = estimates ? of_estimate : 1;
  const double one_ulp = type == Element::f16 ? 0x1p-11 : 0x1p-24;  // of greatest(type), in parts of it
  if (std::abs(*exact) > greatest(type) * (1 + (ulp + 1) * one_ulp)) return within(type, bits, 0);
  return within(type, nearest(type, *exact), ulp);
}

}  // namespace lanecheck
