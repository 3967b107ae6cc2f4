#include "spec/text/input_file.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <stdexcept>
#include <utility>

#include "spec/program/input_error.h"

namespace lanecheck {

InputFile::InputFile(const std::filesystem::path& file, std::string name)
    : name_(std::move(name)), file_(::open(file.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY)) {
  if (file_ < 0) throw InputError(name_, std::string("cannot be read: ") + std::strerror(errno));
  struct stat found {};
  ::fstat(file_, &found);
  if (S_ISDIR(found.st_mode)) {
    ::close(file_);
    throw InputError(name_, "is a folder; name a file");
  }
  is_pipe_ = S_ISFIFO(found.st_mode);
  if (S_ISREG(found.st_mode)) bytes_ = static_cast<std::size_t>(found.st_size);
}

InputFile::~InputFile() {
  ::close(file_);
}

std::size_t InputFile::read(char* into, std::size_t most) {
  for (;;) {
    const ssize_t got = ::read(file_, into, most);
    if (got >= 0) return static_cast<std::size_t>(got);
    pollfd wait{file_, POLLIN, 0};
    if (errno == EAGAIN && ::poll(&wait, 1, -1) > 0) continue;
    if (errno == EINTR) throw std::runtime_error(name_ + ": a signal stopped the reading");
    throw InputError(name_, std::string("cannot be read: ") + std::strerror(errno));
  }
}

std::string read_input_file(const std::filesystem::path& file, std::size_t most) {
  InputFile in(file, file.string());
  const auto require_room = [&](std::size_t bytes) {
    if (bytes > most)
      throw InputError(file.string(), "is larger than " + std::to_string(most >> 20) + " MiB, the limit");
  };
  require_room(in.bytes());
  constexpr std::size_t kStep = 1u << 20;
  std::string text(in.bytes() > 0 ? in.bytes() + 1 : kStep, '\0');
  for (std::size_t used = 0;;) {
    if (used == text.size()) text.resize(used + kStep);
    const std::size_t got = in.read(text.data() + used, text.size() - used);
    used += got;
    require_room(used);
    if (got > 0) continue;
    if (used == 0 && in.is_pipe()) throw InputError(file.string(), "is a pipe that nobody writes to");
    text.resize(used);
    return text;
  }
}

}  // namespace lanecheck
