// Programs for tests: place data in UB, say the instructions, run, look at UB.
#pragma once

#include <algorithm>
#include <initializer_list>
#include <vector>

#include "fuzz/simulator/simulator.h"
#include "spec/text/half_float.h"

namespace lanecheck::simulator {

/// f16 and bf16 are shown as float.
template <class T>
using Shown = std::conditional_t<is_half_width_float<T>, float, T>;

template <class T>
Shown<T> shown(T value) {
  if constexpr (is_float_v<T>)
    return as_float(value);
  else
    return value;
}

template <class T>
T stored(Shown<T> value) {
  if constexpr (is_float_v<T>)
    return rounded_to<T>(value);
  else
    return value;
}

template <class T>
std::vector<Shown<T>> count_of(std::size_t n, Shown<T> value) {
  return std::vector<Shown<T>>(n, value);
}

class TestProgram {
 public:
  /// A new allocation with these elements, padded with zeros to whole blocks; walked contiguously.
  template <class T>
  Operand place(const std::vector<Shown<T>>& values) {
    const auto offset = static_cast<std::uint32_t>(program_.ub.size());
    const std::size_t blocks = (values.size() * sizeof(T) + kBlockBytes - 1) / kBlockBytes;
    program_.ub.resize(offset + blocks * kBlockBytes);
    for (std::size_t n = 0; n < values.size(); ++n)
      store(&program_.ub[offset + n * sizeof(T)], stored<T>(values[n]));
    const auto number = static_cast<std::uint16_t>(program_.allocations.size());
    program_.allocations.push_back(
        {"data", Element::u8, offset, static_cast<std::uint32_t>(blocks * kBlockBytes)});
    return {number, 0, 1, 8};
  }

  /// `values`, then zeros up to `n` elements.
  template <class T>
  Operand place_padded(std::vector<Shown<T>> values, std::size_t n) {
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
    simulator::run(program_, state_);
    return state_;
  }

  /// `n` elements from the start of an operand, after run.
  template <class T>
  std::vector<Shown<T>> read(const Operand& operand, std::size_t n) const {
    const std::byte* start = state_.ub.data() + start_of(program_, operand);
    std::vector<Shown<T>> values;
    for (std::size_t k = 0; k < n; ++k) values.push_back(shown(load<T>(start + k * sizeof(T))));
    return values;
  }

 private:
  Program program_;
  State state_;
};

}  // namespace lanecheck::simulator
