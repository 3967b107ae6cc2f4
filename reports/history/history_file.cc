#include "reports/history/history_file.h"

#include <SQLiteCpp/SQLiteCpp.h>
#include <sqlite3.h>

#include <iterator>
#include <stdexcept>

#include "reports/format.h"
#include "spec/program/input_error.h"
#include "spec/text/fnv.h"
#include "spec/text/number.h"

namespace lanecheck {
namespace {

constexpr int kVersion = 2;        // of the tables
constexpr int kPatience = 10'000;  // milliseconds to wait for another process
constexpr const char* kTables = R"(
  CREATE TABLE runs (run INTEGER PRIMARY KEY, date TEXT NOT NULL, digest TEXT NOT NULL, file TEXT NOT NULL,
    lanecheck TEXT NOT NULL, backend TEXT NOT NULL, about TEXT NOT NULL, profile TEXT NOT NULL, seed TEXT NOT NULL,
    first TEXT NOT NULL, done TEXT NOT NULL, exercised TEXT NOT NULL, gaps TEXT NOT NULL,
    judged TEXT NOT NULL, UNIQUE (date, digest));
  CREATE TABLE findings (run INTEGER NOT NULL REFERENCES runs, id TEXT NOT NULL, state TEXT NOT NULL,
    cases TEXT NOT NULL, what TEXT NOT NULL, rules TEXT NOT NULL, PRIMARY KEY (run, id));
)";

/// Tells whether a report was added before.
std::string digest_of(std::string_view text) {
  Fnv fnv;
  fnv.add(text);
  return std::to_string(fnv.digest());
}

template <class Lines>
std::string in_lines(const Lines& lines) {
  std::string text;
  for (const std::string& each : lines) text += each + '\n';
  return text;
}

std::vector<std::string> split(std::string_view text) {
  std::vector<std::string> lines;
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    lines.emplace_back(text.substr(0, end));
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
  }
  return lines;
}

/// SQLite's whole numbers have a sign, so numbers of 64 bits are kept as text.
std::uint64_t number(const SQLite::Column& column, const std::string& file) {
  const auto read = parse_unsigned(column.getString());
  if (!read) throw InputError(file, "is damaged: it holds text in place of a number");
  return *read;
}

/// Passes on an error of SQLite, with the name of the file. Damage is wrong input; a full disk, say, is not.
[[noreturn]] void fail(const std::string& file, const SQLite::Exception& error) {
  const int code = error.getErrorCode();
  if (code == SQLITE_CORRUPT || code == SQLITE_NOTADB || code == SQLITE_ERROR)
    throw InputError(file, std::string("is damaged: ") + error.what());
  throw std::runtime_error(file + ": " + error.what());
}

bool is_of_this_version(SQLite::Database& database) {
  return database.execAndGet("PRAGMA user_version").getInt() == kVersion && database.tableExists("runs") &&
         database.tableExists("findings");
}

/// Makes the tables of an empty file, and brings those of an older version up to date.
void prepare(SQLite::Database& database, const std::string& file) {
  SQLite::Transaction transaction(database, SQLite::TransactionBehavior::IMMEDIATE);
  const int version = database.execAndGet("PRAGMA user_version").getInt();
  const bool empty = database.execAndGet("SELECT count(*) FROM sqlite_master").getInt() == 0;
  if (version == 0 && empty)
    database.exec(kTables);
  else if (version == 1 && database.tableExists("runs"))  // its runs do not say how they were judged
    database.exec("ALTER TABLE runs ADD COLUMN judged TEXT NOT NULL DEFAULT 'unknown'");
  else if (!is_of_this_version(database))  // another process may have prepared it meanwhile
    throw InputError(file, "is no history of this version of lanecheck");
  database.exec("PRAGMA user_version = " + std::to_string(kVersion));
  transaction.commit();
}

/// A transaction that could write mends the header of a damaged file: a file that is only read starts none.
std::unique_ptr<SQLite::Database> opened(const std::filesystem::path& file, HistoryFile::Open open) {
  const int mode = SQLite::OPEN_READWRITE | (open == HistoryFile::Open::or_new ? SQLite::OPEN_CREATE : 0);
  auto database = std::make_unique<SQLite::Database>(file.string(), mode, kPatience);
  if (!is_of_this_version(*database)) prepare(*database, file.string());
  if (open == HistoryFile::Open::or_new && sqlite3_db_readonly(database->getHandle(), "main") == 1)
    throw InputError(file.string(), "cannot be written; name a history that is yours");
  return database;
}

void read_findings(const SQLite::Database& database, const std::string& file, int run, SavedReport& report) {
  SQLite::Statement row(database,
                        "SELECT state, id, cases, what, rules FROM findings WHERE run = ? ORDER BY id");
  row.bind(1, run);
  while (row.executeStep()) {
    SavedFinding& finding = report.findings.emplace_back();
    const auto state = find_finding_state(row.getColumn(0).getString());
    if (!state) throw InputError(file, "is damaged: it holds a finding in an unknown state");
    finding.state = *state;
    finding.id = row.getColumn(1).getString();
    finding.cases = number(row.getColumn(2), file);
    finding.what = row.getColumn(3).getString();
    for (std::string& rule : split(row.getColumn(4).getString())) finding.rules.insert(std::move(rule));
  }
}

void bind_all(SQLite::Statement& statement, const std::vector<std::string>& values) {
  for (std::size_t n = 0; n < values.size(); ++n) statement.bind(static_cast<int>(n) + 1, values[n]);
}

}  // namespace

HistoryFile::HistoryFile(const std::filesystem::path& file, Open open) try
    : file_(file.string()), database_(opened(file, open)) {
} catch (const SQLite::Exception& error) {
  throw InputError(file.string(), std::string("cannot be opened as a history: ") + error.what());
}

HistoryFile::~HistoryFile() = default;

void HistoryFile::add(std::string_view report_text, const SavedReport& report, const std::string& date) try {
  SQLite::Transaction transaction(*database_, SQLite::TransactionBehavior::IMMEDIATE);
  const std::string digest = digest_of(report_text);
  SQLite::Statement twin(*database_, "SELECT count(*) FROM runs WHERE date = ? AND digest = ?");
  bind_all(twin, {date, digest});
  twin.executeStep();
  if (twin.getColumn(0).getInt() > 0)
    throw InputError(report.file, "is in the history already, with the date " + date);
  std::vector<std::string> exercised;
  for (const auto& [rule, count] : report.exercised)
    if (count > 0) exercised.push_back(rule);
  SQLite::Statement run(
      *database_,
      "INSERT INTO runs (date, digest, file, lanecheck, backend, about, profile, seed, first, "
      "done, exercised, gaps, judged) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)");
  bind_all(run, {date, digest, report.file, report.version, report.backend, report.about, report.profile,
                 std::to_string(report.seed), std::to_string(report.first), std::to_string(report.done),
                 in_lines(exercised), in_lines(report.gaps), report.judged});
  run.exec();
  const std::string number_of_run = std::to_string(database_->getLastInsertRowid());
  for (const SavedFinding& each : report.findings) {
    SQLite::Statement finding(*database_, "INSERT INTO findings VALUES (?, ?, ?, ?, ?, ?)");
    bind_all(finding, {number_of_run, each.id, std::string(name_of(each.state)), std::to_string(each.cases),
                       each.what, in_lines(each.rules)});
    finding.exec();
  }
  transaction.commit();
} catch (const SQLite::Exception& error) {
  fail(file_, error);
}

std::vector<DatedReport> HistoryFile::runs() const try {
  std::vector<DatedReport> runs;
  SQLite::Statement row(
      *database_,
      "SELECT run, date, file, lanecheck, backend, about, profile, seed, first, done, exercised, "
      "gaps, judged FROM runs ORDER BY date, run");
  while (row.executeStep()) {
    DatedReport& run = runs.emplace_back();
    SavedReport& report = run.report;
    const auto text = [&](int column) { return row.getColumn(column).getString(); };
    run.date = text(1);
    report.file = text(2);
    report.version = text(3);
    report.backend = text(4);
    report.about = text(5);
    report.profile = text(6);
    report.seed = number(row.getColumn(7), file_);
    report.first = number(row.getColumn(8), file_);
    report.planned = report.done = number(row.getColumn(9), file_);
    for (const std::string& rule : split(text(10))) report.exercised[rule] = 1;
    report.gaps = split(text(11));
    report.judged = text(12);
    read_findings(*database_, file_, row.getColumn(0).getInt(), report);
  }
  return runs;
} catch (const SQLite::Exception& error) {
  fail(file_, error);
}

}  // namespace lanecheck
