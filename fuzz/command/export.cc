// lanecheck export: an exam as source and plain files, for machines to which lanecheck cannot be attached.
#include "fuzz/exam/export.h"

#include <algorithm>
#include <filesystem>
#include <iostream>
#include <memory>

#include "fuzz/command/command_line.h"
#include "reports/exit_code.h"
#include "reports/format.h"
#include "reports/output_file.h"
#include "spec/program/input_error.h"
#include "spec/text/did_you_mean.h"
#include "spec/text/joined.h"

namespace lanecheck {
namespace {

struct ExportCommand {
  std::string exam, format, folder;
};

ExportFormat format_named(const std::string& name) {
  const auto* found = std::ranges::find(kExportFormatNames, name);
  if (found == std::end(kExportFormatNames))
    throw InputError("--as",
                     "no such format: " + name.substr(0, 80) + "; there are: " + joined(kExportFormatNames) +
                         did_you_mean(name, {std::begin(kExportFormatNames), std::end(kExportFormatNames)}));
  return static_cast<ExportFormat>(found - kExportFormatNames);
}

/// Old results must not be judged by a new exam, so the folder must be empty.
int export_command(const ExportCommand& given) {
  const ExportFormat format = format_named(given.format);
  Exam exam = read_exam(given.exam);
  const std::size_t left_out = leave_out_refusals(exam);
  if (exam.empty())
    throw InputError(given.exam,
                     "holds only programs that a machine may refuse, and source cannot say that it did");
  const std::vector<ExportedFile> files = export_exam(exam, format);
  const std::filesystem::path folder = given.folder;
  make_folder(folder);
  if (!std::filesystem::is_empty(folder))
    throw InputError(given.folder, "is not empty; give a folder without earlier questions and results");
  for (const ExportedFile& each : files) {
    OutputFile(folder / each.name).write(each.text);
    std::cout << printable((folder / each.name).string()) << '\n';
  }
  if (left_out > 0)
    std::cout << "left out: " << counted(left_out, "program")
              << " that a machine must or may refuse, since source cannot say that it did\n";
  return kConforms;
}

}  // namespace

void add_export(CommandLine& line) {
  Command command =
      line.add("export", "write an exam as source and plain files, for machines that leave files");
  const auto given = std::make_shared<ExportCommand>();
  command.text("exam", given->exam, "an exam of `lanecheck distill` (-: standard input)").required();
  command
      .text("--as", given->format,
            "numpy: a Python script; gtest: a C++ test; ascendc: an Ascend C kernel; easyasc: a Python "
            "script that calls easyasc")
      .required();
  command.text("--output,-o", given->folder, "write the files into this folder").required();
  command.footer(
      R"(The folder gets the source; input.bin, the initial UB of each launch; golden.bin, the final one; compare.bin, 255 for
each byte that must be as in golden.bin and 0 where the documents leave several results; and manifest.json, which says
where the programs lie. The source writes output.bin, and `lanecheck judge` on the folder names the causes. A
machine of your own may write output.bin in any other way. Programs that a machine must refuse are left out: these files
cannot say that it did.

Examples:
  lanecheck export exam.jsonl --as numpy -o launches; python3 launches/exam.py my_sim:Unit; lanecheck judge launches
  lanecheck export exam.jsonl --as gtest -o launches
  lanecheck distill --profile ascendc-a2 -o exam.jsonl; lanecheck export exam.jsonl --as ascendc -o launches)");
  command.action([given] { return export_command(*given); });
}

}  // namespace lanecheck
