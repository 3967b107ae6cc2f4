#include "fuzz/explain/measured/measured_cause.h"

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>

#include "fuzz/explain/hypotheses/followed_readings.h"
#include "fuzz/explain/measured/cause_key.h"
#include "fuzz/explain/measured/gate_prediction.h"
#include "fuzz/explain/measured/said_of_program.h"
#include "fuzz/explain/measured/scalar_condition.h"
#include "fuzz/explain/questions/locate.h"
#include "fuzz/explain/questions/variation.h"
#include "fuzz/identify/given_number.h"
#include "fuzz/identify/mask_register/register_probe.h"
#include "fuzz/identify/probes/shapes.h"
#include "fuzz/identify/show.h"
#include "oracle/execute/execute.h"
#include "spec/legality/find_fault.h"
#include "spec/mask/footprint.h"
#include "spec/text/number.h"
#include "spec/text/program_text.h"

namespace lanecheck {
namespace {

/// A map that was not measured has the words of the backend, which may be no UTF-8.
std::string maps_of(const Identification& found) {
  return to_json(found).dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
}

constexpr unsigned kMostProbes = 2000;  // programs that one identification may ask

/// An instruction that shows the mask, to be measured in place of one that only sets it.
std::optional<Instruction> showing_instruction(const Program& program) {
  const Row& add = row_of(Op::add);
  for (const TypePair& types : add.in(program.profile).pairs)
    if (types.dst == Element::f16) return default_subject(program.profile, add, types).insn;
  return {};
}

/// A program in which `showing` meets a mask that was set before it.
Program after_a_mask(Profile profile, const Instruction& showing) {
  const Op set = row_of(profile).sets_mask.value_or(Op::set_mask);
  return {profile, {}, {mask_instruction(set, {kOnes, kOnes}), showing}, {}};
}

/// Thrown out of an identification if the run ends or it has asked too much: what is computed without all
/// answers may be false.
struct NoMoreAnswers {};

/// The readings of the backend, as far as they are known: those that it was found to follow, or that are
/// pinned.
const Semantics& readings_of_backend(const Documented& documented) {
  return documented.followed ? *documented.followed : documented.semantics;
}

/// What `actual` would be if the backend followed the defaults, which identification takes for the documents:
/// where it is as under `followed`, it becomes as under the defaults.
State beside_readings(const Program& program, const Semantics& followed, State actual) {
  State under, plain;
  execute(program, followed, under);
  execute(program, Semantics(default_readings(program.profile)), plain);
  const auto replace = [](auto& list, const auto& own, const auto& other) {
    for (std::size_t n = 0; n < std::min(list.size(), own.size()); ++n)
      if (own[n] != other[n] && list[n] == own[n]) list[n] = other[n];
  };
  replace(actual.ub, under.ub, plain.ub);
  replace(actual.mask, under.mask, plain.mask);
  if (actual.mode == under.mode) actual.mode = plain.mode;
  return actual;
}

/// The backend as something that can be asked for probes. Keeps those on which it diverges. `followed`:
/// readings by which nothing may differ from the defaults.
class Probing {
 public:
  Probing(AskedBackend& asked, const Documented& documented, const Semantics* followed)
      : asked_(asked), documented_(documented), followed_(followed), budget_(asked, kMostProbes) {}

  void operator()(const Batch& batch) {
    for (std::size_t n = 0; n < batch.programs.size(); ++n) {
      if (asked_.ends() || budget_.is_over()) throw NoMoreAnswers();
      budget_.spend();
      BackendAnswer answer = asked_.ask(batch.programs[n]);
      if (diverges(answer, batch.programs[n], documented_, asked_.shown()))
        diverging_.push_back(batch.programs[n]);
      else if (answer.ran())
        conforming_.push_back(batch.programs[n]);
      if (followed_ != nullptr && answer.ran())
        answer.state = beside_readings(batch.programs[n], *followed_, std::move(answer.state));
      batch.outcomes[n] = std::move(answer.outcome);
      batch.states[n] = std::move(answer.state);
    }
  }

  /// Do one or two readings that count as no mistake, or all that the backend follows, explain every answer?
  /// True if no answer diverges. A reading by which another probe would have to diverge too explains none.
  bool readings_explain() const {
    if (followed_ones_explain()) return true;
    std::map<ReadingSet, bool> fits_others;
    const auto explains_one = [&](const ReadingSet& set) {
      const auto [known, is_new] = fits_others.try_emplace(set, true);
      if (is_new) known->second = fits_conforming(set);
      return known->second;
    };
    return std::ranges::all_of(diverging_, [&](const Program& probe) {
      const State actual = asked_.ask(probe).state;
      const auto sets = reading_sets(probe, actual, documented_.readings(), documented_, asked_.shown(), 2);
      return std::ranges::any_of(sets, explains_one);
    });
  }

  std::vector<Program> take_diverging() { return std::move(diverging_); }
  std::vector<Program> take_conforming() { return std::move(conforming_); }

 private:
  bool fits(const Semantics& semantics, const std::vector<Program>& probes) const {
    return std::ranges::all_of(probes, [&](const Program& probe) {
      return agrees(probe, semantics, asked_.ask(probe).state, asked_.shown());
    });
  }

  bool fits_conforming(const ReadingSet& set) const {
    return fits(Semantics(with(documented_.readings(), set)), conforming_);
  }

  bool followed_ones_explain() const {
    const auto& followed = documented_.followed;
    return followed && fits(*followed, diverging_) && fits(*followed, conforming_);
  }

  AskedBackend& asked_;
  const Documented& documented_;
  const Semantics* followed_;
  QuestionBudget budget_;
  std::vector<Program> diverging_, conforming_;
};

Matter matter_of(const Difference& difference) {
  constexpr MapKind kOfMask[] = {MapKind::gate, MapKind::state, MapKind::contribution, MapKind::length,
                                 MapKind::mask_register};
  if (difference.matter) return *difference.matter;
  if (difference.map == MapKind::values || difference.map == MapKind::start) return Matter::arithmetic;
  return std::ranges::count(kOfMask, difference.map) > 0 ? Matter::mask : Matter::address;
}

/// May all families share the code that makes this difference: gates, the walks of operands, repeats? An
/// example shows no such code.
bool is_shared(const Difference& difference) {
  constexpr MapKind kShared[] = {MapKind::gate, MapKind::dst, MapKind::length, MapKind::mask_register};
  return !difference.only_example &&
         (difference.of_all_sorts || difference.of_all_families || is_source(difference.map) ||
          std::ranges::count(kShared, difference.map) > 0);
}

/// FNV-1a, 32 bits, as eight hexadecimal digits.
std::string hash_text(std::string_view text) {
  std::uint32_t hash = 0x811c9dc5;
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 0x01000193;
  std::string digits;
  for (unsigned n = 0; n < 8; ++n) digits += "0123456789abcdef"[hash >> (28 - 4 * n) & 15];
  return digits;
}

/// Leaves of what was found only what `counts`.
template <class Counts>
void keep_only(Identification& found, Counts counts) {
  std::size_t kept = 0;
  for (std::size_t n = 0; n < found.parts.size(); ++n) {
    if (!counts(found.parts[n])) continue;
    found.differences[kept] = found.differences[n];
    found.parts[kept++] = found.parts[n];
  }
  found.differences.resize(kept);
  found.parts.resize(kept);
}

/// Wrong places and values leave the register as it is.
bool is_of_masks(const Difference& said) {
  return matter_of(said) == Matter::mask;
}

/// Leaves of what was found only what may be why `program` is wrong: of two mistakes, one may leave it right.
void keep_what_fits(Identification& found, const Program& program, std::size_t index, AskedBackend& asked,
                    const Documented& documented) {
  if (!found.parts.empty() && only_mask_is_wrong(program, index, asked, documented))
    keep_only(found, is_of_masks);
  keep_only(found,
            [&](const Difference& said) { return !leaves_right(said, program, index, asked, documented); });
}

/// Measures instruction `index` of `subject`, and tries what is found on `program`. `followed`: as Probing
/// has it.
std::optional<MeasuredCause> measure_on(const Program& subject, const Program& program, std::size_t index,
                                        AskedBackend& asked, const Documented& documented, bool to_name,
                                        bool reads_mask = false, const Semantics* followed = nullptr) {
  Probing probing(asked, documented, followed);
  const Ask ask_plain = [&](const Batch& batch) { probing(batch); };
  const Ask ask = reads_mask ? with_mask_read(ask_plain) : ask_plain;
  const Shown shown = reads_mask ? Shown{true} : asked.shown();
  Instruction insn = program.instructions[index];
  Identification found = identify(subject, index, ask, shown, to_name, asked.settable_mask());
  const auto showing = row_of(insn.op).operands.empty() ? showing_instruction(program) : std::nullopt;
  if (found.parts.empty() && showing) {
    insn = *showing;
    found = identify(after_a_mask(program.profile, insn), 1, ask, shown, to_name);
  }
  const bool itself = !row_of(program.instructions[index].op).operands.empty();
  if (itself) keep_what_fits(found, program, index, asked, documented);
  const MaskGiven given = mask_given(program, index);
  if (itself && found.parts.empty() && (is_count(given) || given == MaskGiven::contiguous))
    found = identify_number(subject, index, ask);  // bitwise masks may be wrong in another way
  if (found.parts.empty()) return {};
  // Then it is not the addition that writes what it must not.
  const MapKind map = found.parts.front().map;
  if (showing && (map == MapKind::dst || map == MapKind::elsewhere)) return {};
  if (showing && map == MapKind::length) insn = *showing;  // which shows what the number does
  const bool is_reading = probing.readings_explain();
  if (is_reading && !to_name) return {};
  const Difference& first = found.parts.front();
  const bool plain = found.differences.front() == first.sentence();
  std::string sentence = found.differences.front();
  bool predicts = false;
  if (const Laws laws = laws_of(found.parts); itself && laws.any()) {
    const Program part = prefix(program, index + 1);
    const auto gives = laws_give(asked.ask(part), part, index, laws, documented);
    if (gives == false) return {};
    predicts = gives == true;
    if (!laws_give_elsewhere(part, index, laws, asked, documented)) return {};
    if (to_name) sentence += repeat_times_of_laws(part, index, laws, asked, documented);
  }
  auto diverging = probing.take_diverging();
  if (to_name && itself && first.map != MapKind::values)
    sentence += scalar_condition(diverging, subject.instructions[index], asked, documented);
  if (to_name && itself)
    sentence += repeat_form_condition(diverging, subject.instructions[index], asked, documented);
  if (itself && first.results && !results_deviate(program, index, *first.results, documented.semantics))
    return {};
  if (itself && contradicts(first, program, index, asked, documented)) return {};
  const std::string key = cause_key(first, insn, plain);
  return MeasuredCause{std::move(sentence),
                       key,
                       first,
                       maps_of(found),
                       matter_of(first),
                       std::move(diverging),
                       probing.take_conforming(),
                       is_reading,
                       is_shared(first) || (!first.only_example && key.starts_with("gate: ")),
                       predicts,
                       index};
}

/// Before an instruction that uses the compare mask: the last one that wrote it.
std::optional<std::size_t> writer_of_compare_mask(const Program& program, std::size_t index) {
  if (row_of(program.instructions[index].op).compare_mask != CompareMaskUse::reads) return {};
  for (std::size_t n = index; n-- > 0;) {
    const CompareMaskUse use = row_of(program.instructions[n].op).compare_mask;
    if (use == CompareMaskUse::writes || use == CompareMaskUse::loads) return n;
  }
  return {};
}

}  // namespace

std::string family_of(const Instruction& insn, const Documented& documented) {
  switch (documented.semantics.use[static_cast<std::size_t>(insn.op)]) {
    case MaskUse::gates_writeback:
      return "elementwise";
    case MaskUse::neutral_source:
      return "reduction";
    case MaskUse::is_mask_state:
      return "mask";
    case MaskUse::ignores:
      break;
  }
  if (row_of(insn.op).compares) return "compare";
  if (row_of(insn.op).name.starts_with("select")) return "select";
  if (indexed_operand(row_of(insn.op))) return "indexed";
  return row_of(insn.op).compacts ? "gather_mask" : std::string(row_of(insn.op).name);
}

namespace {

std::string id_of(const std::string& key, const std::string& family) {
  return "measured-" + key.substr(0, key.find(':')) + "-" + hash_text(key + "\n" + family);
}

}  // namespace

std::string id_of_key(const std::string& key) {
  return id_of(key, "");
}

std::string id_of(const MeasuredCause& cause, const std::string& family) {
  return id_of(cause.key, cause.is_shared ? "" : family);
}

std::optional<MeasuredCause> measure_cause(const Program& program, std::size_t index, AskedBackend& asked,
                                           const Documented& documented, bool to_name) try {
  if (auto cause = measure_on(program, program, index, asked, documented, to_name)) return cause;
  if (const auto writer = writer_of_compare_mask(program, index))
    if (auto cause = measure_on(program, program, *writer, asked, documented, to_name)) return cause;
  // What a reading changes may be all that was seen.
  if (const Semantics& followed = readings_of_backend(documented);
      followed.readings != default_readings(program.profile))
    if (auto cause = measure_on(program, program, index, asked, documented, to_name, false, &followed)) {
      cause->maps.clear();  // they show the defaults in place of the readings
      return cause;
    }
  if (!to_name || !takes_scalar(program.instructions[index])) return {};
  Program other = program;  // a tiny scalar, or 0, may hide what the operands do
  other.instructions[index].scalar = scalar_of(scalar_type(program.instructions[index]), 3);
  return measure_on(other, program, index, asked, documented, to_name);
} catch (const NoMoreAnswers&) {
  return {};
}

std::optional<MeasuredCause> measure_state_left(const Program& program, std::size_t index,
                                                AskedBackend& asked, const Documented& documented) try {
  const bool reads_mask = row_of(Op::set_mask).in(program.profile).offered && !asked.shown().mask;
  auto cause = measure_on(program, program, index, asked, documented, true, reads_mask);
  const bool sets_mask = row_of(program.instructions[index].op).mask == MaskUse::is_mask_state;
  const bool is_left =  // what the length of set_vector_mask_len does is left in the register
      cause && (cause->is_of_state() || (sets_mask && cause->difference.map == MapKind::length));
  return is_left && !cause->is_reading ? std::move(cause) : std::nullopt;
} catch (const NoMoreAnswers&) {
  return {};
}

Ask ask_of(AskedBackend& asked) {
  return [&asked](const Batch& batch) {
    for (std::size_t n = 0; n < batch.programs.size(); ++n) {
      BackendAnswer answer = asked.ask(batch.programs[n]);
      batch.outcomes[n] = std::move(answer.outcome);
      batch.states[n] = std::move(answer.state);
    }
  };
}

bool is_refuted_by_probes(const Hypothesis& suspect, const MeasuredCause& cause, const Documented& documented,
                          Shown shown) {
  return std::ranges::any_of(cause.conforming, [&](const Program& probe) {
    BackendAnswer predicted{Ran{}, {}};
    execute(probe, suspect.semantics, predicted.state);
    return diverges(predicted, probe, documented, shown);
  });
}

bool reproduces_probes(const Hypothesis& suspect, const MeasuredCause& cause, AskedBackend& asked) {
  return std::ranges::all_of(cause.diverging, [&](const Program& probe) {
    return explains(suspect, probe, asked.ask(probe).state, asked.shown());
  });
}

}  // namespace lanecheck
