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

namespace {

constexpr std::size_t kMostKeptBytes = std::size_t{64} << 20;

std::size_t hash_of(const Program& program) {
  const auto* bytes = reinterpret_cast<const char*>(program.ub.data());
  std::size_t hash = std::hash<std::string_view>{}({bytes, program.ub.size()});
  const auto add = [&](std::uint64_t value) { hash = (hash ^ value) * 0x9e3779b97f4a7c15; };
  for (const Instruction& insn : program.instructions) {
    add(static_cast<std::uint64_t>(insn.op));
    add(insn.repeat);
    add(insn.low);
    add(insn.high);
    for (const Operand& operand : insn.operands)
      add(operand.offset + (std::uint64_t{operand.block_stride} << 32));
  }
  return hash;
}

}  // namespace

BackendAnswer AskedBackend::ask(const Program& program) {
  if (const auto known = kept_.find(hash_of(program));
      known != kept_.end() && known->second.program == program)
    return known->second.answer;
  BackendAnswer answer;
  answer.outcome = backend_.run(program, answer.state);
  ++questions_;
  if (const auto* errored = std::get_if<Errored>(&answer.outcome)) restarts_ += errored->died ? 1 : 0;
  remember(program, std::move(answer));
  return kept_.at(hash_of(program)).answer;
}

void AskedBackend::remember(const Program& program, BackendAnswer answer) {
  if (kept_bytes_ > kMostKeptBytes) {
    kept_.clear();
    kept_bytes_ = 0;
  }
  kept_bytes_ += program.ub.size() + answer.state.ub.size() + sizeof(Kept);
  kept_.insert_or_assign(hash_of(program), Kept{program, std::move(answer)});
}

}  // namespace lanecheck
