#include "fuzz/identify/kept_word.h"

#include <algorithm>

#include "spec/legality/find_fault.h"
#include "spec/mask/mask_register.h"
#include "spec/program/profile.h"

namespace lanecheck {
namespace {

constexpr std::string_view kBecomesOnes = " makes the high word of the mask all ones",
                           kIsKept = " leaves the high word of the mask as it was",
                           kAsIf = ", as if a shift by 64 were none";

/// The instruction that gives the number: the last one, or the set_vector_mask_len before it.
std::size_t index_of_number(const Program& program, MaskGiven given) {
  return program.instructions.size() - (given == MaskGiven::length ? 2 : 1);
}

/// Sets the register to `words` before the number is given. An instruction that sets it by its own mask
/// writes its results behind all other operands.
void put_mask_before(Program& program, const MaskWords& words) {
  if (const auto setter = row_of(program.profile).sets_mask) {
    program.instructions.insert(program.instructions.begin(), mask_setter(*setter, words));
    return;
  }
  Instruction earlier = program.instructions.back();
  const std::uint32_t bytes = kRepeatBlocks * kBlockBytes;
  const auto begin = in_whole_blocks(static_cast<std::uint32_t>(program.ub.size()));
  program.ub.resize(begin + bytes);
  program.allocations.push_back({"earlier", earlier.dst_type, begin, bytes});
  earlier.operands[0].allocation = static_cast<std::uint16_t>(program.allocations.size() - 1);
  earlier.operands[0].offset = 0;
  earlier.mask_from = MaskFrom::bitwise;
  earlier.high = words.high;
  earlier.low = words.low;
  if (row_of(earlier.op).has_repeat) earlier.repeat = 1;
  program.instructions.insert(program.instructions.begin(), earlier);
}

/// The same program with the mask of the register in place of the number: the first elements, and the high
/// word of the mask before.
Program with_kept_word(Program program, MaskGiven given, std::uint32_t length, const MaskWords& before) {
  Instruction& number = program.instructions[index_of_number(program, given)];
  const MaskWords words{before.high, length >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << length) - 1};
  if (given == MaskGiven::length) {
    number = mask_setter(*row_of(program.profile).sets_mask, words);
  } else {
    number.mask_from = MaskFrom::bitwise;
    number.high = words.high;
    number.low = words.low;
  }
  return program;
}

/// Does a length of 64 or less keep the high word of the mask that was there before?
bool keeps_high_word(const Subject& given_subject, MaskGiven given, const Ask& ask) {
  Subject subject = given_subject;
  subject.given = given;
  const auto layout = lay_out(subject);
  if (!layout) return false;
  const auto operands = row_of(subject.insn.op).operands;
  std::vector<Program> programs, predicted;
  for (const MaskWords& before : {kGappedMask, kEarlierMask})
    for (const std::uint32_t length : {1U, 23U, 63U}) {
      auto program = probe_of_length(subject, *layout, length);
      if (!program) return false;
      for (unsigned k = 0; k < operands.size(); ++k) {
        const Element type = operand_type(subject.insn, operands[k]);
        fill_region(*program, layout->regions[k], type, plain_bits(type, k));
      }
      put_mask_before(*program, before);
      predicted.push_back(with_kept_word(*program, given, length, before));
      programs.push_back(*std::move(program));
    }
  const auto is_legal = [](const Program& program) { return !find_fault(program); };
  if (!std::ranges::all_of(programs, is_legal) || !std::ranges::all_of(predicted, is_legal)) return false;
  const Answers is = ask_all(ask, programs), should = ask_all(ask_oracle(), predicted);
  return is.why_not.empty() && should.why_not.empty() &&
         std::ranges::equal(is.states, should.states, {}, &State::ub, &State::ub);
}

}  // namespace

void say_if_word_is_kept(const Subject& subject, MaskGiven given, std::vector<Difference>& differences,
                         const Ask& ask) {
  if ((given != MaskGiven::contiguous && given != MaskGiven::length) || lanes_of(subject.insn) < 128) return;
  for (Difference& each : differences) {
    const std::size_t at = each.what.find(kBecomesOnes);
    if (at == std::string::npos || !keeps_high_word(subject, given, ask)) continue;
    each.what.replace(at, kBecomesOnes.size(), kIsKept);
    if (const std::size_t as_if = each.what.find(kAsIf); as_if != std::string::npos)
      each.what.erase(as_if, kAsIf.size());
    each.key.clear();
    each.general.clear();
  }
}

bool says_kept_word(const Difference& difference) {
  return difference.what.find(kIsKept) != std::string::npos;
}

}  // namespace lanecheck
