// Traces as files: what is right conforms, and what cannot be read is refused by name and line.
#include "fuzz/trace/trace.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <iostream>

#include "fuzz/generate/generate_testing.h"
#include "fuzz/trace/judge_trace.h"
#include "fuzz/trace/trace_testing.h"
#include "spec/program/input_error.h"
#include "spec/text/mutation_testing.h"
#include "spec/text/temporary_folder.h"

namespace lanecheck {
namespace {

std::string file_of_test() {
  std::string name = testing::UnitTest::GetInstance()->current_test_info()->name();
  std::ranges::replace(name, '/', '_');
  return (std::filesystem::temp_directory_path() / ("lanecheck_trace_" + name + ".jsonl")).string();
}

Report judge_file(const std::string& file) {
  TraceReader reader(file, {});
  RunOptions options;
  options.mix.profile = reader.start().profile;
  options.readings = default_readings(options.mix.profile);
  return judge_trace(reader, options);
}

class Traces : public testing::TestWithParam<Profile> {};

TEST_P(Traces, OfTheOracleConform) {
  const Kernel kernel = kernel_of(GetParam(), 0, 150);
  const Semantics documented(default_readings(GetParam()));
  for (const bool shows_mask : {false, true}) {
    TraceWriter writer(kernel.start, shows_mask);
    execute_kernel(kernel, writer, [&](auto) -> const Semantics& { return documented; });
    writer.save(file_of_test());
    const Report report = judge_file(file_of_test());
    EXPECT_EQ(report.unreadable, std::vector<std::string>{});
    EXPECT_EQ(report.diverges + report.undecided + report.errored, 0u);
    EXPECT_EQ(report.skipped, 0u) << (report.skip_reasons.empty() ? "" : report.skip_reasons.front());
    EXPECT_EQ(report.conforms, writer.steps() - kernel.parts.size());  // copies are not judged
  }
  std::filesystem::remove(file_of_test());
}

INSTANTIATE_TEST_SUITE_P(Of, Traces, testing::ValuesIn(kEveryProfile), test_name_of);

/// A kernel of three steps: a mask with lanes 0 and 2 on, 1 + 2 in all lanes, a mask of ones. The lines of
/// its trace.
std::vector<std::string> lines_of_kernel(bool shows_mask, const Semantics& semantics = {}) {
  Program start = whole_ub(Profile::vmc, 768);
  for (std::size_t n = 0; n < 512; n += 4)
    start.ub[256 + n] = std::byte{n < 256 ? std::uint8_t{1} : std::uint8_t{2}};
  Instruction add{.op = Op::add, .dst_type = Element::i32, .src_type = Element::i32};
  for (std::uint32_t k = 0; k < 3; ++k) add.operands[k].offset = 256 * k;
  TraceWriter writer(start, shows_mask);
  writer.execute({.op = Op::set_mask, .high = 0, .low = 5}, semantics);
  writer.execute(add, semantics);
  writer.execute({.op = Op::reset_mask}, semantics);
  writer.save(file_of_test());
  std::ifstream in(file_of_test());
  std::vector<std::string> lines;
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

/// What is wrong with a trace of these lines, and how many of its steps were judged.
struct Refused {
  std::string why;
  std::uint64_t judged = 0;
};

Refused refused(const std::vector<std::string>& lines, std::string_view end = "\n") {
  std::string text;
  for (const std::string& each : lines) text.append(each).append(&each == &lines.back() ? end : "\n");
  std::ofstream(file_of_test(), std::ios::binary) << text;
  try {
    const Report report = judge_file(file_of_test());
    return {report.unreadable.empty() ? "" : report.unreadable.front(), report.done};
  } catch (const InputError& error) {
    return {error.what(), 0};
  }
}

void replace(std::string& text, std::string_view from, std::string_view to) {
  const std::size_t at = text.find(from);
  ASSERT_NE(at, std::string::npos) << from;
  text.replace(at, from.size(), to);
}

TEST(ATrace, IsRefusedByNameAndLine) {
  struct Row {
    std::size_t line;
    std::string from, to, what;
    std::uint64_t judged;
  };
  const Row rows[] = {
      {1, "lanecheck-trace-1", "lanecheck-trace-2", R"(the file says "lanecheck-trace-2")", 0},
      {1, "\"schema\"", "\"schemes\"", R"("schema" is missing)", 0},
      {1, "lanecheck-trace-1", "lanecheck-record-1", "which `lanecheck judge` reads", 0},
      {1, R"("ub_bytes":768)", R"("ub_bytes":800)", "\"ub\" has", 0},
      {3, "add.i32", "fly.i32", "no such instruction: fly.i32", 1},
      {3, "\"step\":1", "\"step\":2", "step 2 where step 1 was next", 1},
      {3, R"("at":"ub")", R"("at":"gm")", "no allocation named 'gm'", 1},
      {3, R"("offset":0,"hex":"03)", R"("offset":769,"hex":"03)", "not a whole number of at most 768", 1},
      {3, R"("offset":0,"hex":"03)", R"("offset":768,"hex":"03)", "behind the end of UB, at offset 768", 1},
      {3, R"("hex":"03)", R"("hex":"0x)", "not two hexadecimal digits", 1},
      {3, R"("wrote")", R"("wrought")", "wrote", 1},
      {3, R"("mask")", R"("musk")", R"(lacks "mask", which the lines before it have)", 1},
      {5, "\"steps\":3", "\"steps\":4", "the last line says 4 steps, the file has 3", 3},
  };
  const std::vector<std::string> good = lines_of_kernel(true);
  ASSERT_EQ(good.size(), 5u);
  EXPECT_EQ(refused(good).why, "");
  for (const Row& row : rows) {
    std::vector<std::string> lines = good;
    replace(lines[row.line - 1], row.from, row.to);
    const Refused is = refused(lines);
    EXPECT_NE(is.why.find(":" + std::to_string(row.line)), std::string::npos) << is.why;
    EXPECT_NE(is.why.find(row.what), std::string::npos) << row.what << "\n" << is.why;
    EXPECT_EQ(is.judged, row.judged) << row.what;
  }
  std::filesystem::remove(file_of_test());
}

TEST(ATrace, ThatIsTruncatedIsJudgedAsFarAsItGoes) {
  const std::vector<std::string> good = lines_of_kernel(false);
  std::vector<std::string> lines(good.begin(), good.end() - 1);
  EXPECT_NE(refused(lines).why.find("ends after 3 steps without its last line"), std::string::npos);
  EXPECT_EQ(refused(lines).judged, 3u);
  lines.back().resize(lines.back().size() - 3);
  EXPECT_NE(refused(lines, "").why.find(":4: ends in the middle of a line"), std::string::npos);
  EXPECT_EQ(refused(lines, "").judged, 2u);
  lines = good;
  lines.push_back(good[3]);
  EXPECT_NE(refused(lines).why.find(":6: comes after the last line"), std::string::npos);
  std::filesystem::remove(file_of_test());
}

TEST(ATrace, NamesTheWrongStepAndGoesOnFromItsState) {
  std::vector<std::string> lines = lines_of_kernel(false);
  replace(lines[2], R"("offset":0,"hex":"03)", R"("offset":0,"hex":"07)");
  ASSERT_EQ(refused(lines).why, "");
  const Report report = judge_file(file_of_test());
  EXPECT_EQ(report.conforms, 2u);
  EXPECT_EQ(report.diverges, 1u);
  ASSERT_EQ(report.findings.size(), 1u);
  EXPECT_EQ(report.findings[0].first_file, file_of_test() + ":3, id 1");
  EXPECT_EQ(report.findings[0].program.instructions.size(), 2u);  // set_mask and add
  std::filesystem::remove(file_of_test());
}

TEST(ATrace, SeesBytesThatAnInstructionMustNotWrite) {
  std::vector<std::string> lines = lines_of_kernel(false);
  replace(lines[3], R"("wrote":[])", R"("wrote":[{"offset":700,"hex":"aa"}])");
  ASSERT_EQ(refused(lines).why, "");
  EXPECT_EQ(judge_file(file_of_test()).diverges, 1u);
  std::filesystem::remove(file_of_test());
}

TEST(ATrace, SeesAMaskThatIsNotTheOneThatWasSet) {
  std::vector<std::string> lines = lines_of_kernel(true);
  replace(lines[2], R"("mask":["0x5")", R"("mask":["0x7")");
  ASSERT_EQ(refused(lines).why, "");
  const Report report = judge_file(file_of_test());
  // set_mask left another mask; under that mask, add must have written lane 1 as well.
  EXPECT_EQ(report.diverges, 2u);
  EXPECT_EQ(report.conforms, 1u);
  std::filesystem::remove(file_of_test());
}

TEST(ATrace, MayHaveCopiesBetweenItsInstructions) {
  std::vector<std::string> lines = lines_of_kernel(false);
  lines.insert(lines.begin() + 2, R"({"step":1,"wrote":[{"offset":256,"hex":"05"}]})");
  replace(lines[3], "\"step\":1", "\"step\":2");
  replace(lines[3], R"("offset":0,"hex":"03)", R"("offset":0,"hex":"07)");  // 5 + 2
  replace(lines[4], "\"step\":2", "\"step\":3");
  replace(lines[5], "\"steps\":3", "\"steps\":4");
  ASSERT_EQ(refused(lines).why, "");
  EXPECT_EQ(judge_file(file_of_test()).conforms, 3u);
  std::filesystem::remove(file_of_test());
}

/// Prints how many steps are judged in a second. By hand: LANECHECK_TRACE_STEPS=20000.
TEST(ATrace, IsJudgedFast) {
  const char* const wanted = std::getenv("LANECHECK_TRACE_STEPS");
  const std::uint64_t programs = wanted == nullptr ? 20 : std::stoull(wanted) / 8;
  const Kernel kernel = kernel_of(Profile::vmc, 0, programs, kMaxUbBytes);
  const Semantics documented;
  TraceWriter writer(kernel.start, true);
  for (const Kernel::Part& part : kernel.parts)
    for (const Instruction& insn : part.instructions) writer.execute(insn, documented);
  writer.save(file_of_test());
  const std::clock_t before = std::clock();
  const Report report = judge_file(file_of_test());
  const double seconds = static_cast<double>(std::clock() - before) / CLOCKS_PER_SEC;
  std::cout << report.done << " steps, " << std::filesystem::file_size(file_of_test()) / report.done
            << " bytes each: " << static_cast<double>(report.done) / seconds << " steps/s\n";
  EXPECT_EQ(report.diverges, 0u);
  EXPECT_EQ(report.done, writer.steps());
  std::filesystem::remove(file_of_test());
}

TEST(Trace, ThatIsMutatedIsJudgedOrRefusedByName) {
  const TemporaryFolder folder;
  const std::string file = folder.path() / kMutatedFile;
  const Kernel kernel = kernel_of(Profile::vmc, 0, 3);
  const Semantics documented(default_readings(Profile::vmc));
  TraceWriter writer(kernel.start, true);
  execute_kernel(kernel, writer, [&](auto) -> const Semantics& { return documented; });
  writer.save(file);
  std::vector<std::string> good;
  std::string text;
  for (std::ifstream in(file, std::ios::binary); std::getline(in, text);) good.push_back(text);
  std::size_t line = 0;  // each line is mutated in turn
  const auto read = [&](const std::string& mutated) {
    std::ofstream out(file, std::ios::binary);
    for (std::size_t n = 0; n < good.size(); ++n) out << (n == line ? mutated : good[n]) << '\n';
    out.close();
    for (const std::string& fault : judge_file(file).unreadable) throw InputError(file, fault);
  };
  ASSERT_GE(good.size(), 5u);
  for (line = 0; line < 5; ++line) expect_reads_or_refuses(good[line], 100, read);
}

}  // namespace
}  // namespace lanecheck
