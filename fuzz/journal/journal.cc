#include "fuzz/journal/journal.h"

#include <unistd.h>

#include <algorithm>
#include <ctime>
#include <iostream>
#include <nlohmann/json.hpp>

#include "fuzz/journal/checkpoint_json.h"
#include "reports/format.h"
#include "reports/json_report.h"

namespace lanecheck {
namespace {

constexpr double kStatusEvery = 1;  // seconds
constexpr double kPartOfTime = 50;  // checkpoints take at most the 50th part of the time

}  // namespace

void Journal::watch(const RunOptions& options, RunHooks& hooks) {
  first_ = options.first;
  planned_ = options.cases;
  done_before_ = progress_.done();
  hooks.progress = &progress_;
  if (folder_ == nullptr) return;
  hooks.on_finding = [this, next = hooks.on_finding](const Finding& finding) {
    findings_.push_back(finding.id);
    if (next) next(finding);
  };
  hooks.on_block = [this] { on_block(); };
  tried([this] { folder_->write("status.json", status("running")); });
}

void Journal::on_block() {
  const double now = watch_.seconds();
  if (now - status_at_ >= kStatusEvery) {
    status_at_ = now;
    tried([this] { folder_->write("status.json", status("running")); });
  }
  if (now - checkpoint_at_ < std::max(seconds_, kPartOfTime * checkpoint_took_)) return;
  tried([this] { folder_->write("checkpoint.json", checkpoint_text(progress_)); });
  checkpoint_at_ = watch_.seconds();
  checkpoint_took_ = checkpoint_at_ - now;
}

bool Journal::finish(const std::vector<Page>& pages) {
  if (folder_ == nullptr) return true;
  const bool whole = progress_.done() == planned_;
  tried([this] { folder_->write("checkpoint.json", checkpoint_text(progress_)); });
  tried([this] { folder_->remove("bundles"); });  // of an earlier stop
  for (const Page& page : pages) tried([&] { folder_->write(page.file, page.text); });
  tried([&] { folder_->write("status.json", status(whole ? "finished" : "stopped")); });
  return !failed_;
}

std::string Journal::status(const std::string& state) const {
  const double seconds = watch_.seconds();
  const std::uint64_t done = progress_.done();
  const nlohmann::ordered_json json = {
      {"schema", "lanecheck-status-1"},
      {"state", state},
      {"process", ::getpid()},
      {"written_at", static_cast<std::int64_t>(::time(nullptr))},
      {"planned", planned_},
      {"done", done},
      {"failed", progress_.failed.size()},
      {"next_case", first_ + done},
      {"seconds", seconds},
      {"cases_per_second", static_cast<double>(done - done_before_) / std::max(seconds, 1e-9)},
      {"findings", findings_}};
  return dump(json) + "\n";
}

/// Calls `write`. If that fails the run goes on, and says so once.
void Journal::tried(const std::function<void()>& write) try { write(); } catch (const std::exception& error) {
  if (!failed_)
    std::cerr << "lanecheck: the folder of the run: " << printable_lines(error.what())
              << "; the run goes on, and can be resumed from its last checkpoint\n";
  failed_ = true;
}

}  // namespace lanecheck
