#include "fuzz/explain/earlier/mask_of_earlier.h"

#include "fuzz/explain/earlier/carried_fields.h"
#include "fuzz/explain/earlier/ended_by.h"
#include "fuzz/explain/earlier/needed_of_earlier.h"
#include "fuzz/explain/questions/predicted_part.h"
#include "fuzz/explain/questions/repeatable.h"
#include "fuzz/explain/questions/variation.h"
#include "fuzz/identify/probes/probe.h"
#include "spec/legality/find_fault.h"
#include "spec/mask/mask_register.h"
#include "spec/text/program_text.h"

namespace lanecheck {
namespace {

/// When the earlier mask is used, and two masks of which this is true.
struct When {
  std::string_view text;
  MaskWords changed;  ///< the bits of the earlier mask that are others in the later one
};

constexpr When kWhen[] = {
    {"", {~std::uint64_t{0}, ~std::uint64_t{0}}},
    {", if the low words of the two are the same", {~std::uint64_t{0}, 0}},
    {", if the high words of the two are the same", {0, ~std::uint64_t{0}}},
};

class MaskSearch {
 public:
  MaskSearch(const Program& part, AskedBackend& asked, const Documented& documented)
      : part_(part), asked_(asked), documented_(documented), predicted_(part, asked, documented) {}

  std::optional<std::string> find() {
    const std::size_t last = part_.instructions.size() - 1;
    const std::string name = mnemonic(part_.instructions[last]);
    for (std::size_t at = last; at-- > 0 && !predicted_.is_over();) {
      if (row_of(part_.instructions[at].op).mask == MaskUse::is_mask_state) continue;
      const std::string earlier = earlier_one(part_, at);
      if (keeps_high_word_of(at))
        return name +
               ", under a contiguous mask of 64 elements or less, leaves the high word of the mask as " +
               earlier + " has set it: lanes 64..127 go by that word";
      bool shows = false;
      if (!gives_mask_of(part_, at, shows) || !shows) continue;
      for (const When& when : kWhen)
        if (holds(at, when))
          return name + " uses the mask that " + earlier + " used instead of its own" +
                 std::string(when.text) + needed_for(at);
    }
    return {};
  }

 private:
  /// The earlier instruction has a bitwise mask, the last one a contiguous one. Of those, does the last one
  /// set the low word alone? Asked with other masks of the earlier one, and with more than 64 elements, where
  /// it must be right.
  bool keeps_high_word_of(std::size_t at) {
    const Instruction& own = part_.instructions.back();
    constexpr std::uint64_t kLengths[] = {64, 37, 1};
    if (own.mask_from != MaskFrom::contiguous || lanes_of(own) <= 64 ||
        part_.instructions[at].mask_from != MaskFrom::bitwise)
      return false;
    bool shows = false;
    for (const std::uint64_t length : kLengths)
      for (unsigned round = 0; round <= kOtherData; ++round) {
        Program program = round == 0 ? part_ : with_data(part_, round);
        const MaskWords first = {kEarlierMask.high << round, kEarlierMask.low >> round};
        put_mask(program, at, first);
        program.instructions.back().low = length;
        if (!gives_mask(program,
                        {first.high, operand_words(program.instructions.back(), documented_.readings()).low},
                        shows))
          return false;
      }
    Program more = part_;
    more.instructions.back().low = 101;
    return shows && says(asked_.ask(more), more, documented_, asked_.shown()) == Says::conforms;
  }

  /// In which case it does so: two instructions of as many lanes, with no mask set between them.
  std::string needed_for(std::size_t at) {
    const auto would_show = [&](const Program& program, std::size_t from) {
      return predicted_.would_differ_under(program, predicted_.before_of(program, from + 1).mask);
    };
    const auto with_setter = [&](const Program& between) {
      return row_of(between.instructions.end()[-2].op).mask == MaskUse::is_mask_state &&
             would_show(between, at);
    };
    return lanes_needed(part_, at, would_show, asked_, documented_) +
           ended_by(part_, with_setter, asked_, documented_);
  }

  /// Does the last instruction leave what it would under the mask that instruction `at` used? `shows`: is
  /// that something else than the documents say?
  bool gives_mask_of(const Program& program, std::size_t at, bool& shows) {
    if (find_fault(program, documented_.readings())) return true;
    const State earlier = predicted_.before_of(program, at + 1);
    State state = predicted_.before_of(program, program.instructions.size() - 1);
    if (earlier.mode == Mode::counter || state.mode == Mode::counter) return false;
    return predicted_.leaves_under(program, earlier.mask, std::move(state), shows);
  }

  /// As above, under these words.
  bool gives_mask(const Program& program, MaskWords words, bool& shows) {
    if (find_fault(program, documented_.readings())) return true;
    Mask mask = kFullMask;
    set_mask(mask, words.high, words.low);
    return predicted_.leaves_under(program, mask,
                                   predicted_.before_of(program, program.instructions.size() - 1), shows);
  }

  /// Gives instruction `n` this mask, in its own operand if it has one. The index of the instruction then.
  std::size_t put_mask(Program& program, std::size_t n, MaskWords words) const {
    Instruction& insn = program.instructions[n];
    const auto setter = row_of(program.profile).sets_mask;
    if (insn.mask_from == MaskFrom::reg && setter) {
      program.instructions.insert(program.instructions.begin() + static_cast<std::ptrdiff_t>(n),
                                  mask_setter(*setter, words));
      return n + 1;
    }
    insn.mask_from = MaskFrom::bitwise;
    insn.high = words.high;
    insn.low = words.low;
    return n;
  }

  /// The earlier mask is used under masks of which `when` is true, also with other data. Without the earlier
  /// instruction, of which only its mask is left, the last one is right.
  bool holds(std::size_t at, const When& when) {
    bool shows = false;
    for (unsigned round = 0; round <= kOtherData; ++round) {
      Program program = round == 0 ? part_ : with_data(part_, round);
      const bool has_high = lanes_of(part_.instructions[at]) > 64;  // else it may have to be 0
      const MaskWords first = {has_high ? kEarlierMask.high << round : 0, kEarlierMask.low << round};
      const std::size_t now = put_mask(program, at, first);
      put_mask(program, program.instructions.size() - 1,
               {first.high ^ when.changed.high, first.low ^ when.changed.low});
      if (!gives_mask_of(program, now, shows)) return false;
      const auto setter = row_of(program.profile).sets_mask;
      if (!setter) continue;
      program.instructions[now] = mask_setter(*setter, first);
      if (says(asked_.ask(program), program, documented_, asked_.shown()) == Says::diverges) return false;
    }
    return shows;
  }

  const Program& part_;
  AskedBackend& asked_;
  const Documented& documented_;
  PredictedPart predicted_;
};

}  // namespace

std::optional<std::string> mask_of_earlier(const Program& part, AskedBackend& asked,
                                           const Documented& documented) {
  if (row_of(part.instructions.back().op).mask == MaskUse::is_mask_state) return {};
  return MaskSearch(part, asked, documented).find();
}

}  // namespace lanecheck
