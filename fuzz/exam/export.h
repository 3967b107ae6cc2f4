// An exam as files that other machines run: the programs as source, their initial UB, and what must come out.
#pragma once

#include <optional>
#include <span>

#include "fuzz/exam/exam.h"

namespace lanecheck {

enum class ExportFormat : std::uint8_t { numpy, gtest, ascendc, easyasc };
inline constexpr std::string_view kExportFormatNames[] = {"numpy", "gtest", "ascendc", "easyasc"};

inline constexpr const char* kGolden = "golden.bin";
/// 0xff for each byte of UB that must be as in golden.bin, 0 where the documents leave several results.
inline constexpr const char* kCompared = "compare.bin";

struct ExportedFile {
  std::string name, text;
};

/// manifest.json (fuzz/recorded/folder.h), input.bin, golden.bin, compare.bin and the source. The binary
/// files hold the UBs of the launches, one after the other.
std::vector<ExportedFile> export_exam(const Exam& exam, ExportFormat format);

/// Where the UBs lie in the binary files.
struct ExamLayout {
  struct Launch {
    std::size_t offset = 0, bytes = 0;
  };
  std::vector<Launch> launches;
  std::size_t bytes = 0;  ///< of a file

  explicit ExamLayout(const Exam& exam);
  std::size_t offset_of(const ExamProgram& each) const { return launches[each.launch].offset + each.base; }
};

/// The source of one format: one call for each instruction. It sees the layout and the exam.
std::vector<ExportedFile> numpy_source(const Exam& exam, const ExamLayout& layout);
std::vector<ExportedFile> gtest_source(const Exam& exam, const ExamLayout& layout);
/// These two throw InputError if the library cannot express an instruction.
std::vector<ExportedFile> ascendc_source(const Exam& exam, const ExamLayout& layout);
std::vector<ExportedFile> easyasc_source(const Exam& exam, const ExamLayout& layout);
/// A string literal of a text without quotes, backslashes and line breaks.
std::string literal(std::string_view text);

}  // namespace lanecheck
