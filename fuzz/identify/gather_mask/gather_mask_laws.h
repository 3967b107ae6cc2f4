// Laws of gather_mask: what a backend may do against the documents, as something that predicts every call.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "fuzz/identify/gather_mask/gather_mask_call.h"
#include "spec/mask/mask_register.h"
#include "spec/program/reading.h"
#include "spec/rules/gather_matter.h"

namespace lanecheck {

/// One element that a call looks at.
struct GatherElement {
  unsigned repeat = 0, element = 0;  ///< the element is counted in its repeat
  unsigned looked_at = 0;            ///< elements of this repeat
  std::uint64_t before = 0;          ///< elements of the repeats before it
};

/// What a call has done so far, or when it returns its count.
struct GatherTrace {
  std::vector<std::uint64_t> kept, looked_at;  ///< of each repeat
  std::uint64_t end = 0;                       ///< behind the last place of dst that was written
  std::uint64_t size = 0;                      ///< bytes of an element
  std::uint64_t old = kOldCount;               ///< what stands where the count is returned
  std::optional<std::uint64_t> earlier{};      ///< the count of an earlier call

  std::uint64_t count() const;
};

/// One mistake in the way in which elements are found, kept and put into dst. What is empty is as documented.
struct GatherLaw {
  MapKind map = MapKind::places;  ///< or src0, src1
  std::string text;               ///< "rounds its mask argument up to whole repeats, in its counter mode"
  std::function<void(Instruction&)>
      executed{};  ///< the instruction that is executed in place of the given one
  std::function<void(Readings&)> readings{};
  /// How many elements the repeats have together, and how many repeats there are.
  std::function<void(const GatherCall&, ResolvedInstruction&)> resolved{};
  unsigned whole = 0;  ///< elements of a whole repeat; 0: as documented
  /// Which element of src0 is taken, in bytes from where src0 starts.
  std::function<std::uint64_t(const Instruction&, const GatherElement&)> source{};
  /// Which bit of the user pattern decides, counted from where src1 starts.
  std::function<std::uint64_t(const Instruction&, const GatherElement&)> bit{};
  /// Which element of a repeat the fixed pattern takes it for.
  std::function<std::uint64_t(const GatherElement&)> index{};
  /// Is it kept, if the pattern says `kept`?
  std::function<bool(const GatherCall&, const GatherElement&, bool kept)> keeps{};
  /// Where the results of the next repeat start in dst, if those of `repeat` end before element `end`.
  std::function<std::uint64_t(const Instruction&, unsigned repeat, std::uint64_t end,
                              const GatherTrace& so_far)>
      next{};
  /// Where the element with this number in dst is put instead.
  std::function<std::uint64_t(std::uint64_t)> place{};
  bool ends_if_nothing_is_kept = false;  ///< a repeat that keeps nothing is the last one
  bool goes_on_behind_earlier = false;   ///< its results lie behind as many elements as an earlier call kept
  /// Counts in a unit that depends on the size of an element: to be tried in calls with another size too.
  bool of_element_size = false;
  std::optional<GatherMatter> matter{};  ///< what the law is about; nothing: which elements are kept
};

/// In which calls a law holds.
struct GatherCondition {
  std::string text;  ///< ", in its counter mode"
  bool (*holds)(const GatherCall&);
};

/// What is returned in place of the number of kept elements.
struct CountLaw {
  std::string text;  ///< "returns 0 as its count"
  std::function<std::uint64_t(const GatherTrace&)> returned;
  bool of_earlier = false;  ///< an earlier call has a say in it
};

/// All the laws that could make a call of an instruction like `insn` differ.
std::vector<GatherLaw> gather_laws(const Instruction& insn);
std::vector<CountLaw> count_laws();
/// From general to special.
const std::vector<GatherCondition>& gather_conditions();

/// What `call` gives if `law` is followed and the count is returned by `count`; null: as documented.
Gathered predict(const GatherCall& call, const GatherLaw* law, const CountLaw* count);

/// Does the fixed pattern `pattern` choose an element of a repeat?
bool is_chosen(unsigned pattern, std::uint64_t element);

/// "keeps each element of a repeat by bit (element xor 7) of the user pattern": as many bits as a repeat has
/// elements. If a repeat looks at more elements, those begin with the same bits again, or with those behind.
GatherLaw law_of_bits(const std::vector<unsigned>& bits, const std::string& text, bool goes_on);

}  // namespace lanecheck
