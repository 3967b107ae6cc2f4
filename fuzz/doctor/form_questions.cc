// Questions about single forms: extremes, casts, compares, reductions, gather and select.
#include "fuzz/doctor/question_kit.h"
#include "spec/program/program.h"

namespace lanecheck {
namespace {

const std::string kDst = " d+0 blk=1 rep=8", kA = ", a+0 blk=1 rep=8", kB = ", b+0 blk=1 rep=8";
const std::string kOnce = ", repeat=1\n";

constexpr std::uint32_t lanes_of_type(Element type) {
  return kRepeatBytes / size_of(type);
}

/// The lanes of src1 are one less than those of src0, the same, or one more.
void put_neighbours(Program& program, Element type) {
  for (std::uint32_t k = 0; k < lanes_of_type(type); ++k) {
    put_element(program, 1, k, 20 + k % 7);
    put_element(program, 2, k, 19 + k % 7 + k % 3);
  }
}

/// Three repeats whose sums differ, and are exact in every type and order.
void put_exact_terms(Program& program, Element type) {
  const std::uint32_t lanes = lanes_of_type(type);
  for (std::uint32_t k = 0; k < 3 * lanes; ++k) put_element(program, 1, k, k % 2 + k / lanes);
}

void put_fractions(Program& program, std::uint32_t lanes) {
  constexpr double kFractions[] = {2.5, -2.5, 1.5, -1.5, 0.75, -0.75, 3.25, -3.25, 4, -4, 5};
  for (std::uint32_t k = 0; k < lanes; ++k) put_element(program, 1, k, kFractions[k % 11]);
}

}  // namespace

std::vector<Program> extreme_programs(const QuestionKit& kit) {
  std::vector<Program> programs;
  for (const char* name : {"vmax", "vmin"})
    if (const auto type = kit.type_of(name)) {
      programs.push_back(with_data(kit.memory(*type) + typed(name, *type) + kDst + kA + kB + kOnce));
      put_neighbours(programs.back(), *type);
    }
  return programs;
}

std::vector<Program> cast_programs(const QuestionKit& kit) {
  struct Cast {
    const char* mnemonic;
    Element dst, src;
  };
  std::vector<Program> programs;
  for (const Cast& cast :
       {Cast{"cast.f32.f16", Element::f32, Element::f16}, Cast{"cast.f16.f32", Element::f16, Element::f32}}) {
    if (!kit.offers(cast.mnemonic)) continue;
    const std::string dst = cast.dst == Element::f16 ? " d+0 blk=1 rep=4" : kDst;
    const std::string src = cast.src == Element::f16 ? ", a+0 blk=1 rep=4" : kA;
    programs.push_back(
        with_data(kit.memory({cast.dst, cast.src}) + cast.mnemonic + dst + src + ", round=none" + kOnce));
  }
  return programs;
}

std::vector<Program> rounding_programs(const QuestionKit& kit) {
  const std::string mnemonic = kit.first_offered({"cast.i32.f32", "cast.i16.f16"});
  if (mnemonic.empty()) return {};
  const bool wide = mnemonic == "cast.i32.f32";
  const Element dst = wide ? Element::i32 : Element::i16, src = wide ? Element::f32 : Element::f16;
  std::vector<Program> programs;
  for (const char* round : {"rint", "floor", "ceil", "round", "trunc"}) {
    programs.push_back(with_data(kit.memory({dst, src}) + mnemonic + kDst + kA + ", round=" + round + kOnce));
    put_fractions(programs.back(), lanes_of_type(src));
  }
  return programs;
}

std::vector<Program> compare_programs(const QuestionKit& kit) {
  std::vector<Program> programs;
  if (const auto type = kit.type_of("compare"))
    for (const char* mode : {"eq", "ne", "lt", "le", "gt", "ge"}) {
      programs.push_back(with_data(kit.memory({Element::u8, *type, *type}) + typed("compare", *type) +
                                   " d+0" + kA + kB + ", " + mode + kOnce));
      put_neighbours(programs.back(), *type);
    }
  return programs;
}

std::vector<Program> compare_scalar_programs(const QuestionKit& kit) {
  std::vector<Program> programs;
  if (const auto type = kit.type_of("compare_scalar"))
    for (const char* mode : {"eq", "lt", "ge"}) {
      programs.push_back(with_data(kit.memory({Element::u8, *type}) + typed("compare_scalar", *type) +
                                   " d+0" + kA + ", scalar=23, " + mode + kOnce));
      for (std::uint32_t k = 0; k < lanes_of_type(*type); ++k) put_element(programs.back(), 1, k, 20 + k % 7);
    }
  return programs;
}

std::vector<Program> reduction_programs(const QuestionKit& kit) {
  std::vector<Program> programs;
  for (const std::string name : {"cmax", "cmin", "cadd"}) {
    const auto type = kit.type_of(name);
    if (!type) continue;
    for (const char* stride : {"1", "2"}) {
      programs.push_back(with_data(kit.memory({*type, *type}) + typed(name, *type) + " d+0 rep=" + stride +
                                   kA + ", repeat=3\n"));
      if (name == "cadd") put_exact_terms(programs.back(), *type);
    }
    return programs;
  }
  return programs;
}

/// The instruction uses no operand at the start of UB, from where an adapter would read that ignores where
/// src starts.
std::vector<Program> gather_programs(const QuestionKit& kit) {
  const auto type = kit.type_of("gather");
  if (!type) return {};
  Program program =
      with_data(kit.memory({*type, *type, Element::u32, *type}) + typed("gather", *type) +
                " c+0 rep=8, a+0, b+0, " + kit.with_own_mask(typed("gather", *type), "repeat=1\n"));
  for (std::uint32_t k = 0; k < lanes_of_type(*type); ++k)
    put_element(program, 2, k, (5 * k + 3) % lanes_of_type(*type) * size_of(*type));
  return {program};
}

std::vector<Program> select_programs(const QuestionKit& kit) {
  const auto type = kit.type_of("select");
  if (!type) return {};
  return {with_data(kit.memory({*type, *type, *type, Element::u8}) + typed("select", *type) + kDst + ", c+0" +
                    kA + kB + ", " + kit.with_own_mask(typed("select", *type), "repeat=1\n"))};
}

}  // namespace lanecheck
