// lanecheck serve: a built-in backend that speaks the backend protocol.
#include <iostream>
#include <memory>

#include "fuzz/backend/process_backend.h"
#include "fuzz/command/options.h"
#include "fuzz/command/standard_output.h"
#include "fuzz/recorded/record.h"
#include "reports/exit_code.h"

namespace lanecheck {
namespace {

struct ServeCommand {
  std::string backend = "example";
  bool hex_only = false;  ///< do not take images as bytes
  bool recorded = false;  ///< answer recorded questions instead of messages
};

/// Reads the questions of `lanecheck gen --questions` and prints them with their results.
int answer_questions(const Backend& backend) {
  std::string line;
  State state;
  for (std::uint64_t number = 1; !output_is_lost() && next_line(std::cin, line); ++number) {
    const RecordedQuestion question = read_question(line, "line " + std::to_string(number));
    const Outcome outcome = backend.run(question.program, state);
    std::cout << answer_line(question.program, question.id, question.of, outcome, state,
                             {backend.shows_mask, backend.shows_mode});
  }
  return kConforms;
}

}  // namespace

void add_serve(CommandLine& line) {
  Command command =
      line.add("serve", "answer the backend protocol on standard input and output with a built-in backend");
  const auto given = std::make_shared<ServeCommand>();
  command.text("--backend,-b", given->backend, "the backend that answers: example, oracle, or wrong:ID");
  command.flag("--hex-only", given->hex_only, "take images of UB as hexadecimal digits only");
  command.flag("--recorded", given->recorded,
               "answer the questions of `lanecheck gen --questions` instead of protocol messages");
  command.footer(
      "Examples:\n  lanecheck run --backend 'cmd: lanecheck serve --backend wrong:cadd-keeps-dst'\n"
      "  lanecheck gen --questions | lanecheck serve --recorded | lanecheck judge -");
  command.action([given] {
    const Backend backend = named_backend(given->backend);
    return given->recorded ? answer_questions(backend) : serve(backend, given->hex_only);
  });
}

}  // namespace lanecheck
