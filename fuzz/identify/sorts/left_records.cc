#include "fuzz/identify/sorts/left_records.h"

#include <algorithm>
#include <functional>

namespace lanecheck {
namespace {

constexpr std::size_t kRecordsOfSort = 32;

/// left_of(records): what a repeat leaves of its records in the order of the sources.
template <class LeftOf>
SortLaw of_all_records(std::string text, LeftOf left_of) {
  return {std::move(text), [left_of](const SortCall& call) {
            std::vector<Queue> left;
            for (const auto& queues : call.repeats) left.push_back(left_of(in_a_row(queues)));
            return left;
          }};
}

Queue sorted(Queue records) {
  std::ranges::stable_sort(records, std::greater(), &SortRecord::value);
  return records;
}

/// Records `from` up to `to` are sorted among themselves, the others stay where they are.
Queue sorted_between(Queue records, std::size_t from, std::size_t to) {
  const auto begin = records.begin();
  std::stable_sort(begin + static_cast<std::ptrdiff_t>(from), begin + static_cast<std::ptrdiff_t>(to),
                   [](const SortRecord& a, const SortRecord& b) { return a.value > b.value; });
  return records;
}

/// "its first record", "record 5 (counted from 0)"
std::string name_of_record(std::size_t record) {
  if (record == 0) return "its first record";
  if (record + 1 == kRecordsOfSort) return "its last record";
  return "record " + std::to_string(record) + " (counted from 0)";
}

Queue without(Queue records, std::size_t record) {
  records.erase(records.begin() + static_cast<std::ptrdiff_t>(record));
  return records;
}

void add_unsorted(std::vector<SortLaw>& laws) {
  laws.push_back(of_all_records("does not sort its records: they stay in the order of the sources",
                                [](const Queue& records) { return records; }));
  for (std::size_t record = 0; record < kRecordsOfSort; ++record)
    laws.push_back(of_all_records(
        "does not sort " + name_of_record(record) + ": it stays where it is", [record](const Queue& records) {
          Queue left = sorted(without(records, record));
          left.insert(left.begin() + static_cast<std::ptrdiff_t>(record), records[record]);
          return left;
        }));
  const std::string stay = " records: the others stay where they are";
  for (std::size_t count = kRecordsOfSort - 2; count > 1; --count) {
    laws.push_back(
        of_all_records("sorts only its first " + std::to_string(count) + stay,
                       [count](const Queue& records) { return sorted_between(records, 0, count); }));
    laws.push_back(
        of_all_records("sorts only its last " + std::to_string(count) + stay, [count](const Queue& records) {
          return sorted_between(records, kRecordsOfSort - count, kRecordsOfSort);
        }));
  }
}

void add_untaken(std::vector<SortLaw>& laws) {
  for (std::size_t record = 0; record < kRecordsOfSort; ++record)
    laws.push_back(of_all_records(
        "leaves out " + name_of_record(record) + ": the last place of the repeat keeps its old dst",
        [record](const Queue& records) { return sorted(without(records, record)); }));
}

/// change(record) of the first or the last record of each repeat in dst.
template <class Change>
void add_of_ends(const std::string& before, const std::string& behind, Change change,
                 std::vector<SortLaw>& laws) {
  for (const bool is_last : {true, false})
    laws.push_back({before + (is_last ? "the last" : "the first") + " record of a repeat in dst" + behind,
                    [=](const SortCall& call) {
                      auto left = documented_records(call);
                      for (Queue& records : left)
                        if (!records.empty()) change(is_last ? records.back() : records.front());
                      return left;
                    }});
}

}  // namespace

std::vector<SortLaw> left_record_laws(bool sorts) {
  std::vector<SortLaw> laws;
  if (sorts) {
    add_unsorted(laws);
    add_untaken(laws);
  }
  laws.push_back({"writes nothing", [](const SortCall& call) {
                    auto left = documented_records(call);
                    for (Queue& records : left)
                      for (SortRecord& record : records) record.is_kept = true;
                    return left;
                  }});
  add_of_ends(
      "does not write ", ": its place keeps its old content",
      [](SortRecord& record) { record.is_kept = true; }, laws);
  add_of_ends(
      "writes 0 in place of ", "", [](SortRecord& record) { record.score = record.index = 0; }, laws);
  return laws;
}

}  // namespace lanecheck
