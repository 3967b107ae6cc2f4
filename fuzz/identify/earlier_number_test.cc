// What an earlier count does to a later one. Expected: SetVectorMask, counter mode: the last one counts.
#include "fuzz/identify/given_number.h"
#include "fuzz/identify/identify_testing.h"
#include "oracle/execute/execute.h"

namespace lanecheck {
namespace earlier_number_test {

/// The oracle in counter mode, with change(first count, count) for each count after the first one: those of
/// set_vector_mask and of instructions, and if `of_totals` those of set_vector_mask_total.
template <class Change>
Ask with_later_count(Change change, bool of_totals = false) {
  return [change, of_totals](const Batch& batch) {
    for (std::size_t n = 0; n < batch.programs.size(); ++n) {
      Program changed = batch.programs[n];
      std::uint64_t first = 0;
      bool counts = false;
      for (Instruction& insn : changed.instructions) {
        counts = insn.op == Op::set_mask_count || (counts && insn.op != Op::set_mask_norm);
        if (insn.op == Op::set_vector_mask_total && first == 0)
          first = insn.settings[0];
        else if (insn.op == Op::set_vector_mask_total && of_totals)
          insn.settings[0] = static_cast<std::uint32_t>(change(first, insn.settings[0]));
        if (insn.mask_from != MaskFrom::count && !(counts && insn.op == Op::set_vector_mask)) continue;
        if (first == 0)
          first = insn.low;
        else
          insn.low = change(first, insn.low);
      }
      execute(changed, Semantics(default_readings(changed.profile)), batch.states[n]);
      batch.outcomes[n] = Ran{};
    }
  };
}

TEST(GivenNumber, ACountAfterAnotherOne) {
  const auto said_of = [](const std::string& name, MaskGiven given, auto change, bool of_totals = false) {
    const auto differences = number_differences(shapes_of(subject_of(name, Profile::a2)), given,
                                                with_later_count(change, of_totals));
    return differences.empty() ? "" : differences.front().sentence();
  };
  const auto first = [](std::uint64_t old, std::uint64_t) { return old; };
  const auto larger = [](std::uint64_t old, std::uint64_t now) { return std::max(old, now); };
  const auto sum = [](std::uint64_t old, std::uint64_t now) { return old + now; };
  for (const std::string name : {"add.f16", "cmin.f32"}) {
    EXPECT_EQ(
        said_of(name, MaskGiven::total, first),
        "in counter mode a count that set_vector_mask sets has no effect if another count was set before");
    EXPECT_EQ(
        said_of(name, MaskGiven::total, larger),
        "in counter mode, of a count that set_vector_mask sets and another count set before, the larger "
        "one counts");
  }
  EXPECT_EQ(said_of("add.f16", MaskGiven::count, first),
            "add.f16 ignores a count of its own if another count was set before");
  EXPECT_EQ(said_of("add.f16", MaskGiven::count, sum),
            "of a count of add.f16 itself and another count set before, their sum counts");
  EXPECT_EQ(said_of("add.f16", MaskGiven::total, first, true),
            "in counter mode a count has no effect if another count was set before");
}

}  // namespace earlier_number_test
}  // namespace lanecheck
