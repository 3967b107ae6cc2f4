#include "fuzz/explain/measured/mask_laws.h"

#include <algorithm>
#include <map>
#include <utility>

#include "fuzz/explain/measured/mask_sequences.h"
#include "fuzz/explain/questions/locate.h"
#include "fuzz/identify/probes/one_repeat.h"
#include "oracle/execute/execute.h"
#include "spec/text/program_text.h"

namespace lanecheck {
namespace {

constexpr MaskWords kFull{~std::uint64_t{0}, ~std::uint64_t{0}};

const std::vector<std::string> kRulesOfWords = {"VMC-2-low-word", "VMC-2-high-word"};

/// What a set_mask that takes effect late waits for.
enum class LateUntil : std::uint8_t {
  after_next,        ///< any instruction except set_mask, reset_mask among them
  after_next_gated,  ///< an instruction that is no mask instruction; a reset_mask replaces a waiting mask
  after_next_unless_reset,  ///< the same; a reset_mask acts at once, and a waiting mask is lost
};

Program with_late_masks(const Program& program, LateUntil until) {
  Program late = program;
  late.instructions.clear();
  std::optional<Instruction> waiting;
  for (const Instruction& insn : program.instructions) {
    if (insn.op == Op::reset_mask && until == LateUntil::after_next_unless_reset) {
      waiting.reset();
      late.instructions.push_back(insn);
      continue;
    }
    const bool waits =
        insn.op == Op::set_mask || (insn.op == Op::reset_mask && until == LateUntil::after_next_gated);
    if (waits) {
      waiting = insn;
      continue;
    }
    late.instructions.push_back(insn);
    if (waiting) late.instructions.push_back(*waiting);
    waiting.reset();
  }
  return late;
}

MaskUse use_of(const Instruction& insn, const Semantics& semantics) {
  return semantics.use[static_cast<std::size_t>(insn.op)];
}

bool obeys_mask(const Instruction& insn, const Semantics& semantics) {
  const MaskUse use = use_of(insn, semantics);
  return use != MaskUse::is_mask_state && use != MaskUse::ignores;
}

/// The mask that an instruction which obeys the mask runs under. It is called for each instruction in turn,
/// also for those that set the mask or ignore it. `before` and `now` are the masks before and after the
/// instruction.
using MaskUsed = std::function<MaskWords(const Instruction& insn, MaskWords before, MaskWords now)>;

/// All repeats but the first.
Instruction later_repeats(const Instruction& insn) {
  Instruction later = one_repeat(insn, 1);
  later.repeat = insn.repeat - 1;
  return later;
}

/// The repeats of an instruction that have another mask than they should.
enum class InRepeats : std::uint8_t { all, first };

/// The program in which each instruction has the mask of `used`.
Program under(const Program& program, const Semantics& semantics, const MaskUsed& used,
              InRepeats where = InRepeats::all) {
  Program result = program;
  result.instructions.clear();
  MaskWords now = kFull;
  for (const Instruction& insn : program.instructions) {
    const MaskWords before = now;
    if (insn.op == Op::set_mask) now = {insn.high, insn.low};
    if (insn.op == Op::reset_mask) now = kFull;
    const MaskWords mask = used(insn, before, now);
    const bool other = obeys_mask(insn, semantics) && mask != now;
    if (other) result.instructions.push_back(mask_setter(Op::set_mask, mask));
    const bool split = other && where == InRepeats::first && insn.repeat > 1;
    result.instructions.push_back(split ? one_repeat(insn, 0) : insn);
    if (other) result.instructions.push_back(mask_setter(Op::set_mask, now));
    if (split) result.instructions.push_back(later_repeats(insn));
  }
  return result;
}

MaskLaw law_of(std::string id, std::string sentence, std::function<MaskUsed(const Semantics&)> begin,
               InRepeats where = InRepeats::all) {
  return {"measured-state-" + std::move(id), std::move(sentence), kRulesOfWords,
          [begin = std::move(begin), where](const Program& program, const Semantics& semantics) {
            return under(program, semantics, begin(semantics), where);
          }};
}

/// Instructions that a law speaks of.
struct Group {
  std::string name, id;
  std::optional<MaskUse> use;  ///< nothing: all that obey the mask

  bool has(const Instruction& insn, const Semantics& semantics) const {
    return use ? use_of(insn, semantics) == *use : obeys_mask(insn, semantics);
  }
};

const std::vector<Group>& groups() {
  static const std::vector<Group> kAll = {
      {"reduction", "reduction", MaskUse::neutral_source},
      {"elementwise instruction", "elementwise", MaskUse::gates_writeback},
      {"instruction", "any", {}}};
  return kAll;
}

void add_late(std::vector<MaskLaw>& laws) {
  for (const LateUntil until :
       {LateUntil::after_next, LateUntil::after_next_gated, LateUntil::after_next_unless_reset})
    laws.push_back(
        {"measured-state-late-set-mask",
         (until == LateUntil::after_next_gated ? "set_mask and reset_mask take effect"
                                               : "set_mask takes effect") +
             std::string(" one instruction late: the next instruction still runs under the mask before"),
         kRulesOfWords,
         [until](const Program& program, const Semantics&) { return with_late_masks(program, until); }});
}

/// A mask is there until an instruction has used it.
void add_once(std::vector<MaskLaw>& laws) {
  for (const Group& group : groups())
    laws.push_back(law_of(
        "mask-once-" + group.id,
        "a mask counts for one " + group.name + " only: the instructions after it run as under a full mask",
        [group](const Semantics& semantics) {
          return [group, semantics, over = false](const Instruction& insn, MaskWords, MaskWords now) mutable {
            if (insn.op == Op::set_mask) over = false;
            const MaskWords mask = over ? kFull : now;
            over |= group.has(insn, semantics);
            return mask;
          };
        }));
}

/// What a reset_mask does to a mask that a set_mask has replaced, and that the next instruction may use.
enum class OnReset : std::uint8_t { ends, stays, is_the_same };

/// The first instruction after a set_mask uses the mask of before. `behind_others`: the first that obeys the
/// mask.
void add_stale(std::vector<MaskLaw>& laws, const Group& group, OnReset on_reset, bool behind_others,
               InRepeats where) {
  const std::string first = where == InRepeats::first ? " in its first repeat" : "";
  std::string sentence = (behind_others               ? "the first "
                          : group.name == "reduction" ? "a "
                                                      : "an ") +
                         group.name + (behind_others ? " that obeys the mask" : " directly") +
                         " after set_mask" + (on_reset == OnReset::is_the_same ? " or reset_mask" : "") +
                         " uses the mask that was there before it" + first;
  if (on_reset == OnReset::stays) sentence += ", also after a reset_mask in between";
  const auto begin = [=](const Semantics& semantics) -> MaskUsed {
    return [=, old = std::optional<MaskWords>()](const Instruction& insn, MaskWords before,
                                                 MaskWords now) mutable {
      if (insn.op == Op::reset_mask && on_reset == OnReset::ends) old.reset();
      if (insn.op == Op::set_mask || (insn.op == Op::reset_mask && on_reset == OnReset::is_the_same))
        old = before;
      if (use_of(insn, semantics) == MaskUse::is_mask_state) return now;
      const MaskWords mask = old && group.has(insn, semantics) ? *old : now;
      const bool is_used = obeys_mask(insn, semantics) && (insn.repeat > 0 || !row_of(insn.op).has_repeat);
      if (!behind_others || is_used) old.reset();
      return mask;
    };
  };
  laws.push_back(law_of("stale-mask-" + group.id + (behind_others ? "-behind-others" : "") +
                            (where == InRepeats::first ? "-first-repeat" : ""),
                        sentence, begin, where));
  if (where == InRepeats::first)
    laws.back().rules = {"VMC-1-every-repeat", "VMC-2-low-word", "VMC-2-high-word"};
}

void add_stale(std::vector<MaskLaw>& laws) {
  for (const InRepeats where : {InRepeats::all, InRepeats::first})
    for (const bool behind_others : {false, true})
      for (const Group& group : groups())
        for (const OnReset on_reset : {OnReset::ends, OnReset::stays, OnReset::is_the_same})
          add_stale(laws, group, on_reset, behind_others, where);
}

/// reset_mask brings back a mask. `nested`: each one the mask that was there before the last set_mask that no
/// reset_mask has undone; else always the mask before the last set_mask.
void add_brought_back(std::vector<MaskLaw>& laws) {
  for (const bool nested : {true, false}) {
    laws.push_back(law_of(
        nested ? "reset-undoes-set" : "reset-brings-back",
        nested
            ? "reset_mask undoes the last set_mask that is not undone yet: the mask before it is there again"
            : "reset_mask brings back the mask that was there before the last set_mask",
        [nested](const Semantics&) {
          return [nested, mine = kFull, saved = std::vector<MaskWords>{}](const Instruction& insn, MaskWords,
                                                                          MaskWords now) mutable {
            if (insn.op == Op::set_mask) {
              if (!nested) saved.clear();
              saved.push_back(std::exchange(mine, now));
            }
            if (insn.op == Op::reset_mask) {
              mine = saved.empty() ? kFull : saved.back();
              if (nested && !saved.empty()) saved.pop_back();
            }
            return mine;
          };
        }));
    laws.back().rules = {"VMC-2-reset"};
  }
}

/// Which of the two instructions that set the mask.
struct Setters {
  std::string text, id;
  bool set, reset;

  bool has(const Instruction& insn) const {
    return (set && insn.op == Op::set_mask) || (reset && insn.op == Op::reset_mask);
  }
};

/// Instructions of the group take their turn after what sets the mask directly behind them.
Program with_early_masks(Program program, const Group& group, const Setters& setters,
                         const Semantics& semantics) {
  auto& list = program.instructions;
  for (std::size_t n = 1; n < list.size(); ++n) {
    if (!setters.has(list[n]) || !group.has(list[n - 1], semantics)) continue;
    std::swap(list[n - 1], list[n]);
    ++n;
  }
  return program;
}

void add_early(std::vector<MaskLaw>& laws) {
  const std::vector<Setters> all = {{"set_mask or reset_mask", "any", true, true},
                                    {"reset_mask", "reset", false, true},
                                    {"set_mask", "set", true, false}};
  for (const Group& group : groups())
    for (const Setters& setters : all)
      laws.push_back({"measured-state-early-mask-" + group.id + "-" + setters.id,
                      (group.name == "reduction" ? "a " : "an ") + group.name + " directly before " +
                          setters.text + " already runs under the mask that is set there",
                      {},
                      [group, setters](const Program& program, const Semantics& semantics) {
                        return with_early_masks(program, group, setters, semantics);
                      }});
}

/// What two instructions have in common if they share a mask that was made ready once.
struct Sharing {
  std::string one, first, id;  ///< "an instruction with as many lanes", "the first one with as many lanes"
  std::function<std::string(const Instruction&, const Semantics&)> key;
};

std::vector<Sharing> sharings() {
  return {
      {"an instruction", "the first one", "any",
       [](const Instruction&, const Semantics&) { return std::string(); }},
      {"an instruction with as many lanes", "the first one with as many lanes", "lanes",
       [](const Instruction& insn, const Semantics&) { return std::to_string(lanes_of(insn)); }},
      {"an instruction of the same kind, elementwise or reduction,", "the first one of the same kind", "kind",
       [](const Instruction& insn, const Semantics& semantics) {
         return std::to_string(static_cast<unsigned>(use_of(insn, semantics)));
       }},
      {"the same instruction, with any types,", "the first one of the same name", "name",
       [](const Instruction& insn, const Semantics&) { return std::string(row_of(insn.op).name); }},
      {"the same instruction with the same types", "the first one of the same name and types", "types",
       [](const Instruction& insn, const Semantics&) { return mnemonic(insn); }}};
}

MaskUsed kept_mask(const Sharing& sharing, std::optional<Op> renews, const Semantics& semantics) {
  return [sharing, renews, semantics, kept = std::map<std::string, MaskWords>()](
             const Instruction& insn, MaskWords, MaskWords now) mutable {
    if (insn.op == renews) kept.clear();
    if (!obeys_mask(insn, semantics)) return now;
    return kept.try_emplace(sharing.key(insn, semantics), now).first->second;
  };
}

/// What was made of a mask is used again by instructions that have something in common, although another mask
/// was set.
void add_kept(std::vector<MaskLaw>& laws) {
  for (const Sharing& each : sharings()) {
    const auto add = [&](const std::string& id, const std::string& sentence, std::optional<Op> renews) {
      laws.push_back(law_of("kept-mask-" + id + "-" + each.id, sentence,
                            [=](const Semantics& semantics) { return kept_mask(each, renews, semantics); }));
    };
    add("over-reset",
        "instructions use the mask that was there before reset_mask, if " + each.one + " ran under it",
        Op::set_mask);
    laws.back().rules = {"VMC-2-reset"};
    add("until-reset", "instructions use the mask under which " + each.first + " ran, until reset_mask",
        Op::reset_mask);
    add("for-ever", "instructions use the mask under which " + each.first + " ran, whatever is set later",
        {});
  }
}

bool follows(const MaskLaw& law, const Program& program, AskedBackend& asked, const Documented& documented) {
  const BackendAnswer answer = asked.ask(program);
  return answer.ran() && law.gives(program, documented.semantics, answer.state, asked.shown());
}

/// The first of the small sequences about which the backend is wrong; nothing if it is right about them.
std::optional<Program> smallest_wrong(AskedBackend& asked, const Documented& documented) {
  for (Program& each : small_sequences(asked.backend().capabilities))
    if (diverges(asked.ask(each), each, documented, asked.shown())) return std::move(each);
  return {};
}

/// The program with masks that are easy to read, if it diverges with them, too.
Program with_plain_masks(const Program& program, AskedBackend& asked, const Documented& documented) {
  Program plain = program;
  std::uint64_t low = 1;
  for (Instruction& insn : plain.instructions)
    if (insn.op == Op::set_mask) insn.high = 0, insn.low = std::exchange(low, 2 * low);
  return diverges(asked.ask(plain), plain, documented, asked.shown()) ? plain : program;
}

}  // namespace

bool MaskLaw::gives(const Program& program, const Semantics& semantics, const State& actual,
                    Shown shown) const {
  const Program modelled = model(program, semantics);
  if (agrees(modelled, semantics, actual, shown)) return true;
  if (!shown.mask || !agrees(modelled, semantics, actual, Shown(false, shown.mode))) return false;
  State right;
  execute(program, semantics, right);
  return !mask_differs(right, actual, shown);
}

std::vector<MaskLaw> mask_laws() {
  std::vector<MaskLaw> laws;
  add_late(laws);
  add_once(laws);
  add_stale(laws);
  add_brought_back(laws);
  add_early(laws);
  add_kept(laws);
  return laws;
}

std::optional<MaskLaw> measure_mask_law(AskedBackend& asked, const Documented& documented) {
  if (!row_of(Op::set_mask).in(documented.profile).offered || !asked.backend().recorded.empty()) return {};
  if (!smallest_wrong(asked, documented)) return {};
  std::vector<Program> all = small_sequences(asked.backend().capabilities);
  std::ranges::move(larger_sequences(asked.backend().capabilities), std::back_inserter(all));
  if (std::ranges::any_of(documented.hypotheses, [&](const Hypothesis& known) {
        return std::ranges::all_of(all, [&](const Program& each) {
          return reproduces({&known}, asked.ask(each), each, asked.shown());
        });
      }))
    return {};
  for (MaskLaw& law : mask_laws())
    if (!asked.ends() &&
        std::ranges::all_of(all, [&](const Program& each) { return follows(law, each, asked, documented); }))
      return std::move(law);
  return {};
}

Finding mask_law_finding(const MaskLaw& law, AskedBackend& asked, const Documented& documented) {
  Finding finding;
  finding.id = law.id;
  finding.matter = Matter::mask;
  finding.what = law.sentence;
  finding.rules = law.rules;
  if (auto program = smallest_wrong(asked, documented))
    finding.program = with_plain_masks(*program, asked, documented);
  locate(finding, asked, documented);
  return finding;
}

}  // namespace lanecheck
