#include "fuzz/explain/latched_mask.h"

#include <algorithm>

#include "fuzz/explain/broken_rules/broken_rules.h"
#include "fuzz/explain/questions/executed_step.h"
#include "fuzz/explain/questions/inserted.h"
#include "fuzz/explain/questions/locate.h"
#include "fuzz/explain/questions/predicted_part.h"
#include "fuzz/identify/probes/probe.h"
#include "oracle/execute/execute.h"
#include "spec/legality/find_fault.h"
#include "spec/text/program_text.h"

namespace lanecheck {
namespace {

/// Does the last instruction, a reduction, use a mask of the register that is not full, and do those before
/// it set no more than that?
bool is_reduction_under_mask(const Program& part, const Documented& documented) {
  const Instruction& last = part.instructions.back();
  const auto sets_mask = [](const Instruction& insn) {
    return row_of(insn.op).mask == MaskUse::is_mask_state;
  };
  if (row_of(last.op).mask != MaskUse::neutral_source || last.mask_from != MaskFrom::reg) return false;
  if (!row_of(part.profile).sets_mask || part.instructions.size() < 2) return false;
  if (!std::all_of(part.instructions.begin(), part.instructions.end() - 1, sets_mask)) return false;
  State before;
  execute(prefix(part, part.instructions.size() - 1), documented.semantics, before);
  const unsigned lanes = std::min(lanes_of(last), kMaskSlots);
  return before.mode == Mode::normal &&
         std::any_of(before.mask.begin(), before.mask.begin() + lanes, [](auto slot) { return slot == 0; });
}

/// The program with an addition before its last instruction.
Program with_addition(const Program& program, const TypePair& types) {
  return with_inserted(program, row_of(Op::add), types);
}

class LatchTrials {
 public:
  LatchTrials(const Program& part, const TypePair& types, AskedBackend& asked, const Documented& documented)
      : part_(part),
        types_(types),
        asked_(asked),
        documented_(documented),
        predicted_(part, asked, documented) {}

  bool holds() {
    if (ask(with_addition(part_, types_)) != Says::conforms) return false;
    for (unsigned round = 1; round <= kOtherData; ++round) {
      const Program program = with_data(part_, round);
      if (ask(with_addition(program, types_)) != Says::conforms) return false;
      if (!uses_mask_of_addition(program, {kEarlierMask.high << round, kEarlierMask.low >> round}))
        return false;
    }
    return shows_;
  }

  /// Is the mask a full one if no elementwise instruction comes before?
  bool starts_full() {
    return leaves_under(part_, kFullMask) && leaves_under(with_data(part_, 1), kFullMask);
  }

 private:
  Says ask(const Program& program) {
    if (find_fault(program, documented_.readings())) return Says::nothing;
    return says(asked_.ask(program), program, documented_, asked_.shown());
  }

  /// The addition under `words`, and then the last instruction under the mask of the program.
  bool uses_mask_of_addition(const Program& given, MaskWords words) {
    Program program = with_addition(given, types_);
    const std::vector<Instruction> own(given.instructions.begin(), given.instructions.end() - 1);
    program.instructions.insert(program.instructions.end() - 1, own.begin(), own.end());
    program.instructions.erase(program.instructions.begin(), program.instructions.begin() + std::ssize(own));
    program.instructions.insert(program.instructions.begin(),
                                mask_setter(*row_of(program.profile).sets_mask, words));
    Mask mask = kFullMask;
    set_mask(mask, words.high, words.low);
    return leaves_under(program, mask);
  }

  /// Does the last instruction leave what it would under this mask?
  bool leaves_under(const Program& program, const Mask& mask) {
    if (find_fault(program, documented_.readings())) return false;
    return predicted_.leaves_under(program, mask,
                                   predicted_.before_of(program, program.instructions.size() - 1), shows_);
  }

  const Program& part_;
  TypePair types_;
  AskedBackend& asked_;
  const Documented& documented_;
  PredictedPart predicted_;
  bool shows_ = false;  ///< the mask of the addition gives something else than the documents
};

}  // namespace

bool is_named_by_latched_mask(Finding& finding, AskedBackend& asked, const Documented& documented) {
  if (finding.instruction >= finding.program.instructions.size()) return false;
  const Program part = prefix(finding.program, finding.instruction + 1);
  if (!is_reduction_under_mask(part, documented)) return false;
  const auto& pairs = row_of(Op::add).in(part.profile).pairs;
  const auto offered = std::ranges::find_if(pairs, [&](const TypePair& types) {
    return asked.backend().capabilities.include_all_of(with_addition(part, types));
  });
  if (offered == pairs.end()) return false;
  LatchTrials trials(part, *offered, asked, documented);
  if (!trials.holds()) return false;
  const Instruction& insn = part.instructions.back();
  State before;
  execute(prefix(part, part.instructions.size() - 1), documented.semantics, before);
  finding.rules =
      violated_rules(run_step(asked, finding.program, insn, before), part, before, asked, documented);
  finding.id = finding.cause = "carried-latched-mask";
  finding.matter = Matter::mask;
  finding.instructions = {mnemonic(insn)};
  Instruction add{.op = Op::add};
  add.dst_type = offered->dst;
  add.src_type = offered->src;
  finding.what = mnemonic(insn) +
                 " uses the mask that the last elementwise instruction before it used (asked with " +
                 mnemonic(add) + ")" +
                 (trials.starts_full() ? ", and a full mask if no such instruction comes before it" : "");
  return true;
}

}  // namespace lanecheck
