#include "fuzz/identify/values/value_data.h"

#include <cmath>
#include <iterator>
#include <limits>
#include <random>

#include "fuzz/identify/probes/shapes.h"
#include "fuzz/identify/values/type_limits.h"
#include "fuzz/identify/values/value_variants.h"
#include "spec/legality/find_fault.h"
#include "spec/program/profile.h"
#include "spec/text/number.h"

namespace lanecheck {
namespace {

enum class Style : std::uint8_t {
  small,
  quarters,
  wide,
  close,    ///< operands that are equal, or one step apart; of comparisons, also with the same lowest bits
  special,  ///< infinite, NaN, 0 or subnormal
  crossed,  ///< each kind of number in one operand meets each kind in the other
  widths,   ///< magnitudes of all sizes, as often as each other
  ties,     ///< of casts: halfway between two results, or just beside
};

/// A finite element of the type, from any bits.
std::uint64_t any_finite(Element type, std::mt19937_64& random) {
  for (;;) {
    const std::uint64_t bits = random() >> (64 - 8 * size_of(type));
    if (std::isfinite(value_of(type, bits))) return bits;
  }
}

/// One element of four is infinite, NaN, 0 or subnormal, with either sign. Integers are small.
std::uint64_t draw_special(Element type, std::mt19937_64& random) {
  if (!is_float(type) || random() % 4 != 0) return nearest(type, static_cast<double>(random() % 17) - 8);
  const std::uint64_t infinite = nearest(type, std::numeric_limits<double>::infinity());
  const std::uint64_t kinds[] = {infinite, infinite | infinite >> 1, 0, 1 + random() % 4};
  const std::uint64_t sign = random() % 2 << (8 * size_of(type) - 1);
  return kinds[random() % std::size(kinds)] | sign;
}

/// One of so many kinds of numbers: the limits of the type, and what lies next to them and to 0.
constexpr unsigned kKinds = 16;
std::uint64_t of_kind(Element type, unsigned kind, std::mt19937_64& random) {
  const std::uint64_t top = sign_of(type);
  const std::uint64_t sign = kind % 2 != 0 ? top : 0, any = random();
  if (!is_float(type)) {
    const std::uint64_t kinds[] = {0, 1, 2, top - 1, top - 2, top >> 1, any % 256, any >> 16};
    const std::uint64_t bits = kinds[kind / 2];
    return (sign != 0 ? ~bits : bits) & all_bits(type);
  }
  const std::uint64_t infinite = nearest(type, std::numeric_limits<double>::infinity());
  const std::uint64_t normal = infinite & (~infinite + 1);  // the least normal number
  const std::uint64_t kinds[] = {0,
                                 infinite,
                                 infinite | normal >> 1,  // NaN
                                 1 + any % (normal - 1),  // subnormal
                                 normal + any % normal,
                                 infinite - 1 - any % 3,
                                 nearest(type, 1 + static_cast<double>(any % 5)),
                                 any_finite(type, random) & (top - 1)};
  return kinds[kind / 2] | sign;
}

/// Every number of bits of an integer, and every exponent of a float, is as frequent as the others.
std::uint64_t of_any_width(Element type, std::mt19937_64& random) {
  if (is_float(type)) return any_finite(type, random);
  const unsigned bits = static_cast<unsigned>(random() % (8 * size_of(type) + 1));
  const std::uint64_t value = bits == 0 ? 0 : random() >> (64 - bits);
  return (random() % 2 != 0 ? ~value + 1 : value) & all_bits(type);
}

/// A source of a cast to `target`: halfway between two of its elements, or beside that.
std::uint64_t draw_tie(Element target, Element source, std::mt19937_64& random) {
  const std::uint64_t pick = random();
  double middle = 0;
  if (is_integer(target) || target == source) {
    const Element whole = is_integer(target) ? target : Element::i16;
    middle = value_of(whole, pick % 3 == 0 ? of_kind(whole, random() % kKinds, random)
                                           : nearest(whole, static_cast<double>(random() % 64) - 32));
    middle += pick / 4 % 4 == 0 ? 0 : 0.5;
  } else {
    const Element like = is_integer(source) ? Element::f32 : target;
    const std::uint64_t near = is_integer(source)
                                   ? nearest(like, value_of(source, of_any_width(source, random)))
                                   : any_finite(like, random) & (sign_of(like) - 1);
    const std::uint64_t least = nearest(target, value_of(like, near)) & (sign_of(target) - 1);
    middle = (value_of(target, least) + value_of(target, least + 1)) / 2;
    if (!std::isfinite(middle)) middle = value_of(target, least);
    if (is_signed(source) && pick / 4 % 2 != 0) middle = -middle;
  }
  const std::uint64_t bits = nearest(source, middle);
  if (pick / 16 % 2 == 0) return bits;
  const std::uint64_t beside = (bits + (pick / 32 % 2 == 0 ? 1 : ~std::uint64_t{0})) & all_bits(source);
  return std::isfinite(value_of(source, beside)) ? beside : bits;
}

std::uint64_t draw(Element type, Style style, std::mt19937_64& random) {
  const double sign = is_signed(type) ? 8 : 0;
  switch (style) {
    case Style::small:
      return nearest(type, static_cast<double>(random() % 17) - sign);
    case Style::quarters:
      return nearest(type, (static_cast<double>(random() % 129) - 8 * sign) / 4);
    case Style::special:
      return draw_special(type, random);
    case Style::widths:
      return of_any_width(type, random);
    case Style::wide:
    case Style::close:
    case Style::crossed:  // in fill()
    case Style::ties:
      break;
  }
  constexpr double kEnds[] = {-2147483648.0, -32768, -32767, -128,         -127, 127,
                              255,           32767,  65504,  2147483647.0, 0,    1};
  if (random() % 4 == 0) {
    const std::uint64_t bits = nearest(type, kEnds[random() % std::size(kEnds)]);
    if (std::isfinite(value_of(type, bits))) return bits;
  }
  return any_finite(type, random);
}

/// Is operand `k` compared or combined with another source, or with a scalar of its type?
bool is_compared(const Instruction& insn, unsigned k) {
  return k > 1 || (k == 1 && takes_scalar(insn) && scalar_type(insn) == insn.src_type);
}

/// An element beside `other`: the same bits, or one step beside them. Of integers that are compared, every
/// fourth has the same lowest bits, and either one other bit above them or none.
std::uint64_t beside(Element type, std::uint64_t other, std::uint32_t n, bool compares) {
  if (!compares || !is_integer(type) || size_of(type) == 1 || n % 4 != 3)
    return (other + n % 3 - 1) & all_bits(type);
  const std::uint64_t above = std::uint64_t{1} << 8 * (1 + n / 8 % (size_of(type) - 1));
  return n % 8 == 3 ? other ^ above : other & (above - 1);
}

/// An old dst that no result is made of: without zeros, an element that is kept is told from a 0.
void fill_old_dst(Program& program, const Region& region, Element type, unsigned seed) {
  std::mt19937_64 random(seed);
  for (std::uint32_t n = 0; n < region.bytes / size_of(type); ++n) {
    std::uint64_t bits = any_finite(type, random);
    while (bits == 0) bits = any_finite(type, random);
    put_element(program, region, type, n, bits);
  }
}

void fill(Program& program, const Layout& layout, const Subject& subject, Style style, unsigned draws) {
  const Row& row = row_of(subject.insn.op);
  if (!row.reads_dst)
    fill_old_dst(program, layout.regions[0], operand_type(subject.insn, row.operands[0]),
                 2000 + static_cast<unsigned>(style) + 100 * draws);
  std::mt19937_64 random(1 + static_cast<unsigned>(style) + 100 * draws);
  unsigned period = 1;  // of the elements of one kind in a row
  for (unsigned k = row.reads_dst ? 0 : 1; k < row.operands.size(); ++k) {
    const Element type = operand_type(subject.insn, row.operands[k]);
    const Region& region = layout.regions[k];
    for (std::uint32_t n = 0; n < region.bytes / size_of(type); ++n) {
      std::uint64_t bits = draw(type, style, random);
      if (style == Style::close && is_compared(subject.insn, k)) {
        const std::uint64_t other =
            k > 1 ? get_element(program.ub, layout.regions[1], type, n) : subject.insn.scalar.bits;
        const std::uint64_t near = beside(type, other, n, row.compares);
        if (std::isfinite(value_of(type, near))) bits = near;
      }
      if (style == Style::crossed) bits = of_kind(type, n / period % kKinds, random);
      if (style == Style::ties && k == 1) bits = draw_tie(subject.insn.dst_type, type, random);
      put_element(program, region, type, n, bits);
    }
    period = period == 1 ? kKinds : 3;
  }
}

/// Scalars that a mistake changes: large, negative, with a fraction, with bits in every byte, 0, and the
/// limits of integers; a small one, and the first one that f64 does not hold.
std::vector<Scalar> telling_scalars(Element type) {
  if (is_float(type))
    return {scalar_of(type, 4661), scalar_of(type, 8.0 / 3), scalar_of(type, -1.3), scalar_of(type, 0),
            scalar_from_bits(type, 0xa8)};  // has its lowest byte alone
  std::vector<Scalar> scalars;
  for (const double each : {0.0, -1e30, 1e30}) scalars.push_back(scalar_from_bits(type, nearest(type, each)));
  for (const std::uint64_t bits :
       {0x5555'5555'5555'5555ULL, ~0x5555'5555'5555'5555ULL, 0x28f3'c6d1'28f3'c6d1ULL})
    scalars.push_back(scalar_from_bits(type, bits & all_bits(type)));
  for (const std::uint64_t bits : {std::uint64_t{5}, (std::uint64_t{1} << 53) + 1})
    if (bits <= all_bits(type) >> 1) scalars.push_back(scalar_from_bits(type, bits));
  return scalars;
}

/// Is it the least or the greatest integer of its type, and not 0?
bool is_limit(Element type, std::uint64_t bits) {
  if (!is_signed(type)) return is_integer(type) && bits == all_bits(type);
  return is_integer(type) && (bits == sign_of(type) || bits == sign_of(type) - 1);
}

/// Scalars that no arithmetic is made for: infinite, NaN, -0, subnormal.
std::vector<Scalar> special_scalars(Element type, unsigned draws) {
  std::vector<Scalar> scalars;
  std::mt19937_64 random(1000 + draws);
  for (const unsigned kind : {1U, 2U, 3U, 4U, 6U, 7U})
    if (is_float(type)) scalars.push_back(scalar_from_bits(type, of_kind(type, kind, random)));
  return scalars;
}

/// Makes the programs of value_programs().
class Programs {
 public:
  Programs(const Subject& subject, const Layout& layout, unsigned draws, const MaskWords& mask)
      : subject_(subject), layout_(layout), draws_(draws), mask_(mask) {}

  void add(Style style) {
    auto program = probe_program(subject_, layout_, mask_);
    if (!program) return;
    fill(*program, layout_, subject_, style, draws_);
    if (!find_fault(*program)) all.push_back(std::move(*program));
  }

  void of_round_modes() {
    const TypePair* types = types_of(subject_.insn, subject_.profile);
    if (types == nullptr || !row_of(subject_.insn.op).rounds) return;
    const Round given = subject_.insn.round;
    for (const Round mode : modes_of(*types)) {
      subject_.insn.round = mode;
      if (mode != given) add(Style::quarters);
      for (const Style style : {Style::ties, Style::wide, Style::crossed}) add(style);
    }
    subject_.insn.round = given;
  }

  void of_compare_modes() {
    if (!row_of(subject_.insn.op).compares) return;
    const Compare given = subject_.insn.compare;
    for (const Compare mode : kEveryCompare) {
      subject_.insn.compare = mode;
      for (const Style style : {Style::small, Style::close}) add(style);
      if (is_float(subject_.insn.src_type)) add(Style::special);
    }
    subject_.insn.compare = given;  // not every type has every mode
  }

  void of_scalars() {
    if (!takes_scalar(subject_.insn)) return;
    const Element type = scalar_type(subject_.insn);
    const bool compares = row_of(subject_.insn.op).compares;  // then only what is close to the scalar tells
    const Compare given = subject_.insn.compare;
    for (const Scalar& scalar : telling_scalars(type)) {
      subject_.insn.scalar = scalar;
      if (compares && is_limit(type, scalar.bits)) {  // differences that do not fit
        subject_.insn.compare = Compare::lt;
        add(Style::wide);
        subject_.insn.compare = given;
        continue;
      }
      for (const Style style : {Style::small, Style::wide, Style::close})
        if (!compares || style == Style::close) add(style);
    }
    for (const Scalar& scalar : special_scalars(type, draws_)) {
      subject_.insn.scalar = scalar;
      add(Style::crossed);
    }
  }

  /// Shifts by nothing, by one bit, by parts of the element, and by all of it.
  void of_distances() {
    const auto by = setting_index(row_of(subject_.insn.op), "by");
    if (!by) return;
    const unsigned width = 8 * size_of(subject_.insn.dst_type);
    for (const unsigned distance : {0U, 1U, width / 4 + 1, width / 2, width - 1, width}) {
      subject_.insn.settings[*by] = distance;
      for (const Style style : {Style::wide, Style::widths}) add(style);
    }
  }

  std::vector<Program> all;

 private:
  Subject subject_;
  const Layout& layout_;
  unsigned draws_;
  MaskWords mask_;
};

}  // namespace

std::vector<Program> value_programs(const Subject& given, Layout& layout, unsigned draw,
                                    const MaskWords& mask) {
  Subject subject = in_a_row(given, 1);
  if (row_of(subject.insn.op).has_repeat) subject.insn.repeat = 6;
  const auto room = lay_out(subject);
  if (!room) return {};
  layout = *room;
  Programs programs(subject, layout, draw, mask);
  for (const Style style :
       {Style::small, Style::quarters, Style::wide, Style::close, Style::crossed, Style::widths})
    programs.add(style);
  if (is_float(subject.insn.dst_type) || is_float(subject.insn.src_type)) programs.add(Style::special);
  programs.of_round_modes();
  programs.of_compare_modes();
  programs.of_scalars();
  programs.of_distances();
  return std::move(programs.all);
}

}  // namespace lanecheck
