#include "fuzz/explain/measured_cause.h"

#include <algorithm>
#include <cstdio>
#include <nlohmann/json.hpp>

#include "fuzz/explain/digit.h"
#include "fuzz/explain/followed_readings.h"
#include "fuzz/explain/gate_prediction.h"
#include "fuzz/explain/locate.h"
#include "fuzz/identify/show.h"
#include "oracle/execute/execute.h"
#include "spec/text/program_text.h"

namespace lanecheck {
namespace {

constexpr unsigned kMostProbes = 400;  // programs that one identification may ask

bool is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

void replace_all(std::string& text, const std::string& what, const std::string& by) {
  for (std::size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + by.size()))
    text.replace(at, what.size(), by);
}

/// Each number becomes '#', except in names such as src0.
std::string without_numbers(std::string_view text) {
  std::string shown;
  for (std::size_t n = 0; n < text.size(); ++n) {
    const bool in_number = is_digit(text[n]) && (n == 0 || !is_letter(text[n - 1]));
    if (!in_number) {
      shown += text[n];
      continue;
    }
    shown += '#';
    while (n + 1 < text.size() && is_digit(text[n + 1])) ++n;
  }
  return shown;
}

/// Numbers that only say how many lanes the type has become parts of a repeat: of f16, 127 becomes "P-1".
/// `blocks`: the number of lanes of a data block becomes "P/8" too.
std::string with_parts_of_repeat(std::string_view text, unsigned lanes, bool blocks) {
  std::string shown;
  for (std::size_t n = 0; n < text.size(); ++n) {
    const bool in_number = is_digit(text[n]) && (n == 0 || !is_letter(text[n - 1]));
    if (!in_number) {
      shown += text[n];
      continue;
    }
    std::size_t end = n;
    while (end < text.size() && is_digit(text[end])) ++end;
    const std::string digits(text.substr(n, end - n));
    std::string part = digits;
    for (const auto& [of, name] : {std::pair{lanes, "P"}, {lanes / 2, "P/2"}, {lanes / 8, "P/8"}}) {
      if (of == lanes / 8 && !blocks) continue;
      if (of > 1 && digits == std::to_string(of)) part = name;
      if (of > 1 && digits == std::to_string(of - 1)) part = std::string(name) + "-1";
    }
    shown += part;
    n = end - 1;
  }
  return shown;
}

/// Is the difference that an operand takes other strides than its own?
bool says_strides(const Difference& difference) {
  constexpr std::string_view kSaid[] = {" walks with ",
                                        " bits of its block stride",
                                        " bits of its repeat stride",
                                        " bit of its block stride",
                                        " bit of its repeat stride",
                                        " takes a block stride of 0 as ",
                                        " takes a repeat stride of 0 as "};
  return std::ranges::any_of(
      kSaid, [&](std::string_view words) { return difference.what.find(words) != std::string::npos; });
}

/// "src1 walks with the repeat stride of src0": which stride differs depends on the numbers of a case. All
/// sources may share the code that takes their strides.
std::string key_of_strides(const Difference& difference) {
  constexpr std::string_view kOwner = " stride of ", kOwn = " instead of its own";
  const std::string& what = difference.what;
  if (const std::size_t at = what.find(kOwner); what.find(kOwn) != std::string::npos) {
    const std::size_t from = at + kOwner.size();
    return difference.map + ": walks with the strides of " + what.substr(from, what.find(' ', from) - from);
  }
  const std::string role = difference.map.starts_with("src") ? "src" : difference.map;
  if (what.find("instead of") == std::string::npos)  // a law of all strides, behind "src0 of add.f16 "
    return role + ": " + what.substr(what.find(' ', what.find(" of ") + 4) + 1);
  const bool of_zero = what.find("instead of 0") != std::string::npos;
  return role + (of_zero ? ": does not follow a stride of 0" : ": walks with other strides");
}

/// "all lanes are gated by slots 1..64 instead of 0..63" without the number of lanes.
std::string with_relative_slots(const std::string& what, unsigned lanes) {
  constexpr const char* kForm = "all lanes are gated by slots %u..%u instead of 0..%u";
  unsigned from = 0, to = 0, last = 0;
  if (std::sscanf(what.c_str(), kForm, &from, &to, &last) != 3) return what;
  if (last + 1 != lanes || to - from != last) return what;
  return "all lanes are gated by slots " + std::to_string(from) + " further";
}

/// "lanes 1..7, 9..15, 17..23" and so on up to the last lane becomes "lanes 1..7 of every 8".
std::string with_periodic_lanes(const std::string& what, unsigned lanes) {
  constexpr std::string_view kStart = "lanes ";
  if (!what.starts_with(kStart)) return what;
  std::vector<std::pair<unsigned, unsigned>> ranges;
  std::size_t at = kStart.size();
  for (;;) {
    unsigned from = 0, to = 0;
    int length = 0;
    if (std::sscanf(what.c_str() + at, "%u..%u%n", &from, &to, &length) != 2) return what;
    ranges.emplace_back(from, to);
    at += static_cast<std::size_t>(length);
    if (what.compare(at, 2, ", ") != 0) break;
    at += 2;
  }
  if (ranges.size() < 3) return what;
  const unsigned period = ranges[1].first - ranges[0].first;
  for (std::size_t n = 0; n < ranges.size(); ++n)
    if (ranges[n].first != ranges[0].first + n * period || ranges[n].second != ranges[0].second + n * period)
      return what;
  if (ranges.back().second + period < lanes) return what;
  return "lanes " + std::to_string(ranges[0].first) + ".." + std::to_string(ranges[0].second) + " of every " +
         std::to_string(period) + what.substr(at);
}

/// An instruction that shows the mask, to be measured in place of one that only sets it.
std::optional<Instruction> showing_instruction(const Program& program) {
  const Row& add = row_of(Op::add);
  for (const TypePair& types : add.in(program.profile).pairs)
    if (types.dst == Element::f16) return default_subject(program.profile, add, types).insn;
  return {};
}

/// Thrown out of an identification if the run ends: without answers it would compute for nothing.
struct RunEnds {};

/// The backend as something that can be asked for probes. Keeps those on which it diverges.
class Probing {
 public:
  Probing(AskedBackend& asked, const Documented& documented)
      : asked_(asked), documented_(documented), most_restarts_(asked.restarts() + kMostRestarts) {}

  void operator()(const Batch& batch) {
    for (std::size_t n = 0; n < batch.programs.size(); ++n) {
      if (asked_.ends()) throw RunEnds();
      if (asked_.gives_up(most_restarts_) || probes_ >= kMostProbes) return;  // the others stay "not run"
      ++probes_;
      BackendAnswer answer = asked_.ask(batch.programs[n]);
      if (diverges(answer, batch.programs[n], documented_, asked_.shown()))
        diverging_.push_back(batch.programs[n]);
      else if (answer.ran())
        conforming_.push_back(batch.programs[n]);
      batch.outcomes[n] = std::move(answer.outcome);
      batch.states[n] = std::move(answer.state);
    }
  }

  /// Do one or two readings that count as no mistake explain every answer? True if no answer diverges.
  bool readings_explain() const {
    return std::ranges::all_of(diverging_, [&](const Program& probe) {
      const State actual = asked_.ask(probe).state;
      return !reading_sets(probe, actual, documented_.readings(), documented_, asked_.shown(), 2).empty();
    });
  }

  std::vector<Program> take_diverging() { return std::move(diverging_); }
  std::vector<Program> take_conforming() { return std::move(conforming_); }

 private:
  AskedBackend& asked_;
  const Documented& documented_;
  unsigned most_restarts_;
  unsigned probes_ = 0;
  std::vector<Program> diverging_, conforming_;
};

/// Of a reduction: other lanes count than should, and not because of the mask.
bool shows_under_full_mask(const Difference& difference) {
  return difference.map == "contribution" &&
         (difference.what.find("even under a full mask") != std::string::npos ||
          difference.what.find("is computed from other lanes than those of") != std::string::npos);
}

Matter matter_of(const Difference& difference) {
  constexpr std::string_view kOfMask[] = {"gate", "state", "contribution", "length", "register"};
  if (difference.map == "values" || difference.map == "start") return Matter::arithmetic;
  if (difference.what.find("that no single element of") != std::string::npos) return Matter::unexplained;
  if (difference.what.find("also contains the results of") != std::string::npos) return Matter::unexplained;
  if (shows_under_full_mask(difference)) return Matter::address;
  return std::ranges::count(kOfMask, difference.map) > 0 ? Matter::mask : Matter::address;
}

/// May all families share the code that makes this difference: gates, the walks of operands, repeats? An
/// example shows no such code.
bool is_shared(const Difference& difference) {
  constexpr std::string_view kShared[] = {"gate", "dst", "src", "src0", "src1", "length", "register"};
  return !difference.only_example && std::ranges::count(kShared, difference.map) > 0;
}

/// FNV-1a, 32 bits, as eight hexadecimal digits.
std::string hash_text(std::string_view text) {
  std::uint32_t hash = 0x811c9dc5;
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 0x01000193;
  std::string digits;
  for (unsigned n = 0; n < 8; ++n) digits += "0123456789abcdef"[hash >> (28 - 4 * n) & 15];
  return digits;
}

/// A count of wrong results is no law: results of another instruction may have another cause, except if the
/// same data tell them from right ones.
std::string key_of_values(std::string what, const Instruction& insn) {
  const std::string name = mnemonic(insn);
  if (!is_digit(what.front())) {
    replace_all(what, name + " ", "");
    replace_all(what, " of " + name, "");
    return what;
  }
  constexpr std::string_view kWhere = "for which ";
  const std::size_t at = what.find(kWhere);
  if (at == std::string::npos) return "wrong results of " + name;
  const std::string where = what.substr(at, what.find(',', at) - at);
  const bool of_all =
      where.find("the scalar") != std::string::npos || where.find("the mode") != std::string::npos;
  return "wrong results " + (of_all ? where : "of " + name + " " + where);
}

}  // namespace

std::string cause_key(const Difference& difference, const Instruction& insn, bool plain) {
  std::string what = difference.what;
  if (difference.map == "values") return "values: " + key_of_values(what, insn);
  if (says_strides(difference)) return key_of_strides(difference);
  replace_all(what, " of " + mnemonic(insn), "");
  replace_all(what, mnemonic(insn) + " ", "");
  if (const std::size_t apart = what.find(" bytes apart instead of "); apart != std::string::npos) {
    const std::size_t from = what.find_first_of(":,", apart);  // ", as if": what stands behind the distance
    return difference.map + ": " +
           (from == std::string::npos ? what.substr(0, apart) : "repeats" + what.substr(from));
  }
  for (const std::string role : {"the first lane of each ", "the last lane of each "})
    if (const std::size_t at = what.find(role); at != std::string::npos)
      return difference.map + ": " + what.substr(at);
  if (what.find("that no single element of") != std::string::npos)
    what = what.substr(0, what.find(", for example"));
  if (const std::size_t extra = what.find(" of dst that it must not write"); extra != std::string::npos)
    return difference.map + ": writes elements" + what.substr(extra, 30);
  if (difference.map == "contribution")  // the neutral element follows from the type
    if (const std::size_t at = what.find("results are written ("); at != std::string::npos) {
      const std::size_t value = what.find(" (", at);
      what.erase(value, what.find(')', value) + 1 - value);
    }
  if (difference.map == "start" && what.ends_with("as if it started with this value"))
    return "start: not with the neutral element";
  if (difference.map == "length") {  // a length or count is the same number, whoever brings it
    for (const std::string form :
         {" of its own", " from the register", "for a count ", "in counter mode ", "an instruction such as "})
      replace_all(what, form, "");
    constexpr std::string_view kTakes = "takes ", kBehind = " for the elements of the last repeat behind";
    const std::size_t from = what.find(kTakes),
                      to = what.find(kBehind);  // the value may follow from the type
    if (from < to && to != std::string::npos) what.erase(from + kTakes.size(), to - from - kTakes.size());
  }
  if (difference.map == "register") {  // the same code takes the own mask of each instruction
    replace_all(what, "after " + mnemonic(insn) + ", ", "");
    what = without_numbers(what);
  }
  if (difference.map == "gate") {  // a reduction counts what others write; an example is one of many
    what = what.substr(0, what.find(", for example"));
    replace_all(what, "counted", "written");
    replace_all(what, "left out", "kept");
    // The same law where a data block of dst has another number of lanes.
    replace_all(what, "the first slot of their data block (", "");
    replace_all(what, ") instead of their own", " instead of each by its own slot");
  }
  if (difference.map == "gate" && lanes_of(insn) <= 64) {  // then its lanes have slots of the low word alone
    replace_all(what, "the low word is not 0", "the mask is not empty");
    replace_all(what, "the low word is 0", "the mask is empty");
  }
  // Of an 8-bit type, the mask reaches the first 128 lanes only.
  const unsigned lanes = std::min(lanes_of(insn), 128u);
  replace_all(what, "lanes 0.." + std::to_string(lanes - 1) + " ", "all lanes ");
  what = with_periodic_lanes(with_relative_slots(what, lanes), lanes);
  if (difference.map == "gate") {  // a data block of dst may be another part of a repeat
    const std::string per = std::to_string(per_block(insn.dst_type));
    replace_all(what, "lanes 1.." + std::to_string(per_block(insn.dst_type) - 1) + " of every " + per,
                "all lanes of a data block except its first");
    replace_all(what, "lane - lane mod " + per, "of its data block's first lane");
  }
  if (!difference.where.empty()) what += " in some repeats";
  // Elsewhere a number such as 8 may be a distance or a data block of every type.
  const bool counts_lanes = difference.map == "gate" || difference.map == "dst" || difference.map == "length";
  return difference.map + ": " +
         (plain ? with_parts_of_repeat(what, lanes, counts_lanes) : without_numbers(what));
}

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
  return row_of(insn.op).compacts ? "gather_mask" : std::string(row_of(insn.op).name);
}

std::string id_of(const MeasuredCause& cause, const std::string& family) {
  const std::string map = cause.key.substr(0, cause.key.find(':'));
  return "measured-" + map + "-" + hash_text(cause.key + "\n" + (cause.is_shared ? "" : family));
}

std::optional<MeasuredCause> measure_cause(const Program& program, std::size_t index, AskedBackend& asked,
                                           const Documented& documented, bool to_name) try {
  Probing probing(asked, documented);
  const Ask ask = [&](const Batch& batch) { probing(batch); };
  Instruction insn = program.instructions[index];
  Identification found = identify(program, index, ask, asked.shown(), to_name);
  const auto showing = row_of(insn.op).operands.empty() ? showing_instruction(program) : std::nullopt;
  if (found.parts.empty() && showing) {
    insn = *showing;
    found = identify(Program{program.profile, {}, {insn}, {}}, 0, ask, asked.shown(), to_name);
  }
  if (found.parts.empty()) return {};
  if (showing && found.parts.front().map == "length") insn = *showing;  // which shows what the number does
  const bool is_reading = probing.readings_explain();
  if (is_reading && !to_name) return {};
  const Difference& first = found.parts.front();
  const bool plain = found.differences.front() == first.sentence();
  std::string sentence = found.differences.front();
  const bool itself = !row_of(program.instructions[index].op).operands.empty();
  bool predicts = false;
  if (const Laws laws = laws_of(found.parts); itself && laws.any()) {
    const Program part = prefix(program, index + 1);
    const auto gives = laws_give(asked.ask(part), part, index, laws, documented);
    if (gives == false) return {};
    predicts = gives == true;
    if (!laws_give_elsewhere(part, index, laws, asked, documented)) return {};
    if (to_name) sentence += repeat_times_of_laws(part, index, laws, asked, documented);
  }
  if (itself && first.results && !results_deviate(program, index, *first.results, documented.semantics))
    return {};
  return MeasuredCause{std::move(sentence),
                       cause_key(first, insn, plain),
                       to_json(found).dump(),
                       matter_of(first),
                       probing.take_diverging(),
                       probing.take_conforming(),
                       is_reading,
                       is_shared(first),
                       predicts};
} catch (const RunEnds&) {
  return {};
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
