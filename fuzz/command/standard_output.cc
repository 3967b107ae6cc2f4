#include "fuzz/command/standard_output.h"

#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdint>
#include <cstring>
#include <ctime>
#include <iostream>

namespace lanecheck {
namespace {

std::atomic<int> error_of_output{0};  // errno of the first write that failed

/// Buffers what is written to standard output, and drops what comes after an error.
class OutputBuffer final : public std::streambuf {
 public:
  OutputBuffer() { setp(bytes_.data(), bytes_.data() + bytes_.size()); }

 protected:
  int_type overflow(int_type c) override {
    sync();
    if (!traits_type::eq_int_type(c, traits_type::eof())) {
      *pptr() = traits_type::to_char_type(c);
      pbump(1);
    }
    return traits_type::not_eof(c);
  }

  /// A person at a terminal sees each line at once.
  std::streamsize xsputn(const char* text, std::streamsize count) override {
    const std::streamsize written = std::streambuf::xsputn(text, count);
    if (terminal_ && std::memchr(text, '\n', static_cast<std::size_t>(count)) != nullptr) sync();
    return written;
  }

  int sync() override {
    const char* from = pbase();
    while (from < pptr() && error_of_output == 0) {
      const ssize_t written = ::write(STDOUT_FILENO, from, static_cast<std::size_t>(pptr() - from));
      if (written >= 0)
        from += written;
      else if (errno != EINTR)
        error_of_output = errno;
    }
    setp(bytes_.data(), bytes_.data() + bytes_.size());
    return 0;
  }

 private:
  std::array<char, 1 << 14> bytes_;
  const bool terminal_ = ::isatty(STDOUT_FILENO) != 0;
};

}  // namespace

bool nobody_reads_output() {
  constexpr std::int64_t kBetweenLooks = 50'000'000;  // nanoseconds
  static std::atomic<std::int64_t> looked{0};
  timespec now{};
  ::clock_gettime(CLOCK_MONOTONIC_COARSE, &now);
  const std::int64_t at = std::int64_t{now.tv_sec} * 1'000'000'000 + now.tv_nsec;
  if (error_of_output == 0 && at - looked >= kBetweenLooks) {  // a reader may leave between two writes
    looked = at;
    pollfd output{STDOUT_FILENO, 0, 0};
    if (::poll(&output, 1, 0) > 0 && (output.revents & POLLERR) != 0) error_of_output = EPIPE;
  }
  return error_of_output == EPIPE;
}

bool output_is_lost() {
  return nobody_reads_output() || error_of_output != 0;
}

StandardOutput::StandardOutput()
    : buffer_(std::make_unique<OutputBuffer>()), previous_(std::cout.rdbuf(buffer_.get())) {
  std::signal(SIGPIPE, SIG_IGN);  // a write fails with EPIPE instead
  std::signal(SIGXFSZ, SIG_IGN);  // a write past the limit of file sizes fails with EFBIG instead
}

StandardOutput::~StandardOutput() {
  std::cout.flush();
  std::cout.rdbuf(previous_);
}

std::string StandardOutput::finish() {
  std::cout.flush();
  return error_of_output == 0 || nobody_reads_output() ? "" : std::strerror(error_of_output);
}

void open_closed_streams() {
  for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    if (::fcntl(stream, F_GETFD) >= 0 || errno != EBADF) continue;
    const int mode = stream == STDERR_FILENO ? O_WRONLY : O_RDONLY;
    [[maybe_unused]] const int opened = ::open("/dev/null", mode);  // the lowest free number: this one
  }
}

}  // namespace lanecheck
