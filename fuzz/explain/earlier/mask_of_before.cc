#include "fuzz/explain/earlier/mask_of_before.h"

#include "fuzz/explain/earlier/carried_condition.h"
#include "fuzz/explain/earlier/carried_fields.h"
#include "fuzz/explain/earlier/needed_of_earlier.h"
#include "fuzz/explain/questions/executed_step.h"
#include "fuzz/explain/questions/variation.h"
#include "fuzz/identify/probes/probe.h"
#include "oracle/compare/compare.h"
#include "oracle/execute/execute.h"
#include "spec/legality/find_fault.h"
#include "spec/text/program_text.h"

namespace lanecheck {
namespace {

class SearchBefore {
 public:
  SearchBefore(const Program& part, PredictedPart& predicted, AskedBackend& asked)
      : part_(part),
        asked_(asked),
        documented_(predicted.documented()),
        predicted_(predicted),
        last_(part.instructions.size() - 1) {}

  std::optional<Carried> mask_of_before(std::size_t at) {
    const auto same = same_word_of_masks(at);
    if (!same) return {};
    const Instruction& insn = part_.instructions[last_];
    const bool sets_mask = row_of(insn.op).mask == MaskUse::is_mask_state;
    const std::string instruction = instruction_at(part_, at);
    if (insn.op == Op::reset_mask && *same != SameWord::none)
      return Carried{mnemonic(insn) + " leaves slots " + (*same == SameWord::low ? "64..127" : "0..63") +
                         " of the mask as they were, after " + instruction,
                     "mask", Matter::mask, true};
    if (!sets_mask && *same != SameWord::none && is_kept_for_word(at, *same))
      return Carried{mnemonic(insn) + " uses the mask of an earlier " + mnemonic(part_.instructions[at]) +
                         " that has the same " + std::string(name_of(*same)) + " word as " + instruction,
                     "mask", Matter::mask, true, true};
    // Another word that is not taken looks the same: what is measured of the instruction goes first.
    return Carried{mnemonic(insn) +
                       (sets_mask ? " brings back the mask that was there before "
                                  : " uses the mask that was there before ") +
                       instruction + condition_text(*same) + users_needed_before(at),
                   "mask", Matter::mask, !sets_mask || *same == SameWord::none, true};
  }

  /// Does the last instruction run under a full mask, although one is set and instruction `at` is the first
  /// to use it?
  bool has_lost_mask(std::size_t at) {
    const auto setter = row_of(documented_.profile).sets_mask;
    if (at == 0 || !setter || part_.instructions[at - 1].op != *setter ||
        part_.instructions[last_].mask_from != MaskFrom::reg)
      return false;
    bool shows = false;
    if (!gives_mask(part_, kFullMask, shows) || !shows) return false;
    for (unsigned round = 1; round <= kOtherData; ++round) {
      Program program = with_data(part_, round);
      program.instructions[at - 1] =
          mask_setter(*setter, {kEarlierMask.high << round, kEarlierMask.low >> round});
      if (!gives_mask(program, kFullMask, shows)) return false;
    }
    return shows;
  }

 private:
  /// The instructions that must have used the mask of before instruction `at`.
  std::string users_needed_before(std::size_t at) {
    const auto would_show = [&](const Program& program, std::size_t from) {
      return predicted_.would_differ_under(program, predicted_.before_of(program, from).mask);
    };
    if (row_of(part_.instructions[last_].op).mask == MaskUse::is_mask_state) return "";
    return users_needed(part_, at, would_show, asked_, documented_);
  }

  /// Does the last instruction use this mask, or if it sets the mask, leave it?
  bool gives_mask(const Program& program, const Mask& used, bool& shows) {
    if (find_fault(program, documented_.readings())) return true;
    const Instruction& insn = program.instructions.back();
    State state = predicted_.before_of(program, program.instructions.size() - 1);
    if (row_of(insn.op).mask == MaskUse::is_mask_state) {
      execute_one(program, insn, documented_.semantics, state);
      state.mask = used;
      return predicted_.agrees(program, state, shows);
    }
    state.mask = used;
    const BackendAnswer answer = asked_.ask(program);
    if (!predicted_.leaves_ub_of(program, insn, state, answer)) return false;
    // A mask that is left wrong does not show which mask was used: only results do.
    shows |= !compare(program, documented_.semantics, answer.state, asked_.shown()).bytes.empty();
    return true;
  }

  bool gives_mask_of_before(const Program& program, std::size_t at, bool& shows) {
    return gives_mask(program, predicted_.before_of(program, at).mask, shows);
  }

  /// The program in which another mask than the one that instruction `at` sets is there before it. The bits
  /// of `changed` differ. `at` becomes the place of the same instruction in the result.
  Program after_another_mask(const Program& program, std::size_t& at, MaskWords changed) const {
    const Mask now = predicted_.before_of(program, at + 1).mask;
    const Instruction other =
        mask_setter(*row_of(documented_.profile).sets_mask,
                    {mask_word(now, 1) ^ changed.high, mask_word(now, 0) ^ changed.low});
    Program result = program;
    for (std::size_t n = at; n-- > 0;)
      if (result.instructions[n].op == other.op) {
        result.instructions[n] = other;
        return result;
      }
    result.instructions.insert(result.instructions.begin(), other);
    ++at;
    return result;
  }

  /// `word`: the slots that may differ. Own data tell most of a reduction: there one slot may decide.
  bool holds_after(std::size_t at, MaskWords word) {
    constexpr std::uint64_t kFours = 0x0f0f0f0f0f0f0f0f;
    bool shows = false;
    const auto gives_after = [&](const Program& program, MaskWords changed) {
      std::size_t now = at;
      const Program after =
          after_another_mask(program, now, {changed.high & word.high, changed.low & word.low});
      return gives_mask_of_before(after, now, shows);
    };
    for (unsigned round = 0; round <= kOtherData; ++round)
      if (!gives_after(round == 0 ? part_ : with_data(part_, round),
                       {kEarlierMask.high << round, kEarlierMask.low >> round}))
        return false;
    for (const std::uint64_t slots : {kFours, ~kFours})
      if (!gives_after(part_, {slots, slots})) return false;
    return shows;
  }

  /// If the mask of before instruction `at` is used: in which case. Asks after other masks, so that it is not
  /// the one that a program starts with. Nothing if it is not used.
  std::optional<SameWord> same_word_of_masks(std::size_t at) {
    bool shows = false;
    if (!row_of(documented_.profile).sets_mask || !gives_mask_of_before(part_, at, shows) || !shows ||
        !gives_mask_of_before(with_own_sources(part_), at, shows))
      return {};
    if (holds_after(at, {kOnes, kOnes})) return SameWord::none;
    if (row_of(part_.instructions[at].op).mask != MaskUse::is_mask_state) return {};
    // The word must be the same in this program, too.
    const Mask before = predicted_.before_of(part_, at).mask, now = predicted_.before_of(part_, at + 1).mask;
    const auto stays = [&](unsigned word) { return mask_word(before, word) == mask_word(now, word); };
    if (stays(0) && holds_after(at, {kOnes, 0})) return SameWord::low;
    if (stays(1) && holds_after(at, {0, kOnes})) return SameWord::high;
    return {};
  }

  /// Is the mask of before instruction `at` used also if a mask with two other words was there in between?
  bool is_kept_for_word(std::size_t at, SameWord same) {
    const MaskWords word = same == SameWord::low ? MaskWords{kOnes, 0} : MaskWords{0, kOnes};
    bool shows = false;
    for (unsigned round = 0; round <= kOtherData; ++round) {
      std::size_t now = at;
      Program program = after_another_mask(
          with_data(part_, round), now,
          {(kEarlierMask.high << round) & word.high, (kEarlierMask.low >> round) & word.low});
      const Mask kept = predicted_.before_of(program, now).mask;
      program.instructions.insert(
          program.instructions.begin() + static_cast<std::ptrdiff_t>(now),
          mask_setter(*row_of(documented_.profile).sets_mask, {~mask_word(kept, 1), ~mask_word(kept, 0)}));
      if (!gives_mask(program, kept, shows)) return false;
    }
    return shows;
  }

  const Program& part_;
  AskedBackend& asked_;
  const Documented& documented_;
  PredictedPart& predicted_;
  std::size_t last_;
};

}  // namespace

std::optional<Carried> mask_of_before(const Program& part, std::size_t at, PredictedPart& predicted,
                                      AskedBackend& asked) {
  return SearchBefore(part, predicted, asked).mask_of_before(at);
}

bool has_lost_mask(const Program& part, std::size_t at, PredictedPart& predicted, AskedBackend& asked) {
  return SearchBefore(part, predicted, asked).has_lost_mask(at);
}

}  // namespace lanecheck
