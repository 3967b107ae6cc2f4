#include "reports/output_file.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <climits>
#include <cstring>
#include <fstream>
#include <iterator>
#include <optional>
#include <stdexcept>
#include <vector>

#include "spec/program/input_error.h"
#include "spec/text/number.h"

namespace lanecheck {
namespace {

namespace fs = std::filesystem;

/// The paths of the drafts that exist: that of the report, and that of a case which is being saved.
std::array<std::atomic<const char*>, 4> drafts{};
static_assert(std::atomic<const char*>::is_always_lock_free);

/// Puts `now` into the list of drafts, in the place of `before`. A draft that finds no place is not listed.
void exchange_draft(const char* before, const char* now) {
  for (auto& each : drafts)
    if (const char* found = before; each.compare_exchange_strong(found, now)) return;
}

[[noreturn]] void cannot_write(const fs::path& place) {
  throw InputError(place.string(), std::string("cannot be written: ") + std::strerror(errno) +
                                       "; name a file in a folder that exists and is yours");
}

/// The number of a descriptor of this process that has this name, as /dev/stdout has.
std::optional<int> own_descriptor(const fs::path& place) {
  const std::string text = place.lexically_normal().string();
  if (text == "/dev/stdout") return STDOUT_FILENO;
  if (text == "/dev/stderr") return STDERR_FILENO;
  for (const std::string_view folder : {"/dev/fd/", "/proc/self/fd/"})
    if (text.starts_with(folder))
      if (const auto number = parse_unsigned(text.substr(folder.size())); number && *number <= INT_MAX)
        return static_cast<int>(*number);
  return {};
}

/// A second descriptor of the same open file, so that both write one behind the other; -1 if it cannot be
/// had.
int open_again(int descriptor) {
  const int flags = ::fcntl(descriptor, F_GETFL);
  if (flags < 0) return -1;
  if ((flags & O_ACCMODE) != O_RDONLY) return ::fcntl(descriptor, F_DUPFD_CLOEXEC, 0);
  errno = EBADF;  // as a write would say
  return -1;
}

/// Devices, pipes and the open files of a process are written to, never replaced.
bool goes_straight_through(const fs::path& place) {
  const std::string text = place.lexically_normal().string();
  const bool is_device = text.starts_with("/dev/") && !text.starts_with("/dev/shm/");  // a folder in memory
  if (is_device || text.starts_with("/proc/")) return true;
  std::error_code none;
  const auto status = fs::status(place, none);
  return fs::exists(status) && !fs::is_regular_file(status);
}

/// Follows symbolic links, also to a file that is not there yet.
fs::path where_links_lead(fs::path place) {
  constexpr unsigned kMostLinks = 40;  // as the kernel allows
  std::error_code none;                // what cannot be looked at cannot be opened either, and that is said
  for (unsigned n = 0; fs::is_symlink(fs::symlink_status(place, none)); ++n) {
    if (n == kMostLinks) throw InputError(place.string(), "is a loop of symbolic links; name a file");
    place = place.parent_path() / fs::read_symlink(place, none);
  }
  return place;
}

/// A new file beside `place`, under a name that nobody else has.
int open_draft(const fs::path& place, fs::path& draft) {
  for (unsigned n = 0; n < 1000; ++n) {
    draft = place.parent_path() / ("." + place.filename().string() + "." + std::to_string(::getpid()) + "-" +
                                   std::to_string(n) + ".part");
    const int file = ::open(draft.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666);
    if (file >= 0 || errno != EEXIST) return file;
  }
  return -1;
}

bool write_all(int file, std::string_view text) {
  while (!text.empty()) {
    const ssize_t written = ::write(file, text.data(), text.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0 && errno == EAGAIN) {  // whoever opened it does not want to wait; a report must
      pollfd room{file, POLLOUT, 0};
      ::poll(&room, 1, -1);
      continue;
    }
    if (written < 0) return false;
    text.remove_prefix(static_cast<std::size_t>(written));
  }
  return true;
}

/// Makes a move in this folder survive a loss of power.
void sync_folder(const fs::path& folder) {
  const int file = ::open(folder.empty() ? "." : folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (file < 0) return;
  ::fsync(file);
  ::close(file);
}

std::string content_of(const fs::path& place) {
  std::ifstream in(place, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

}  // namespace

void make_folder(const fs::path& folder) {
  std::error_code error;
  std::vector<fs::path> parents;  // of the folders that are not there yet
  for (fs::path each = fs::absolute(folder, error); !fs::exists(each, error) && each.has_relative_path();
       each = each.parent_path())
    parents.push_back(each.parent_path());
  fs::create_directories(folder, error);
  for (const fs::path& each : parents) sync_folder(each);
  if (error || !fs::is_directory(folder))
    throw InputError(folder.string(),
                     "cannot be made a folder" + (error ? ": " + error.message() : std::string()));
}

OutputFile::OutputFile(fs::path place) : place_(std::move(place)) {
  std::error_code none;
  if (fs::is_directory(place_, none)) throw InputError(place_.string(), "is a folder; name a file");
  if (const auto descriptor = own_descriptor(place_)) {
    file_ = open_again(*descriptor);
    if (file_ < 0) cannot_write(place_);
    return;
  }
  if (goes_straight_through(place_)) {
    file_ = ::open(place_.c_str(), O_WRONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY);
    if (file_ < 0 && errno == ENXIO)
      throw InputError(place_.string(), "is a pipe that nobody reads; start its reader first");
    if (file_ < 0) cannot_write(place_);
    ::fcntl(file_, F_SETFL, ::fcntl(file_, F_GETFL) & ~O_NONBLOCK);
    return;
  }
  place_ = where_links_lead(place_);
  file_ = open_draft(place_, draft_);
  if (file_ < 0) cannot_write(place_);
  exchange_draft(nullptr, draft_.c_str());
  struct stat old {};
  if (::stat(place_.c_str(), &old) == 0) ::fchmod(file_, old.st_mode & 07777);
}

OutputFile::~OutputFile() {
  if (file_ >= 0) ::close(file_);
  std::error_code ignored;
  if (draft_.empty()) return;
  fs::remove(draft_, ignored);
  exchange_draft(draft_.c_str(), nullptr);
}

void OutputFile::write(std::string_view text) {
  const bool straight = draft_.empty();
  errno = 0;
  if (!write_all(file_, text) || (!straight && ::fsync(file_) != 0))
    throw std::runtime_error(place_.string() + ": could not be written whole: " + std::strerror(errno) +
                             "; free some room and run again");
  if (straight) return;
  fs::rename(draft_, place_);
  exchange_draft(draft_.c_str(), nullptr);
  draft_.clear();
  sync_folder(place_.parent_path());
}

void remove_drafts() noexcept {
  for (const auto& each : drafts)
    if (const char* draft = each.load()) ::unlink(draft);
}

fs::path write_new_file(const fs::path& folder, const std::string& stem, std::string_view text) {
  for (unsigned n = 1;; ++n) {
    const fs::path place = folder / (stem + (n == 1 ? "" : "-" + std::to_string(n)) + ".json");
    std::error_code none;
    if (fs::exists(fs::symlink_status(place, none))) {
      if (fs::is_regular_file(place, none) && content_of(place) == text) return place;
      continue;
    }
    OutputFile(place).write(text);
    return place;
  }
}

}  // namespace lanecheck
