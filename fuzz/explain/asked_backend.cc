#include "fuzz/explain/asked_backend.h"

namespace lanecheck {

std::string failure_kind(const Outcome& outcome) {
  const auto* errored = std::get_if<Errored>(&outcome);
  const auto* refused = std::get_if<Refused>(&outcome);
  if (errored == nullptr && refused == nullptr) return {};
  std::string kind = errored != nullptr ? "backend-failure" : "refuses-legal-program";
  kind += '-';
  for (const char c : errored != nullptr ? errored->what : refused->why) {
    const bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
    if (kind.size() >= 80) break;
    if (letter)
      kind += static_cast<char>(c | 0x20);
    else if (kind.back() != '-')
      kind += '-';
  }
  while (kind.back() == '-') kind.pop_back();
  return kind;
}

BackendAnswer AskedBackend::ask(const Program& program) {
  if (last_program_ && *last_program_ == program) return last_answer_;
  last_program_ = program;
  last_answer_.outcome = backend_.run(program, last_answer_.state);
  if (const auto* errored = std::get_if<Errored>(&last_answer_.outcome)) restarts_ += errored->died ? 1 : 0;
  return last_answer_;
}

}  // namespace lanecheck
