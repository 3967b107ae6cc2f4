#include "fuzz/backend/plugin_backend.h"

#include <dlfcn.h>
#include <unistd.h>

#include <cstring>

#include "fuzz/backend/message.h"
#include "fuzz/backend/plugin_batch.h"

namespace lanecheck {
namespace {

std::string text_or(const char* text, const char* otherwise) {
  return std::string(text != nullptr ? text : otherwise).substr(0, kMostText);
}

/// The library, loaded into this process, or functions of this program.
class Library {
 public:
  explicit Library(const std::string& path) {
    const std::string file = path.find('/') == std::string::npos ? "./" + path : path;
    handle_ = dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (handle_ == nullptr) throw BackendFailure(dlerror());
    const auto entry =
        reinterpret_cast<const lanecheck_plugin_info* (*)()>(dlsym(handle_, "lanecheck_plugin"));
    if (entry == nullptr)
      throw BackendFailure(path + " does not export lanecheck_plugin (extern \"C\", default visibility)");
    const lanecheck_plugin_info* given = entry();
    if (given == nullptr) throw BackendFailure("lanecheck_plugin() returned NULL");
    take(*given, path);
  }
  explicit Library(const lanecheck_plugin_info& given) { take(given, "the simulator"); }
  ~Library() {
    if (info_.close != nullptr) info_.close(opened_);
  }
  Library(const Library&) = delete;
  Library& operator=(const Library&) = delete;

  void run(lanecheck_program* programs, std::uint32_t count) { info_.run(opened_, programs, count); }

  /// What the library says of itself, without the functions.
  Backend describe() const {
    Backend backend;
    backend.name = text_or(info_.name, "a plug-in");
    backend.about = text_or(info_.release, "");
    backend.shows_mask = info_.hides_mask == 0;
    backend.shows_mode = info_.shows_mode != 0;
    backend.reports_refusals = info_.refuses_illegal != 0;
    backend.profiles = {"vmc"};
    if (info_.profiles != nullptr) backend.profiles.clear();
    for (const char* const* each = info_.profiles; each != nullptr && *each != nullptr; ++each)
      backend.profiles.push_back(text_or(*each, ""));
    backend.capabilities.everything = info_.offers == nullptr;
    for (std::uint32_t n = 0; info_.offers != nullptr && n < info_.offer_count; ++n) {
      const lanecheck_offer& offer = info_.offers[n];
      backend.capabilities.rows.push_back(
          {text_or(offer.instruction, ""), text_or(offer.dst, ""), text_or(offer.src, ""), {}, {}});
    }
    if (const std::string fault = fault_of(backend.capabilities); !fault.empty()) throw BackendFailure(fault);
    for (const char* const* each = info_.readings; each != nullptr && *each != nullptr; ++each) {
      const std::string setting = text_or(*each, "");
      const auto equals = setting.find('=');
      backend.readings.emplace_back(setting.substr(0, equals),
                                    equals == std::string::npos ? "" : setting.substr(equals + 1));
    }
    return backend;
  }

 private:
  void take(const lanecheck_plugin_info& given, const std::string& who) {
    if (given.version != LANECHECK_PLUGIN_VERSION)
      throw BackendFailure(who + " was built for plug-in interface " + std::to_string(given.version) +
                           ", this lanecheck has " + std::to_string(LANECHECK_PLUGIN_VERSION));
    std::memcpy(&info_, &given, std::min<std::size_t>(given.size, sizeof info_));
    if (info_.run == nullptr) throw BackendFailure(who + " has no run function");
    if (info_.open != nullptr) opened_ = info_.open();
  }

  void* handle_ = nullptr;  // stays loaded: strings and functions of it may still be in use
  lanecheck_plugin_info info_{};
  void* opened_ = nullptr;
};

/// In the worker process: says hello, then runs the shared batch for each line that comes in.
int work(const std::string& path, PluginBatch& batch) {
  const int requests = dup(0), answers = dup(1);
  dup2(2, 1);  // what the library prints is not an answer
  const auto say = [&](std::string_view text) {
    return write(answers, text.data(), text.size()) == static_cast<ssize_t>(text.size());
  };
  try {
    batch.watch_writes();
    Library library(path);
    if (!say(hello_answer(library.describe()))) return 0;
    for (char request = 0; read(requests, &request, 1) == 1;) {
      batch.protect();
      library.run(batch.programs(), batch.count());
      if (!say("\n")) return 0;
    }
  } catch (const std::exception& error) {
    const std::string what = std::string(error.what()) + "\n";
    [[maybe_unused]] const auto written = write(2, what.data(), what.size());
    return 1;
  }
  return 0;
}

/// One worker process, seen from the host.
class PluginWorker : public Worker {
 public:
  PluginWorker(const std::string& path, std::shared_ptr<PluginBatch> batch, const AttachOptions& options)
      : batch_(std::move(batch)),
        child_([path, shared = batch_.get()] { return work(path, *shared); }, options.stop) {
    std::string_view line;
    const auto breakdown = child_.read_line(line, kMostLine, options.start_up);
    if (breakdown) {
      child_.end(Ending::forced);
      throw BackendFailure(child_.output().empty() ? breakdown->what : child_.output());
    }
    try {
      hello_ = read_hello(line);
    } catch (const ProtocolError& error) {
      throw BackendFailure(error.what());
    }
  }

  const Hello& hello() const { return hello_; }

  std::optional<Breakdown> run(const Batch& batch, double allowance) override {
    child_.share_core();
    batch_->put(batch.programs);
    if (auto breakdown = child_.send("\n", allowance)) return breakdown;
    std::string_view line;
    if (auto breakdown = child_.read_line(line, kMostLine, allowance)) {
      if (const std::string wrote = batch_->forbidden_write(); !wrote.empty())
        breakdown->what += "; " + wrote;
      return breakdown;
    }
    if (auto breakdown = batch_->take(batch)) return breakdown;
    answered_ += batch.programs.size();
    return {};
  }

  BackendProcess end(Ending ending) override { return end_process(child_, ending, answered_); }

 private:
  std::shared_ptr<PluginBatch> batch_;
  Child child_;
  Hello hello_;
  std::uint64_t answered_ = 0;
};

Backend in_process(const std::shared_ptr<Library>& library) {
  auto shared = std::make_shared<PluginBatch>();
  Backend backend = library->describe();
  backend.batch = kMostBatch;
  backend.run_batch = [library, shared](const Batch& batch) {
    for (std::size_t from = 0; from < batch.programs.size(); from += kMostBatch) {
      const Batch part = batch.part(from, std::min(kMostBatch, batch.programs.size() - from));
      shared->put(part.programs);
      library->run(shared->programs(), shared->count());
      if (const auto breakdown = shared->take(part))
        for (Outcome& outcome : part.outcomes) outcome = Errored{breakdown->what};
    }
  };
  backend.run = [run_batch = backend.run_batch](const Program& program, State& state) {
    Outcome outcome;
    run_batch({{&program, 1}, {&state, 1}, {&outcome, 1}});
    return outcome;
  };
  return backend;
}

}  // namespace

Backend plugin_backend(const std::string& path, const AttachOptions& options) {
  if (options.in_process) return in_process(std::make_shared<Library>(path));
  auto shared = std::make_shared<PluginBatch>();
  auto first = std::make_unique<PluginWorker>(path, shared, options);
  const Hello hello = first->hello();
  const auto start = [path, shared, options, hello] {
    auto next = std::make_unique<PluginWorker>(path, shared, options);
    require_same(hello, next->hello());
    return next;
  };
  return attach(hello, std::make_shared<Isolation>(std::move(first), start, options));
}

Backend plugin_backend(const lanecheck_plugin_info& plugin) {
  return in_process(std::make_shared<Library>(plugin));
}

}  // namespace lanecheck
