// The tests of the example: its own, one that asks the oracle, and the documented rules.
#include "my_simulator.h"

#include <gtest/gtest.h>
#include <lanecheck/gtest.h>
#include <lanecheck/oracle.h>

LANECHECK_TEST(MySimulator,
               lanecheck::rules::Simulator(run, {{"set_mask", nullptr, nullptr},
                                                 {"reset_mask", nullptr, nullptr},
                                                 {"add", "i32", "i32"}}),
               lanecheck::rules::Settings{});

namespace oracle = lanecheck::oracle;

const oracle::Program kAdd(
    "ub 512\nalloc a i32 0 256 = 1 x64\nalloc b i32 256 256 = 2 x64\nset_mask high=0x0 low=0xf\n"
    "add.i32 a+0 blk=1 rep=8, a+0 blk=1 rep=8, b+0 blk=1 rep=8, repeat=1\n");

TEST(Oracle, TellsWhatMustBeThere) {
  oracle::State state = oracle::run(kAdd);
  EXPECT_EQ(state.ub[0], 3);   // lane 0 is on: 1 + 2
  EXPECT_EQ(state.ub[12], 3);  // lane 3 is the last one
  EXPECT_EQ(state.ub[16], 1);  // lane 4 keeps its 1
  EXPECT_EQ(state.mask.at(3), 1);
  EXPECT_EQ(state.mask.at(4), 0);
  EXPECT_TRUE(compare(kAdd, state).agrees);
  state.ub[16] = 3;  // a masked-off lane was written
  EXPECT_FALSE(compare(kAdd, state).agrees);
  EXPECT_EQ(compare(kAdd, state).bytes, std::vector<std::uint32_t>{16});
}

TEST(Oracle, RefusesWhatIsNoProgram) {
  EXPECT_THROW(oracle::Program("ub 64\nno_such\n"), oracle::Error);
  oracle::Program other = kAdd;
  EXPECT_THROW(other.set_initial_ub({1, 2}), oracle::Error);
  other.set_initial_ub(std::vector<std::uint8_t>(512, 0));
  EXPECT_EQ(oracle::run(other).ub[0], 0);
  EXPECT_EQ(oracle::run(kAdd).ub[0], 3) << "a copy has a UB of its own";
  EXPECT_NE(
      oracle::Program(
          "ub 64\nalloc a i32 0 32\nadd.i32 a+4 blk=1 rep=8, a+0 blk=1 rep=8, a+0 blk=1 rep=8, repeat=1\n")
          .fault(),
      "");
}
