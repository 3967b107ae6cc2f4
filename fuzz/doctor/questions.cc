#include <algorithm>
#include <span>

#include "fuzz/doctor/question.h"
#include "fuzz/doctor/question_kit.h"
#include "spec/text/program_text.h"

namespace lanecheck {
namespace {

using Programs = std::vector<Program>;

const std::string kWhole = "d+0 blk=1 rep=8", kFirst = "a+0 blk=1 rep=8", kSecond = "b+0 blk=1 rep=8";

Program all_bytes(std::uint32_t bytes) {
  Program program = parse_program(
      "ub " + std::to_string(bytes) + "\nalloc all u8 0 " + std::to_string(bytes) + "\n", "the doctor");
  for (std::uint32_t n = 0; n < bytes; ++n) program.ub[n] = static_cast<std::byte>(n * 7 + n / 256 + 1);
  return program;
}

/// A program of `before` and one elementwise instruction, of the first type for which the backend offers one.
/// It must offer one.
Program elementwise_program(const QuestionKit& kit, const std::string& dst, const std::string& src0,
                            const std::string& src1, const std::string& tail,
                            const std::string& before = {}) {
  const Element type = *kit.elementwise_type();
  return with_data(memory(type) + before + kit.elementwise(type, dst, src0, src1, tail));
}

Program one_repeat(const QuestionKit& kit, const std::string& before = {}) {
  return elementwise_program(kit, kWhole, kFirst, kSecond, "repeat=1", before);
}

Programs memory_programs(const QuestionKit&) {
  return {all_bytes(64), all_bytes(4096)};
}

Programs mask_programs(const QuestionKit& kit) {
  if (!kit.sets_masks()) return {};
  return {with_data("ub 32\nset_mask high=0x8000000000000017 low=0x2b\n"),
          with_data("ub 32\nset_mask high=0x0 low=0xfffffffffffffffe\n"),
          with_data("ub 32\nset_mask high=0x5 low=0x9\nset_mask high=0x8000000000000030 low=0x3\n")};
}

/// One contiguous repeat of each type that the backend offers.
Programs type_programs(const QuestionKit& kit) {
  Programs programs;
  for (const Element type : kQuestionTypes)
    if (const auto line = kit.elementwise(type, kWhole, kFirst, kSecond, "repeat=1"); !line.empty())
      programs.push_back(with_data(memory(type) + line));
  return programs;
}

/// Values whose order depends on the sign.
Programs sign_programs(const QuestionKit& kit) {
  Programs programs;
  for (const Element type : kQuestionTypes) {
    const auto mnemonic = typed("vmax", type);
    if (is_float(type) || !kit.offers(mnemonic)) continue;
    Program program =
        with_data(memory(type) + mnemonic + " " + kWhole + ", " + kFirst + ", " + kSecond + ", repeat=1\n");
    for (std::uint32_t n = 0; n < 256; n += 2 * size_of(type))
      program.ub[program.allocations[1].offset + n + size_of(type) - 1] = std::byte{0x93};
    programs.push_back(std::move(program));
  }
  return programs;
}

Programs operand_programs(const QuestionKit& kit) {
  return {elementwise_program(kit, "d+32 blk=1 rep=8", "a+64 blk=1 rep=8", "b+96 blk=1 rep=8", "repeat=1")};
}

Programs stride_programs(const QuestionKit& kit) {
  return {elementwise_program(kit, "d+0 blk=2 rep=1", "a+0 blk=3 rep=2", "b+0 blk=5 rep=4", "repeat=2"),
          elementwise_program(kit, "d+0 blk=3 rep=2", "a+0 blk=1 rep=7", "b+0 blk=2 rep=5", "repeat=2")};
}

Programs repeat_programs(const QuestionKit& kit) {
  return {elementwise_program(kit, kWhole, kFirst, kSecond, "repeat=3"),
          elementwise_program(kit, kWhole, kFirst, kSecond, "repeat=0")};
}

Programs lane_programs(const QuestionKit& kit) {
  if (!kit.sets_masks()) return {};
  return {one_repeat(kit, "set_mask high=0xf0f0f0f0f0f0f0f0 low=0x123456789abcdef0\n")};
}

Programs scalar_programs(const QuestionKit& kit) {
  for (const Element type : {Element::f32, Element::f16, Element::i32, Element::i16})
    for (const std::string_view name : {"adds", "muls", "vmaxs", "vmins", "dup"})
      if (const auto mnemonic = typed(name, type); kit.offers(mnemonic))
        return {with_data(memory(type) + mnemonic + " " + kWhole + (name == "dup" ? "" : ", " + kFirst) +
                          ", scalar=24, repeat=1\n")};
  return {};
}

Programs fresh_state_programs(const QuestionKit& kit) {
  const Program whole = one_repeat(kit);
  const Program first = kit.sets_masks() ? one_repeat(kit, "set_mask high=0x0 low=0x5\n") : whole;
  return {first, all_bytes(static_cast<std::uint32_t>(whole.ub.size())), whole};
}

Programs all_written_programs(const QuestionKit& kit) {
  const Element type = *kit.elementwise_type();
  return {with_data(memory(type) + kit.elementwise(type, kWhole, kFirst, kSecond, "repeat=1") +
                    kit.elementwise(type, "d+512 blk=1 rep=8", kFirst, kSecond, "repeat=1") +
                    kit.elementwise(type, kFirst, kSecond, kSecond, "repeat=1"))};
}

Programs many_programs(const QuestionKit& kit) {
  Programs many(24, one_repeat(kit));
  for (unsigned n = 0; n < many.size(); ++n)
    for (std::byte& each : std::span(many[n].ub).subspan(many[n].allocations[1].offset, 32))
      each ^= static_cast<std::byte>(n);
  return many;
}

enum class Needs : std::uint8_t { nothing, elementwise };

struct QuestionRow {
  std::string_view id, asks, needs_text;
  Programs (*programs)(const QuestionKit& kit);  ///< empty if the backend does not offer what they need
  Needs needs = Needs::nothing;                  ///< what the backend must offer before `programs` is called
};

constexpr std::string_view kElementwise = "an elementwise instruction such as add or adds";

constexpr QuestionRow kQuestions[] = {
    {"memory", "does memory come back as it was sent if nothing is executed?", "", memory_programs},
    {"set_mask", "does set_mask take high before low, the lowest bit for the lowest lane?", "set_mask",
     mask_programs},
    {"types", "is each element type computed with the arithmetic of that type?", kElementwise, type_programs},
    {"signs", "are signed and unsigned types told apart?", "vmax on integers", sign_programs},
    {"operands", "are dst, src0 and src1 taken from their places, with their offsets added?", kElementwise,
     operand_programs, Needs::elementwise},
    {"strides", "do strides count blocks of 32 bytes, and does each operand use its own strides?",
     kElementwise, stride_programs, Needs::elementwise},
    {"repeats", "are all repeats executed, and no repeat if repeat times are 0?", kElementwise,
     repeat_programs, Needs::elementwise},
    {"lanes", "does the mask reach the instructions?", "set_mask and an elementwise instruction",
     lane_programs, Needs::elementwise},
    {"scalar", "does the scalar arrive with its value?", "an instruction with a scalar", scalar_programs},
    {"fresh_state", "does each program start from its own memory and a full mask?", kElementwise,
     fresh_state_programs, Needs::elementwise},
    {"all_written", "is every instruction executed, and every result returned?", kElementwise,
     all_written_programs, Needs::elementwise},
    {"every_request", "does each of many programs get its own answer?", kElementwise, many_programs,
     Needs::elementwise},
    {"extremes", "are maximum and minimum told apart?", "vmax or vmin", extreme_programs},
    {"cast", "does cast take its first type for dst and its second for src?", "cast between f16 and f32",
     cast_programs},
    {"rounding", "does cast round as `round` says?", "cast from floats to integers", rounding_programs},
    {"compare", "does compare use its mode?", "compare", compare_programs},
    {"compare_scalar", "is the scalar the right operand of compare_scalar?", "compare_scalar",
     compare_scalar_programs},
    {"reduction", "does the repeat stride of a reduction's dst count results?", "cmax or cmin",
     reduction_programs},
    {"gather", "do the offsets of gather count bytes from the start of src?", "gather", gather_programs},
    {"select", "does a control bit of 1 select src0?", "select", select_programs},
};

}  // namespace

std::vector<Question> questions(const Capabilities& offers) {
  const QuestionKit kit(offers);
  const bool has_elementwise = kit.elementwise_type().has_value();
  std::vector<Question> list;
  for (const QuestionRow& row : kQuestions) {
    const bool can_ask = row.needs == Needs::nothing || has_elementwise;
    list.push_back({row.id, row.asks, can_ask ? row.programs(kit) : Programs{}, row.needs_text});
  }
  return list;
}

}  // namespace lanecheck
