#include "fuzz/doctor/instruction_check.h"

#include <algorithm>
#include <array>
#include <set>

#include "fuzz/doctor/question_kit.h"
#include "fuzz/identify/probes/shapes.h"
#include "spec/mask/footprint.h"
#include "spec/text/program_text.h"

namespace lanecheck {
namespace {

/// The elements of dst differ from what most instructions make of the sources, and the sources from each
/// other: their difference is not 0.
double value_at(const Row& row, unsigned operand, std::uint32_t n) {
  if (operand == 2) return 3 + n % 2;
  return (operand == 0 && row.writes_dst() ? 80 : 1) + n % 5;
}

/// Each operand has an allocation of its own, and room behind it as in the questions. The offsets that
/// address bytes name one element, or one data block, after the other.
Program plain_program(Profile profile, const Row& row, const TypePair& types) {
  Subject subject = in_a_row(default_subject(profile, row, types), 1);
  for (unsigned n = 0; n < row.lengths; ++n) subject.insn.lengths[n] = 8;
  if (row.mask == MaskUse::is_mask_state) subject.insn.low = subject.insn.settings[0] = 1;
  if (!has_form(mask_forms(row, profile), MaskFrom::reg)) {
    subject.insn.mask_from = MaskFrom::contiguous;
    subject.insn.low = lanes_of(subject.insn);
  }
  Program program{profile, {}, {subject.insn}, {}};
  Instruction& insn = program.instructions.front();
  std::uint32_t end = 0;
  for (unsigned k = 0; k < row.operands.size(); ++k) {
    const Element type = operand_type(insn, row.operands[k]);
    const std::uint64_t needed =
        row.operands[k].walk == Walk::indexed ? std::uint64_t{kRepeatBytes} : extent(insn, k, lanes_of(insn));
    const auto bytes = static_cast<std::uint32_t>((needed + kBlockBytes - 1) / kBlockBytes * kBlockBytes);
    insn.operands[k].allocation = static_cast<std::uint16_t>(k);
    program.allocations.push_back({std::string(row.operands[k].role), type, end, bytes});
    program.ub.resize(end + std::max(bytes, kRoom) + kBlockBytes);
    for (std::uint32_t n = 0; n < bytes / size_of(type); ++n) put_element(program, k, n, value_at(row, k, n));
    if (indexed_operand(row) && k == kOffsetsOperand)
      for (std::uint32_t n = 0; n < offsets_per_repeat(insn); ++n)
        store<std::uint32_t>(&program.ub[end + 4 * n], n * bytes_per_offset(insn));
    end = static_cast<std::uint32_t>(program.ub.size());
  }
  if (program.ub.empty()) program.ub.resize(kBlockBytes);
  return program;
}

bool changed_dst(const Program& program, const State& state) {
  const Allocation& dst = program.allocations.front();
  const auto begin = static_cast<std::ptrdiff_t>(dst.offset);
  return !std::equal(program.ub.begin() + begin, program.ub.begin() + begin + dst.bytes,
                     state.ub.begin() + begin);
}

bool writes_dst(const Program& program) {
  return row_of(program.instructions.front().op).writes_dst();
}

/// The faults of the instructions that were asked so far.
class FaultList {
 public:
  FaultList(const Backend& backend, InstructionCheck& check) : backend_(backend), check_(check) {}

  void add(InstructionFault::Kind kind, const std::string& what, const std::string& mnemonic) {
    const auto same = std::ranges::find_if(
        check_.faults, [&](const InstructionFault& each) { return each.kind == kind && each.what == what; });
    if (same != check_.faults.end()) return same->instructions.push_back(mnemonic);
    check_.faults.push_back({kind, what, {mnemonic}});
  }

  void judge(const PlainProgram& plain, const Outcome& outcome, const State& state) {
    using enum InstructionFault::Kind;
    if (std::holds_alternative<NotRun>(outcome)) return;
    ++check_.asked;
    if (const auto* errored = std::get_if<Errored>(&outcome))
      return add(fails, errored->what, plain.mnemonic);
    if (const auto* no = std::get_if<Refused>(&outcome)) return add(refused, no->why, plain.mnemonic);
    if (const auto* later = std::get_if<Skipped>(&outcome)) return add(skipped, later->why, plain.mnemonic);
    if (!writes_dst(plain.program)) return;
    ++check_.writers;
    if (changed_dst(plain.program, state) || writes_over_zeros(plain.program) ||
        writes_negated(plain.program))
      return;
    const Instruction& insn = plain.program.instructions.front();
    if (insn.mask_from != MaskFrom::contiguous || !writes_fewer_lanes(plain.program))
      return add(writes_nothing, {}, plain.mnemonic);
    add(not_under_full_length, std::to_string(insn.low), plain.mnemonic);
  }

 private:
  bool writes(const Program& program) const {
    State state;
    Outcome outcome;
    run_all(backend_, {{&program, 1}, {&state, 1}, {&outcome, 1}});
    return std::holds_alternative<Ran>(outcome) && changed_dst(program, state);
  }

  /// Does the instruction write dst if that holds zeros? The greater one of a result and old dst may be old
  /// dst.
  bool writes_over_zeros(Program program) const {
    const Allocation& dst = program.allocations.front();
    std::fill_n(program.ub.begin() + dst.offset, dst.bytes, std::byte{0});
    return writes(program);
  }

  /// Does the instruction write dst if its sources have the other sign? It may write some values alone.
  bool writes_negated(Program program) const {
    const Row& row = row_of(program.instructions.front().op);
    for (unsigned k = 1; k < row.operands.size(); ++k) {
      if (row.operands[k].type != TypeOf::src) continue;
      const std::uint32_t size = size_of(program.instructions.front().src_type);
      for (std::uint32_t n = 0; n < program.allocations[k].bytes / size; ++n)
        put_element(program, k, n, -value_at(row, k, n));
    }
    return writes(program);
  }

  /// Does the instruction write dst under a contiguous mask of one lane less, or of 5 lanes?
  bool writes_fewer_lanes(const Program& program) const {
    return std::ranges::any_of(std::array{program.instructions.front().low - 1, std::uint64_t{5}},
                               [&](std::uint64_t lanes) {
                                 Program fewer = program;
                                 fewer.instructions.front().low = lanes;
                                 return writes(fewer);
                               });
  }

  const Backend& backend_;
  InstructionCheck& check_;
};

std::string listed(const std::vector<std::string>& names) {
  constexpr std::size_t kMost = 6;
  std::string text;
  for (std::size_t n = 0; n < names.size() && n < kMost; ++n) text.append(n > 0 ? ", " : "").append(names[n]);
  if (names.size() > kMost) text.append(" and " + std::to_string(names.size() - kMost) + " more");
  return text;
}

/// Does `what` begin with the name of an exception?
bool names_exception(std::string_view what) {
  const std::string_view name = what.substr(0, what.find_first_of(": "));
  return name.ends_with("Error") || name.ends_with("Exception");
}

}  // namespace

std::vector<PlainProgram> plain_programs(const Capabilities& offers, std::span<const Profile> profiles) {
  std::vector<PlainProgram> plain;
  std::set<std::string> seen;
  for (const Profile profile : profiles)
    for (const Row& row : instruction_table()) {
      if (!row.in(profile).offered) continue;
      const auto add = [&](const TypePair& types) {
        Program program = plain_program(profile, row, types);
        const Instruction& insn = program.instructions.front();
        if (offers.include(insn, profile) && seen.insert(mnemonic(insn)).second)
          plain.push_back({mnemonic(insn), std::move(program)});
      };
      if (!row.typed()) add({});
      for (const TypePair& types : row.in(profile).pairs) add(types);
    }
  return plain;
}

InstructionCheck check_instructions(const Backend& backend, std::span<const Profile> profiles) {
  InstructionCheck check;
  FaultList faults(backend, check);
  std::set<Op> seen, deadly;
  std::vector<PlainProgram> first, others;
  for (PlainProgram& each : plain_programs(backend.capabilities, profiles))
    (seen.insert(each.program.instructions.front().op).second ? first : others).push_back(std::move(each));
  const auto ask = [&](const std::vector<PlainProgram>& plain) {
    std::vector<Program> programs;
    for (const PlainProgram& each : plain) programs.push_back(each.program);
    std::vector<State> states(programs.size());
    std::vector<Outcome> outcomes(programs.size());
    run_all(backend, {programs, states, outcomes});
    for (std::size_t n = 0; n < plain.size(); ++n) {
      faults.judge(plain[n], outcomes[n], states[n]);
      const auto* errored = std::get_if<Errored>(&outcomes[n]);
      if (errored != nullptr && errored->died) deadly.insert(programs[n].instructions.front().op);
    }
  };
  ask(first);
  std::set<std::string> left_out;
  std::erase_if(others, [&](const PlainProgram& each) {
    const Op op = each.program.instructions.front().op;
    if (!deadly.contains(op)) return false;
    left_out.insert(std::string(row_of(op).name));
    return true;
  });
  check.types_not_asked.assign(left_out.begin(), left_out.end());
  ask(others);
  return check;
}

std::string sentence_of(const InstructionFault& fault) {
  const bool one = fault.instructions.size() == 1;
  const std::string names = listed(fault.instructions);
  switch (fault.kind) {
    case InstructionFault::Kind::fails:
      if (names_exception(fault.what)) return names + (one ? " raises " : " raise ") + fault.what;
      return names + (one ? " fails: " : " fail: ") + fault.what;
    case InstructionFault::Kind::refused:
      return names + (one ? " is" : " are") + " refused, though the program is legal: " + fault.what;
    case InstructionFault::Kind::skipped:
      return names + (one ? " is" : " are") + " on offer, but the backend skips " +
             (one ? "it: " : "them: ") + fault.what;
    case InstructionFault::Kind::writes_nothing:
      return names + (one ? " leaves" : " leave") + " dst as it was, though all lanes are active";
    case InstructionFault::Kind::not_under_full_length:
      return names + (one ? " writes" : " write") + " nothing under a contiguous mask of " + fault.what +
             ", which is all lanes, though fewer lanes are written";
  }
  return {};
}

}  // namespace lanecheck
