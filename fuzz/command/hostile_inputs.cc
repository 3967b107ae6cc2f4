// Gives mutated files to every command that reads files, inside of this process, so that sanitizers see it.
// Usage: hostile_inputs SOURCE_DIR COUNT [FIRST [COMMAND]], where COMMAND is the only one that is tried.
// Input number N of a command is always the same one: a count of 1 repeats it. A failure is a crash, an
// exception that is not an InputError, output that would control a terminal, an input that takes longer than
// 20 seconds, or exit code 2 of a command that has changed a file.
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <map>
#include <new>
#include <sstream>
#include <thread>

#include "fuzz/command/command_line.h"
#include "fuzz/command/command_list.h"
#include "fuzz/command/signals.h"
#include "reports/format.h"
#include "spec/program/input_error.h"
#include "spec/text/input_file.h"
#include "spec/text/mutation_testing.h"
#include "spec/text/temporary_folder.h"

namespace lanecheck {
namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;
using Words = std::vector<std::string>;

constexpr unsigned kPatience = 20;                     // seconds for one input
constexpr std::chrono::milliseconds kTimeOfARun{300};  // a changed plan may ask for years

void write_file(const fs::path& file, std::string_view text) {
  std::ofstream(file, std::ios::binary | std::ios::trunc) << text;
}

struct Ended {
  int code = 0;
  std::string printed;
};

/// Runs a command in this process. "lanecheck" is not among the words.
Ended run_command(AddCommand* add, Words words, const std::string& input = "") {
  std::ostringstream out;
  std::istringstream in(input);
  std::streambuf* const before[] = {std::cin.rdbuf(in.rdbuf()), std::cout.rdbuf(out.rdbuf()),
                                    std::cerr.rdbuf(out.rdbuf())};
  std::cin.clear();
  words.insert(words.begin(), "lanecheck");
  std::vector<char*> arguments;
  for (std::string& word : words) arguments.push_back(word.data());
  Ended ended;
  try {
    CommandLine line;
    add(line);
    ended.code = line.run(static_cast<int>(arguments.size()), arguments.data());
  } catch (const InputError& error) {
    ended.code = 2;
    out << printable_lines(error.what());  // as main() does
  } catch (const std::exception& error) {
    ended = {-1, error.what()};
  }
  std::cin.rdbuf(before[0]);
  std::cout.rdbuf(before[1]);
  std::cerr.rdbuf(before[2]);
  if (ended.code >= 0) ended.printed = out.str();
  return ended;
}

/// A command, and the files that it reads, of which one is mutated. In the words, '@' is the folder of the
/// files.
struct Reader {
  AddCommand* add;
  Words words;
  Words files;           ///< in the folder of seeds
  bool input = false;    ///< the mutated file is standard input
  bool slow = false;     ///< gets every twentieth of its turns; the first reader gets the others
  bool stopped = false;  ///< runs in a process of its own, which a signal stops after kTimeOfARun
};

std::vector<Reader> every_reader() {
  return {
      {add_replay, {"replay", "@case.json"}, {"case.json"}},
      {add_explain, {"explain", "@case.json"}, {"case.json"}},
      {add_explain, {"explain", "@program.txt"}, {"program.txt"}},
      {add_judge, {"judge", "@results.jsonl"}, {"results.jsonl"}},
      {add_judge, {"judge", "@launches"}, {"launches/manifest.json"}},
      {add_trace, {"trace", "@trace.jsonl"}, {"trace.jsonl"}},
      {add_serve, {"serve"}, {"messages.jsonl"}, true},
      {add_serve, {"serve", "--recorded"}, {"questions.jsonl"}, true},
      {add_merge, {"merge", "--quiet", "@run"}, {"run/run.json", "run/checkpoint.json"}, false, true},
      {add_status, {"status", "@run"}, {"run/run.json", "run/checkpoint.json", "run/status.json"}},
      {add_compare,
       {"compare", "--other-cases", "@report.json", "@other.json"},
       {"report.json", "other.json"}},
      {add_report,
       {"report", "@report.json", "--html", "/dev/null", "--junit", "/dev/null", "--markdown", "/dev/null"},
       {"report.json", "other.json"}},
      {add_baseline, {"baseline", "show", "@known.list"}, {"known.list"}},
      {add_baseline, {"baseline", "check", "@known.list", "@report.json"}, {"known.list", "report.json"}},
      {add_recheck, {"recheck", "@report.json", "--backend", "example"}, {"report.json"}, false, true},
      {add_bisect, {"bisect", "@case.json", "--backends", "@versions.txt"}, {"case.json", "versions.txt"}},
      {add_plan, {"plan", "show", "@two.plan"}, {"two.plan"}},
      {add_plan, {"plan", "slurm", "@two.plan"}, {"two.plan"}},
      {add_export, {"export", "@exam.jsonl", "--as", "numpy", "-o", "@exported"}, {"exam.jsonl"}},
      {add_history, {"history", "add", "@history.sqlite", "@report.json"}, {"report.json"}},
      {add_history, {"history", "show", "@history.sqlite"}, {"history.sqlite"}},
      {add_run,
       {"run", "--quiet", "--plan", "@small.plan", "--folder", "@night"},
       {"small.plan"},
       false,
       true,
       true},
      {add_run,
       {"run", "--quiet", "--resume", "@half"},
       {"half/run.json", "half/checkpoint.json", "half/status.json"},
       false,
       true,
       true},
      {add_run,
       {"run", "--quiet", "--cases", "20", "--baseline", "@known.list"},
       {"known.list"},
       false,
       true},
      {add_run,
       {"run", "--quiet", "--cases", "20", "--history", "@history.sqlite"},
       {"history.sqlite"},
       false,
       true}};
}

/// Runs a command that must work, and returns what it prints.
std::string make_seed(AddCommand* add, Words words, const std::string& input = "") {
  const Ended ended = run_command(add, std::move(words), input);
  if (ended.code == 0 || ended.code == 1) return ended.printed;
  throw std::runtime_error("a seed could not be made: " + ended.printed);
}

/// A trace of a kernel that adds some lanes.
std::string trace() {
  const std::string place = R"({"at":"ub","offset":0,"block_stride":1,"repeat_stride":8})";
  return R"({"schema":"lanecheck-trace-1","ub_bytes":256,"allocations":[{"name":"ub","type":"u8","offset":0,"bytes":256}],"ub":")" +
         std::string(512, '0') + "\"}\n" +
         R"({"step":0,"instruction":{"op":"set_mask","high":"0x0","low":"0x5"},"wrote":[]})" + "\n" +
         R"({"step":1,"instruction":{"op":"add.i32","dst":)" + place + R"(,"src0":)" + place + R"(,"src1":)" +
         place + R"(,"repeat":1},"wrote":[{"offset":0,"hex":"00"}]})" + "\n{\"steps\":2}\n";
}

/// The folder of a run that was stopped after half of its cases.
void make_half_run(const std::string& folder) {
  make_seed(add_run, {"run", "--quiet", "--cases", "60", "--jobs", "1", "--backend", "wrong:dup-ignores-mask",
                      "--folder", folder});
  std::string record = read_input_file(folder + "/run.json");
  const std::string cases = "\"cases\": 60";
  record.replace(record.find(cases), cases.size(), "\"cases\": 120");
  write_file(folder + "/run.json", record);
}

void make_seeds(const fs::path& folder, const fs::path& source) {
  const std::string in = folder.string() + "/";
  fs::copy_file(source / "corpus/VMC-3.1-dup/f32.json", in + "case.json");
  const std::string wrong = "wrong:dup-ignores-mask";
  make_seed(add_run, {"run", "--quiet", "--cases", "200", "--backend", wrong, "--folder", in + "run"});
  fs::copy_file(in + "run/report.json", in + "report.json");
  make_seed(add_replay, {"replay", (source / "corpus/VMC-3.2-cadd-empty").string(), "--backend",
                         "wrong:cadd-ignores-mask", "--json", in + "other.json"});
  make_seed(add_baseline, {"baseline", "add", in + "known.list", "--from", in + "report.json", "--all",
                           "--reason", "known"});
  const std::string questions = make_seed(add_gen, {"gen", "--questions", "--cases", "3"});
  write_file(in + "questions.jsonl", questions);
  write_file(in + "results.jsonl", make_seed(add_serve, {"serve", "--recorded"}, questions));
  make_seed(add_distill, {"distill", "--profile", "tik", "--programs", "1", "-o", in + "exam.jsonl"});
  make_seed(add_export, {"export", in + "exam.jsonl", "--as", "numpy", "-o", in + "launches"});
  fs::copy_file(in + "launches/golden.bin", in + "launches/output.bin");
  make_seed(add_history, {"history", "add", in + "history.sqlite", in + "report.json"});
  write_file(in + "versions.txt", "# versions\nexample\noracle\nwrong:dup-ignores-mask\n");
  write_file(
      in + "two.plan",
      R"({"schema":"lanecheck-plan-1","name":"two","about":"Two runs.","runs":[{"name":"first","cases":50},)"
      R"({"name":"second","profile":"tik","boundaries":true,"readings":["empty_pair=keeps_dst"]}]})");
  write_file(
      in + "small.plan",
      R"({"schema":"lanecheck-plan-1","name":"small","about":"Two runs.","runs":[{"name":"first","cases":30,)"
      R"("backend":"wrong:dup-ignores-mask"},{"name":"second","profile":"tik","cases":5,"illegal":true}]})");
  make_half_run(in + "half");
  fs::copy_file(source / "corpus/text_seeds/program_0.txt", in + "program.txt");
  const fs::path messages = source / "fuzz/backend/message_seeds";
  write_file(in + "messages.jsonl", read_input_file((messages / "hello_request").string()) +
                                        read_input_file((messages / "run_request").string()));
  write_file(in + "trace.jsonl", trace());
}

std::string mutated(const std::string& good, std::uint64_t number) {
  Mutator mutator(number);
  const bool is_json = good.starts_with("{") && nlohmann::json::accept(good);
  return is_json && number % 2 == 0 ? mutator.change_values(good) : mutator.change_bytes(good);
}

/// Is there a byte that is not printable ASCII, as terminal_test.py forbids? A byte from 0x80 on may belong
/// to a C1 control character.
bool controls_terminal(const std::string& printed) {
  return std::ranges::any_of(printed,
                             [](unsigned char c) { return (c < ' ' && c != '\n' && c != '\t') || c > '~'; });
}

/// What the process that runs the inputs tells the one that watches it.
struct Shared {
  std::atomic<std::uint64_t> next{0};
  std::atomic<std::uint64_t> runs[64]{}, refused[64]{}, nanoseconds[64]{}, slowest[64]{};
  std::atomic<std::uint64_t> failures{0};
};

/// Waits for the end of a process. Returns what is wrong with it; "" if nothing is.
std::string end_of(pid_t child) {
  int status = 0;
  waitpid(child, &status, 0);
  if (WIFEXITED(status) && WEXITSTATUS(status) == 0) return "";
  return WIFSIGNALED(status) && WTERMSIG(status) == SIGALRM ? "takes too long" : "crashes";
}

class Inputs {
 public:
  /// `only` is the name of a command, or "".
  Inputs(fs::path folder, Shared& shared, const std::string& only)
      : folder_(std::move(folder)), shared_(shared) {
    if (!only.empty()) std::erase_if(readers_, [&](const Reader& each) { return each.words[0] != only; });
    for (const fs::directory_entry& each : fs::recursive_directory_iterator(folder_))
      if (each.is_regular_file())
        good_[each.path().lexically_relative(folder_).string()] = read_input_file(each.path().string());
  }

  const std::vector<Reader>& readers() const { return readers_; }
  std::string words_of(std::uint64_t number) const {
    std::string text;
    for (const std::string& word : readers_[reader_of(number)].words) text += " " + word;
    return text;
  }

  /// Makes the folder as it was before the first input.
  void restore() const {
    std::vector<fs::path> added;
    for (const fs::directory_entry& each : fs::recursive_directory_iterator(folder_))
      if (each.is_regular_file() && !good_.contains(each.path().lexically_relative(folder_).string()))
        added.push_back(each.path());
    for (const fs::path& each : added) fs::remove(each);
    for (const auto& [file, text] : good_) {
      fs::create_directories((folder_ / file).parent_path());  // `bundles` goes before a run goes on
      write_file(folder_ / file, text);
    }
  }

  void run(std::uint64_t number) {
    if (!readers_[reader_of(number)].stopped) return run_here(number);
    alarm(0);  // the process has its own
    const pid_t child = fork();
    if (child == 0) {
      alarm(kPatience);
      handle_stop_signals();
      std::thread([] {
        std::this_thread::sleep_for(kTimeOfARun);
        kill(getpid(), SIGTERM);
      }).detach();
      run_here(number);
      _exit(0);
    }
    if (const std::string why = end_of(child); !why.empty()) fail(number, why);
  }

  void fail(std::uint64_t number, const std::string& why) {
    ++shared_.failures;
    std::fprintf(stderr, "FAILED: input %llu,%s: %s\n", static_cast<unsigned long long>(number),
                 words_of(number).c_str(), why.substr(0, 500).c_str());
  }

 private:
  void run_here(std::uint64_t number) {
    const std::size_t which = reader_of(number);
    const Reader& reader = readers_[which];
    const std::uint64_t turn = number / readers_.size();
    const std::string& file = reader.files[turn % reader.files.size()];
    const std::string& good = good_[file];
    if (good.empty()) fail(number, "there is no seed " + file);
    const std::string text = mutated(good, number);
    if (!reader.input) write_file(folder_ / file, text);
    Words words = reader.words;
    for (std::string& word : words)
      if (word.starts_with("@")) word = folder_.string() + "/" + word.substr(1);
    const auto from = Clock::now();
    const Ended ended = run_command(reader.add, words, reader.input ? text : "");
    const auto took = static_cast<std::uint64_t>((Clock::now() - from).count());
    const std::string lost = ended.code == 2 ? changed_file(reader.input ? "" : file, text) : "";
    fs::remove_all(folder_ / "exported");
    restore();
    shared_.runs[which] += 1;
    shared_.refused[which] += ended.code == 2 ? 1 : 0;
    shared_.nanoseconds[which] += took;
    if (took > shared_.slowest[which]) shared_.slowest[which] = took;
    if (ended.code < 0 || ended.code > 3) fail(number, "no InputError: " + ended.printed);
    if (controls_terminal(ended.printed))
      fail(number, "prints what controls a terminal: " + nlohmann::json(ended.printed).dump(-1, ' ', true));
    if (!lost.empty()) fail(number, "exit code 2, and has changed " + lost);
  }

  /// A file that is not as it was before the command; "" if all are. The file `changed` had this text.
  std::string changed_file(const std::string& changed, const std::string& text) const {
    for (const auto& [file, good] : good_)
      if (std::error_code none; !fs::is_regular_file(folder_ / file, none) ||
                                read_input_file((folder_ / file).string()) != (file == changed ? text : good))
        return file;
    return "";
  }

  std::size_t reader_of(std::uint64_t number) const {
    const auto which = static_cast<std::size_t>(number % readers_.size());
    return readers_[which].slow && number / readers_.size() % 20 != 0 ? 0 : which;
  }

  fs::path folder_;
  Shared& shared_;
  std::vector<Reader> readers_ = every_reader();
  std::map<std::string, std::string> good_;
};

/// Runs the inputs up to `end` in processes of their own: one that crashes or hangs is a failure of its
/// input.
void run_all_inputs(Inputs& inputs, Shared& shared, std::uint64_t end) {
  while (shared.next < end) {
    const pid_t child = fork();
    if (child == 0) {
      inputs.restore();
      for (; shared.next < end; ++shared.next) {
        alarm(kPatience);
        inputs.run(shared.next);
      }
      _exit(0);
    }
    const std::string why = end_of(child);
    if (why.empty()) return;
    inputs.fail(shared.next, why);
    ++shared.next;
  }
}

int run(const fs::path& source, std::uint64_t count, std::uint64_t first, const std::string& only) {
  void* const memory =
      mmap(nullptr, sizeof(Shared), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) return 1;
  const fs::path below = fs::exists("/dev/shm") ? fs::path("/dev/shm") : fs::temp_directory_path();
  const TemporaryFolder folder(below / "hostile_inputs.");
  Shared& shared = *new (memory) Shared;
  shared.next = first;
  make_seeds(folder.path(), source);
  Inputs inputs(folder.path(), shared, only);
  run_all_inputs(inputs, shared, first + count);
  for (std::size_t n = 0; n < inputs.readers().size(); ++n) {
    const double seconds = static_cast<double>(shared.nanoseconds[n]) * 1e-9;
    const auto runs = static_cast<double>(shared.runs[n]);
    std::fprintf(stderr, "%8.0f inputs, %3.0f%% refused, %6.0f a second, slowest %.2f s: %s\n", runs,
                 100 * static_cast<double>(shared.refused[n]) / std::max(1.0, runs),
                 runs / std::max(1e-9, seconds), static_cast<double>(shared.slowest[n]) * 1e-9,
                 inputs.words_of(n).c_str());
  }
  return shared.failures == 0 ? 0 : 1;
}

}  // namespace
}  // namespace lanecheck

int main(int argc, char** argv) {
  if (argc < 3) return 2;
  if (std::freopen("/dev/null", "w", stdout) == nullptr) return 1;  // where `serve` writes its answers
  return lanecheck::run(argv[1], std::strtoull(argv[2], nullptr, 10),
                        argc > 3 ? std::strtoull(argv[3], nullptr, 10) : 0, argc > 4 ? argv[4] : "");
}
