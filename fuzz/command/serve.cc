// lanecheck serve: a built-in backend that speaks the backend protocol.
#include <memory>

#include "fuzz/backend/process_backend.h"
#include "fuzz/command/options.h"

namespace lanecheck {
namespace {

struct ServeCommand {
  std::string backend = "example";
  bool hex_only = false;  ///< do not take images as bytes
};

}  // namespace

void add_serve(CommandLine& line) {
  Command command =
      line.add("serve", "answer the backend protocol on standard input and output with a built-in backend");
  const auto given = std::make_shared<ServeCommand>();
  command.text("--backend,-b", given->backend, "the backend that answers: example, oracle, or wrong:ID");
  command.flag("--hex-only", given->hex_only, "take images of UB as hexadecimal digits only");
  command.footer("Example:\n  lanecheck run --backend 'cmd: lanecheck serve --backend wrong:cadd-keeps-dst'");
  command.action([given] { return serve(named_backend(given->backend), given->hex_only); });
}

}  // namespace lanecheck
