// The id of a finding names the fault, not the case that showed it first: it is the same over several seeds,
// and whatever the backend is called and prints.
#include <gtest/gtest.h>

#include <set>

#include "fuzz/run/faulty_backend_testing.h"
#include "fuzz/run/find_backend.h"
#include "fuzz/run/run.h"
#include "oracle/mutants/mutant.h"

namespace lanecheck {
namespace stable_id_test {

using Ids = std::set<std::string>;

Ids ids(const Backend& backend, std::uint64_t seed, std::uint64_t cases) {
  RunOptions options;
  options.seed = seed;
  options.cases = cases;
  options.mix.with_boundaries = false;  // 255 repeats would become too many instructions
  options.illegal_in_32 = 0;            // the faults below are not about refusals
  Ids found;
  for (const Finding& each : run(options, backend).findings) found.insert(each.id);
  return found;
}

/// Some seeds show a rare fault late.
Ids ids_if_any(const Backend& backend, std::uint64_t seed, std::uint64_t cases) {
  const Ids found = ids(backend, seed, cases);
  return found.empty() ? ids(backend, seed, 10 * cases) : found;
}

std::string shown(const Ids& some) {
  std::string text;
  for (const std::string& each : some) text += " " + each;
  return text;
}

void expect_same_ids(const Backend& backend, const std::string& fault, std::uint64_t cases,
                     std::initializer_list<std::uint64_t> seeds) {
  const Ids first = ids(backend, 1, cases);
  EXPECT_FALSE(first.empty()) << fault;
  for (const std::uint64_t seed : seeds)
    EXPECT_EQ(shown(ids_if_any(backend, seed, cases)), shown(first)) << fault << ", seed " << seed;
}

/// Three mutants after each other share the seeds 2 to 10: together they try them all.
TEST(StableId, OfAMutant) {
  std::size_t n = 0;
  for (const Mutant& mutant : mutants()) {
    if (!mutant.exists_in(Profile::vmc) || n++ % 5 != 0) continue;
    const std::uint64_t first = 2 + n / 5 % 3 * 3;
    expect_same_ids(find_backend("wrong:" + mutant.id), mutant.id, 1000, {first, first + 1, first + 2});
  }
  EXPECT_GE(n, 100u);
}

struct Fault {
  const char* name;
  ProgramChange change;
};

Program with_masks(const Program& given, const std::function<MaskWords(MaskWords)>& change,
                   const std::function<bool(const Instruction&)>& where) {
  return repeat_by_repeat(given, [&](const Instruction& insn, unsigned, MaskWords mask) {
    return where(insn) ? change(mask) : mask;
  });
}

void strides_of_src0(Instruction& insn) {
  if (row_of(insn.op).form != Form::binary) return;
  insn.operands[2].block_stride = insn.operands[1].block_stride;
  insn.operands[2].repeat_stride = insn.operands[1].repeat_stride;
}

const Fault kFaults[] = {
    {"f16 is gated by the low slots",
     [](const Program& program) {
       return with_masks(
           program,
           [](MaskWords mask) {
             return MaskWords{mask.low, mask.low};
           },
           [](const Instruction& insn) { return is_16_bit(insn) && insn.dst_type == Element::f16; });
     }},
    {"from the third repeat on the words of the mask are swapped",
     [](const Program& program) {
       return repeat_by_repeat(program, [](const Instruction& insn, unsigned repeat, MaskWords mask) {
         return is_16_bit(insn) && repeat >= 2 ? MaskWords{mask.low, mask.high} : mask;
       });
     }},
    {"src1 walks with the strides of src0",
     [](const Program& program) { return each_changed(program, strides_of_src0); }},
    {"i32 is gated by slots one further",
     [](const Program& program) {
       return with_masks(
           program,
           [](MaskWords mask) {
             return MaskWords{mask.high >> 1, mask.low >> 1 | mask.high << 63};
           },
           [](const Instruction& insn) { return insn.dst_type == Element::i32; });
     }},
    {"vmax of i32 is vmin",
     [](const Program& program) {
       return each_changed(program, [](Instruction& insn) {
         if (insn.op == Op::vmax && insn.dst_type == Element::i32) insn.op = Op::vmin;
       });
     }},
    {"set_mask sets slot 0 always",
     [](const Program& program) {
       return each_changed(program, [](Instruction& insn) {
         if (insn.op == Op::set_mask) insn.low |= 1;
       });
     }},
    {"a block of f32 is gated by its first slot",
     [](const Program& program) {
       const auto by_first = [](std::uint64_t word) { return (word & 0x0101010101010101) * 0xff; };
       return with_masks(
           program,
           [&](MaskWords mask) {
             return MaskWords{by_first(mask.high), by_first(mask.low)};
           },
           [](const Instruction& insn) { return insn.dst_type == Element::f32; });
     }},
    {"the last of more than two repeats is left out",
     [](const Program& program) {
       return each_changed(program, [](Instruction& insn) {
         if (is_elementwise(insn) && insn.repeat > 2) --insn.repeat;
       });
     }},
    {"the block stride of dst is always 1",
     [](const Program& program) {
       return each_changed(program, [](Instruction& insn) {
         if (is_elementwise(insn)) insn.operands[0].block_stride = 1;
       });
     }},
};

class Unforeseen : public testing::TestWithParam<Fault> {};

TEST_P(Unforeseen, HasOneIdWhateverTheSeed) {
  expect_same_ids(that_runs(GetParam().change), GetParam().name, 150, {2, 3, 4});
}

INSTANTIATE_TEST_SUITE_P(StableId, Unforeseen, testing::ValuesIn(kFaults));

/// The backend under another name and version.
TEST(StableId, DoesNotDependOnTheNameOfTheBackend) {
  const ProgramChange change = kFaults[0].change;
  Backend renamed = that_runs(change);
  renamed.name = "cmd: another build";
  EXPECT_EQ(shown(ids(renamed, 1, 150)), shown(ids(that_runs(change), 1, 150)));
}

}  // namespace stable_id_test
}  // namespace lanecheck
