#include "fuzz/explain/earlier/own_mask_again.h"

#include "fuzz/explain/earlier/carried_fields.h"
#include "fuzz/explain/questions/locate.h"
#include "fuzz/explain/questions/predicted_part.h"
#include "spec/legality/find_fault.h"
#include "spec/text/program_text.h"

namespace lanecheck {
namespace {

class MaskAgain {
 public:
  MaskAgain(const Program& part, AskedBackend& asked, const Documented& documented)
      : part_(part),
        asked_(asked),
        documented_(documented),
        predicted_(part, asked, documented),
        last_(part.instructions.size() - 1) {}

  /// The sentence about the closest earlier instruction with the same mask operand.
  std::optional<std::string> find() {
    const Instruction& insn = part_.instructions[last_];
    if (insn.mask_from != MaskFrom::contiguous && insn.mask_from != MaskFrom::bitwise) return {};
    for (std::size_t at = last_; at-- > 0;) {
      const Instruction& earlier = part_.instructions[at];
      if (earlier.mask_from != insn.mask_from || earlier.high != insn.high || earlier.low != insn.low)
        continue;
      if (!holds(at)) return {};
      const std::string name = mnemonic(insn), of = earlier_one(part_, at),
                        mask = insn.mask_from == MaskFrom::bitwise ? "bitwise mask" : "contiguous mask";
      if (runs_under_register(part_) && runs_under_register(with_other_mask({at, last_})))
        return name + " does not set its " + mask + " again if it is that of " + of +
               ": it runs under what stands in the mask register by then";
      return name + " is wrong if its " + mask + " is that of " + of +
             ", and right if one of the two has another: as if it were not set again";
    }
    return {};
  }

 private:
  Program with_other_mask(const std::vector<std::size_t>& in) const {
    Program program = part_;
    const Instruction& insn = part_.instructions[last_];
    for (const std::size_t n : in)
      program.instructions[n].low = insn.mask_from == MaskFrom::bitwise ? insn.low ^ 0x30
                                    : insn.low == 7                     ? 9
                                                                        : 7;
    return program;
  }

  bool is(Says expected, const Program& program) {
    return !find_fault(program, documented_.readings()) &&
           says(asked_.ask(program), program, documented_, asked_.shown()) == expected;
  }

  /// Wrong with another mask in both, and right with another one in one of them?
  bool holds(std::size_t at) {
    return is(Says::diverges, with_other_mask({at, last_})) && is(Says::conforms, with_other_mask({at})) &&
           is(Says::conforms, with_other_mask({last_}));
  }

  /// Does the last instruction do that, and is it something else than the documents say?
  bool runs_under_register(const Program& program) {
    if (find_fault(program, documented_.readings())) return false;
    State before = predicted_.before_of(program, last_);
    if (before.mode == Mode::counter) return false;
    const Mask mask = before.mask;
    bool shows = false;
    return predicted_.leaves_under(program, mask, std::move(before), shows) && shows;
  }

  const Program& part_;
  AskedBackend& asked_;
  const Documented& documented_;
  PredictedPart predicted_;
  std::size_t last_;
};

}  // namespace

std::optional<std::string> own_mask_not_set_again(const Program& part, AskedBackend& asked,
                                                  const Documented& documented) {
  return MaskAgain(part, asked, documented).find();
}

}  // namespace lanecheck
