#include "fuzz/backend/process_backend.h"

#include <cstdio>
#include <iostream>

#include "fuzz/backend/message.h"
#include "reports/format.h"

namespace lanecheck {
namespace {

/// One process of the backend.
class Process : public Worker {
 public:
  Process(const std::function<int()>& body, const AttachOptions& options) : child_(body, options.stop) {
    hello_ = shake_hands(options.start_up);
  }

  const Hello& hello() const { return hello_; }

  std::optional<Breakdown> run(const Batch& batch, double allowance) override {
    try {
      if (child_.has_unread())  // looked at here, so that it is blamed on who did it, not on the next program
        return Breakdown{"breaks the protocol: it sent more than one answer, or text that is not an answer"};
      const PinToCore stay;
      child_.share_core();
      const std::uint64_t first = next_id_;
      next_id_ += batch.programs.size();
      if (auto breakdown = child_.send(run_request(batch.programs, first, hello_.encoding), allowance))
        return breakdown;
      std::string_view line;
      if (auto breakdown = child_.read_line(line, kMostLine, allowance)) return breakdown;
      const std::size_t raw = read_answers(line, first, hello_.encoding, batch, hello_.shown());
      if (raw > 0) {
        std::string_view images;
        if (auto breakdown = child_.read_bytes(images, raw, allowance)) return breakdown;
        fill_images(images, batch);
      }
      if (child_.has_unread())
        return Breakdown{"breaks the protocol: it sent more than one answer, or text that is not an answer"};
      answered_ += batch.programs.size();
      return {};
    } catch (const ProtocolError& error) {
      return Breakdown{std::string("breaks the protocol: ") + error.what()};
    }
  }

  BackendProcess end(Ending ending) override { return end_process(child_, ending, answered_); }

 private:
  Hello shake_hands(double start_up) {
    std::string what;
    try {
      std::string_view line;
      const std::string request = hello_request();
      auto breakdown = child_.send(request, start_up);
      if (!breakdown) breakdown = child_.read_line(line, kMostLine, start_up);
      if (!breakdown) return read_hello(line);
      what = breakdown->what;
      if (breakdown->late) what += " (at hello; --start-up gives it more time)";
    } catch (const ProtocolError& error) {
      what = std::string("breaks the protocol: ") + error.what();
    }
    child_.end(Ending::forced);
    if (!child_.output().empty()) what += "; on standard error:\n" + child_.output();
    throw BackendFailure(what);
  }

  Child child_;
  Hello hello_;
  std::uint64_t next_id_ = 1, answered_ = 0;
};

}  // namespace

Backend process_backend(const std::string& command, const AttachOptions& options) {
  const auto body = command_body(command);
  auto first = std::make_unique<Process>(body, options);
  const Hello hello = first->hello();
  const auto start = [body, options, hello] {
    auto next = std::make_unique<Process>(body, options);
    require_same(hello, next->hello());
    return next;
  };
  return attach(hello, std::make_shared<Isolation>(std::move(first), start, options));
}

std::string Responder::answer(const Request& request) {
  if (request.hello) return hello_answer(backend_, hex_only_);
  states_.resize(request.programs.size());
  outcomes_.assign(request.programs.size(), Outcome{});
  run_all(backend_, {request.programs, states_, outcomes_});
  for (std::size_t n = 0; n < outcomes_.size(); ++n)
    if (!request.unreadable[n].empty()) outcomes_[n] = Skipped{request.unreadable[n]};
  return run_answer(request, states_, outcomes_, {backend_.shows_mask, backend_.shows_mode});
}

int serve(const Backend& backend, bool hex_only, std::FILE* answers) {
  std::ios::sync_with_stdio(false);
  std::string line, raw;
  Responder responder(backend, hex_only);
  const auto answer = [answers](const std::string& text) {
    return std::fwrite(text.data(), 1, text.size(), answers) == text.size() && std::fflush(answers) == 0;
  };
  try {
    while (next_line(std::cin, line)) {
      Request request = read_request(line);
      if (request.encoding == Encoding::bytes) {
        raw.resize(request.raw);
        if (!std::cin.read(raw.data(), static_cast<std::streamsize>(raw.size())))
          throw ProtocolError("the input ends before the images do");
        fill_images(raw, request);
      }
      if (!answer(responder.answer(request))) return 0;
    }
  } catch (const ProtocolError& error) {
    std::cerr << "lanecheck serve: " << printable_lines(error.what()) << '\n';
    return 2;
  }
  return 0;
}

}  // namespace lanecheck
