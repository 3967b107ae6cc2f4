// The public face of the oracle (include/lanecheck/oracle.h).
#include "lanecheck/oracle.h"

#include <algorithm>
#include <cstring>

#include "oracle/compare/compare.h"
#include "oracle/execute/execute.h"
#include "spec/legality/find_fault.h"
#include "spec/program/input_error.h"
#include "spec/program/profile.h"
#include "spec/text/program_text.h"

namespace lanecheck::oracle {
namespace {

Semantics semantics_of(const Program& program) {
  if (const std::string fault = program.fault(); !fault.empty()) throw Error("illegal program: " + fault);
  return Semantics(default_readings(program.data().profile));
}

std::vector<std::uint8_t> to_numbers(const std::vector<std::byte>& bytes) {
  std::vector<std::uint8_t> numbers(bytes.size());
  std::ranges::transform(bytes, numbers.begin(),
                         [](std::byte each) { return std::to_integer<std::uint8_t>(each); });
  return numbers;
}

std::vector<std::byte> to_bytes(const std::vector<std::uint8_t>& numbers) {
  std::vector<std::byte> bytes(numbers.size());
  std::ranges::transform(numbers, bytes.begin(), [](std::uint8_t each) { return std::byte{each}; });
  return bytes;
}

}  // namespace

Program::Program(const std::string& text) try
    : data_(std::make_shared<lanecheck::Program>(parse_program(text, "program"))) {
} catch (const InputError& error) {
  throw Error(error.what());
}

std::string Program::text() const {
  return print(*data_);
}

std::string Program::fault() const {
  const auto fault = find_fault(*data_);
  return fault ? describe(*data_, *fault) : "";
}

std::vector<std::uint8_t> Program::initial_ub() const {
  return to_numbers(data_->ub);
}

void Program::set_initial_ub(const std::vector<std::uint8_t>& bytes) {
  if (bytes.size() != data_->ub.size())
    throw Error("UB has " + std::to_string(data_->ub.size()) + " bytes, not " + std::to_string(bytes.size()));
  data_ = std::make_shared<lanecheck::Program>(*data_);  // copies of this program keep their UB
  data_->ub = to_bytes(bytes);
}

State run(const Program& program) {
  lanecheck::State state;
  execute(program.data(), semantics_of(program), state);
  return {to_numbers(state.ub), {state.mask.begin(), state.mask.end()}};
}

Comparison compare(const Program& program, const State& actual) {
  const Semantics semantics = semantics_of(program);
  if (actual.ub.size() != program.data().ub.size())
    throw Error("UB has " + std::to_string(program.data().ub.size()) + " bytes, not " +
                std::to_string(actual.ub.size()));
  lanecheck::State state;
  state.ub = to_bytes(actual.ub);
  if (!actual.mask.empty() && actual.mask.size() != state.mask.size())
    throw Error("the mask has 256 slots, not " + std::to_string(actual.mask.size()));
  std::ranges::copy(actual.mask, state.mask.begin());
  const lanecheck::Comparison found =
      lanecheck::compare(program.data(), semantics, state, Shown(!actual.mask.empty(), false));
  return {found.agrees, found.mask_differs, found.bytes};
}

}  // namespace lanecheck::oracle
