#include "fuzz/explain/mask_laws.h"

#include <algorithm>
#include <map>

#include "fuzz/explain/locate.h"
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

/// The program in which each instruction has the mask of `used`.
Program under(const Program& program, const Semantics& semantics, const MaskUsed& used) {
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
    result.instructions.push_back(insn);
    if (other) result.instructions.push_back(mask_setter(Op::set_mask, now));
  }
  return result;
}

MaskLaw law_of(std::string id, std::string sentence, std::function<MaskUsed(const Semantics&)> begin) {
  return {"measured-state-" + std::move(id), std::move(sentence), kRulesOfWords,
          [begin = std::move(begin)](const Program& program, const Semantics& semantics) {
            return under(program, semantics, begin(semantics));
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
         "set_mask takes effect one instruction late: the next instruction still runs under the mask before",
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
void add_stale(std::vector<MaskLaw>& laws, const Group& group, OnReset on_reset, bool behind_others) {
  std::string sentence =
      (group.name == "reduction" ? "a " : "an ") + group.name + " directly after set_mask" +
      (on_reset == OnReset::is_the_same ? " or reset_mask" : "") + " uses the mask that was there before it";
  if (on_reset == OnReset::stays) sentence += ", also after a reset_mask in between";
  if (behind_others) sentence += ", also after instructions in between that ignore the mask";
  const auto begin = [=](const Semantics& semantics) -> MaskUsed {
    return [=, old = std::optional<MaskWords>()](const Instruction& insn, MaskWords before,
                                                 MaskWords now) mutable {
      if (insn.op == Op::reset_mask && on_reset == OnReset::ends) old.reset();
      if (insn.op == Op::set_mask || (insn.op == Op::reset_mask && on_reset == OnReset::is_the_same))
        old = before;
      if (use_of(insn, semantics) == MaskUse::is_mask_state) return now;
      const MaskWords mask = old && group.has(insn, semantics) ? *old : now;
      if (!behind_others || obeys_mask(insn, semantics)) old.reset();
      return mask;
    };
  };
  laws.push_back(law_of("stale-mask-" + group.id + (behind_others ? "-behind-others" : ""), sentence, begin));
}

void add_stale(std::vector<MaskLaw>& laws) {
  for (const bool behind_others : {false, true})
    for (const Group& group : groups())
      for (const OnReset on_reset : {OnReset::ends, OnReset::stays, OnReset::is_the_same})
        add_stale(laws, group, on_reset, behind_others);
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

/// The lines that a sequence may consist of, by their letters. An instruction writes to the allocation of
/// this letter.
struct Line {
  char letter;
  std::string_view text, allocation;
};

constexpr Line kLines[] = {
    {'A', "set_mask high=0x2f8b6ce19d03574a low=0x94d1a76e50f83c2b", ""},
    {'B', "set_mask high=0xb5c6e8127af09b49 low=0x6d21f0c3a95e7b04", ""},
    {'R', "reset_mask", ""},
    {'a', "dup.i16 a+0 blk=1 rep=8, scalar=1, repeat=1", "i16 256 = 0 x128"},
    {'b', "dup.i16 b+0 blk=1 rep=8, scalar=1, repeat=1", "i16 256 = 0 x128"},
    {'c', "dup.i16 c+0 blk=1 rep=8, scalar=1, repeat=1", "i16 256 = 0 x128"},
    {'f', "dup.f32 f+0 blk=1 rep=8, scalar=1, repeat=1", "f32 256 = 0 x64"},
    {'h', "dup.f16 h+0 blk=1 rep=8, scalar=1, repeat=1", "f16 256 = 0 x128"},
    {'p', "adds.i16 p+0 blk=1 rep=8, s+0 blk=1 rep=8, scalar=1, repeat=1", "i16 256 = 0 x128"},
    {'k', "cadd.i16 k+0 rep=1, s+0 blk=1 rep=8, repeat=1", "i16 32 = 0 x16"},
    {'l', "cadd.i16 l+0 rep=1, s+0 blk=1 rep=8, repeat=1", "i16 32 = 0 x16"},
    {'g', "cgadd.i32 g+0 rep=1, t+0 blk=1 rep=8, repeat=1", "i32 32 = 0 x8"},
    {'i', "brcb.u16 i+0 blk=1 rep=8, u+0, repeat=1", "u16 256 = 0 x128"},  // ignores the mask
    {'s', "", "i16 256 = 1 x128"},
    {'t', "", "i32 256 = 1 x64"},
    {'u', "", "u16 32 = 1 x16"},
};

/// The lines that read the source with this letter.
std::string_view readers_of(char source) {
  if (source == 'u') return "i";
  return source == 's' ? "pkl" : "g";
}

/// The program of these lines. Those that the backend does not offer are left out.
Program sequence(std::string_view letters, const Capabilities& offers) {
  std::string allocations, instructions;
  unsigned at = 0;
  for (const Line& each : kLines) {
    const bool is_source = each.text.empty();
    const std::string_view users = is_source ? readers_of(each.letter) : std::string_view(&each.letter, 1);
    const bool used = letters.find_first_of(users) != std::string_view::npos;
    if (each.allocation.empty() || !used) continue;
    const std::size_t type_end = each.allocation.find(' ');
    const std::string rest(each.allocation.substr(type_end + 1));
    allocations += "alloc " + std::string(1, each.letter) + " " +
                   std::string(each.allocation.substr(0, type_end)) + " " + std::to_string(at) + " " + rest +
                   "\n";
    at += static_cast<unsigned>(std::stoul(rest));
  }
  for (const char letter : letters)
    instructions.append(std::ranges::find(kLines, letter, &Line::letter)->text).append("\n");
  Program program =
      parse_program("ub " + std::to_string(at) + "\n" + allocations + instructions, "a sequence of masks");
  restrict_to(offers, program);
  return program;
}

/// Under each law, and each known backend of this kind, one of these differs from the documents. The smallest
/// one comes first.
constexpr std::string_view kSmall[] = {"Aa",  "Ak",  "Ag",   "Ap",   "Aab",  "Akl",  "App",
                                       "Aka", "Aak", "AaRb", "AaBb", "AkRl", "AkBl", "ApRp"};
/// These tell the laws apart.
constexpr std::string_view kLarge[] = {"AaBbc",     "ABa",       "ABk",         "ABg",         "ABp",
                                       "ARa",       "ABRa",      "ABRk",        "AaRbfhpkg",   "AaBbfhpkg",
                                       "AkRlgabfh", "AkBlgabfh", "AhRfaRhpBkg", "AfBgRfBaRkl", "AafRBkgbARh",
                                       "Aia",       "Aik"};

bool follows(const MaskLaw& law, const Program& program, AskedBackend& asked, const Documented& documented) {
  const BackendAnswer answer = asked.ask(program);
  return answer.ran() &&
         agrees(law.model(program, documented.semantics), documented.semantics, answer.state, asked.shown());
}

std::vector<Program> sequences_of(std::span<const std::string_view> all, const AskedBackend& asked) {
  std::vector<Program> programs;
  for (const std::string_view each : all) programs.push_back(sequence(each, asked.backend().capabilities));
  return programs;
}

/// The first of the small sequences about which the backend is wrong; nothing if it is right about them.
std::optional<Program> smallest_wrong(AskedBackend& asked, const Documented& documented) {
  for (Program& each : sequences_of(kSmall, asked))
    if (diverges(asked.ask(each), each, documented, asked.shown())) return std::move(each);
  return {};
}

}  // namespace

std::vector<MaskLaw> mask_laws() {
  std::vector<MaskLaw> laws;
  add_late(laws);
  add_once(laws);
  add_stale(laws);
  add_early(laws);
  add_kept(laws);
  return laws;
}

std::optional<MaskLaw> measure_mask_law(AskedBackend& asked, const Documented& documented) {
  if (!row_of(Op::set_mask).in(documented.profile).offered || !asked.backend().recorded.empty()) return {};
  if (!smallest_wrong(asked, documented)) return {};
  std::vector<Program> all = sequences_of(kSmall, asked);
  std::ranges::move(sequences_of(kLarge, asked), std::back_inserter(all));
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
  if (auto program = smallest_wrong(asked, documented)) finding.program = *std::move(program);
  locate(finding, asked, documented);
  return finding;
}

}  // namespace lanecheck
