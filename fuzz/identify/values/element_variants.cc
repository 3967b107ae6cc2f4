#include "fuzz/identify/values/element_variants.h"

#include "fuzz/identify/values/element_bits.h"
#include "fuzz/identify/values/results_law.h"
#include "fuzz/identify/values/special_changes.h"
#include "fuzz/identify/values/value_conditions.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

#include "oracle/execute/execute.h"
#include "spec/mask/footprint.h"
#include "spec/program/profile.h"
#include "spec/text/number.h"

namespace lanecheck {
namespace {

using Change = ElementChange;

std::uint64_t unchanged(Element, std::uint64_t bits) {
  return bits;
}

/// How many elements operand `k` has, one after the other. None if it holds bits or numbers of places.
std::uint32_t elements_in_a_row(const Instruction& insn, unsigned k) {
  const OperandColumn& column = row_of(insn.op).operands[k];
  const bool is_typed = column.type == TypeOf::dst || column.type == TypeOf::src;
  if (column.walk == Walk::results) return insn.repeat * results_per_repeat(insn);
  return column.walk == Walk::blocks && is_typed ? insn.repeat * lanes_of(insn) : 0;
}

void change_operand(const Program& program, unsigned k, const Change& change, std::vector<std::byte>& ub) {
  const Instruction& insn = program.instructions.back();
  const Element type = operand_type(insn, row_of(insn.op).operands[k]);
  const std::size_t start = start_of(program, insn.operands[k]), size = size_of(type);
  for (std::uint32_t n = 0; n < elements_in_a_row(insn, k); ++n) {
    std::uint64_t bits = 0;
    std::memcpy(&bits, &ub[start + n * size], size);
    bits = change(type, bits);
    std::memcpy(&ub[start + n * size], &bits, size);
  }
}

/// The operands and the scalar that a mistake changes: the number of an operand, or of the scalar.
constexpr unsigned kAll = 100, kScalar = 101;

/// The program whose sources and scalar are changed. `only`: of one operand.
Program with_changed_sources(const Program& program, const Change& read, unsigned only) {
  Program changed = program;
  Instruction& insn = changed.instructions.back();
  const Row& row = row_of(insn.op);
  for (unsigned k = row.reads_dst ? 0 : 1; k < row.operands.size(); ++k)
    if (only == kAll || only == k) change_operand(program, k, read, changed.ub);
  if (!takes_scalar(insn) || (only != kAll && only != kScalar)) return changed;
  const Element type = scalar_type(insn);
  const std::uint64_t bits = read(type, insn.scalar.bits);
  if (bits != insn.scalar.bits) insn.scalar = scalar_from_bits(type, bits);
  return changed;
}

/// The documented result of changed elements (and scalar), changed once more.
ValueVariant changed_elements(std::string text, Change read, Change write, unsigned only = kAll) {
  return {std::move(text), [=](const Program& program, State& state) {
            execute(with_changed_sources(program, read, only), Semantics(default_readings(program.profile)),
                    state);
            change_operand(program, 0, write, state.ub);
          }};
}

/// The documented results of other sources, with the tolerance of the instruction.
ValueVariant other_sources(std::string text, Change read) {
  return {std::move(text), {}, [read = std::move(read)](const Program& program) {
            return with_changed_sources(program, read, 1);
          }};
}

/// A mistake in reading, of all operands or, if there are several, of one of them.
void add_reading(const Instruction& insn, const std::string& of, const std::string& as, const Change& change,
                 std::vector<ValueVariant>& variants) {
  const Row& row = row_of(insn.op);
  variants.push_back(changed_elements("reads " + of + " as " + as, change, unchanged));
  const unsigned first = row.reads_dst ? 0 : 1, operands = static_cast<unsigned>(row.operands.size());
  if (operands - first + (takes_scalar(insn) ? 1 : 0) < 2) return;
  for (unsigned k = first; k < operands; ++k)
    variants.push_back(changed_elements(
        "reads " + of + " as " + as + " in " + (k == 0 ? "old dst" : std::string(row.operands[k].role)),
        change, unchanged, k));
  if (!takes_scalar(insn)) return;
  variants.push_back(changed_elements("reads " + of + " as " + as + " if its scalar is such a number", change,
                                      unchanged, kScalar));
  variants.back().key = "reads " + of + " as " + as;  // as of dup, which has nothing but its scalar
}

/// Special numbers that become others where they are read, written, or both.
void with_special_changes(const Instruction& insn, std::span<const SpecialChange> changes,
                          std::vector<ValueVariant>& variants) {
  if (!is_float(insn.src_type) && !is_float(insn.dst_type)) return;
  for (const auto& [of, as, change] : changes) {
    add_reading(insn, of, as, change, variants);
    variants.push_back(changed_elements("writes " + as + " instead of " + of, unchanged, change));
    const bool are_many = of.find("numbers") != std::string::npos;
    variants.push_back(changed_elements(
        "reads " + of + " as " + as + ", and writes " + as + " instead of " + (are_many ? "them" : "it"),
        change, change));
  }
}

/// A function of one source that is computed of its magnitude, or of the nearest number between two limits.
void of_limited_sources(const Instruction& insn, std::vector<ValueVariant>& variants) {
  const Row& row = row_of(insn.op);
  if (!is_float(insn.src_type) || row.operands.size() != 2 || row.rounds || takes_scalar(insn) ||
      row.mask != MaskUse::gates_writeback)
    return;
  variants.push_back(
      other_sources("takes its elements without their sign", [](Element type, std::uint64_t bits) {
        return std::isnan(value_of(type, bits)) ? bits : nearest(type, std::abs(value_of(type, bits)));
      }));
  for (const double limit :
       {8.0, 10.0, 11.0, 20.0, 50.0, 80.0, 85.0, 87.0, 88.0, 88.5, 89.0, 100.0, 104.0, 128.0}) {
    const std::string number = show_element(Element::f32, nearest(Element::f32, limit));
    variants.push_back(other_sources(
        "limits its elements to -" + number + " .. " + number, [limit](Element type, std::uint64_t bits) {
          const double x = value_of(type, bits);
          return std::isnan(x) ? bits : nearest(type, std::clamp(x, -limit, limit));
        }));
  }
}

/// Does the instruction compare its elements and compute nothing? The maximum of two operands is a formula:
/// see value_formula.h.
bool orders_elements(Op op) {
  const Row& row = row_of(op);
  return row.compares || row.neutral == Neutral::lowest || row.neutral == Neutral::highest;
}

/// The order of unsigned numbers is that of signed ones with the highest bit inverted, and the other way
/// round.
void compared_with_other_sign(const Instruction& insn, std::vector<ValueVariant>& variants) {
  if (is_float(insn.src_type) || !orders_elements(insn.op)) return;
  const auto inverted = [](Element type, std::uint64_t bits) {
    return bits ^ std::uint64_t{1} << (8 * size_of(type) - 1);
  };
  variants.push_back(changed_elements(std::string("compares its elements as ") +
                                          (is_signed(insn.src_type) ? "unsigned" : "signed") + " numbers",
                                      inverted, inverted));
}

/// Floats whose bits are compared as the integers that they are: of two negative numbers the other one is
/// chosen.
void compared_as_integers(const Instruction& insn, std::vector<ValueVariant>& variants) {
  if (!is_float(insn.src_type) || insn.src_type != insn.dst_type || row_of(insn.op).compares) return;
  const Element type = size_of(insn.src_type) == 2 ? Element::i16 : Element::i32;
  Instruction changed = insn;
  changed.dst_type = changed.src_type = type;
  const auto has_types = [&](Profile profile) { return types_of(changed, profile) != nullptr; };
  if (!chooses_elements(insn.op) || std::ranges::none_of(kEveryProfile, has_types)) return;
  variants.push_back(
      with_instruction("compares the bits of its elements as signed integers", [type](Instruction& each) {
        each.dst_type = each.src_type = type;
        each.scalar = scalar_from_bits(type, each.scalar.bits);
      }));
}

/// Of two negative numbers the other one is chosen: bits are compared as integers, but not those of zeros.
void other_one_of_negatives(const Instruction& insn, std::vector<ValueVariant>& variants) {
  const bool greater = insn.op == Op::vmax || insn.op == Op::vmaxs;
  if (!is_signed(insn.src_type) || (!greater && insn.op != Op::vmin && insn.op != Op::vmins)) return;
  const auto run = [](const Program& program, State& state) {
    execute(program, Semantics(default_readings(program.profile)), state);
    const Instruction& given = program.instructions.back();
    const Element type = given.src_type;
    for (std::size_t n = 0; n < std::size_t{given.repeat} * lanes_of(given); ++n) {
      const std::uint64_t one = element_bits(program.ub, program, 1, type, n),
                          two = takes_scalar(given) ? given.scalar.bits
                                                    : element_bits(program.ub, program, 2, type, n);
      if (!(value_of(type, one) < 0 && value_of(type, two) < 0)) continue;
      const bool is_one = element_bits(state.ub, program, 0, type, n) == one;
      put_element_bits(state.ub, program, 0, type, n, is_one ? two : one);
    }
  };
  variants.push_back(
      {std::string("takes the ") + (greater ? "lesser" : "greater") + " one of two negative numbers", run});
}

/// Integers with more significant bits than the float type has.
void through_floats(const Instruction& insn, std::vector<ValueVariant>& variants) {
  if (is_float(insn.src_type) || is_float(insn.dst_type)) return;
  const bool only_scalar = row_of(insn.op).operands.size() == 1;  // of dup
  for (const Element less : {Element::f32, Element::f16}) {
    const Change through = [less](Element type, std::uint64_t bits) {
      return nearest(type, value_of(less, nearest(less, value_of(type, bits))));
    };
    const std::string digits = std::string(less == Element::f32 ? "24" : "11") + " significant bits",
                      numbers = " as " + std::string(name_of(less)) + " numbers, which have " + digits;
    if (takes_scalar(insn) && !only_scalar)
      variants.push_back(changed_elements("takes src, but not its scalar," + numbers, through, unchanged, 1));
    variants.push_back(changed_elements(
        only_scalar ? "takes its scalar as an " + std::string(name_of(less)) + " number, which has " + digits
                    : "takes its elements" + numbers,
        through, unchanged));
    if (less == Element::f32 && !only_scalar) variants.back().key = kThroughF32Key;
    if (less == Element::f32 && !only_scalar && size_of(insn.src_type) == 4) {
      const Change wrapping = [](Element type, std::uint64_t bits) {
        const double rounded = value_of(Element::f32, nearest(Element::f32, value_of(type, bits)));
        return static_cast<std::uint64_t>(static_cast<std::int64_t>(rounded)) & all_bits(type);
      };
      variants.push_back(changed_elements("takes its elements" + numbers +
                                              ", the greatest of them as one more "
                                              "than its type holds",
                                          wrapping, unchanged));
      variants.back().key = kThroughF32Key;
    }
    if (only_scalar) variants.back().key = "rounds its scalar to " + std::string(name_of(less));
  }
}

/// The lowest `kept` bits of an integer, with the sign that they have or without one.
Change lowest_bits(unsigned kept, bool with_sign) {
  return [=](Element type, std::uint64_t bits) {
    const std::uint64_t mask = (std::uint64_t{1} << kept) - 1;
    const bool negative = with_sign && (bits >> (kept - 1) & 1) != 0;
    return negative ? (bits | ~mask) & all_bits(type) : bits & mask;
  };
}

/// Integers whose upper bits are lost on the way in or out. What becomes of a scalar, which is all that dup
/// has: see scalar_variants.
void with_fewer_bits(const Instruction& insn, std::vector<ValueVariant>& variants) {
  const Row& row = row_of(insn.op);
  const auto operands = static_cast<unsigned>(row.operands.size());
  if (is_float(insn.dst_type) || operands == 1) return;
  const unsigned bits_of_result = 8 * size_of(insn.dst_type),
                 bits_of_source = is_float(insn.src_type) ? 0 : 8 * size_of(insn.src_type);
  for (unsigned kept = 8; kept < std::max(bits_of_result, bits_of_source); kept *= 2)
    for (const bool with_sign : {true, false}) {
      const std::string bits =
          "the lowest " + std::to_string(kept) + " bits" + (with_sign ? ", with their sign," : "");
      const Change lowest = lowest_bits(kept, with_sign);
      for (unsigned k = row.reads_dst ? 0 : 1; k < operands && kept < bits_of_source; ++k)
        variants.push_back(changed_elements(
            "reads only " + bits + " of " + (k == 0 ? "old dst" : std::string(row.operands[k].role)), lowest,
            unchanged, k));
      if (kept < bits_of_result)
        variants.push_back(changed_elements("writes only " + bits + " of its results", unchanged, lowest));
    }
}

/// Some bits of each result are those of an operand instead.
void with_bits_of_operand(const Instruction& insn, std::vector<ValueVariant>& variants) {
  if (is_float(insn.src_type) || is_float(insn.dst_type)) return;
  const Row& row = row_of(insn.op);
  for (unsigned k = 0; k < row.operands.size(); ++k) {
    if (row.operands[k].walk != Walk::blocks || operand_type(insn, row.operands[k]) != insn.dst_type)
      continue;
    const std::string role = k == 0 ? "old dst" : std::string(row.operands[k].role);
    for (unsigned kept = 8; kept < 8 * size_of(insn.dst_type); kept *= 2)
      for (const bool lowest : {true, false}) {
        const std::uint64_t low = (std::uint64_t{1} << kept) - 1, computed = lowest ? low : ~low;
        variants.push_back({std::string("computes only the ") +
                                (lowest ? "lowest " : "bits above the lowest ") + std::to_string(kept) +
                                (lowest ? " bits" : "") + " of its results; the others are those of " + role,
                            [=](const Program& program, State& state) {
                              execute(program, Semantics(default_readings(program.profile)), state);
                              const Instruction& given = program.instructions.back();
                              const Element type = given.dst_type;
                              for (std::size_t n = 0; n < std::size_t{given.repeat} * lanes_of(given); ++n) {
                                const std::uint64_t own = element_bits(state.ub, program, 0, type, n),
                                                    other = element_bits(program.ub, program, k, type, n);
                                put_element_bits(state.ub, program, 0, type, n,
                                                 (own & computed) | (other & ~computed));
                              }
                            }});
      }
  }
}

/// Bitwise operations that are taken for logical ones.
void as_logical(const Instruction& insn, std::vector<ValueVariant>& variants) {
  if (insn.op != Op::vnot && insn.op != Op::vand && insn.op != Op::vor) return;
  const std::string name = insn.op == Op::vnot ? "NOT" : insn.op == Op::vand ? "AND" : "OR";
  variants.push_back({"computes the logical " + name + ": 1 or 0 instead of single bits",
                      [](const Program& program, State& state) {
                        execute(program, Semantics(default_readings(program.profile)), state);
                        const Instruction& given = program.instructions.back();
                        const auto is_true = [&](unsigned k, std::size_t n) {
                          return element_bits(program.ub, program, k, given.dst_type, n) != 0;
                        };
                        for (std::size_t n = 0; n < std::size_t{given.repeat} * lanes_of(given); ++n) {
                          std::uint64_t result = is_true(1, n) ? 0 : 1;
                          if (given.op == Op::vand) result = is_true(1, n) && is_true(2, n) ? 1 : 0;
                          if (given.op == Op::vor) result = is_true(1, n) || is_true(2, n) ? 1 : 0;
                          put_element_bits(state.ub, program, 0, given.dst_type, n, result);
                        }
                      }});
}

/// A result that finite numbers make infinite becomes the greatest finite number with its sign; an infinite
/// operand gives what it should.
void with_saturation(const Instruction& insn, std::vector<ValueVariant>& variants) {
  const Row& row = row_of(insn.op);
  if (!is_float(insn.dst_type) || row.rounds || row.moves_bits || !has_result_of_each_lane(insn)) return;
  variants.push_back({"writes the greatest finite number, with its sign, where finite numbers give infinity",
                      [](const Program& program, State& state) {
                        execute(program, Semantics(default_readings(program.profile)), state);
                        const Instruction& given = program.instructions.back();
                        const Row& given_row = row_of(given.op);
                        for (std::size_t n = 0; n < std::size_t{given.repeat} * lanes_of(given); ++n) {
                          const std::uint64_t result = element_bits(state.ub, program, 0, given.dst_type, n);
                          bool saturates = std::isinf(value_of(given.dst_type, result)) &&
                                           (!takes_scalar(given) || std::isfinite(given.scalar.value));
                          for (unsigned k = given_row.reads_dst ? 0 : 1; k < given_row.operands.size(); ++k) {
                            const Element type = operand_type(given, given_row.operands[k]);
                            saturates =
                                saturates &&
                                std::isfinite(value_of(type, element_bits(program.ub, program, k, type, n)));
                          }
                          if (saturates)
                            put_element_bits(state.ub, program, 0, given.dst_type, n, result - 1);
                        }
                      }});
}

/// The old dst of a wider type is read in the type of the sources: its lowest bits.
void with_old_dst_as_source(const Instruction& insn, std::vector<ValueVariant>& variants) {
  const Element src = insn.src_type;
  if (!row_of(insn.op).reads_dst || size_of(src) >= size_of(insn.dst_type)) return;
  variants.push_back(changed_elements(
      "reads old dst as " + std::string(name_of(src)) + ": its lowest " + std::to_string(8 * size_of(src)) +
          " bits",
      [src](Element type, std::uint64_t bits) { return nearest(type, value_of(src, bits & all_bits(src))); },
      unchanged, 0));
  variants.back().key = "reads old dst in the type of its sources";
}

}  // namespace

bool chooses_elements(Op op) {
  return orders_elements(op) || op == Op::vmax || op == Op::vmin || op == Op::vmaxs || op == Op::vmins;
}

std::vector<ValueVariant> element_variants(const Subject& subject) {
  std::vector<ValueVariant> variants;
  with_old_dst_as_source(subject.insn, variants);
  with_special_changes(subject.insn, changes_of_subnormals(), variants);
  compared_with_other_sign(subject.insn, variants);
  compared_as_integers(subject.insn, variants);
  other_one_of_negatives(subject.insn, variants);
  through_floats(subject.insn, variants);
  with_fewer_bits(subject.insn, variants);
  with_bits_of_operand(subject.insn, variants);
  as_logical(subject.insn, variants);
  with_special_changes(subject.insn, changes_of_other_specials(), variants);
  with_saturation(subject.insn, variants);
  of_limited_sources(subject.insn, variants);
  for (ValueVariant& each : variants)  // many instructions do not tell +0 from -0
    if (const std::size_t at = each.text.find(" +0"); at != std::string::npos && each.key.empty())
      each.key = std::string(each.text).replace(at, 3, " 0");
  return variants;
}

}  // namespace lanecheck
