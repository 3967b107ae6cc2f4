#include "fuzz/explain/predicate.h"

#include <algorithm>

#include "fuzz/explain/trial.h"
#include "fuzz/explain/variation.h"
#include "reports/format.h"
#include "spec/text/joined.h"
#include "spec/text/program_text.h"

namespace lanecheck {
namespace {

constexpr unsigned kMostTrials = 40;
constexpr unsigned kFirstPhase = 3, kFreshPhase = 29;  // of the data
constexpr unsigned kCombinations = 3;

/// One value of one thing that is varied. `fresh`: another member of the same class, such as another lane.
struct Value {
  std::string name;
  std::function<bool(Variation& variation, bool fresh)> apply;
  Says said = Says::nothing;
};

struct Axis {
  std::string preposition;  ///< "with "
  std::string noun;         ///< "mask"
  std::vector<Value> values;

  std::vector<const Value*> that(Says said) const {
    std::vector<const Value*> some;
    for (const Value& each : values)
      if (each.said == said) some.push_back(&each);
    return some;
  }
};

std::string listed(const std::vector<const Value*>& values) {
  return joined(values, [](const Value* each) { return each->name; });
}

Axis types_axis(const Variation& base, Profile profile) {
  Axis axis{"as ", "element type", {}};
  for (const TypePair& types : row_of(base.insn().op).in(profile).pairs) {
    Instruction insn = base.insn();
    insn.dst_type = types.dst;
    insn.src_type = types.src;
    const std::string name = mnemonic(insn);
    const bool own = insn == base.insn();
    axis.values.push_back({name.substr(name.find('.') + 1),
                           [types, own](Variation& it, bool) { return own || set_types(it, types); }});
  }
  return axis;
}

MaskWords words_of(std::uint64_t low_byte_pattern) {
  const std::uint64_t word = low_byte_pattern * 0x0101010101010101;
  return {word, word};
}

/// All lanes except `count` from `first` on.
MaskWords without(unsigned first, unsigned count) {
  MaskWords words{kOnes, kOnes};
  for (unsigned slot = first; slot < first + count && slot < 128; ++slot)
    (slot < 64 ? words.low : words.high) &= ~(std::uint64_t{1} << slot % 64);
  return words;
}

using WordsOf = MaskWords (*)(unsigned lanes, bool fresh);
struct MaskShape {
  const char* name;
  WordsOf words;
};
constexpr unsigned kBlocks = kRepeatBlocks;
constexpr const char* kFull = "a full mask";
const MaskShape kMaskShapes[] = {
    {"a full mask",
     [](unsigned, bool) {
       return MaskWords{kOnes, kOnes};
     }},
    {"one lane off", [](unsigned lanes, bool fresh) { return without(fresh ? lanes / 2 + 1 : 0, 1); }},
    {"a data block off",
     [](unsigned lanes, bool fresh) { return without(lanes / kBlocks * (fresh ? 5 : 1), lanes / kBlocks); }},
    {"every other lane off", [](unsigned, bool fresh) { return words_of(fresh ? 0xaa : 0x55); }},
    {"the lower half off", [](unsigned lanes, bool) { return without(0, lanes / 2); }},
    {"the upper half off", [](unsigned lanes, bool) { return without(lanes / 2, lanes / 2); }},
};

/// Legal masks have no bits beyond the lanes in the profiles that say so.
bool set_words(Variation& it, MaskWords words) {
  const unsigned lanes = std::min(128u, lanes_of(it.insn()));
  const bool all_slots = row_of(it.program.profile).all_slots_legal;
  const MaskWords beyond = all_slots ? MaskWords{kOnes, kOnes} : without(lanes, 128);
  Instruction& holder = it.program.instructions[*it.mask];
  holder.high = words.high & beyond.high;
  holder.low = words.low & beyond.low;
  return true;
}

Axis masks_axis(const Finding& finding, const Variation& base) {
  Axis axis{"with ", "mask", {}};
  if (!base.mask || finding.total) return axis;
  for (const MaskShape& shape : kMaskShapes)
    axis.values.push_back({shape.name, [words = shape.words](Variation& it, bool fresh) {
                             return set_words(it, words(std::min(128u, lanes_of(it.insn())), fresh));
                           }});
  return axis;
}

Axis repeats_axis(const Finding& finding, const Variation& base) {
  Axis axis{"with repeat time ", "repeat time", {}};
  if (!row_of(base.insn().op).has_repeat || finding.total) return axis;
  std::vector<std::uint32_t> times = {1, 2, 3, 8};
  const std::uint32_t own = base.insn().repeat;
  if (std::ranges::find(times, own) == times.end()) times.push_back(own);
  for (const std::uint32_t repeat : times)
    axis.values.push_back({std::to_string(repeat), [repeat](Variation& it, bool) {
                             it.insn().repeat = repeat;
                             return true;
                           }});
  return axis;
}

Axis strides_axis(const Variation& base) {
  Axis axis{"with block stride ", "block stride", {}};
  const Row& row = row_of(base.insn().op);
  if (row_of(base.program.profile).block_stride_fixed) return axis;
  for (unsigned k = 0; k < row.operands.size(); ++k)
    if (row.operands[k].walk == Walk::blocks)
      for (const std::uint32_t stride : {1u, 2u})
        axis.values.push_back({std::to_string(stride) + " of " + std::string(row.operands[k].role),
                               [k, stride](Variation& it, bool) {
                                 it.insn().operands[k].block_stride = stride;
                                 return true;
                               }});
  return axis;
}

class Widening {
 public:
  Widening(const Finding& finding, Trial trial)
      : trial_(trial), base_(variation_of(finding.program, finding.instruction)) {
    find_data();
    axes_ = {types_axis(base_, finding.program.profile), masks_axis(finding, base_),
             repeats_axis(finding, base_), strides_axis(base_)};
  }

  std::string sentence() {
    for (Axis& axis : axes_) try_values(axis);
    for (Axis& axis : axes_)
      if (contradicted(axis)) axis.values.clear();
    std::string text;
    for (const Axis& axis : axes_)
      if (const std::string clause = clause_of(axis); !clause.empty())
        text += (text.empty() ? "happens " : "; ") + clause;
    if (!text.empty() && !combine()) text += " (each of these changed alone)";
    return text;
  }

 private:
  /// Data by which every lane counts, if the fault shows with them; else those of the finding.
  void find_data() {
    for (unsigned kind = 0; kind < kDataKinds && !data_; ++kind) {
      Variation other = base_;
      set_data(other, kind, kFirstPhase);
      if (trial_.ask(other.program) == Says::diverges) data_ = kind;
    }
  }

  /// The base with these values; nothing if they cannot be applied.
  Says ask(const std::vector<const Value*>& values, bool fresh) {
    Variation it = base_;
    for (const Value* each : values)
      if (each != nullptr && !each->apply(it, fresh)) return Says::nothing;
    make_room(it.program);
    if (data_) set_data(it, *data_, fresh ? kFreshPhase : kFirstPhase);
    return trial_.ask(it.program);
  }

  void try_values(Axis& axis) {
    for (Value& each : axis.values) each.said = ask({&each}, false);
  }

  /// A value of the axis with which the fault was seen; null if it was seen with no value. `turn` picks one
  /// of several.
  static const Value* pick(const Axis& axis, std::size_t turn) {
    const auto seen = axis.that(Says::diverges);
    return seen.empty() ? nullptr : seen[turn % seen.size()];
  }

  /// Does a fresh case say something else than the clause of `axis`? A value that it is seen with is asked
  /// with other data; one that it is not seen with is asked with other values of the other axes too.
  bool contradicted(const Axis& axis) {
    for (const Value* each : {pick(axis, 0), pick(axis, 2)})
      if (each != nullptr && ask({each}, true) == Says::conforms) return true;
    for (const Value* each : axis.that(Says::conforms)) {
      std::vector<const Value*> values;
      for (const Axis& other : axes_) values.push_back(&other == &axis ? each : pick(other, 1));
      if (ask(values, true) == Says::diverges) return true;
    }
    return false;
  }

  /// Is the fault seen with values of all axes together?
  bool combine() {
    for (std::size_t turn = 0; turn < kCombinations; ++turn) {
      std::vector<const Value*> values;
      for (const Axis& axis : axes_) values.push_back(pick(axis, turn + 1));
      if (ask(values, true) == Says::conforms) return false;
    }
    return true;
  }

  static std::string clause_of(const Axis& axis) {
    const auto seen = axis.that(Says::diverges), unseen = axis.that(Says::conforms);
    if (seen.size() + unseen.size() < 2) return {};
    if (unseen.empty()) return "for every " + axis.noun + " tried (" + listed(seen) + ")";
    if (seen.empty()) return "not " + axis.preposition + listed(unseen);
    if (axis.noun == "mask" && unseen.size() == 1 && unseen.front()->name == kFull)
      return "when a lane is off (" + counted(seen.size(), "mask") + " tried), not with " + kFull;
    return axis.preposition + listed(seen) + ", not " + axis.preposition + listed(unseen);
  }

  Trial trial_;
  Variation base_;
  std::optional<unsigned> data_;
  std::vector<Axis> axes_;
};

}  // namespace

std::string predicate_of(const Finding& finding, const Hypothesis* suspect, AskedBackend& asked,
                         const Documented& documented) {
  if (finding.instruction >= finding.program.instructions.size()) return {};
  if (row_of(finding.program.instructions[finding.instruction].op).operands.empty()) return {};
  return Widening(finding, Trial(asked, documented, suspect, kMostTrials)).sentence();
}

}  // namespace lanecheck
