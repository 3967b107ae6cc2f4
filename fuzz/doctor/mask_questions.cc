// Questions about masks that instructions bring, and about counter mode.
#include "fuzz/doctor/question_kit.h"
#include "spec/program/program.h"

namespace lanecheck {
namespace {

const std::string kPlainA = "a+0 blk=1 rep=8", kPlainB = "b+0 blk=1 rep=8";

/// One elementwise instruction as a line; empty if the backend offers none of the type that takes this mask.
std::string masked_line(const QuestionKit& kit, const std::string& tail, const char* dst = "d+0") {
  return kit.elementwise(*kit.mask_type(), dst + std::string(" blk=1 rep=8"), kPlainA, kPlainB, tail);
}

Program masked_program(const QuestionKit& kit, const std::string& lines) {
  return with_data(kit.memory(*kit.mask_type()) + lines);
}

/// Two full repeats and five elements.
std::string long_total(const QuestionKit& kit) {
  return std::to_string(2 * lanes_of(*kit.mask_type()) + 5);
}

/// A program in counter mode that leaves normal mode. `set`: what sets the number of elements.
Program counter_program(const QuestionKit& kit, const std::string& set, const std::string& repeat) {
  return masked_program(kit, "set_mask_count\n" + set + masked_line(kit, repeat) + "set_mask_norm\n");
}

bool has_modes(const QuestionKit& kit) {
  return kit.offers("set_mask_count") && kit.offers("set_mask_norm");
}

}  // namespace

std::vector<Program> own_mask_programs(const QuestionKit& kit) {
  const auto words = [&](std::uint64_t high, std::uint64_t low) {
    return kit.own_words(*kit.mask_type(), high, low);
  };
  if (masked_line(kit, "mask=5, repeat=1").empty()) return {};
  return {masked_program(kit, masked_line(kit, words(0x8000000000000013, 0x2b) + "repeat=1")),
          masked_program(kit, masked_line(kit, "mask=5, repeat=2")),
          masked_program(kit, masked_line(kit, words(0, 0xf0) + "repeat=1") +
                                  masked_line(kit, "mask=6, repeat=1", "d+512"))};
}

std::vector<Program> count_programs(const QuestionKit& kit) {
  const auto line = masked_line(kit, "count=3, repeat=2");
  if (line.empty()) return {};
  return {masked_program(kit, line)};
}

std::vector<Program> long_count_programs(const QuestionKit& kit) {
  const auto line = masked_line(kit, "count=" + long_total(kit) + ", repeat=1");
  if (line.empty()) return {};
  return {masked_program(kit, line)};
}

std::vector<Program> mode_programs(const QuestionKit& kit) {
  std::vector<Program> programs;
  const auto length = typed("set_vector_mask_len", *kit.mask_type());
  if (kit.offers(length))
    programs.push_back(masked_program(kit, length + " len=5\n" + masked_line(kit, "repeat=1")));
  if (const auto set = kit.set_mask(*kit.mask_type(), 0, 0xb); has_modes(kit) && !set.empty())
    programs.push_back(
        masked_program(kit, "set_mask_count\nset_mask_norm\n" + set + masked_line(kit, "repeat=1")));
  return programs;
}

std::vector<Program> counter_programs(const QuestionKit& kit) {
  if (!has_modes(kit)) return {};
  std::vector<Program> programs;
  if (const auto set = kit.set_mask(*kit.mask_type(), 0, 3); !set.empty())
    programs.push_back(counter_program(kit, set, "repeat=2"));
  if (kit.offers("set_vector_mask_total"))
    programs.push_back(counter_program(kit, "set_vector_mask_total len=3\n", "repeat=2"));
  return programs;
}

std::vector<Program> long_counter_programs(const QuestionKit& kit) {
  if (!has_modes(kit) || !kit.offers("set_vector_mask_total")) return {};
  return {counter_program(kit, "set_vector_mask_total len=" + long_total(kit) + "\n", "repeat=1")};
}

}  // namespace lanecheck
