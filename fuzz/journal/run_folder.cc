#include "fuzz/journal/run_folder.h"

#include <fcntl.h>
#include <unistd.h>

#include <charconv>
#include <nlohmann/json.hpp>
#include <thread>

#include "fuzz/journal/checkpoint_json.h"
#include "reports/output_file.h"
#include "spec/program/input_error.h"
#include "spec/text/input_file.h"
#include "spec/text/json_depth.h"

namespace lanecheck {
namespace fs = std::filesystem;
namespace {

using Json = nlohmann::ordered_json;

constexpr std::string_view kRunSchema = "lanecheck-run-1";

constexpr std::size_t kMostCheckpoint = 512u << 20;  // bytes; it lists every failed case

/// Nothing if there is no such file.
std::optional<std::string> text_of(const fs::path& file, std::size_t most = kMostInputBytes) {
  std::error_code none;
  if (fs::symlink_status(file, none).type() == fs::file_type::not_found) return {};
  return read_input_file(file, most);
}

flock whole_file(short type) {
  flock lock{};
  lock.l_type = type;
  lock.l_whence = SEEK_SET;
  return lock;
}

std::uint64_t number_of(std::string_view text, const std::string& whole) {
  std::uint64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size() || number == 0)
    throw InputError("--shard " + whole, "give the part and the number of parts, such as 2/8");
  return number;
}

/// cases * number / of, without overflow.
std::uint64_t share(std::uint64_t cases, std::uint64_t number, std::uint64_t of) {
  return cases / of * number + cases % of * number / of;
}

}  // namespace

std::uint64_t Part::first(std::uint64_t first, std::uint64_t cases) const {
  return first + share(cases, number - 1, of);
}

std::uint64_t Part::cases(std::uint64_t cases) const {
  return share(cases, number, of) - share(cases, number - 1, of);
}

Part read_part(const std::string& text) {
  const std::size_t slash = text.find('/');
  if (slash == std::string::npos) number_of("", text);
  const std::string_view view = text;
  const Part part{number_of(view.substr(0, slash), text), number_of(view.substr(slash + 1), text)};
  if (part.of > 100'000) throw InputError("--shard " + text, "there may be at most 100000 parts");
  if (part.number > part.of) throw InputError("--shard " + text, "there is no such part");
  return part;
}

RunRecord read_run(const fs::path& folder) {
  const fs::path file = folder / "run.json";
  const auto text = text_of(file);
  if (!text) throw InputError(folder.string(), "is not the folder of a run: it has no run.json");
  check_depth(*text, file.string());
  try {
    const Json json = Json::parse(*text);
    if (json.value("schema", "") != kRunSchema)
      throw InputError(file.string(), "is not a run of this version (" + std::string(kRunSchema) + ")");
    const Json& part = json.at("part");
    const Part read{part.at("number").get<std::uint64_t>(), part.at("of").get<std::uint64_t>()};
    if (read.number == 0 || read.number > read.of) throw InputError(file.string(), "there is no such part");
    return {json.at("settings").dump(), read};
  } catch (const Json::exception& error) {
    throw InputError(file.string(), std::string("is not a whole run.json: ") + error.what());
  }
}

Checkpoint read_progress(const fs::path& folder, Profile profile, std::uint64_t first, std::uint64_t cases) {
  const fs::path file = folder / "checkpoint.json";
  const auto text = text_of(file, kMostCheckpoint);
  if (!text) return Checkpoint(profile);
  Checkpoint progress = read_checkpoint(*text, profile, file.string());
  if (progress.done() > cases)
    throw InputError(file.string(), "has " + std::to_string(progress.done()) + " cases, but the run has " +
                                        std::to_string(cases) + "; somebody has changed it or run.json");
  for (std::uint64_t next = first; const std::uint64_t index : progress.failed) {
    if (index < next || index - first >= progress.done())
      throw InputError(file.string(), "says that case " + std::to_string(index) +
                                          " failed, which is not among the cases that were done, or not in "
                                          "its order; somebody has changed it or run.json");
    next = index + 1;
  }
  return progress;
}

std::optional<int> worker_of(const fs::path& folder) {
  const int file = ::open((folder / "lock").c_str(), O_RDWR | O_CLOEXEC);
  if (file < 0) return {};
  flock lock = whole_file(F_WRLCK);
  const bool known = ::fcntl(file, F_GETLK, &lock) == 0;
  ::close(file);
  if (!known || lock.l_type == F_UNLCK) return {};
  return lock.l_pid;
}

RunFolder::RunFolder(fs::path folder, const RunRecord& record) : folder_(std::move(folder)) {
  make_folder(folder_);
  if (fs::exists(folder_ / "run.json"))
    throw InputError(folder_.string(),
                     "holds a run already; go on with it by --resume, or name another folder");
  lock();
  const Json json = {{"schema", kRunSchema},
                     {"settings", Json::parse(record.settings)},
                     {"part", {{"number", record.part.number}, {"of", record.part.of}}}};
  OutputFile(folder_ / "run.json").write(json.dump(1) + "\n");
}

RunFolder::RunFolder(fs::path folder) : folder_(std::move(folder)) {
  read_run(folder_);
  lock();
}

RunFolder::~RunFolder() {
  if (lock_ >= 0) ::close(lock_);
}

/// A lock of this kind belongs to this process alone: the processes of a backend do not inherit it.
void RunFolder::lock() {
  const std::string file = (folder_ / "lock").string();
  lock_ = ::open(file.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0666);
  for (unsigned tries = 0; lock_ >= 0 && tries < 50;
       ++tries) {  // a process that was killed may not be gone yet
    flock lock = whole_file(F_WRLCK);
    if (::fcntl(lock_, F_SETLK, &lock) == 0) return;
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  }
  const auto worker = worker_of(folder_);
  throw InputError(folder_.string(),
                   worker ? "process " + std::to_string(*worker) + " works at this run" : "cannot be locked");
}

void RunFolder::write(const std::string& file, std::string_view text) const {
  const fs::path place = folder_ / file;
  make_folder(place.parent_path());
  OutputFile(place).write(text);
}

void RunFolder::remove(const std::string& inner) const {
  fs::remove_all(folder_ / inner);
}

}  // namespace lanecheck
