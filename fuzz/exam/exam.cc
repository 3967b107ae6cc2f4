#include "fuzz/exam/exam.h"

#include <algorithm>
#include <utility>

#include "fuzz/backend/message_json.h"
#include "fuzz/recorded/lines.h"
#include "fuzz/recorded/record.h"
#include "oracle/execute/execute.h"
#include "reports/format.h"
#include "spec/legality/find_fault.h"
#include "spec/mask/mask_register.h"
#include "spec/program/input_error.h"
#include "spec/program/profile.h"

namespace lanecheck {
namespace {

bool offers(Op op, Profile profile) {
  return row_of(op).in(profile).offered;
}

/// The first launch from `launch` on that has room, given the bytes that each launch uses.
std::uint32_t place(std::vector<std::uint32_t>& used, std::uint32_t launch, ExamProgram& each) {
  const std::uint32_t bytes = static_cast<std::uint32_t>(in_whole_blocks(each.program.ub.size()));
  for (;; ++launch) {
    if (launch == used.size()) used.push_back(0);
    const std::uint32_t base = used[launch] == 0 ? 0 : used[launch] + kGap;
    if (base + bytes > kMaxUbBytes) continue;
    each.launch = launch;
    each.base = base;
    used[launch] = base + bytes;
    return launch;
  }
}

/// The parts of a launch must not overlap, and the one that needs the start must be the first.
void check_launches(const Exam& exam, const std::string& path) {
  std::uint64_t end = 0;
  for (std::size_t n = 0; n < exam.size(); ++n) {
    const ExamProgram& each = exam[n];
    const bool first = is_first_of_launch(exam, n);
    const std::string id = path + ": id " + std::to_string(n);
    if (each.program.profile != exam.front().program.profile) throw InputError(id, "is of another profile");
    if (each.launch != (n == 0 ? 0 : exam[n - 1].launch + (first ? 1 : 0)))
      throw InputError(id, "the launches are not in their order");
    if (!first && (each.alone || exam[n - 1].alone))
      throw InputError(id, "a program that a machine may refuse must be alone in its launch");
    if (!first && each.needs_start) throw InputError(id, "must be the first program of its launch");
    if (first && each.base != 0)
      throw InputError(id, "is the first program of its launch, so its base must be 0");
    if (!first && (each.base == 0 || each.base < end)) throw InputError(id, "overlaps the program before it");
    end = each.base + each.program.ub.size();
    if (each.base % kBlockBytes != 0 || end > kMaxUbBytes) throw InputError(id, "does not lie in UB");
  }
}

ExamProgram read_line(const std::string& line, const std::string& where, std::size_t id) {
  ExamProgram each;
  RecordedQuestion question = read_question(line, where);
  if (question.id != id) throw InputError(where, "expected the program with id " + std::to_string(id));
  each.program = std::move(question.program);
  const nlohmann::json json = parse_line(line);
  each.alone = flag(json, "alone", false);
  if (const auto fault = find_fault(each.program, default_readings(each.program.profile));
      fault && !each.alone)
    throw InputError(where, "the program is illegal (" + std::string(fault->rule->id) +
                                "), and \"alone\" does not say that it has a launch of its own");
  const auto number = [&](const char* field) {
    const auto found = json.find(field);
    if (found == json.end() || !found->is_number_unsigned() || found->get<std::uint64_t>() > kMaxUbBytes)
      throw InputError(where, std::string("\"") + field + "\" is missing or is no small number; " +
                                  "`lanecheck distill` writes exams");
    return found->get<std::uint32_t>();
  };
  each.launch = number("launch");
  each.base = number("base");
  each.needs_start = flag(json, "needs_start", false);
  return each;
}

}  // namespace

std::vector<Instruction> reset_instructions(Profile profile) {
  std::vector<Instruction> list;
  const ProfileRow& row = row_of(profile);
  if (row.mask_operands == MaskOperands::always) return list;
  if (row.has_modes) list.push_back({.op = Op::set_mask_norm});
  Instruction set{.op = *row.sets_mask, .high = kOnes, .low = kOnes};
  if (const auto types = row_of(set.op).in(profile).pairs; !types.empty() && row_of(set.op).typed()) {
    set.dst_type = types.front().dst;
    set.src_type = types.front().src;
  }
  list.push_back(set);
  if (offers(Op::reset_mask, profile)) list.push_back({.op = Op::reset_mask});
  return list;
}

Program after_reset(const Program& program) {
  Program result = program;
  const std::vector<Instruction> reset = reset_instructions(program.profile);
  result.instructions.insert(result.instructions.begin(), reset.begin(), reset.end());
  return result;
}

Program as_later_program(const Program& program) {
  Program later = after_reset(program);
  later.ub.insert(later.ub.begin(), kGap, std::byte{0});
  for (Allocation& each : later.allocations) each.offset += kGap;
  return later;
}

bool may_come_later(const Program& program, const Readings& readings) {
  const Program later = after_reset(program);
  const Semantics semantics(readings);
  State alone, state{program.ub};
  execute(program, semantics, alone);
  state.cmpmask.fill(std::byte{0x69});
  for (const Instruction& insn : later.instructions) execute_one(later, insn, semantics, state);
  return same_bytes(state.ub, alone.ub);
}

void pack(Exam& exam) {
  const auto later = [](const ExamProgram& a, const ExamProgram& b) {
    if (a.alone != b.alone) return b.alone;
    if (a.needs_start != b.needs_start) return a.needs_start;
    return a.program.ub.size() > b.program.ub.size();
  };
  std::stable_sort(exam.begin(), exam.end(), later);
  std::vector<std::uint32_t> used;
  for (ExamProgram& each : exam)
    place(used, each.needs_start || each.alone ? static_cast<std::uint32_t>(used.size()) : 0, each);
  std::stable_sort(exam.begin(), exam.end(),
                   [](const ExamProgram& a, const ExamProgram& b) { return a.launch < b.launch; });
}

std::uint32_t launches_of(const Exam& exam) {
  return exam.empty() ? 0 : exam.back().launch + 1;
}

std::string programs_in_launches(const Exam& exam) {
  const std::uint32_t launches = launches_of(exam);
  return counted(exam.size(), "program") + " in " +
         (launches == 1 ? "1 launch" : grouped(launches) + " launches");
}

std::size_t leave_out_refusals(Exam& exam) {
  const std::size_t left_out = std::erase_if(exam, [](const ExamProgram& each) { return each.alone; });
  if (left_out > 0) pack(exam);
  return left_out;
}

bool is_first_of_launch(const Exam& exam, std::size_t n) {
  return n == 0 || exam[n - 1].launch != exam[n].launch;
}

Program placed_program(const ExamProgram& each) {
  Program placed = each.program;
  placed.ub.clear();
  for (Allocation& allocation : placed.allocations) allocation.offset += each.base;
  return placed;
}

Program launch_program(const Exam& exam, std::uint32_t launch) {
  Program result;
  result.profile = exam.front().program.profile;
  bool first = true;
  for (std::size_t n = 0; n < exam.size(); ++n) {
    if (exam[n].launch != launch) continue;
    const Program part = std::exchange(first, false) ? exam[n].program : after_reset(exam[n].program);
    const auto allocations = result.allocations.size();
    result.ub.resize(exam[n].base + part.ub.size());
    std::ranges::copy(part.ub, result.ub.end() - static_cast<std::ptrdiff_t>(part.ub.size()));
    for (Allocation each : part.allocations) {
      each.name = "p" + std::to_string(n) + "_" + each.name;
      each.offset += exam[n].base;
      result.allocations.push_back(each);
    }
    for (Instruction insn : part.instructions) {
      for (Operand& operand : insn.operands)
        operand.allocation = static_cast<std::uint16_t>(operand.allocation + allocations);
      result.instructions.push_back(insn);
    }
  }
  return result;
}

std::string exam_fields(const ExamProgram& each) {
  std::string text = ",\"launch\":" + std::to_string(each.launch) + ",\"base\":" + std::to_string(each.base);
  if (each.needs_start) text += ",\"needs_start\":true";
  return text + (each.alone ? ",\"alone\":true" : "");
}

std::string print_exam(const Exam& exam) {
  std::string text;
  for (std::size_t n = 0; n < exam.size(); ++n)
    text += open_question(exam[n].program, n, exam.size(), Encoding::hex) + exam_fields(exam[n]) + "}\n";
  return text;
}

Exam read_exam(const std::string& path) {
  LineReader in(path);
  Exam exam;
  std::string line;
  for (std::size_t number = 1; in.next(line); ++number)
    if (!is_blank(line))
      exam.push_back(read_line(line, in.name() + ":" + std::to_string(number), exam.size()));
  if (exam.empty()) throw InputError(in.name(), "holds no programs");
  check_launches(exam, in.name());
  return exam;
}

}  // namespace lanecheck
