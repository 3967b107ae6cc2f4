#include "fuzz/exam/export.h"

#include <algorithm>

#include "fuzz/exam/goals.h"
#include "fuzz/recorded/folder.h"
#include "fuzz/recorded/record.h"
#include "oracle/compare/accept.h"
#include "oracle/execute/execute.h"

namespace lanecheck {
namespace {

std::string as_text(const std::vector<std::byte>& bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

/// 0xff for each byte that has one value under all readings.
std::string compared_bytes(const Program& program, const std::vector<Meaning>& meanings) {
  std::string compared(program.ub.size(), '\xff');
  State documented, state;
  execute(program, meanings.front().semantics, documented);
  for (const Meaning& meaning : meanings) {
    const AcceptMap accepted = accept_sets(program, meaning.semantics, state);
    for (std::size_t at = 0; at < compared.size(); ++at)
      if (state.ub[at] != documented.ub[at] || accepted.any_between(at, at + 1)) compared[at] = '\0';
  }
  return compared;
}

std::string manifest_of(const Exam& exam, const ExamLayout& layout) {
  std::string entries;
  for (std::size_t n = 0; n < exam.size(); ++n)
    entries += (n == 0 ? "\n" : ",\n") + open_question(exam[n].program, n, exam.size(), Encoding::bytes) +
               ",\"offset\":" + std::to_string(layout.offset_of(exam[n])) + exam_fields(exam[n]) + "}";
  return "{\"schema\":\"" + std::string(kFolderSchema) + "\",\"programs\":[" + entries + "\n]}\n";
}

std::vector<ExportedFile> source_of(const Exam& exam, const ExamLayout& layout, ExportFormat format) {
  switch (format) {
    case ExportFormat::numpy:
      return numpy_source(exam, layout);
    case ExportFormat::gtest:
      return gtest_source(exam, layout);
    case ExportFormat::ascendc:
      return ascendc_source(exam, layout);
    case ExportFormat::easyasc:
      break;
  }
  return easyasc_source(exam, layout);
}

}  // namespace

std::string literal(std::string_view text) {
  return "\"" + std::string(text) + "\"";
}

ExamLayout::ExamLayout(const Exam& exam) {
  for (std::uint32_t launch = 0; launch < launches_of(exam); ++launch) {
    launches.push_back({bytes, launch_program(exam, launch).ub.size()});
    bytes += launches.back().bytes;
  }
}

std::vector<ExportedFile> export_exam(const Exam& exam, ExportFormat format) {
  const ExamLayout layout(exam);
  const Goals goals(exam.front().program.profile);
  std::string input;
  for (std::uint32_t launch = 0; launch < launches_of(exam); ++launch)
    input += as_text(launch_program(exam, launch).ub);
  std::string golden = input, compared(input.size(), '\xff');
  State state;
  for (const ExamProgram& each : exam) {
    execute(each.program, goals.meanings().front().semantics, state);
    golden.replace(layout.offset_of(each), state.ub.size(), as_text(state.ub));
    compared.replace(layout.offset_of(each), state.ub.size(), compared_bytes(each.program, goals.meanings()));
  }
  std::vector<ExportedFile> files = source_of(exam, layout, format);
  files.push_back({kInput, std::move(input)});
  files.push_back({kGolden, std::move(golden)});
  files.push_back({kCompared, std::move(compared)});
  files.push_back({kManifest, manifest_of(exam, layout)});
  return files;
}

}  // namespace lanecheck
