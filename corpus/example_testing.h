// Worked examples: place data in UB, list the instructions, run, look at UB. Each example runs on the oracle
// and on the example simulator, which share no code.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <initializer_list>
#include <vector>

#include "fuzz/simulator/simulator.h"
#include "oracle/execute/execute.h"
#include "spec/program/element.h"
#include "spec/program/profile.h"
#include "spec/text/half_float.h"

namespace lanecheck {

struct Executor {
  std::string_view name;
  void (*run)(const Program&, State&);
};

inline void PrintTo(const Executor& executor, std::ostream* out) {
  *out << executor.name;
}

inline void run_oracle(const Program& program, State& state) {
  execute(program, Semantics(default_readings(program.profile)), state);
}

inline constexpr Executor kExecutors[] = {{"Oracle", run_oracle}, {"ExampleSimulator", simulator::run}};

/// The fixture of a suite of examples: its tests are TEST_P and use `program`.
class WorkedExample : public testing::TestWithParam<Executor> {};

#define LANECHECK_ON_BOTH_EXECUTORS(Suite)                           \
  INSTANTIATE_TEST_SUITE_P(On, Suite, testing::ValuesIn(kExecutors), \
                           [](const auto& each) { return std::string(each.param.name); })

/// f16 and bf16 are shown as float.
template <class T>
using ValueOf = std::conditional_t<is_half_width_float<T>, float, T>;

template <class T>
ValueOf<T> value_of(T value) {
  if constexpr (is_float_v<T>)
    return as_float(value);
  else
    return value;
}

template <class T>
T stored(ValueOf<T> value) {
  if constexpr (is_float_v<T>)
    return rounded_to<T>(value);
  else
    return value;
}

template <class T>
std::vector<ValueOf<T>> count_of(std::size_t n, ValueOf<T> value) {
  return std::vector<ValueOf<T>>(n, value);
}

class ExampleProgram {
 public:
  explicit ExampleProgram(const Executor& executor) : executor_(executor) {}

  /// A new allocation with these elements, padded with zeros to whole blocks; walked contiguously.
  template <class T>
  Operand place(const std::vector<ValueOf<T>>& values) {
    const auto offset = static_cast<std::uint32_t>(program_.ub.size());
    const auto bytes = static_cast<std::uint32_t>(in_whole_blocks(values.size() * sizeof(T)));
    program_.ub.resize(offset + bytes);
    for (std::size_t n = 0; n < values.size(); ++n)
      store(&program_.ub[offset + n * sizeof(T)], stored<T>(values[n]));
    const auto number = static_cast<std::uint16_t>(program_.allocations.size());
    program_.allocations.push_back({"data", Element::u8, offset, bytes});
    return {number, 0, 1, 8};
  }

  /// `values`, then zeros up to `n` elements.
  template <class T>
  Operand place_padded(std::vector<ValueOf<T>> values, std::size_t n) {
    values.resize(n);
    return place<T>(values);
  }

  Instruction& add(Op op, Element dst_type, Element src_type, std::initializer_list<Operand> operands) {
    Instruction& insn = program_.instructions.emplace_back();
    insn.op = op;
    insn.dst_type = dst_type;
    insn.src_type = src_type;
    std::copy(operands.begin(), operands.end(), insn.operands.begin());
    return insn;
  }

  Instruction& add(Op op, Element type, std::initializer_list<Operand> operands) {
    return add(op, type, type, operands);
  }

  void set_mask(std::uint64_t high, std::uint64_t low) {
    Instruction& insn = program_.instructions.emplace_back();
    insn.op = Op::set_mask;
    insn.high = high;
    insn.low = low;
  }

  const State& run() {
    executor_.run(program_, state_);
    return state_;
  }

  /// `n` elements from the start of an operand, after run.
  template <class T>
  std::vector<ValueOf<T>> read(const Operand& operand, std::size_t n) const {
    const std::byte* start = state_.ub.data() + start_of(program_, operand);
    std::vector<ValueOf<T>> values;
    for (std::size_t k = 0; k < n; ++k) values.push_back(value_of(load<T>(start + k * sizeof(T))));
    return values;
  }

 private:
  Executor executor_;
  Program program_;
  State state_;
};

}  // namespace lanecheck
