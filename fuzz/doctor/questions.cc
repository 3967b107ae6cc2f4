#include <algorithm>
#include <span>

#include "fuzz/doctor/question.h"
#include "fuzz/doctor/question_kit.h"
#include "spec/text/program_text.h"

namespace lanecheck {
namespace {

using Programs = std::vector<Program>;

const std::string kWhole = "d+0 blk=1 rep=8", kFirst = "a+0 blk=1 rep=8", kSecond = "b+0 blk=1 rep=8";

/// All bits are used in 64 bytes. Larger memories hold no NaN, whose bits would depend on who computes on
/// them.
Program all_bytes(const QuestionKit& kit, std::uint32_t bytes) {
  Program program = parse_program(
      kit.head() + "ub " + std::to_string(bytes) + "\nalloc all u8 0 " + std::to_string(bytes) + "\n",
      "the doctor");
  for (std::uint32_t n = 0; n < bytes; ++n)
    program.ub[n] = static_cast<std::byte>((n * 7 + n / 256 + 1) & (bytes > 64 ? 0xbfu : 0xffu));
  return program;
}

/// A program of `before` and one elementwise instruction, of the first type for which the backend offers one.
/// It must offer one.
Program elementwise_program(const QuestionKit& kit, const std::string& dst, const std::string& src0,
                            const std::string& src1, const std::string& tail) {
  const Element type = *kit.elementwise_type();
  return with_data(kit.memory(type) + kit.elementwise(type, dst, src0, src1, tail));
}

Program one_repeat(const QuestionKit& kit) {
  return elementwise_program(kit, kWhole, kFirst, kSecond, "repeat=1");
}

/// `before` and one repeat of the type of the questions about masks.
Program masked_repeat(const QuestionKit& kit, const std::string& before, const std::string& after = {}) {
  const Element type = *kit.mask_type();
  return with_data(kit.memory(type) + before + kit.elementwise(type, kWhole, kFirst, kSecond, "repeat=1") +
                   after);
}

Programs memory_programs(const QuestionKit& kit) {
  return {all_bytes(kit, 64), all_bytes(kit, 4096)};
}

Programs mask_programs(const QuestionKit& kit) {
  for (const Element type : {Element::f16, Element::i16, Element::u16, Element::f32, Element::i32}) {
    const auto set = [&](std::uint64_t high, std::uint64_t low) { return kit.set_mask(type, high, low); };
    if (set(0, 0).empty()) continue;
    const std::string start = kit.head() + "ub 32\n";
    return {with_data(start + set(0x8000000000000017, 0x2b)), with_data(start + set(0, 0xfffffffffffffffe)),
            with_data(start + set(0x5, 0x9) + set(0x8000000000000030, 0x3))};
  }
  return {};
}

/// One contiguous repeat of each type that the backend offers.
Programs type_programs(const QuestionKit& kit) {
  Programs programs;
  for (const Element type : kQuestionTypes)
    if (const auto line = kit.elementwise(type, kWhole, kFirst, kSecond, "repeat=1"); !line.empty())
      programs.push_back(with_data(kit.memory(type) + line));
  return programs;
}

/// Values whose order depends on the sign.
Programs sign_programs(const QuestionKit& kit) {
  Programs programs;
  for (const Element type : kQuestionTypes) {
    const auto mnemonic = typed("vmax", type);
    if (is_float(type) || !kit.offers(mnemonic)) continue;
    Program program = with_data(kit.memory(type) + mnemonic + " " + kWhole + ", " + kFirst + ", " + kSecond +
                                ", repeat=1\n");
    for (std::uint32_t n = 0; n < 256; n += 2 * size_of(type))
      program.ub[program.allocations[1].offset + n + size_of(type) - 1] = std::byte{0x93};
    programs.push_back(std::move(program));
  }
  return programs;
}

Programs operand_programs(const QuestionKit& kit) {
  return {elementwise_program(kit, "d+32 blk=1 rep=8", "a+64 blk=1 rep=8", "b+96 blk=1 rep=8", "repeat=1")};
}

/// Allocations so small and so near to each other that their offsets, scaled by an element, stay inside UB,
/// where other data stand.
Programs place_programs(const QuestionKit& kit) {
  const Element type = *kit.elementwise_type();
  const std::string of(name_of(type));
  return {with_data(kit.head() + "ub 8192\nalloc d " + of + " 0 256\nalloc a " + of + " 288 256\nalloc b " +
                    of + " 576 256\nalloc c " + of + " 832 7360\n" +
                    kit.elementwise(type, kWhole, kFirst, kSecond, "repeat=1"))};
}

/// Where block strides are 1, only repeat strides are asked. Strides may count only under a full mask, or
/// only under another one, and only if they are greater than a repeat.
Programs stride_programs(const QuestionKit& kit) {
  const auto place = [&](char name, unsigned block, unsigned repeat) {
    const unsigned stride = kit.profile().block_stride_fixed ? 1 : block;
    return std::string(1, name) + "+0 blk=" + std::to_string(stride) + " rep=" + std::to_string(repeat);
  };
  const std::string d = place('d', 3, 2), a = place('a', 1, 7), b = place('b', 2, 5);
  Programs programs = {
      elementwise_program(kit, place('d', 2, 1), place('a', 3, 2), place('b', 5, 4), "repeat=2"),
      elementwise_program(kit, d, a, b, "repeat=2"),
      elementwise_program(kit, place('d', 1, 10), place('a', 1, 9), place('b', 1, 12), "repeat=2")};
  const auto type = kit.mask_type();
  const std::string set = type ? kit.set_mask(*type, 0x7fffffffffffffff, 0x7fffffffffffffff) : "";
  if (!set.empty())
    programs.push_back(with_data(kit.memory(*type) + set + kit.elementwise(*type, d, a, b, "repeat=2")));
  return programs;
}

Programs repeat_programs(const QuestionKit& kit) {
  return {elementwise_program(kit, kWhole, kFirst, kSecond, "repeat=3"),
          elementwise_program(kit, kWhole, kFirst, kSecond,
                              kit.profile().repeat_by_scalar ? "repeat=scalar:0" : "repeat=0")};
}

Programs lane_programs(const QuestionKit& kit) {
  const auto set = kit.set_mask(*kit.mask_type(), 0xf0f0f0f0f0f0f0f0, 0x123456789abcdef0);
  if (set.empty()) return {};
  const std::string next =
      kit.elementwise(*kit.mask_type(), "d+512 blk=1 rep=8", kSecond, kFirst, "repeat=1");
  return {masked_repeat(kit, set), masked_repeat(kit, set, next)};
}

/// A whole number, and a fraction if the type has them.
Programs scalar_programs(const QuestionKit& kit) {
  for (const Element type : {Element::f32, Element::f16, Element::i32, Element::i16})
    for (const std::string_view name : {"adds", "muls", "vmaxs", "vmins", "dup"}) {
      const auto mnemonic = typed(name, type);
      if (!kit.offers(mnemonic)) continue;
      Programs programs;
      for (const char* scalar : {"24", "30.5"})
        if (scalar[2] == '\0' || is_float(type))
          programs.push_back(with_data(kit.memory(type) + mnemonic + " " + kWhole +
                                       (name == "dup" ? "" : ", " + kFirst) + ", scalar=" + scalar + ", " +
                                       kit.with_own_mask(mnemonic, "repeat=1\n")));
      return programs;
    }
  return {};
}

Programs fresh_state_programs(const QuestionKit& kit) {
  const Program whole = one_repeat(kit);
  Programs programs = {whole};
  const auto set = [&](std::uint64_t low) { return kit.set_mask(*kit.mask_type(), 0, low); };
  if (!set(5).empty()) programs = {masked_repeat(kit, set(5))};
  if (!set(5).empty() && kit.offers("set_mask_count") && kit.offers("set_mask_norm")) {
    programs.push_back(masked_repeat(kit, "set_mask_count\n" + set(9)));
    programs.push_back(masked_repeat(kit, set(0xb), "set_mask_norm\n"));
  }
  programs.push_back(all_bytes(kit, static_cast<std::uint32_t>(whole.ub.size())));
  programs.push_back(whole);
  return programs;
}

Programs all_written_programs(const QuestionKit& kit) {
  const Element type = *kit.elementwise_type();
  return {with_data(kit.memory(type) + kit.elementwise(type, kWhole, kFirst, kSecond, "repeat=1") +
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
/// Is the question asked again in each further profile that the backend offers?
enum class Repeated : std::uint8_t { never, in_every_profile };

struct QuestionRow {
  std::string_view id, asks, needs_text;
  Programs (*programs)(const QuestionKit& kit);  ///< empty if the backend does not offer what they need
  Needs needs = Needs::nothing;                  ///< what the backend must offer before `programs` is called
  Repeated repeated = Repeated::never;
  ProfileSet profiles = kAllProfiles;
};

constexpr std::string_view kElementwise = "an elementwise instruction such as add or adds";

constexpr ProfileSet kOwnMasks = {Profile::a2, Profile::p310, Profile::tik};
constexpr ProfileSet kSetMask = {Profile::vmc, Profile::a2, Profile::p310};
constexpr ProfileSet kModes = {Profile::a2, Profile::p310};
using enum Repeated;

constexpr QuestionRow kQuestions[] = {
    {"memory", "does memory come back as it was sent if nothing is executed?", "", memory_programs},
    {"set_mask", "does the mask take high before low, the lowest bit for the lowest lane?", "set_mask",
     mask_programs, Needs::nothing, in_every_profile, kSetMask},
    {"types", "is each element type computed with the arithmetic of that type?", kElementwise, type_programs},
    {"signs", "are signed and unsigned types told apart?", "vmax on integers", sign_programs},
    {"operands", "are dst, src0 and src1 taken from their places, with their offsets added?", kElementwise,
     operand_programs, Needs::elementwise},
    {"places", "do allocations start at their offsets, which count bytes?", kElementwise, place_programs,
     Needs::elementwise},
    {"strides", "do strides count blocks of 32 bytes, and does each operand use its own strides?",
     kElementwise, stride_programs, Needs::elementwise},
    {"repeats", "are all repeats executed, and no repeat if repeat times are 0?", kElementwise,
     repeat_programs, Needs::elementwise},
    {"lanes", "does the mask reach the instructions?", "set_mask and an elementwise instruction",
     lane_programs, Needs::elementwise, in_every_profile, kSetMask},
    {"scalar", "does the scalar arrive with its value?", "an instruction with a scalar", scalar_programs},
    {"fresh_state", "does each program start from its own memory and a full mask?", kElementwise,
     fresh_state_programs, Needs::elementwise, in_every_profile},
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
    {"reduction", "does the repeat stride of a reduction's dst count results?", "cmax, cmin or cadd",
     reduction_programs},
    {"gather", "do the offsets of gather count bytes from the start of src?", "gather", gather_programs},
    {"select", "does a control bit of 1 select src0?", "select", select_programs},
    {"own_mask", "does each instruction use the mask that it brings?", kElementwise, own_mask_programs,
     Needs::elementwise, in_every_profile, kOwnMasks},
    {"count", "is the count of an instruction a number of elements?", "an instruction with a count",
     count_programs, Needs::elementwise, in_every_profile, kOwnMasks},
    {"long_count", "does a count of more than one repeat take as many repeats as it needs?",
     "an instruction with a count", long_count_programs, Needs::elementwise, in_every_profile, kOwnMasks},
    {"modes", "does set_mask_norm lead back to bits, and is a length a number of lanes?", "set_mask_norm",
     mode_programs, Needs::elementwise, in_every_profile, kModes},
    {"counter", "is the mask of counter mode a number of elements?", "set_mask_count", counter_programs,
     Needs::elementwise, in_every_profile, kModes},
    {"long_counter", "does counter mode take as many repeats as the number of elements needs?",
     "set_mask_count", long_counter_programs, Needs::elementwise, in_every_profile, kModes},
};

}  // namespace

std::vector<Question> questions(const Capabilities& offers, std::span<const Profile> profiles) {
  std::vector<Question> list;
  for (const Profile profile : profiles) {
    const QuestionKit kit(offers, profile);
    const bool has_elementwise = kit.elementwise_type().has_value(), first = profile == profiles.front();
    for (const QuestionRow& row : kQuestions) {
      if (!row.profiles.contains(profile) || (!first && row.repeated == Repeated::never)) continue;
      const bool can_ask = row.needs == Needs::nothing || has_elementwise;
      list.push_back({row.id, profile, row.asks, can_ask ? row.programs(kit) : Programs{}, row.needs_text});
    }
  }
  return list;
}

bool mask_is_settled(const Program& program) {
  return row_of(program.profile).shows_mask &&
         std::ranges::none_of(program.instructions, [](const Instruction& insn) {
           return insn.mask_from != MaskFrom::reg || insn.op == Op::set_mask_count;
         });
}

}  // namespace lanecheck
