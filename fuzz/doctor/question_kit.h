// What the doctor builds its questions from: instructions that the backend offers, and programs with easy
// data.
#pragma once

#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "fuzz/backend/capabilities.h"
#include "fuzz/doctor/question.h"

namespace lanecheck {

/// Finds the instructions of a profile that the backend offers, and writes programs of that profile.
class QuestionKit {
 public:
  QuestionKit(const Capabilities& offers, Profile profile) : offers_(offers), profile_(profile) {}

  const ProfileRow& profile() const { return row_of(profile_); }
  bool offers(std::string_view mnemonic, MaskFrom from = MaskFrom::reg) const;
  /// The first of `mnemonics` that the backend offers; "" if it offers none of them.
  std::string first_offered(std::initializer_list<std::string_view> mnemonics) const;
  /// The first type T for which the backend offers `instruction`.T.
  std::optional<Element> type_of(std::string_view instruction) const;

  /// An elementwise instruction of this type as a line of a program; empty if the backend offers none. `dst`,
  /// `src0`, `src1`: operands as text. `tail`: what follows them, which may begin with a mask operand.
  std::string elementwise(Element type, const std::string& dst, const std::string& src0,
                          const std::string& src1, const std::string& tail) const;
  /// The first type that some elementwise instruction has.
  std::optional<Element> elementwise_type() const;
  /// The elementwise type of the questions about masks: one of 16 bits if there is a choice and the high word
  /// has no lanes in wider ones.
  std::optional<Element> mask_type() const;

  /// Sets the mask for operands of `type`; empty if the backend offers no such instruction. In a profile that
  /// forbids bits beyond the lanes of `type`, `high` becomes 0 for types of 32 bits.
  std::string set_mask(Element type, std::uint64_t high, std::uint64_t low) const;
  /// "mask=0x5:0x9, ", with the same care.
  std::string own_words(Element type, std::uint64_t high, std::uint64_t low) const;
  /// `tail`, with a mask operand of all lanes before it if the instruction must bring one.
  std::string with_own_mask(std::string_view mnemonic, const std::string& tail) const;

  /// "profile tik"
  std::string head() const;
  /// The head of a program: a UB with one allocation of kRoom bytes for each type. Their names are d, a, b,
  /// c.
  std::string memory(std::initializer_list<Element> types) const;
  /// Three allocations of one type.
  std::string memory(Element type) const { return memory({type, type, type}); }

 private:
  std::uint64_t high_word(Element type, std::uint64_t high) const;

  const Capabilities& offers_;
  Profile profile_;
};

std::string typed(std::string_view instruction, Element type);

/// The bytes of one operand. They are enough even for an adapter that misunderstands strides.
inline constexpr std::uint32_t kRoom = 2048;

/// In this order the doctor looks for a type that the backend offers.
inline constexpr Element kQuestionTypes[] = {Element::f32,  Element::i32, Element::f16, Element::i16,
                                             Element::bf16, Element::u32, Element::u16, Element::i8,
                                             Element::u8,   Element::i64, Element::u64};

/// A program whose elements are small whole numbers that differ from their neighbours and from allocation to
/// allocation.
Program with_data(const std::string& text);
void put_element(Program& program, std::size_t allocation, std::uint32_t index, double value);

// Questions about masks that instructions bring, and about counter mode (mask_questions.cc).
std::vector<Program> own_mask_programs(const QuestionKit& kit);
std::vector<Program> count_programs(const QuestionKit& kit);
std::vector<Program> long_count_programs(const QuestionKit& kit);
std::vector<Program> mode_programs(const QuestionKit& kit);
std::vector<Program> counter_programs(const QuestionKit& kit);
std::vector<Program> long_counter_programs(const QuestionKit& kit);

// Questions about single forms (form_questions.cc).
std::vector<Program> extreme_programs(const QuestionKit& kit);
std::vector<Program> cast_programs(const QuestionKit& kit);
std::vector<Program> rounding_programs(const QuestionKit& kit);
std::vector<Program> compare_programs(const QuestionKit& kit);
std::vector<Program> compare_scalar_programs(const QuestionKit& kit);
std::vector<Program> reduction_programs(const QuestionKit& kit);
std::vector<Program> gather_programs(const QuestionKit& kit);
std::vector<Program> select_programs(const QuestionKit& kit);

}  // namespace lanecheck
