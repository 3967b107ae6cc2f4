// libFuzzer: case files, programs as JSON and programs as text. Whatever is read is either taken or refused
// with an InputError, and what is taken is read back as the same program.
#include <cstdint>
#include <cstdlib>

#include "corpus/case.h"
#include "spec/program/input_error.h"
#include "spec/text/program_text.h"

namespace lanecheck {
namespace {

/// What lanecheck prints it must read.
template <class Check>
void must_hold(Check check) {
  try {
    if (check()) return;
  } catch (const InputError&) {
  }
  std::abort();
}

void read_case(std::string_view text) {
  const Case read = parse_case(text, "fuzzer");
  must_hold([&] { return parse_case(print_case(read), "printed").program == read.program; });
}

void read_text(std::string_view text) {
  const Program read = parse_program(text, "fuzzer");
  must_hold([&] { return parse_program(print(read), "printed") == read; });
}

}  // namespace
}  // namespace lanecheck

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  try {
    text.starts_with('{') ? lanecheck::read_case(text) : lanecheck::read_text(text);
  } catch (const lanecheck::InputError&) {  // the only exception that a file may cause
  }
  return 0;
}
