#include "fuzz/identify/reductions/written_results.h"

#include <algorithm>

#include "fuzz/identify/gates/gate_differences.h"
#include "fuzz/identify/gates/mask_condition.h"
#include "fuzz/identify/probes/gate_map.h"
#include "fuzz/identify/probes/intervals.h"
#include "fuzz/identify/probes/move_map.h"
#include "spec/mask/footprint.h"
#include "spec/text/number.h"
#include "spec/text/program_text.h"

namespace lanecheck {
namespace {

/// A result under one mask.
struct Result {
  const Subject& subject;
  const MaskWords& mask;
  unsigned group;

  unsigned size() const { return group_size(subject.insn); }
  bool on(unsigned lane) const { return has_slot(mask, group * size() + lane); }
  unsigned count_on() const {
    unsigned count = 0;
    for (unsigned lane = 0; lane < size(); ++lane) count += on(lane) ? 1 : 0;
    return count;
  }
  unsigned empty_results() const {
    unsigned count = 0;
    for (unsigned g = 0; g < results_per_repeat(subject.insn); ++g) count += any_on(subject, mask, g) ? 0 : 1;
    return count;
  }
};

struct When {
  std::string_view text;
  bool (*holds)(const Result& result);
};

constexpr When kWhen[] = {
    {"all of their lanes are off", [](const Result& r) { return r.count_on() == 0; }},
    {"all of their lanes are off, for the results of the second half of a repeat",
     [](const Result& r) { return r.count_on() == 0 && 2 * r.group >= results_per_repeat(r.subject.insn); }},
    {"all of their lanes are off, for the results of the first half of a repeat",
     [](const Result& r) { return r.count_on() == 0 && 2 * r.group < results_per_repeat(r.subject.insn); }},
    {"one of their lanes is off", [](const Result& r) { return r.count_on() < r.size(); }},
    {"some of their lanes are off and others are on",
     [](const Result& r) { return r.count_on() > 0 && r.count_on() < r.size(); }},
    {"their first lane is off", [](const Result& r) { return !r.on(0); }},
    {"their last lane is off", [](const Result& r) { return !r.on(r.size() - 1); }},
    {"all lanes of the first result of the repeat are off",
     [](const Result& r) { return !any_on(r.subject, r.mask, 0); }},
    {"all lanes of the last result of the repeat are off",
     [](const Result& r) { return !any_on(r.subject, r.mask, results_per_repeat(r.subject.insn) - 1); }},
    {"all of their lanes are off and another lane of their repeat is on",
     [](const Result& r) {
       return r.count_on() == 0 && r.empty_results() < results_per_repeat(r.subject.insn);
     }},
    {"all of their lanes are off and one of slots 64..127 is 1, which are no lanes of the type",
     [](const Result& r) { return lanes_of(r.subject.insn) == 64 && r.count_on() == 0 && r.mask.high != 0; }},
    {"a lane of their repeat is on",
     [](const Result& r) { return r.empty_results() < results_per_repeat(r.subject.insn); }},
    {"all lanes of some result of the repeat are off", [](const Result& r) { return r.empty_results() > 0; }},
    {"all lanes of every other result of the repeat are off",
     [](const Result& r) {
       return r.count_on() > 0 && r.empty_results() + 1 == results_per_repeat(r.subject.insn);
     }},
};

struct Cells {
  const Subject& subject;
  const ReductionMap &measured, &documented;

  /// Is each result written ('w') or kept ('k') as the law says? Nothing from the law: as documented.
  bool fit(const ResultLaw::Written& written) const {
    for (std::size_t m = 0; m < measured.masks.size(); ++m)
      for (unsigned group = 0; group < results_per_repeat(subject.insn); ++group) {
        const auto law = written(group, measured.masks[m]);
        const char expected = law ? (*law ? 'w' : 'k') : documented.results[m][group];
        if (measured.results[m][group] != expected) return false;
      }
    return true;
  }
};

std::string what(const Cells& cells, char then) {
  const std::string name = mnemonic(cells.subject.insn);
  if (then == 'k') return "results of " + name + " keep their old dst if ";
  std::string value;
  if (const auto& written = cells.measured.written)  // 0 is the same in every type
    value = " (" + show_element(cells.subject.insn.dst_type, *written) +
            (*written == 0 ? ")" : " in " + name + ")");
  return "results of " + name + " are written" + value + " if ";
}

std::string example(const Cells& cells) {
  const ReductionMap &measured = cells.measured, &documented = cells.documented;
  for (std::size_t m = 0; m < measured.masks.size(); ++m)
    for (unsigned group = 0; group < results_per_repeat(cells.subject.insn); ++group)
      if (measured.results[m][group] != documented.results[m][group])
        return "some results of " + mnemonic(cells.subject.insn) + " are " +
               (measured.results[m][group] == 'w' ? "written" : "not written") +
               " against the documents, for example result " + std::to_string(group) +
               " of a repeat under the mask " + show_words(measured.masks[m]) + " (high:low)";
  return {};
}

/// `when`: under which condition results are written, or kept, against the documents.
Difference said_of(const Cells& cells, char then, const std::string& when, ResultLaw::Written law) {
  Difference difference{
      MapKind::contribution, what(cells, then) + when, {}, false, {}, ResultLaw{then == 'k', std::move(law)}};
  if (then == 'w') difference.general = "results are written if " + when;  // the value follows from the type
  return difference;
}

/// Each result is `then` where `holds`, and as documented elsewhere.
template <class Holds>
ResultLaw::Written where(char then, Holds holds) {
  return [=](unsigned group, const MaskWords& mask) -> std::optional<bool> {
    if (!holds(group, mask)) return {};
    return then == 'w';
  };
}

/// "keep their old dst if only lanes 8..11 of their data block are on": the lanes that alone do not make a
/// result written.
std::optional<Difference> kept_of_few_lanes(const Cells& cells) {
  std::vector<unsigned> few;
  for (std::size_t m = 0; m < cells.measured.masks.size(); ++m)
    for (unsigned group = 0; group < results_per_repeat(cells.subject.insn); ++group) {
      const Result result{cells.subject, cells.measured.masks[m], group};
      if (result.count_on() != 1 || cells.measured.results[m][group] == 'w') continue;
      for (unsigned lane = 0; lane < result.size(); ++lane)
        if (result.on(lane)) few.push_back(lane);
    }
  few = sorted_unique(std::move(few));
  if (few.empty() || few.size() == group_size(cells.subject.insn)) return {};
  const auto law = where('k', [few, subject = cells.subject](unsigned group, const MaskWords& mask) {
    const Result result{subject, mask, group};
    for (unsigned lane = 0; lane < result.size(); ++lane)
      if (result.on(lane) && std::ranges::find(few, lane) == few.end()) return false;
    return true;
  });
  if (!cells.fit(law)) return {};
  return said_of(cells, 'k',
                 "only " + counted_noun("lane", few) + " of their " + group_noun(cells.subject) +
                     (few.size() == 1 ? " is on" : " are on"),
                 law);
}

/// A row of slots for each result: those of result g start at slot step * g + first, and lie `apart` apart.
struct SlotRow {
  int step, first, count;
  int apart = 1;

  std::string slot(int n) const {
    const std::string times = step == 1 ? "g" : std::to_string(step) + " * g";
    return n == 0 ? times : times + (n > 0 ? " + " : " - ") + std::to_string(std::abs(n));
  }
  std::string text() const {
    if (count == 1) return "slot " + slot(first) + " is 1";
    const std::string second = apart == 1 ? "" : ", " + slot(first + apart);
    return "one of slots " + slot(first) + second + " .. " + slot(first + apart * (count - 1)) + " is 1";
  }
  bool any_on(unsigned group, const MaskWords& mask) const {
    for (int n = 0; n < count; ++n)
      if (has_slot(mask,
                   static_cast<unsigned>(step * static_cast<int>(group) + first + apart * n + 128) % 128))
        return true;
    return false;
  }
};

std::vector<SlotRow> slot_rows(int size, int results) {
  std::vector<SlotRow> rows;
  for (int step = 1; step <= 64; step *= 2)
    for (int count = 1; count <= 64; count *= 2)
      for (const int first : {0, size, -size, step - 1, 64}) rows.push_back({step, first, count});
  rows.push_back({1, 0, size, results});  // rows and columns are exchanged
  return rows;
}

/// What the documents say of results that other slots decide about: "if one of slots 8 * g .. 8 * g + 7 is
/// 1".
std::string documented_condition(const Cells& cells, const SlotRow& own) {
  const bool always = std::ranges::all_of(cells.documented.results, [](const std::string& of_mask) {
    return of_mask.find('k') == std::string::npos;
  });
  return always ? "under every mask" : "if " + own.text();
}

/// "if one of slots 16 * g .. 16 * g + 15 is 1": other slots than those of its own lanes.
std::optional<Difference> by_other_slots(const Cells& cells) {
  const auto size = static_cast<int>(group_size(cells.subject.insn)),
             results = static_cast<int>(results_per_repeat(cells.subject.insn));
  for (const SlotRow& row : slot_rows(size, results)) {
    const auto law = [row](unsigned group, const MaskWords& mask) -> std::optional<bool> {
      return row.any_on(group, mask);
    };
    if (!cells.fit(law)) continue;
    const std::string written = "is written if " + row.text();
    Difference said{MapKind::contribution,
                    "result g of each repeat of " + mnemonic(cells.subject.insn) + " " + written +
                        " instead of " + documented_condition(cells, {size, 0, size}),
                    {},
                    false,
                    {},
                    ResultLaw{true, law}};
    said.general = "result g of each repeat " + written;
    if (row.apart > 1)
      said.general = "result g of each repeat is written by slots " + std::to_string(row.apart) + " apart";
    return said;
  }
  return {};
}

/// Nothing if no formula explains all results.
std::optional<Difference> law_of_results(const Cells& cells) {
  for (const char then : {'w', 'k'}) {
    for (const When& when : kWhen) {
      const auto law = where(then, [&when, subject = cells.subject](unsigned group, const MaskWords& mask) {
        return when.holds(Result{subject, mask, group});
      });
      if (!cells.fit(law)) continue;
      std::string text(when.text);
      if (when.holds == kWhen[0].holds)
        text += then == 'w' ? " instead of keeping their old dst" : " instead of being written";
      return said_of(cells, then, text, law);
    }
    const MaskWords full = full_mask(cells.subject);
    for (const MaskCondition& condition : mask_conditions())
      for (const bool when : {true, false}) {
        const auto law =
            where(then, [=](unsigned, const MaskWords& mask) { return condition.holds(mask, full) == when; });
        if (cells.fit(law)) return said_of(cells, then, condition.text(when), law);
      }
  }
  if (auto law = kept_of_few_lanes(cells)) return law;
  return by_other_slots(cells);
}

}  // namespace

std::string group_noun(const Subject& subject) {
  const unsigned results = results_per_repeat(subject.insn);
  if (results == 1) return "repeat";
  return results == kRepeatBlocks ? "data block" : "pair";
}

std::optional<Difference> wrong_results(const Subject& subject, ReductionMap measured,
                                        const ReductionMap& documented) {
  std::vector<unsigned> repeats;
  const auto repeats_of_map = static_cast<unsigned>(measured.results_in.size());
  for (unsigned repeat = 0; repeat < repeats_of_map; ++repeat) {
    const auto& results = measured.results_in[repeat];
    if (results == documented.results) continue;
    if (repeats.empty()) measured.results = results;
    if (results == measured.results) repeats.push_back(repeat);
  }
  if (repeats.empty()) return {};
  // An element does not count in a result that is not written: the written results come first. A result at a
  // wrong place looks like an element that counts against its slot.
  const Cells cells{subject, measured, documented};
  auto said = law_of_results(cells);
  if (!said) said = Difference{MapKind::contribution, example(cells), {}, true};
  said->where = repeat_law(repeats, repeats_of_map).text();
  if (!said->where.empty()) said->results.reset();  // this law knows no repeats
  return said;
}

}  // namespace lanecheck
