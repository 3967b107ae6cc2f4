// What is said of elements that are written, or not, because of their values: under data of one kind it looks
// as if the mask, or nothing, decided.
#include "fuzz/identify/identify_testing.h"
#include "spec/mask/footprint.h"
#include "spec/text/number.h"

namespace lanecheck {
namespace written_by_value_test {

/// What is said of `name` if `writes(on, src, scalar)` decides whether an element is written, where `on` is
/// whether its lane is.
template <class Writes>
std::string said_of(const std::string& name, Writes writes) {
  const Ask ask = [=](const Batch& batch) {
    ask_oracle()(batch);
    for (std::size_t p = 0; p < batch.programs.size(); ++p) {
      const Program& program = batch.programs[p];
      const Instruction& insn = program.instructions.back();
      Instruction meant;
      if (!parse_mnemonic(name, meant) || meant.op != insn.op || insn.mask_from == MaskFrom::count) continue;
      Program full = program;
      full.instructions = {insn};
      State all;
      execute(full, Semantics{}, all);
      const Mask mask = mask_of(program);
      const std::size_t size = size_of(insn.dst_type);
      for (unsigned r = 0; r < insn.repeat; ++r)
        for (unsigned lane = 0; lane < lanes_of(insn); ++lane) {
          const std::size_t to = start_of(program, insn.operands[0]) + lane_offset(insn, 0, r, lane),
                            from = start_of(program, insn.operands[1]) + lane_offset(insn, 1, r, lane);
          std::uint64_t bits = 0;
          std::memcpy(&bits, &program.ub[from], size);
          const bool is_written = writes(mask[lane] != 0, value_of(insn.src_type, bits),
                                         value_of(insn.src_type, insn.scalar.bits));
          std::memcpy(&batch.states[p].ub[to], &(is_written ? all.ub : program.ub)[to], size);
        }
    }
  };
  Instruction insn;
  EXPECT_TRUE(parse_mnemonic(name, insn));
  insn = default_subject(Profile::vmc, row_of(insn.op), *types_of(insn, Profile::vmc)).insn;
  const auto found = identify(Program{Profile::vmc, {}, {insn}, {}}, 0, ask, false, true);
  return found.parts.empty() ? "" : found.parts[0].what;
}

TEST(WrittenByValue, NegativeElementsAlone) {
  EXPECT_EQ(said_of("relu.f16", [](bool on, double src, double) { return on && src < 0; }),
            "relu.f16 does not write results for which src is positive or 0");
}

TEST(WrittenByValue, ElementsBelowTheScalarAlone) {
  EXPECT_EQ(
      said_of("vmaxs.i16", [](bool on, double src, double scalar) { return on && src < scalar; }),
      "vmaxs.i16 does not write results for which src is equal to the scalar or greater than the scalar");
}

TEST(WrittenByValue, PositiveElementsWhateverTheMaskIs) {
  EXPECT_EQ(said_of("lrelu.f32", [](bool on, double src, double) { return on || src > 0; }),
            "lrelu.f32 writes masked-off lanes for which src is positive");
}

TEST(WrittenByValue, NothingIsSaidOfValuesIfAllLanesAreAlike) {
  EXPECT_EQ(said_of("abs.f16", [](bool, double, double) { return true; }),
            "abs.f16 ignores the mask: all lanes are written whatever it is");
  EXPECT_EQ(said_of("abs.f16", [](bool, double, double) { return false; }),
            "abs.f16 writes nothing, whatever its repeat times are");
}

}  // namespace written_by_value_test
}  // namespace lanecheck
