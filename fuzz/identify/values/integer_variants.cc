#include "fuzz/identify/values/integer_variants.h"

#include <cmath>

#include "fuzz/identify/values/element_bits.h"
#include "oracle/execute/execute.h"
#include "spec/mask/footprint.h"
#include "spec/text/number.h"

namespace lanecheck {
namespace {

/// `result(type, old, a, b)` of the bits of old dst, of src0, or src, and of src1, or the scalar.
using IntegerResult =
    std::function<std::uint64_t(Element, std::uint64_t old, std::uint64_t a, std::uint64_t b)>;

/// The results of all elements of operands in a row.
ValueVariant of_integers(std::string text, IntegerResult result, std::string key = {}) {
  const auto run = [result = std::move(result)](const Program& program, State& state) {
    state.ub = program.ub;
    const Instruction& insn = program.instructions.back();
    for (std::size_t n = 0; n < std::size_t{insn.repeat} * lanes_of(insn); ++n) {
      const std::uint64_t other =
          takes_scalar(insn) ? insn.scalar.bits : element_bits(program.ub, program, 2, insn.src_type, n);
      const std::uint64_t bits = result(insn.src_type, element_bits(program.ub, program, 0, insn.src_type, n),
                                        element_bits(program.ub, program, 1, insn.src_type, n), other);
      put_element_bits(state.ub, program, 0, insn.src_type, n, bits);
    }
  };
  return {std::move(text), run, {}, std::move(key)};
}

/// The lowest bits of an integer below 2^64.
std::uint64_t wrapped_bits(Element type, double number) {
  const auto magnitude = static_cast<std::uint64_t>(std::abs(number));
  return (number < 0 ? ~magnitude + 1 : magnitude) & all_bits(type);
}

/// Products that are f64 numbers; a sum with old dst is one, too, or wraps around as an integer.
std::vector<ValueVariant> products_through_f64(const Instruction& given) {
  const std::string key = "multiplies in f64", bits = ", which keeps 53 significant bits of the product",
                    lowest = ", before it takes the lowest 32 bits";
  const auto product = [](Element type, std::uint64_t a, std::uint64_t b) {
    return value_of(type, a) * value_of(type, b);
  };
  if (given.op == Op::mul || given.op == Op::muls)
    return {of_integers(
        key + bits + lowest,
        [=](Element type, std::uint64_t, std::uint64_t a, std::uint64_t b) {
          return wrapped_bits(type, product(type, a, b));
        },
        key)};
  if (given.op != Op::muladddst) return {};
  return {of_integers(
              "multiplies and adds in f64, which keeps 53 significant bits" + lowest,
              [=](Element type, std::uint64_t old, std::uint64_t a, std::uint64_t b) {
                return wrapped_bits(type, product(type, a, b) + value_of(type, old));
              },
              key),
          of_integers(
              key + bits + lowest + " and adds",
              [=](Element type, std::uint64_t old, std::uint64_t a, std::uint64_t b) {
                return (wrapped_bits(type, product(type, a, b)) + old) & all_bits(type);
              },
              key)};
}

/// Sums or differences of whole words that hold several elements.
std::vector<ValueVariant> in_words(const Instruction& given) {
  const bool subtracts = given.op == Op::sub;
  if (!subtracts && given.op != Op::add && given.op != Op::adds) return {};
  std::vector<ValueVariant> variants;
  for (const unsigned bytes : {8u, 4u}) {
    const unsigned count = bytes / size_of(given.src_type);
    if (count < 2) continue;
    const auto run = [count, subtracts](const Program& program, State& state) {
      state.ub = program.ub;
      const Instruction& insn = program.instructions.back();
      std::uint64_t carry = 0;
      for (std::size_t n = 0; n < std::size_t{insn.repeat} * lanes_of(insn); ++n) {
        if (n % count == 0) carry = subtracts ? 1 : 0;  // a - b is a + ~b + 1
        const std::uint64_t all = all_bits(insn.src_type),
                            other = takes_scalar(insn)
                                        ? insn.scalar.bits
                                        : element_bits(program.ub, program, 2, insn.src_type, n);
        const std::uint64_t sum = element_bits(program.ub, program, 1, insn.src_type, n) +
                                  (subtracts ? ~other & all : other) + carry;
        put_element_bits(state.ub, program, 0, insn.src_type, n, sum);
        carry = sum >> 8 * size_of(insn.src_type);
      }
    };
    const std::string text = " words of " + std::to_string(bytes) + " bytes: the " +
                             (subtracts ? "borrow" : "carry") +
                             " of an element goes into the next one of its word";
    variants.push_back(
        {(subtracts ? "subtracts" : "adds") + text, run, {}, "words of " + std::to_string(bytes) + " bytes"});
  }
  return variants;
}

/// Is a - b positive if it wraps around?
bool is_difference_positive(Element type, std::uint64_t a, std::uint64_t b) {
  const std::uint64_t difference = (a - b) & all_bits(type);
  return difference != 0 && (difference >> (8 * size_of(type) - 1)) == 0;
}

}  // namespace

std::vector<ValueVariant> integer_variants(const Subject& subject) {
  const Instruction& given = subject.insn;
  if (is_float(given.src_type) || given.src_type != given.dst_type) return {};
  if (size_of(given.src_type) == 4)
    if (auto products = products_through_f64(given); !products.empty()) return products;
  if (auto words = in_words(given); !words.empty()) return words;
  const bool greater = given.op == Op::vmax || given.op == Op::vmaxs;
  if (!greater && given.op != Op::vmin && given.op != Op::vmins) return {};
  const std::string pair = takes_scalar(given) ? "src - scalar" : "src0 - src1";
  return {of_integers("decides by the sign of " + pair + ", which may wrap around",
                      [greater](Element type, std::uint64_t, std::uint64_t a, std::uint64_t b) {
                        return is_difference_positive(type, a, b) == greater ? a : b;
                      })};
}

}  // namespace lanecheck
