#include "oracle/compare/reduced.h"

#include <cmath>
#include <limits>

#include "oracle/compare/exact_sum.h"
#include "oracle/compare/tolerance.h"
#include "spec/text/number.h"

namespace lanecheck {
namespace {

/// What a sum is made of.
struct Summands {
  double total = 0, magnitude = 0;                ///< magnitude: of the finite ones together
  bool nan = false, plus = false, minus = false;  ///< among them: NaN, +infinity, -infinity
  SumExactness exactness;

  explicit Summands(std::span<const double> values) {
    for (const double x : values) {
      nan |= std::isnan(x);
      plus |= x == std::numeric_limits<double>::infinity();
      minus |= x == -std::numeric_limits<double>::infinity();
      total += x;
      if (!std::isfinite(x)) continue;
      exactness.add(x);
      magnitude += std::abs(x);
    }
  }
};

std::optional<Accept> extreme(Element type, std::span<const double> values, std::uint64_t bits) {
  for (const double x : values)
    if (std::isnan(x)) return unspecified(type);
  return value_of(type, bits) == 0 ? std::optional(within(type, bits, 0)) : std::nullopt;
}

}  // namespace

std::optional<Accept> reduced(const Instruction& insn, std::span<const double> values, std::uint64_t bits,
                              SumOrder order) {
  const Element type = insn.dst_type;
  if (row_of(insn.op).neutral != Neutral::zero) return extreme(type, values, bits);
  const Summands of(values);
  const double result = value_of(type, bits);
  const bool any_order = row_of(insn.op).tolerance == Tolerance::sum && order == SumOrder::any;
  const bool settled = of.nan || (of.plus && of.minus);  // NaN in every order
  // n - 1 roundings of partial sums. Summands of one sign come to `magnitude - bound` at least, in every
  // order that does not overflow.
  const FloatFormat format = format_of(type);
  const double bound = static_cast<double>(values.size() - 1) * (format.epsilon() / 2) * of.magnitude;
  const bool one_sign = std::abs(of.total) == of.magnitude;
  const bool overflows = one_sign && of.magnitude - bound > format.greatest * (1 + format.epsilon());
  if (any_order && !settled && !overflows && of.magnitude > format.greatest)
    return unspecified(type);  // some order overflows on the way
  if (std::isnan(result)) return any_nan(type);
  const bool is_exact =
      !any_order || of.plus || of.minus || overflows || bound <= 0 || of.exactness.in_any_order(type);
  if (!is_exact)
    return Accept{
        .kind = Accept::Kind::sum_within, .type = type, .bits = bits, .value = of.total, .bound = bound};
  return result == 0 ? std::optional(within(type, bits, 0))  // the sign of a sum of zeros is undocumented
                     : std::nullopt;
}

}  // namespace lanecheck
