// What a program must do, in C++: the oracle of lanecheck for the unit tests of a simulator. C++17.
//
//   const lanecheck::oracle::Program program(
//       "ub 512\nalloc a i32 0 256 = 1 x64\nalloc b i32 256 256 = 2 x64\nset_mask high=0x0 low=0xf\n"
//       "add.i32 a+0 blk=1 rep=8, a+0 blk=1 rep=8, b+0 blk=1 rep=8, repeat=1\n");
//   State state = my_simulator(program.initial_ub());
//   EXPECT_TRUE(compare(program, state).agrees);
//
// CMake: target_link_libraries(my_tests PRIVATE lanecheck::oracle). Version 1 of this interface.
#ifndef LANECHECK_ORACLE_H
#define LANECHECK_ORACLE_H

#include <cstdint>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#define LANECHECK_ORACLE_VERSION 1

namespace lanecheck {
struct Program;
}

namespace lanecheck::oracle {

/// A text is no program, or a program is illegal where it must be legal. what() says where and why.
class Error : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// A program: the first bytes of UB, then instructions. `lanecheck offers` lists the instructions.
class Program {
 public:
  /// Reads the text that lanecheck prints. Throws Error.
  explicit Program(const std::string& text);

  std::string text() const;
  /// Why the program is illegal under its profile, in one sentence. Empty if it is legal.
  std::string fault() const;
  /// All of UB before the first instruction.
  std::vector<std::uint8_t> initial_ub() const;
  /// Throws Error if the size is not that of UB.
  void set_initial_ub(const std::vector<std::uint8_t>& bytes);

  const lanecheck::Program& data() const { return *data_; }  ///< of lanecheck itself

 private:
  std::shared_ptr<lanecheck::Program> data_;
};

/// What a program leaves behind.
struct State {
  std::vector<std::uint8_t> ub;    ///< all of UB
  std::vector<std::uint8_t> mask;  ///< 256 slots of 0 or 1. Empty: the simulator does not show its mask
};

/// What must be there after the program. Throws Error if the program is illegal.
State run(const Program& program);

struct Comparison {
  bool agrees = true;
  bool mask_differs = false;
  std::vector<std::uint32_t>
      bytes;  ///< offsets in UB of the bytes that the documents do not allow, ascending
};

/// Compares what a simulator left with what the documents allow: some results may be any NaN, or some ULPs
/// off. Throws Error if the program is illegal or if `actual` has the wrong size.
Comparison compare(const Program& program, const State& actual);

}  // namespace lanecheck::oracle
#endif
