// All laws of elements that are tried.
#include <algorithm>
#include <cmath>
#include <map>
#include <optional>

#include "fuzz/identify/element_laws/element_law.h"
#include "fuzz/identify/probes/byte_order.h"
#include "fuzz/identify/values/scalar_changes.h"
#include "fuzz/identify/values/type_limits.h"
#include "spec/program/instruction.h"
#include "spec/text/number.h"

namespace lanecheck {
namespace {

ElementWrite whatever_was_there(const ElementChange& change) {
  return [change](Element type, std::uint64_t, std::uint64_t now) { return change(type, now); };
}

void add_special_numbers(const SpecialChange& numbers, std::vector<ElementLaw>& laws) {
  const auto& [of, as, change] = numbers;
  const std::string reads = "read " + of + " as " + as, writes = "write " + as + " instead of " + of;
  const ElementWrite write = whatever_was_there(change);
  laws.push_back({.text = writes, .write = write, .of_integers = false});
  laws.push_back({.text = reads, .read = change, .scalar = change, .of_integers = false});
  laws.push_back({.text = reads + ", and " + writes,
                  .read = change,
                  .scalar = change,
                  .write = write,
                  .of_integers = false});
}

/// Results for which `is_left` holds are not written.
ElementLaw leaves(const std::string& which, bool (*is_left)(Element, std::uint64_t)) {
  return {.text = "do not write results that are " + which + ": dst keeps what was there",
          .write = [is_left](Element type, std::uint64_t old, std::uint64_t now) {
            return is_left(type, now) ? old : now;
          }};
}

std::uint64_t in_reverse(Element type, std::uint64_t bits) {
  return reversed_bytes(bits, size_of(type));
}

/// Elements that have more than `count` bits.
ElementChange of_wide_elements(unsigned count,
                               std::uint64_t (*change)(Element, std::uint64_t, std::uint64_t low)) {
  return [=](Element type, std::uint64_t bits) {
    const std::uint64_t low = (std::uint64_t{1} << count) - 1;
    return 8 * size_of(type) > count ? change(type, bits, low) : bits;
  };
}

/// Of each element that has more, only some bits are read or written.
void add_parts(unsigned count, std::vector<ElementLaw>& laws) {
  const std::string lowest = "the lowest " + std::to_string(count) + " bits", of = " of an element";
  const ElementChange without_sign =
      of_wide_elements(count, [](Element, std::uint64_t bits, std::uint64_t low) { return bits & low; });
  const ElementChange with_sign =
      of_wide_elements(count, [](Element type, std::uint64_t bits, std::uint64_t low) {
        const bool is_negative = (bits & (low ^ low >> 1)) != 0;
        return is_negative && (is_float(type) || is_signed(type)) ? (bits | ~low) & all_bits(type)
                                                                  : bits & low;
      });
  const ElementChange without_lowest = of_wide_elements(
      count,
      [](Element type, std::uint64_t bits, std::uint64_t low) { return bits & ~low & all_bits(type); });
  laws.push_back({.text = "read only " + lowest + of + ", and 0 for the others", .read = without_sign});
  laws.push_back({.text = "read only " + lowest + of + ", with their sign", .read = with_sign});
  laws.push_back({.text = "read 0 for " + lowest + of, .read = without_lowest});
  laws.push_back({.text = "write only " + lowest + of + ", and 0 for the others",
                  .write = whatever_was_there(without_sign)});
  laws.push_back(
      {.text = "write only " + lowest + of + ", with their sign", .write = whatever_was_there(with_sign)});
  laws.push_back({.text = "write 0 for " + lowest + of, .write = whatever_was_there(without_lowest)});
  for (const bool low_is_kept : {true, false})
    laws.push_back({.text = "do not write " +
                            (low_is_kept ? lowest : "the bits above the lowest " + std::to_string(count)) +
                            of + ": dst keeps them",
                    .write = [=](Element type, std::uint64_t old, std::uint64_t now) {
                      const std::uint64_t low = (std::uint64_t{1} << count) - 1,
                                          kept = low_is_kept ? low : ~low;
                      return 8 * size_of(type) > count ? (old & kept) | (now & ~kept) : now;
                    }});
}

/// Elements of 32 bits are rounded to a type with fewer significant bits.
void add_rounding(Element to, std::vector<ElementLaw>& laws) {
  for (const bool floats : {true, false}) {
    const ElementChange rounds = [=](Element type, std::uint64_t bits) {
      if (size_of(type) != 4 || is_float(type) != floats || type == to) return bits;
      const double value = value_of(type, bits);
      return std::isnan(value) ? bits : nearest(type, value_of(to, nearest(to, value)));
    };
    const std::string as = " to " + std::string(name_of(to)), of = floats ? "f32 " : "32-bit integer ";
    laws.push_back({.text = "round " + of + "elements of their sources" + as, .read = rounds});
    laws.push_back({.text = "round " + of + "results" + as, .write = whatever_was_there(rounds)});
  }
}

/// "rounds its scalar" of one instruction is "round their scalar" of many.
std::string of_many(std::string text) {
  const std::size_t verb = text.find(' ');
  text.erase(verb - 1, 1);
  return text.replace(text.find(" its "), 5, " their ");
}

ElementLaw of_scalars(std::string text, ElementChange change) {
  return {.text = std::move(text), .scalar = std::move(change)};
}

/// scalar_changes() of all types: one law for each text, or several, if a type has several of one text.
void add_scalars(std::vector<ElementLaw>& laws) {
  using OfType = std::map<Element, std::function<std::uint64_t(std::uint64_t)>>;
  std::map<std::pair<std::string, unsigned>, OfType> changes;
  for (const Element type : kElements) {
    std::map<std::string, unsigned> times;
    for (auto& [text, change] : scalar_changes(type))
      changes[{text, times[text]++}][type] = std::move(change);
  }
  for (const auto& [key, of_type] : changes)
    laws.push_back(of_scalars(of_many(key.first), [of_type = of_type](Element type, std::uint64_t bits) {
      const auto change = of_type.find(type);
      return change == of_type.end() ? bits : change->second(bits);
    }));
  laws.push_back(
      of_scalars("take 0 as their scalar", [](Element, std::uint64_t) { return std::uint64_t{0}; }));
  laws.push_back(
      of_scalars("take 1 as their scalar", [](Element type, std::uint64_t) { return nearest(type, 1); }));
  laws.push_back(of_scalars("take a scalar of which all bits are 1",
                            [](Element type, std::uint64_t) { return all_bits(type); }));
}

/// The operand that has this role, and its number; nothing if it does not lie in data blocks.
std::optional<unsigned> number_of(const Instruction& insn, std::string_view role) {
  const auto operands = row_of(insn.op).operands;
  for (unsigned k = 0; k < operands.size(); ++k)
    if (operands[k].role == role && operands[k].walk == Walk::blocks) return k;
  return {};
}

/// `change` gets the two operands of an instruction that has both, with elements of one type.
ElementLaw of_operands(std::string text, std::string_view a, std::string_view b,
                       void (*change)(Operand& a, Operand& b)) {
  return {.text = std::move(text), .executed = [=](Instruction& insn) {
            const auto first = number_of(insn, a), second = number_of(insn, b);
            const auto operands = row_of(insn.op).operands;
            if (!first || !second ||
                operand_type(insn, operands[*first]) != operand_type(insn, operands[*second]))
              return false;
            change(insn.operands[*first], insn.operands[*second]);
            return true;
          }};
}

void add_operands(std::vector<ElementLaw>& laws) {
  laws.push_back(
      of_operands("take src1 in place of src0", "src0", "src1", [](Operand& a, Operand& b) { a = b; }));
  laws.push_back(
      of_operands("take src0 in place of src1", "src0", "src1", [](Operand& a, Operand& b) { b = a; }));
  laws.push_back(
      of_operands("exchange src0 and src1", "src0", "src1", [](Operand& a, Operand& b) { std::swap(a, b); }));
}

}  // namespace

std::vector<ElementLaw> element_laws() {
  std::vector<ElementLaw> laws;
  // Without NaN: what a maximum of it is, the documents leave open.
  laws.push_back({.text =
                      "write old dst * (1 - mask) + result * mask: a masked-off lane becomes NaN where the "
                      "result is infinite or NaN, an active lane where old dst is, and -0 may become +0",
                  .blends = true,
                  .of_integers = false});
  for (const SpecialChange& each : changes_of_subnormals()) add_special_numbers(each, laws);
  for (const SpecialChange& each : changes_of_other_specials()) add_special_numbers(each, laws);
  laws.push_back(leaves("0", [](Element type, std::uint64_t bits) { return value_of(type, bits) == 0; }));
  laws.push_back(leaves("+0", [](Element, std::uint64_t bits) { return bits == 0; }));
  laws.push_back({.text = "read the bytes of elements in reverse order", .read = in_reverse});
  laws.push_back(
      {.text = "write the bytes of their results in reverse order", .write = whatever_was_there(in_reverse)});
  for (const unsigned count : {8u, 16u, 32u}) add_parts(count, laws);
  for (const Element to : {Element::f32, Element::f16, Element::bf16}) add_rounding(to, laws);
  add_scalars(laws);
  add_operands(laws);
  return laws;
}

}  // namespace lanecheck
