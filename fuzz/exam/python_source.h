// The Python script of an exam, for the formats that are calls of Python.
#pragma once

#include "fuzz/exam/export.h"

namespace lanecheck {

/// How a format writes an instruction.
struct PythonCalls {
  std::string_view about;  ///< what Unit(ub) must be, for the first lines of the script
  /// A line that calls a method of `unit`. Operands start where `placed` says.
  std::string (*call)(const Program& placed, const Instruction& insn);
  std::string_view (*name)(const Instruction& insn);  ///< the method
  bool ends_with_run = false;                         ///< unit.run() executes the calls
  /// Lines of Python that define what stands in the calls with the help of `collections`; or empty.
  std::string_view definitions = {};
};

std::vector<ExportedFile> python_source(const Exam& exam, const ExamLayout& layout, const PythonCalls& calls);
/// A number of Python. A float reads back to the same value, "-0" and "1" too.
std::string python_scalar(Element type, const Scalar& scalar);

}  // namespace lanecheck
