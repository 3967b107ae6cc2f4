// libFuzzer: both sides of the protocol read whatever text they are sent, and either take it or throw a
// ProtocolError. The side that serves also runs the programs on the example simulator and answers. The first
// byte of the input chooses the reader.
#include <cstdint>

#include "fuzz/backend/example_backend.h"
#include "fuzz/backend/message.h"
#include "fuzz/backend/process_backend.h"

namespace lanecheck {
namespace {

/// Two small programs, to which the input is the answer.
void answer(std::string_view line, Encoding encoding) {
  std::vector<Program> programs(2);
  for (Program& program : programs) program.ub.assign(64, std::byte{1});
  std::vector<State> states(programs.size());
  std::vector<Outcome> outcomes(programs.size());
  const Batch batch{programs, states, outcomes};
  const std::size_t raw = read_answers(line, 1, encoding, batch, {true, true});
  if (raw > 0) fill_images(std::string(raw, 'x'), batch);
}

/// What `lanecheck serve` does with a line.
void serve(std::string_view line) {
  static const Backend backend = example_backend();
  static Responder responder(backend);
  Request request = read_request(line);
  if (request.raw > 0) fill_images(std::string(request.raw, 'x'), request);
  responder.answer(request);
}

void read(std::uint8_t reader, std::string_view line) {
  switch (reader % 4) {
    case 0:
      return serve(line);
    case 1:
      read_hello(line);
      return;
    case 2:
      return answer(line, Encoding::hex);
    case 3:
      return answer(line, Encoding::bytes);
  }
}

}  // namespace
}  // namespace lanecheck

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  try {
    lanecheck::read(data[0], {reinterpret_cast<const char*>(data) + 1, size - 1});
  } catch (const lanecheck::ProtocolError&) {  // the only exception that a peer may cause
  }
  return 0;
}
