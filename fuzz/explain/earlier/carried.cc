#include "fuzz/explain/earlier/carried.h"

#include <algorithm>
#include <vector>

#include "fuzz/explain/earlier/carried_condition.h"
#include "fuzz/explain/earlier/carried_fields.h"
#include "fuzz/explain/earlier/count_needed.h"
#include "fuzz/explain/earlier/count_of_earlier.h"
#include "fuzz/explain/earlier/ended_by.h"
#include "fuzz/explain/earlier/lanes_of_earlier.h"
#include "fuzz/explain/earlier/layout_of_earlier.h"
#include "fuzz/explain/earlier/mask_of_before.h"
#include "fuzz/explain/earlier/mask_of_earlier.h"
#include "fuzz/explain/earlier/needed_of_earlier.h"
#include "fuzz/explain/earlier/own_mask_again.h"
#include "fuzz/explain/earlier/repeats_of_earlier.h"
#include "fuzz/explain/earlier/results_of_earlier.h"
#include "fuzz/explain/earlier/same_words.h"
#include "fuzz/explain/earlier/skipped_behind.h"
#include "fuzz/explain/earlier/source_of_earlier.h"
#include "fuzz/explain/questions/executed_step.h"
#include "fuzz/explain/questions/locate.h"
#include "fuzz/explain/questions/predicted_part.h"
#include "fuzz/explain/questions/repeatable.h"
#include "fuzz/explain/questions/variation.h"
#include "oracle/execute/execute.h"
#include "spec/legality/find_fault.h"
#include "spec/text/joined.h"
#include "spec/text/program_text.h"

namespace lanecheck {
namespace {

class Search {
 public:
  Search(Program part, AskedBackend& asked, const Documented& documented)
      : part_(std::move(part)),
        asked_(asked),
        documented_(documented),
        predicted_(part_, asked, documented),
        last_(part_.instructions.size() - 1) {}

  std::optional<Carried> find() {
    const std::string name = mnemonic(part_.instructions[last_]);
    const bool sets_mask = row_of(part_.instructions[last_].op).mask == MaskUse::is_mask_state;
    for (std::size_t at = last_; at-- > 0 && !predicted_.is_over();) {
      if (auto count = count_of_earlier(part_, at, predicted_)) return *std::move(count);
      if (auto repeats = repeats_of_earlier(part_, at, predicted_, asked_)) return *std::move(repeats);
      if (auto skipped = skipped_behind(part_, at, predicted_)) return *std::move(skipped);
      if (!sets_mask)
        for (const CarriedField& field : carried_fields(part_.instructions[last_]))
          if (holds(at, field))
            return Carried{name + " takes " + field.name + " of " + earlier_one(part_, at) +
                               " instead of its own" + conditions(at, field),
                           field.kind, field.matter, true, true};
      for (std::size_t again = sets_mask ? last_ : at + 1; again <= last_; ++again)
        if (auto setter = setter_without_effect(at, again)) return setter;
      if (auto mask = mask_of_before(part_, at, predicted_, asked_)) return mask;
      if (!sets_mask && has_lost_mask(part_, at, predicted_, asked_))
        return Carried{name + " runs as under a full mask" + ended_mask(at), "mask-once", Matter::mask, true,
                       true};
      if (takes_mask_for_count(at))
        return Carried{name + " takes its mask for a count, after " + earlier_one(part_, at) +
                           ", whose counter mode stays on",
                       "mode", Matter::mask, true, true};
      if (!sets_mask && takes_lanes(at, 1))
        return Carried{name + " takes slots " + std::to_string(lanes_of(part_.instructions[at])) +
                           " and up of the mask for 1: only as many slots count as " +
                           earlier_one(part_, at) + " has lanes",
                       "lanes", Matter::mask, true};
      if (!sets_mask && takes_lanes(at, 0))
        return Carried{name + " works on the " + std::to_string(lanes_of(part_.instructions[at])) +
                           " lanes of " + earlier_one(part_, at) + " only, instead of its own " +
                           std::to_string(lanes_of(part_.instructions[last_])),
                       "lanes", Matter::mask, true};
      if (!sets_mask && loses_results(at))
        return Carried{
            "what " + instruction_at(part_, at) + " has written is lost when " + name +
                " writes the same places: lanes that keep their old dst get what was there before both",
            "lost", Matter::address, true};
      for (const auto law : {source_of_earlier, results_of_earlier, lanes_of_earlier, layout_of_earlier})
        if (auto carried = law(part_, at, predicted_)) return *std::move(carried);
    }
    return {};
  }

  /// The mask that was there before one that is set now. The last instruction may be wrong alone too: alone
  /// it runs after a full mask.
  std::optional<Carried> find_mask_of_before() {
    if (row_of(part_.instructions[last_].op).mask == MaskUse::is_mask_state) return {};
    for (std::size_t at = last_; at-- > 0 && !predicted_.is_over();)
      if (row_of(part_.instructions[at].op).mask == MaskUse::is_mask_state)
        if (auto mask = mask_of_before(part_, at, predicted_, asked_)) return mask;
    return {};
  }

 private:
  /// When the field of instruction `at` is taken.
  std::string conditions(std::size_t at, const CarriedField& field) {
    const Program part = with_room_for(part_, at, field);
    return count_needed(part, at, field, asked_, documented_) +
           carried_condition(part, at, field, asked_, documented_) +
           (field.kind == "bits" ? lanes_of_bits(at, field)
                                 : fields_needed(part, at, field, asked_, documented_)) +
           ended_by(part, at, field, asked_, documented_) + also_behind_another(part, at, field, predicted_);
  }

  /// What becomes of the mask that is set before instruction `at`, and is lost behind it.
  std::string ended_mask(std::size_t at) {
    const std::string users = earlier_ones(part_, at, last_);
    if (at + 1 == last_ && row_of(part_.instructions[at].op).mask == MaskUse::ignores)
      return " behind " + users + ", which does not use the mask";
    return ": the mask that is set counts for " + users + " only";
  }

  /// Instruction `again` sets what instruction `at` has set, and has no effect.
  std::optional<Carried> setter_without_effect(std::size_t at, std::size_t again) {
    const Instruction &insn = part_.instructions[again], &earlier = part_.instructions[at];
    std::string setter(row_of(insn.op).name), when, kind;
    if (has_no_effect_on_mode(part_, at, again, asked_, documented_)) {
      when = " has no effect behind an earlier " + setter + ", though the mode";
      kind = "same-mode";
    } else if (has_no_effect_again(part_, at, again, asked_, documented_)) {
      if (insn.src_type == earlier.src_type) setter = mnemonic(insn);
      when = " has no effect if its words are those of the last " + setter + " before it, though the mask";
      kind = "same-words";
    } else {
      return {};
    }
    return Carried{setter + when + " was changed between them", kind, Matter::mask, true, true, setter};
  }

  /// Bits may be kept for as many lanes as they are.
  std::string lanes_of_bits(std::size_t at, const CarriedField& field) {
    const auto would_show = [&](const Program& program, std::size_t from) {
      Program other = program;
      if (!field.carry(program.instructions[from], other.instructions.back())) return false;
      return !same_bytes(predicted_.before_of(other, other.instructions.size()).ub,
                         predicted_.before_of(program, program.instructions.size()).ub);
    };
    return lanes_needed(part_, at, would_show, asked_, documented_);
  }

  /// Does the last instruction take its mask for a count, because instruction `at` has one? Asked with a few
  /// masks that give other results as counts.
  bool takes_mask_for_count(std::size_t at) {
    const MaskFrom from = part_.instructions[last_].mask_from;
    if (part_.instructions[at].mask_from != MaskFrom::count ||
        (from != MaskFrom::bitwise && from != MaskFrom::contiguous))
      return false;
    bool shows = false;
    for (const std::uint64_t count : {37u, 22u, 5u}) {
      Program program = with_data(part_, static_cast<unsigned>(count));
      Instruction& last = program.instructions[last_];
      last.high = 0;
      last.low = count;
      last.repeat = 2;
      make_room(program);
      if (find_fault(program, documented_.readings())) continue;
      Instruction counting = last;  // which the API may not offer
      counting.mask_from = MaskFrom::count;
      State state = predicted_.before_of(program, last_);
      execute_one(program, counting, documented_.semantics, state);
      if (!predicted_.agrees(program, state, shows)) return false;
    }
    return shows;
  }

  /// Does the backend leave for `program` what `field` of instruction `at` gives? `shows`: is that something
  /// else than the documents say?
  bool gives(const Program& program, std::size_t at, const CarriedField& field, bool& shows) {
    Program other = program;
    if (!field.carry(program.instructions[at], other.instructions[last_])) return true;
    make_room_for_whole_repeats(other);
    Program asked_for = other;
    asked_for.instructions = program.instructions;
    if (find_fault(asked_for, documented_.readings()) || find_fault(other, documented_.readings()))
      return true;
    State state = predicted_.before_of(asked_for, last_);
    execute_one(other, other.instructions[last_], documented_.semantics, state);
    return predicted_.agrees(asked_for, state, shows);
  }

  bool holds(std::size_t at, const CarriedField& field) {
    bool shows_again = false;
    const auto carried = [&](const Program& program, bool& shows) {
      return gives(program, at, field, shows);
    };
    if (!predicted_.holds_for_data(carried, shows_again)) return false;
    bool shows_varied = false;  // the least of 2 and 7 is that of 2 and 5
    // No element may be equal to another scalar of the earlier comparison: then the later one gets another.
    const bool varies_later = row_of(part_.instructions[last_].op).compares && field.kind == "scalar";
    for (unsigned round = 0; round <= kOtherData && !shows_varied; ++round)
      for (unsigned attempt = 0; attempt < (varies_later ? 3 : 2); ++attempt) {
        Program varied = round == 0 ? part_ : with_data(part_, round);
        if (attempt < 2) field.vary(varied.instructions[at], attempt);
        if (attempt == 2) field.other(varied.instructions[last_], 0);
        make_room(varied);
        if (!gives(varied, at, field, shows_varied)) return false;
      }
    return shows_varied;
  }

  /// Does the last instruction take the slots behind the lanes of instruction `at` for this bit?
  bool gives_lanes(const Program& program, std::size_t at, std::uint8_t behind, bool& shows) {
    if (find_fault(program, documented_.readings())) return true;
    State state = predicted_.before_of(program, program.instructions.size() - 1);
    const Mask now = state.mask;
    for (unsigned slot = lanes_of(program.instructions[at]); slot < kMaskSlots; ++slot)
      state.mask[slot] = behind;
    execute_one(program, program.instructions.back(), documented_.semantics, state);
    state.mask = now;
    return predicted_.agrees(program, state, shows);
  }

  bool takes_lanes(std::size_t at, std::uint8_t behind) {
    const Instruction& insn = part_.instructions[last_];
    if (documented_.semantics.use[static_cast<std::size_t>(insn.op)] != MaskUse::gates_writeback ||
        insn.mask_from != MaskFrom::reg || row_of(part_.instructions[at].op).operands.empty() ||
        lanes_of(part_.instructions[at]) >= lanes_of(insn))
      return false;
    bool shows_again = false;
    const auto limited = [&](const Program& program, bool& shows) {
      return gives_lanes(program, at, behind, shows);
    };
    bool shows_reset = false;  // the mask of this program may tell little
    return predicted_.holds_for_data(limited, shows_again) && shows_again &&
           gives_lanes(with_reset_before(part_, last_), at, behind, shows_reset);
  }

  /// Does the backend leave what the program without instruction `at` leaves?
  bool loses_results(std::size_t at) {
    if (row_of(part_.instructions[at].op).operands.empty()) return false;
    bool shows_again = false;
    const auto lost = [&](const Program& program, bool& shows) {
      Program without = program;
      without.instructions.erase(without.instructions.begin() + static_cast<std::ptrdiff_t>(at));
      return predicted_.agrees(program, predicted_.before_of(without, last_), shows);
    };
    return predicted_.holds_for_data(lost, shows_again) && shows_again;
  }

  Program part_;
  AskedBackend& asked_;
  const Documented& documented_;
  PredictedPart predicted_;
  std::size_t last_;
};

}  // namespace

std::optional<Carried> carried_over(const Finding& finding, AskedBackend& asked,
                                    const Documented& documented) {
  if (finding.instruction == 0) return {};
  const Program part = prefix(finding.program, finding.instruction + 1);
  State before;
  execute(prefix(part, finding.instruction), documented.semantics, before);
  const Instruction& last = part.instructions.back();
  const bool has_bits = row_of(last.op).compare_mask == CompareMaskUse::reads;
  const auto single = has_bits ? alone_with_compare_mask(part, last, before) : alone(part, last, before);
  if (!single) return {};
  const Says alone_says = says(asked.ask(*single), *single, documented, asked.shown());
  if (alone_says == Says::diverges) return Search(part, asked, documented).find_mask_of_before();
  if (alone_says != Says::conforms) return {};
  for (const auto find : {mask_of_earlier, own_mask_not_set_again})
    if (auto text = find(part, asked, documented))
      return Carried{*std::move(text), "mask", Matter::mask, true, true};
  if (auto known = Search(part, asked, documented).find()) return known;
  std::vector<std::string> names;
  for (std::size_t n = 0; n < finding.instruction; ++n)
    if (row_of(part.instructions[n].op).mask != MaskUse::is_mask_state)
      names.push_back(mnemonic(part.instructions[n]));
  const std::string earlier = names.empty() ? "the earlier instructions that set the mask" : joined(names);
  const std::string same = row_of(documented.profile).has_modes
                               ? "on the same UB, under the same mask and in the same mode"
                               : "on the same UB and under the same mask";
  return Carried{mnemonic(part.instructions.back()) + " is right if it runs alone, " + same +
                     "; it is wrong after " + earlier,
                 "something", Matter::unexplained};
}

}  // namespace lanecheck
