// An exam: programs that were chosen because they tell wrong simulators apart, packed into few launches. The
// programs of a launch lie in disjoint regions of one UB and run one after the other. Each is judged by its
// own region, as if it had run alone.
#pragma once

#include <string>
#include <vector>

#include "spec/program/program.h"

namespace lanecheck {

struct ExamProgram {
  Program program;           ///< as if it ran alone: its UB begins at byte 0
  std::uint32_t launch = 0;  ///< launches are numbered from 0
  std::uint32_t base = 0;    ///< where its UB begins in the UB of the launch; 0: the first of a launch
  bool needs_start = false;  ///< it examines the state in which a launch starts, so it must be the first
  bool alone = false;        ///< a machine may refuse it, so no other program shares its launch
};

/// In the order in which they run: launch after launch.
using Exam = std::vector<ExamProgram>;

/// What runs between two programs of a launch: it puts the mask and its mode into the state in which a launch
/// starts. More than one instruction does so, so that one wrong instruction does not reach the next program.
std::vector<Instruction> reset_instructions(Profile profile);
/// `program` after reset_instructions.
Program after_reset(const Program& program);

/// Bytes between two regions: a program that writes a little too far meets no other program.
inline constexpr std::uint32_t kGap = 256;
/// The same behind `kGap` bytes that are not its own, as in a launch: a simulator may keep something of its
/// own in the first bytes of UB.
Program as_later_program(const Program& program);

/// Does the program, after a reset, leave the documented UB if the program before it has left a compare mask?
bool may_come_later(const Program& program, const Readings& readings);

/// Gives each program its launch and base. The order of the programs changes: those that a machine may refuse
/// come last.
void pack(Exam& exam);
std::uint32_t launches_of(const Exam& exam);
/// "33 programs in 1 launch".
std::string programs_in_launches(const Exam& exam);
/// Removes the programs that a machine may refuse, for sources that cannot express a refusal. Gives their
/// number.
std::size_t leave_out_refusals(Exam& exam);
bool is_first_of_launch(const Exam& exam, std::size_t n);
/// The program where it lies in its launch: its UB is empty, its operands start at their place.
Program placed_program(const ExamProgram& each);
/// All programs of one launch as one program. Between two regions are some bytes that no program uses.
Program launch_program(const Exam& exam, std::uint32_t launch);

/// JSON Lines: each line is a question (fuzz/recorded/record.h) with the fields "launch", "base" and, if they
/// are true, "needs_start" and "alone".
std::string print_exam(const Exam& exam);
/// The fields that an exam adds to a question, each with a comma in front.
std::string exam_fields(const ExamProgram& each);
/// Throws InputError, which names the file and the line.
Exam read_exam(const std::string& path);

}  // namespace lanecheck
