#include "fuzz/explain/questions/asked_backend.h"
#include "fuzz/explain/questions/digit.h"

#include <algorithm>

namespace lanecheck {
namespace {

bool is_hexadecimal(char c) {
  return is_digit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
}

/// How many characters the hexadecimal number at the front of `text` has: 0x and digits, or at least eight
/// digits with a decimal one among them. 0 if the text has none.
std::size_t length_of_number(std::string_view text) {
  const bool prefixed = text.starts_with("0x") || text.starts_with("0X");
  const std::size_t start = prefixed ? 2 : 0;
  std::size_t end = start;
  while (end < text.size() && is_hexadecimal(text[end])) ++end;
  if (prefixed) return end;
  return end >= 8 && std::ranges::any_of(text.substr(0, end), is_digit) ? end : 0;
}

/// The length of the name in quotes that begins at `at`, such as bf16 in 'bf16': a letter, then letters and
/// digits. 0 if none begins there.
std::size_t length_of_name(std::string_view text, std::size_t at) {
  if (at == 0 || (text[at - 1] != '\'' && text[at - 1] != '"') || !is_letter(text[at])) return 0;
  std::size_t end = at;
  while (end < text.size() && (is_letter(text[end]) || is_digit(text[end]))) ++end;
  return end < text.size() && text[end] == text[at - 1] ? end - at : 0;
}

constexpr std::string_view kLate = "missed its deadline";

/// The text of a failure without the length of a deadline.
std::string without_deadline(std::string text) {
  if (text.starts_with(kLate)) text.erase(kLate.size(), text.find(':') - kLate.size());
  return text;
}

}  // namespace

bool is_late(const Outcome& outcome) {
  const auto* errored = std::get_if<Errored>(&outcome);
  return errored != nullptr && errored->what.starts_with(kLate);
}

std::string failure_kind(const Outcome& outcome) {
  const auto* errored = std::get_if<Errored>(&outcome);
  const auto* refused = std::get_if<Refused>(&outcome);
  if (errored == nullptr && refused == nullptr) return {};
  std::string kind = errored != nullptr ? "backend-failure" : "refuses-legal-program";
  kind += '-';
  const std::string whole = without_deadline(errored != nullptr ? errored->what : refused->why);
  const std::string_view text = whole;
  for (std::size_t at = 0; at < text.size() && kind.size() < 80;) {
    if (const std::size_t length = length_of_number(text.substr(at)); length > 0) {
      if (kind.back() != '-') kind += '-';
      at += length;
      continue;
    }
    if (const std::size_t length = length_of_name(text, at); length > 0) {
      for (const char c : text.substr(at, length))
        kind += static_cast<char>(c | 0x20);  // digits have this bit
      at += length;
      continue;
    }
    const char c = text[at++];
    if (is_letter(c))
      kind += static_cast<char>(c | 0x20);
    else if (kind.back() != '-')
      kind += '-';
  }
  while (kind.back() == '-') kind.pop_back();
  return kind;
}

std::size_t hash_of(const Program& program) {
  const auto* bytes = reinterpret_cast<const char*>(program.ub.data());
  std::size_t hash = std::hash<std::string_view>{}({bytes, program.ub.size()});
  const auto add = [&](std::uint64_t value) { hash = (hash ^ value) * 0x9e3779b97f4a7c15; };
  for (const Instruction& insn : program.instructions) {
    for (const auto kind : {static_cast<unsigned>(insn.op), static_cast<unsigned>(insn.dst_type),
                            static_cast<unsigned>(insn.src_type), static_cast<unsigned>(insn.round),
                            static_cast<unsigned>(insn.compare), static_cast<unsigned>(insn.mask_from)})
      add(kind);
    for (const std::uint64_t value : {std::uint64_t{insn.repeat}, insn.low, insn.high, insn.scalar.bits})
      add(value);
    for (const std::uint32_t setting : insn.settings) add(setting);
    for (const std::uint32_t length : insn.lengths) add(length);
    for (const Operand& operand : insn.operands) {
      add(operand.offset + (std::uint64_t{operand.allocation} << 32));
      add(operand.block_stride + (std::uint64_t{operand.repeat_stride} << 32));
    }
  }
  return hash;
}

namespace {

constexpr std::size_t kMostKeptBytes = std::size_t{32} << 20;

}  // namespace

BackendAnswer AskedBackend::ask_anew(const Program& program) {
  BackendAnswer answer;
  if (backend_.capabilities.include_all_of(program)) {
    answer.outcome = backend_.run(program, answer.state);
    ++questions_;
  } else {
    answer.outcome = Skipped{"an instruction is not on offer"};
  }
  if (!answer.ran()) answer.state.ub = program.ub;  // also what compares it then stays inside of it
  if (const auto* errored = std::get_if<Errored>(&answer.outcome)) restarts_ += errored->died ? 1 : 0;
  return answer;
}

BackendAnswer AskedBackend::ask(const Program& program) {
  if (const auto known = kept_.find(hash_of(program));
      known != kept_.end() && known->second.program == program)
    return known->second.answer;
  remember(program, ask_anew(program));
  return kept_.at(hash_of(program)).answer;
}

void AskedBackend::remember(const Program& program, BackendAnswer answer) {
  if (kept_bytes_ > kMostKeptBytes) {
    kept_.clear();
    kept_bytes_ = 0;
  }
  const auto bytes_of = [](const Kept& kept) {
    const Program& asked = kept.program;
    return asked.ub.size() + asked.instructions.size() * sizeof(Instruction) +
           asked.allocations.size() * sizeof(Allocation) + kept.answer.state.ub.size() + sizeof(Kept);
  };
  const auto [at, is_new] = kept_.try_emplace(hash_of(program));
  if (!is_new) kept_bytes_ -= bytes_of(at->second);
  at->second = {program, std::move(answer)};
  kept_bytes_ += bytes_of(at->second);
}

}  // namespace lanecheck
